import Synchronization

/// Distinguishes a process from its forks by a load from memory; `getpid` would be a system call.
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

    /// The number of forks between this process and its first ancestor that read this property.
    package static var current: Int {
        _ = registration
        return count.load(ordering: .relaxed)
    }
}

/// Whether the process is ending. Suspension does not apply then, so that stores can lock their files for a last save.
package enum ProcessExit {
    private static let flag = Atomic(false)

    /// Whether ``begin()`` was called.
    package static var hasBegun: Bool { flag.load(ordering: .relaxed) }

    /// Records that the process is ending, by `exit` or by the return of `main`.
    package static func begin() {
        flag.store(true, ordering: .relaxed)
    }
}
