import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote
@testable import PreferencesSystem

struct EtcdStoreConcurrencyTests {
    @Test("Threads of two stores read, set, update and observe the same values")
    func threadsShareStores() async throws {
        try await EtcdCluster.run(configure: { $0.syncsWrites = false }) { cluster in
            // The limits must not end while the machine is busy.
            let stores = (0..<2).map { _ in
                EtcdStore(endpoints: cluster.endpoints, prefix: "shared", timeout: .seconds(600))
            }
            let changes = StoreChanges(of: stores[1])
            let isDone = Flag()
            let reading = OwnThread {
                // The numbers of a batch are equal, and increase.
                var isRising = true
                while !isDone.isSet {
                    let first = try stores[0].value(for: "a") ?? 0
                    let second = try stores[0].value(for: "b") ?? 0
                    guard case (.int(let first), .int(let second)) = (first, second) else { return false }
                    isRising = isRising && second >= first
                    _ = try stores[0].names()
                    _ = try stores[0].source(of: "a")
                }
                return isRising
            }
            let rounds = 15
            let threads = (0..<4).map { thread in
                OwnThread {
                    let store = stores[thread % 2]
                    for _ in 0..<rounds {
                        try store.update { current in
                            guard case .int(let number) = try current("count") ?? 0 else { return [:] }
                            return ["count": .set(.int(number + 1))]
                        }
                        let observation = store.observe { _ in }
                        if thread == 0 {
                            guard case .int(let number) = try store.value(for: "a") ?? 0 else { return }
                            try store.apply(["a": .set(.int(number + 1)), "b": .set(.int(number + 1))])
                        }
                        observation.cancel()
                    }
                }
            }
            for thread in threads { try await thread.result }
            isDone.set()
            #expect(try await reading.result)
            try await changes.wait { try stores[1].value(for: "count") == .int(Int64(4 * rounds)) }
            for store in stores {
                try store.reload()
                #expect(try store.value(for: "count") == .int(Int64(4 * rounds)))
                #expect(try store.value(for: "b") == .int(Int64(rounds)))
            }
        }
    }

    @Test("Stores that are released while their threads connect end with them")
    func storesAreReleasedWhileTheyConnect() async throws {
        try await EtcdCluster.run(configure: { $0.syncsWrites = false }) { cluster in
            let references = Locked<[WeakStore]>([])
            let threads = (0..<4).map { _ in
                OwnThread {
                    for number in 0..<10 {
                        let store = EtcdStore(endpoints: cluster.endpoints, prefix: "released", timeout: .seconds(600))
                        references.withLock { $0.append(WeakStore(store: store)) }
                        if number.isMultiple(of: 2) { _ = try store.names() }
                    }
                }
            }
            for thread in threads { try await thread.result }
            #expect(references.withLock { $0.count { $0.store != nil } } == 0)
        }
    }
}

private struct WeakStore: Sendable {
    weak var store: EtcdStore?
}
