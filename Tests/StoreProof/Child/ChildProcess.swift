import Foundation

/// This program once more, as a process that says line by line how far it is, and that may be killed.
final class ChildProcess {
    private let process = Process()
    private let output: FileHandle
    private var buffer: [UInt8] = []

    /// It said nothing for too long.
    struct Hangs: Error {}

    init(_ workshop: Workshop, _ arguments: [String], environment: [String: String] = [:]) throws {
        let pipe = Pipe()
        output = pipe.fileHandleForReading
        process.executableURL = workshop.program
        process.arguments = ["child"] + arguments
        // What a crash prints takes longer than the crash.
        let all = ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }
        process.environment = ProcessInfo.processInfo.environment.merging(all) { $1 }
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// The next line, without its end; nil where there is none any more.
    ///
    /// - Throws: ``Hangs`` where none comes within so many seconds.
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
            // A line that was not ended was never said.
            if more.isEmpty { return nil }
            buffer += more
        }
    }

    /// Kills it, as if the power were gone for it alone.
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
