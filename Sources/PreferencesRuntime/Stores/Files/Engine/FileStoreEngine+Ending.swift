import PreferencesSystem
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
    /// Writes pending edits for the last time.
    ///
    /// - Returns: Whether they stay pending as stores are suspended.
    @discardableResult
    func writeAtEnd() -> Bool {
        guard state.withLock({ $0.isOfThisProcess }), hasUnwritten else { return false }
        return writePendingEdits(isLastAttempt: true)
    }

    /// Goes on for a new store that came when the last one had been released, and edits were pending still.
    func resume() {
        if state.withLock({ $0.isOfThisProcess }), hasUnwritten { planToWrite(within: 0) }
    }

    // MARK: - Suspension

    /// Makes all engines write when stores are suspended, and again when they are resumed.
    static func followSuspension() {
        _ = participation
    }

    private static let participation: Void = StoreSuspension.add(
        StoreSuspension.Participant(
            pendingWrites: {
                all.filter { $0.hasUnwritten && !$0.writing.isHeldByThisThread }.map { engine in
                    { engine.writePendingEdits() }
                }
            },
            resume: {
                for engine in all where engine.hasUnwritten {
                    engine.planToWrite(within: 0)
                    // An engine whose last store was released has no other trigger for this write.
                    if engine.storeCount.load(ordering: .relaxed) == 0 { engine.writer.async { engine.finish() } }
                }
            }
        )
    )

    // MARK: - The program's end

    /// Has all engines end when the program does, by `exit`, or by returning from `main`.
    static func endAllAtExit() {
        _ = registration
    }

    private static let registration: Int = {
        _ = atexit {
            ProcessExit.begin()
            FileStoreEngine.end(FileStoreEngine.all, until: .now() + .seconds(5))
        }
        return ForkCount.current
    }()

    /// Whether this process is none that was forked from one with stores, of whose threads it has none.
    static var isOwnProcess: Bool { registration == ForkCount.current }

    /// The spare file, unless nothing would remove it: when the program is ending already, and in a process that was
    /// forked, which does not know what its parent does.
    var usableSpare: RecycledTemporaryFile? {
        keepsSpare.load(ordering: .relaxed) && Self.isOwnProcess && !ProcessExit.hasBegun ? spare : nil
    }

    /// How long the end of a store, and that of the program, wait for a lock that another process holds: 5 s.
    package static let lastLockTimeout = Duration.seconds(5)

    /// Writes the pending edits of engines for the last time, all at once: one that waits for the lock of its file does not
    /// keep others from being written.
    static func end(_ engines: [FileStoreEngine], until deadline: DispatchTime) {
        let unwritten = engines.filter(\.hasUnwritten)
        for engine in unwritten { engine.hasEnded.store(true, ordering: .relaxed) }
        // Within a closure of `update` this thread has the lock; any other thread would wait for it. A process that was
        // forked has no other.
        func isWrittenByThisThread(_ engine: FileStoreEngine) -> Bool {
            engine.writing.isHeldByThisThread || engine.changing.isHeldByThisThread || !isOwnProcess
        }
        let ownEngines = unwritten.filter(isWrittenByThisThread)
        let otherEngines = unwritten.filter { !isWrittenByThisThread($0) }
        let timedOut = runConcurrently(
            otherEngines.map { engine in { _ = engine.writeAtEnd() } },
            until: deadline,
            meanwhile: { for engine in ownEngines { engine.writeAtEnd() } }
        )
        for index in timedOut { otherEngines[index].reportLossAtExit() }
        if isOwnProcess { for engine in engines { engine.spare.close() } }
    }

    private func reportLossAtExit() {
        let lock = (try? FilePath(label).followingLinks())?.lockPath ?? label
        let message =
            "another thread, or a process that fuser(1) finds, held the lock \(lock) for 5 s while the program ended"
        let cause = PreferenceProblem(.storeBusy, store: label, message: message, isMessagePublic: true)
        reportLoss(because: cause)
    }

    /// Reports pending edits as lost, once: the last attempt to write them and the program's end may both run out of time.
    func reportLoss(because cause: PreferenceProblem) {
        if hasReportedLoss.exchange(true, ordering: .relaxed) { return }
        report(
            PreferenceProblem(unwritten: unwrittenNames, because: cause, isLost: true, areSecret: areSecrets),
            isLimited: false
        )
    }
}
