import Foundation
import TestSupport
import Testing

@testable import SchemaFuzzer

@Suite("The schema fuzzer")
struct SchemaFuzzerTests {
    private static let corpus = Corpus([
        Array(#"{"formatVersion": 1, "keys": {"a": {"type": "Int", "default": 1}, "b": {"type": "[String]?"}}}"#.utf8),
        Array(#"{"formatVersion": 1, "types": {"T": {"enum": ["x"]}}, "keys": {"c": {"type": "T?"}}}"#.utf8),
    ])

    @Test("The corpus has no violations")
    func corpus() throws {
        let corpus = try Corpus.inRepository()
        try #require(corpus.validTexts.count > 10 && corpus.texts.count > corpus.validTexts.count)
        for text in corpus.texts { #expect(Oracle.check(FuzzedInput(text)).violations == []) }
    }

    @Test("Inputs are equal for equal seeds and numbers, and differ otherwise")
    func reproduction() {
        let inputs = (0..<50).map { FuzzedInput(seed: 7, number: $0, from: Self.corpus).bytes }
        #expect((0..<50).map { FuzzedInput(seed: 7, number: $0, from: Self.corpus).bytes } == inputs)
        #expect(Set(inputs).count > 40)
        #expect(FuzzedInput(seed: 8, number: 0, from: Self.corpus).bytes != inputs[0])
    }

    @Test("There are inputs with errors and inputs without")
    func variety() {
        let verdicts = (0..<60).map { Oracle.check(FuzzedInput(seed: 1, number: $0, from: Self.corpus)) }
        #expect(verdicts.flatMap(\.violations) == [])
        #expect((5..<58).contains(verdicts.filter { $0.generated.isEmpty }.count))
    }

    @Test("The text of a JSON tree parses to the same tree")
    func trees() throws {
        let texts = try Corpus.inRepository().texts
        for text in texts {
            guard let tree = JSONTree(text) else { continue }
            let again = try #require(JSONTree(Array(tree.text.utf8)))
            #expect(again.text == tree.text)
            #expect(again.count == tree.count)
        }
    }

    @Test("A failing input is shortened to its cause")
    func minimizing() throws {
        let input = FuzzedInput(texts: [Array("[]".utf8), Array(#"{"a": [1, 2, {"b": 3}], "c": "fault"}"#.utf8)])
        let shorter = try Minimizer { $0.bytes.contains(Array("3".utf8)) }.minimized(input)
        #expect(shorter.texts == [Array("3".utf8)])
    }

    @Test("The program runs for the given time, and reports that there are no violations")
    func program() async throws {
        let run = try await CommandLineRun(
            try BuiltWithTests.executable("SchemaFuzzer").path,
            ["--seconds", "1", "--seed", "5"]
        )
        #expect(run.succeeded)
        #expect(run.output.contains(/^[1-9]\d* inputs, \d+ of them without errors\nseed 5: no violations\n$/))
        #expect(run.errors == "")
    }

    @Test("Invalid arguments print the usage")
    func usage() async throws {
        let run = try await CommandLineRun(try BuiltWithTests.executable("SchemaFuzzer").path, ["--seed", "x"])
        #expect(run.status == 2)
        #expect(run.errors == Options.usage)
    }
}
