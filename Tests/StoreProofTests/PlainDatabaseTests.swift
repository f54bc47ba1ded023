import Foundation
import PreferencesRuntime
import Synchronization
import TestSupport
import Testing

@testable import StoreProof

@Suite("Reading a database independently of its store")
struct PlainDatabaseTests {
    private final class Progress: Sendable {
        let acknowledged = Atomic<Int64>(0)
        let isEnded = Atomic<Bool>(false)
    }

    @Test("A copy contains each acknowledged change while connections close, which empties the log")
    func closingConnections() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.sqlite")
            try ProvenStore.sqlite.open(url).commit(["a": .set(.int(0))])
            let progress = Progress()
            let writing = OwnThread {
                var number: Int64 = 0
                while !progress.isEnded.load(ordering: .relaxed) {
                    number += 1
                    // Releasing the store closes its connection.
                    try withExtendedLifetime(ProvenStore.sqlite.open(url)) { store in
                        try store.commit(["a": .set(.int(number))])
                        progress.acknowledged.store(number, ordering: .sequentiallyConsistent)
                    }
                }
            }
            defer { progress.isEnded.store(true, ordering: .relaxed) }
            for _ in 0..<200 {
                let least = progress.acknowledged.load(ordering: .sequentiallyConsistent)
                let number = try #require(try PlainDatabase.contents(of: url).numbers?["a"])
                #expect(number >= least)
            }
            progress.isEnded.store(true, ordering: .relaxed)
            try await writing.result
        }
    }
}
