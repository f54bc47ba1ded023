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
    private let changing = RecursiveLock()
    /// Held while the value is encoded to be saved, and while an update encodes it before its body, so that a save does not
    /// wait for the body. Taken after `changing`, and before `state`.
    private let encoding = RecursiveLock()
    /// Runs the save that an update causes, later.
    private let runLater: @Sendable (_ save: @escaping @Sendable () -> Void) -> Void
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
    private var isInUseByThisThread: Bool { changing.isHeldByThisThread || encoding.isHeldByThisThread }

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

    /// Saves the value later, once for all updates before that.
    private func scheduleSave() {
        let isScheduled = state.withLock { state in
            defer { state.isSaveScheduled = true }
            return state.isSaveScheduled
        }
        if isScheduled { return }
        runLater { [weak self] in
            guard let self else { return }
            state.withLock { $0.isSaveScheduled = false }
            saveAutomatically(isLast: false) { self.reporter.report($0) }
        }
    }

    /// A copy of the value that is to be saved.
    private struct Copy {
        var value: Value?
        var snapshot = LoadedSnapshot<Value>.nothing
        /// The number of resets when it was made.
        let resetCount: UInt64
        let lease = ArchiveLease()
    }

    /// Returns a copy of the value to be saved. The caller must not hold `access`, since it may wait for an update.
    ///
    /// The value is copied by its encoding, since updates may change objects in it while it is being saved. A value that
    /// could not be loaded again is not saved either.
    private func copyToSave() throws(PreferenceProblem) -> Copy {
        do {
            let (snapshot, resetCount) = try snapshotToSave()
            var copy = Copy(resetCount: resetCount)
            guard case .value(let encoding) = snapshot else { return copy }
            copy.value = try self.copy(from: encoding, copy.lease)
            // Not the encoding above: the value's `init(from:)` may have changed it.
            copy.snapshot = LoadedSnapshot(copy.value)
            return copy
        } catch {
            throw PreferenceProblem(encoding: Value.self, for: repository, failed: error)
        }
    }

    /// Returns the snapshot of the value, and the number of resets; during an update, those before it.
    private func snapshotToSave() throws -> (LoadedSnapshot<Value>, resetCount: UInt64) {
        while true {
            let snapshot = try encoding.withLock { () throws -> (LoadedSnapshot<Value>, resetCount: UInt64)? in
                let (before, isUpdating, value, resetCount) = state.withLock {
                    ($0.valueBeforeUpdate, $0.beforeUpdate != nil, $0.value?.value, $0.resetCount)
                }
                if isUpdating { return before }
                return (try value.map { .value(try CodedValue(value: $0).preferenceValue()) } ?? .nothing, resetCount)
            }
            if let snapshot { return snapshot }
            // The update may be changing an object in the value that was reset, or that could not be encoded before.
            changing.withLock {}
        }
    }

    private func copy(from encoding: PreferenceValue, _ lease: ArchiveLease) throws -> Value {
        do {
            return try ArchiveLease.$current.withValue(lease) {
                try CodedValue<Value>(preferenceValue: encoding).value
            }
        } catch {
            let message = "it could not be loaded again: \(ErrorText(error))"
            throw EncodingError.invalidValue(encoding, .init(codingPath: [], debugDescription: message))
        }
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

/// The encoding of a stored value, which stands for it in comparisons: an object may have changed since, and `==` of a
/// type may ignore differences.
enum LoadedSnapshot<Value: Codable & Sendable>: Sendable {
    case nothing
    case value(PreferenceValue)
    /// A value that cannot be encoded, although it was decoded.
    case unknown

    init(_ value: Value?) {
        guard let value else {
            self = .nothing
            return
        }
        self = (try? CodedValue(value: value).preferenceValue()).map(Self.value) ?? .unknown
    }

    func isSame(as other: LoadedSnapshot) -> Bool {
        if hasSameEncoding(as: other) { return true }
        guard case .value(let encoding) = self, case .value(let otherEncoding) = other else { return false }
        // Equal sets may encode their elements in another order.
        return encoding.isReordering(of: otherEncoding) && Self.areEqual(encoding, otherEncoding)
    }

    /// Whether both are nothing, or were encoded identically.
    func hasSameEncoding(as other: LoadedSnapshot) -> Bool {
        switch (self, other) {
        case (.nothing, .nothing): true
        case (.value(let encoding), .value(let otherEncoding)): encoding.isIdentical(to: otherEncoding)
        default: false
        }
    }

    /// Whether both encodings are decoded to equal values.
    private static func areEqual(_ first: PreferenceValue, _ second: PreferenceValue) -> Bool {
        func equal<T: Equatable>(_ first: T, _ second: Any) -> Bool { second as? T == first }
        guard let values = try? [first, second].map({ try CodedValue<Value>(preferenceValue: $0).value }) else {
            return false
        }
        return (values[0] as? any Equatable).map { equal($0, values[1]) } ?? false
    }
}

extension PreferenceValue {
    /// Whether the values are identical except for the order of elements in arrays.
    fileprivate func isReordering(of other: PreferenceValue) -> Bool {
        orderless.isIdentical(to: other.orderless)
    }

    /// The value with the elements of all arrays sorted.
    private var orderless: PreferenceValue {
        switch self {
        case .array(let elements):
            let sorted = elements.map(\.orderless).map { (text: "\($0)", value: $0) }.sorted { $0.text < $1.text }
            return .array(sorted.map(\.value))
        case .dictionary(let entries): return .dictionary(entries.mapValues(\.orderless))
        default: return self
        }
    }
}

// MARK: - External changes

extension PersistentObjectEngine {
    /// Records a notification of the repository, which may arrive on any thread, while locks are held.
    func noteExternalChange(_ change: PreferenceStoreChange) {
        switch change {
        case .names, .everything, .reported:
            let origin: PreferenceChangeOrigin = if case .reported(_, let origin) = change { origin } else { .external }
            state.withLock { state in
                state.mayHaveChangedExternally = true
                state.externalOrigin = origin
            }
            // The thread that makes the change may hold the lock of its `Preferences`.
            DeferredNotifications.perform { self.loadExternalChanges() }
        case .unreadable(let problem): reporter.report(PreferenceProblem(usingCachedValuesAfter: problem))
        case .problem(let problem): reporter.report(problem)
        }
    }

    /// Loads external changes, unless another thread uses the repository or changes the value in place: that thread does
    /// it when it has finished.
    func loadExternalChanges() {
        while state.withLock({ $0.mayHaveChangedExternally && !$0.isEnded }), !changing.isHeldByThisThread {
            let deferral = DeferredNotifications.begin()
            let isFree = withAccessIfAvailable {
                state.withLock { $0.mayHaveChangedExternally = false }
                do throws(PreferenceProblem) { try loadStoredValue() } catch {}  // Reported already.
            }
            if isFree { deferral.end { self.deliver() } } else { deferral.end() }
            if !isFree || state.withLock({ $0.updateCount > 0 }) { return }
        }
    }

    /// A value that was loaded.
    private struct Loaded {
        let value: Value?
        let snapshot: LoadedSnapshot<Value>
    }

    /// Loads the stored value, adopts it if it has changed, and queues the change for watchers. An update that is running
    /// does that when it ends. The caller must hold `access`.
    ///
    /// - Throws: A problem if it cannot be read, which was reported unless it is the same as before.
    func loadStoredValue() throws(PreferenceProblem) {
        let loaded = try load()
        var isConflict = false
        if !changing.withLockIfAvailable({ isConflict = adopt(loaded) }) {
            state.withLock { $0.mayHaveChangedExternally = true }
        }
        if isConflict { reporter.report(PreferenceProblem(conflictIn: repository)) }
    }

    /// Loads the stored value. The caller must hold `access`.
    ///
    /// - Throws: A problem if it cannot be read, which was reported unless it is the same as before.
    private func load() throws(PreferenceProblem) -> Loaded {
        let lease = ArchiveLease()
        defer { lease.end() }
        do {
            let value = try ArchiveLease.$current.withValue(lease) { try repository.load() }
            return Loaded(value: value, snapshot: LoadedSnapshot(value))
        } catch {
            let problem = PreferenceProblem(loading: repository, failed: error)
            let isNew = state.withLock { state in
                defer { state.loadProblem = problem }
                return state.loadProblem != problem
            }
            if isNew { reporter.report(problem) }
            throw problem
        }
    }

    /// Replaces the value by the stored one if that has changed, and queues the change for watchers. The caller must hold
    /// `changing`, unless the object has an unsaved change, which it keeps.
    ///
    /// - Returns: Whether the object keeps an unsaved change.
    private func adopt(_ loaded: Loaded) -> Bool {
        // The comparison may call the value's own `==`, which must not run while `state` is locked.
        let isSame = state.withLock { $0.lastSnapshot }.isSame(as: loaded.snapshot)
        return state.withLock { state in
            state.loadProblem = nil
            state.mayOverwriteUnreadable = false
            let origin = state.externalOrigin
            state.externalOrigin = .external
            guard !isSame else { return false }
            state.lastSnapshot = loaded.snapshot
            let change = PersistentObjectChange(
                old: state.value?.value,
                new: loaded.value,
                isConflict: state.isChanged,
                origin: origin
            )
            if !change.isConflict { state.value = loaded.value.map { UserReference($0) } }
            for watcher in state.watchers { watcher.queue.add(change) }
            return change.isConflict
        }
    }
}

extension PersistentObjectEngine {
    /// Stores the value if it was changed; during an update on another thread, the value before it.
    ///
    /// - Parameter isLast: Whether a value that cannot be stored now is lost.
    func save(isLast: Bool) throws(PreferenceProblem) {
        guard hasUnsavedChange else { return }
        try checkThatRepositoryIsFree()
        var isDone = false
        while !isDone, hasUnsavedChange {
            let copy: Copy
            do {
                copy = try copyToSave()
            } catch {
                throw PreferenceProblem(saving: repository, failed: error, isLast: isLast)
            }
            try withAccess { () throws(PreferenceProblem) in
                // Another thread may have saved this value, or a later one, in the meantime.
                isDone = hasUnsavedChange && state.withLock { copy.resetCount > $0.savedCount }
                if isDone { try save(copy, isLast: isLast) }
            }
        }
    }

    /// Stores a copy of the value. The caller must hold `access`.
    private func save(_ copy: Copy, isLast: Bool) throws(PreferenceProblem) {
        // The repository may keep the copy, and return it to objects that change it.
        defer { copy.lease.end() }
        var refusal: PreferenceProblem?
        var problem: PreferenceProblem?
        do {
            try repository.save(copy.value) {
                do throws(PreferenceProblem) {
                    try loadBeforeSaving(isLast: isLast)
                } catch {
                    refusal = error
                    throw error
                }
            }
        } catch {
            if let refusal { throw refusal }
            let failure = PreferenceProblem(saving: repository, failed: error, isLast: isLast)
            guard failure.code == .notDurable else { throw failure }
            problem = failure
        }
        state.withLock { state in
            state.lastSnapshot = copy.snapshot
            state.savedCount = copy.resetCount
            state.loadProblem = nil
            state.mayOverwriteUnreadable = false
            // A reset during the save is still unsaved.
            if state.resetCount == copy.resetCount { state.isChanged = false }
        }
        if let problem { throw problem }
    }

    /// Loads the stored value that is about to be overwritten, and reports a conflict.
    private func loadBeforeSaving(isLast: Bool) throws(PreferenceProblem) {
        do throws(PreferenceProblem) {
            // Without `changing`: the store is locked, and an update may be waiting for it.
            if adopt(try load()) { reporter.report(PreferenceProblem(conflictIn: repository)) }
        } catch {
            // A reset after the failure was reported permits overwriting.
            if !state.withLock({ $0.mayOverwriteUnreadable }) {
                throw PreferenceProblem(keeping: error, isLast: isLast)
            }
        }
    }

    /// Refuses to wait for a repository that this thread excludes others from: a thread with `access` may wait for it, or
    /// for the end of an update on this thread.
    private func checkThatRepositoryIsFree() throws(PreferenceProblem) {
        if isInUseByThisThread {
            let message = "this thread is in an update of the object, which is saved after that"
            throw PreferenceProblem(.storeUnwritable, key: repository.name, store: repository.label, message: message)
        }
        do {
            try (repository as? any ThreadExclusiveRepository)?.checkAvailability()
        } catch {
            throw PreferenceProblem(saving: repository, failed: error, isLast: false)
        }
    }

    /// - Parameter loads: Whether to load external changes.
    func synchronize(loads: Bool = true) throws(PreferenceProblem) {
        try checkThatRepositoryIsFree()
        try withAccess { () throws(PreferenceProblem) in
            do {
                try repository.synchronize()
            } catch {
                throw PreferenceProblem(synchronizing: repository, failed: error)
            }
            if loads { try loadStoredValue() }
        }
    }

    /// Saves automatically. A problem is reported, since there is no caller that could catch it.
    ///
    /// - Parameter isLast: Whether a value that cannot be stored now is lost.
    func saveAutomatically(isLast: Bool, _ report: (PreferenceProblem) -> Void) {
        guard isUnsavedHere else { return }
        do throws(PreferenceProblem) {
            try save(isLast: isLast)
        } catch {
            report(error)
        }
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

extension PersistentObjectEngine: ExitSaveable {
    func saveForEnd(isLast: Bool) {
        let report = { (problem: PreferenceProblem) in
            // Streams are not read any more when the process exits.
            if isLast { Self.writeToStandardError(problem) } else { self.reporter.report(problem) }
        }
        saveAutomatically(isLast: isLast, report)
        // The failure was reported.
        if hasUnsavedChange { return }
        do throws(PreferenceProblem) {
            try synchronize(loads: !isLast)
        } catch {
            // An unreadable value has been reported, unless streams are not read any more.
            if isLast || error != state.withLock({ $0.loadProblem }) { report(error) }
        }
    }

    func reportTimeout() {
        Self.writeToStandardError(PreferenceProblem(timeoutOfSaving: repository))
    }

    private static func writeToStandardError(_ problem: PreferenceProblem) {
        ProblemLog.write(problem)
    }
}
