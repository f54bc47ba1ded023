import Dispatch
import PreferencesRuntime
import PreferencesSystem

/// The implementation of a ``PersistentObject``, which outlives the object until a save that has begun is done, and
/// which the process saves at its exit.
final class PersistentObjectEngine<Value: Codable & Sendable>: Sendable {
    let repository: any PersistentObjectRepository<Value>
    let reporter = ProblemReporter()
    /// Locked briefly, and never during a call of other code.
    let state = LockedReferences(PersistentObjectState<Value>())
    /// Held while the repository is used, so that the value that was compared is the stored one.
    private let access = RecursiveLock()
    /// Held while the value is changed in place, and while it is replaced by a loaded one. No thread waits for it while it
    /// holds `access` or a lock of the repository, because the body of an update may take long, and may use the repository.
    let changing = RecursiveLock()
    /// Held while the value is encoded to be saved, and while an update encodes it before its body, so that a save does not
    /// wait for the body. Taken after `changing`, and before `state`.
    let encoding = RecursiveLock()
    /// Runs the save that an update causes, later.
    let runLater: @Sendable (_ save: @escaping @Sendable () -> Void) -> Void
    private let observation = Locked<PreferenceStoreObservation?>(nil)
    /// The process that has created the object. A forked process leaves unsaved changes to its parent.
    private let process = getpid()

    /// - Parameters:
    ///   - repository: The repository of the value.
    ///   - runLater: Runs the save that an update causes; by default after half a second, on another thread.
    init(
        _ repository: some PersistentObjectRepository<Value>,
        runLater: @escaping @Sendable (_ save: @escaping @Sendable () -> Void) -> Void = { save in
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(500), execute: save)
        }
    ) {
        self.repository = repository
        self.runLater = runLater
    }

    /// Loads the value, and observes external changes.
    ///
    /// - Parameter didLoad: Called after the value was loaded, and before any external change.
    func begin(_ didLoad: () -> Void = {}) {
        ObjectRegistry.add(self)
        let observation = repository.observe { [weak self] in self?.noteExternalChange($0) }
        self.observation.withLock { $0 = observation }
        do throws(PreferenceProblem) {
            // The first value is not a change. A failure has been reported.
            try withAccess { () throws(PreferenceProblem) in
                defer { didLoad() }
                try loadStoredValue()
            }
        } catch {}
    }

    /// Saves the value for the last time, when the object is released. In a transaction or a hook of its preferences,
    /// saves after that ends.
    func end() {
        observation.withLock { $0.take() }?.cancel()
        let save = {
            // A released object waits as long as a released store.
            FileLockWait.$limit.withValue(FileStoreEngine.lastLockTimeout) {
                self.saveAutomatically(isLast: true) { [reporter = self.reporter] in reporter.report($0) }
            }
            ObjectRegistry.remove(self)
            self.endWatchers()
        }
        if (try? checkThatRepositoryIsFree()) == nil { DeferredNotifications.perform(save) } else { save() }
    }

    var hasUnsavedChange: Bool { state.withLock { $0.isChanged } }

    /// Whether the object has a change that this process has to save.
    var isUnsavedHere: Bool { process == getpid() && hasUnsavedChange }

    func reset(to value: Value?) {
        let value = value.map { UserReference($0) }
        state.withLock { state in
            state.value = value
            state.isChanged = true
            state.resetCount += 1
            state.mayOverwriteUnreadable = state.loadProblem != nil
        }
    }

    /// Changes the value in place, and schedules a save if it has changed. External changes in the meantime are loaded
    /// after that.
    func update<Result, Failure: Error>(
        _ body: (inout Value?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(!isInUseByThisThread, "an update of a PersistentObject in its own update")
        state.withLock { $0.updateCount += 1 }
        // Watchers of what the body changes may update this object, too.
        let deferral = DeferredNotifications.begin()
        defer {
            state.withLock { $0.updateCount -= 1 }
            deferral.end { self.loadExternalChanges() }
        }
        return try changing.withLock { () throws(Failure) -> Result in
            var (value, old, resetCount) = beginUpdate()
            defer { endUpdate(of: value, from: old, resetCount) }
            return try body(&value)
        }
    }

    /// Whether this thread updates the object, or encodes its value.
    var isInUseByThisThread: Bool { changing.isHeldByThisThread || encoding.isHeldByThisThread }

    /// Returns the value, its encoding for comparisons, and the number of resets.
    private func beginUpdate() -> (Value?, LoadedSnapshot<Value>, resetCount: UInt64) {
        encoding.withLock {
            let (value, resetCount) = state.withLock { ($0.value?.value, $0.resetCount) }
            // An object in the value may be the same one after the update.
            let old = Self.comparable(value)
            #if canImport(Darwin)
                let before = old
            #else
                // XML does not preserve a byte order mark, and the sign of zero.
                let before = LoadedSnapshot(value)
            #endif
            state.withLock { $0.beforeUpdate = (before, resetCount) }
            return (value, old, resetCount)
        }
    }

    private func endUpdate(of value: Value?, from old: LoadedSnapshot<Value>, _ resetCount: UInt64) {
        // A value that was only read must not replace one that another process has saved.
        let isChanged = !Self.comparable(value).hasSameEncoding(as: old)
        let reference = value.map { UserReference($0) }
        let isSaveNeeded = state.withLock { state in
            state.beforeUpdate = nil
            // A reset in the meantime is the later change.
            guard state.resetCount == resetCount else { return false }
            state.value = reference
            guard isChanged else { return false }
            state.isChanged = true
            state.resetCount += 1
            return true
        }
        if isSaveNeeded { scheduleSave() }
    }

    private static func comparable(_ value: Value?) -> LoadedSnapshot<Value> {
        #if canImport(Darwin)
            LoadedSnapshot(value)
        #else
            ArchiveComparison.$isActive.withValue(true) { LoadedSnapshot(value) }
        #endif
    }

    /// Runs a body that uses the repository while no other thread does, and then delivers the changes that it has
    /// found.
    func withAccess(_ body: () throws(PreferenceProblem) -> Void) throws(PreferenceProblem) {
        // Other observers of the write are notified when the lock is free.
        let deferral = DeferredNotifications.begin()
        defer {
            deferral.end {
                self.deliver()
                self.loadExternalChanges()
            }
        }
        try access.withLock(body)
    }

    /// Runs a body that uses the repository, unless another thread is using it. Delivers nothing.
    ///
    /// - Returns: Whether the body was run.
    func withAccessIfAvailable(_ body: () -> Void) -> Bool {
        access.withLockIfAvailable(body)
    }
}

extension PersistentObjectEngine {
    /// Adds a watcher.
    ///
    /// - Parameter onEnd: Called when the watcher ends.
    func add(_ queue: WatchQueue<PersistentObjectChange<Value>>, onEnd: @escaping @Sendable () -> Void = {})
        -> PersistentObjectWatcher
    {
        let reference = UserReference(onEnd)
        let id = state.withLock { state in
            state.nextWatcherID += 1
            state.watchers.append((state.nextWatcherID, queue, reference))
            return state.nextWatcherID
        }
        return PersistentObjectWatcher { [weak self] in
            queue.cancel()
            onEnd()
            self?.remove(id)
        }
    }

    private func remove(_ id: UInt64) {
        state.withLock { $0.watchers.removeAll { $0.id == id } }
    }

    /// Delivers queued changes to watchers. Called with no lock held.
    func deliver() {
        for watcher in state.withLock({ $0.watchers }) { watcher.queue.deliver() }
    }

    /// Ends all watchers. Queued changes are still delivered.
    func endWatchers() {
        let watchers = state.withLock { state in
            defer {
                state.watchers = []
                state.isEnded = true
            }
            return state.watchers
        }
        // If the object is released in an update of another one, after that.
        DeferredNotifications.perform {
            for watcher in watchers {
                watcher.queue.deliver()
                watcher.onEnd.value()
            }
        }
    }
}

/// The state of a ``PersistentObject``.
struct PersistentObjectState<Value: Codable & Sendable>: Sendable {
    var value: UserReference<Value>?
    /// The number of resets.
    var resetCount: UInt64 = 0
    /// The number of resets that the last saved value included.
    var savedCount: UInt64 = 0
    /// Whether the value was reset since it was last loaded or saved.
    var isChanged = false
    /// The number of updates that are running, or waiting for others.
    var updateCount = 0
    /// The value before the update that is running, and the number of resets then; nil if none is running.
    var beforeUpdate: (LoadedSnapshot<Value>, resetCount: UInt64)?
    /// Whether a save was scheduled by an update, and has not begun.
    var isSaveScheduled = false
    /// The stored value when it was last loaded or saved.
    var lastSnapshot = LoadedSnapshot<Value>.nothing
    /// The reason why the stored value cannot be read.
    var loadProblem: PreferenceProblem?
    /// Whether the value was reset after that, so that an unreadable value may be overwritten.
    var mayOverwriteUnreadable = false
    /// Whether the stored value may have changed since it was last loaded.
    var mayHaveChangedExternally = false
    /// The origin of the latest external change that the repository has reported.
    var externalOrigin = PreferenceChangeOrigin.external

    var watchers:
        [(id: UInt64, queue: WatchQueue<PersistentObjectChange<Value>>, onEnd: UserReference<@Sendable () -> Void>)] =
            []
    var nextWatcherID: UInt64 = 0
    /// Whether the object was released, so that nothing is delivered any more.
    var isEnded = false

    /// The value before the update that is running, unless it was reset since, or could not be encoded.
    var valueBeforeUpdate: (LoadedSnapshot<Value>, resetCount: UInt64)? {
        guard let beforeUpdate, beforeUpdate.resetCount == resetCount else { return nil }
        if case .unknown = beforeUpdate.0 { return nil }
        return beforeUpdate
    }
}
