import Foundation
import PreferencesRuntime
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("Automatic synchronization")
struct RoamingAutomationTests {
    private let server = SharedServer()

    /// Calls that the test makes when it wants.
    private final class Calls: Sendable {
        private let calls = Locked<[(delay: Duration, body: @Sendable () -> Void)]>([])

        @Sendable func add(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
            calls.withLock { $0.append((delay, body)) }
        }

        var delays: [Duration] { calls.withLock { $0.map(\.delay) } }

        /// Makes the calls so far.
        func run() {
            let bodies = calls.withLock { calls in
                defer { calls = [] }
                return calls.map(\.body)
            }
            for body in bodies { body() }
        }
    }

    private func problems(in changes: Recorder<PreferenceStoreChange>) -> [String] {
        changes.all.compactMap { if case .problem(let problem) = $0 { problem.description } else { nil } }
    }

    @Test("begins soon after a change, and collects further changes")
    func changesAreSharedSoon() throws {
        let calls = Calls()
        let machine = RoamingMachine(server, runLater: calls.add)
        calls.run()
        try machine.set("last", 1)
        try machine.set("sum", 1)
        try machine.set("unshared", 1)
        #expect(server.names == [])
        #expect(calls.delays == [.milliseconds(50)])
        calls.run()
        #expect(server.value(for: "last") == 1)
        #expect(server.value(for: "sum") == 1)
        #expect(calls.delays == [])
    }

    @Test("shares the changes of a program that was killed, although the next one uses no shared key")
    func earlierChangesAreShared() throws {
        let machine = RoamingMachine(server)
        try machine.set("last", 1)
        let calls = Calls()
        let restarted = RoamingMachine(server, local: machine.local, declaring: [:], runLater: calls.add)
        calls.run()
        #expect(server.value(for: "last") == 1)
        #expect(try restarted.store.pendingNames() == [])
    }

    @Test("retries with growing delays, and reports a failure once")
    func failuresAreRetried() throws {
        let calls = Calls()
        let machine = RoamingMachine(server, runLater: calls.add)
        calls.run()
        let changes = Recorder<PreferenceStoreChange>()
        let observation = machine.store.observe(changes.add)
        defer { observation.cancel() }
        machine.connection.fault = .partition
        try machine.set("last", 1)
        calls.run()
        for attempt in 1...12 {
            let delay = try #require(calls.delays.first)
            let expected = Duration.seconds(min(pow(1.6, Double(attempt - 1)), 120))
            #expect((expected * 0.8...expected * 1.2).contains(delay))
            #expect(calls.delays.count == 1)
            try machine.set("sum", .int(Int64(attempt)))
            calls.run()
        }
        #expect(
            problems(in: changes) == [
                "server: it cannot be reached; the changes of 'last' since 2027-01-15T08:00:00Z are kept in memory, "
                    + "and are shared when that is possible again"
            ]
        )
        machine.connection.fault = nil
        calls.run()
        #expect(server.value(for: "sum") == 12)
        #expect(calls.delays == [])
        machine.connection.fault = .partition
        try machine.set("last", 2)
        calls.run()
        #expect(problems(in: changes).count == 2, "the failure is new")
    }

    @Test("begins at once when the shared store notifies of a change after a failure")
    func notificationEndsOutage() throws {
        let calls = Calls()
        let machine = RoamingMachine(server, runLater: calls.add)
        calls.run()
        server.edit("other", 1)
        machine.connection.receive()
        #expect(calls.delays == [], "nothing is pending")
        machine.connection.fault = .partition
        try machine.set("last", 1)
        calls.run()
        machine.connection.fault = nil
        server.edit("other", 2)
        machine.connection.receive()
        #expect(calls.delays.count == 2)
        #expect(calls.delays.last == .zero)
        calls.run()
        #expect(server.value(for: "last") == 1)
        #expect(calls.delays == [])
    }

    @Test("does not begin when other machines have changed entries of their own alone, or failed")
    func otherMachinesDoNotWake() throws {
        let calls = Calls()
        let machine = RoamingMachine(server, runLater: calls.add)
        calls.run()
        machine.connection.refusedName = "last"
        try machine.set("last", 1)
        calls.run()
        #expect(calls.delays.count == 1)
        for number in 1...3 as ClosedRange<Int64> {
            server.edit(RoamingName.marker(of: "other", in: .user), .int(number))
            machine.connection.receive()
        }
        // The delay after the failure.
        #expect(calls.delays.count == 1)
        #expect(calls.delays.first != .zero)
        // Two machines whose changes are refused.
        let otherCalls = Calls()
        let other = RoamingMachine(server, runLater: otherCalls.add)
        otherCalls.run()
        other.connection.refusedName = "other"
        try other.set("other", 1)
        for _ in 0..<3 {
            otherCalls.run()
            machine.connection.receive()
            #expect(calls.delays.count == 1)
            other.connection.receive()
            #expect(otherCalls.delays.count == 1)
        }
        // A value may be the reason that the change is now accepted.
        server.edit("sum", 1)
        machine.connection.receive()
        #expect(calls.delays.last == .zero)
    }

    @Test("reports at most five names")
    func reportIsShort() throws {
        let calls = Calls()
        let machine = RoamingMachine(server, runLater: calls.add)
        let changes = Recorder<PreferenceStoreChange>()
        let observation = machine.store.observe(changes.add)
        defer { observation.cancel() }
        machine.connection.fault = .partition
        for name in RoamingMachine.rules.keys.sorted() { try machine.set(name, []) }
        calls.run()
        #expect(
            problems(in: changes) == [
                "server: it cannot be reached; the changes of 'ask', 'last', 'max', 'min', 'other' and 2 others since "
                    + "2027-01-15T08:00:00Z are kept in memory, and are shared when that is possible again"
            ]
        )
    }

    @Test("runs on another thread than the setter's")
    func setterDoesNotWait() async throws {
        let local = MemoryStore()
        let threads = Recorder<UInt>()
        let isShared = DispatchSemaphore(value: 0)
        let shared = InterruptedStore(MemoryStore()) {
            threads.add(ThreadIdentity.current)
            isShared.signal()
        }
        let store = RoamingStore(local: local, shared: [.user: shared])
        store.declareShared("last", formerNames: [], scope: .user, mergeRule: .last)
        // The identifier of a thread that has ended could be reused.
        let setter = try await onOwnThread {
            try store.apply(["last": .set(1)])
            isShared.wait()
            return ThreadIdentity.current
        }
        while try !store.pendingNames().isEmpty { await Task.yield() }
        #expect(shared.value(for: "last") == 1)
        #expect(!threads.all.contains(setter))
    }

    @Test("can be switched off")
    func synchronizationCanBeManual() throws {
        let store = RoamingStore(
            local: MemoryStore(),
            shared: [.user: ServerConnection(server)],
            synchronizesAutomatically: false
        )
        store.declareShared("last", formerNames: [], scope: .user, mergeRule: .last)
        try store.apply(["last": .set(1)])
        #expect(store.automation.withLock { $0.attempt } == 0)
        try store.flush()
        try store.reload()
        #expect(server.names == [], "flush() does not wait for the network")
        try store.synchronize()
        #expect(server.value(for: "last") == 1)
    }
}
