import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A process that goes on from where this one is, with a copy of its memory.
///
/// Swift does not have it, as little works in a process like that; which is what the tests are about.
package struct ForkedProcess {
    private let identifier: pid_t

    package struct CannotFork: Error {}

    /// Starts a process.
    ///
    /// - Parameter body: Runs in it. It ends with the body, unless that throws: then it goes on in the caller.
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

    /// Waits for its end.
    ///
    /// - Returns: What it has exited with; nil where a signal has ended it.
    package func waitForEnd() -> CInt? {
        var status: CInt = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }

    /// Ends it, and waits for that.
    package func kill() {
        _ = Foundation.kill(identifier, SIGKILL)
        _ = waitForEnd()
    }
}
