import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote
@testable import PreferencesSystem

struct HTTPStoreConcurrencyTests {
    @Test("Other threads see a response as a whole")
    func responseIsAtomicForOtherThreads() async throws {
        try await PreferenceServer.run { server in
            let store = HTTPStore(url: server.url())
            let isDone = Flag()
            let reading = OwnThread {
                // The numbers increase: a later read under the other name never gives a lower number.
                var isRising = true
                while !isDone.isSet {
                    for names in [["a", "b"], ["b", "a"]] {
                        let found = try names.map { try store.value(for: $0) ?? 0 }
                        guard case (.int(let first), .int(let second)) = (found[0], found[1]) else { return false }
                        isRising = isRising && second >= first
                    }
                }
                return isRising
            }
            for number in 1...50 {
                try server.serve(.init(#"{"a": \#(number), "b": \#(number)}"#))
                try await store.refresh()
            }
            isDone.set()
            #expect(try await reading.result)
        }
    }

    @Test("Concurrent calls share one request")
    func concurrentCallsShareOneRequest() async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(#"{"a": 1}"#, way: .held))
            let store = HTTPStore(url: server.url())
            let changes = StoreChanges(of: store)
            let calls = (1...5).map { _ in Task { try await store.refresh() } }
            while store.refreshes.waiting < calls.count { await Task.yield() }
            // The other callers are still waiting for it.
            calls[0].cancel()
            await #expect(throws: CancellationError.self) { try await calls[0].value }
            #expect(store.refreshes.waiting == calls.count - 1)
            try server.release()
            for call in calls.dropFirst() { #expect(try await call.value) }
            #expect(try await server.requests().count == 1)
            #expect(changes.soFar == [.names(["a"])])
            #expect(try await !store.refresh())
            #expect(try await server.requests().count == 2)
        }
    }

    @Test("A cancelled refresh ends its request and changes nothing")
    func cancelledRefreshChangesNothing() async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(way: .never))
            let store = HTTPStore(url: server.url())
            let call = Task { try await store.refresh() }
            _ = try await server.requests(atLeast: 1)
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            try await server.waitForClosedConnections(1)
            try server.serve(.init(#"{"a": 1}"#))
            #expect(try await store.refresh())
            let late = Task { () throws -> Bool in
                withUnsafeCurrentTask { $0?.cancel() }
                return try await store.refresh()
            }
            await #expect(throws: CancellationError.self) { try await late.value }
            #expect(try await server.requests().count == 2)
        }
    }
}
