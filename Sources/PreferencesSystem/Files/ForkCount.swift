import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Tells a process from one that was forked from it, by a load from memory: `getpid` is a system call.
package enum ForkCount {
    private static let count = Atomic<Int>(0)

    private static let registration: Void = {
        // The handler must not be the first to use the counter.
        _ = count.load(ordering: .relaxed)
        guard pthread_atfork(nil, nil, { ForkCount.increment() }) == 0 else { fatalError("out of memory") }
    }()

    private static func increment() {
        count.add(1, ordering: .relaxed)
    }

    /// The number of forks between this process and the first of its ancestors that asked for it.
    package static var current: Int {
        _ = registration
        return count.load(ordering: .relaxed)
    }
}
