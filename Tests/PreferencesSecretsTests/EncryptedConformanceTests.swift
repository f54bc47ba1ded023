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
            try check.run(on: .encryptedFile(url, .random(), format, .immediate))
        }
    }

    @Test("An encrypted file with coalesced writes passes each check of the conformance kit", arguments: StoreCheck.all)
    func encryptedCoalescedFilePassesConformanceCheck(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            try check.run(on: .encryptedFile(url, .random(), .json, .coalesced(milliseconds: 50)))
        }
    }

    @Test("An encrypted store over a store of text passes each check of the conformance kit", arguments: StoreCheck.all)
    func encryptedTextStorePassesConformanceCheck(check: StoreCheck) throws {
        let key = EncryptionKey.random()
        try check.run(on: StoreSubject { EncryptedStore(TextStore(), key: key) })
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
        _ key: EncryptionKey,
        _ format: FileStore.Format,
        _ durability: FileStore.Durability
    ) -> StoreSubject {
        let aside = url.appendingPathExtension("aside")
        return StoreSubject(
            open: { EncryptedStore(FileStore(url: url, format: format, durability: durability), key: key) },
            // Replaces the file, as an editor does.
            changeExternally: { batch in
                let draft = url.appendingPathExtension("draft")
                try? FileManager.default.copyItem(at: url, to: draft)
                let editor = EncryptedStore(FileStore(url: draft, format: format), key: key)
                try editor.apply(PreferenceBatch(batch))
                try editor.flush()
                try FileManager.default.removeItem(at: url)
                try FileManager.default.moveItem(at: draft, to: url)
            },
            breakBackend: {
                try FileManager.default.linkItem(at: url, to: aside)
                let loop = url.appendingPathExtension("loop")
                let target = url.lastPathComponent
                try FileManager.default.createSymbolicLink(atPath: loop.path, withDestinationPath: target)
                try #require(rename(loop.path, url.path) == 0)
            },
            repairBackend: { try #require(rename(aside.path, url.path) == 0) }
        )
    }
}
