import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesSecrets

/// The contents of the base store.
struct EncryptedStoreTests {
    /// The sizes of the format version, the nonce, the kind of value and the tag.
    private static let overhead: Int = 1 + 12 + 1 + 16

    private let base = MemoryStore()
    private let key = EncryptionKey.random()

    private var store: EncryptedStore { EncryptedStore(base, key: key) }

    @Test("The base holds names, but no readable values")
    func baseHoldsNamesButNoValues() throws {
        try store.apply(["token": .set("hunter2"), "pin": .set(1234)])
        #expect(base.names() == ["token", "pin", "::encryption"])
        for name in base.names() {
            guard case .data(let data)? = base.value(for: name) else {
                Issue.record("'\(name)' is no data")
                continue
            }
            #expect(data.first == 1)
            #expect(data.range(of: Data("hunter2".utf8)) == nil)
            #expect(data.range(of: Data("1234".utf8)) == nil)
        }
        #expect(base.value(for: "token")?.byteCount == Self.overhead + 7)
    }

    @Test("A value is encrypted differently each time")
    func valuesAreEncryptedAnewEachTime() throws {
        try store.apply(["token": .set("hunter2")])
        let first = base.value(for: "token")
        try store.apply(["token": .set("hunter2")])
        #expect(base.value(for: "token") != first)
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test("The key entry is written with the first value and remains")
    func keyEntryIsWrittenWithTheFirstValue() throws {
        try store.apply(["token": .remove])
        try store.update { _ in [:] }
        _ = try store.value(for: "token")
        #expect(base.names() == [])
        try store.apply(["token": .set("hunter2")])
        let entry = base.value(for: "::encryption")
        #expect(entry != nil)
        try store.apply(["token": .remove, "pin": .set(1)])
        try store.update { _ in ["pin": .remove] }
        #expect(base.value(for: "::encryption") == entry)
    }

    // An update of a file is slower: it is written immediately, with a lock.
    @Test("Only the first batch is an update of the base")
    func onlyTheFirstBatchUpdatesTheBase() throws {
        let base = CallsStore(base)
        let store = EncryptedStore(base, key: key)
        try store.apply(["token": .set("hunter2")])
        try store.apply(["token": .set("hunter3"), "pin": .remove])
        #expect(base.calls == ["update", "apply [\"pin\", \"token\"]"])
    }

    @Test("The key entry is hidden, and its name is reserved")
    func keyEntryIsHidden() throws {
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
            message: "encrypted stores reserve this name"
        )
        let entry = base.value(for: "::encryption")
        for edit in [PreferenceEdit.set("mine"), .remove] {
            #expect(throws: problem) { try store.apply(["::encryption": edit, "token": .remove]) }
            #expect(throws: problem) { try store.update { _ in ["::encryption": edit, "token": .remove] } }
        }
        #expect(base.value(for: "::encryption") == entry)
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test("A store of text holds encrypted values as Base64")
    func textStoreHoldsBase64() throws {
        let texts = TextStore()
        let store = EncryptedStore(texts, key: key)
        try store.apply(["pin": .set(1234)])
        guard case .string(let text)? = try texts.value(for: "pin") else {
            Issue.record("the value is not text")
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

    @Test("An encrypted file is read by later stores")
    func encryptedFileIsReadByLaterStores() throws {
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

    @Test("Own and external changes are observed")
    func ownAndExternalChangesAreObserved() async throws {
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

    @Test("A migration moves all values to another key")
    func migrationMovesValuesToAnotherKey() throws {
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

/// An encrypted file that several processes use at the same time.
struct EncryptedStoreProcessTests {
    @Test("Concurrent updates by several processes lose nothing and agree on the key entry")
    func processesAgreeOnTheKeyEntry() async throws {
        try await withTemporaryDirectory { folder async throws in
            let url = folder.appending(component: "preferences.encrypted")
            try await withThrowingTaskGroup { group in
                for _ in 0..<2 { group.addTask { try await child("increment", url, "count", 100) } }
                group.addTask { try await child("follow", url, "count", 200) }
                try await group.waitForAll()
            }
            let store = EncryptedStore(FileStore(url: url), key: try EncryptionKey(data: Data(count: 32)))
            #expect(try store.value(for: "count") == 200)
            #expect(try store.names() == ["count"])
        }
    }

    private func child(_ command: String, _ url: URL, _ name: String, _ number: Int) async throws {
        let program = try BuiltWithTests.executable("StoreChild").path
        let run = try await CommandLineRun(program, [command, url.path, name, "\(number)"], mergesErrors: true)
        #expect(run.succeeded, "\(run.output)")
    }
}
