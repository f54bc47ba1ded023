import PreferencesSystem

/// An edit of one name in one of the stores.
struct TargetedEdit {
    let record: KeyRecord
    /// The record of the entry's present name if the edit removes the value of a former name; nil if the caller
    /// requested the edit.
    private let present: KeyRecord?
    /// The position of the record's name among those that the entry is read from.
    private let rank: UInt16
    /// The value that the commit sets, and after the commit, the one that the store returns.
    private(set) var new: PreferenceValue?
    /// The value before; the outer nil if it could not be read, or was not looked up.
    fileprivate(set) var old: PreferenceValue??
    /// Whether `old` was looked up.
    fileprivate private(set) var isOldLoaded = false
    /// Whether the new value could not be read back from the store.
    private var isNewUnreadable = false
    /// Whether to notify watchers after the commit.
    fileprivate private(set) var notifiesWatchers = false

    /// - Parameters:
    ///   - present: The record of the entry's present name if the edit removes the value of a former name.
    ///   - rank: The position of the record's name among those that the entry is read from.
    @inline(__always)
    init(_ record: KeyRecord, _ edit: PreferenceEdit, formerNameOf present: KeyRecord? = nil, rank: Int = 0) {
        self.record = record
        self.present = present
        self.rank = UInt16(rank)
        new = edit.value
    }

    /// The record of the present name of the entry that is changed.
    var entry: KeyRecord { present ?? record }

    /// Whether the caller requested the edit, which is not the removal of a former name.
    var isRequested: Bool { present == nil }

    /// The edit to apply to the store.
    var edit: PreferenceEdit { PreferenceEdit(new) }

    /// Whether the edit leaves the stored value unchanged.
    var isRedundant: Bool { old == .some(new) }

    /// Looks up the old value.
    ///
    /// - Parameter current: Returns the value stored under a name of the main store; nil to ask the store itself.
    fileprivate mutating func readOld(in preferences: Preferences, _ current: Transaction.CurrentValue?) {
        isOldLoaded = true
        do {
            if let current, !record.isAmongSecrets {
                old = .some(try current(record.name))
            } else if let store = preferences.store(of: record) {
                // During another commit of the name, reads return the value that that commit replaces.
                let isChanging = preferences.state.withLock { _ in record.isChanging }
                let location = Preferences.Location(store: store, record: record, isSecret: false)
                old = .some(try isChanging ? store.value(for: record.name) : preferences.value(at: location))
            }
        } catch {
            old = nil
        }
    }

    /// Looks up the old value in the cache, if it is needed. `state` must be locked.
    ///
    /// - Parameters:
    ///   - isNeeded: Whether it is needed, other than to find changes that watchers have missed.
    ///   - usesCache: Whether the cached value is the old one. If not, the store may have another one.
    /// - Returns: Whether the old value was found or is not needed. If not, it has to be read from the store.
    fileprivate mutating func findOldInCache(isNeeded: Bool, usesCache: Bool) -> Bool {
        if isOldLoaded || !isNeeded && (!record.isWatched || usesCache && record.isCachedValueNotified) { return true }
        guard usesCache, let value = record.currentValue else { return false }
        old = value
        isOldLoaded = true
        return true
    }

    /// Begins the change of the record. `state` must be locked.
    ///
    /// It is mutating so that a call does not copy the edit, which would count references.
    ///
    /// - Parameter givesOld: Whether reads return the old value until the change ends.
    /// - Returns: Whether watchers have missed the old value.
    fileprivate mutating func begin(givesOld: Bool) -> Bool {
        record.beginChange(giving: givesOld ? old : nil)
        return isOldLoaded && record.noteMissedChange(old)
    }

    /// Reads the new value back from a store that may return a different value from the one that was set.
    fileprivate mutating func readBack(in preferences: Preferences) {
        guard let store = preferences.store(of: record), !store.supports(.exactValues) else {
            return
        }
        // A failure is reported by the next read of the key.
        do { new = try store.value(for: record.name) } catch { isNewUnreadable = true }
    }

    /// Ends the change of the record.
    ///
    /// - Parameters:
    ///   - state: The state of the preferences, which is locked.
    ///   - isMade: Whether the store has made the edit.
    ///   - staysCurrent: Whether the store notifies of later changes.
    fileprivate mutating func end(in state: inout Preferences.State, isMade: Bool, staysCurrent: Bool) {
        notifiesWatchers = state.endChange(
            of: record,
            from: old,
            to: new,
            isMade: isMade && !isNewUnreadable,
            staysCurrent: staysCurrent
        )
    }

    /// Whether the edits of one entry leave its value unchanged, and only move it from a former name to the present
    /// one.
    ///
    /// - Parameter edits: The edits of one entry, in any order.
    static func areRenameOnly(_ edits: [TargetedEdit]) -> Bool {
        // The first name with a value is the one that was read.
        guard edits.count > 1, let requested = edits.first(where: \.isRequested),
            let old = edits.sorted(by: { $0.rank < $1.rank }).first(where: { $0.old != .some(nil) })
        else { return false }
        return old.old == .some(requested.new)
    }
}

extension PreferenceEdit {
    /// Returns the edits of the names of an entry: the present name is edited, and the former ones are removed.
    func targeted(_ records: [KeyRecord]) -> [TargetedEdit] {
        records.enumerated().map { rank, record in
            rank == 0
                ? TargetedEdit(record, self) : TargetedEdit(record, .remove, formerNameOf: records[0], rank: rank)
        }
    }
}

/// Uncommitted edits, and the steps of their commit.
///
/// The steps run in the order in which they are declared: in ``Preferences/commit(_:)`` one after the other, and for
/// the body of a transaction partly inside the store's `update`.
///
/// Only the thread that holds `writing` accesses it. Accesses are not checked for exclusivity at run time, as in
/// ``WritingSession``.
final class Transaction {
    typealias CurrentValue = (_ name: String) throws -> PreferenceValue?

    /// Returns the value stored under a name of the main store; nil to ask the store itself.
    @exclusivity(unchecked) private(set) var current: CurrentValue?
    /// The edits, at most one for each name, in the order in which the names were changed first.
    @exclusivity(unchecked) private(set) var edits = [TargetedEdit]()
    /// The indices in `edits` by record; nil if they are stored in the records, as by one transaction at a time.
    @exclusivity(unchecked) private var indices: [ObjectIdentifier: Int]?
    /// Whether any edit changes a secret.
    @exclusivity(unchecked) private var changesSecrets = false
    /// The stores that have applied their part of the commit; nil if it has not begun.
    @exclusivity(unchecked) private var progress: Progress?
    /// The hooks to call after the commit.
    @exclusivity(unchecked) private var hooksAfterCommit: [Hooks.Call] = []
    /// The number of changes that were not undone.
    @exclusivity(unchecked) private var changeCount = 0
    /// The changes since the outermost savepoint, with the edits that they replaced, so that inner transactions can be
    /// undone.
    @exclusivity(unchecked) private var log: [(record: KeyRecord, replaced: TargetedEdit?)] = []
    @exclusivity(unchecked) private var savepointCount = 0
    /// The records that were changed, by a change or by undoing one; nil if they are not collected.
    @exclusivity(unchecked) private var touchedRecords: [KeyRecord]?
    /// The first change that was refused.
    @exclusivity(unchecked) var failure: PreferenceProblem?
    /// The problem of a store that could not be read. The transaction must not write values that were derived from
    /// earlier values or defaults.
    @exclusivity(unchecked) var readFailure: PreferenceProblem?
    /// The tracker that was active when the transaction began. It does not receive failures inside the transaction.
    @exclusivity(unchecked) private(set) var observer: AccessTracker?

    /// Creates an empty transaction.
    ///
    /// - Parameter notesIndices: Whether to store the indices in the records.
    init(notesIndices: Bool) {
        if !notesIndices { indices = [:] }
    }

    /// Creates a view of the values before or after edits, for hooks and watchers.
    convenience init(viewOver current: CurrentValue?) {
        self.init(notesIndices: false)
        self.current = current
    }

    /// Whether the indices are stored in the records.
    var notesIndices: Bool { indices == nil }

    /// Runs a body during which the transaction reads from `current`.
    func with<Result>(
        _ current: @escaping CurrentValue,
        observer: AccessTracker?,
        _ body: () throws -> Result
    ) rethrows -> Result {
        self.current = current
        self.observer = observer
        defer {
            self.current = nil
            self.observer = nil
        }
        return try body()
    }

    /// Undoes the edits of an earlier run, except those of secrets, which are committed.
    func restart(in preferences: Preferences) {
        if edits.isEmpty { return }
        finish(in: preferences)
        removeAll()
    }

    /// Removes everything, so that the transaction can be used again.
    func removeAll() {
        if notesIndices { for index in edits.indices { edits[index].record.editIndex = nil } } else { indices = [:] }
        // The next transaction reuses the memory. Most are small.
        edits.removeAll(keepingCapacity: edits.capacity <= 256)
        changesSecrets = false
        progress = nil
        hooksAfterCommit = []
        changeCount = 0
        log = []
        savepointCount = 0
        touchedRecords = nil
        failure = nil
        readFailure = nil
    }

    // MARK: - Edits

    private func index(of record: KeyRecord) -> Int? {
        if let indices { return indices[ObjectIdentifier(record)] }
        return record.editIndex
    }

    private func setIndex(of record: KeyRecord, to index: Int?) {
        if indices == nil { record.editIndex = index } else { indices?[ObjectIdentifier(record)] = index }
    }

    /// Adds edits, each of which replaces an earlier edit of its name.
    func add(_ edits: some Sequence<TargetedEdit>) {
        for edit in edits { add(edit) }
    }

    /// Adds an edit, which replaces an earlier edit of its name.
    @inline(__always)
    func add(_ edit: TargetedEdit) {
        changeCount += 1
        if savepointCount > 0 { log.append((edit.record, index(of: edit.record).map { edits[$0] })) }
        put(edit)
    }

    @inline(__always)
    private func put(_ edit: TargetedEdit) {
        touchedRecords?.append(edit.record)
        if edit.record.isAmongSecrets { changesSecrets = true }
        if let index = index(of: edit.record) {
            edits[index] = edit
        } else {
            setIndex(of: edit.record, to: edits.count)
            edits.append(edit)
        }
    }

    private func undo(_ replaced: TargetedEdit?, of record: KeyRecord) {
        if let replaced { return put(replaced) }
        touchedRecords?.append(record)
        // Edits are undone in the reverse of their order.
        precondition(edits.last?.record === record, "an edit is undone before a later one")
        setIndex(of: record, to: nil)
        edits.removeLast()
        if record.isAmongSecrets { changesSecrets = edits.contains { $0.record.isAmongSecrets } }
    }

    /// The records of the names that the transaction sets.
    var recordsSet: [KeyRecord] { edits.filter { $0.new != nil }.map(\.record) }

    /// Returns the value that the transaction gives to a name; the outer nil if it does not change the name.
    func ownValue(of record: KeyRecord) -> PreferenceValue?? {
        index(of: record).map { edits[$0].new }
    }

    /// Returns the value that a name had when the transaction began.
    func originalValue(of record: KeyRecord, inStore: () throws -> PreferenceValue?) throws -> PreferenceValue? {
        if let current, !record.isAmongSecrets, !record.isFixedState { return try current(record.name) }
        return try inStore()
    }

    /// Returns the value of a name in the main store; the outer nil if the transaction changes it, or if it has to be
    /// read from the store itself.
    func currentValue(of record: KeyRecord) throws -> PreferenceValue?? {
        guard let current, !record.isAmongSecrets, index(of: record) == nil else { return nil }
        return .some(try current(record.name))
    }

    // MARK: - Savepoints

    /// A state of a transaction to which it can be rolled back.
    struct Savepoint {
        fileprivate var logCount = 0
        fileprivate var changeCount = 0
        fileprivate(set) var failure: PreferenceProblem?
        fileprivate(set) var readFailure: PreferenceProblem?
    }

    /// Begins to log changes, until ``release(_:)`` or ``rollBack(to:)``.
    func makeSavepoint() -> Savepoint {
        savepointCount += 1
        return Savepoint(
            logCount: log.count,
            changeCount: changeCount,
            failure: failure,
            readFailure: readFailure
        )
    }

    /// Keeps the changes since a savepoint.
    func release(_ savepoint: Savepoint) {
        savepointCount -= 1
        if savepointCount == 0 { log = [] }
    }

    /// Undoes the changes since a savepoint.
    func rollBack(to savepoint: Savepoint) {
        while log.count > savepoint.logCount, let (record, replaced) = log.popLast() { undo(replaced, of: record) }
        changeCount = savepoint.changeCount
        failure = savepoint.failure
        readFailure = savepoint.readFailure
        release(savepoint)
    }

    /// Returns why the changes since a savepoint, by default all, must not be committed; nil if they can be.
    func refusal(since savepoint: Savepoint = Savepoint()) -> PreferenceProblem? {
        failure ?? (changeCount > savepoint.changeCount ? readFailure : nil)
    }

    // MARK: - Before the commit

    /// Calls the hooks that come before the commit, each once, including those of keys that other hooks set.
    ///
    /// - Parameters:
    ///   - hooksJoin: Whether hooks read and set values in this transaction. If not, their changes are committed before
    ///     it.
    ///   - runHook: Calls a hook.
    func callHooksBeforeCommit<Failure: Error>(
        in preferences: Preferences,
        hooksJoin: Bool = false,
        _ runHook: (Hooks.Call) throws(Failure) -> Void
    ) throws(Failure) {
        let (hooks, session) = (preferences.hooks, preferences.session)
        guard !hooks.isEmpty else { return }
        hooks.addDeclared(to: preferences)
        guard hooks.mayConcern(edits) else { return }
        readOldValues(in: preferences)
        var hooked = HookedChanges(edits, over: current)
        var agenda = hooks.agenda(of: hooked)
        touchedRecords = []
        var hookCommitCount = session.hookCommits.count
        while let call = hooks.nextCall(from: &agenda, for: hooked, in: preferences) {
            let changeCount = session.changeCount
            try runHook(call)
            if session.changeCount == changeCount { continue }
            // Adds the declared hooks of keys that this hook has used first.
            hooks.addDeclared(to: preferences)
            let touched = hooksJoin ? touchedRecords ?? [] : Array(session.hookCommits[hookCommitCount...])
            touchedRecords = []
            hookCommitCount = session.hookCommits.count
            let added: (ids: Set<RecordID>, entryIDs: Set<RecordID>)
            if hooksJoin, touched.contains(where: { index(of: $0) == nil }) {
                // The hook has undone a change. This is rare, so start over.
                readOldValues(in: preferences)
                hooked = HookedChanges(edits, over: current)
                added = (hooked.ids, hooked.entryIDs)
            } else {
                let indices = Set(touched.compactMap(index))
                for index in indices { edits[index].readOld(in: preferences, current) }
                added = hooked.add(indices.map { edits[$0] })
            }
            hooks.add(added.ids, entryIDs: added.entryIDs, to: &agenda)
        }
        hooksAfterCommit = hooks.calls(after: hooked, of: agenda, in: preferences)
    }

    private func readOldValues(in preferences: Preferences) {
        for index in edits.indices where !edits[index].isOldLoaded { edits[index].readOld(in: preferences, current) }
    }

    /// Begins the commit. Until `finish`, reads go to the store, or return the old values if two stores change.
    ///
    /// Watchers are first notified of the changes that they have missed, since the commit replaces these values.
    func begin(in preferences: Preferences) {
        preferences.session.noteCommit(of: edits.lazy.map(\.record))
        // Only edits of two stores, renames and watched names need the old values.
        let needsAllOldValues = edits.count > 1 && (spansTwoStores || edits.contains { !$0.isRequested })
        var missed = preferences.state.withLock { _ in
            beginChanges(usesCache: current == nil, needsAllOldValues: needsAllOldValues)
        }
        if missed == nil {
            readOldValues(in: preferences)
            missed = preferences.state.withLock { _ in
                beginChanges(usesCache: true, needsAllOldValues: false)
            }
        }
        progress = .nothing
        guard let missed, !missed.isEmpty else { return }
        preferences.session.with(current.map { Transaction(viewOver: $0) }, of: preferences) {
            preferences.queueNotifications(ofExternal: missed)
        }
    }

    /// Begins the changes of the records. `state` must be locked.
    ///
    /// - Returns: The records whose watchers have missed a change; nil, with no change begun, if old values have to be
    ///   read first.
    private func beginChanges(usesCache: Bool, needsAllOldValues: Bool) -> [KeyRecord]? {
        for index in edits.indices
        where !edits[index].findOldInCache(isNeeded: needsAllOldValues, usesCache: usesCache) {
            return nil
        }
        let givesOldValues = spansTwoStores
        var missed: [KeyRecord] = []
        for index in edits.indices where edits[index].begin(givesOld: givesOldValues) {
            missed.append(edits[index].record)
        }
        return missed
    }

    private var spansTwoStores: Bool {
        changesSecrets && edits.contains { !$0.record.isAmongSecrets }
    }

    // MARK: - The stores

    /// Returns the edits of the main store, or of the secrets store.
    func batch(ofSecrets: Bool = false, isRequested: Bool = false) -> PreferenceBatch {
        var batch = PreferenceBatch()
        batch.reserveCapacity(edits.count)
        for index in edits.indices {
            let record = edits[index].record
            guard record.isAmongSecrets == ofSecrets, edits[index].isRequested || !isRequested else { continue }
            batch.appendUnique(record.name, edits[index].edit)
        }
        return batch
    }

    /// Applies the edits of secrets. They come first, so that the values which they replace in the main store are
    /// removed only when the secrets are durable, even if the process dies.
    func applySecrets(in preferences: Preferences) throws(PreferenceProblem) {
        guard changesSecrets, let secrets = preferences.redactedSecrets else { return }
        let batch = batch(ofSecrets: true)
        do {
            try preferences.session.applying {
                try secrets.apply(batch, by: preferences.preparation.secretsObservation)
                if edits.contains(where: { !$0.record.isAmongSecrets }) { try secrets.flush() }
            }
        } catch {
            let foundNames = preferences.state.withLock { _ in
                edits.map(\.record).filter { !$0.isOwn }.map(\.name)
            }
            let requested = self.batch(ofSecrets: true, isRequested: true).edits
            let problem = PreferenceProblem(writing: requested, failed: error, in: secrets, hiding: Set(foundNames))
            if problem.code == .notDurable { progress = .secrets }
            throw problem
        }
        progress = .secrets
    }

    /// Notes that the main store has applied its batch.
    func noteApplied() {
        progress = .everything
    }

    /// Notes that the main store has thrown an error.
    ///
    /// - Returns: The problem to throw.
    func noteFailure(_ error: any Error, in preferences: Preferences) -> PreferenceProblem {
        // The store failed before the body of the transaction ran.
        if progress == nil {
            return PreferenceProblem(describing: error, or: .storeUnwritable, key: nil, store: preferences.store.label)
        }
        let requested = batch(isRequested: true).edits
        let problem: PreferenceProblem
        if requested.isEmpty {
            let keys = batch(ofSecrets: true, isRequested: true).map(\.name)
            let names = batch().map(\.name)
            let message = "the former value of a secret cannot be removed there"
            let cause = RedactedError.redact(error, message, in: preferences.store.label) { names.contains($0) }
            problem = PreferenceProblem(removing: names, of: keys, failed: cause, in: preferences.store)
        } else {
            problem = PreferenceProblem(writing: requested, failed: error, in: preferences.store)
        }
        if problem.code == .notDurable { noteApplied() }
        return problem
    }

    // MARK: - After the commit

    /// The stores that have applied their part of a commit.
    private enum Progress {
        case nothing
        case secrets
        case everything
    }

    /// Ends the commit: publishes the new values to reads, queues the notifications of watchers, and calls the hooks
    /// that come after the commit. Does nothing if the commit has not begun.
    ///
    /// Watchers are notified of the committed values even if the stores have others by now: an external change is
    /// notified separately.
    func finish(in preferences: Preferences) {
        guard let progress else { return }
        @inline(__always)
        func isDone(_ edit: TargetedEdit) -> Bool {
            progress == .everything || (progress == .secrets && edit.record.isAmongSecrets)
        }
        if !preferences.hasExactValues || changesSecrets {
            for index in edits.indices where isDone(edits[index]) { edits[index].readBack(in: preferences) }
        }
        let isCurrent = preferences.store.notifiesAllChanges
        let areSecretsCurrent = changesSecrets && preferences.secrets?.notifiesAllChanges == true
        var (notifiesWatchers, isRenaming) = (false, false)
        let hasUncheckedRecords = preferences.state.withLock { state in
            for index in edits.indices {
                let staysCurrent = edits[index].record.isAmongSecrets ? areSecretsCurrent : isCurrent
                edits[index].end(in: &state, isMade: isDone(edits[index]), staysCurrent: staysCurrent)
                if edits[index].notifiesWatchers { notifiesWatchers = true }
                if !edits[index].isRequested { isRenaming = true }
            }
            // Only after all are invalidated: a reader that sees one new value sees them all.
            if preferences.hasExactValues {
                for index in edits.indices where !edits[index].record.isAmongSecrets {
                    edits[index].record.cacheCurrentValue()
                }
            }
            return state.hasUncheckedRecords
        }
        if hasUncheckedRecords { preferences.session.noteUncheckedRecords() }
        if progress == .nothing { return }
        if preferences.reporter.hasOutstandingProblems {
            for edit in edits where isDone(edit) { preferences.reporter.recordChange(of: edit.record.id) }
        }
        // Before the hooks, whose changes are separate ones.
        if notifiesWatchers {
            var changed = edits.filter(\.notifiesWatchers)
            if isRenaming {
                // Watchers are not notified of entries whose value has not changed.
                let entries = Dictionary(grouping: edits) { ObjectIdentifier($0.entry) }
                changed.removeAll { TargetedEdit.areRenameOnly(entries[ObjectIdentifier($0.entry)] ?? []) }
            }
            preferences.queueNotifications(of: changed.map(\.record))
        }
        guard !hooksAfterCommit.isEmpty else { return }
        let done = Set(edits.filter(isDone).flatMap { [$0.record.id, $0.entry.id] })
        preferences.hooks.run(hooksAfterCommit, in: preferences.session, where: done.contains)
    }
}
