import PreferencesRuntime
import StoreTestSupport
import Testing

@testable import PreferencesRemote

@Suite("A push of changes to the shared store")
struct RoamingPushTests {
    private let server = SharedServer()

    // MARK: - Interruptions

    /// A point at which a program is killed: before or after a write of the local store.
    struct Interruption: Sendable, CustomTestStringConvertible {
        let moment: KillableStore.Moment
        let write: Int
        let fault: ServerConnection.Fault?

        var testDescription: String { "\(moment) \(write) with \(fault.map { "\($0)" } ?? "no fault")" }

        static let all = [KillableStore.Moment.beforeWrite, .afterWrite].flatMap { moment in
            [1, 2].flatMap { write in
                [nil, .partition, .lostReply].map { Interruption(moment: moment, write: write, fault: $0) }
            }
        }
    }

    @Test("is applied exactly once, wherever the program is killed", arguments: Interruption.all)
    func interruptedPushIsAppliedOnce(interruption: Interruption) throws {
        server.edit("sum", 10)
        let plan = KillableStore.Plan()
        let machine = RoamingMachine(server, plan: plan)
        try machine.store.apply(["sum": .set(13), "last": .set("new"), "union": .set(["a"])])
        plan.kill(interruption.moment, ofWrite: interruption.write)
        machine.connection.fault = interruption.fault
        #expect(throws: (any Error).self) { try machine.store.synchronize() }
        plan.cancel()
        let restarted = RoamingMachine(server, local: machine.local, declaring: [:])
        try restarted.synchronize()
        #expect(server.value(for: "sum") == 13)
        #expect(server.value(for: "last") == "new")
        #expect(server.value(for: "union") == ["a"])
        #expect(try restarted.store.pendingNames() == [])
    }

    @Test("keeps a change that is made while the outcome is unknown", arguments: Interruption.all)
    func laterChangeIsKept(interruption: Interruption) throws {
        server.edit("sum", 10)
        let plan = KillableStore.Plan()
        let machine = RoamingMachine(server, plan: plan)
        try machine.store.apply(["sum": .set(13), "last": .set("new")])
        plan.kill(interruption.moment, ofWrite: interruption.write)
        machine.connection.fault = interruption.fault
        #expect(throws: (any Error).self) { try machine.store.synchronize() }
        plan.cancel()
        try machine.store.update { current in
            guard case .int(let sum)? = try current("sum") else { return [:] }
            return ["sum": .set(.int(sum + 1)), "last": .set("newer")]
        }
        // Another machine adds to what has been shared so far.
        if case .int(let sum)? = server.value(for: "sum") { server.edit("sum", .int(sum + 100)) }
        let restarted = RoamingMachine(server, local: machine.local)
        try restarted.synchronize()
        #expect(server.value(for: "sum") == 114)
        #expect(server.value(for: "last") == "newer")
    }

    @Test(
        "is made again if marking it may not survive a power failure, and observers are notified of the change itself"
    )
    func writesMayNotBeDurable() throws {
        let plan = KillableStore.Plan()
        let machine = RoamingMachine(server, plan: plan)
        let changes = Recorder<PreferenceStoreChange>()
        let observation = machine.store.observe(changes.add)
        defer { observation.cancel() }
        for write in 1...3 {
            // The change, the mark, and the removal from the journal after the mark has been read.
            plan.kill(.notDurable, ofWrite: write < 3 ? 1 : 2)
            let problem = #expect(throws: PreferenceProblem.self) {
                if write == 1 { try machine.set("sum", 1) } else { try machine.store.synchronize() }
            }
            #expect(problem?.code == .notDurable)
            #expect(server.value(for: "sum") == (write < 3 ? nil : 1))
        }
        #expect(changes.all.contains(.names(["sum"])))
        #expect(try machine["sum"] == 1)
        try machine.store.synchronize()
        #expect(server.value(for: "sum") == 1)
        #expect(try machine.store.pendingNames() == [])
    }

    @Test("fails while the store cannot be reached, and changes stay pending")
    func changesStayPending() throws {
        let machine = RoamingMachine(server)
        machine.connection.fault = .partition
        try machine.set("last", 1)
        #expect(throws: ServerConnection.partitionProblem) { try machine.store.synchronize() }
        #expect(throws: ServerConnection.partitionProblem) { try machine.store.synchronize() }
        #expect(server.names == [])
        #expect(try machine.store.pendingNames() == ["last"])
        machine.connection.fault = nil
        try machine.store.synchronize()
        #expect(server.value(for: "last") == 1)
    }

    @Test("is made again if another machine has changed a value meanwhile")
    func pushIsMadeAgain() throws {
        let (machine, other) = (RoamingMachine(server), RoamingMachine(server))
        for value in 1...5 as ClosedRange<Int64> {
            // Neither receives the changes of the other one, except by a conflict.
            try machine.set("sum", .int(value))
            try machine.store.synchronize()
            try other.set("union", [.int(value)])
            try other.store.synchronize()
        }
        #expect(server.value(for: "sum") == 5)
        #expect(server.value(for: "union") == [5])
    }

    // MARK: - Several processes

    @Test("is completed by another process of the machine, and by one of them only")
    func processesShareTheJournal() throws {
        let machine = RoamingMachine(server)
        let process = RoamingMachine(server, local: machine.local)
        try machine.set("sum", 1)
        #expect(try process["sum"] == 1)
        machine.connection.fault = .lostReply
        #expect(throws: ServerConnection.partitionProblem) { try machine.store.synchronize() }
        try process.store.synchronize()
        #expect(server.value(for: "sum") == 1)
        try process.store.update { current in
            let sum = try current("sum")
            #expect(sum == 1)
            return ["sum": .set(2)]
        }
        machine.connection.fault = nil
        try machine.store.synchronize()
        try process.store.synchronize()
        #expect(server.value(for: "sum") == 2)
    }

    @Test("has the identifier of the machine, which its processes share")
    func processesShareTheIdentifier() throws {
        let machine = RoamingMachine(server)
        let process = RoamingMachine(server, local: machine.local)
        for store in [machine.store, process.store, machine.store] {
            try store.update { _ in ["last": .set(1)] }
            try store.synchronize()
        }
        #expect(server.names.filter { $0.hasPrefix("::roaming:machine user ") }.count == 1)
        let other = RoamingMachine(server)
        try other.set("last", 2)
        try other.synchronize()
        #expect(server.names.filter { $0.hasPrefix("::roaming:machine user ") }.count == 2)
    }

    @Test("is not taken for that of a machine whose local store is a copy")
    func copiedMachinesAreSeparated() throws {
        let machine = RoamingMachine(server)
        try machine.set("sum", 1)
        try machine.synchronize()
        let values = Dictionary(uniqueKeysWithValues: machine.local.names().map { ($0, machine.local.value(for: $0)!) })
        let copies = [machine, RoamingMachine(server, local: MemoryStore(values))]
        for _ in 1...3 {
            for copy in copies {
                try copy.store.update { current in
                    guard case .int(let sum)? = try current("sum") else { return [:] }
                    return ["sum": .set(.int(sum + 1))]
                }
            }
            for copy in copies { try copy.store.synchronize() }
        }
        #expect(server.value(for: "sum") == 7)
        #expect(server.names.filter { $0.hasPrefix("::roaming:machine user ") }.count == 2)
    }

    // MARK: - Values that are refused

    @Test(
        "leaves out a value that the store refuses, and reports it",
        arguments: [("last", .unsupportedValue), ("*", .unsupportedValue), ("last", .storeMalformed)]
            as [(String, PreferenceProblem.Code)]
    )
    func refusedValueStaysPending(refusedName: String, code: PreferenceProblem.Code) throws {
        let machine = RoamingMachine(server)
        machine.connection.refusedName = refusedName
        machine.connection.refusal = code
        try machine.store.apply(["last": .set(1)])
        try machine.store.apply(["sum": .set(1)])
        let problem = #expect(throws: PreferenceProblem.self) { try machine.store.synchronize() }
        #expect(
            problem?.description
                == "server: 'last': it is too large; "
                + (refusedName == "last"
                    ? "the change is kept in memory, and is not shared"
                    : "the changes of 'last', 'sum' are kept in memory, and are not shared")
        )
        #expect(server.value(for: "sum") == (refusedName == "last" ? 1 : nil))
        #expect(server.value(for: "last") == nil)
        #expect(try machine.store.pendingNames() == (refusedName == "last" ? ["last"] : ["last", "sum"]))
        machine.connection.refusedName = nil
        try machine.store.synchronize()
        #expect(server.value(for: "last") == 1)
        #expect(server.value(for: "sum") == 1)
    }

    // MARK: - Malformed values

    @Test(
        "replaces malformed shared values, whether they were received before the changes or not",
        arguments: [true, false]
    )
    func malformedValuesAreReplaced(areReceived: Bool) throws {
        let machine = RoamingMachine(server)
        let changes: [String: PreferenceValue?] = [
            "last": 2, "union": ["b"], "max": 2, "min": 2, "sum": 2, "ask": 2, "other": nil,
        ]
        for name in changes.keys { server.edit(name, name == "union" ? ["a"] : 1) }
        machine.connection.receive()
        if areReceived {
            server.damage(changes.keys)
            machine.connection.receive()
            let problem = #expect(throws: PreferenceProblem.self) { try machine["last"] }
            #expect(problem?.description == "server: 'last': the value is malformed")
        }
        for (name, value) in changes { try machine.set(name, value) }
        server.damage(changes.keys)
        try machine.synchronize()
        for (name, value) in changes {
            #expect(server.value(for: name) == value, "\(name)")
            #expect(try machine[name] == value, "\(name)")
        }
        #expect(try machine.store.pendingNames() == [])
        #expect(try machine.store.conflicts() == [])
    }

    @Test("counts malformed entries beside the values as absent")
    func malformedEntriesAreReplaced() throws {
        let machine = RoamingMachine(server)
        try machine.set("last", 1)
        try machine.set("ask", 1)
        try machine.synchronize()
        server.damage(server.names.filter { $0.hasPrefix("::roaming") } + [RoamingName.conflict(of: "ask")])
        machine.connection.receive()
        #expect(try machine.store.conflicts() == [])
        try machine.set("last", 2)
        try machine.set("ask", 2)
        // It was set while the name was not shared.
        machine.local.apply(["other": .set(3)])
        server.edit("other", 1)
        server.damage([RoamingName.stamp(of: "other")])
        try machine.synchronize()
        #expect(server.value(for: "last") == 2)
        #expect(server.value(for: "ask") == 2)
        #expect(server.value(for: "other") == 1)
        #expect(try machine.store.pendingNames() == [])
        #expect(try machine.store.conflicts() == [])
    }

    // MARK: - Size

    @Test("has at most 1,000 names, and does not separate a batch that is smaller")
    func pushIsLimited() throws {
        let names = (0..<2_500).map { "name \($0)" }
        let machine = RoamingMachine(server, declaring: Dictionary(uniqueKeysWithValues: names.map { ($0, .last) }))
        let changes = Recorder<PreferenceStoreChange>()
        let observation = machine.connection.observe(changes.add)
        defer { observation.cancel() }
        for batch in [names[..<750], names[750..<1_500], names[1_500...]] {
            try machine.store.apply(PreferenceBatch(Dictionary(uniqueKeysWithValues: batch.map { ($0, .set(1)) })))
        }
        try machine.store.synchronize()
        let counts = changes.all.map { change in
            guard case .names(let changed) = change else { return 0 }
            return changed.intersection(names).count
        }
        #expect(counts == [750, 750, 1_000])
        #expect(server.names.isSuperset(of: names))
    }

    @Test("is halved until the shared store accepts it, so that few requests are needed")
    func pushIsHalved() throws {
        let names = (0..<1_500).map { "name \($0)" }
        let machine = RoamingMachine(server, declaring: Dictionary(uniqueKeysWithValues: names.map { ($0, .sum) }))
        machine.connection.largestBatch = 300
        let changes = Recorder<PreferenceStoreChange>()
        let observation = machine.connection.observe(changes.add)
        defer { observation.cancel() }
        try machine.store.apply(PreferenceBatch(Dictionary(uniqueKeysWithValues: names.map { ($0, .set(1)) })))
        try machine.store.synchronize()
        let counts = changes.all.map { change in
            guard case .names(let changed) = change else { return 0 }
            return changed.intersection(names).count
        }
        // A push without names only notes that it was refused.
        #expect(counts == [0, 0] + Array(repeating: 250, count: 6))
        #expect(names.allSatisfy { server.value(for: $0) == 1 })
        #expect(try machine.store.pendingNames() == [])
    }

    @Test("leaves out values that are refused without their names, and is large again after each")
    func refusedValuesAreFound() throws {
        let names = (0..<1_500).map { "name \($0)" }
        let machine = RoamingMachine(server, declaring: Dictionary(uniqueKeysWithValues: names.map { ($0, .sum) }))
        machine.connection.refusedValue = "large"
        let changes = Recorder<PreferenceStoreChange>()
        let observation = machine.connection.observe(changes.add)
        defer { observation.cancel() }
        let large: Set = ["name 10", "name 700", "name 701"]
        let edits = names.map { ($0, PreferenceEdit.set(large.contains($0) ? "large" : 1)) }
        try machine.store.apply(PreferenceBatch(Dictionary(uniqueKeysWithValues: edits)))
        let problem = #expect(throws: PreferenceProblem.self) { try machine.store.synchronize() }
        #expect(
            problem?.description
                == "server: 'name 10': a value is too large; the changes of 'name 10', 'name 700', 'name 701' are kept in "
                + "memory, and are not shared"
        )
        #expect(try machine.store.pendingNames() == large)
        #expect(names.allSatisfy { large.contains($0) || server.value(for: $0) == 1 })
        // Three binary searches, instead of a request for each name.
        #expect(changes.all.count < 80)
    }
}
