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
/// Swift does not declare `fork`, because little works in such a process. The tests check what must work.
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
        identifier = unsafeBitCast(symbol, to: Fork.self)()
        guard identifier >= 0 else { throw CannotFork() }
        if identifier == 0 {
            try body()
            _exit(0)
        }
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
