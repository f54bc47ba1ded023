import Foundation
import PreferencesRuntime
import PreferencesSystem

@testable import PreferencesRemote

/// A machine that shares values with others by a server.
struct RoamingMachine {
    let local: MemoryStore
    let connection: ServerConnection
    let store: RoamingStore
    let clock: Clock

    static let rules: [String: PreferenceMergeRule] = [
        "last": .last, "other": .last, "union": .union, "max": .max, "min": .min, "sum": .sum, "ask": .ask,
    ]

    /// Creates a machine, or another process of a machine.
    ///
    /// - Parameters:
    ///   - local: The local store of the machine.
    ///   - plan: When the program is killed.
    ///   - declared: The names that are shared, and their rules.
    init(
        _ server: SharedServer,
        local: MemoryStore = MemoryStore(),
        plan: KillableStore.Plan? = nil,
        time: Double = 1_800_000_000,
        declaring declared: [String: PreferenceMergeRule] = rules,
        runLater: (@Sendable (Duration, @escaping @Sendable () -> Void) -> Void)? = nil
    ) {
        self.local = local
        let clock = Clock(time)
        connection = ServerConnection(server)
        var mechanism = RoamingStore.Mechanism()
        mechanism.now = { Date(timeIntervalSince1970: clock.time) }
        mechanism.runLater = runLater
        store = RoamingStore(
            local: plan.map { KillableStore(base: local, plan: $0) } ?? local,
            shared: [.user: connection],
            synchronizesAutomatically: runLater != nil,
            mechanism: mechanism
        )
        self.clock = clock
        declare(declared)
    }

    /// A clock that shows what it is set to, in seconds since 1970.
    final class Clock: Sendable {
        private let state: Locked<Double>

        init(_ time: Double) { state = Locked(time) }

        var time: Double {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    func declare(_ rules: [String: PreferenceMergeRule]) {
        for (name, rule) in rules { store.declareShared(name, formerNames: [], scope: .user, mergeRule: rule) }
    }

    subscript(name: String) -> PreferenceValue? {
        get throws { try store.value(for: name) }
    }

    func set(_ name: String, _ value: PreferenceValue?) throws {
        try store.apply([name: value.map { .set($0) } ?? .remove])
    }

    /// Receives the changes of other machines, and synchronizes.
    func synchronize() throws {
        connection.receive()
        try store.synchronize()
    }
}
