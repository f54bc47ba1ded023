import PreferencesSystem

/// The hooks of some preferences: processors of values, and closures that are called before and after commits.
///
/// Hooks are found by the names that they depend on, so that those of other keys cost nothing.
final class Hooks: Sendable {
    enum Moment {
        case before
        case after
    }

    /// A hook that takes part in the changes of a key.
    struct KeyHook: Sendable {
        var moment: Moment
        /// Reads the key in two views; returns nil if the hook's owner was released.
        var readChange: @Sendable (Preferences, _ old: Transaction, _ new: Transaction) -> KeyChange?
    }

    /// The values of a hook's key before and after a change.
    struct KeyChange {
        /// The entries that the key was read from.
        var entries: Set<PreferenceEntry>
        /// Calls the hook with both values.
        var call: () -> Void
    }

    /// A hook that takes part in the commits of a namespace.
    struct CommitHook: Sendable {
        var moment: Moment
        /// The sets of keys that the hook is called for.
        var scopes: [CommitScope]
        /// The length of the namespace's storage name, so that outer namespaces come first; -1 for all keys.
        var depth: Int
        var call: @Sendable (PreferenceCommit) -> Void

        /// - Parameter namespace: The namespace; nil for all keys.
        init(
            moment: Moment,
            namespace: (any PreferenceNamespace.Type)?,
            call: @escaping @Sendable (PreferenceCommit) -> Void
        ) {
            self.moment = moment
            scopes =
                namespace.map { [.prefix($0.storageName)] + $0.unprefixedStorageNames.map(CommitScope.name) } ?? [.all]
            depth = namespace?.storageName.utf8.count ?? -1
            self.call = call
        }
    }

    /// A set of keys that the hooks of a namespace are called for.
    enum CommitScope: Hashable {
        case all
        /// Keys whose storage names begin with a prefix, which a colon follows.
        case prefix(String)
        /// The key with a storage name.
        case name(String)
    }

    /// A pending call of a hook.
    struct Call {
        let token: UInt64
        /// The changed names that the hook depends on.
        let ids: Set<RecordID>
        /// Calls the hook with the committed names: if there are two stores, one may have failed.
        let body: (Set<RecordID>) -> Void
    }

    typealias Processor = @Sendable (Preferences, Any) -> Any

    private struct State {
        /// The processors, by the names of their entries and by token.
        var processors: [RecordID: [UInt64: UserReference<Processor>]] = [:]
        var keyHooks: [UInt64: UserReference<KeyHook>] = [:]
        /// The names that each key hook depends on, and the reverse.
        var ids: [UInt64: Set<RecordID>] = [:]
        var keyHooksByID: [RecordID: Set<UInt64>] = [:]
        /// Key hooks that may depend on other names by now.
        var staleKeyHooks: Set<UInt64> = []
        var commitHooks: [UInt64: UserReference<CommitHook>] = [:]
        var commitHooksByScope: [CommitScope: Set<UInt64>] = [:]
        /// The hooks of traits that were added.
        var traitHooks: Set<TraitHookID> = []
        /// The types of hooks that were declared, and those whose hooks are still to be added.
        var declaredTypes: Set<ObjectIdentifier> = []
        var pendingTypes: [any PreferenceHooks.Type] = []
        var lastToken: UInt64 = 0
        /// The tokens of the hooks that keys declare, which are called for a commit even if they were added during it.
        var declaredTokens: Set<UInt64> = []
        /// The thread on which a declared type is adding its hooks; nil if none is.
        var declaringThread: UInt?

        /// Records that a key declares a hook, if a declared type is adding it.
        mutating func noteDeclared(_ token: UInt64) {
            if declaringThread == ThreadIdentity.current { declaredTokens.insert(token) }
        }

        /// Whether a hook is called for a commit.
        func takesPart(_ token: UInt64, in agenda: Agenda) -> Bool {
            token <= agenda.lastToken || declaredTokens.contains(token)
        }

        mutating func setIDs(_ new: Set<RecordID>, of token: UInt64) {
            let old = ids[token] ?? []
            ids[token] = new.isEmpty ? nil : new
            for name in old.subtracting(new) { keyHooksByID.remove(token, for: name) }
            for name in new.subtracting(old) { keyHooksByID[name, default: []].insert(token) }
        }
    }

    private let state = LockedReferences(State())
    /// The number of hooks, and of types whose hooks are still to be added.
    private let count = AtomicCounter()
    private let pendingTypeCount = AtomicCounter()

    /// Whether there are no hooks, also none to be added. Takes no lock.
    var isEmpty: Bool { count.isZero }

    // MARK: - Registration

    func addProcessor(of entry: PreferenceEntry, _ process: @escaping Processor) -> PreferenceHook {
        let process = UserReference(process)
        let id = entry.recordID
        return add {
            $0.processors[id, default: [:]][$1] = process
        } removedBy: {
            $0.processors[id]?.removeValue(forKey: $1) != nil
        }
    }

    /// - Parameter ids: The names that the key depends on now.
    func add(_ hook: KeyHook, readFrom ids: Set<RecordID>) -> PreferenceHook {
        let hook = UserReference(hook)
        return add {
            $0.keyHooks[$1] = hook
            $0.setIDs(ids, of: $1)
            $0.noteDeclared($1)
        } removedBy: {
            Self.removeKeyHook($1, from: &$0)
        }
    }

    func add(_ hook: CommitHook) -> PreferenceHook {
        let scopes = hook.scopes
        let hook = UserReference(hook)
        return add {
            $0.commitHooks[$1] = hook
            for scope in scopes { $0.commitHooksByScope[scope, default: []].insert($1) }
            $0.noteDeclared($1)
        } removedBy: {
            for scope in scopes { $0.commitHooksByScope.remove($1, for: scope) }
            $0.declaredTokens.remove($1)
            return $0.commitHooks.removeValue(forKey: $1) != nil
        }
    }

    /// Adds a hook of a trait, unless it was added before.
    ///
    /// - Parameter ids: The names that the key may be stored under.
    func add(_ hook: KeyHook, readFrom ids: Set<RecordID>, once id: TraitHookID) {
        let hook = UserReference(hook)
        count.increment()
        let isNew = state.withLock { state in
            guard state.traitHooks.insert(id).inserted else { return false }
            state.lastToken += 1
            state.keyHooks[state.lastToken] = hook
            state.setIDs(ids, of: state.lastToken)
            state.declaredTokens.insert(state.lastToken)
            return true
        }
        if !isNew { count.decrement() }
    }

    /// Declares hooks, which ``addDeclared(to:)`` adds before the next change. Does nothing if they were declared
    /// before.
    func declare(_ type: any PreferenceHooks.Type) {
        count.increment()
        pendingTypeCount.increment()
        let isNew = state.withLock { state in
            guard state.declaredTypes.insert(ObjectIdentifier(type)).inserted else { return false }
            state.pendingTypes.append(type)
            return true
        }
        if !isNew { endDeclaring() }
    }

    /// Adds the declared hooks. The caller must hold `writing`, so that other threads make no change before they are
    /// added.
    func addDeclared(to preferences: Preferences) {
        guard !pendingTypeCount.isZero else { return }
        while let type = state.withLock({ $0.pendingTypes.isEmpty ? nil : $0.pendingTypes.removeFirst() }) {
            // Other types may be added while this one changes a value.
            let outer = state.withLock { state in
                defer { state.declaringThread = ThreadIdentity.current }
                return state.declaringThread
            }
            AccessTracker.withoutTracking { type.addHooks(to: preferences) }
            state.withLock { $0.declaringThread = outer }
            endDeclaring()
        }
    }

    private func endDeclaring() {
        pendingTypeCount.decrement()
        count.decrement()
    }

    private func add(
        _ insert: (inout State, UInt64) -> Void,
        removedBy remove: @escaping @Sendable (inout State, UInt64) -> Bool
    ) -> PreferenceHook {
        count.increment()
        let token = state.withLock { state in
            state.lastToken += 1
            insert(&state, state.lastToken)
            return state.lastToken
        }
        return PreferenceHook { [weak self] in
            guard let self, state.withLock({ remove(&$0, token) }) else { return }
            count.decrement()
        }
    }

    private func removeKeyHook(_ token: UInt64) {
        if state.withLock({ Self.removeKeyHook(token, from: &$0) }) { count.decrement() }
    }

    private static func removeKeyHook(_ token: UInt64, from state: inout State) -> Bool {
        state.setIDs([], of: token)
        state.staleKeyHooks.remove(token)
        state.declaredTokens.remove(token)
        return state.keyHooks.removeValue(forKey: token) != nil
    }

    /// Causes the key hooks that depend on some names to determine their names again.
    ///
    /// - Parameter ids: The names that may have changed externally; nil for all.
    func markKeyHooksStale(dependingOn ids: [RecordID]?) {
        state.withLock { state in
            if let ids {
                for id in ids { state.staleKeyHooks.formUnion(state.keyHooksByID[id] ?? []) }
            } else {
                state.staleKeyHooks = Set(state.keyHooks.keys)
            }
        }
    }

    // MARK: - Processing

    /// Returns the processed value to set for a key.
    func process<Value>(_ value: Value, of entry: PreferenceEntry, in preferences: Preferences) -> Value {
        let processors = state.withLock { $0.processors[entry.recordID] } ?? [:]
        if processors.isEmpty { return value }
        return processors.sorted { $0.key < $1.key }.reduce(value) { value, processor in
            let process = processor.value.value
            guard let wrapper = value as? any ValueWrapper else {
                return process(preferences, value) as? Value ?? value
            }
            return wrapper.with(process(preferences, wrapper.wrappedAny)) as? Value ?? value
        }
    }

    // MARK: - Calling

    /// The hooks that come before a commit and have not been called yet.
    ///
    /// The hooks of keys come first, in the order of registration, then those of namespaces, the outermost first. Hooks
    /// that are registered later are not called for this commit, except those that keys declare.
    struct Agenda {
        fileprivate let lastToken: UInt64
        /// Sorted in reverse: the next hook is the last one.
        fileprivate var keyHooks: [UInt64] = []
        fileprivate var commitHooks: [CommitHookOrder] = []
        fileprivate var addedTokens: Set<UInt64> = []

        fileprivate init(upTo lastToken: UInt64) {
            self.lastToken = lastToken
        }

        fileprivate mutating func add(keyHooks tokens: some Sequence<UInt64>) {
            keyHooks.merge(tokens.filter { addedTokens.insert($0).inserted }, by: >)
        }

        fileprivate mutating func add(commitHooks orders: some Sequence<CommitHookOrder>) {
            commitHooks.merge(orders.filter { addedTokens.insert($0.token).inserted }, by: >)
        }
    }

    fileprivate struct CommitHookOrder: Comparable {
        var depth: Int
        var token: UInt64

        static func < (first: Self, second: Self) -> Bool {
            (first.depth, first.token) < (second.depth, second.token)
        }
    }

    /// Returns whether any hook may depend on changes.
    func mayConcern(_ changes: [TargetedEdit]) -> Bool {
        state.withLock { state in
            if !state.staleKeyHooks.isEmpty { return true }
            if !state.keyHooks.isEmpty, changes.contains(where: { state.keyHooksByID[$0.record.id] != nil }) {
                return true
            }
            return !state.commitHooks.isEmpty
                && changes.contains { change in
                    change.entry.id.scopes.contains { state.commitHooksByScope[$0] != nil }
                }
        }
    }

    /// Returns the hooks to call before a commit.
    func agenda(of changes: HookedChanges) -> Agenda {
        var agenda = Agenda(upTo: state.withLock { $0.lastToken })
        add(changes.ids, entryIDs: changes.entryIDs, to: &agenda)
        return agenda
    }

    /// Adds the hooks to call before changes of some names.
    func add(_ ids: Set<RecordID>, entryIDs: Set<RecordID>, to agenda: inout Agenda) {
        if ids.isEmpty { return }
        let (keyHooks, commitHooks) = state.withLock { [agenda] state in
            (
                Self.keyHooks(.before, dependingOn: ids, of: agenda, in: state),
                Self.orders(dependingOn: entryIDs, of: agenda, in: state)
            )
        }
        agenda.add(keyHooks: keyHooks)
        agenda.add(commitHooks: commitHooks)
    }

    /// Removes the first hook from an agenda that depends on the current changes.
    func nextCall(from agenda: inout Agenda, for changes: HookedChanges, in preferences: Preferences) -> Call? {
        while let token = agenda.keyHooks.popLast() {
            if let call = call(ofKeyHook: token, changes, in: preferences) { return call }
        }
        while let order = agenda.commitHooks.popLast() {
            if let call = call(ofCommitHook: order.token, .before, changes, in: preferences) { return call }
        }
        return nil
    }

    /// Returns the hooks to call after a commit: those of namespaces, the innermost first, then those of keys.
    func calls(after changes: HookedChanges, of agenda: Agenda, in preferences: Preferences) -> [Call] {
        let (keyHooks, commitHooks) = state.withLock { state in
            (
                Self.keyHooks(.after, dependingOn: changes.ids, of: agenda, in: state),
                Self.orders(dependingOn: changes.entryIDs, of: agenda, in: state)
            )
        }
        return commitHooks.sorted(by: >).compactMap { call(ofCommitHook: $0.token, .after, changes, in: preferences) }
            + keyHooks.sorted().compactMap { call(ofKeyHook: $0, changes, in: preferences) }
    }

    /// Calls hooks, except those that have been cancelled.
    func run(_ calls: [Call], in session: WritingSession, where isDone: (RecordID) -> Bool = { _ in true }) {
        AccessTracker.withoutTracking {
            for call in calls {
                let ids = call.ids.filter(isDone)
                let isRegistered = state.withLock {
                    $0.keyHooks[call.token] != nil || $0.commitHooks[call.token] != nil
                }
                guard !ids.isEmpty, isRegistered else { continue }
                session.runHook(call.token) { call.body(ids) }
            }
        }
    }

    private static func keyHooks(
        _ moment: Moment,
        dependingOn ids: Set<RecordID>,
        of agenda: Agenda,
        in state: State
    ) -> [UInt64] {
        let tokens = ids.reduce(into: state.staleKeyHooks) { $0.formUnion(state.keyHooksByID[$1] ?? []) }
        return tokens.filter { state.keyHooks[$0]?.value.moment == moment && state.takesPart($0, in: agenda) }
    }

    private static func orders(
        dependingOn ids: Set<RecordID>,
        of agenda: Agenda,
        in state: State
    ) -> [CommitHookOrder] {
        if state.commitHooks.isEmpty { return [] }
        let tokens = Set(ids.flatMap(\.scopes)).reduce(into: Set<UInt64>()) {
            $0.formUnion(state.commitHooksByScope[$1] ?? [])
        }
        return tokens.filter { state.takesPart($0, in: agenda) }.compactMap { token in
            state.commitHooks[token].map { CommitHookOrder(depth: $0.value.depth, token: token) }
        }
    }

    private func call(ofKeyHook token: UInt64, _ changes: HookedChanges, in preferences: Preferences) -> Call? {
        // A hook is not called for its own changes.
        if preferences.session.isRunningHook(token) {
            state.withLock { state in if state.keyHooks[token] != nil { state.staleKeyHooks.insert(token) } }
            return nil
        }
        guard let hook = state.withLock({ $0.keyHooks[token] }) else { return nil }
        guard let change = hook.value.readChange(preferences, changes.old, changes.new) else {
            removeKeyHook(token)
            return nil
        }
        let ids = Set(change.entries.flatMap(\.recordIDs))
        state.withLock { state in
            guard state.keyHooks[token] != nil else { return }
            // If the commit fails, the key depends on the earlier names again.
            state.setIDs(ids.union(state.ids[token] ?? []), of: token)
            state.staleKeyHooks.remove(token)
        }
        let changed = ids.intersection(changes.ids)
        return changed.isEmpty ? nil : Call(token: token, ids: changed) { _ in change.call() }
    }

    private func call(
        ofCommitHook token: UInt64,
        _ moment: Moment,
        _ changes: HookedChanges,
        in preferences: Preferences
    ) -> Call? {
        guard let hook = state.withLock({ $0.commitHooks[token] })?.value, hook.moment == moment,
            !preferences.session.isRunningHook(token)
        else { return nil }
        let scopes = Set(hook.scopes)
        let changed = changes.entryIDs.filter { !scopes.isDisjoint(with: $0.scopes) }
        if changed.isEmpty { return nil }
        return Call(token: token, ids: changed) { hook.call(PreferenceCommit(names: Set($0.compactMap(\.name)))) }
    }
}

/// The changes of a commit that hooks observe.
struct HookedChanges {
    /// The names whose values change.
    private(set) var ids: Set<RecordID> = []
    /// The present names of the changed entries.
    private(set) var entryIDs: Set<RecordID> = []
    /// The values before and after the commit.
    let old: Transaction
    private(set) var new: Transaction
    private var changes: [ObjectIdentifier: [TargetedEdit]] = [:]

    /// - Parameter current: Returns the value stored under a name of the main store; nil to ask the store itself.
    init(_ changes: [TargetedEdit], over current: ((_ name: String) throws -> PreferenceValue?)?) {
        old = Transaction(viewOver: current)
        new = Transaction(viewOver: current)
        add(changes)
    }

    /// Adds changes, which replace earlier changes of their names.
    ///
    /// - Returns: The names that did not change before.
    @discardableResult
    mutating func add(
        _ added: [TargetedEdit]
    ) -> (ids: Set<RecordID>, entryIDs: Set<RecordID>) {
        new.add(added)
        var entries: Set<ObjectIdentifier> = []
        for change in added {
            let entry = ObjectIdentifier(change.entry)
            entries.insert(entry)
            let index = changes[entry]?.firstIndex { $0.record === change.record }
            if let index { changes[entry]?[index] = change } else { changes[entry, default: []].append(change) }
        }
        var (newIDs, newEntryIDs): (Set<RecordID>, Set<RecordID>) = ([], [])
        for entry in entries {
            guard let changes = changes[entry], let entryID = changes.first?.entry.id else { continue }
            let isRenameOnly = TargetedEdit.areRenameOnly(changes)
            var isChanged = false
            for change in changes {
                if !change.isRedundant, !isRenameOnly {
                    if ids.insert(change.record.id).inserted { newIDs.insert(change.record.id) }
                    isChanged = true
                } else {
                    ids.remove(change.record.id)
                }
            }
            if !isChanged {
                entryIDs.remove(entryID)
            } else if entryIDs.insert(entryID).inserted {
                newEntryIDs.insert(entryID)
            }
        }
        return (newIDs, newEntryIDs)
    }
}

extension RecordID {
    /// The sets of keys that contain the key of a name.
    fileprivate var scopes: [Hooks.CommitScope] {
        guard let name else { return [.all] }
        return [.all] + name.divisionsAtColons.map { .prefix($0.namespace) } + [.name(name)]
    }
}

extension Dictionary where Value == Set<UInt64> {
    fileprivate mutating func remove(_ token: UInt64, for key: Key) {
        self[key]?.remove(token)
        if self[key]?.isEmpty == true { self[key] = nil }
    }
}

extension Array {
    /// Adds elements to a sorted array.
    fileprivate mutating func merge(_ elements: [Element], by isBefore: (Element, Element) -> Bool) {
        if elements.isEmpty { return }
        append(contentsOf: elements)
        // Takes linear time for the part that is sorted already.
        sort(by: isBefore)
    }
}
