import Foundation
import TestSupport

extension FuzzedInput {
    /// An input of a run: the same for the same numbers and corpus.
    init(seed: UInt64, number: UInt64, from corpus: Corpus) {
        var seeds = SeededRandom(seed: seed)
        var random = SeededRandom(seed: seeds.next() ^ (number &* 0xD134_2543_DE82_EF95))
        self.init(from: corpus, &random)
    }
}

/// Input after input until the time is over, in a process of its own, for some may end it.
struct FuzzingRun {
    private let options: Options
    private let corpus: Corpus
    private let progress: FileHandle
    private let watchdog = Watchdog()

    /// How many generated files the compiler is given at once: most of its time goes into starting.
    private static let filesPerParse = 40

    /// One accepted input of so many is given to the compiler.
    private static let acceptedPerParsed = 20

    init(_ options: Options, progressFile: String) throws {
        self.options = options
        corpus = try .inRepository()
        progress = try FileHandle(forUpdating: URL(filePath: progressFile))
    }

    /// - Returns: Whether everything held. What did not is printed.
    func run() throws -> Bool {
        let start = ContinuousClock.now
        var number = options.input
        var accepted = 0
        var generated: [(number: UInt64, text: String)] = []
        defer { print("\(number - options.input) inputs, \(accepted) of them without errors") }
        while ContinuousClock.now - start < .seconds(options.seconds) {
            try note(number)
            let input = FuzzedInput(seed: options.seed, number: number, from: corpus)
            let verdict = watchdog.watch(bytes: input.bytes.count) { Oracle.judge(input) }
            for complaint in verdict.complaints { print("input \(number): \(complaint)") }
            if !verdict.complaints.isEmpty { return false }

            if !verdict.generated.isEmpty {
                accepted += 1
                if accepted % Self.acceptedPerParsed == 1 { generated += verdict.generated.map { (number, $0) } }
            }
            if generated.count >= Self.filesPerParse {
                guard try parses(generated) else { return false }
                generated = []
            }
            number += 1
        }
        return try generated.isEmpty || parses(generated)
    }

    private func note(_ number: UInt64) throws {
        try progress.seek(toOffset: 0)
        try progress.write(contentsOf: Data("\(number)\n".utf8))
    }

    /// Whether the compiler's parser finds nothing wrong with generated files.
    private func parses(_ generated: [(number: UInt64, text: String)]) throws -> Bool {
        try withTemporaryDirectory { folder in
            let files = generated.enumerated().map { index, file in
                folder.appending(path: "input-\(file.number)-\(index).swift")
            }
            for (file, source) in zip(files, generated) { try Data(source.text.utf8).write(to: file) }
            let compiler = Process()
            compiler.executableURL = URL(filePath: "/usr/bin/env")
            compiler.arguments = ["swiftc", "-frontend", "-parse"] + files.map(\.path)
            try compiler.run()
            compiler.waitUntilExit()
            if compiler.terminationStatus == 0 { return true }
            // The first at fault is what the run stops at.
            try note(generated[0].number)
            print("generated source does not parse; the files are named after their inputs")
            return false
        }
    }
}
