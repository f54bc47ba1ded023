import Dispatch
import PreferencesSystem
import Synchronization

/// The last write when the last store is released, stores are suspended, or the program ends.
extension FileStoreEngine {
    /// Makes the last attempt to write the pending edits.
    ///
    /// - Returns: Whether edits remain pending because stores are suspended.
    @discardableResult
    func writeAtEnd() -> Bool {
        guard state.withLock({ $0.isOwnedByThisProcess }), hasPendingEdits else { return false }
        return writePendingEdits(isLastAttempt: true)
    }

    /// Schedules a write for a store that was created after the last one was released, while edits were still pending.
    func resume() {
        if state.withLock({ $0.isOwnedByThisProcess }), hasPendingEdits { scheduleWrite(within: 0) }
    }

    // MARK: - Suspension

    /// Makes all engines write when stores are suspended, and when they are resumed.
    static func joinSuspension() {
        _ = participation
    }

    private static let participation: Void = StoreSuspension.add(
        StoreSuspension.Participant(
            pendingWrites: {
                all.filter { $0.hasPendingEdits && !$0.writing.isHeldByThisThread }.map { engine in
                    { engine.writePendingEdits() }
                }
            },
            resume: {
                for engine in all where engine.hasPendingEdits {
                    engine.scheduleWrite(within: 0)
                    // An engine whose last store was released has no other trigger for this write.
                    if engine.storeCount.load(ordering: .relaxed) == 0 { engine.writeQueue.async { engine.finish() } }
                }
            }
        )
    )

    // MARK: - Exit

    /// Makes all engines write when the program ends by `exit` or by returning from `main`.
    static func registerExitHandler() {
        _ = registration
    }

    private static let registration: Int = {
        _ = atexit {
            ProcessExit.begin()
            FileStoreEngine.end(FileStoreEngine.all, until: .now() + .seconds(5))
        }
        return ForkCount.current
    }()

    /// Whether this process was not forked from one with stores. A forked process has none of its parent's threads.
    static var isOwnProcess: Bool { registration == ForkCount.current }

    /// The temporary file to reuse; nil if nothing would remove it, because the program is ending, or because this
    /// process was forked and shares the file with its parent.
    var usableTemporaryFile: RecycledTemporaryFile? {
        recyclesTemporaryFile.load(ordering: .relaxed) && Self.isOwnProcess && !ProcessExit.hasBegun
            ? temporaryFile : nil
    }

    /// The time that the last write waits for a lock that another process holds: 5 seconds.
    package static let lastLockTimeout = Duration.seconds(5)

    /// Makes the last write of several engines concurrently, so that one that waits for its file's lock does not delay
    /// others.
    static func end(_ engines: [FileStoreEngine], until deadline: DispatchTime) {
        let pendingEngines = engines.filter(\.hasPendingEdits)
        for engine in pendingEngines { engine.hasEnded.store(true, ordering: .relaxed) }
        // In a closure of `update` this thread holds the lock, for which any other thread would wait. A forked process
        // has no other thread.
        func isWrittenByThisThread(_ engine: FileStoreEngine) -> Bool {
            engine.writing.isHeldByThisThread || engine.changing.isHeldByThisThread || !isOwnProcess
        }
        let ownEngines = pendingEngines.filter(isWrittenByThisThread)
        let otherEngines = pendingEngines.filter { !isWrittenByThisThread($0) }
        let timedOut = runConcurrently(
            otherEngines.map { engine in { _ = engine.writeAtEnd() } },
            until: deadline,
            meanwhile: { for engine in ownEngines { engine.writeAtEnd() } }
        )
        for index in timedOut { otherEngines[index].reportLossAtExit() }
        if isOwnProcess { for engine in engines { engine.temporaryFile.close() } }
    }

    private func reportLossAtExit() {
        let lock = (try? FilePath(label).followingLinks())?.lockPath ?? label
        let message =
            "another thread, or a process that fuser(1) finds, held the lock \(lock) for 5 s while the program ended"
        let cause = PreferenceProblem(.storeBusy, store: label, message: message, isMessagePublic: true)
        reportLoss(because: cause)
    }

    /// Reports pending edits as lost, once, since both the last attempt and the exit handler may time out.
    func reportLoss(because cause: PreferenceProblem) {
        if hasReportedLoss.exchange(true, ordering: .relaxed) { return }
        report(
            PreferenceProblem(pendingNames: pendingNames, because: cause, isLost: true, areSecret: isPrivate),
            isLimited: false
        )
    }
}
