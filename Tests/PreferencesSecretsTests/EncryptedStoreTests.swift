import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesSecrets

/// What is in the medium, and who can read it.
struct EncryptedStoreTests {
    /// The number of the format, the nonce, the kind of value, the tag.
    private static let overhead: Int = 1 + 12 + 1 + 16

    private let medium = MemoryStore()
    private let key = EncryptionKey.random()

    private var store: EncryptedStore { EncryptedStore(medium, key: key) }

    @Test func theMediumHasNamesAndNoValues() throws {
        try store.apply(["token": .set("hunter2"), "pin": .set(1234)])
        #expect(medium.names() == ["token", "pin", "::encryption"])
        for name in medium.names() {
            guard case .data(let data)? = medium.value(for: name) else {
                Issue.record("'\(name)' is no data")
                continue
            }
            #expect(data.first == 1)
            #expect(data.range(of: Data("hunter2".utf8)) == nil)
            #expect(data.range(of: Data("1234".utf8)) == nil)
        }
        #expect(medium.value(for: "token")?.byteCount == Self.overhead + 7)
    }

    @Test func aValueIsSealedAnewEachTime() throws {
        try store.apply(["token": .set("hunter2")])
        let first = medium.value(for: "token")
        try store.apply(["token": .set("hunter2")])
        #expect(medium.value(for: "token") != first)
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test func theEntryForTheKeyIsWrittenWithTheFirstValueAndStays() throws {
        try store.apply(["token": .remove])
        try store.update { _ in [:] }
        _ = try store.value(for: "token")
        #expect(medium.names() == [])
        try store.apply(["token": .set("hunter2")])
        let entry = medium.value(for: "::encryption")
        #expect(entry != nil)
        try store.apply(["token": .remove, "pin": .set(1)])
        try store.update { _ in ["pin": .remove] }
        #expect(medium.value(for: "::encryption") == entry)
    }

    // A file takes longer for an update: it is written at once, with other processes kept out.
    @Test func onlyTheFirstBatchIsAnUpdateOfTheBase() throws {
        let base = CallsStore(medium)
        let store = EncryptedStore(base, key: key)
        try store.apply(["token": .set("hunter2")])
        try store.apply(["token": .set("hunter3"), "pin": .remove])
        #expect(base.calls == ["update", "apply [\"pin\", \"token\"]"])
    }

    @Test func theEntryForTheKeyIsHidden() throws {
        let changes = StoreChanges(of: store)
        try store.apply(["token": .set("hunter2")])
        #expect(try store.names() == ["token"])
        #expect(try store.value(for: "::encryption") == nil)
        #expect(try store.source(of: "::encryption") == nil)
        #expect(changes.soFar == [.names(["token"])])
        let problem = PreferenceProblem(
            .unsupportedValue,
            key: "::encryption",
            store: "memory",
            message: "an encrypted store has this name for itself"
        )
        let entry = medium.value(for: "::encryption")
        for edit in [PreferenceEdit.set("mine"), .remove] {
            #expect(throws: problem) { try store.apply(["::encryption": edit, "token": .remove]) }
            #expect(throws: problem) { try store.update { _ in ["::encryption": edit, "token": .remove] } }
        }
        #expect(medium.value(for: "::encryption") == entry)
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test func aStoreOfTextHasItInBase64() throws {
        let texts = TextStore()
        let store = EncryptedStore(texts, key: key)
        try store.apply(["pin": .set(1234)])
        guard case .string(let text)? = try texts.value(for: "pin") else {
            Issue.record("it is no text")
            return
        }
        #expect(Data(base64Encoded: text)?.count == Self.overhead + 4)
        #expect(try store.value(for: "pin") == 1234)
        #expect(try store.convert("1234", of: "pin", to: String.self) == "1234")
        let mismatch = PreferenceProblem(
            .typeMismatch,
            key: "pin",
            store: store.label,
            message: "expected Int, found something else"
        )
        #expect(throws: mismatch) { try store.convert("1234", of: "pin", to: Int.self) }
    }

    @Test func anEncryptedFileIsReadByTheNextProgram() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "secrets.json")
            let preferences = Preferences(store: MemoryStore(), secrets: EncryptedStore(FileStore(url: url), key: key))
            preferences.set("token", to: "hunter2", [.secret])
            preferences.set("pins", to: [1, 2], [.secret])
            try preferences.flush()
            let contents = try String(contentsOf: url, encoding: .utf8)
            #expect(contents.contains("\"token\""))
            #expect(!contents.contains("hunter2"))
            let next = Preferences(store: MemoryStore(), secrets: EncryptedStore(FileStore(url: url), key: key))
            #expect(next.get("token", default: "", [.secret]) == "hunter2")
            #expect(next.get("pins", default: [0], [.secret]) == [1, 2])
        }
    }

    @Test func watchersHearOfWhatIsSetAndOfWhatOthersSet() async throws {
        try await withTemporaryDirectory { folder async throws in
            let url = folder.appending(component: "secrets.json")
            let store = EncryptedStore(FileStore(url: url, durability: .immediate), key: key)
            try store.apply(["token": .set("first")])
            let changes = StoreChanges(of: store)
            let other = EncryptedStore(FileStore(url: url, durability: .immediate), key: key)
            try other.apply(["token": .set("second")])
            try await changes.wait { try store.value(for: "token") == "second" }
        }
    }

    @Test func aMigrationMovesAllValuesToAnotherKey() throws {
        try withTemporaryDirectory { folder in
            let old = EncryptedStore(FileStore(url: folder.appending(component: "old.json")), key: key)
            let new = EncryptedStore(FileStore(url: folder.appending(component: "new.json")), key: .random())
            try old.apply(["token": .set("hunter2"), "pin": .set(1234)])
            let preferences = Preferences(
                store: new,
                migrations: [PreferenceMigration(version: 1, [.moveAll(from: old)])]
            )
            #expect(preferences.get(named: "token", default: "") == "hunter2")
            #expect(try new.value(for: "pin") == 1234)
            #expect(try old.names() == [])
        }
    }
}

extension PreferenceValue {
    fileprivate var byteCount: Int? {
        if case .data(let data) = self { data.count } else { nil }
    }
}
