import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A process that `fork` creates: it continues with a copy of this process's memory.
///
/// Swift does not declare `fork`, because little works in such a process. The tests check what must work. They fork
/// while all other threads sleep: a lock that one of them held, such as one of Swift's runtime, would stay locked.
package struct ForkedProcess {
    private let identifier: pid_t

    package struct CannotFork: Error {}

    /// Starts a process.
    ///
    /// - Parameter body: The closure to run in the new process, which ends after it. If the closure throws, the process
    ///   continues in the caller.
    package init(_ body: () throws -> Void) throws {
        typealias Fork = @convention(c) () -> pid_t
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "fork") else { throw CannotFork() }
        try Self.waitUntilOtherThreadsSleep()
        identifier = unsafeBitCast(symbol, to: Fork.self)()
        guard identifier >= 0 else { throw CannotFork() }
        if identifier == 0 {
            try body()
            _exit(0)
        }
    }

    /// Waits until no other thread of this process runs, or can run.
    private static func waitUntilOtherThreadsSleep() throws {
        #if os(Linux)
            let files = FileManager.default
            // A path such as `12/task/13`.
            let own = try URL(filePath: files.destinationOfSymbolicLink(atPath: "/proc/thread-self")).lastPathComponent
            func isAwake(_ thread: String) -> Bool {
                // A thread that has ended has no file. The state follows the name, which is in parentheses.
                guard let status = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8),
                    let end = status.lastIndex(of: ")")
                else {
                    return false
                }
                return !status[end...].hasPrefix(") S")
            }
            func threads() throws -> [String] { try files.contentsOfDirectory(atPath: "/proc/self/task") }
            while try threads().contains(where: { $0 != own && isAwake($0) }) { sched_yield() }
        #endif
    }

    /// Waits for the end of the process.
    ///
    /// - Returns: The exit status; nil if a signal ended the process.
    package func waitForEnd() -> CInt? {
        var status: CInt = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }

    /// Kills the process, and waits for its end.
    package func kill() {
        _ = Foundation.kill(identifier, SIGKILL)
        _ = waitForEnd()
    }
}
