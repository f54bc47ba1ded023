import Foundation
import PreferencesRuntime
import PreferencesSecrets
import PreferencesStoreTesting
import TestSupport
import Testing

/// The conformance of encrypted stores.
struct EncryptedConformanceTests {
    @Test("An encrypted store in memory passes each check of the conformance kit", arguments: StoreCheck.all)
    func encryptedMemoryStorePassesConformanceCheck(check: StoreCheck) throws {
        let key = EncryptionKey.random()
        try check.run(on: StoreSubject { EncryptedStore(MemoryStore(), key: key) })
    }

    @Test(
        "An encrypted file that is written immediately passes each check of the conformance kit",
        arguments: FileStore.Format.allCases,
        StoreCheck.all
    )
    func encryptedImmediateFilePassesConformanceCheck(format: FileStore.Format, check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            let key = EncryptionKey.random()
            try check.run(on: .encryptedFile(url, { EncryptedStore($0, key: key) }, format, .immediate))
        }
    }

    @Test("An encrypted file with coalesced writes passes each check of the conformance kit", arguments: StoreCheck.all)
    func encryptedCoalescedFilePassesConformanceCheck(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            let key = EncryptionKey.random()
            try check.run(
                on: .encryptedFile(url, { EncryptedStore($0, key: key) }, .json, .coalesced(milliseconds: 50))
            )
        }
    }

    @Test("An encrypted store over a store of text passes each check of the conformance kit", arguments: StoreCheck.all)
    func encryptedTextStorePassesConformanceCheck(check: StoreCheck) throws {
        let key = EncryptionKey.random()
        try check.run(on: StoreSubject { EncryptedStore(TextStore(), key: key) })
    }

    @Test(
        "An encrypted file whose key is in a keyring passes each check of the conformance kit",
        arguments: StoreCheck.all
    )
    func encryptedFileWithKeyInAKeyringPassesConformanceCheck(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            let keyring = LockableStore()
            try check.run(on: .encryptedFile(url, { EncryptedStore($0, keyIn: keyring) }, .json, .immediate))
        }
    }

    @Test(
        "An encrypted file whose keyring can be locked passes each check of the conformance kit",
        arguments: StoreCheck.all
    )
    func encryptedFileWithALockedKeyringPassesConformanceCheck(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            let keyring = LockableStore()
            try check.run(
                on: .encryptedFile(
                    url,
                    { EncryptedStore($0, keyIn: keyring) },
                    .json,
                    .immediate,
                    breakBackend: { keyring.lock() },
                    repairBackend: { keyring.unlock() }
                )
            )
        }
    }

    @Test("An encrypted store excludes writers if its base does")
    func excludesWriters() {
        let key = EncryptionKey.random()
        #expect(EncryptedStore(MemoryStore(), key: key).excludesWriters)
        #expect(!EncryptedStore(WriterNotifyingStore(), key: key).excludesWriters)
    }
}

private struct WriterNotifyingStore: WritablePreferenceStore {
    private let memory = MemoryStore()

    func value(for name: String) -> PreferenceValue? { memory.value(for: name) }
    func names() -> Set<String> { memory.names() }
    func apply(_ batch: PreferenceBatch) { memory.apply(batch) }
}

extension StoreSubject {
    fileprivate static func encryptedFile(
        _ url: URL,
        _ encrypted: @escaping @Sendable (FileStore) -> EncryptedStore,
        _ format: FileStore.Format,
        _ durability: FileStore.Durability,
        breakBackend: (@Sendable () throws -> Void)? = nil,
        repairBackend: (@Sendable () throws -> Void)? = nil
    ) -> StoreSubject {
        let aside = url.appendingPathExtension("aside")
        return StoreSubject(
            open: { encrypted(FileStore(url: url, format: format, durability: durability)) },
            // Replaces the file, as an editor does.
            changeExternally: { batch in
                let draft = url.appendingPathExtension("draft")
                try? FileManager.default.copyItem(at: url, to: draft)
                let editor = encrypted(FileStore(url: draft, format: format))
                try editor.apply(PreferenceBatch(batch))
                try editor.flush()
                try FileManager.default.removeItem(at: url)
                try FileManager.default.moveItem(at: draft, to: url)
            },
            breakBackend: breakBackend ?? {
                try FileManager.default.linkItem(at: url, to: aside)
                let loop = url.appendingPathExtension("loop")
                let target = url.lastPathComponent
                try FileManager.default.createSymbolicLink(atPath: loop.path, withDestinationPath: target)
                try #require(rename(loop.path, url.path) == 0)
            },
            repairBackend: repairBackend ?? { try #require(rename(aside.path, url.path) == 0) }
        )
    }
}
