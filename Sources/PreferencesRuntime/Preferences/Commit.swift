/// Changes of names on their way into the stores.
///
/// Its steps are taken in the order in which they stand here, with `writing` held: by ``Preferences/commit(_:)`` one after
/// the other, and by a transaction some of them inside of the store's `update`.
struct Commit {
    /// A change of one name. An object, as it is looked at many times, and copying its values takes longer than that.
    final class Change {
        let edit: PlacedEdit
        /// What the name had before; the outer nil: it could not be read.
        let old: PreferenceValue??
        /// Whether to notify watchers after the commit.
        var isNews = false

        init(_ edit: PlacedEdit, old: PreferenceValue??) {
            self.edit = edit
            self.old = old
        }

        var name: StoredName { edit.name }

        var new: PreferenceValue? { edit.edit.value }
    }

    private let preferences: Preferences
    private let changes: [Change]
    /// Those that come after the commit.
    private var callsAfter: [Hooks.Call] = []

    /// - Parameters:
    ///   - edits: At most one for each name.
    ///   - current: Gives what is kept under a name of the main store; nil to ask the store itself.
    private init(
        _ edits: [PlacedEdit],
        in preferences: Preferences,
        current: ((_ name: String) throws -> PreferenceValue?)?
    ) {
        self.preferences = preferences
        changes = edits.map { Change($0, old: Self.value(of: $0.name, in: preferences, current: current)) }
    }

    private static func value(
        of name: StoredName,
        in preferences: Preferences,
        current: ((_ name: String) throws -> PreferenceValue?)?
    ) -> PreferenceValue?? {
        do {
            if let current, !name.isAmongSecrets { return .some(try current(name.name)) }
            guard let store = name.isAmongSecrets ? preferences.secrets : preferences.store else { return nil }
            return .some(try preferences.value(at: Preferences.Location(store: store, name: name, isSecret: false)))
        } catch {
            return nil
        }
    }

    // MARK: - Before

    /// Calls the hooks that come before a commit, each once, and those of what others of them have set with it.
    ///
    /// - Parameters:
    ///   - edits: Gives what is to be changed, at most one for each name: what hooks set may be part of it.
    ///   - current: Gives what is kept under a name of the main store; nil to ask the store itself.
    ///   - runHook: Calls a hook.
    init<Failure: Error>(
        of edits: () -> [PlacedEdit],
        in preferences: Preferences,
        current: ((_ name: String) throws -> PreferenceValue?)? = nil,
        _ runHook: (Hooks.Call) throws(Failure) -> Void
    ) throws(Failure) {
        self.init(edits(), in: preferences, current: current)
        let (hooks, session) = (preferences.hooks, preferences.session)
        if hooks.isEmpty { return }
        let last = hooks.lastToken
        var called: Set<UInt64> = []
        var changes = hookChanges(over: current)
        while let call = hooks.nextCall(before: changes, in: preferences, upTo: last, except: &called) {
            let changeCount = session.changeCount
            try runHook(call)
            if session.changeCount == changeCount { continue }
            // It has set keys of this commit, or others.
            self.init(edits(), in: preferences, current: current)
            changes = hookChanges(over: current)
        }
        callsAfter = hooks.calls(after: changes, in: preferences, upTo: last)
    }

    private func hookChanges(over current: ((_ name: String) throws -> PreferenceValue?)?) -> Hooks.Changes {
        let changed = self.changed { $0.old != .some($0.new) }
        let (old, new) = (Transaction(current: current), Transaction(current: current))
        new.add(changes.map(\.edit))
        return Hooks.Changes(
            names: Set(changed.map(\.name.subject)),
            entryNames: Set(changed.map(\.edit.entryName.subject)),
            old: old,
            new: new
        )
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
            return changes.filter { $0.name.tellMissed($0.old) }.map(\.name)
        }
        if missed.isEmpty { return }
        preferences.session.with(current.map { Transaction(current: $0) }, of: preferences) {
            preferences.tell(of: missed)
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
        guard let secrets = preferences.secrets, changes.contains(where: \.name.isAmongSecrets) else { return }
        let batch = batch(ofSecrets: true)
        let outer = preferences.session.exchangeBatch(.init(batch, areSecrets: true))
        defer { preferences.session.exchangeBatch(outer) }
        do {
            try secrets.apply(batch)
            if changes.contains(where: { !$0.name.isAmongSecrets }) { try secrets.flush() }
        } catch {
            let cause = PreferenceProblem.withoutContents(
                error,
                ofValue: "its value, which is secret, cannot be kept there"
            )
            throw PreferenceProblem(writing: self.batch(ofSecrets: true, isAsked: true), failed: cause, in: secrets)
        }
    }

    /// What an error of the main store means for these changes.
    func problem(_ error: any Error) -> PreferenceProblem {
        let asked = batch(isAsked: true)
        guard asked.isEmpty else { return PreferenceProblem(writing: asked, failed: error, in: preferences.store) }
        let keys = Array(batch(ofSecrets: true, isAsked: true).keys)
        return PreferenceProblem(removing: Array(batch().keys), of: keys, failed: error, in: preferences.store)
    }

    // MARK: - After

    /// How far a commit has come.
    enum Extent {
        case nothing
        case secrets
        case everything
    }

    /// Gives readers what there is now, calls the hooks that come after a commit, and notes who is to hear of it.
    func finish(_ extent: Extent) {
        let preferences = preferences
        let isTold = preferences.store.tellsAllChanges
        let areSecretsTold = preferences.secrets?.tellsAllChanges ?? false
        func isDone(_ change: Change) -> Bool {
            extent == .everything || (extent == .secrets && change.name.isAmongSecrets)
        }
        preferences.state.withLock { state in
            // All is forgotten before anything is remembered: who sees one new value sees them all.
            for change in changes {
                let isNews = isDone(change) && change.name.isNews(change.new, after: change.old)
                let new: PreferenceValue?? = isDone(change) ? .some(change.new) : nil
                let staysCurrent = change.name.isAmongSecrets ? areSecretsTold : isTold
                let isOvertaken = change.name.endChange(to: new, staysCurrent: staysCurrent)
                if isOvertaken, change.name.isWatched { state.overtaken[ObjectIdentifier(change.name)] = change.name }
                change.isNews = isNews && !isOvertaken
            }
        }
        guard changes.contains(where: isDone) else { return }
        for change in changes where isDone(change) { preferences.reporter.noteChanged(change.name.subject) }
        // Before the hooks: what they set is another change.
        preferences.tell(of: changed(\.isNews).map(\.name))
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
            return !Self.isRenameOnly(entry)
        }
    }

    /// Whether an entry reads as before: its value has only come from a former name, or gone to the present one.
    ///
    /// - Parameter changes: Those of the entry, in the order in which its names are looked at.
    private static func isRenameOnly(_ changes: [Change]) -> Bool {
        // The first that has a value is the one that was read.
        guard changes.count > 1, let asked = changes.first(where: \.edit.isAsked),
            let old = changes.first(where: { $0.old != .some(nil) })
        else { return false }
        return old.old == .some(asked.new)
    }
}

extension Preferences {
    /// Makes changes: of one store all or none. With `writing` held.
    func commit(_ edits: [PlacedEdit]) throws(PreferenceProblem) {
        try preparation.runBeforeChange(of: self)
        session.noteChange()
        let commit = Commit(of: { edits }, in: self) { hooks.run([$0], in: session) }
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

    /// Notes that the watchers of names are to hear of a change. With `writing` held.
    func tell(of names: [StoredName]) {
        guard !names.isEmpty else { return }
        let watchers = state.withLock { _ -> [UInt64: PreferenceWatcher] in
            // Nearly always one name, with few watchers or none.
            guard names.count > 1 else { return names[0].watchers }
            return names.reduce(into: [:]) { watchers, name in watchers.merge(name.watchers) { first, _ in first } }
        }
        if !watchers.isEmpty {
            for (_, watcher) in watchers.sorted(by: { $0.key < $1.key }) where watcher.look(in: self) {
                session.add(watcher)
            }
        }
        for name in names { name.tracker.map(session.add) }
    }
}
