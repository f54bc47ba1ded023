import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A process that goes on from where this one is, with a copy of its memory.
enum ForkedProcess {
    /// Runs a body in such a process, and waits for its end.
    static func run(_ body: () -> Void) {
        // Swift does not have it, as little works in a process like that; which is what the tests are about.
        typealias Fork = @convention(c) () -> pid_t
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "fork") else { fatalError("this system cannot fork") }
        let child = unsafeBitCast(symbol, to: Fork.self)()
        if child == 0 {
            body()
            _exit(0)
        }
        var status: CInt = 0
        guard child > 0, waitpid(child, &status, 0) == child, status == 0 else { fatalError("forking failed") }
    }
}
