import Foundation
import PreferencesSchema
import TestSupport
import Testing

/// The examples of rules about files beside the schemas, by the generator.
@Suite("Examples of rules about generated files")
struct RuleExampleTests {
    private static let rules = Rule.ofGeneratedCode.union(Rule.ofConfigurations).sorted { $0.rawValue < $1.rawValue }

    @Test("'check' finds the rule in the bad example, and no other", arguments: rules)
    func badExample(of rule: Rule) async throws {
        let run = try await check(rule.badExample, rule)
        #expect(run.status == 1)
        let rules = run.errors.matches(of: /: error: .* \[([a-z-]+)\]/).map { String($0.1) }
        #expect(rules == [rule.rawValue], "\(run.errors)")
    }

    @Test("It finds nothing in the good one", arguments: rules)
    func goodExample(of rule: Rule) async throws {
        let run = try await check(rule.goodExample, rule, isGood: true)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors == "")
    }

    /// Runs `check` in a folder with the example's files.
    private func check(_ example: RuleExample, _ rule: Rule, isGood: Bool = false) async throws -> CommandLineRun {
        try await withTemporaryDirectory { folder in
            var words = ["Weather.preferences.json"]
            if rule == .outputMissing || rule == .outputStale { words += ["--output", "Weather.preferences.swift"] }
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
            return try await CommandLineRun(generator, ["check"] + words, in: folder)
        }
    }
}
