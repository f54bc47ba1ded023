import PreferencesRuntime
import StoreTestSupport
import Testing

@testable import PreferencesRemote

@Suite("Keys whose scope changes")
struct RoamingScopeTests {
    private let server = SharedServer()

    @Test(
        "A local value is published when its name becomes shared, and does not overwrite a shared one",
        arguments: [
            ("last", nil, 1, 1), ("last", 2, 1, 2), ("union", ["a"], ["b"], ["a", "b"]), ("sum", 5, 3, 8),
            ("max", 5, 3, 5),
            ("max", 3, 5, 5), ("ask", 1, 1, 1),
        ] as [(String, PreferenceValue?, PreferenceValue, PreferenceValue)]
    )
    func localValueIsAdopted(
        name: String,
        shared: PreferenceValue?,
        local: PreferenceValue,
        expected: PreferenceValue
    ) throws {
        if let shared { server.edit(name, shared) }
        let machine = RoamingMachine(server, local: MemoryStore([name: local]))
        #expect(try machine[name] == shared ?? local)
        #expect(try machine.store.names() == [name])
        try machine.synchronize()
        #expect(try machine[name] == expected)
        #expect(server.value(for: name) == expected)
        #expect(machine.local.value(for: name) == nil)
        #expect(try machine.store.pendingNames() == [])
    }

    @Test("Of the local values of two machines, the first one that is shared remains")
    func firstAdoptedValueRemains() throws {
        let machines = ["a", "b"].map { RoamingMachine(server, local: ["last": .string($0)]) }
        machines[1].connection.fault = .partition
        #expect(throws: ServerConnection.partitionProblem) { try machines[1].store.synchronize() }
        #expect(try machines[1]["last"] == "b")
        try machines[0].synchronize()
        machines[1].connection.fault = nil
        try machines[1].synchronize()
        #expect(try machines[1]["last"] == "a")
    }

    @Test("A local value is read while the shared store cannot be, and is replaced by the next change")
    func localValueIsReadOffline() throws {
        let machine = RoamingMachine(server, local: ["sum": 3])
        machine.connection.isUnreadable = true
        #expect(try machine["sum"] == 3)
        #expect(try machine.store.source(of: "sum")?.description == "memory, not shared with server yet")
        #expect(throws: PreferenceProblem.self) { try machine.store.synchronize() }
        #expect(machine.local.value(for: "sum") == 3)
        try machine.set("sum", 4)
        server.edit("sum", 10)
        machine.connection.isUnreadable = false
        try machine.synchronize()
        #expect(try machine["sum"] == 14)
    }

    @Test("A local value that was not seen is merged after a change of the shared one")
    func unseenLocalValueIsMerged() throws {
        server.edit("sum", 10)
        let machine = RoamingMachine(server, local: ["sum": 3, "last": 1])
        try machine.set("sum", 11)
        #expect(machine.local.value(for: "sum") == 3)
        try machine.synchronize()
        try machine.synchronize()
        #expect(server.value(for: "sum") == 14)
        try machine.set("last", nil)
        #expect(machine.local.value(for: "last") == nil)
    }

    @Test(
        "A change that is pending when its key gets another scope is shared in the former scope, unless it is replaced"
    )
    func scopeMayChange() throws {
        let fleet = SharedServer()
        let local = MemoryStore()
        func store(_ scope: PreferenceScope) -> RoamingStore {
            let store = RoamingStore(
                local: local,
                shared: [.user: ServerConnection(server), .fleet: ServerConnection(fleet)],
                synchronizesAutomatically: false
            )
            for name in ["a", "b", "c"] {
                store.declareShared(name, formerNames: [], scope: scope, mergeRule: .last)
            }
            return store
        }
        try store(.user).apply(["a": .set(1), "b": .set(1), "c": .set(1)])
        let next = store(.fleet)
        try next.apply(["b": .set(2), "c": .remove])
        #expect(try next.value(for: "a") == 1)
        #expect(try next.value(for: "c") == nil)
        try next.synchronize()
        #expect(["a", "b", "c"].map(server.value) == [1, nil, nil])
        #expect(["a", "b", "c"].map(fleet.value) == [nil, 2, nil])
        #expect(try next.pendingNames() == [])
    }

    // MARK: - Narrowed and widened again

    /// The state of a change when the next version of the program does not share its key.
    enum Former: Sendable, CaseIterable {
        case pending
        case pendingRemoval
        case inFlight
        case shared
    }

    /// Creates a machine that has made a change, and has then set the key while it was not shared.
    private func narrowedMachine(_ former: Former) throws -> RoamingMachine {
        if former == .pendingRemoval { server.edit("last", "older") }
        let machine = RoamingMachine(server)
        try machine.store.apply(["last": former == .pendingRemoval ? .remove : .set("former"), "sum": .set(5)])
        if former == .inFlight { machine.connection.fault = .lostReply }
        if former == .inFlight || former == .shared { try? machine.store.synchronize() }
        let narrowed = RoamingMachine(server, local: machine.local, declaring: [:])
        #expect(try narrowed["last"] == nil)
        try narrowed.store.apply(["last": .set("own"), "sum": .set(2)])
        return narrowed
    }

    @Test(
        "A value that was set while its key was not shared replaces the machine's earlier change",
        arguments: Former.allCases
    )
    func scopeIsNarrowedAndWidened(former: Former) throws {
        let narrowed = try narrowedMachine(former)
        let values = Recorder<PreferenceValue?>()
        let widened = RoamingMachine(server, local: narrowed.local)
        let observation = widened.connection.observe { [server] _ in values.add(server.value(for: "last")) }
        defer { observation.cancel() }
        #expect(try widened["last"] == "own")
        #expect(try widened.store.source(of: "last")?.description == "memory, not shared with server yet")
        #expect(try widened.store.names() == ["last", "sum"])
        try widened.store.update { current in
            let value = try current("last")
            #expect(value == "own")
            return [:]
        }
        try widened.synchronize()
        #expect(try widened["last"] == "own")
        #expect(server.value(for: "last") == "own")
        #expect(server.value(for: "sum") == 7)
        #expect(widened.local.names() == ["::roaming state"])
        if former == .pending { #expect(Set(values.all) == ["own"], "the earlier change is not published") }
    }

    @Test(
        "A value that was set while its key was not shared does not replace a later change of another machine",
        arguments: [Former.pending, .shared]
    )
    func laterSharedValueRemains(former: Former) throws {
        let narrowed = try narrowedMachine(former)
        let other = RoamingMachine(server, time: 1_800_000_060)
        try other.set("last", "other")
        try other.synchronize()
        let widened = RoamingMachine(server, local: narrowed.local)
        try widened.synchronize()
        #expect(try widened["last"] == "other")
        #expect(server.value(for: "last") == "other")
        #expect(server.value(for: "sum") == 7)
        #expect(widened.local.names() == ["::roaming state"])
    }

    @Test("A change after the key is shared again replaces the value that was set before", arguments: Former.allCases)
    func widenedKeyIsSet(former: Former) throws {
        let narrowed = try narrowedMachine(former)
        let widened = RoamingMachine(server, local: narrowed.local)
        try widened.set("last", "new")
        #expect(try widened["last"] == "new")
        try widened.synchronize()
        #expect(server.value(for: "last") == "new")
        #expect(widened.local.names() == ["::roaming state"])
    }
}
