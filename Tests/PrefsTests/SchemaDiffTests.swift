import Foundation
import TestSupport
import Testing

@Suite("prefs schema diff")
struct SchemaDiffTests {
    private static let old = "Old.preferences.json"
    private static let new = "New.preferences.json"

    /// Runs a body in a folder with two versions of a schema.
    private func withVersions(
        _ old: String = Version.old,
        _ new: String = Version.new,
        _ body: (Folder) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try folder.write(old, to: Self.old)
            try folder.write(new, to: Self.new)
            try await body(folder)
        }
    }

    // MARK: - Files and folders

    @Test("Two files are compared as versions of one schema, with the fix of each change")
    func files() async throws {
        try await withVersions { folder in
            let run = try await folder.run("schema", "diff", Self.old, Self.new)
            #expect(run.output == Version.report(Self.old, Self.new, Self.old))
            #expect(run.errors == "")
            #expect(run.status == 1)
            let same = try await folder.run("schema", "diff", Self.old, Self.old)
            #expect(same.output == "compared with Old.preferences.json: no changes that affect users\n")
            #expect(same.status == 0)
        }
    }

    @Test("A file's own protocol is named after the new file, also in a copy with another name")
    func nameOfFile() async throws {
        let text = #"{ "formatVersion": 1, "access": "public", "keys": { "a": { "type": "Int?" } } }"#
        try await withVersions(text, text) { folder in
            #expect(try await folder.run("schema", "diff", Self.old, Self.new).status == 0)
            // In folders, the names of files count.
            try folder.write(text, to: "a/Old.preferences.json")
            try folder.write(text, to: "b/New.preferences.json")
            let folders = try await folder.run("schema", "diff", "a", "b")
            #expect(folders.output.contains("[source: type-name-changed]"), "\(folders.output)")
            #expect(folders.status == 1)
        }
    }

    @Test("Folders are compared with their includes and the configuration in them")
    func folders() async throws {
        try await withFolder { folder in
            let schema = #"{ "formatVersion": 1, "includes": ["../Unit.preferences-include.json"] }"#
            func include(_ type: String) -> String {
                #"{ "formatVersion": 1, "keys": { "unit": { "type": "\#(type)" } } }"#
            }
            for (version, type, access) in [("v1", "Int?", "public"), ("v2", "String?", "internal")] {
                try folder.write(schema, to: "\(version)/Deep/Weather.preferences.json")
                try folder.write(include(type), to: "\(version)/Unit.preferences-include.json")
                try folder.write(
                    #"{ "access": "\#(access)" }"#,
                    to: "\(version)/preferences-generator-config.json"
                )
            }
            let run = try await folder.run("schema", "diff", "v1", "v2")
            #expect(run.output.contains("v2/Unit.preferences-include.json:1:51: error: key 'unit' was of type 'Int?'"))
            #expect(run.output.contains("[storage: type-changed]"))
            #expect(run.output.contains("[source: access-narrowed]"))
            // A configuration that is named takes the place of both.
            try folder.write(#"{ "access": "internal" }"#, to: "both.json")
            let named = try await folder.run("schema", "diff", "v1", "v2", "--config", "both.json")
            #expect(named.output.hasSuffix("compared with v1: 1 storage change\n"), "\(named.output)")
        }
    }

    @Test("Schemas of GSettings and KConfigXT are compared as schemas")
    func imported() async throws {
        try await withFolder { folder in
            func schema(_ type: String) -> String {
                """
                <kcfg xmlns="http://www.kde.org/standards/kcfg/1.0"><group name="General">
                <entry name="Size" type="\(type)"><default>1</default></entry></group></kcfg>
                """
            }
            try folder.write(schema("Int"), to: "old.kcfg")
            try folder.write(schema("String"), to: "new.kcfg")
            let run = try await folder.run("schema", "diff", "old.kcfg", "new.kcfg", "--only", "storage")
            #expect(run.output.contains("[storage: type-changed]"), "\(run.output)")
            #expect(run.status == 1)
        }
    }

    @Test("Excluded files and folders are left out")
    func excluded() async throws {
        try await withFolder { folder in
            for (version, text) in [("v1", Version.old), ("v2", Version.new)] {
                try folder.write(text, to: "\(version)/Weather.preferences.json")
                try folder.write(text, to: "\(version)/Fixtures/Weather.preferences.json")
            }
            let file = folder.path("v2/Fixtures/Weather.preferences.json")
            let arguments = ["--exclude", "./v1/Fixtures/", "--exclude=\(file)"]
            let run = try await Prefs(["schema", "diff", "v1", "v2"] + arguments, in: folder.url)
            #expect(run.output == Version.report("v1/Weather.preferences.json", "v2/Weather.preferences.json", "v1"))
        }
    }

    @Test("Schemas with errors are reported, without warnings, and not compared")
    func faults() async throws {
        let faulty = Version.schema(#""scale": { "type": "Duble" }"#, unit: "celsius", members: #" "namespace": {},"#)
        try await withVersions(faulty, Version.new) { folder in
            let run = try await folder.run("schema", "diff", Self.old, Self.new)
            #expect(run.output == "")
            #expect(
                run.errors == """
                    Old.preferences.json:2:23: error: a schema has no field 'namespace' [unknown-field]
                    Old.preferences.json:2:23: note: did you mean 'namespaces'?
                    Old.preferences.json:7:29: error: unknown type 'Duble' [unknown-type]
                    Old.preferences.json:7:29: note: did you mean 'Double'?
                    prefs: error: the schemas have 2 errors; nothing was compared

                    """
            )
            #expect(run.status == 1)
            let github = try await folder.run("schema", "diff", Self.new, Self.old, "--format", "github")
            #expect(
                github.output == """
                    ::error file=Old.preferences.json,line=2,col=23,title=unknown-field::a schema has no field \
                    'namespace'%0Anote: did you mean 'namespaces'?
                    ::error file=Old.preferences.json,line=7,col=29,title=unknown-type::unknown type 'Duble'%0Anote: did \
                    you mean 'Double'?

                    """
            )
            #expect(github.errors == "prefs: error: the schemas have 2 errors; nothing was compared\n")
            let sarif = try await folder.run("schema", "diff", Self.new, Self.old, "--format", "sarif")
            let log = try JSONDecoder().decode(FaultLog.self, from: Data(sarif.output.utf8)).runs[0]
            #expect(log.results.map(\.ruleId) == ["unknown-field", "unknown-type"])
            #expect(sarif.errors == run.errors)
            #expect(sarif.status == 1)
        }
        let unused = Version.schema(#""scale": { "type": "Double?" }"#, unit: "celsius")
            .replacing(#""weather": {"#, with: #""empty": {}, "weather": {"#)
        try await withVersions(unused, unused) { folder in
            let run = try await folder.run("schema", "diff", Self.old, Self.new)
            #expect(run.errors == "")
            #expect(run.status == 0)
        }
    }

    // MARK: - Accepted changes

    @Test("An accepted change is a remark with its reason, and does not fail")
    func accepted() async throws {
        let acceptance = #"{ "rule": "storage-name-removed", "subject": "weather:scale", "reason": "nobody set it" }"#
        let new = Version.new.replacing(
            #""formatVersion": 1,"#,
            with: #""formatVersion": 1, "acceptedChanges": [\#(acceptance)],"#
        )
        try await withVersions(Version.old, new) { folder in
            let remark =
                "New.preferences.json:7:9: remark: no key is stored as 'weather:scale' any more: the stored values of "
                + "'weather.scale' are lost; accepted: nobody set it [storage: storage-name-removed]\n"
            let both = try await folder.run("schema", "diff", Self.old, Self.new)
            #expect(
                both.output == remark + Version.behavior(Self.old, Self.new)
                    + "compared with Old.preferences.json: 1 behavior change; 1 accepted\n"
            )
            #expect(both.status == 1)
            let storage = try await folder.run("schema", "diff", Self.old, Self.new, "--only=storage")
            #expect(
                storage.output == remark
                    + "compared with Old.preferences.json: no changes that affect users; 1 accepted\n"
            )
            #expect(storage.status == 0)
            let github = try await folder.run("schema", "diff", Self.old, Self.new, "--only=storage", "--format=github")
            #expect(github.output == "")
            #expect(github.status == 0)
        }
    }

    @Test("An acceptance without a change is a warning, and does not fail")
    func unusedAcceptance() async throws {
        let acceptance = #"{ "rule": "storage-name-removed", "subject": "weather:scale", "reason": "nobody set it" }"#
        let new = Version.old.replacing(
            #""formatVersion": 1,"#,
            with: #""formatVersion": 1, "acceptedChanges": [\#(acceptance)],"#
        )
        try await withVersions(Version.old, new) { folder in
            let run = try await folder.run("schema", "diff", Self.old, Self.new)
            #expect(run.output.contains("New.preferences.json:2:"), "\(run.output)")
            #expect(run.output.contains(": warning: "))
            #expect(run.output.contains("[unused-acceptance]\n"))
            #expect(
                run.output.hasSuffix(
                    "compared with Old.preferences.json: no changes that affect users; 1 unused acceptance\n"
                )
            )
            #expect(run.status == 0)
            let behavior = try await folder.run("schema", "diff", Self.old, Self.new, "--only", "behavior")
            #expect(behavior.output == "compared with Old.preferences.json: no changes that affect users\n")
        }
    }

    @Test("An acceptance of an earlier change is a remark, and annotates nothing")
    func earlierAcceptance() async throws {
        let acceptance = #"{ "rule": "storage-name-removed", "subject": "weather:scale", "reason": "nobody set it" }"#
        let version = Version.old.replacing(
            #""formatVersion": 1,"#,
            with: #""formatVersion": 1, "acceptedChanges": [\#(acceptance)],"#
        )
        try await withVersions(version, version) { folder in
            let run = try await folder.run("schema", "diff", Self.old, Self.new)
            #expect(run.output.contains(": remark: the accepted 'storage-name-removed' of 'weather:scale' is an "))
            #expect(run.output.hasSuffix("compared with Old.preferences.json: no changes that affect users\n"))
            #expect(!run.output.contains("warning"))
            let github = try await folder.run("schema", "diff", Self.old, Self.new, "--format", "github")
            #expect(github.output == "")
            let sarif = try await folder.run("schema", "diff", Self.old, Self.new, "--format", "sarif")
            #expect(sarif.output.contains(/"level" ?: ?"note"/))
            #expect(run.status == 0 && github.status == 0 && sarif.status == 0)
        }
    }

    // MARK: - Formats

    @Test("JSON reports conform to 'changes.schema.json', and modified ones do not")
    func json() async throws {
        let acceptance = #"{ "rule": "storage-name-removed", "subject": "weather:scale", "reason": "nobody set it" }"#
        let stale = acceptance.replacing("weather:scale", with: "weather:other")
        let new = Version.new.replacing(
            #""formatVersion": 1,"#,
            with: #""formatVersion": 1, "acceptedChanges": [\#(acceptance), \#(stale)],"#
        )
        try await withVersions(Version.old, new) { folder in
            let run = try await folder.run("schema", "diff", Self.old, Self.new, "--format", "json")
            #expect(run.status == 1)
            let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
            #expect(report.comparedWith == "Old.preferences.json")
            #expect(report.changes.map(\.rule) == ["storage-name-removed", "default-changed"])
            #expect(report.changes.map(\.class) == ["storage", "behavior"])
            #expect(report.changes.map(\.acceptedReason) == ["nobody set it", nil])
            #expect(
                report.changes.map(\.acceptance) == [
                    nil, #"{ "rule": "default-changed", "subject": "weather:unit", "reason": "…" }"#,
                ]
            )
            #expect(report.changes.map(\.line) == [7, 8])
            #expect(report.unusedAcceptances.map(\.subject) == ["weather:other"])

            let same = try await folder.run("schema", "diff", Self.old, Self.old, "--format", "json")
            let texts = [
                run.output, same.output, run.output.replacing(#""default-changed""#, with: #""default-chnaged""#),
                run.output.replacing(#""line" : 7,"#, with: ""), run.output.replacing(#""changes""#, with: #""more""#),
            ]
            for (index, text) in texts.enumerated() { try folder.write(text, to: "\(index).json") }
            let reports = try await SchemaValidation.run(
                schema: Repository.folder.appending(components: "Schemas", "changes.schema.json"),
                files: texts.indices.map { folder.url.appending(component: "\($0).json") }
            )
            #expect(reports.schema.faults.isEmpty)
            #expect(reports.files.map(\.faults.isEmpty) == [true, true, false, false, false])
        }
    }

    private struct Report: Decodable {
        var comparedWith: String?
        var changes: [Change]
        var unusedAcceptances: [Acceptance]

        struct Change: Decodable {
            var `class`: String
            var rule: String
            var line: Int
            var acceptance: String?
            var acceptedReason: String?
        }

        struct Acceptance: Decodable {
            var subject: String
        }
    }

    @Test("The schema of reports lists exactly the rules that 'schema rules' explains")
    func rulesOfSchema() async throws {
        try await withFolder { folder in
            let catalogue = try await folder.run("schema", "rules", "--format", "json")
            let entries = try JSONDecoder().decode([Entry].self, from: Data(catalogue.output.utf8))
            let url = Repository.folder.appending(components: "Schemas", "changes.schema.json")
            let schema = try JSONDecoder().decode(ReportSchema.self, from: Data(contentsOf: url))
            #expect(schema.definitions.rule.values == entries.map(\.id))
        }
    }

    private struct Entry: Decodable {
        var id: String
    }

    private struct ReportSchema: Decodable {
        var definitions: Definitions
        enum CodingKeys: String, CodingKey { case definitions = "$defs" }
        struct Definitions: Decodable { var rule: Rule }
        struct Rule: Decodable {
            var values: [String]
            enum CodingKeys: String, CodingKey { case values = "enum" }
        }
    }

    @Test("GitHub annotates the files of the new version alone")
    func github() async throws {
        try await withVersions { folder in
            let run = try await folder.run("schema", "diff", Self.old, Self.new, "--format", "github")
            #expect(
                run.output == """
                    ::error file=New.preferences.json,line=7,col=9,title=storage%3A storage-name-removed::no key is stored as \
                    'weather:scale' any more: the stored values of 'weather.scale' are lost%0Anote: \
                    Old.preferences.json:7:9: key 'weather.scale' is here in the old schema%0Anote: add "renamedFrom": \
                    ["weather:scale"] to key 'weather.factor'%0Anote: to accept it, add { "rule": \
                    "storage-name-removed", "subject": "weather:scale", "reason": "…" } to 'acceptedChanges'
                    ::error file=New.preferences.json,line=8,col=57,title=behavior%3A default-changed::the default of key \
                    'weather.unit' was "celsius", and is now "fahrenheit"%0Anote: Old.preferences.json:8:57: the key is \
                    here in the old schema%0Anote: restore the default, or tell users: those who have not set the key get \
                    the new one%0Anote: to accept it, add { "rule": "default-changed", "subject": "weather:unit", \
                    "reason": "…" } to 'acceptedChanges'

                    """
            )
            #expect(run.status == 1)
        }
    }

    @Test("SARIF has the rules of the changes with their classes, and suppresses accepted changes")
    func sarif() async throws {
        let acceptance = #"{ "rule": "default-changed", "subject": "weather:unit", "reason": "most chose it" }"#
        let new = Version.new.replacing(
            #""formatVersion": 1,"#,
            with: #""formatVersion": 1, "acceptedChanges": [\#(acceptance)],"#
        )
        try await withVersions(Version.old, new) { folder in
            let run = try await folder.run("schema", "diff", Self.old, Self.new, "--format", "sarif")
            #expect(run.status == 1)
            let log = try JSONDecoder().decode(Log.self, from: Data(run.output.utf8)).runs[0]
            #expect(log.tool.driver.name == "prefs")
            #expect(log.tool.driver.rules.map(\.id) == ["storage-name-removed", "default-changed"])
            #expect(log.tool.driver.rules.map(\.properties.tags) == [["storage"], ["behavior"]])
            #expect(log.results.map(\.level) == ["error", "error"])
            #expect(log.results.map { $0.suppressions.map(\.justification) } == [[], ["most chose it"]])
            #expect(log.results.flatMap(\.suppressions).map(\.kind) == ["inSource"])
            let places = log.results.flatMap { $0.locations + $0.relatedLocations }
            #expect(Set(places.map(\.physicalLocation.artifactLocation.uri)) == ["New.preferences.json"])
            #expect(
                log.results[0].relatedLocations.map(\.message?.text) == [
                    "Old.preferences.json:7:9: key 'weather.scale' is here in the old schema",
                    #"add "renamedFrom": ["weather:scale"] to key 'weather.factor'"#,
                    #"to accept it, add {{ "rule": "storage-name-removed", "subject": "weather:scale", "reason": "…" }} "#
                        + "to 'acceptedChanges'",
                ]
            )
        }
    }

    private struct FaultLog: Decodable {
        var runs: [Run]
        struct Run: Decodable { var results: [Result] }
        struct Result: Decodable { var ruleId: String }
    }

    private struct Log: Decodable {
        var runs: [Run]
        struct Run: Decodable {
            var tool: Tool
            var results: [Result]
        }
        struct Tool: Decodable { var driver: Driver }
        struct Driver: Decodable {
            var name: String
            var rules: [Rule]
        }
        struct Rule: Decodable {
            var id: String
            var properties: Properties
        }
        struct Properties: Decodable { var tags: [String] }
        struct Result: Decodable {
            var level: String
            var locations: [Location]
            var relatedLocations: [Location]
            var suppressions: [Suppression]
        }
        struct Suppression: Decodable {
            var kind: String
            var justification: String
        }
        struct Location: Decodable {
            var physicalLocation: PhysicalLocation
            var message: Message?
        }
        struct Message: Decodable { var text: String }
        struct PhysicalLocation: Decodable { var artifactLocation: ArtifactLocation }
        struct ArtifactLocation: Decodable { var uri: String }
    }

    @Test("Without changes, SARIF has no results and GitHub format is empty")
    func nothing() async throws {
        try await withVersions(Version.old, Version.old) { folder in
            let sarif = try await folder.run("schema", "diff", Self.old, Self.new, "--format", "sarif")
            let log = try JSONDecoder().decode(Log.self, from: Data(sarif.output.utf8))
            #expect(log.runs.map(\.results.isEmpty) == [true])
            #expect(try await folder.run("schema", "diff", Self.old, Self.new, "--format", "github").output == "")
        }
    }

    // MARK: - Usage

    @Test(
        "An invalid command line is refused with what to write",
        arguments: [
            (
                [],
                "nothing to compare; name two versions of a file or folder, or the older one with '--against REV' or "
                    + "'--against-last-tag'"
            ),
            (
                ["a"],
                "1 path given; name two versions of a file or folder, or the older one with '--against REV' or "
                    + "'--against-last-tag'"
            ),
            (
                ["a", "b", "c"],
                "3 paths given; name two versions of a file or folder, or the older one with '--against REV' or "
                    + "'--against-last-tag'"
            ),
            (["a", ""], "the path of a schema is empty; a shell variable may be unset"),
            (
                ["a", "--against", "v1", "--against-last-tag"],
                "'--against' and '--against-last-tag' are mutually exclusive; give one of them"
            ),
            (["--against"], "'--against' requires a value"),
            (
                ["--against", "-x"],
                "'--against' requires a value; to use '-x' as the value, write '--against=-x'"
            ),
            (["--against", "v1", "--against", "v2"], "'--against' is given twice, with 'v1' and 'v2'; give it once"),
            (
                ["--against", "v1", "--only", "storage,sources"],
                "unknown class of changes 'sources'; the classes are 'storage', 'source' and 'behavior'"
            ),
            (
                ["--against", "v1", "--only", "storage,"],
                "unknown class of changes ''; the classes are 'storage', 'source' and 'behavior'"
            ),
            (
                ["--against", "v1", "--format", "xml"],
                "unknown format 'xml'; the formats are 'text', 'json', 'sarif' and 'github'"
            ),
            (
                ["--target", "App=Sources/App"],
                "'--target' requires '--against REV' or '--against-last-tag'"
            ),
            (
                ["--against", "v1", "--target", "App"],
                "'App' names no target; write 'NAME=FOLDER', for example, 'Weather=Sources/Weather'"
            ),
            (["--agianst", "v1"], "'schema diff' has no option '--agianst'; did you mean '--against'?"),
        ]
    )
    func usage(arguments: [String], message: String) async throws {
        try await withFolder { folder in
            let run = try await Prefs(["schema", "diff"] + arguments, in: folder.url)
            #expect(run.errors == "prefs: error: \(message)\nRun 'prefs schema diff --help' for usage.\n")
            #expect(run.output == "")
            #expect(run.status == 2)
        }
    }

    @Test(
        "A file that cannot be read is named",
        arguments: [
            (["none", "Old.preferences.json"], "cannot read none: No such file or directory"),
            (["Old.preferences.json", "none"], "cannot read none: No such file or directory"),
            (
                ["empty", "Old.preferences.json"],
                "cannot read empty: no file in it ends in '.preferences.json', '.gschema.xml' or '.kcfg'"
            ),
            (
                ["Old.preferences.json", "New.preferences.json", "--config", "none.json"],
                "cannot read none.json: No such file or directory"
            ),
        ]
    )
    func unreadable(arguments: [String], message: String) async throws {
        try await withVersions { folder in
            try folder.write("", to: "empty/Notes.json")
            let run = try await Prefs(["schema", "diff"] + arguments, in: folder.url)
            #expect(run.errors == "prefs: error: \(message)\n")
            #expect(run.output == "")
            #expect(run.status == 3)
        }
    }

    // MARK: - Rules

    @Test("'schema rules' lists all rules by class, and explains one by the id in a report")
    func rules() async throws {
        try await withFolder { folder in
            let list = try await folder.run("schema", "rules")
            #expect(list.output.hasPrefix("STORAGE:\n  storage-name-removed  "))
            #expect(list.output.contains("\n\nSOURCE:\n  accessor-removed "))
            #expect(list.output.contains("\n\nBEHAVIOR:\n  default-changed "))
            #expect(list.output.hasSuffix("\n'prefs schema rules RULE' explains a rule, with examples.\n"))
            let classes = try await folder.run("schema", "rules", "behavior", "source")
            #expect(classes.output.hasPrefix("BEHAVIOR:\n  default-changed  "), "\(classes.output)")
            #expect(classes.output.contains("\n\nSOURCE:\n") && !classes.output.contains("STORAGE:"))
            let rule = try await folder.run("schema", "rules", "type-changed")
            #expect(rule.output.hasPrefix("type-changed: storage\n\n  The type of a key"))
            #expect(rule.output.contains("\nBEFORE:\n\n    "))
            #expect(rule.output.contains("\nAFTER:\n\n    "))
            #expect(try await folder.run("schema", "rules", "[storage: type-changed]").output == rule.output)
        }
    }

    @Test(
        "'schema rules' refuses unknown rules and formats",
        arguments: [
            (["type-chnaged"], "there is no rule 'type-chnaged'; did you mean 'type-changed'?"),
            (["xyz"], "there is no rule 'xyz'; 'prefs schema rules' lists all rules"),
            (["type-changed", "type-changed"], "rule 'type-changed' is given twice"),
            (["source", "source"], "class 'source' is given twice"),
            (["--format", "xml"], "unknown format 'xml'; the formats are 'text' and 'json'"),
        ]
    )
    func unknownRules(arguments: [String], message: String) async throws {
        try await withFolder { folder in
            let run = try await Prefs(["schema", "rules"] + arguments, in: folder.url)
            #expect(run.errors == "prefs: error: \(message)\nRun 'prefs schema rules --help' for usage.\n")
            #expect(run.status == 2)
        }
    }

    @Test("The tool of the command plugin reports the same")
    func pluginTool() async throws {
        try await withVersions { folder in
            let run = try await ToolRun("preferences-diff", ["diff", Self.old, Self.new], in: folder.url)
            #expect(run.output == Version.report(Self.old, Self.new, Self.old))
            #expect(run.status == 1)
            let rule = try await ToolRun("preferences-diff", ["rules", "default-changed"], in: folder.url)
            #expect(rule.output == (try await folder.run("schema", "rules", "default-changed").output))
            let invalid = try await ToolRun("preferences-diff", ["diff", "--only", "all"], in: folder.url)
            #expect(invalid.errors.hasSuffix("\nRun 'swift package preferences --help' for usage.\n"))
        }
    }

    @Test("Of 5,000 keys, each changed one is reported")
    func manyKeys() async throws {
        func schema(_ type: (Int) -> String) -> String {
            let keys = (0..<5_000).map { #""key\#($0)": { "type": "\#(type($0))" }"# }
            let text = keys.joined(separator: ",\n")
            return #"{ "formatVersion": 1, "namespaces": { "many": { "keys": { \#(text) } } } }"#
        }
        try await withVersions(schema { _ in "Int?" }, schema { $0 % 2 == 0 ? "String?" : "Int?" }) { folder in
            let run = try await folder.run("schema", "diff", Self.old, Self.new)
            #expect(run.output.hasSuffix("compared with Old.preferences.json: 2500 storage changes\n"))
            #expect(run.status == 1)
        }
    }
}
