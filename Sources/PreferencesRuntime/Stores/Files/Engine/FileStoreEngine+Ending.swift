import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writing what is unwritten when the store or the program ends.
extension FileStoreEngine {
    /// Ends with its store.
    func end() {
        writeAtEnd()
        unlist()
    }

    /// Writes what is unwritten, for the last time.
    private func writeAtEnd() {
        isEndingNow.store(true, ordering: .relaxed)
        if hasUnwritten { writeWhatIsUnwritten() }
    }

    // MARK: - The program's end

    /// Has all engines write what is unwritten when the program ends by `exit`, or by returning from `main`.
    static func writeAllAtExit() {
        _ = registration
    }

    private static let registration: Void = {
        _ = atexit {
            for engine in FileStoreEngine.everyone where engine.hasUnwritten { engine.writeAtExit() }
        }
    }()

    /// How long the end of the program waits for those who have the file locked: 5 s.
    private static let patience = DispatchTimeInterval.seconds(5)

    private func writeAtExit() {
        // Within a closure of `update` this thread has the lock; any other thread would wait for it.
        if writing.isHeldByThisThread || changing.isHeldByThisThread { return writeAtEnd() }
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            self.writeAtEnd()
            isDone.signal()
        }
        guard isDone.wait(timeout: .now() + Self.patience) == .timedOut else { return }
        let cause = PreferenceProblem(
            .storeUnwritable,
            store: label,
            message: "someone else had the file locked for 5 s while the program ended"
        )
        report(PreferenceProblem(unwritten: unwrittenNames, because: cause, isLost: true))
    }
}
