import Foundation
import PreferencesRuntime
import PreferencesSecrets
import StoreTestSupport
import TestSupport
import Testing
@testable import PreferencesSystem

/// A store with another key than the one that its values were encrypted with.
struct EncryptedStoreKeyTests {
    private let medium = MemoryStore()
    private let key = EncryptionKey.random()
    private let wrongKey = PreferenceProblem.wrongKey(of: "memory")

    private var store: EncryptedStore { EncryptedStore(medium, key: key) }

    /// Checks that a store refuses everything, and that the medium stays as it is.
    private func expectRefusal(by store: EncryptedStore) {
        let before = medium.contents
        for _ in 0..<2 {
            #expect(throws: wrongKey) { try store.value(for: "token") }
            #expect(throws: wrongKey) { try store.value(for: "absent") }
            #expect(throws: wrongKey) { try store.names() }
            #expect(throws: wrongKey) { try store.source(of: "token") }
            #expect(throws: wrongKey) { try store.apply(["token": .set("mine")]) }
            #expect(throws: wrongKey) { try store.apply(["new": .set("mine")]) }
            #expect(throws: wrongKey) { try store.apply(["token": .remove]) }
            #expect(throws: wrongKey) {
                try store.update { _ in
                    Issue.record("the closure is not to run")
                    return ["token": .set("mine")]
                }
            }
        }
        #expect(medium.contents == before)
    }

    @Test func withAnotherKeyNothingIsReadOrChanged() throws {
        try store.apply(["token": .set("hunter2"), "pin": .set(1234)])
        expectRefusal(by: EncryptedStore(medium, key: .random()))
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test func aKeyWithOneOtherBitIsAnotherKey() throws {
        try store.apply(["token": .set("hunter2")])
        for index in 0..<EncryptionKey.size {
            var data = key.data
            data[index] ^= 1 << (index % 8)
            let other = EncryptedStore(medium, key: try EncryptionKey(data: data))
            #expect(throws: wrongKey) { try other.value(for: "token") }
        }
    }

    @Test func anotherKeyIsAlsoRefusedWhereAllValuesAreGone() throws {
        try store.apply(["token": .set("hunter2")])
        try store.apply(["token": .remove])
        let other = EncryptedStore(medium, key: .random())
        #expect(throws: wrongKey) { try other.apply(["token": .set("mine")]) }
        #expect(throws: wrongKey) { try other.names() }
    }

    @Test func anotherFileInPlaceOfThisOneIsNoticed() throws {
        try store.apply(["token": .set("hunter2")])
        let store = store
        #expect(try store.value(for: "token") == "hunter2")
        let theirs = MemoryStore()
        try EncryptedStore(theirs, key: .random()).apply(["token": .set("theirs")])
        medium.apply(PreferenceBatch(theirs.contents.mapValues(PreferenceEdit.set)))
        expectRefusal(by: store)
    }

    @Test func anEncryptedFileStaysByteForByteWithAnotherKey() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "secrets.json")
            let first = EncryptedStore(FileStore(url: url, durability: .immediate), key: key)
            try first.apply(["token": .set("hunter2")])
            let before = try Data(contentsOf: url)
            let preferences = Preferences(
                store: MemoryStore(),
                secrets: EncryptedStore(FileStore(url: url), key: .random())
            )
            #expect(preferences.get("token", default: "none", [.secret]) == "none")
            preferences.set("token", to: "mine", [.secret])
            preferences.set("other", to: "mine", [.secret])
            try preferences.flush()
            #expect(try Data(contentsOf: url) == before)
            #expect(try first.value(for: "token") == "hunter2")
        }
    }

    @Test func preferencesTellOfTheWrongKey() async throws {
        try store.apply(["token": .set("hunter2")])
        let preferences = Preferences(store: MemoryStore(), secrets: EncryptedStore(medium, key: .random()))
        #expect(preferences.get("token", default: "none", [.secret]) == "none")
        let problem = await preferences.problems.first { _ in true }
        #expect(problem?.code == .wrongKey)
    }

    @Test func ofTwoKeysThatWriteFirstOneWins() throws {
        let stores = [store, EncryptedStore(medium, key: .random())]
        let results = Locked<[Bool]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            let isWritten = (try? stores[index].apply(["\(index)": .set("mine")])) != nil
            results.withLock { $0.append(isWritten) }
        }
        #expect(results.withLock { $0.count { $0 } } == 1)
        #expect(medium.names().count == 2)
    }
}
