import Foundation
import TestSupport

/// Starts runs until the time is over, and keeps and shortens the inputs that end one.
struct Supervisor {
    private let options: Options
    private let program: URL

    /// More are not worth waiting for: the first ones are to be mended first.
    private static let maximumFailures = 10

    init(_ options: Options) throws {
        self.options = options
        guard let program = Bundle.main.executableURL else { throw NoProgram() }
        self.program = program
    }

    /// - Returns: Whether all inputs were sound.
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
        print(failures == 0 ? "seed \(options.seed): all sound" : "seed \(options.seed): \(failures) inputs at fault")
        return failures == 0
    }

    /// - Returns: The number of the input that ended the run; nil where none did.
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
        print("input \(number) of seed \(options.seed) is at fault; it is kept in \(name)")
        guard try !isSound(input) else { return }
        let shorter = try Minimiser { try !isSound($0) }.minimised(input)
        try Data(shorter.bytes).write(to: URL(filePath: name))
        print("  \(input.bytes.count) bytes, shortened to \(shorter.bytes.count): \(shorter.preview)")
    }

    private func isSound(_ input: FuzzedInput) throws -> Bool {
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
            // What a crash prints takes longer than the crash.
            process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
        }
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }

    private struct NoProgram: Error, CustomStringConvertible {
        var description: String { "the program does not know where it is" }
    }

    private struct NoProgress: Error, CustomStringConvertible {
        var description: String { "a run ended before its first input" }
    }
}

extension FuzzedInput {
    /// The first of it, on one line.
    fileprivate var preview: String {
        String(decoding: bytes.prefix(400), as: UTF8.self).split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
