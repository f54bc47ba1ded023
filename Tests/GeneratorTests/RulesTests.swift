import Foundation
import PreferencesSchema
import TestSupport
import Testing

@Suite("preferences-generator rules")
struct RulesTests {
    @Test("Without arguments, each rule is listed with its severity and finding")
    func list() async throws {
        let run = try await rules()
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(
            run.output.hasPrefix("TEXT:\n  json-syntax             error    The file is not valid JSON (RFC 8259).\n")
        )
        #expect(
            run.output.contains(
                "\nWARNINGS:\n  empty-namespace         warning  A namespace, or a whole schema, has no keys.\n"
            )
        )
        #expect(run.output.hasSuffix("\n\n'preferences-generator rules RULE' explains a rule, with examples.\n"))
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }

    @Test("A rule is explained with its reason and examples")
    func entry() async throws {
        let run = try await rules("unused-type")
        #expect(run.status == 0)
        #expect(
            run.output == """
                unused-type: warning

                  A declared type is not used by any key.
                  It is a leftover, or its key is missing or has the wrong type.
                  It can be ignored: "lint": { "ignore": ["unused-type"] }

                BAD:

                    "types": { "Unit": { "enum": ["celsius", "fahrenheit"] } },
                    "keys": { "unit": { "type": "String?" } }

                GOOD:

                    "types": { "Unit": { "enum": ["celsius", "fahrenheit"] } },
                    "keys": { "unit": { "type": "Unit?" } }

                """
        )
    }

    @Test("Files of an example are named if there are several or the name violates the rule")
    func names() async throws {
        let several = try await rules("missing-include").output
        for name in ["Weather.preferences.json", "Wind.preferences-include.json"] {
            #expect(several.contains("  \(name):\n"))
        }
        #expect(try await rules("invalid-file-name").output.contains("  2026.preferences.json:\n"))
        #expect(try await !rules("unknown-type").output.contains("preferences.json"))
    }

    @Test("Invisible characters of an example are spelled out")
    func invisible() async throws {
        #expect(try await rules("json-encoding").output.contains("    ‹U+FEFF›{ \"formatVersion\": 1"))
    }

    @Test("The id of a rule can be in brackets, as in diagnostics")
    func bracketed() async throws {
        #expect(try await rules("[unused-type]").output == rules("unused-type").output)
    }

    @Test("Several rules are explained in the given order")
    func several() async throws {
        let output = try await rules("unused-type", "unknown-type").output
        let titles = output.split(separator: "\n").filter { $0.wholeMatch(of: /[a-z-]+: (error|warning)/) != nil }
        #expect(titles == ["unused-type: warning", "unknown-type: error"])
    }

    /// `PREFERENCES_REWRITE_FIXTURES=1 swift test --filter RulesTests` rewrites the page.
    @Test("The page of the documentation equals the Markdown output")
    func page() async throws {
        let run = try await rules("--format", "markdown")
        #expect(run.status == 0)
        let page = Repository.folder.appending(
            path: "Sources/PreferencesRuntime/PreferencesRuntime.docc/DiagnosticRules.md"
        )
        guard !Fixtures.areRewritten else {
            try Data(run.output.utf8).write(to: page)
            return
        }
        let expected = try String(contentsOf: page, encoding: .utf8)
        #expect(run.output.split(separator: "\n") == expected.split(separator: "\n"))
        #expect(run.output == expected)
    }

    @Test("One rule as Markdown is a separate page")
    func markdown() async throws {
        let output = try await rules("unknown-type", "--format=markdown").output
        let beginning = "# unknown-type\n\nError; cannot be ignored. A type is neither built in nor declared under"
        #expect(output.hasPrefix(beginning))
        #expect(output.split(separator: "\n").count { $0.hasPrefix("```") } == 4)
    }

    @Test("The JSON output contains all details and complete files")
    func json() async throws {
        let all = try JSONDecoder().decode([Entry].self, from: Data(try await rules("--format", "json").output.utf8))
        let one = try JSONDecoder().decode(
            [Entry].self,
            from: Data(try await rules("--format", "json", "missing-include").output.utf8)
        )
        let entry = try #require(one.first)
        #expect(one.count == 1 && all.count > 60 && all.contains(entry))
        #expect(entry.severity == "error" && !entry.isIgnorable && entry.group == "Includes and imports")
        #expect(entry.goodExample.map(\.name) == ["Weather.preferences.json", "Wind.preferences-include.json"])
        #expect(
            entry.goodExample.first?.text == """
                {
                  "formatVersion": 1,
                  "includes": ["Wind.preferences-include.json"]
                }

                """
        )
    }

    @Test(
        "An invalid command line exits with status 2",
        arguments: [
            (["unkown-type"], "there is no rule 'unkown-type'; did you mean 'unknown-type'?"),
            (["banana"], "there is no rule 'banana'; 'preferences-generator rules' lists all rules"),
            (["unused-type", "unused-type"], "rule 'unused-type' is given twice"),
            (["--format", "xml"], "unknown format 'xml'; the formats are 'text', 'markdown' and 'json'"),
            (["--format"], "'--format' requires a value"),
            (["--format="], "'--format' requires a value"),
            (["--strict"], "'rules' has no option '--strict'; see 'rules --help'"),
        ]
    )
    func usage(arguments: [String], message: String) async throws {
        try await withFolder { folder in
            let run = try await Generator(["rules"] + arguments, in: folder.url)
            #expect(run.status == 2)
            #expect(run.output == "")
            #expect(
                run.errors
                    == "preferences-generator: error: \(message)\n"
                    + "Run 'preferences-generator rules --help' for usage.\n"
            )
        }
    }

    @Test("Other rules that a bad example violates are named")
    func alsoFound() async throws {
        #expect(try await rules("unknown-rule").output.contains("\nBAD (empty-namespace is found too):\n"))
    }

    @Test(
        "Each form of asking for help prints it",
        arguments: [["rules", "--help"], ["help", "rules"], ["rules", "unused-type", "-h"]]
    )
    func help(arguments: [String]) async throws {
        try await withFolder { folder in
            let run = try await Generator(arguments, in: folder.url)
            #expect(run.status == 0)
            #expect(run.output.hasPrefix("OVERVIEW: Explains the rules"))
            #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
        }
    }

    private struct Entry: Decodable, Equatable {
        struct File: Decodable, Equatable {
            var name: String
            var text: String
        }

        var id: String
        var group: String
        var severity: String
        var isIgnorable: Bool
        var meaning: String
        var badExample: [File]
        var goodExample: [File]
    }

    private func rules(_ arguments: String...) async throws -> Generator {
        try await withTemporaryDirectory { try await Generator(["rules"] + arguments, in: $0) }
    }
}

/// Checks the examples of rules on files other than schemas.
@Suite("Examples of rules about generated files")
struct RuleExampleTests {
    private static let rules = Rule.ofGeneratedCode.union(Rule.ofConfigurations).sorted { $0.rawValue < $1.rawValue }

    @Test("The bad example of a rule violates it and no other rule", arguments: rules)
    func badExample(of rule: Rule) async throws {
        let run = try await check(rule.badExample, rule)
        #expect(run.status == (rule == .unreadableFile || rule == .unwritableFile ? 3 : 1))
        let found = try JSONDecoder().decode([Found].self, from: run.errorBytes)
        #expect(found.filter { $0.severity == "error" }.map(\.rule) == [rule.rawValue], "\(run.errors)")
    }

    private struct Found: Decodable {
        var severity: String
        var rule: String
    }

    @Test("The good example of a rule has no faults", arguments: rules)
    func goodExample(of rule: Rule) async throws {
        let run = try await check(rule.goodExample, rule, isGood: true)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors == "[]\n")
    }

    /// Runs `check`, or `generate` if only that reports the rule, in a folder with the files of the example.
    private func check(_ example: RuleExample, _ rule: Rule, isGood: Bool = false) async throws -> CommandLineRun {
        try await withTemporaryDirectory { folder in
            var words = ["Weather.preferences.json"]
            let isAboutOutputs = [.outputMissing, .outputStale, .unwritableFile].contains(rule)
            if isAboutOutputs { words += ["--output", "Weather.preferences.swift"] }
            for file in example.files {
                let url = folder.appending(path: file.name)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(file.bytes).write(to: url)
                if Rule.ofConfigurations.contains(rule), file.name.hasSuffix("config.json") {
                    words += ["--config", file.name]
                }
            }
            if words.count == 1 {
                let isSpecified = rule != .hostDirectory || isGood
                words += isSpecified ? ["--host-directory", "."] : ["--output-directory", "."]
            }
            let generator = try BuiltWithTests.executable("preferences-generator").path
            // The example contains only the beginning of the generated file.
            if isGood, words.contains("--output") {
                _ = try await CommandLineRun(generator, ["generate"] + words, in: folder)
            }
            let command = rule == .unwritableFile && !isGood ? "generate" : "check"
            // With `--strict`, a warning is an error.
            let format = ["--diagnostics-format", "json", "--strict"]
            return try await CommandLineRun(generator, [command] + words + format, in: folder)
        }
    }
}
