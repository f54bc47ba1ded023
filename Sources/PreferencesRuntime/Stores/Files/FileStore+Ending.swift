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
extension FileStore {
    private struct Listing {
        weak var store: FileStore?
    }

    /// The stores that may have something unwritten.
    private static let unwritten = Locked<[ObjectIdentifier: Listing]>([:])

    /// How long the end of the program waits for the disk, and for others who have the file locked: 5 s.
    private static let patience = DispatchTimeInterval.seconds(5)

    /// Has a store written at the end of the program.
    static func writeAtExit(_ store: FileStore) {
        _ = registration
        unwritten.withLock { $0[ObjectIdentifier(store)] = $0[ObjectIdentifier(store)] ?? Listing(store: store) }
    }

    private static let registration: Void = { _ = atexit { FileStore.writeAllAtExit() } }()

    private static func writeAllAtExit() {
        for store in unwritten.withLock({ $0.values.compactMap(\.store) }) where store.hasUnwritten {
            // Within a closure of `update` this thread has the lock; any other thread would wait for it.
            if store.writing.isHeldByThisThread || store.changing.isHeldByThisThread {
                store.writeAtEnd()
            } else {
                let isDone = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    store.writeAtEnd()
                    isDone.signal()
                }
                if isDone.wait(timeout: .now() + patience) == .timedOut {
                    let cause = PreferenceProblem(
                        .storeUnwritable,
                        store: store.label,
                        message: "someone else had the file locked for 5 s while the program ended"
                    )
                    store.report(PreferenceProblem(unwritten: store.unwrittenNames, because: cause, isLost: true))
                }
            }
        }
    }

    /// Writes what is unwritten, for the last time. Nothing refers to the store any more, or soon nothing will.
    func writeAtEnd() {
        isEndingNow.store(true, ordering: .relaxed)
        if hasUnwritten { writeWhatIsUnwritten() }
    }

    /// Takes the store from those that are written at the end of the program.
    func forgetAtExit() {
        _ = Self.unwritten.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
    }
}
