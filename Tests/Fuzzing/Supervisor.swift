import Foundation
import TestSupport

/// Starts runs until the time is over, and saves and shortens the inputs that end a run.
struct Supervisor {
    private let options: Options
    private let program: URL

    /// The number of failures after which the fuzzer ends.
    private static let maximumFailures = 10

    init(_ options: Options) throws {
        self.options = options
        guard let program = Bundle.main.executableURL else { throw NoProgram() }
        self.program = program
    }

    /// - Returns: Whether all inputs passed.
    func run() throws -> Bool {
        let end = ContinuousClock.now + .seconds(options.seconds)
        var next = options.input
        var failures = 0
        while failures < Self.maximumFailures {
            let left = (end - ContinuousClock.now) / .seconds(1)
            guard left > 0 else { break }
            guard let failing = try runOnce(from: next, seconds: Int(left.rounded(.up))) else { break }
            failures += 1
            try keep(failing)
            next = failing + 1
        }
        print(failures == 0 ? "seed \(options.seed): no violations" : "seed \(options.seed): \(failures) violations")
        return failures == 0
    }

    /// - Returns: The number of the input that ended the run; nil if none did.
    private func runOnce(from first: UInt64, seconds: Int) throws -> UInt64? {
        try withTemporaryDirectory { folder in
            let progress = folder.appending(path: "progress")
            try Data().write(to: progress)
            let arguments = [
                "--seed", "\(options.seed)", "--input", "\(first)", "--seconds", "\(seconds)", "--progress",
                progress.path,
            ]
            if try succeeds(arguments) { return nil }
            let line = try String(contentsOf: progress, encoding: .utf8).prefix { $0 != "\n" }
            guard let number = UInt64(line) else { throw NoProgress() }
            return number
        }
    }

    private func keep(_ number: UInt64) throws {
        let input = FuzzedInput(seed: options.seed, number: number, from: try .inRepository())
        let name = "fuzzed-\(options.seed)-\(number).json"
        try Data(input.bytes).write(to: URL(filePath: name))
        print("input \(number) of seed \(options.seed) failed; it is saved in \(name)")
        guard try !isValid(input) else { return }
        let shorter = try Minimizer { try !isValid($0) }.minimized(input)
        try Data(shorter.bytes).write(to: URL(filePath: name))
        print("  \(input.bytes.count) bytes, shortened to \(shorter.bytes.count): \(shorter.preview)")
    }

    private func isValid(_ input: FuzzedInput) throws -> Bool {
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "input.json")
            try Data(input.bytes).write(to: file)
            return try succeeds([file.path], isQuiet: true)
        }
    }

    private func succeeds(_ arguments: [String], isQuiet: Bool = false) throws -> Bool {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        if isQuiet {
            // Printing a backtrace takes longer than the crash.
            process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
        }
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }

    private struct NoProgram: Error, CustomStringConvertible {
        var description: String { "the path of the program is unknown" }
    }

    private struct NoProgress: Error, CustomStringConvertible {
        var description: String { "a run ended before its first input" }
    }
}

extension FuzzedInput {
    /// The beginning of the input, on one line.
    fileprivate var preview: String {
        String(decoding: bytes.prefix(400), as: UTF8.self).split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
