import Foundation
import PreferencesRuntime
import PreferencesSecrets
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesSystem

/// An encrypted store whose key is in another store.
struct EncryptedStoreKeyInStoreTests {
    private let base = MemoryStore()
    private let keyring = LockableStore()
    private let name = EncryptionKey.defaultName
    private let locked = LockableStore.lockedProblem()

    private var store: EncryptedStore { EncryptedStore(base, keyIn: keyring) }

    private let missingKey = PreferenceProblem(
        .missingKey,
        store: "memory",
        message:
            "its key is missing: keyring has no '::encryption key'; nothing is read or changed, and no other key is "
            + "created: restore the key or, if it is lost, move the file away to start a new one"
    )

    /// Checks that a store refuses all calls, and that the base and the keyring are unchanged.
    private func expectRefusal(_ problem: PreferenceProblem, by store: EncryptedStore) {
        let before = (base.contents, keyring.contents)
        for _ in 0..<2 {
            #expect(throws: problem) { try store.value(for: "token") }
            #expect(throws: problem) { try store.names() }
            #expect(throws: problem) { try store.source(of: "token") }
            #expect(throws: problem) { try store.apply(["token": .set("mine")]) }
            #expect(throws: problem) { try store.apply(["new": .set("mine")]) }
            #expect(throws: problem) { try store.apply(["token": .remove]) }
            #expect(throws: problem) {
                try store.update { _ in
                    Issue.record("the closure was called")
                    return ["token": .set("mine")]
                }
            }
        }
        #expect(base.contents == before.0)
        #expect(keyring.contents == before.1)
    }

    // MARK: - Creation

    @Test("The key is created when the first value is set, and not before")
    func keyIsCreatedByTheFirstSet() throws {
        let store = EncryptedStore.encrypted(base, keyIn: keyring)
        #expect(try store.value(for: "token") == nil)
        #expect(try store.names() == [])
        #expect(keyring.reads == 0)
        try store.apply(["token": .remove])
        try store.update { current throws in
            #expect(try current("token") == nil)
            return [:]
        }
        #expect(keyring.contents == [:])
        try store.apply(["token": .set("hunter2")])
        #expect(Set(keyring.contents.keys) == [name])
        #expect(try store.value(for: "token") == "hunter2")
        let key = try EncryptionKey(in: keyring)
        #expect(try EncryptedStore(base, key: key).value(for: "token") == "hunter2")
        #expect(try self.store.value(for: "token") == "hunter2")
    }

    @Test("Stores share a key by its name")
    func storesShareAKeyByItsName() throws {
        let other = MemoryStore()
        try store.apply(["token": .set("hunter2")])
        try EncryptedStore(other, keyIn: keyring).apply(["token": .set("hunter2")])
        #expect(Set(keyring.contents.keys) == [name])
        try EncryptedStore(MemoryStore(), keyIn: keyring, named: "other").apply(["token": .set("hunter2")])
        #expect(Set(keyring.contents.keys) == [name, "other"])
    }

    @Test("The key is read once, and stays in memory")
    func keyStaysInMemory() throws {
        try store.apply(["token": .set("hunter2")])
        let store = store
        let before = keyring.reads
        for _ in 0..<10 {
            #expect(try store.value(for: "token") == "hunter2")
            try store.apply(["pin": .set(1)])
        }
        #expect(keyring.reads == before + 1)
    }

    @Test("Writing a value for the first time does not notify the writer of its own key")
    func writerIsNotNotifiedOfItsKey() throws {
        let store = store
        let changes = StoreChanges(of: store)
        try store.apply(["token": .set("hunter2")])
        #expect(changes.soFar == [.names(["token"])])
    }

    @Test("Processes that write first at the same time share the key")
    func processesShareTheKey() async throws {
        let program = try BuiltWithTests.executable("StoreChild").path
        for _ in 0..<5 {
            try await withTemporaryDirectory { folder async throws in
                let url = folder.appending(component: "secrets.keyed")
                let children = try (1...4).map { try ChildProcess(program, ["set", url.path, "\($0)", "\($0)"]) }
                for child in children { #expect(await child.ending == .status(0)) }
                let keys = FileStore(url: url.appendingPathExtension("key"))
                let store = EncryptedStore(FileStore(url: url), keyIn: keys)
                for number in 1...4 { #expect(try store.value(for: "\(number)") == .int(Int64(number))) }
                #expect(try keys.names() == [name])
            }
        }
    }

    @Test("A damaged file is set aside, and the new one has a new key")
    func damagedFileIsSetAside() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "secrets.json")
            try Data("{".utf8).write(to: url)
            let old: [FileAttributeKey: Any] = [.modificationDate: Date.now.addingTimeInterval(-3_600)]
            try FileManager.default.setAttributes(old, ofItemAtPath: url.path)
            let store = EncryptedStore(FileStore(url: url), keyIn: keyring)
            try store.apply(["token": .set("hunter2")])
            #expect(try store.value(for: "token") == "hunter2")
            #expect(Set(keyring.contents.keys) == [name])
            let aside = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                $0.contains(".corrupt-")
            }
            #expect(aside.count == 1)
        }
    }

    // MARK: - Missing and other keys

    @Test("If there are values but no key, nothing is read, changed or created, until the key is restored")
    func missingKeyReadsAndChangesNothing() throws {
        try store.apply(["token": .set("hunter2")])
        let key = try #require(keyring.contents[name])
        let store = store
        #expect(try store.value(for: "token") == "hunter2")
        try keyring.apply([name: .remove])
        expectRefusal(missingKey, by: store)
        expectRefusal(missingKey, by: self.store)
        try keyring.apply([name: .set(key)])
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test("A key is missing even if the entry that identifies it is lost or damaged, or all values were removed")
    func keyIsMissingWithoutItsCheck() throws {
        try store.apply(["token": .set("hunter2")])
        try keyring.apply([name: .remove])
        base.apply(["::encryption": .set("damaged")])
        expectRefusal(missingKey, by: store)
        base.apply(["::encryption": .remove])
        #expect(throws: missingKey) { try store.value(for: "token") }
        #expect(throws: missingKey) { try store.apply(["new": .set("mine")]) }
        #expect(keyring.contents == [:])
        try keyring.apply([name: .set(.data(Data(count: 32)))])
        base.apply(["token": .remove])
        try store.apply(["token": .set("hunter2")])
        try store.apply(["token": .remove])
        try keyring.apply([name: .remove])
        expectRefusal(missingKey, by: store)
    }

    @Test("Values that are not encrypted need no key")
    func unencryptedValuesNeedNoKey() throws {
        base.apply(["plain": .set("text")])
        let problem = #expect(throws: PreferenceProblem.self) { try store.value(for: "plain") }
        #expect(problem?.code == .notAuthentic)
        #expect(try store.names() == ["plain"])
        #expect(keyring.contents == [:])
        try store.apply(["token": .set("hunter2")])
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test("A key that another process has just created is found before its store notifies of it")
    func keyIsFoundBeforeItsNotification() throws {
        try store.apply(["token": .set("hunter2")])
        let store = EncryptedStore(base, keyIn: UnnotifiedStore(base: keyring))
        #expect(try store.value(for: "token") == "hunter2")
        #expect(keyring.reloads == 0)
    }

    @Test("A key that is missing in a store that cannot be written is missing")
    func missingKeyInReadOnlyStore() throws {
        try store.apply(["token": .set("hunter2")])
        try keyring.apply([name: .remove])
        expectRefusal(missingKey, by: EncryptedStore(base, keyIn: keyring.readOnly))
    }

    @Test("A key that was replaced in its store is a wrong key, until the right one is back")
    func replacedKeyIsWrong() throws {
        let store = store
        try store.apply(["token": .set("hunter2")])
        let key = try #require(keyring.contents[name])
        try keyring.apply([name: .set(.data(Data(count: 32)))])
        expectRefusal(.wrongKey(of: "memory"), by: store)
        try keyring.apply([name: .set(key)])
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test("An entry that is not a key is a wrong key, and remains")
    func invalidEntryRemains() throws {
        try store.apply(["token": .set("hunter2")])
        try keyring.apply([name: .set("hunter2, the passphrase")])
        let problem = PreferenceProblem(
            .wrongKey,
            store: "memory",
            message:
                "'::encryption key' in keyring is not a key: it is text that is not base64; it remains as it is: restore "
                + "the key, use another name, or remove the entry if nothing was encrypted with it"
        )
        expectRefusal(problem, by: store)
        base.apply(["token": .remove, "::encryption": .remove])
        #expect(throws: problem) { try store.apply(["token": .set("mine")]) }
        #expect(keyring.contents == [name: "hunter2, the passphrase"])
    }

    // MARK: - Locking

    @Test("While the keyring is locked, nothing is read or changed")
    func lockedKeyringReadsAndChangesNothing() throws {
        let store = store
        try store.apply(["token": .set("hunter2")])
        #expect(try store.value(for: "token") == "hunter2")
        keyring.lock()
        expectRefusal(locked, by: store)
        expectRefusal(locked, by: self.store)
        keyring.unlock()
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test("Without values, a locked keyring prevents only writing")
    func lockedKeyringWithoutValues() throws {
        keyring.lock()
        #expect(try store.value(for: "token") == nil)
        #expect(try store.names() == [])
        #expect(throws: locked) { try store.apply(["token": .set("hunter2")]) }
        #expect(base.contents == [:])
        #expect(keyring.contents == [:])
    }

    @Test("Observers are notified of the keyring's changes that concern the key")
    func observersAreNotifiedOfTheKey() throws {
        let store = store
        try store.apply(["token": .set("hunter2")])
        let changes = StoreChanges(of: store)
        keyring.lock()
        keyring.unlock()
        try keyring.apply(["another": .set(1)])
        let key = try #require(keyring.contents[name])
        try keyring.apply([name: .set(key)])
        let origin = PreferenceChangeOrigin(rawValue: "another device")
        keyring.notify(.reported(["another"], origin))
        keyring.notify(.reported([name], origin))
        keyring.notify(.reported(nil, origin))
        let ofAnother = PreferenceProblem(.notDurable, key: "another", store: "keyring", message: "another")
        let ofAll = PreferenceProblem(.notDurable, store: "keyring", message: "all")
        let ofKey = PreferenceProblem(.notDurable, key: name, store: "keyring", message: "key")
        for problem in [ofAnother, ofAll, ofKey] { keyring.notify(.problem(problem)) }
        try store.apply(["pin": .set(1)])
        #expect(
            changes.soFar == [
                .unreadable(locked), .everything, .everything, .everything, .everything, .problem(ofAll),
                .problem(PreferenceProblem(.notDurable, store: "keyring", message: "key")), .names(["pin"]),
            ]
        )
        changes.cancel()
        keyring.lock()
        #expect(changes.soFar.count == 8)
    }

    @Test("The keyring is observed once the key was read, and as long as the store exists")
    func keyringIsObservedWhileNeeded() throws {
        do {
            let store = store
            #expect(try store.value(for: "token") == nil)
            #expect(!keyring.isObserved)
            try store.apply(["token": .set("hunter2")])
            #expect(keyring.isObserved)
        }
        #expect(!keyring.isObserved)
        let changes: StoreChanges
        do {
            let store = store
            #expect(try store.value(for: "token") == "hunter2")
            changes = StoreChanges(of: store)
        }
        keyring.lock()
        #expect(changes.soFar == [.unreadable(locked)])
        changes.cancel()
        #expect(!keyring.isObserved)
    }

    @Test("A key that is changed while it is read is read again")
    func keyThatChangesDuringItsReadIsNotKept() throws {
        try store.apply(["token": .set("hunter2")])
        let store = EncryptedStore(
            base,
            keyIn: InterruptedReadStore(keyring) { [keyring, name] in
                try keyring.apply([name: .set(.data(Data(count: 32)))])
            }
        )
        #expect(try store.value(for: "token") == "hunter2")
        #expect(throws: PreferenceProblem.wrongKey(of: "memory")) { try store.value(for: "token") }
    }

    @Test("A key whose store does not notify of changes is read again after a reload")
    func reloadReadsTheKeyAgain() throws {
        let keys = ExternallyChangedStore(isSilent: true)
        let store = EncryptedStore(base, keyIn: keys)
        try store.apply(["token": .set("hunter2")])
        let key = try #require(try keys.value(for: name))
        keys.set(name, .data(Data(count: 32)))
        #expect(try store.value(for: "token") == "hunter2")
        let changes = StoreChanges(of: store)
        try store.reload()
        #expect(changes.soFar == [.everything])
        #expect(throws: PreferenceProblem.wrongKey(of: "memory")) { try store.value(for: "token") }
        keys.set(name, key)
        try store.reload()
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test("Reloading a store with a fixed key notifies nobody")
    func reloadWithAFixedKeyNotifiesNobody() throws {
        let store = EncryptedStore(base, key: .random())
        try store.apply(["token": .set("hunter2")])
        let changes = StoreChanges(of: store)
        try store.reload()
        #expect(changes.soFar == [])
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test("The file of a key is made inaccessible to other users")
    func fileOfAKeyIsProtected() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "key.json")
            let keys = FileStore(url: url, durability: .immediate)
            let store = EncryptedStore(base, keyIn: keys)
            try store.apply(["token": .set("hunter2")])
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
            #expect(EncryptedStore(base, keyIn: FileStore(url: url)).protectSecrets().map(\.code) == [.secretsExposed])
            let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }

    @Test("Descriptions and mirrors show nothing of a key that is in memory")
    func descriptionsHideTheKey() throws {
        let store = store
        try store.apply(["token": .set("hunter2")])
        let key = try EncryptionKey(in: keyring)
        var dumped = ""
        dump(store, to: &dumped)
        for text in [dumped, "\(store)", String(reflecting: store)] {
            #expect(!text.contains(key.data.base64EncodedString()))
            #expect(!text.contains("\(key.data[0]), \(key.data[1])"))
        }
        #expect(dumped.contains("memory"))
    }

    // MARK: - Preferences

    @Test("A watcher receives the value when the keyring is unlocked")
    func watcherReceivesTheValueAfterUnlocking() async throws {
        try store.apply(["token": .set("hunter2")])
        keyring.lock()
        let preferences = Preferences(store: MemoryStore(), secrets: store)
        let token = PreferenceReference("token", default: "none", [.secret], in: preferences)
        let values = Recorder<String>()
        let watcher = token.watch { values.add($0.new) }
        #expect(token.value == "none")
        let problem = try #require(await preferences.reportedProblems().first)
        #expect(problem.code == .keychainLocked)
        #expect(problem.store == "keyring")
        #expect(problem.message.hasPrefix("the keyring is locked: unlock it"))
        #expect(values.all == [])
        keyring.unlock()
        #expect(values.all == ["hunter2"])
        #expect(token.value == "hunter2")
        watcher.cancel()
    }

    @Test("A keyring that is locked meanwhile prevents setting, and the value that was read before remains")
    func valueRemainsWhileLocked() async throws {
        let preferences = Preferences(store: MemoryStore(), secrets: store)
        let token = PreferenceReference("token", default: "none", [.secret], in: preferences)
        let other = PreferenceReference("other", default: "none", [.secret], in: preferences)
        let values = Recorder<String>()
        let watcher = token.watch { values.add($0.new) }
        token.value = "hunter2"
        #expect(values.all == ["hunter2"])
        keyring.lock()
        #expect(token.value == "hunter2")
        #expect(other.value == "none")
        #expect(throws: PreferenceProblem.self) { try token.set("hunter3") }
        #expect(token.value == "hunter2")
        let codes = await preferences.reportedProblems().map(\.code)
        #expect(codes.contains(.keychainLocked))
        #expect(Set(codes) == [.keychainLocked])
        // Another process sets the value meanwhile.
        let key = try EncryptionKey(data: #require(base64(keyring.contents[name])))
        try EncryptedStore(base, key: key).apply(["token": .set("hunter4")])
        #expect(values.all == ["hunter2"])
        #expect(token.value == "hunter2")
        keyring.unlock()
        #expect(values.all == ["hunter2", "hunter4"])
        #expect(token.value == "hunter4")
        token.value = "hunter5"
        #expect(values.all == ["hunter2", "hunter4", "hunter5"])
        watcher.cancel()
    }

    @Test("A watched secret whose key was removed keeps its value, and changes when the key is back")
    func watchedSecretWithoutItsKey() async throws {
        try store.apply(["token": .set("hunter2")])
        let key = try #require(keyring.contents[name])
        let preferences = Preferences(store: MemoryStore(), secrets: store)
        let token = PreferenceReference("token", default: "none", [.secret], in: preferences)
        let values = Recorder<String>()
        let watcher = token.watch { values.add($0.new) }
        #expect(token.value == "hunter2")
        try keyring.apply([name: .remove])
        #expect(token.value == "hunter2")
        #expect(Set(await preferences.reportedProblems().map(\.code)) == [.missingKey])
        try EncryptedStore(base, key: EncryptionKey(data: #require(base64(key)))).apply(["token": .set("hunter3")])
        #expect(values.all == [])
        try keyring.apply([name: .set(key)])
        #expect(values.all == ["hunter3"])
        #expect(keyring.reloads == 0)
        watcher.cancel()
    }

    private func base64(_ value: PreferenceValue?) -> Data? {
        if case .string(let text)? = value { Data(base64Encoded: text) } else { nil }
    }
}

/// A store that was not notified yet of any entry of its base.
private struct UnnotifiedStore: PreferenceStoreAdapter {
    let base: any PreferenceStore

    func value(for name: String) -> PreferenceValue? { nil }
}

/// A store that calls a closure after its first read.
private final class InterruptedReadStore: PreferenceStoreAdapter {
    let base: any PreferenceStore
    private let interruption: Locked<(@Sendable () throws -> Void)?>

    init(_ base: any PreferenceStore, _ interruption: @escaping @Sendable () throws -> Void) {
        self.base = base
        self.interruption = Locked(interruption)
    }

    func value(for name: String) throws -> PreferenceValue? {
        let value = try base.value(for: name)
        let interruption = interruption.withLock { interruption in
            defer { interruption = nil }
            return interruption
        }
        try interruption?()
        return value
    }
}
