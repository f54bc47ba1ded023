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

    @Test("Everything that it begins with is sound")
    func corpus() throws {
        let corpus = try Corpus.inRepository()
        try #require(corpus.soundTexts.count > 10 && corpus.texts.count > corpus.soundTexts.count)
        for text in corpus.texts { #expect(Oracle.judge(FuzzedInput(text)).complaints == []) }
    }

    @Test("An input is the same for the same seed and number, and another for others")
    func reproduction() {
        let inputs = (0..<50).map { FuzzedInput(seed: 7, number: $0, from: Self.corpus).bytes }
        #expect((0..<50).map { FuzzedInput(seed: 7, number: $0, from: Self.corpus).bytes } == inputs)
        #expect(Set(inputs).count > 40)
        #expect(FuzzedInput(seed: 8, number: 0, from: Self.corpus).bytes != inputs[0])
    }

    @Test("Inputs with and without errors are made")
    func variety() {
        let verdicts = (0..<60).map { Oracle.judge(FuzzedInput(seed: 1, number: $0, from: Self.corpus)) }
        #expect(verdicts.flatMap(\.complaints) == [])
        #expect((5..<58).contains(verdicts.filter { $0.generated.isEmpty }.count))
    }

    @Test("A text that is JSON says the same when it is written again")
    func trees() throws {
        let texts = try Corpus.inRepository().texts
        for text in texts {
            guard let tree = JSONTree(text) else { continue }
            let again = try #require(JSONTree(Array(tree.text.utf8)))
            #expect(again.text == tree.text)
            #expect(again.count == tree.count)
        }
    }

    @Test("An input at fault is shortened to what it takes")
    func minimising() throws {
        let input = FuzzedInput(texts: [Array("[]".utf8), Array(#"{"a": [1, 2, {"b": 3}], "c": "fault"}"#.utf8)])
        let shorter = try Minimiser { $0.bytes.contains(Array("3".utf8)) }.minimised(input)
        #expect(shorter.texts == [Array("3".utf8)])
    }

    @Test("The program runs for so long and says that all is sound")
    func program() async throws {
        let run = try await CommandLineRun(
            try BuiltWithTests.executable("SchemaFuzzer").path,
            ["--seconds", "1", "--seed", "5"]
        )
        #expect(run.succeeded)
        #expect(run.output.contains(/^[1-9]\d* inputs, \d+ of them without errors\nseed 5: all sound\n$/))
        #expect(run.errors == "")
    }

    @Test("The program refuses what it does not understand")
    func usage() async throws {
        let run = try await CommandLineRun(try BuiltWithTests.executable("SchemaFuzzer").path, ["--seed", "x"])
        #expect(run.status == 2)
        #expect(run.errors == Options.usage)
    }
}
