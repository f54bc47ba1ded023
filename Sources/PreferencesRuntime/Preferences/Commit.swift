/// A batch of changes being committed to the stores.
///
/// Its steps are taken in the order in which they stand here, with `writing` held: by ``Preferences/commit(_:)`` one after
/// the other, and by a transaction some of them inside of the store's `update`.
struct Commit {
    /// A change of one name.
    final class Change {
        let edit: PlacedEdit
        /// The value before; the outer nil if it could not be read.
        let old: PreferenceValue??
        /// Whether to notify watchers after the commit.
        var isNews = false
        /// Whether a commit inside of this one has changed the name again.
        var isReplaced = false

        init(_ edit: PlacedEdit, old: PreferenceValue??) {
            self.edit = edit
            self.old = old
            new = edit.edit.value
        }

        var name: StoredName { edit.name }

        /// The value that the commit sets, and after the commit, the one that the store gives.
        private(set) var new: PreferenceValue?
        /// Whether the store could not be asked for that value.
        private(set) var isUnknown = false

        /// Reads the value again, if the store may give another one than was set.
        func readBack(in preferences: Preferences) {
            guard let store = preferences.store(of: name),
                store.lacks.contains(.exactValues)
            else { return }
            // A failure is reported by the next read of the key.
            do { new = try store.value(for: name.name) } catch { isUnknown = true }
        }

        /// Whether the changes of one entry leave what it reads as: its value only moves from a former name to the present
        /// one.
        ///
        /// - Parameter changes: The changes, in the order in which the entry's names are looked at.
        static func areRenameOnly(_ changes: [Change]) -> Bool {
            // The first name with a value is the one that was read.
            guard changes.count > 1, let asked = changes.first(where: \.edit.isAsked),
                let old = changes.first(where: { $0.old != .some(nil) })
            else { return false }
            return old.old == .some(asked.new)
        }
    }

    private let preferences: Preferences
    /// At most one for each name.
    private var changes: [Change]
    /// The hooks that are called after the commit.
    private var callsAfter: [Hooks.Call] = []

    /// - Parameters:
    ///   - edits: At most one for each name.
    ///   - current: Gives the value kept under a name of the main store; nil to ask the store itself.
    init(
        _ edits: [PlacedEdit],
        in preferences: Preferences,
        current: ((_ name: String) throws -> PreferenceValue?)? = nil
    ) {
        self.preferences = preferences
        preferences.session.forgetReads(of: edits.lazy.map(\.name))
        changes = edits.map { Change($0, old: Self.value(of: $0.name, in: preferences, current: current)) }
    }

    private static func value(
        of name: StoredName,
        in preferences: Preferences,
        current: ((_ name: String) throws -> PreferenceValue?)?
    ) -> PreferenceValue?? {
        do {
            if let current, !name.isAmongSecrets { return .some(try current(name.name)) }
            guard let store = preferences.store(of: name) else { return nil }
            return .some(try preferences.value(at: Preferences.Location(store: store, name: name, isSecret: false)))
        } catch {
            return nil
        }
    }

    // MARK: - Before

    /// Calls the hooks that come before the commit, each once, and those that what they set concerns.
    ///
    /// - Parameters:
    ///   - transaction: The transaction that is committed, of which what hooks set is a part; nil where that is committed
    ///     before this commit.
    ///   - current: Gives the value kept under a name of the main store; nil to ask the store itself.
    ///   - runHook: Calls a hook.
    mutating func callHooksBefore<Failure: Error>(
        in transaction: Transaction? = nil,
        current: ((_ name: String) throws -> PreferenceValue?)? = nil,
        _ runHook: (Hooks.Call) throws(Failure) -> Void
    ) throws(Failure) {
        let (hooks, session) = (preferences.hooks, preferences.session)
        guard !hooks.isEmpty, hooks.mayConcern(changes) else { return }
        var hooked = HookedChanges(changes, over: current)
        var agenda = hooks.agenda(of: hooked)
        var indices = self.indices
        var touchedCount = transaction?.touchedNames.count ?? 0
        var hookCommitCount = session.hookCommits.count
        while let call = hooks.nextCall(from: &agenda, for: hooked, in: preferences) {
            let changeCount = session.changeCount
            try runHook(call)
            if session.changeCount == changeCount { continue }
            let added: (names: Set<ProblemSubject>, entryNames: Set<ProblemSubject>)
            if let transaction {
                added = add(
                    transaction.touchedNames[touchedCount...],
                    of: transaction,
                    to: &hooked,
                    &indices,
                    current: current
                )
                touchedCount = transaction.touchedNames.count
            } else {
                // The hook may have set names of this commit.
                let committed = session.hookCommits[hookCommitCount...].compactMap { indices[ObjectIdentifier($0)] }
                hookCommitCount = session.hookCommits.count
                for index in committed {
                    let edit = changes[index].edit
                    changes[index] = Change(edit, old: Self.value(of: edit.name, in: preferences, current: current))
                }
                added = hooked.add(committed.map { changes[$0] })
            }
            hooks.add(added.names, entryNames: added.entryNames, to: &agenda)
        }
        callsAfter = hooks.calls(after: hooked, of: agenda, in: preferences)
    }

    /// The indices of the changes, by name.
    private var indices: [ObjectIdentifier: Int] {
        Dictionary(uniqueKeysWithValues: changes.indices.map { (ObjectIdentifier(changes[$0].name), $0) })
    }

    /// Adds what a hook has changed in the transaction.
    private mutating func add(
        _ names: ArraySlice<StoredName>,
        of transaction: Transaction,
        to hooked: inout HookedChanges,
        _ indices: inout [ObjectIdentifier: Int],
        current: ((_ name: String) throws -> PreferenceValue?)?
    ) -> (names: Set<ProblemSubject>, entryNames: Set<ProblemSubject>) {
        var added: [ObjectIdentifier: Change] = [:]
        for name in names {
            guard let edit = transaction.edit(of: name) else {
                // The hook has undone a change, which is rare enough to begin again.
                self = Commit(transaction.edits, in: preferences, current: current)
                hooked = HookedChanges(changes, over: current)
                indices = self.indices
                return (hooked.names, hooked.entryNames)
            }
            added[ObjectIdentifier(name)] = Change(
                edit,
                old: Self.value(of: name, in: preferences, current: current)
            )
        }
        for (id, change) in added {
            if let index = indices[id] {
                changes[index] = change
            } else {
                indices[id] = changes.count
                changes.append(change)
            }
        }
        return hooked.add(Array(added.values))
    }

    /// Causes readers to ask the store until `finish`; or where two stores change, gives them the old values.
    ///
    /// Watchers are notified first of the values that the commit replaces, if they have missed any: nobody can read those
    /// afterwards.
    ///
    /// - Parameter current: Gives the value kept under a name of the main store; nil to ask the store itself.
    func begin(current: ((_ name: String) throws -> PreferenceValue?)? = nil) {
        let isOfTwoStores =
            changes.contains(where: \.name.isAmongSecrets) && !changes.allSatisfy(\.name.isAmongSecrets)
        let missed = preferences.state.withLock { _ in
            for change in changes { change.name.beginChange(giving: isOfTwoStores ? change.old : nil) }
            return changes.filter { $0.name.noteMissedChange($0.old) }.map(\.name)
        }
        if missed.isEmpty { return }
        preferences.session.with(current.map { Transaction(current: $0) }, of: preferences) {
            preferences.queueNotifications(of: missed)
        }
    }

    // MARK: - The stores

    /// What becomes of the names of the main store, or of those of the secrets store.
    func batch(ofSecrets: Bool = false, isAsked: Bool = false) -> [String: PreferenceEdit] {
        var batch = [String: PreferenceEdit](minimumCapacity: changes.count)
        for change in changes where change.name.isAmongSecrets == ofSecrets && (change.edit.isAsked || !isAsked) {
            batch[change.name.name] = change.edit.edit
        }
        return batch
    }

    /// Secrets come first: what they replace elsewhere is removed only when they are kept, whatever becomes of the process.
    func applySecrets() throws(PreferenceProblem) {
        guard let secrets = preferences.redactedSecrets, changes.contains(where: \.name.isAmongSecrets) else { return }
        let batch = batch(ofSecrets: true)
        let outer = preferences.session.exchangeBatch(.init(batch, areSecrets: true))
        defer { preferences.session.exchangeBatch(outer) }
        do {
            try secrets.apply(batch)
            if changes.contains(where: { !$0.name.isAmongSecrets }) { try secrets.flush() }
        } catch {
            let foundNames = preferences.state.withLock { _ in changes.map(\.name).filter { !$0.isOwn }.map(\.name) }
            let asked = self.batch(ofSecrets: true, isAsked: true)
            throw PreferenceProblem(writing: asked, failed: error, in: secrets, hiding: Set(foundNames))
        }
    }

    /// What an error of the main store means for these changes.
    func problem(_ error: any Error) -> PreferenceProblem {
        let asked = batch(isAsked: true)
        guard asked.isEmpty else { return PreferenceProblem(writing: asked, failed: error, in: preferences.store) }
        let keys = Array(batch(ofSecrets: true, isAsked: true).keys)
        let names = batch().keys
        let message = "the former value of a secret cannot be removed there"
        let cause = RedactedError.redact(error, message, in: preferences.store.label) { names.contains($0) }
        return PreferenceProblem(removing: Array(names), of: keys, failed: cause, in: preferences.store)
    }

    // MARK: - After

    /// How far a commit has come.
    enum Extent {
        case nothing
        case secrets
        case everything
    }

    /// Gives readers what there is now, calls the hooks that come after a commit, and notes which watchers to notify.
    ///
    /// Watchers are notified of what was committed, whatever the stores have by now: an external change that has come since
    /// is a change of its own.
    func finish(_ extent: Extent) {
        let preferences = preferences
        let isTold = preferences.store.tellsAllChanges
        let areSecretsTold = preferences.secrets?.tellsAllChanges ?? false
        func isDone(_ change: Change) -> Bool {
            extent == .everything || (extent == .secrets && change.name.isAmongSecrets)
        }
        for change in changes where isDone(change) { change.readBack(in: preferences) }
        preferences.state.withLock { state in
            // All is forgotten before anything is remembered: who sees one new value sees them all.
            for change in changes {
                let new: PreferenceValue?? = isDone(change) && !change.isUnknown ? .some(change.new) : nil
                let isNews = new != nil && change.name.isNews(change.new, after: change.old)
                let staysCurrent = change.name.isAmongSecrets ? areSecretsTold : isTold
                let outcome = change.name.endChange(to: new, staysCurrent: staysCurrent)
                if outcome != .stands, change.name.isWatched {
                    state.overtaken[ObjectIdentifier(change.name)] = change.name
                }
                change.isReplaced = outcome == .replaced
                change.isNews = isNews && !change.isReplaced
            }
        }
        guard changes.contains(where: isDone) else { return }
        for change in changes where isDone(change) { preferences.reporter.noteChanged(change.name.subject) }
        // Before the hooks: what they set is another change.
        preferences.queueNotifications(of: changed(\.isNews).map(\.name))
        guard !callsAfter.isEmpty else { return }
        let done = Set(changes.filter(isDone).flatMap { [$0.name.subject, $0.edit.entryName.subject] })
        preferences.hooks.run(callsAfter, in: preferences.session, where: done.contains)
    }

    /// Those changes of some after which their entries read as others.
    private func changed(_ isIncluded: (Change) -> Bool) -> [Change] {
        let changed = changes.filter(isIncluded)
        // As of nearly all, where no name goes along with another.
        if changes.allSatisfy(\.edit.isAsked) { return changed }
        let entries = Dictionary(grouping: changes) { ObjectIdentifier($0.edit.entryName) }
        return changed.filter { change in
            let entry = entries[ObjectIdentifier(change.edit.entryName)] ?? []
            return !Change.areRenameOnly(entry)
        }
    }
}

extension Preferences {
    /// Makes changes: of one store all or none. With `writing` held.
    func commit(_ edits: [PlacedEdit]) throws(PreferenceProblem) {
        try preparation.runBeforeChange(of: self)
        session.noteCommit(of: edits)
        var commit = Commit(edits, in: self)
        commit.callHooksBefore { hooks.run([$0], in: session) }
        commit.begin()
        var extent = Commit.Extent.nothing
        defer { commit.finish(extent) }
        do throws(PreferenceProblem) {
            try commit.applySecrets()
        } catch {
            if error.code == .notDurable { extent = .secrets }
            throw error
        }
        extent = .secrets
        let batch = commit.batch()
        if !batch.isEmpty {
            let outer = session.exchangeBatch(.init(batch))
            defer { session.exchangeBatch(outer) }
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

    /// Queues notifications for the watchers of names that have changed. With `writing` held.
    ///
    /// - Parameter reader: A watcher that has read the changes.
    func queueNotifications(of names: [StoredName], except reader: PreferenceWatcher? = nil) {
        guard !names.isEmpty else { return }
        session.forgetReads(of: names)
        var (watchers, changed) = watchers(of: names)
        if let reader { watchers[reader.registration.token] = nil }
        session.addWaiting(watchers)
        for name in changed { name.tracker.map(session.add) }
        lookAtWaitingWatchers()
    }

    /// Queues notifications for the watchers that have to look, unless another one is looking: it is done after that.
    func lookAtWaitingWatchers() {
        session.forEachWaiting { if $0.look(in: self) { session.add($0) } }
    }

    /// Notes the external changes that a look has read, and that watchers were not notified of yet.
    func noteMissedChanges(in look: WritingSession.Look) -> [StoredName] {
        state.withLock { _ in look.values.values.compactMap { $0.name.noteMissedChange($0.value) ? $0.name : nil } }
    }

    /// The watchers of names that have changed, with those of what else has changed of what these watchers read, in stores
    /// that do not notify of all changes.
    private func watchers(of names: [StoredName]) -> ([UInt64: PreferenceWatcher], names: [StoredName]) {
        let hasSilentStore = !store.tellsAllChanges || secrets?.tellsAllChanges == false
        // Nearly always.
        if names.count == 1, !hasSilentStore { return (state.withLock { _ in names[0].watchers }, names) }
        var watchers: [UInt64: PreferenceWatcher] = [:]
        var changed = names
        var known = Set(names.map(ObjectIdentifier.init))
        var count = 0
        while count < changed.count {
            let new = state.withLock { _ in changed[count].watchers }.filter { watchers[$0.key] == nil }
            count += 1
            watchers.merge(new) { first, _ in first }
            guard hasSilentStore else { continue }
            for name in new.values.lazy.flatMap(\.names)
            where known.insert(ObjectIdentifier(name)).inserted && hasMissedChange(name) { changed.append(name) }
        }
        return (watchers, changed)
    }

    /// Whether a store has changed a name without a notification; it is notified of now.
    private func hasMissedChange(_ name: StoredName) -> Bool {
        guard let store = store(of: name), !store.tellsAllChanges else { return false }
        do {
            let value = try value(at: Location(store: store, name: name, isSecret: name.isAmongSecrets))
            return state.withLock { _ in name.noteMissedChange(value) }
        } catch {
            // The watcher's own read reports it.
            return false
        }
    }
}
