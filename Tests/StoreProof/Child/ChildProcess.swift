import Foundation

/// A child process that runs this program, reports its progress in lines, and can be killed.
final class ChildProcess {
    private let process = Process()
    private let output: FileHandle
    private var buffer: [UInt8] = []

    /// The child wrote no line before the timeout.
    struct Hangs: Error {}

    init(_ workspace: Workspace, _ arguments: [String], environment: [String: String] = [:]) throws {
        let pipe = Pipe()
        output = pipe.fileHandleForReading
        process.executableURL = workspace.program
        process.arguments = ["child"] + arguments
        // Printing a backtrace takes longer than the crash.
        let all = ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }
        process.environment = ProcessInfo.processInfo.environment.merging(all) { $1 }
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Returns the next line without its line break; nil at the end of the output.
    ///
    /// - Throws: ``Hangs`` after a number of seconds without a line.
    func nextLine(within seconds: Double = 120) throws -> String? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { throw Hangs() }
            var wait = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
            if poll(&wait, 1, CInt(left.rounded(.up))) <= 0 { continue }
            let more = output.availableData
            // An incomplete line does not count.
            if more.isEmpty { return nil }
            buffer += more
        }
    }

    /// Kills the child with SIGKILL.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
    }

    enum Ending: Equatable {
        case status(Int32)
        case signal(Int32)
    }

    func waitForEnd() -> Ending {
        process.waitUntilExit()
        let number = process.terminationStatus
        return process.terminationReason == .exit ? .status(number) : .signal(number)
    }
}

/// The tasks of this program as a child process.
enum Child {
    struct UnknownTask: Error {}

    /// - Parameter words: The task, the store's name, the path of a file or folder, and the task's other arguments.
    static func run(_ words: [String]) throws {
        guard words.count >= 3, let store = ProvenStore(rawValue: words[1]) else { throw UnknownTask() }
        let url = URL(filePath: words[2])
        let numbers = words.dropFirst(3).compactMap { Int($0) }
        switch (words[0], numbers.count) {
        case ("write", 4):
            try WritingTask(store, url, keyCount: numbers[0], first: numbers[1], seed: numbers[2]).run(
                exitsByItself: numbers[3] == 1
            )
        case ("count", 2): try CountingTask.run(store, url, index: numbers[0], keyCount: numbers[1])
        case ("cases", 4):
            guard let suite = CaseSuite(rawValue: words.last ?? "") else { throw UnknownTask() }
            let form = CaseForm(isLong: numbers[1] == 1, seed: UInt64(numbers[0]))
            try suite.run(store, form, in: url, from: numbers[2], count: numbers[3])
        default: throw UnknownTask()
        }
    }
}

/// The output of a child process. Each line is one system call, so that it arrives even if the child is killed.
enum ChildOutput {
    static func writeLine(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        // A line shorter than a pipe's buffer is written completely, unless the parent process has ended.
        _ = write(1, bytes, bytes.count)
    }
}
