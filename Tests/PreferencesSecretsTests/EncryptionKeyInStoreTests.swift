import Foundation
import KeychainTestSupport
import PreferencesRuntime
import PreferencesSQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesSecrets
@testable import PreferencesSystem

/// Keys that are read from stores, and created there.
struct EncryptionKeyInStoreTests {
    private let name = EncryptionKey.defaultName

    @Test("A key is created at the first use as base64, and read again at the next")
    func keyIsCreatedAndReadAgain() throws {
        try withTemporaryDirectory { folder in
            let stores: [any PreferenceStore] = [
                MemoryStore(), TextStore(), KeychainItems(KeychainDouble(), service: "weather"),
                FileStore(url: folder.appending(component: "key.json")),
                SQLiteStore(url: folder.appending(component: "key.sqlite")),
            ]
            for store in stores {
                let key = try EncryptionKey.make(in: store, named: name)
                #expect(try store.names() == ["::encryption key"])
                #expect(try store.value(for: name) == .string(key.data.base64EncodedString()))
                #expect(try EncryptionKey.make(in: store, named: name).data == key.data)
                #expect(try EncryptionKey.make(in: store, named: "other").data != key.data)
            }
        }
    }

    @Test("A key is read from base64, also with a newline at its end, and from data")
    func keyIsReadFromTextAndData() throws {
        let data = EncryptionKey.random().data
        let text = data.base64EncodedString()
        for value in [.data(data), .string(text), .string("\(text)\n"), .string(" \(text)\r\n")] as [PreferenceValue] {
            let store = MemoryStore([name: value])
            #expect(try EncryptionKey(in: store).data == data)
            #expect(store.contents == [name: value])
        }
    }

    @Test("A key among the secrets of preferences remains when these are reset, and is not one of them")
    func keyRemainsAfterReset() throws {
        let secrets = MemoryStore(["token": "a"])
        let key = try EncryptionKey(in: secrets)
        let preferences = Preferences(store: MemoryStore(["city": "Oslo"]), secrets: secrets)
        try preferences.resetAll()
        #expect(secrets.names() == [name])
        #expect(try EncryptionKey(in: secrets).data == key.data)
        #expect(try preferences.unrecognizedNames().isEmpty)
    }

    @Test("A new key is durable when it is returned")
    func newKeyIsDurable() throws {
        let store = CallsStore(MemoryStore())
        let key = try EncryptionKey(in: store)
        #expect(store.calls == ["update", "flush"])
        #expect(try EncryptionKey(in: store).data == key.data)
        #expect(store.calls == ["update", "flush"])
    }

    @Test("An entry that is not a key is refused, and remains")
    func invalidEntryIsRefused() throws {
        let entries: [(PreferenceValue, String)] = [
            (.data(Data(count: 16)), "it has 16 bytes, and a key has 32"),
            (.data(Data()), "it has 0 bytes, and a key has 32"),
            (.string(Data(count: 33).base64EncodedString()), "it has 33 bytes, and a key has 32"),
            (.string(""), "it has 0 bytes, and a key has 32"),
            (.string("hunter2, the passphrase"), "it is text that is not base64"),
            (42, "it is neither base64 nor data"),
            (.array([.string(Data(count: 32).base64EncodedString())]), "it is neither base64 nor data"),
            (.null, "it is neither base64 nor data"),
        ]
        for (entry, reason) in entries {
            let store = MemoryStore([name: entry])
            let error = EncryptionKeyError(
                .invalidEntry,
                "'::encryption key' in memory is not a key: \(reason); it remains as it is: restore the key, use another "
                    + "name, or remove the entry if nothing was encrypted with it"
            )
            #expect(throws: error) { try EncryptionKey(in: store) }
            #expect(store.contents == [name: entry])
        }
    }

    @Test("Errors of the store are thrown as they are, and nothing is created")
    func errorsOfTheStoreAreThrown() throws {
        let keyring = LockableStore()
        keyring.lock()
        #expect(throws: LockableStore.lockedProblem(name)) { try EncryptionKey(in: keyring) }
        #expect(keyring.contents == [:])
        let readOnly = PreferenceProblem(.storeUnwritable, store: "memory", message: "it is read-only")
        #expect(throws: readOnly) { try EncryptionKey(in: MemoryStore().readOnly) }
    }

    @Test("A damaged file of a key is neither replaced nor set aside")
    func damagedFileRemains() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "key.json")
            try Data("{".utf8).write(to: url)
            let store = FileStore(url: url, durability: .immediate)
            let error = #expect(throws: PreferenceProblem.self) { try EncryptionKey(in: store) }
            #expect(error?.code == .storeMalformed)
            #expect(try Data(contentsOf: url) == Data("{".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key.json"])
        }
    }

    @Test("If the store does not exclude another process, the key that is stored in the end is used")
    func storedKeyWinsTheRace() throws {
        let theirs = EncryptionKey.random()
        let store = OverwritingStore(theirs)
        #expect(try EncryptionKey(in: store).data == theirs.data)
        #expect(try EncryptionKey(in: store).data == theirs.data)
    }

    @Test("A store that does not keep the key is an error")
    func forgetfulStoreIsAnError() {
        let error = EncryptionKeyError(
            .notStored,
            "forgetful accepted a new key as '::encryption key', and does not have it: keep the key in another store"
        )
        #expect(throws: error) { try EncryptionKey(in: ForgetfulStore()) }
    }

    @Test("Threads that start at the same time get the same key")
    func threadsGetTheSameKey() throws {
        try withTemporaryDirectory { folder in
            let keychain = KeychainItems(KeychainDouble(), service: "weather")
            let file = FileStore(url: folder.appending(component: "key.json"))
            for store in [MemoryStore(), file, keychain] as [any PreferenceStore] {
                for round in 0..<20 {
                    let keys = Locked<[Data]>([])
                    DispatchQueue.concurrentPerform(iterations: 8) { _ in
                        let key = try? EncryptionKey.make(in: store, named: "key-\(round)")
                        keys.withLock { $0.append(key?.data ?? Data()) }
                    }
                    let all = keys.withLock { $0 }
                    #expect(Set(all).count == 1)
                    #expect(all.first?.count == EncryptionKey.size)
                }
            }
        }
    }

    @Test("Processes that start at the same time get the same keys", arguments: ["keys.json", "keys.sqlite"])
    func processesGetTheSameKeys(file: String) async throws {
        try await withTemporaryDirectory { folder async throws in
            let url = folder.appending(component: file)
            let program = try BuiltWithTests.executable("StoreChild").path
            let children = try (0..<2).map { _ in
                try ChildProcess(program, ["keys", url.path, "key", "20"], input: .pipe, output: .pipe)
            }
            // Both are running when they receive the line that starts them.
            for child in children { try child.input.write(contentsOf: Data("\n".utf8)) }
            var lists: [[String]] = []
            for child in children {
                let list = try await onOwnThread {
                    var lines: [String] = []
                    while let line = try child.output.readLine() { lines.append(line) }
                    return lines
                }
                lists.append(list)
                #expect(await child.ending == .status(0))
            }
            #expect(lists[0].count == 20)
            #expect(Set(lists[0]).count == 20)
            #expect(lists[0] == lists[1])
            let store: any PreferenceStore = file.hasSuffix("json") ? FileStore(url: url) : SQLiteStore(url: url)
            let stored = try lists[0].indices.map { try EncryptionKey.make(in: store, named: "key-\($0)") }
            #expect(stored.map { $0.data.base64EncodedString() } == lists[0])
        }
    }
}

/// A store whose values another process replaces as soon as they are set.
private struct OverwritingStore: WritablePreferenceStore, CapabilityDeclaringStore {
    let unsupportedCapabilities: PreferenceStoreCapabilities = [.persistence, .exclusiveUpdates]
    private let memory = MemoryStore()
    private let theirs: PreferenceValue

    init(_ theirs: EncryptionKey) {
        self.theirs = .data(theirs.data)
    }

    func value(for name: String) -> PreferenceValue? { memory.value(for: name) }
    func names() -> Set<String> { memory.names() }

    func apply(_ batch: PreferenceBatch) {
        memory.apply(batch)
        for (name, _) in batch { memory.apply([name: .set(theirs)]) }
    }
}

/// A store that accepts values, and keeps none.
private struct ForgetfulStore: WritablePreferenceStore {
    let label = "forgetful"

    func value(for name: String) -> PreferenceValue? { nil }
    func names() -> Set<String> { [] }
    func apply(_ batch: PreferenceBatch) {}
}
