import Foundation
import PreferencesSchema
import TestSupport
import Testing

/// The examples of rules about files beside the schemas, by the generator.
@Suite("Examples of rules about generated files")
struct RuleExampleTests {
    private static let rules = Rule.ofGeneratedCode.union(Rule.ofConfigurations).sorted { $0.rawValue < $1.rawValue }

    @Test("The generator finds the rule in the bad example, and no other", arguments: rules)
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

    @Test("It finds nothing in the good one", arguments: rules)
    func goodExample(of rule: Rule) async throws {
        let run = try await check(rule.goodExample, rule, isGood: true)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors == "[]\n")
    }

    /// Runs `check`, or `generate` where only that finds the rule, in a folder with the example's files.
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
                let isTold = rule != .hostDirectory || isGood
                words += isTold ? ["--host-directory", "."] : ["--output-directory", "."]
            }
            let generator = try BuiltWithTests.executable("preferences-generator").path
            // Of a file that is generated the example shows the beginning.
            if isGood, words.contains("--output") {
                _ = try await CommandLineRun(generator, ["generate"] + words, in: folder)
            }
            let command = rule == .unwritableFile && !isGood ? "generate" : "check"
            let format = ["--diagnostics-format", "json"]
            return try await CommandLineRun(generator, [command] + words + format, in: folder)
        }
    }
}
