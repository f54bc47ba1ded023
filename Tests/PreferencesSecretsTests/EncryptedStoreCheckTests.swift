import Foundation
import PreferencesRuntime
import PreferencesSecrets
import Testing

/// The entry by which a wrong key is found out, where it is missing or damaged.
struct EncryptedStoreCheckTests {
    private let medium = MemoryStore()
    private let key = EncryptionKey.random()
    private let wrongKey = PreferenceProblem.wrongKey(of: "memory")

    private var store: EncryptedStore { EncryptedStore(medium, key: key) }

    @Test func withoutItsEntryAnotherKeyIsRefusedStill() throws {
        try store.apply(["token": .set("hunter2")])
        medium.apply(["::encryption": .remove])
        let other = EncryptedStore(medium, key: .random())
        let before = medium.contents
        #expect(throws: wrongKey) { try other.value(for: "token") }
        #expect(throws: wrongKey) { try other.apply(["token": .set("mine")]) }
        #expect(throws: wrongKey) { try other.apply(["new": .set("mine")]) }
        #expect(throws: wrongKey) { try other.apply(["token": .remove]) }
        #expect(medium.contents == before)
    }

    @Test func withoutItsEntryTheKeyReadsAndTheNextWriteMakesItAgain() throws {
        try store.apply(["token": .set("hunter2")])
        medium.apply(["::encryption": .remove])
        #expect(try store.value(for: "token") == "hunter2")
        #expect(medium.value(for: "::encryption") == nil)
        try store.apply(["pin": .set(1)])
        #expect(medium.value(for: "::encryption") != nil)
        #expect(throws: wrongKey) { try EncryptedStore(medium, key: .random()).names() }
    }

    @Test func anyBitOfItsEntryMayBeDamagedForWhoHasTheKey() throws {
        try store.apply(["token": .set("hunter2")])
        guard case .data(let entry)? = medium.value(for: "::encryption") else {
            Issue.record("there is no entry")
            return
        }
        for bit in 0..<entry.count * 8 {
            var damaged = entry
            damaged[bit / 8] ^= 1 << (bit % 8)
            medium.apply(["::encryption": .set(.data(damaged))])
            #expect(try store.value(for: "token") == "hunter2")
            #expect(medium.value(for: "::encryption") == .data(damaged))
            let other = EncryptedStore(medium, key: .random())
            #expect(throws: wrongKey) { try other.apply(["token": .set("mine")]) }
            try store.apply(["token": .set("hunter2")])
            #expect(medium.value(for: "::encryption") != .data(damaged))
        }
    }

    @Test func aMediumWithPlainValuesAloneMayBecomeEncrypted() throws {
        medium.apply(["plain": .set("text"), "data": .set(.data(Data([1, 2])))])
        try store.apply(["token": .set("hunter2")])
        #expect(try store.value(for: "token") == "hunter2")
        #expect(medium.value(for: "plain") == "text")
    }
}
