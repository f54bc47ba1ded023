import Foundation
import PreferencesRuntime
import StoreTestSupport
import Testing

@testable import PreferencesRemote

@Suite("A conflict under the rule ask")
struct RoamingConflictTests {
    private let server = SharedServer()
    private let first: RoamingMachine
    private let second: RoamingMachine

    init() throws {
        first = RoamingMachine(server, time: 1_800_000_000)
        second = RoamingMachine(server, time: 1_800_000_060)
        try first.set("ask", "first")
        try second.set("ask", "second")
        try first.synchronize()
        try second.store.synchronize()
    }

    @Test("keeps the shared value, and the other one beside it")
    func bothValuesAreKept() throws {
        first.connection.receive()
        for machine in [first, second] {
            #expect(try machine["ask"] == "first")
            let conflict = try #require(try machine.store.conflict(for: "ask"))
            #expect(try machine.store.conflicts() == [conflict])
            #expect(conflict.name == "ask")
            #expect(conflict.value == "first")
            #expect(conflict.alternatives.map(\.value) == ["second"])
            #expect(conflict.alternatives.map(\.date.timeIntervalSince1970) == [1_800_000_060])
            #expect(try machine.store.names() == ["ask"])
        }
    }

    @Test("is reported once on every machine that sees it")
    func conflictIsReported() throws {
        for machine in [first, second] {
            let changes = Recorder<PreferenceStoreChange>()
            let observation = machine.store.observe(changes.add)
            defer { observation.cancel() }
            try machine.synchronize()
            try machine.synchronize()
            let problems = changes.all.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
            #expect(
                problems.map(\.description) == [
                    "server: 'ask': it was changed on several machines while they were apart, and another value is "
                        + "kept beside it, of 2027-01-15T08:01:00Z; set it to the value that you want, or call "
                        + "RoamingStore.resolve(_:with:)"
                ]
            )
            #expect(problems.first?.code == .mergeConflict)
            #expect(problems.first?.isMessagePublic == true)
        }
    }

    @Test("is reported when the shared store notifies of it")
    func conflictIsReportedByNotification() throws {
        let changes = Recorder<PreferenceStoreChange>()
        let observation = first.store.observe(changes.add)
        defer { observation.cancel() }
        first.connection.receive()
        let codes = changes.all.compactMap { if case .problem(let problem) = $0 { problem.code } else { nil } }
        #expect(codes == [.mergeConflict])
    }

    @Test("ends when the key is set on a machine that has it", arguments: [true, false])
    func settingEndsConflict(byResolving: Bool) throws {
        first.connection.receive()
        if byResolving { try first.store.resolve("ask", with: "both") } else { try first.set("ask", "both") }
        #expect(try first.store.conflicts() == [])
        try first.synchronize()
        second.connection.receive()
        for machine in [first, second] {
            #expect(try machine["ask"] == "both")
            #expect(try machine.store.conflicts() == [])
        }
        #expect(!server.names.contains("::roaming:conflict ask"))
    }

    @Test("can be resolved by a program that has not used the key, and by a removal")
    func undeclaredNameCanBeResolved() throws {
        let program = RoamingMachine(server, declaring: [:])
        let conflict = try #require(try program.store.conflicts().first)
        try program.store.resolve(conflict.name, with: nil)
        try program.synchronize()
        #expect(server.value(for: "ask") == nil)
        #expect(!server.names.contains("::roaming:conflict ask"))
    }

    @Test("A name without a conflict is not resolved", arguments: ["unshared", "last"])
    func nameWithoutConflict(name: String) throws {
        let problem = #expect(throws: PreferenceProblem.self) { try first.store.resolve(name, with: 1) }
        #expect(problem?.code == .noConflict)
        #expect(
            problem?.description
                == "memory roaming with server: '\(name)': it has no conflict that could be resolved: it may be "
                + "resolved already, or the name may be misspelled; to change its value, set the key"
        )
        #expect(try first[name] == nil)
    }

    @Test("is not resolved twice, so that the decision of another machine remains")
    func resolvedConflictIsNotResolved() throws {
        first.connection.receive()
        try first.store.resolve("ask", with: "both")
        try first.synchronize()
        second.connection.receive()
        let problem = #expect(throws: PreferenceProblem.self) { try second.store.resolve("ask", with: "second") }
        #expect(problem?.code == .noConflict)
        #expect(try second["ask"] == "both")
    }

    @Test("can be resolved again if the shared store refuses the first value")
    func refusedResolutionIsReplaced() throws {
        first.connection.receive()
        first.connection.refusedValue = "large"
        try first.store.resolve("ask", with: "large")
        let problem = #expect(throws: PreferenceProblem.self) { try first.synchronize() }
        #expect(
            problem?.description
                == "server: 'ask': a value is too large; the change is kept in memory, and is not shared"
        )
        #expect(try first.store.conflict(for: "ask") == nil)
        try first.store.resolve("ask", with: "small")
        try first.synchronize()
        #expect(server.value(for: "ask") == "small")
        #expect(try first.store.pendingNames() == [])
        #expect(try first.store.conflicts() == [])
    }

    @Test(
        "is decided once, although the outcome of an earlier change is unknown",
        arguments: [.partition, .lostReply] as [ServerConnection.Fault],
        [true, false]
    )
    func decisionDuringPush(fault: ServerConnection.Fault, hasSeenFirstValue: Bool) throws {
        let offline = RoamingMachine(SharedServer())
        let third = hasSeenFirstValue ? first : RoamingMachine(server, local: offline.local)
        try (hasSeenFirstValue ? first : offline).set("ask", "third")
        third.connection.fault = fault
        #expect(throws: ServerConnection.partitionProblem) { try third.store.synchronize() }
        third.connection.receive()
        try third.store.resolve("ask", with: "decided")
        third.connection.fault = nil
        try third.synchronize()
        #expect(server.value(for: "ask") == "decided")
        #expect(try third.store.conflicts() == [])
        #expect(try third.store.pendingNames() == [])
    }

    @Test("is decided once, although the shared store refuses an earlier change")
    func decisionDuringRefusedPush() throws {
        let offline = RoamingMachine(SharedServer())
        try offline.set("ask", "third")
        let third = RoamingMachine(server, local: offline.local)
        third.connection.fault = .partition
        #expect(throws: ServerConnection.partitionProblem) { try third.store.synchronize() }
        try third.store.resolve("ask", with: "decided")
        third.connection.fault = nil
        third.connection.refusedName = RoamingName.conflict(of: "ask")
        #expect(throws: PreferenceProblem.self) { try third.store.synchronize() }
        third.connection.refusedName = nil
        try third.synchronize()
        #expect(server.value(for: "ask") == "decided")
        #expect(try third.store.conflicts() == [])
    }

    @Test("has the value of each machine, and remains if a machine that has not seen it sets the key")
    func furtherMachinesAddAlternatives() throws {
        let offline = RoamingMachine(SharedServer())
        try offline.set("ask", "third")
        let third = RoamingMachine(server, local: offline.local)
        try third.store.synchronize()
        #expect(try third["ask"] == "first")
        func alternatives(of machine: RoamingMachine) throws -> Set<PreferenceValue?> {
            try Set(machine.store.conflict(for: "ask")?.alternatives.map(\.value) ?? [])
        }
        #expect(try alternatives(of: third) == ["second", "third"])
        // The first machine has received neither: it replaces its own value alone.
        #expect(try first.store.conflict(for: "ask") == nil)
        try first.set("ask", "decided")
        try first.store.synchronize()
        #expect(try first["ask"] == "decided")
        #expect(try alternatives(of: first) == ["second", "third"])
    }

    @Test("also arises from values that do not suit a rule")
    func unsuitableValuesConflict() throws {
        try first.set("sum", 1)
        try second.set("sum", "text")
        try first.synchronize()
        try second.store.synchronize()
        #expect(try second["sum"] == 1)
        #expect(try #require(try second.store.conflict(for: "sum")).alternatives.map(\.value) == ["text"])
        try second.store.resolve("sum", with: 2)
        try second.synchronize()
        #expect(server.value(for: "sum") == 2)
        #expect(try second.store.conflict(for: "sum") == nil)
    }

    @Test("does not arise if both machines set the same value")
    func agreementIsNoConflict() throws {
        let server = SharedServer()
        let machines = [RoamingMachine(server), RoamingMachine(server)]
        for machine in machines { try machine.set("ask", "same") }
        for machine in machines { try machine.store.synchronize() }
        #expect(try machines[1].store.conflicts() == [])
        #expect(server.value(for: "ask") == "same")
    }
}

@Suite("A conflict of a key with an accessor")
struct RoamingKeyConflictTests {
    private let server = SharedServer()

    /// Creates a program that has used no key, on a server where machines have set a key apart.
    private func program(_ name: String, _ values: PreferenceValue?...) throws -> RoamingMachine {
        for (index, value) in values.enumerated() {
            // The machine has received nothing but a first value.
            let machine = RoamingMachine(SharedServer(), time: 1_800_000_000 + Double(index), declaring: [name: .ask])
            try machine.set(name, "first")
            try machine.set(name, value)
            try RoamingMachine(server, local: machine.local, declaring: [name: .ask]).store.synchronize()
        }
        return RoamingMachine(server, declaring: [:])
    }

    @Test("has values of the key's type, and is resolved with one")
    func valuesAreTyped() throws {
        let program = try program("weather-service:unit", "celsius", "fahrenheit")
        let conflict = try #require(try program.store.conflict(of: \.weather.unit))
        #expect(conflict.value == .celsius)
        #expect(conflict.alternatives.map(\.value) == [.fahrenheit])
        let untyped = try #require(try program.store.conflicts().first)
        #expect(conflict.alternatives.map(\.machine) == untyped.alternatives.map(\.machine))
        #expect(conflict.alternatives.map(\.date) == untyped.alternatives.map(\.date))
        try program.store.resolve(\.weather.unit, with: .fahrenheit)
        try program.synchronize()
        #expect(server.value(for: "weather-service:unit") == "fahrenheit")
        #expect(try program.store.conflict(of: \.weather.unit) == nil)
    }

    @Test("has the default for a machine that has reset the key, and for a value that cannot be read")
    func defaultIsAnAlternative() throws {
        let program = try program("weather-service:temperature", 21.5, "warm", nil)
        let conflict = try #require(try program.store.conflict(of: \.weather.temperature))
        #expect(conflict.value == 21.5)
        #expect(conflict.alternatives.map(\.value) == [0, 0])
    }

    @Test("is resolved by a reset of an optional key")
    func optionalKeyIsReset() throws {
        let program = try program("weather-service:lastUpdate", "yesterday", "today")
        try program.store.resolve(\.weather.lastUpdate, with: nil)
        try program.synchronize()
        #expect(server.value(for: "weather-service:lastUpdate") == nil)
        #expect(try program.store.conflicts() == [])
    }

    @Test("is not that of a key without one, or of a property that is no key")
    func otherKeysHaveNone() throws {
        let program = try program("weather-service:unit", "celsius", "fahrenheit")
        #expect(try program.store.conflict(of: \.weather.temperature) == nil)
        let absent = #expect(throws: PreferenceProblem.self) {
            try program.store.resolve(\.weather.temperature, with: 1)
        }
        #expect(absent?.code == .noConflict)
        #expect(absent?.key == "weather-service:temperature")
        let problem = #expect(throws: PreferenceProblem.self) { try program.store.conflict(of: \.weather) }
        #expect(
            problem?.description
                == "memory roaming with server: the key path leads to no key, or to a property that reads several; "
                + "pass the key path of one key"
        )
    }
}
