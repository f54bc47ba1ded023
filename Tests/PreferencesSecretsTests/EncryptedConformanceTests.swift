import Foundation
import PreferencesRuntime
import PreferencesSecrets
import PreferencesStoreTesting
import TestSupport
import Testing

/// Encrypted stores, held to every promise of a store.
struct EncryptedConformanceTests {
    @Test(arguments: StoreCheck.all)
    func anEncryptedStoreInMemoryKeepsItsPromises(check: StoreCheck) throws {
        let key = EncryptionKey.random()
        try check.run(on: StoreSubject { EncryptedStore(MemoryStore(), key: key) })
    }

    @Test(arguments: FileStore.Format.allCases, StoreCheck.all)
    func anEncryptedFileThatIsWrittenAtOnceKeepsItsPromises(format: FileStore.Format, check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            try check.run(on: .encryptedFile(url, .random(), format, .immediate))
        }
    }

    @Test(arguments: StoreCheck.all)
    func anEncryptedFileThatIsWrittenLaterKeepsItsPromises(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            try check.run(on: .encryptedFile(url, .random(), .json, .coalesced(milliseconds: 50)))
        }
    }

    @Test(arguments: StoreCheck.all)
    func anEncryptedStoreOverOneOfTextOnlyKeepsItsPromises(check: StoreCheck) throws {
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
            // Another file takes the place of this one, as when an editor saves.
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
