import Foundation
import Synchronization
import TestSupport

extension FuzzedInput {
    /// Creates an input of a run. Equal numbers and corpora give equal inputs.
    init(seed: UInt64, number: UInt64, from corpus: Corpus) {
        var seeds = SeededRandom(seed: seed)
        var random = SeededRandom(seed: seeds.next() ^ (number &* 0xD134_2543_DE82_EF95))
        self.init(from: corpus, &random)
    }
}

/// A process that checks inputs until its time is over. An input may end the process.
struct FuzzingRun {
    private let options: Options
    private let corpus: Corpus
    private let progress: FileHandle
    private let watchdog = Watchdog()

    /// The number of generated files for one call of the compiler, which spends most of its time on starting.
    private static let filesPerParse = 40

    /// The number of valid inputs of which one is compiled.
    private static let acceptedPerParsed = 20

    init(_ options: Options, progressFile: String) throws {
        self.options = options
        corpus = try .inRepository()
        progress = try FileHandle(forUpdating: URL(filePath: progressFile))
    }

    /// - Returns: Whether there were no violations. Violations are printed.
    func run() throws -> Bool {
        let start = ContinuousClock.now
        var number = options.input
        var accepted = 0
        var generated: [(number: UInt64, text: String)] = []
        defer { print("\(number - options.input) inputs, \(accepted) of them without errors") }
        while ContinuousClock.now - start < .seconds(options.seconds) {
            try note(number)
            let input = FuzzedInput(seed: options.seed, number: number, from: corpus)
            let verdict = watchdog.watch(bytes: input.bytes.count) { Oracle.check(input) }
            for violation in verdict.violations { print("input \(number): \(violation)") }
            if !verdict.violations.isEmpty { return false }

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

    /// Whether the compiler parses generated files without errors.
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
            // The run ends at the first input of the files.
            try note(generated[0].number)
            print("generated source does not parse; the files are named after their inputs")
            return false
        }
    }
}

/// Ends the process if an input takes longer than its size explains. Processor time is measured, so that the machine's
/// load does not matter.
final class Watchdog: Sendable {
    /// The processor time at which the current input has failed.
    private let deadline = Mutex<Double?>(nil)

    init() {
        let thread = Thread { [self] in
            while true {
                Thread.sleep(forTimeInterval: 0.05)
                let isLate = deadline.withLock { deadline in deadline.map { $0 < Self.processorTime } ?? false }
                if isLate {
                    FileHandle.standardError.write(Data("the input takes too long\n".utf8))
                    abort()
                }
            }
        }
        thread.start()
    }

    func watch<Result>(bytes: Int, _ body: () throws -> Result) rethrows -> Result {
        // Some patterns may take seconds in each of two readings. Everything else takes a hundredth of this.
        let limit = 15 + Double(bytes) / 50_000
        deadline.withLock { $0 = Self.processorTime + limit }
        defer { deadline.withLock { $0 = nil } }
        return try body()
    }

    /// The processor time of all threads of this process, in seconds.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
