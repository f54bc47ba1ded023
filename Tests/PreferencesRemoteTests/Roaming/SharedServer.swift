import PreferencesRuntime
import PreferencesSystem

/// The values that several machines share, with the revision of each.
final class SharedServer: Sendable {
    struct State: Sendable {
        var values: [String: PreferenceValue] = [:]
        /// The number of the last change of each name, also of removed ones.
        var revisions: [String: Int] = [:]
        var revision = 0
        /// The names whose values cannot be read.
        var malformedNames: Set<String> = []
        /// Whether the entries of pushes are lost.
        var dropsMarkers = false

        mutating func apply(_ batch: [String: PreferenceEdit]) {
            revision += 1
            for (name, edit) in batch where !dropsMarkers || !name.hasPrefix("::roaming:machine ") {
                values[name] = edit.value
                revisions[name] = revision
                malformedNames.remove(name)
            }
        }
    }

    let state: Locked<State>

    /// - Parameter dropsMarkers: Whether the server loses the entries of pushes, so that a repeated one is not known.
    init(dropsMarkers: Bool = false) {
        state = Locked(State(dropsMarkers: dropsMarkers))
    }

    /// Changes a value by hand.
    func edit(_ name: String, _ value: PreferenceValue?) {
        state.withLock { $0.apply([name: value.map { .set($0) } ?? .remove]) }
    }

    /// Replaces values by ones that cannot be read.
    func damage(_ names: some Sequence<String>) {
        for name in names {
            edit(name, "malformed")
            state.withLock { _ = $0.malformedNames.insert(name) }
        }
    }

    func value(for name: String) -> PreferenceValue? { state.withLock { $0.values[name] } }

    var names: Set<String> { Set(state.withLock { $0.values }.keys) }
}

/// The connection of a process to a ``SharedServer``: reads come from memory, and an update is a compare-and-swap.
final class ServerConnection: WriterExcludingStore {
    /// The fate of updates.
    enum Fault: Sendable {
        /// The server cannot be reached.
        case partition
        /// The server applies the update, but the reply is lost.
        case lostReply
    }

    private struct State: Sendable {
        var view = SharedServer.State()
        var fault: Fault?
        var isUnreadable = false
        var refusedName: String?
        var refusal = PreferenceProblem.Code.unsupportedValue
        var largestBatch = Int.max
        var refusedValue: PreferenceValue?
    }

    let label = "server"
    let notifiesAllChanges = true
    let server: SharedServer
    private let state: Locked<State>
    private let observers = PreferenceStoreObservers()

    init(_ server: SharedServer) {
        self.server = server
        state = Locked(State(view: server.state.withLock { $0 }))
    }

    /// The fate of updates, until it is set again; nil if they succeed.
    var fault: Fault? {
        get { state.withLock { $0.fault } }
        set { state.withLock { $0.fault = newValue } }
    }

    /// Whether reads throw, as those of a store that has never been connected.
    var isUnreadable: Bool {
        get { state.withLock { $0.isUnreadable } }
        set { state.withLock { $0.isUnreadable = newValue } }
    }

    /// The name of a value that the server does not support; `*` for a problem without a name.
    var refusedName: String? {
        get { state.withLock { $0.refusedName } }
        set { state.withLock { $0.refusedName = newValue } }
    }

    /// The code of the problem of a refused value.
    var refusal: PreferenceProblem.Code {
        get { state.withLock { $0.refusal } }
        set { state.withLock { $0.refusal = newValue } }
    }

    /// The number of values that the server accepts in one update, not counting the entries of roaming stores.
    var largestBatch: Int {
        get { state.withLock { $0.largestBatch } }
        set { state.withLock { $0.largestBatch = newValue } }
    }

    /// A value that the server does not support, without saying whose it is.
    var refusedValue: PreferenceValue? {
        get { state.withLock { $0.refusedValue } }
        set { state.withLock { $0.refusedValue = newValue } }
    }

    static let partitionProblem = PreferenceProblem(.storeUnwritable, store: "server", message: "it cannot be reached")

    func value(for name: String) throws -> PreferenceValue? {
        let (view, isUnreadable) = state.withLock { ($0.view, $0.isUnreadable) }
        if isUnreadable { throw PreferenceProblem(.storeUnreadable, store: label, message: "it was never reached") }
        return try value(for: name, in: view)
    }

    private func value(for name: String, in view: SharedServer.State) throws -> PreferenceValue? {
        guard view.malformedNames.contains(name) else { return view.values[name] }
        throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: "the value is malformed")
    }

    func names() -> Set<String> { Set(state.withLock { $0.view.values }.keys) }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observers.add(observer)
    }

    /// Receives the changes of other machines, and notifies observers.
    func receive() {
        let changed = refresh()
        if !changed.isEmpty { observers.notify(.names(changed)) }
    }

    @discardableResult
    private func refresh() -> Set<String> {
        let new = server.state.withLock { $0 }
        return state.withLock { state in
            let changed = new.revisions.filter { state.view.revisions[$0.key] != $0.value }
            state.view = new
            return Set(changed.keys)
        }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        var changed: Set<String> = []
        while true {
            let (view, fault, refusedName) = state.withLock { ($0.view, $0.fault, $0.refusedName) }
            var readNames: Set<String> = []
            let batch = try makeBatch { name in
                readNames.insert(name)
                return try value(for: name, in: view)
            }.edits
            if batch.isEmpty { return }
            if fault == .partition { throw Self.partitionProblem }
            let isRefused = refusedName.map { name in
                batch[name] != nil || (name == "*" && batch.keys.contains { !$0.hasPrefix("::") })
            }
            if isRefused == true {
                let key = refusedName == "*" ? nil : refusedName
                throw PreferenceProblem(refusal, key: key, store: label, message: "it is too large")
            }
            if batch.keys.count(where: { !$0.hasPrefix("::") }) > largestBatch {
                throw PreferenceProblem(.unsupportedValue, store: label, message: "the request is too large")
            }
            if let refusedValue, batch.values.contains(.set(refusedValue)) {
                throw PreferenceProblem(.unsupportedValue, store: label, message: "a value is too large")
            }
            let isApplied = server.state.withLock { state in
                guard readNames.allSatisfy({ state.revisions[$0] == view.revisions[$0] }) else { return false }
                state.apply(batch)
                return true
            }
            if isApplied, fault == .lostReply { throw Self.partitionProblem }
            changed.formUnion(refresh())
            guard isApplied else { continue }
            observers.notify(.names(changed), except: writer)
            return
        }
    }
}

/// A local store whose program can be killed before or after a write.
struct KillableStore: PreferenceStoreAdapter {
    enum Moment: Sendable {
        case beforeWrite
        case afterWrite
        /// The program is not killed, but the write may not survive a power failure.
        case notDurable
    }

    struct Kill: Error {}

    /// The write at which the program is killed: the first, the second, …
    final class Plan: Sendable {
        private let plan = Locked<(writes: Int, moment: Moment)?>(nil)

        func kill(_ moment: Moment, ofWrite number: Int) {
            plan.withLock { $0 = (number, moment) }
        }

        func cancel() {
            plan.withLock { $0 = nil }
        }

        private let lastWasWritten = Locked(false)

        /// Whether the last write was made, even if the program was killed after it.
        var wasWritten: Bool {
            get { lastWasWritten.withLock { $0 } }
            set { lastWasWritten.withLock { $0 = newValue } }
        }

        func next() -> Moment? {
            plan.withLock { plan in
                guard let (writes, moment) = plan else { return nil }
                plan = writes > 1 ? (writes - 1, moment) : nil
                return writes > 1 ? nil : moment
            }
        }
    }

    let base: any PreferenceStore
    let plan: Plan

    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try update(by: writer) { _ in batch }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        let moment = plan.next()
        plan.wasWritten = false
        try base.commit(by: nil) { current in
            let batch = try withoutActuallyEscaping(current) { try makeBatch($0) }
            if moment == .beforeWrite { throw Kill() }
            return batch
        }
        plan.wasWritten = true
        if moment == .afterWrite { throw Kill() }
        if moment == .notDurable { throw PreferenceProblem(.notDurable, store: label, message: "the disk is slow") }
    }
}
