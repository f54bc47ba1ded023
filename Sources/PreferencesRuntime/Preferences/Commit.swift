/// An edit of one name in one of the stores.
struct TargetedEdit {
    let record: KeyRecord
    /// The record of the present name of the entry that is changed.
    let entry: KeyRecord
    /// The position of the record's name among those that the entry is read from.
    private let rank: UInt16
    /// The value that the commit sets, and after the commit, the one that the store gives.
    private(set) var new: PreferenceValue?
    /// The value before; the outer nil if it could not be read, or was not looked up.
    fileprivate(set) var old: PreferenceValue??
    /// Whether `old` was looked up.
    fileprivate var isOldKnown = false
    /// Whether the store could not be asked for that value.
    fileprivate private(set) var isUnknown = false
    /// Whether to notify watchers after the commit.
    fileprivate var isNews = false

    @inline(__always)
    init(_ record: KeyRecord, _ edit: PreferenceEdit, of entry: KeyRecord, rank: Int = 0) {
        self.record = record
        self.entry = entry
        self.rank = UInt16(rank)
        new = edit.value
    }

    /// Whether the caller requested the edit, and it is not a former name whose value goes along.
    var isRequested: Bool { record === entry }

    /// The edit of the store.
    var edit: PreferenceEdit { PreferenceEdit(new) }

    /// Whether this leaves the stored value as it is.
    var isRedundant: Bool { old == .some(new) }

    /// Looks up the old value.
    ///
    /// - Parameter current: Returns the value stored under a name of the main store; nil to ask the store itself.
    fileprivate mutating func readOld(in preferences: Preferences, _ current: Commit.CurrentValue?) {
        isOldKnown = true
        do {
            if let current, !record.isAmongSecrets {
                old = .some(try current(record.name))
            } else if let store = preferences.store(of: record) {
                old = .some(
                    try preferences.value(at: Preferences.Location(store: store, record: record, isSecret: false))
                )
            }
        } catch {
            old = nil
        }
    }

    /// Reads the value again, if the store may give another one than was set.
    fileprivate mutating func readBack(in preferences: Preferences) {
        guard record.isAmongSecrets || !preferences.hasPlainStore, let store = preferences.store(of: record),
            store.lacks.contains(.exactValues)
        else { return }
        // A failure is reported by the next read of the key.
        do { new = try store.value(for: record.name) } catch { isUnknown = true }
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
            TargetedEdit(record, rank == 0 ? self : .remove, of: records[0], rank: rank)
        }
    }
}

/// Edits that are committed to the stores together.
///
/// Its steps are taken in the order in which they stand here, with `writing` held: by ``Preferences/commit(_:caching:)`` one
/// after the other, and by a transaction some of them inside of the store's `update`. ``Preferences/commitAlone(_:of:caching:)``
/// takes those that a single edit needs.
struct Commit {
    typealias CurrentValue = (_ name: String) throws -> PreferenceValue?

    private let preferences: Preferences
    /// At most one for each name.
    private var edits: [TargetedEdit]
    /// The hooks that are called after the commit.
    private var callsAfter: [Hooks.Call] = []

    /// - Parameter edits: At most one for each name.
    init(_ edits: [TargetedEdit], in preferences: Preferences) {
        self.preferences = preferences
        self.edits = edits
        preferences.session.forgetReads(of: edits)
    }

    // MARK: - Before

    /// Calls the hooks that come before the commit, each once, and those that what they set concerns.
    ///
    /// - Parameters:
    ///   - transaction: The transaction that is committed, of which what hooks set is a part; nil where that is committed
    ///     before this commit.
    ///   - current: Returns the value stored under a name of the main store; nil to ask the store itself.
    ///   - runHook: Calls a hook.
    mutating func callHooksBefore<Failure: Error>(
        in transaction: Transaction? = nil,
        current: CurrentValue? = nil,
        _ runHook: (Hooks.Call) throws(Failure) -> Void
    ) throws(Failure) {
        let (hooks, session) = (preferences.hooks, preferences.session)
        guard !hooks.isEmpty, hooks.mayConcern(edits) else { return }
        readOldValues(current)
        var hooked = HookedChanges(edits, over: current)
        var agenda = hooks.agenda(of: hooked)
        var indices = self.indices
        transaction?.tracksTouchedRecords = true
        var hookCommitCount = session.hookCommits.count
        while let call = hooks.nextCall(from: &agenda, for: hooked, in: preferences) {
            let changeCount = session.changeCount
            try runHook(call)
            if session.changeCount == changeCount { continue }
            let added: (names: Set<ProblemSubject>, entryNames: Set<ProblemSubject>)
            if let transaction {
                added = add(
                    transaction.takeTouchedRecords(),
                    of: transaction,
                    to: &hooked,
                    &indices,
                    current: current
                )
            } else {
                // The hook may have set names of this commit.
                let committed = session.hookCommits[hookCommitCount...].compactMap { indices[ObjectIdentifier($0)] }
                hookCommitCount = session.hookCommits.count
                for index in committed { edits[index].readOld(in: preferences, current) }
                added = hooked.add(committed.map { edits[$0] })
            }
            hooks.add(added.names, entryNames: added.entryNames, to: &agenda)
        }
        callsAfter = hooks.calls(after: hooked, of: agenda, in: preferences)
    }

    private mutating func readOldValues(_ current: CurrentValue?) {
        for index in edits.indices where !edits[index].isOldKnown { edits[index].readOld(in: preferences, current) }
    }

    /// The indices of the edits, by record.
    private var indices: [ObjectIdentifier: Int] {
        Dictionary(uniqueKeysWithValues: edits.indices.map { (ObjectIdentifier(edits[$0].record), $0) })
    }

    /// Adds what a hook has changed in the transaction.
    private mutating func add(
        _ records: [KeyRecord],
        of transaction: Transaction,
        to hooked: inout HookedChanges,
        _ indices: inout [ObjectIdentifier: Int],
        current: CurrentValue?
    ) -> (names: Set<ProblemSubject>, entryNames: Set<ProblemSubject>) {
        var added: [ObjectIdentifier: TargetedEdit] = [:]
        for record in records {
            guard var edit = transaction.edit(of: record) else {
                // The hook has undone a change, which is rare enough to begin again.
                self = Commit(transaction.edits, in: preferences)
                readOldValues(current)
                hooked = HookedChanges(edits, over: current)
                indices = self.indices
                return (hooked.names, hooked.entryNames)
            }
            edit.readOld(in: preferences, current)
            added[ObjectIdentifier(record)] = edit
        }
        preferences.session.forgetReads(of: added.values)
        for (id, edit) in added {
            if let index = indices[id] {
                edits[index] = edit
            } else {
                indices[id] = edits.count
                edits.append(edit)
            }
        }
        return hooked.add(Array(added.values))
    }

    /// Makes readers ask the store until `finish`; or where two stores change, gives them the old values.
    ///
    /// Watchers are notified first of the values that the commit replaces, if they have missed any: nobody can read those
    /// afterwards.
    ///
    /// - Parameter current: Returns the value stored under a name of the main store; nil to ask the store itself.
    mutating func begin(current: CurrentValue? = nil) {
        // Only edits of two stores, renames and watched names need the old values.
        let needsAllOldValues = edits.count > 1 && (isOfTwoStores || edits.contains { !$0.isRequested })
        var missed = preferences.state.withLock { _ in
            beginChanges(canReadOldValues: current == nil, needsAllOldValues: needsAllOldValues)
        }
        if missed == nil {
            readOldValues(current)
            missed = preferences.state.withLock { _ in
                beginChanges(canReadOldValues: true, needsAllOldValues: false)
            }
        }
        guard let missed, !missed.isEmpty else { return }
        preferences.session.with(current.map { Transaction(viewOver: $0) }, of: preferences) {
            preferences.queueNotifications(of: missed)
        }
    }

    /// Begins the changes of the records. With `state` locked.
    ///
    /// - Returns: The records whose watchers have missed a change; nil, and nothing is begun, if old values have to be read
    ///   first.
    private mutating func beginChanges(canReadOldValues: Bool, needsAllOldValues: Bool) -> [KeyRecord]? {
        for index in edits.indices
        where !edits[index].isOldKnown && (needsAllOldValues || edits[index].record.isWatched) {
            guard canReadOldValues, let known = edits[index].record.known else { return nil }
            edits[index].old = known
            edits[index].isOldKnown = true
        }
        let givesOldValues = isOfTwoStores
        var missed: [KeyRecord] = []
        // In place: copying an edit counts references.
        for index in edits.indices {
            let record = edits[index].record
            record.beginChange(giving: givesOldValues ? edits[index].old : nil)
            if edits[index].isOldKnown, record.noteMissedChange(edits[index].old) { missed.append(record) }
        }
        return missed
    }

    private var isOfTwoStores: Bool {
        edits.count > 1 && edits.contains(where: \.record.isAmongSecrets) && !edits.allSatisfy(\.record.isAmongSecrets)
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
    func applySecrets() throws(PreferenceProblem) {
        guard let secrets = preferences.redactedSecrets, edits.contains(where: \.record.isAmongSecrets) else { return }
        let batch = batch(ofSecrets: true)
        let outer = preferences.session.beginApplying(batch, to: secrets, areSecrets: true)
        defer { preferences.session.endApplying(outer) }
        do {
            try secrets.apply(batch, by: preferences.preparation.secretsObservation)
            if edits.contains(where: { !$0.record.isAmongSecrets }) { try secrets.flush() }
        } catch {
            let foundNames = preferences.state.withLock { _ in
                edits.map(\.record).filter { !$0.isOwn }.map(\.name)
            }
            let requested = self.batch(ofSecrets: true, isRequested: true).edits
            throw PreferenceProblem(writing: requested, failed: error, in: secrets, hiding: Set(foundNames))
        }
    }

    /// The problem to throw for an error of the main store.
    func problem(_ error: any Error) -> PreferenceProblem {
        let requested = batch(isRequested: true).edits
        guard requested.isEmpty else {
            return PreferenceProblem(writing: requested, failed: error, in: preferences.store)
        }
        let keys = batch(ofSecrets: true, isRequested: true).map(\.name)
        let names = batch().map(\.name)
        let message = "the former value of a secret cannot be removed there"
        let cause = RedactedError.redact(error, message, in: preferences.store.label) { names.contains($0) }
        return PreferenceProblem(removing: names, of: keys, failed: cause, in: preferences.store)
    }

    // MARK: - After

    /// How far a commit has come.
    enum Extent {
        case nothing
        case secrets
        case everything
    }

    /// Gives readers the new values, calls the hooks that come after a commit, and queues the notifications of watchers.
    ///
    /// Watchers are notified of what was committed, whatever the stores have by now: an external change that has come since
    /// is a change of its own.
    ///
    /// - Parameter cacheValues: Caches values that were set, with `state` locked.
    mutating func finish(_ extent: Extent, caching cacheValues: () -> Void = {}) {
        let preferences = preferences
        @inline(__always)
        func isDone(_ edit: TargetedEdit) -> Bool {
            extent == .everything || (extent == .secrets && edit.record.isAmongSecrets)
        }
        let isCurrent = preferences.store.tellsAllChanges
        let areSecretsCurrent = preferences.secrets?.tellsAllChanges ?? false
        for index in edits.indices where isDone(edits[index]) { edits[index].readBack(in: preferences) }
        var hasNews = false
        let isUnsettled = preferences.state.withLock { state in
            for index in edits.indices {
                let record = edits[index].record
                edits[index].isNews = state.endChange(
                    of: record,
                    from: edits[index].old,
                    to: edits[index].new,
                    isMade: isDone(edits[index]) && !edits[index].isUnknown,
                    staysCurrent: record.isAmongSecrets ? areSecretsCurrent : isCurrent
                )
                if edits[index].isNews { hasNews = true }
            }
            // Not before all are invalidated: who sees one new value sees them all.
            cacheValues()
            if preferences.hasPlainStore {
                for index in edits.indices where isDone(edits[index]) && !edits[index].record.isAmongSecrets {
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
        if hasNews { preferences.queueNotifications(of: changedRecords) }
        guard !callsAfter.isEmpty else { return }
        let done = Set(edits.filter(isDone).flatMap { [$0.record.subject, $0.entry.subject] })
        preferences.hooks.run(callsAfter, in: preferences.session, where: done.contains)
    }

    /// The records of which watchers are to be notified, except where their entries read as before.
    private var changedRecords: [KeyRecord] {
        let news = edits.lazy.filter(\.isNews)
        // Nearly always: no former name goes along.
        if edits.allSatisfy(\.isRequested) { return news.map(\.record) }
        let entries = Dictionary(grouping: edits) { ObjectIdentifier($0.entry) }
        return news.filter { !TargetedEdit.areRenameOnly(entries[ObjectIdentifier($0.entry)] ?? []) }.map(\.record)
    }
}

extension Preferences {
    /// Commits edits: those of one store all or none. With `writing` held.
    ///
    /// - Parameter cacheValues: Caches values that were set. Called with `state` locked, when the edits are made.
    func commit(
        _ edits: [TargetedEdit],
        caching cacheValues: () -> Void = {}
    ) throws(PreferenceProblem) {
        try preparation.runBeforeChange(of: self)
        for index in edits.indices { session.noteCommit(of: edits[index].record) }
        var commit = Commit(edits, in: self)
        commit.callHooksBefore { hooks.run([$0], in: session) }
        commit.begin()
        var extent = Commit.Extent.nothing
        defer { commit.finish(extent, caching: cacheValues) }
        do throws(PreferenceProblem) {
            try commit.applySecrets()
        } catch {
            if error.code == .notDurable { extent = .secrets }
            throw error
        }
        extent = .secrets
        let batch = commit.batch()
        if !batch.isEmpty {
            let outer = session.beginApplying(batch, to: store)
            defer { session.endApplying(outer) }
            do {
                try apply(batch)
            } catch {
                let problem = commit.problem(error)
                if problem.code == .notDurable { extent = .everything }
                throw problem
            }
        }
        extent = .everything
    }

    /// Commits the edit of a key that was never renamed, if nothing else takes part: no hook, no transaction, no secret, and no old
    /// value that has to be read.
    ///
    /// It takes the steps of a ``Commit`` that it needs, with two locks of `state` and no allocation.
    ///
    /// - Parameter cacheValue: Caches the value that was set. Called with `state` locked, when the edit is made.
    /// - Returns: Whether it was committed.
    func commitAlone(
        _ edit: PreferenceEdit,
        of record: KeyRecord,
        caching cacheValue: () -> Void
    ) throws(PreferenceProblem) -> Bool {
        guard hooks.isEmpty, !record.isAmongSecrets, hasPlainStore else { return false }
        prepare()
        guard preparation.isComplete else { return false }
        let deferral = DeferredNotifications.begin()
        var notifications: PendingNotifications?
        var isBegun = false
        defer {
            if let notifications { deliver(notifications, ending: deferral) } else { deferral.end() }
        }
        try writing.withLockUnlessHeld { () throws(PreferenceProblem) in
            session.open()
            defer { notifications = session.close() }
            guard let start = beginAlone(record) else { return }
            isBegun = true
            if start.isMissed { queueNotifications(of: CollectionOfOne(record)) }
            var isMade = false
            defer { finishAlone(record, edit, from: start.old, isMade: isMade, caching: cacheValue) }
            session.isApplying = true
            defer { session.isApplying = false }
            do {
                try apply(PreferenceBatch(record.name, edit))
                isMade = true
            } catch {
                let problem = PreferenceProblem(writing: [record.name: edit], failed: error, in: store)
                isMade = problem.code == .notDurable
                throw problem
            }
        }
        return isBegun
    }

    /// Begins a single edit.
    ///
    /// - Returns: The value that watchers know, and whether they have missed it; nil if it has to be read first.
    private func beginAlone(_ record: KeyRecord) -> (old: PreferenceValue??, isMissed: Bool)? {
        state.withLock { _ in
            // The old value is needed only to find missed changes, and these watchers have missed none.
            if !record.isWatched || record.isCachedValueNotified {
                record.beginChange(giving: nil)
                return (nil, false)
            }
            guard let known = record.known else { return nil }
            defer { record.beginChange(giving: nil) }
            return (known, record.noteMissedChange(known))
        }
    }

    /// Finishes a single edit, as ``Commit/finish(_:caching:)`` does.
    private func finishAlone(
        _ record: KeyRecord,
        _ edit: PreferenceEdit,
        from old: PreferenceValue??,
        isMade: Bool,
        caching cacheValue: () -> Void
    ) {
        let isCurrent = store.tellsAllChanges
        let (isNews, isUnsettled) = state.withLock { state in
            let isNews = state.endChange(of: record, from: old, to: edit.value, isMade: isMade, staysCurrent: isCurrent)
            if isMade, case .set = edit, record.hasCurrentValue { cacheValue() }
            return (isNews, state.isUnsettled)
        }
        if isUnsettled { session.noteUnsettled() }
        if isMade, reporter.hasOutstandingProblems { reporter.noteChanged(record.subject) }
        if isNews { queueNotifications(of: CollectionOfOne(record)) }
    }

    /// Queues notifications for the watchers of names that have changed. With `writing` held.
    ///
    /// - Parameters:
    ///   - reader: A watched value that was read from the changes; nil for none.
    ///   - token: The last watcher to notify: later ones have read the changes.
    func queueNotifications(
        of records: some Collection<KeyRecord>,
        except reader: WatchedValue? = nil,
        upTo token: UInt64 = .max
    ) {
        guard !records.isEmpty else { return }
        session.forgetReads(of: records)
        addWaiting(of: records, except: reader, upTo: token)
        lookAtWaitingWatchers()
    }

    /// Queues notifications for the watched values that have to be read, unless another one is being read: it is done after
    /// that.
    func lookAtWaitingWatchers() {
        session.forEachWaiting { $0.look(in: self, upTo: $1) }
    }

    /// Notes the external changes that a look has read, and that watchers were not notified of yet.
    func noteMissedChanges(in look: WritingSession.Look) -> [KeyRecord] {
        if look.values.isEmpty { return [] }
        return state.withLock { _ in
            look.values.values.filter { $0.record.noteMissedChange($0.value) }.map(\.record)
        }
    }

    /// Adds the watched values of records that have changed to those that have to be read; and those of what else has changed
    /// of what these read, in stores that do not notify of all changes.
    private func addWaiting(
        of records: some Collection<KeyRecord>,
        except reader: WatchedValue?,
        upTo token: UInt64
    ) {
        func add(_ record: KeyRecord) -> RegistrationList<WatchedValue> {
            let (values, last) = state.withLock { (record.watchedValues, $0.watchers.lastToken) }
            session.addWaiting(values, upTo: min(token, last), except: reader)
            if isObserved { record.tracker.map(session.add) }
            return values
        }
        let hasSilentStore = !store.tellsAllChanges || secrets?.tellsAllChanges == false
        guard hasSilentStore else {
            // Nearly always.
            for record in records { _ = add(record) }
            return
        }
        var changed = Array(records)
        var known = Set(records.map(ObjectIdentifier.init))
        var count = 0
        while count < changed.count {
            let values = add(changed[count])
            count += 1
            for record in values.flatMap({ value in state.withLock { _ in value.records } })
            where known.insert(ObjectIdentifier(record)).inserted && hasMissedChange(record) { changed.append(record) }
        }
    }

    /// Whether a store has changed a name without a notification; it is notified of now.
    private func hasMissedChange(_ record: KeyRecord) -> Bool {
        guard let store = store(of: record), !store.tellsAllChanges else { return false }
        do {
            let value = try value(at: Location(store: store, record: record, isSecret: record.isAmongSecrets))
            return state.withLock { _ in record.noteMissedChange(value) }
        } catch {
            // The watcher's own read reports it.
            return false
        }
    }
}
