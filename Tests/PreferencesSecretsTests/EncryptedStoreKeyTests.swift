import Foundation
import PreferencesRuntime
import PreferencesSecrets
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesSystem

/// A store with a wrong key.
struct EncryptedStoreKeyTests {
    private let base = MemoryStore()
    private let key = EncryptionKey.random()
    private let wrongKey = PreferenceProblem.wrongKey(of: "memory")

    private var store: EncryptedStore { EncryptedStore(base, key: key) }

    /// Checks that a store rejects all calls, and that the base is unchanged.
    private func expectRefusal(by store: EncryptedStore) {
        let before = base.contents
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
                    Issue.record("the closure was called")
                    return ["token": .set("mine")]
                }
            }
        }
        #expect(base.contents == before)
    }

    @Test("With a wrong key nothing is read or changed")
    func wrongKeyReadsAndChangesNothing() throws {
        try store.apply(["token": .set("hunter2"), "pin": .set(1234)])
        expectRefusal(by: EncryptedStore(base, key: .random()))
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test("A key that differs in one bit is a wrong key")
    func keyThatDiffersInOneBitIsWrong() throws {
        try store.apply(["token": .set("hunter2")])
        for index in 0..<EncryptionKey.size {
            var data = key.data
            data[index] ^= 1 << (index % 8)
            let other = EncryptedStore(base, key: try EncryptionKey(data: data))
            #expect(throws: wrongKey) { try other.value(for: "token") }
        }
    }

    @Test("A wrong key is rejected even if all values were removed")
    func wrongKeyIsRejectedWithoutValues() throws {
        try store.apply(["token": .set("hunter2")])
        try store.apply(["token": .remove])
        let other = EncryptedStore(base, key: .random())
        #expect(throws: wrongKey) { try other.apply(["token": .set("mine")]) }
        #expect(throws: wrongKey) { try other.names() }
    }

    @Test("Another file in place of this one is detected")
    func replacedFileIsDetected() throws {
        try store.apply(["token": .set("hunter2")])
        let store = store
        #expect(try store.value(for: "token") == "hunter2")
        let theirs = MemoryStore()
        try EncryptedStore(theirs, key: .random()).apply(["token": .set("theirs")])
        base.apply(PreferenceBatch(theirs.contents.mapValues(PreferenceEdit.set)))
        expectRefusal(by: store)
    }

    @Test("A wrong key leaves the file unchanged, byte for byte")
    func wrongKeyLeavesTheFileUnchanged() throws {
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

    @Test("Preferences report a wrong key")
    func preferencesReportTheWrongKey() async throws {
        try store.apply(["token": .set("hunter2")])
        let preferences = Preferences(store: MemoryStore(), secrets: EncryptedStore(base, key: .random()))
        #expect(preferences.get("token", default: "none", [.secret]) == "none")
        let problem = await preferences.problems.first { _ in true }
        #expect(problem?.code == .wrongKey)
    }

    @Test("If two keys write first at the same time, one of them wins")
    func firstWriterDeterminesTheKey() throws {
        let stores = [store, EncryptedStore(base, key: .random())]
        let results = Locked<[Bool]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            let isWritten = (try? stores[index].apply(["\(index)": .set("mine")])) != nil
            results.withLock { $0.append(isWritten) }
        }
        #expect(results.withLock { $0.count { $0 } } == 1)
        #expect(base.names().count == 2)
    }
}

/// A missing or damaged key entry.
struct EncryptedStoreCheckTests {
    private let base = MemoryStore()
    private let key = EncryptionKey.random()
    private let wrongKey = PreferenceProblem.wrongKey(of: "memory")

    private var store: EncryptedStore { EncryptedStore(base, key: key) }

    @Test("Without the key entry, a wrong key is still rejected")
    func wrongKeyIsRejectedWithoutTheKeyEntry() throws {
        try store.apply(["token": .set("hunter2")])
        base.apply(["::encryption": .remove])
        let other = EncryptedStore(base, key: .random())
        let before = base.contents
        #expect(throws: wrongKey) { try other.value(for: "token") }
        #expect(throws: wrongKey) { try other.apply(["token": .set("mine")]) }
        #expect(throws: wrongKey) { try other.apply(["new": .set("mine")]) }
        #expect(throws: wrongKey) { try other.apply(["token": .remove]) }
        #expect(base.contents == before)
    }

    @Test("Without the key entry, the right key reads, and the next write adds the entry")
    func missingKeyEntryIsWrittenAgain() throws {
        try store.apply(["token": .set("hunter2")])
        base.apply(["::encryption": .remove])
        #expect(try store.value(for: "token") == "hunter2")
        #expect(base.value(for: "::encryption") == nil)
        try store.apply(["pin": .set(1)])
        #expect(base.value(for: "::encryption") != nil)
        #expect(throws: wrongKey) { try EncryptedStore(base, key: .random()).names() }
    }

    @Test("A damaged bit in the key entry does not prevent access with the right key")
    func damagedKeyEntryIsAcceptedWithTheRightKey() throws {
        try store.apply(["token": .set("hunter2")])
        guard case .data(let entry)? = base.value(for: "::encryption") else {
            Issue.record("there is no entry")
            return
        }
        for bit in 0..<entry.count * 8 {
            var damaged = entry
            damaged[bit / 8] ^= 1 << (bit % 8)
            base.apply(["::encryption": .set(.data(damaged))])
            #expect(try store.value(for: "token") == "hunter2")
            #expect(base.value(for: "::encryption") == .data(damaged))
            let other = EncryptedStore(base, key: .random())
            #expect(throws: wrongKey) { try other.apply(["token": .set("mine")]) }
            try store.apply(["token": .set("hunter2")])
            #expect(base.value(for: "::encryption") != .data(damaged))
        }
    }

    @Test("A store with only unencrypted values can become encrypted")
    func unencryptedStoreCanBecomeEncrypted() throws {
        base.apply(["plain": .set("text"), "data": .set(.data(Data([1, 2])))])
        try store.apply(["token": .set("hunter2")])
        #expect(try store.value(for: "token") == "hunter2")
        #expect(base.value(for: "plain") == "text")
    }
}
