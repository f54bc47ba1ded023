import Foundation
import TestSupport
import Testing

@Suite("preferences-generator rules")
struct RulesTests {
    @Test("All rules are listed, each on a line with its severity and what it finds")
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
        #expect(run.output.hasSuffix("\n\n'preferences-generator rules RULE' explains one, with examples.\n"))
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }

    @Test("A rule is explained")
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

    @Test("Files are named where there are several, or where the name is at fault")
    func names() async throws {
        let several = try await rules("missing-include").output
        for name in ["Weather.preferences.json", "Wind.preferences-include.json"] {
            #expect(several.contains("  \(name):\n"))
        }
        #expect(try await rules("invalid-file-name").output.contains("  2026.preferences.json:\n"))
        #expect(try await !rules("unknown-type").output.contains("preferences.json"))
    }

    @Test("What nobody could see in an example is spelt out")
    func invisible() async throws {
        #expect(try await rules("json-encoding").output.contains("    ‹U+FEFF›{ \"formatVersion\": 1"))
    }

    @Test("A rule's id may stand in brackets, as diagnostics have it")
    func bracketed() async throws {
        #expect(try await rules("[unused-type]").output == rules("unused-type").output)
    }

    @Test("Several rules are explained in the order in which they are asked for")
    func several() async throws {
        let output = try await rules("unused-type", "unknown-type").output
        let titles = output.split(separator: "\n").filter { $0.wholeMatch(of: /[a-z-]+: (error|warning)/) != nil }
        #expect(titles == ["unused-type: warning", "unknown-type: error"])
    }

    /// `PREFERENCES_REWRITE_FIXTURES=1 swift test --filter RulesTests` writes the page anew, to be reviewed as a change of
    /// its own.
    @Test("The page of the documentation is what the tool prints as Markdown")
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

    @Test("One rule as Markdown is a page of its own")
    func markdown() async throws {
        let output = try await rules("unknown-type", "--format=markdown").output
        #expect(output.hasPrefix("# unknown-type\n\nError; cannot be ignored. A type is neither built in nor declared under"))
        #expect(output.split(separator: "\n").count { $0.hasPrefix("```") } == 4)
    }

    @Test("As JSON there is all that is known, with whole files")
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
        "What makes no sense is refused with status 2",
        arguments: [
            (["unkown-type"], "there is no rule 'unkown-type'; did you mean 'unknown-type'?"),
            (["banana"], "there is no rule 'banana'; 'preferences-generator rules' lists all"),
            (["unused-type", "unused-type"], "rule 'unused-type' is given twice"),
            (["--format", "xml"], "unknown format 'xml'; it is 'text', 'markdown' or 'json'"),
            (["--format"], "'--format' needs a value behind it"),
            (["--format="], "'--format' needs a value behind it"),
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
                    + "Run 'preferences-generator rules --help' to see how it is used.\n"
            )
        }
    }

    @Test("Another rule that a bad example shows is named")
    func alsoFound() async throws {
        #expect(try await rules("unknown-rule").output.contains("\nBAD (empty-namespace is found too):\n"))
    }

    @Test(
        "Its help is printed",
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
