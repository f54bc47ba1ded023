import PreferencesSystem

/// An edit of one name in one of the stores.
struct TargetedEdit {
    let record: KeyRecord
    /// The record of the entry's present name, if the edit removes the value of a former one; nil if the caller requested it.
    private let present: KeyRecord?
    /// The position of the record's name among those that the entry is read from.
    private let rank: UInt16
    /// The value that the commit sets, and after the commit, the one that the store gives.
    private(set) var new: PreferenceValue?
    /// The value before; the outer nil if it could not be read, or was not looked up.
    fileprivate(set) var old: PreferenceValue??
    /// Whether `old` was looked up.
    fileprivate private(set) var isOldKnown = false
    /// Whether the store could not be asked for the value that it gives.
    private var isUnknown = false
    /// Whether to notify watchers after the commit.
    fileprivate private(set) var notifiesWatchers = false

    /// - Parameters:
    ///   - present: The record of the entry's present name, if the edit removes the value of a former one.
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

    /// Whether the caller requested the edit, and it is not a former name whose value goes along.
    var isRequested: Bool { present == nil }

    /// The edit of the store.
    var edit: PreferenceEdit { PreferenceEdit(new) }

    /// Whether this leaves the stored value as it is.
    var isRedundant: Bool { old == .some(new) }

    /// Looks up the old value.
    ///
    /// - Parameter current: Returns the value stored under a name of the main store; nil to ask the store itself.
    fileprivate mutating func readOld(in preferences: Preferences, _ current: Transaction.CurrentValue?) {
        isOldKnown = true
        do {
            if let current, !record.isAmongSecrets {
                old = .some(try current(record.name))
            } else if let store = preferences.store(of: record) {
                // In the course of another commit of the name, others read the value that this one has replaced.
                let isChanging = preferences.state.withLock { _ in record.isChanging }
                let location = Preferences.Location(store: store, record: record, isSecret: false)
                old = .some(try isChanging ? store.value(for: record.name) : preferences.value(at: location))
            }
        } catch {
            old = nil
        }
    }

    /// Looks up the old value in the cache, if it is needed. With `state` locked.
    ///
    /// - Parameters:
    ///   - isNeeded: Whether it is needed, other than to find changes that watchers have missed.
    ///   - usesCache: Whether the cached value is the old one. If not, the store may have another one.
    /// - Returns: Whether the old value is there or not needed. If not, the store has to be asked.
    fileprivate mutating func findOldInCache(isNeeded: Bool, usesCache: Bool) -> Bool {
        if isOldKnown || !isNeeded && (!record.isWatched || usesCache && record.isCachedValueNotified) { return true }
        guard usesCache, let value = record.currentValue else { return false }
        old = value
        isOldKnown = true
        return true
    }

    /// Begins the change of the record. With `state` locked.
    ///
    /// It is mutating so that a call does not copy the edit, which would count references.
    ///
    /// - Parameter givesOld: Whether readers are given the old value until the change ends.
    /// - Returns: Whether watchers have missed the old value.
    fileprivate mutating func begin(givesOld: Bool) -> Bool {
        record.beginChange(giving: givesOld ? old : nil)
        return isOldKnown && record.noteMissedChange(old)
    }

    /// Reads the value again, if the store may give another one than was set.
    fileprivate mutating func readBack(in preferences: Preferences) {
        guard let store = preferences.store(of: record), !store.supports(.exactValues) else {
            return
        }
        // A failure is reported by the next read of the key.
        do { new = try store.value(for: record.name) } catch { isUnknown = true }
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
            isMade: isMade && !isUnknown,
            staysCurrent: staysCurrent
        )
    }

    /// Whether the edits of one entry leave what it reads as: its value only moves from a former name to the present one.
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
    /// The edits that an edit of an entry makes of its names: the values of former ones are removed.
    func targeted(_ records: [KeyRecord]) -> [TargetedEdit] {
        records.enumerated().map { rank, record in
            rank == 0
                ? TargetedEdit(record, self) : TargetedEdit(record, .remove, formerNameOf: records[0], rank: rank)
        }
    }
}

/// Edits that were made and not committed yet, over the values that they are to change; and the steps of their commit.
///
/// The steps are taken in the order in which they stand here: by ``Preferences/commit(_:)`` one after the other, and for the body of
/// a transaction some of them inside of the store's `update`.
///
/// Only the thread that holds `writing` accesses it. Accesses are not checked for exclusivity at run time, as of
/// ``WritingSession``.
final class Transaction {
    typealias CurrentValue = (_ name: String) throws -> PreferenceValue?

    /// Returns the value stored under a name of the main store; nil to ask the store itself.
    @exclusivity(unchecked) private(set) var current: CurrentValue?
    /// At most one for each name, in the order in which the names were changed first.
    @exclusivity(unchecked) private(set) var edits = [TargetedEdit]()
    /// The indices in `edits`; nil if they are noted in the records, as by one transaction at a time.
    @exclusivity(unchecked) private var indices: [ObjectIdentifier: Int]?
    /// Whether it has changed secrets.
    @exclusivity(unchecked) private var changesSecrets = false
    /// How far the commit has come; nil if it has not begun.
    @exclusivity(unchecked) private var extent: Extent?
    /// The hooks that are called after the commit.
    @exclusivity(unchecked) private var callsAfter: [Hooks.Call] = []
    /// The number of changes, without those that were undone.
    @exclusivity(unchecked) private var changeCount = 0
    /// The changes since the outermost savepoint, with what they replaced, so that inner transactions can be undone.
    @exclusivity(unchecked) private var log: [(record: KeyRecord, replaced: TargetedEdit?)] = []
    @exclusivity(unchecked) private var savepointCount = 0
    /// The records that were changed, by a change or by undoing one; nil if they are not collected.
    @exclusivity(unchecked) private var touchedRecords: [KeyRecord]?
    /// The first change that was refused.
    @exclusivity(unchecked) var failure: PreferenceProblem?
    /// Why a store could not be read: nothing is written that was made of the values given instead.
    @exclusivity(unchecked) var readFailure: PreferenceProblem?
    /// The probe that was active where the transaction began. What is refused inside the transaction is not its failure.
    @exclusivity(unchecked) private(set) var observer: KeyPathProbe?

    /// Creates an empty transaction.
    ///
    /// - Parameter notesIndices: Whether it notes its indices in the records.
    init(notesIndices: Bool) {
        if !notesIndices { indices = [:] }
    }

    /// Creates a view of the values before or after edits, for hooks and watchers.
    convenience init(viewOver current: CurrentValue?) {
        self.init(notesIndices: false)
        self.current = current
    }

    /// Whether it notes its indices in the records.
    var notesIndices: Bool { indices == nil }

    /// Runs a body while the transaction reads from `current`.
    func with<Result>(
        _ current: @escaping CurrentValue,
        observer: KeyPathProbe?,
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

    /// Makes the transaction an empty one.
    func removeAll() {
        if notesIndices { for index in edits.indices { edits[index].record.editIndex = nil } } else { indices = [:] }
        // Most transactions are small, and the next one uses the memory again.
        edits.removeAll(keepingCapacity: edits.capacity <= 256)
        changesSecrets = false
        extent = nil
        callsAfter = []
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

    /// Adds edits, each of which replaces that of its name.
    func add(_ edits: some Sequence<TargetedEdit>) {
        for edit in edits { add(edit) }
    }

    /// Adds an edit, or replaces that of its name.
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

    /// The records of the names that this transaction sets.
    var recordsSet: [KeyRecord] { edits.filter { $0.new != nil }.map(\.record) }

    /// The value that this transaction gives to a name; the outer nil if it does not change it.
    func ownValue(of record: KeyRecord) -> PreferenceValue?? {
        index(of: record).map { edits[$0].new }
    }

    /// The value that a name had when this began.
    func formerValue(of record: KeyRecord, inStore: () throws -> PreferenceValue?) throws -> PreferenceValue? {
        if let current, !record.isAmongSecrets { return try current(record.name) }
        return try inStore()
    }

    /// The value that a name of the main store has, if this transaction does not change it; the outer nil if it does, or if
    /// the store itself has to be asked.
    func currentValue(of record: KeyRecord) throws -> PreferenceValue?? {
        guard let current, !record.isAmongSecrets, index(of: record) == nil else { return nil }
        return .some(try current(record.name))
    }

    // MARK: - Savepoints

    /// A state to go back to.
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

    /// Why the changes since a savepoint, by default all, are not to be committed; nil if they are.
    func refusal(since savepoint: Savepoint = Savepoint()) -> PreferenceProblem? {
        failure ?? (changeCount > savepoint.changeCount ? readFailure : nil)
    }

    // MARK: - Before the commit

    /// Calls the hooks that come before the commit, each once, and those that what they set concerns.
    ///
    /// - Parameters:
    ///   - hooksJoin: Whether hooks read and set values in this transaction. If not, what they set is committed before it.
    ///   - runHook: Calls a hook.
    func callHooksBefore<Failure: Error>(
        in preferences: Preferences,
        hooksJoin: Bool = false,
        _ runHook: (Hooks.Call) throws(Failure) -> Void
    ) throws(Failure) {
        let (hooks, session) = (preferences.hooks, preferences.session)
        guard !hooks.isEmpty, hooks.mayConcern(edits) else { return }
        readOldValues(in: preferences)
        var hooked = HookedChanges(edits, over: current)
        var agenda = hooks.agenda(of: hooked)
        touchedRecords = []
        var hookCommitCount = session.hookCommits.count
        while let call = hooks.nextCall(from: &agenda, for: hooked, in: preferences) {
            let changeCount = session.changeCount
            try runHook(call)
            if session.changeCount == changeCount { continue }
            let touched = hooksJoin ? touchedRecords ?? [] : Array(session.hookCommits[hookCommitCount...])
            touchedRecords = []
            hookCommitCount = session.hookCommits.count
            let added: (names: Set<ProblemSubject>, entryNames: Set<ProblemSubject>)
            if hooksJoin, touched.contains(where: { index(of: $0) == nil }) {
                // The hook has undone a change, which is rare enough to begin again.
                readOldValues(in: preferences)
                hooked = HookedChanges(edits, over: current)
                added = (hooked.names, hooked.entryNames)
            } else {
                let indices = Set(touched.compactMap(index))
                for index in indices { edits[index].readOld(in: preferences, current) }
                added = hooked.add(indices.map { edits[$0] })
            }
            hooks.add(added.names, entryNames: added.entryNames, to: &agenda)
        }
        callsAfter = hooks.calls(after: hooked, of: agenda, in: preferences)
    }

    private func readOldValues(in preferences: Preferences) {
        for index in edits.indices where !edits[index].isOldKnown { edits[index].readOld(in: preferences, current) }
    }

    /// Makes readers ask the store until `finish`; or where two stores change, gives them the old values.
    ///
    /// Watchers are notified first of the values that the commit replaces, if they have missed any: nobody can read those
    /// afterwards.
    func begin(in preferences: Preferences) {
        preferences.session.noteCommit(of: edits.lazy.map(\.record))
        // Only edits of two stores, renames and watched names need the old values.
        let needsAllOldValues = edits.count > 1 && (isOfTwoStores || edits.contains { !$0.isRequested })
        var missed = preferences.state.withLock { _ in
            beginChanges(usesCache: current == nil, needsAllOldValues: needsAllOldValues)
        }
        if missed == nil {
            readOldValues(in: preferences)
            missed = preferences.state.withLock { _ in
                beginChanges(usesCache: true, needsAllOldValues: false)
            }
        }
        extent = .nothing
        guard let missed, !missed.isEmpty else { return }
        preferences.session.with(current.map { Transaction(viewOver: $0) }, of: preferences) {
            preferences.queueNotifications(of: missed)
        }
    }

    /// Begins the changes of the records. With `state` locked.
    ///
    /// - Returns: The records whose watchers have missed a change; nil, and nothing is begun, if old values have to be read
    ///   first.
    private func beginChanges(usesCache: Bool, needsAllOldValues: Bool) -> [KeyRecord]? {
        for index in edits.indices
        where !edits[index].findOldInCache(isNeeded: needsAllOldValues, usesCache: usesCache) {
            return nil
        }
        let givesOldValues = isOfTwoStores
        var missed: [KeyRecord] = []
        for index in edits.indices where edits[index].begin(givesOld: givesOldValues) {
            missed.append(edits[index].record)
        }
        return missed
    }

    private var isOfTwoStores: Bool {
        changesSecrets && edits.contains { !$0.record.isAmongSecrets }
    }

    // MARK: - The stores

    /// The edits of the main store, or of the secrets store.
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

    /// Secrets come first: what they replace elsewhere is removed only when they are kept, whatever becomes of the process.
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
            if problem.code == .notDurable { extent = .secrets }
            throw problem
        }
        extent = .secrets
    }

    /// Notes that the main store has applied the batch, too.
    func noteApplied() {
        extent = .everything
    }

    /// Notes that the main store has thrown an error, and returns the problem to throw for it.
    func noteFailure(_ error: any Error, in preferences: Preferences) -> PreferenceProblem {
        // The store has failed before the body of the transaction ran.
        if extent == nil {
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

    /// How far a commit has come.
    private enum Extent {
        case nothing
        case secrets
        case everything
    }

    /// Gives readers the new values, calls the hooks that come after a commit, and queues the notifications of watchers.
    ///
    /// Watchers are notified of what was committed, whatever the stores have by now: an external change that has come since
    /// is a change of its own. A transaction whose commit has not begun does nothing.
    func finish(in preferences: Preferences) {
        guard let extent else { return }
        @inline(__always)
        func isDone(_ edit: TargetedEdit) -> Bool {
            extent == .everything || (extent == .secrets && edit.record.isAmongSecrets)
        }
        if !preferences.hasExactValues || changesSecrets {
            for index in edits.indices where isDone(edits[index]) { edits[index].readBack(in: preferences) }
        }
        let isCurrent = preferences.store.notifiesAllChanges
        let areSecretsCurrent = changesSecrets && preferences.secrets?.notifiesAllChanges == true
        var (notifiesWatchers, isRenaming) = (false, false)
        let isUnsettled = preferences.state.withLock { state in
            for index in edits.indices {
                let staysCurrent = edits[index].record.isAmongSecrets ? areSecretsCurrent : isCurrent
                edits[index].end(in: &state, isMade: isDone(edits[index]), staysCurrent: staysCurrent)
                if edits[index].notifiesWatchers { notifiesWatchers = true }
                if !edits[index].isRequested { isRenaming = true }
            }
            // Not before all are invalidated: who sees one new value sees them all.
            if preferences.hasExactValues {
                for index in edits.indices where !edits[index].record.isAmongSecrets {
                    edits[index].record.cacheCurrentValue()
                }
            }
            return state.isUnsettled
        }
        if isUnsettled { preferences.session.noteUnsettled() }
        if extent == .nothing { return }
        if preferences.reporter.hasOutstandingProblems {
            for edit in edits where isDone(edit) { preferences.reporter.noteChanged(edit.record.subject) }
        }
        // Before the hooks: what they set is another change.
        if notifiesWatchers {
            var changed = edits.filter(\.notifiesWatchers)
            if isRenaming {
                // Watchers are not notified of entries that read as before.
                let entries = Dictionary(grouping: edits) { ObjectIdentifier($0.entry) }
                changed.removeAll { TargetedEdit.areRenameOnly(entries[ObjectIdentifier($0.entry)] ?? []) }
            }
            preferences.queueNotifications(of: changed.map(\.record))
        }
        guard !callsAfter.isEmpty else { return }
        let done = Set(edits.filter(isDone).flatMap { [$0.record.subject, $0.entry.subject] })
        preferences.hooks.run(callsAfter, in: preferences.session, where: done.contains)
    }
}
