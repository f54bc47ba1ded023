import Foundation
import TestSupport
import Testing

@Suite("Formats of diagnostics")
struct DiagnosticsFormatTests {
    /// A folder with two schemas: `é,%.preferences.json` with a warning behind letters of two and four bytes and a fault
    /// that has to do with the other schema, and one that cannot be read.
    private func withFaults(_ format: String, _ body: (Generator) async throws -> Void) async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "A.preferences.json")
            let types = #""types": { "Unit": { "description": "é😀", "enum": ["celsius"] } }"#
            let text =
                #"{ "formatVersion": 1, "description": "é😀", \#(types), "keys": { "temperature": { "type": "Duble" } } }"#
            try folder.write(text, to: "é,%.preferences.json")
            try await body(
                await folder.run(
                    "lint",
                    "A.preferences.json",
                    "é,%.preferences.json",
                    "none:\n",
                    "--diagnostics-format",
                    format
                )
            )
        }
    }

    @Test("Text counts columns in UTF-8")
    func text() async throws {
        try await withFaults("text") { run in
            #expect(
                run.errors == #"""
                    preferences-generator: error: cannot read none:\n: No such file or directory
                    é,%.preferences.json:1:59: warning: no key uses type 'Unit' [unused-type]
                    é,%.preferences.json:1:129: error: key 'temperature' would have the same accessor as another key \#
                    [accessor-clash]
                    A.preferences.json:3:13: note: key 'temperature' is here
                    é,%.preferences.json:1:155: error: unknown type 'Duble' [unknown-type]
                    é,%.preferences.json:1:155: note: did you mean 'Double'?

                    """#
            )
            #expect(run.status == 3)
        }
    }

    @Test("JSON diagnostics conform to 'diagnostics.schema.json', and nothing else does")
    func json() async throws {
        try await withFaults("json") { run in
            try await withFolder { folder in
                try folder.write(run.errors, to: "found.json")
                try folder.write("[]", to: "none.json")
                let rule = "\"unknown-type\""
                let others = [
                    run.errors.replacing(rule, with: "\"unknown-tpye\""),
                    run.errors.replacing("\"line\": 1,", with: ""),
                    run.errors.replacing("\"notes\": []", with: "\"notes\": [], \"more\": 1"),
                ]
                for (index, text) in others.enumerated() { try folder.write(text, to: "wrong\(index).json") }
                let names = ["found", "none", "wrong0", "wrong1", "wrong2"]
                let schema = Repository.folder.appending(components: "Schemas", "diagnostics.schema.json")
                let files = names.map { folder.url.appending(component: "\($0).json") }
                let reports = try await SchemaValidation.run(schema: schema, files: files).files
                #expect(reports.map(\.isJSON) == [true, true, true, true, true])
                #expect(reports.map(\.faults.isEmpty) == [true, true, false, false, false])
            }
        }
    }

    @Test("The schema of diagnostics names every rule of the catalogue, and no other")
    func rules() async throws {
        try await withFolder { folder in
            let catalogue = try await folder.run("rules", "--format", "json")
            let entries = try JSONDecoder().decode([Entry].self, from: Data(catalogue.output.utf8))
            let url = Repository.folder.appending(components: "Schemas", "diagnostics.schema.json")
            let schema = try JSONDecoder().decode(Schema.self, from: Data(contentsOf: url))
            #expect(schema.definitions.diagnostic.properties.rule.values == entries.map(\.id))
        }
    }

    private struct Entry: Decodable {
        var id: String
    }

    private struct Schema: Decodable {
        var definitions: Definitions
        enum CodingKeys: String, CodingKey { case definitions = "$defs" }
        struct Definitions: Decodable { var diagnostic: Diagnostic }
        struct Diagnostic: Decodable { var properties: Properties }
        struct Properties: Decodable { var rule: Rule }
        struct Rule: Decodable {
            var values: [String]
            enum CodingKeys: String, CodingKey { case values = "enum" }
        }
    }

    @Test("Standard input that cannot be read is called '<stdin>'")
    func unreadableInput() async throws {
        try await withFolder { folder in
            let run = try await folder.run(shell: "preferences-generator lint - --diagnostics-format json <.")
            #expect(run.status == 3)
            #expect(
                run.errors == """
                    [
                      {"path": "<stdin>", "line": 1, "column": 1, "severity": "error", "message": "cannot read <stdin>: \
                    Is a directory", "rule": "unreadable-file", "notes": []}
                    ]

                    """
            )
        }
    }

    #if os(Linux)
        @Test("A report that cannot be written is a failure", arguments: ["json", "sarif", "github"])
        func fullDevice(format: String) async throws {
            try await withFolder { folder in
                let types = #""types": { "Unit": { "enum": ["celsius"] } }"#
                try folder.write(
                    #"{ "formatVersion": 1, \#(types), "keys": { "a": { "type": "Int?" } } }"#,
                    to: "A.preferences.json"
                )
                let run = try await folder.run(
                    shell: "preferences-generator lint A.preferences.json --diagnostics-format \(format) 2>/dev/full"
                )
                #expect(run.status == 3)
                #expect(run.output == "1 schema: 1 unwritable file, 1 warning\n")
            }
        }
    #endif

    @Test("A fault of the command line is text in every format", arguments: ["json", "sarif", "github"])
    func usageError(format: String) async throws {
        try await withFolder { folder in
            let run = try await folder.run("lint", "--diagnostics-format", format)
            #expect(run.status == 2)
            #expect(run.errors.hasPrefix("preferences-generator: error: no schema given"))
        }
    }

    @Test("What cannot be written is an object of the same array")
    func unwritable() async throws {
        try await withFolder { folder in
            try folder.write("", to: "W.swift/README.md")
            let options = ["-", "-o", "W.swift", "--diagnostics-format", "json"]
            let run = try await Generator(["generate"] + options, in: folder.url, input: Sample.weather)
            #expect(run.status == 3)
            #expect(run.output == "")
            #expect(
                run.errors == """
                    [
                      {"path": "W.swift", "line": 1, "column": 1, "severity": "error", "message": "cannot write W.swift: \
                    Is a directory", "rule": "unwritable-file", "notes": []}
                    ]

                    """
            )
        }
    }

    @Test("GitHub is given a command for each finding, with its notes, whatever the file's name is")
    func gitHub() async throws {
        try await withFaults("github") { run in
            #expect(
                run.errors == #"""
                    ::error file=none%3A%0A,line=1,col=1,title=unreadable-file::cannot read none:\n: No such file or \#
                    directory
                    ::warning file=é%2C%25.preferences.json,line=1,col=55,title=unused-type::no key uses type 'Unit'
                    ::error file=é%2C%25.preferences.json,line=1,col=121,title=accessor-clash::key 'temperature' would \#
                    have the same accessor as another key%0Anote: A.preferences.json:3:13: key 'temperature' is here
                    ::error file=é%2C%25.preferences.json,line=1,col=147,title=unknown-type::unknown type 'Duble'\#
                    %0Anote: did you mean 'Double'?

                    """#
            )
        }
    }

    @Test("GitHub commands spell out control characters")
    func gitHubControlCharacters() async throws {
        try await withFolder { folder in
            let path = "\u{1B}[2J\u{202E}\r\n,\u{301}.json"
            try folder.write(Sample.schema(#""wind": { "type": "Du\u001Bble", "default": 0 }"#), to: path)
            let run = try await folder.run("lint", path, "--diagnostics-format=github")
            #expect(
                run.errors == #"""
                    ::error file=\u{1B}[2J\u{202E}%0D%0A%2Ć.json,line=3,col=31,title=unknown-type::unknown type 'Du\u{1B}ble'\#
                    %0Anote: did you mean 'Double'?

                    """#
            )
        }
    }

    @Test("SARIF has each finding with its rule, and columns in Unicode scalars")
    func sarif() async throws {
        try await withFaults("sarif") { run in
            let log = try JSONDecoder().decode(Log.self, from: Data(run.errors.utf8))
            #expect(log.version == "2.1.0")
            #expect(log.schema == "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json")
            let found = try #require(log.runs.first)
            #expect(log.runs.count == 1)
            #expect(found.columnKind == "unicodeCodePoints")
            #expect(found.tool.driver.name == "preferences-generator")
            let version = try await CommandLineRun(
                BuiltWithTests.executable("preferences-generator").path,
                ["--version"]
            )
            #expect(version.output == "preferences-generator \(found.tool.driver.version)\n")
            let ids = found.tool.driver.rules.map(\.id)
            #expect(Set(ids) == ["unreadable-file", "unused-type", "accessor-clash", "unknown-type"])
            #expect(found.results.map { ids[$0.ruleIndex] } == found.results.map(\.ruleId))
            #expect(
                found.results.map { "\($0.ruleId) \($0.level) \($0.message.text)" } == [
                    "unreadable-file error cannot read none:\\n: No such file or directory",
                    "unused-type warning no key uses type 'Unit'",
                    "accessor-clash error key 'temperature' would have the same accessor as another key",
                    "unknown-type error unknown type 'Duble'",
                ]
            )
            #expect(
                found.results.map { $0.locations.map(\.physicalLocation.description) } == [
                    ["none%3A%0A 1:1"], ["%C3%A9,%25.preferences.json 1:55"], ["%C3%A9,%25.preferences.json 1:121"],
                    ["%C3%A9,%25.preferences.json 1:147"],
                ]
            )
            let related = found.results.map { result in
                result.relatedLocations?.map { "\($0.physicalLocation) \($0.message?.text ?? "")" }
            }
            #expect(
                related == [
                    nil, nil, ["A.preferences.json 3:13 key 'temperature' is here"],
                    ["%C3%A9,%25.preferences.json 1:147 did you mean 'Double'?"],
                ]
            )
            for rule in found.tool.driver.rules {
                let explained = try await CommandLineRun(
                    BuiltWithTests.executable("preferences-generator").path,
                    ["rules", rule.id]
                )
                #expect(explained.output == rule.help.text)
                #expect(rule.fullDescription.text.hasPrefix(rule.shortDescription.text))
            }
        }
    }

    @Test("In SARIF, braces of a message are doubled, and notes that are alike are told apart")
    func braces() async throws {
        try await withFolder { folder in
            let keys = #""keys": { "wind": { "type": "Int?", "id": "{0}" } }"#
            let schema = #"{ "formatVersion": 1, "reserved": ["{0}"], \#(keys) }"#
            let run = try await folder.run("lint", "-", "--diagnostics-format=sarif", input: schema)
            let results = try JSONDecoder().decode(Log.self, from: Data(run.errors.utf8)).runs.flatMap(\.results)
            #expect(results.map(\.message.text) == ["'wind' would be stored as '{{0}}', which is reserved"])
            let related = results.flatMap { $0.relatedLocations ?? [] }
            #expect(related.map(\.id) == [1, 2])
            #expect(related.map(\.message?.text) == ["it is reserved here", "give the key another 'id'"])
        }
    }

    @Test("Without findings, SARIF has no results, and GitHub is given nothing")
    func nothing() async throws {
        try await withFolder { folder in
            let sarif = try await folder.run("lint", "-", "--diagnostics-format=sarif", input: Sample.weather)
            let log = try JSONDecoder().decode(Log.self, from: Data(sarif.errors.utf8))
            #expect(log.runs.map(\.results.isEmpty) == [true])
            let github = try await folder.run("lint", "-", "--diagnostics-format=github", input: Sample.weather)
            #expect(github.errors == "")
        }
    }

    @Test(
        "A terminal is shown colours, unless it has none or 'NO_COLOR' is set; a pipe never",
        arguments: [
            ("TERM=xterm", true, true), ("TERM=xterm NO_COLOR=", true, true), ("TERM=xterm NO_COLOR=0", true, false),
            ("TERM=dumb", true, false), ("-u TERM", true, false), ("TERM=xterm", false, false),
        ]
    )
    func colors(environment: String, isTerminal: Bool, isColored: Bool) async throws {
        try await withFolder { folder in
            try folder.write(Sample.faulty, to: "Faulty.preferences.json")
            let command = "env -u NO_COLOR \(environment) preferences-generator lint Faulty.preferences.json none 2>&1"
            let terminal = #"""
                python3 -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(["sh", "-c", sys.argv[1]])))' \
                """#
            let run = try await folder.run(shell: isTerminal ? "\(terminal) '\(command)' </dev/null" : command)
            #expect(run.status == 3)
            let (bold, red, cyan, end) =
                isColored ? ("\u{1B}[1m", "\u{1B}[31m", "\u{1B}[36m", "\u{1B}[0m") : ("", "", "", "")
            #expect(
                run.output.replacing("\r\n", with: "\n") == """
                    \(bold)preferences-generator: \(red)error: \(end)cannot read none: No such file or directory
                    \(bold)Faulty.preferences.json:3:32: \(red)error: \(end)unknown type 'Duble' [unknown-type]
                    \(bold)Faulty.preferences.json:3:32: \(cyan)note: \(end)did you mean 'Double'?
                    1 schema: 1 unreadable file, 1 error

                    """
            )
        }
    }
}

/// The parts of a SARIF log that the tests compare.
private struct Log: Decodable {
    var version: String
    var schema: String
    var runs: [Run]

    enum CodingKeys: String, CodingKey {
        case version
        case schema = "$schema"
        case runs
    }

    struct Run: Decodable {
        var tool: Tool
        var columnKind: String
        var results: [Result]
    }

    struct Tool: Decodable { var driver: Driver }

    struct Driver: Decodable {
        var name: String
        var version: String
        var rules: [Rule]
    }

    struct Rule: Decodable {
        var id: String
        var shortDescription: Message
        var fullDescription: Message
        var help: Message
    }

    struct Result: Decodable {
        var ruleId: String
        var ruleIndex: Int
        var level: String
        var message: Message
        var locations: [Location]
        var relatedLocations: [Location]?
    }

    struct Message: Decodable { var text: String }

    struct Location: Decodable {
        var id: Int?
        var physicalLocation: PhysicalLocation
        var message: Message?
    }

    struct PhysicalLocation: Decodable, CustomStringConvertible {
        var artifactLocation: Artifact
        var region: Region

        struct Artifact: Decodable { var uri: String }
        struct Region: Decodable {
            var startLine: Int
            var startColumn: Int
        }

        var description: String { "\(artifactLocation.uri) \(region.startLine):\(region.startColumn)" }
    }
}
