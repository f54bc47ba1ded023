import Foundation
import PreferencesRuntime
import PreferencesSystem
import StoreTestSupport
import Testing

@testable import PreferencesRemote

struct RoamingStoreTests {
    private let server = SharedServer()

    // MARK: - Where values live

    @Test("Names that are not shared stay in the local store under their own names")
    func unsharedNamesStayLocal() throws {
        let machine = RoamingMachine(server)
        machine.store.declareShared("own", formerNames: [], scope: .machine, mergeRule: .last)
        machine.store.declareShared("fleet", formerNames: [], scope: .fleet, mergeRule: .last)
        try machine.store.apply(["own": .set(1), "fleet": .set(2), "undeclared": .set(3)])
        try machine.synchronize()
        #expect(machine.local.names() == ["own", "fleet", "undeclared"])
        #expect(server.names == [])
        #expect(try machine.store.source(of: "own")?.description == "memory")
    }

    @Test("A change of a shared name is written to the local store alone, and moved by the next synchronization")
    func changeIsPending() throws {
        let machine = RoamingMachine(server)
        try machine.set("last", "kelvin")
        #expect(server.names == [])
        #expect(machine.local.names() == ["::roaming state", "::roaming:last"])
        #expect(try machine["last"] == "kelvin")
        #expect(try machine.store.names() == ["last"])
        #expect(try machine.store.pendingNames() == ["last"])
        #expect(try machine.store.source(of: "last")?.description == "memory, not shared with server yet")
        try machine.synchronize()
        #expect(server.value(for: "last") == "kelvin")
        #expect(machine.local.names() == ["::roaming state"])
        #expect(try machine["last"] == "kelvin")
        #expect(try machine.store.names() == ["last"])
        #expect(try machine.store.pendingNames() == [])
        #expect(try machine.store.source(of: "last")?.description == "server")
    }

    @Test("A removal is pending, too")
    func removalIsPending() throws {
        let machine = RoamingMachine(server)
        try machine.set("last", 1)
        try machine.synchronize()
        try machine.set("last", nil)
        #expect(try machine["last"] == nil)
        #expect(try machine.store.source(of: "last") == nil)
        #expect(try machine.store.names() == [])
        #expect(server.value(for: "last") == 1)
        try machine.synchronize()
        #expect(server.value(for: "last") == nil)
        try machine.set("last", nil)
        #expect(try machine.store.pendingNames() == [], "there is nothing to remove")
    }

    @Test("The names of the store's own entries are neither read nor written")
    func ownNamesAreHidden() throws {
        let machine = RoamingMachine(server)
        try machine.set("last", 1)
        #expect(try machine["::roaming:last"] == nil)
        #expect(try machine.store.source(of: "::roaming state") == nil)
        let refused = #expect(throws: PreferenceProblem.self) { try machine.set("::roaming:last", 1) }
        #expect(
            refused?.description
                == "memory roaming with server: '::roaming:last': names that begin with '::roaming' are reserved for "
                + "changes that are not shared yet"
        )
        #expect(throws: PreferenceProblem.self) { try machine.store.apply(["last": .set(2), "::roaming": .set(1)]) }
        #expect(try machine["last"] == 1)
    }

    @Test("Names may begin with a combining character")
    func namesMayBeginWithCombiningCharacters() throws {
        let machine = RoamingMachine(server, declaring: ["\u{301}a": .last])
        try machine.set("\u{301}a", 1)
        #expect(try machine.store.names() == ["\u{301}a"])
        try machine.synchronize()
        #expect(server.value(for: "\u{301}a") == 1)
    }

    @Test("Former names are shared with the name")
    func formerNamesAreShared() throws {
        let machine = RoamingMachine(server)
        machine.store.declareShared("new", formerNames: ["old"], scope: .user, mergeRule: .last)
        try machine.set("old", 1)
        try machine.synchronize()
        #expect(server.value(for: "old") == 1)
    }

    @Test("A shared store that cannot be read does not hide pending changes, nor prevent new ones")
    func unreadableStoreHidesNothing() throws {
        let machine = RoamingMachine(server)
        machine.connection.isUnreadable = true
        let problem = #expect(throws: PreferenceProblem.self) { try machine["sum"] }
        #expect(problem?.description == "server: it was never reached")
        #expect(throws: PreferenceProblem.self) { try machine.store.source(of: "sum") }
        try machine.set("sum", 2)
        #expect(try machine["sum"] == 2)
        server.edit("sum", 5)
        machine.connection.isUnreadable = false
        try machine.synchronize()
        #expect(try machine["sum"] == 7)
    }

    @Test("An update reads pending changes, and runs its closure once")
    func updateReadsPendingChanges() throws {
        let machine = RoamingMachine(server, local: ["own": 1])
        server.edit("last", 2)
        machine.connection.receive()
        try machine.set("sum", 3)
        var found: [PreferenceValue?] = []
        try machine.store.update { current in
            found += try ["own", "last", "sum", "max", "::roaming:sum"].map(current)
            return ["own": .set(4), "sum": .set(5)]
        }
        #expect(found == [1, 2, 3, nil, nil])
        #expect(try machine["sum"] == 5)
        #expect(machine.local.value(for: "own") == 4)
    }

    @Test("Journal entries are human-readable")
    func entriesAreReadable() throws {
        server.edit("last", "celsius")
        let machine = RoamingMachine(server)
        try machine.set("last", "kelvin")
        guard case .dictionary(var entry)? = machine.local.value(for: "::roaming:last"),
            case .dictionary(var stamp)? = entry["stamp"]
        else {
            Issue.record("there is no entry")
            return
        }
        #expect(stamp.removeValue(forKey: "machine") != nil)
        entry["stamp"] = .dictionary(stamp)
        let time = PreferenceValue.date(Date(timeIntervalSince1970: 1_800_000_000))
        #expect(
            entry == [
                "value": "kelvin", "scope": "user", "merge": "last", "since": time,
                "stamp": ["time": time, "counter": 0], "base": ["value": "celsius"],
            ]
        )
    }

    @Test("A damaged entry is reported when its name is read, and replaced when it is set")
    func damagedEntryIsReported() throws {
        let machine = RoamingMachine(server, local: ["::roaming:last": "damaged"])
        let problem = #expect(throws: PreferenceProblem.self) { try machine["last"] }
        #expect(
            problem?.description
                == "memory: 'last': the entry '::roaming:last' of its change that is not shared yet was edited or is "
                + "damaged: set or reset the key, or remove the entry"
        )
        #expect(try machine.store.names() == ["last"])
        try machine.synchronize()
        #expect(try machine.store.pendingNames() == ["last"], "the change is not shared")
        try machine.set("last", 1)
        try machine.synchronize()
        #expect(server.value(for: "last") == 1)
        #expect(try machine.store.pendingNames() == [])
    }

    @Test("Preferences over layers read and set shared keys")
    func preferencesUseTheStore() throws {
        let machine = RoamingMachine(server, declaring: ["visits": .sum])
        let defaults: MemoryStore = ["visits": 10]
        let preferences = Preferences(store: LayeredStore([machine.store, defaults]))
        #expect(preferences.get(named: "visits", default: 0) == 10)
        preferences.set(named: "visits", to: 11)
        #expect(preferences.get(named: "visits", default: 0) == 11)
        server.edit("visits", 5)
        try machine.synchronize()
        #expect(preferences.get(named: "visits", default: 0) == 16)
    }

    @Test("The first reading of a shared store does not lock the local store", arguments: [true, false])
    func firstReadingDoesNotLock(isSet: Bool) throws {
        let local = LockNotingStore()
        let server = FirstReadStore(local: local)
        let store = RoamingStore(local: local, shared: [.user: server], synchronizesAutomatically: false)
        if !isSet { try store.apply(["last": .set(1)]) }
        store.declareShared("last", formerNames: [], scope: .user, mergeRule: .last)
        if isSet { try store.apply(["last": .set(1)]) } else { try store.synchronize() }
        #expect(server.reads.all.first == false)
        #expect(try store.value(for: "last") == 1)
    }

    // MARK: - Observers

    @Test("Observers are notified of shared names that other machines change, and of those only")
    func sharedChangesAreNotified() throws {
        let machine = RoamingMachine(server)
        let changes = Recorder<PreferenceStoreChange>()
        let observation = machine.store.observe(changes.add)
        defer { observation.cancel() }
        server.edit("undeclared", 1)
        server.edit("::roaming:stamp last", 1)
        machine.connection.receive()
        #expect(changes.all == [])
        server.edit("last", 1)
        machine.connection.receive()
        #expect(changes.all == [.names(["last"])])
        machine.local.apply(["own": .set(1)])
        #expect(changes.all == [.names(["last"]), .names(["own"])])
    }

    @Test("Observers are notified of names that are merged with changes of other machines")
    func mergedNamesAreNotified() throws {
        let machine = RoamingMachine(server)
        let changes = Recorder<PreferenceStoreChange>()
        let observation = machine.store.observe(changes.add)
        defer { observation.cancel() }
        try machine.store.apply(["sum": .set(1), "last": .set(1)], by: observation)
        try machine.store.synchronize()
        #expect(changes.all == [], "nothing reads as another value")
        try machine.store.apply(["sum": .set(2), "last": .set(2)], by: observation)
        server.edit("sum", 5)
        try machine.store.synchronize()
        #expect(changes.all.contains(.names(["sum"])))
        #expect(try machine["sum"] == 6)
    }

    @Test("A name that becomes shared is notified if it reads as another value")
    func declarationIsNotified() throws {
        server.edit("last", "shared")
        let machine = RoamingMachine(server, local: ["same": 1], declaring: [:])
        let changes = Recorder<PreferenceStoreChange>()
        let observation = machine.store.observe(changes.add)
        defer { observation.cancel() }
        machine.declare(["last": .last, "same": .last, "absent": .last])
        machine.declare(["last": .last])
        #expect(changes.all == [.names(["last"])])
    }

    // MARK: - Merging

    @Test("A change that was made with knowledge of another one replaces it, whatever the rule")
    func knownValueIsReplaced() throws {
        let machines = [RoamingMachine(server), RoamingMachine(server, time: 1_000)]
        let values: [String: (PreferenceValue, PreferenceValue)] = [
            "last": (2, 1), "union": (["a"], ["b"]), "max": (9, 1), "min": (1, 9), "sum": (5, 2), "ask": (1, 2),
        ]
        for (name, (first, second)) in values {
            try machines[0].set(name, first)
            try machines[0].synchronize()
            machines[1].connection.receive()
            try machines[1].set(name, second)
            try machines[1].synchronize()
            #expect(server.value(for: name) == second)
        }
        #expect(try machines[1].store.conflicts() == [])
    }

    @Test("Of two concurrent changes under the rule last, the later one remains", arguments: [true, false])
    func laterChangeRemains(isFirstLater: Bool) throws {
        let first = RoamingMachine(server, time: isFirstLater ? 2_000 : 1_000)
        let second = RoamingMachine(server, time: isFirstLater ? 1_000 : 2_000)
        try first.set("last", "first")
        try second.set("last", "second")
        try first.synchronize()
        try second.store.synchronize()
        try first.synchronize()
        #expect(try first["last"] == (isFirstLater ? "first" : "second"))
        #expect(try second["last"] == first["last"])
    }

    @Test("A change after the clock was set back is later than those before")
    func clockMayBeSetBack() throws {
        let (machine, other) = (RoamingMachine(server), RoamingMachine(server))
        other.clock.time = machine.clock.time - 60
        try machine.set("last", 1)
        try machine.synchronize()
        try other.set("last", "before")
        machine.clock.time -= 3_600
        try machine.set("last", 2)
        try machine.synchronize()
        try other.store.synchronize()
        #expect(server.value(for: "last") == 2)
        // The last stamp is in the local store.
        let restarted = RoamingMachine(server, local: machine.local, time: 0)
        try restarted.set("last", 3)
        try restarted.synchronize()
        #expect(server.value(for: "last") == 3)
    }

    @Test("A value that was edited by hand counts as newer under the rule last, and is merged under others")
    func handEditsAreMerged() throws {
        let machine = RoamingMachine(server)
        try machine.store.apply(["last": .set(1), "sum": .set(1)])
        try machine.synchronize()
        try machine.store.apply(["last": .set(2), "sum": .set(2)])
        server.edit("last", 100)
        server.edit("sum", 100)
        try machine.synchronize()
        #expect(server.value(for: "last") == 100)
        #expect(server.value(for: "sum") == 101)
        try machine.set("last", 3)
        try machine.synchronize()
        #expect(server.value(for: "last") == 3)
    }

    // MARK: - Declarations of the store

    @Test("The capabilities are those of the local store until a name is shared")
    func capabilitiesAreThoseOfTheLocalStore() {
        let store = RoamingStore(
            local: MemoryStore(),
            shared: [.user: MemoryStore(), .fleet: LayeredStore([MemoryStore(), MemoryStore()])],
            synchronizesAutomatically: false
        )
        #expect(store.unsupportedCapabilities == .persistence)
        store.declareShared("a", formerNames: [], scope: .user, mergeRule: .last)
        #expect(store.unsupportedCapabilities == .persistence)
        store.declareShared("b", formerNames: [], scope: .fleet, mergeRule: .last)
        #expect(store.unsupportedCapabilities == [.persistence, .exactValues])
        #expect(store.label == "memory roaming with memory over memory and memory")
        #expect(RoamingStore(local: MemoryStore(), shared: [:]).label == "memory")
        #expect(store.notifiesAllChanges)
        #expect(store.excludesWriters)
    }
}

/// A local store that knows whether it is locked by an update.
private final class LockNotingStore: PreferenceStoreAdapter {
    let base: any PreferenceStore = MemoryStore()
    private let updates = Locked(0)

    var isLocked: Bool { updates.withLock { $0 > 0 } }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        updates.withLock { $0 += 1 }
        defer { updates.withLock { $0 -= 1 } }
        try base.commit(by: writer, makeBatch)
    }
}

/// A shared store that notes whether the local store was locked at each read.
private struct FirstReadStore: PreferenceStoreAdapter {
    let base: any PreferenceStore = MemoryStore()
    let local: LockNotingStore
    let reads = Recorder<Bool>()

    func value(for name: String) throws -> PreferenceValue? {
        reads.add(local.isLocked)
        return try base.value(for: name)
    }
}
