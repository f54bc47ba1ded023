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

        init(_ edit: PlacedEdit, old: PreferenceValue??) {
            self.edit = edit
            self.old = old
        }

        var name: StoredName { edit.name }

        var new: PreferenceValue? {
            switch edit.edit {
            case .set(let value): value
            case .remove: nil
            }
        }
    }

    private let preferences: Preferences
    private let changes: [Change]
    /// Those that come after the commit.
    private let hooks: Hooks.Calls?

    /// - Parameters:
    ///   - edits: At most one for each name.
    ///   - hooks: Those that were called before.
    ///   - current: Gives what is kept under a name of the main store; nil to ask the store itself.
    init(
        _ edits: [PlacedEdit],
        in preferences: Preferences,
        after hooks: Hooks.Calls? = nil,
        current: ((_ name: String) throws -> PreferenceValue?)? = nil
    ) {
        self.preferences = preferences
        self.hooks = hooks
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

    /// The hooks that take part.
    func hookCalls(over current: ((_ name: String) throws -> PreferenceValue?)? = nil) -> Hooks.Calls? {
        if preferences.hooks.isEmpty { return nil }
        let names = Set(changedNames { _ in true }.map(\.subject))
        return preferences.hooks.calls(forChangesOf: names, by: changes.map(\.edit), in: preferences, over: current)
    }

    /// Has readers ask the store, until `finish`.
    func begin() {
        preferences.state.withLock { _ in
            for change in changes { change.name.beginChange() }
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

    /// Secrets come first: what they replace elsewhere is removed only when they are kept.
    func applySecrets() throws(PreferenceProblem) {
        guard let secrets = preferences.secrets, changes.contains(where: \.name.isAmongSecrets) else { return }
        let batch = batch(ofSecrets: true)
        preferences.session.setBatch(batch, isOfSecrets: true)
        defer { preferences.session.setBatch([:]) }
        do {
            try secrets.apply(batch)
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
                let new: PreferenceValue?? = isDone(change) ? .some(change.new) : nil
                let staysCurrent = change.name.isAmongSecrets ? areSecretsTold : isTold
                if change.name.endChange(to: new, staysCurrent: staysCurrent) {
                    state.overtaken[ObjectIdentifier(change.name)] = change.name
                }
            }
        }
        guard changes.contains(where: isDone) else { return }
        for change in changes where isDone(change) { preferences.reporter.noteChanged(change.name.subject) }
        // Before the hooks: what they set is another change.
        preferences.tell(of: changedNames(where: isDone))
        hooks?.after { subject in changes.contains { $0.name.subject == subject && isDone($0) } }
    }

    /// The names whose values are others now.
    private func changedNames(where isDone: (Change) -> Bool) -> [StoredName] {
        var names: [StoredName] = []
        for change in changes where isDone(change) && change.old != .some(change.new) {
            if !isMereMove(change) { names.append(change.name) }
        }
        return names
    }

    /// Whether the name's entry reads as before: its value has only come from a former name, or gone to the present one.
    private func isMereMove(_ change: Change) -> Bool {
        guard changes.count > 1 else { return false }
        let entry = changes.filter { $0.edit.entryName === change.edit.entryName }
        guard entry.count > 1, let asked = entry.first(where: \.edit.isAsked) else { return false }
        // The first that has a value is the one that was read.
        guard let old = entry.first(where: { $0.old != .some(nil) }) else { return false }
        return old.old == .some(asked.new)
    }
}

extension Preferences {
    /// Makes changes: of one store all or none. With `writing` held.
    func commit(_ edits: [PlacedEdit]) throws(PreferenceProblem) {
        try preparation.runBeforeChange(of: self)
        var commit = Commit(edits, in: self)
        if let calls = commit.hookCalls() {
            calls.before()
            // They may have set keys of this commit.
            commit = Commit(edits, in: self, after: calls)
        }
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
            session.setBatch(batch)
            defer { session.setBatch([:]) }
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
