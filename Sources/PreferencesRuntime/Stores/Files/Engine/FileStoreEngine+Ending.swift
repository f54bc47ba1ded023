import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writing what is unwritten, and leaving nothing behind, when the store or the program ends.
extension FileStoreEngine {
    /// Writes pending edits for the last time, and removes the spare file.
    func writeAtEnd() {
        if state.withLock({ $0.isOfThisProcess }), hasUnwritten { writePendingEdits(isLastAttempt: true) }
        if Self.isOwnProcess { spare.close() }
    }

    /// Goes on for a new store that came when the last one had been released, and edits were pending still.
    func resume() {
        spare.open()
        if state.withLock({ $0.isOfThisProcess }), hasUnwritten { planToWrite(within: 0) }
    }

    // MARK: - The program's end

    /// Has all engines end when the program does, by `exit`, or by returning from `main`.
    static func endAllAtExit() {
        _ = registration
    }

    private static let registration: pid_t = {
        _ = atexit {
            FileStoreEngine.isProgramEndingNow.store(true, ordering: .relaxed)
            let deadline = DispatchTime.now() + .seconds(5)
            for engine in FileStoreEngine.all {
                if engine.hasUnwritten { engine.writeAtExit(until: deadline) }
                if FileStoreEngine.isOwnProcess { engine.spare.close() }
            }
        }
        return getpid()
    }()

    /// Whether this process is none that was forked from one with stores, of whose threads it has none.
    static var isOwnProcess: Bool { registration == getpid() }

    /// The spare file, unless nothing would remove it: when the program is ending already, and in a process that was
    /// forked, which does not know what its parent does.
    var usableSpare: SpareFile? {
        keepsSpare.load(ordering: .relaxed) && Self.isOwnProcess && !Self.isProgramEnding ? spare : nil
    }

    private static let isProgramEndingNow = Atomic(false)

    /// Whether the program is ending. What handlers of its own set then is written at once.
    static var isProgramEnding: Bool { isProgramEndingNow.load(ordering: .relaxed) }

    /// How long the end of a store, and that of the program, wait for a lock that another process holds: 5 s.
    static let lastLockTimeout = Duration.seconds(5)

    private func writeAtExit(until deadline: DispatchTime) {
        hasEnded.store(true, ordering: .relaxed)
        // Within a closure of `update` this thread has the lock; any other thread would wait for it. A process that was
        // forked has no other.
        if writing.isHeldByThisThread || changing.isHeldByThisThread || !Self.isOwnProcess { return writeAtEnd() }
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            self.writeAtEnd()
            isDone.signal()
        }
        guard isDone.wait(timeout: deadline) == .timedOut else { return }
        let cause = PreferenceProblem(
            .storeBusy,
            store: label,
            message: "another thread or process had the file locked for 5 s while the program ended"
        )
        report(PreferenceProblem(unwritten: unwrittenNames, because: cause, isLost: true))
    }
}
