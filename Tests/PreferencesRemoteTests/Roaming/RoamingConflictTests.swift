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
            let alternative = try #require(try machine.store.conflict(for: "ask")?.alternatives.first)
            let problems = changes.all.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
            #expect(
                problems.map(\.description) == [
                    "server: 'ask': it was changed on several machines while they were apart, and the values of these "
                        + "are kept beside it: \(alternative.machine) (2027-01-15T08:01:00Z); set it to the value that "
                        + "you want, or call RoamingStore.resolve(_:with:)"
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
        try program.store.resolve("unshared", with: 1)
        #expect(program.local.value(for: "unshared") == 1)
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
        try first.store.resolve("ask", with: "decided")
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
