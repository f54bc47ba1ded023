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
    /// Ends with its store.
    func end() {
        writeAtEnd()
        unlist()
    }

    /// Writes what is unwritten, for the last time, and removes what was kept to write more.
    private func writeAtEnd() {
        isEndingNow.store(true, ordering: .relaxed)
        if state.withLock({ $0.isOfThisProcess }), hasUnwritten { writeWhatIsUnwritten() }
        if Self.isOwnProcess { spare?.close() }
    }

    // MARK: - The program's end

    /// Has all engines end when the program does, by `exit`, or by returning from `main`.
    static func endAllAtExit() {
        _ = registration
    }

    private static let registration: pid_t = {
        _ = atexit {
            FileStoreEngine.isProgramEndingNow.store(true, ordering: .relaxed)
            let deadline = DispatchTime.now() + FileStoreEngine.patience
            for engine in FileStoreEngine.everyone {
                if engine.hasUnwritten { engine.writeAtExit(until: deadline) }
                if FileStoreEngine.isOwnProcess { engine.spare?.close() }
            }
        }
        return getpid()
    }()

    /// Whether this process is none that was forked from one with stores, of whose threads it has none.
    static var isOwnProcess: Bool { registration == getpid() }

    /// What is to be kept beside the file, unless nothing would remove it: when the program is ending already, and in a
    /// process that was forked, which knows nothing of what is done by the one it comes from.
    var usableSpare: SpareFile? {
        guard let spare, Self.isOwnProcess, !Self.isProgramEnding else { return nil }
        return spare
    }

    private static let isProgramEndingNow = Atomic(false)

    /// Whether the program is ending. What handlers of its own set then is written at once.
    static var isProgramEnding: Bool { isProgramEndingNow.load(ordering: .relaxed) }

    /// How long the end of the program waits for those who have files locked: 5 s.
    private static let patience = DispatchTimeInterval.seconds(5)

    private func writeAtExit(until deadline: DispatchTime) {
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
            .storeUnwritable,
            store: label,
            message: "someone else had the file locked for 5 s while the program ended"
        )
        report(PreferenceProblem(unwritten: unwrittenNames, because: cause, isLost: true))
    }
}
