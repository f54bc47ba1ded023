import Foundation
import PreferencesCompatibility
import PreferencesRemote
import PreferencesRuntime
import PreferencesStoreTesting
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The conformance kit over the stores that Prephirences has, each with its real backend.
@Suite("Prephirences: one store each, run through the conformance kit")
struct ConformanceParityTests {
    @Test("dictionary", arguments: StoreCheck.all)
    func dictionary(check: StoreCheck) throws {
        try check.run(on: StoreSubject { [:] as MemoryStore })
    }

    @Test("property-list file", arguments: StoreCheck.all)
    func propertyList(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "Settings.plist")
            try check.run(on: .fileStore(url, .xmlPropertyList, .flat, .immediate))
        }
    }

    // In a process of its own: if Foundation on Linux cannot save a suite, it fails to save the others, too.
    @Test("UserDefaults")
    func userDefaults() async {
        await #expect(processExitsWith: .success) {
            for check in StoreCheck.all {
                #expect(throws: Never.self) {
                    try withUserDefaultsSuite { suite in try check.run(on: .userDefaultsStore(suite)) }
                }
            }
        }
    }

    @Test("NSCache", arguments: StoreCheck.all)
    func cache(check: StoreCheck) throws {
        try check.run(on: StoreSubject { CacheStore() })
    }

    @Test("HTTP cookies by name", arguments: StoreCheck.all)
    func cookies(check: StoreCheck) throws {
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let site = try #require(URL(string: "https://weather.example"))
        // Another part of the program empties the storage and restores the cookies.
        let aside = CookiesAside()
        try check.run(
            on: StoreSubject(
                open: { CookieStore(url: site, storage: storage) },
                breakBackend: {
                    aside.cookies.withLock { $0 = storage.cookies ?? [] }
                    for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) }
                },
                repairBackend: { for cookie in aside.cookies.withLock({ $0 }) { storage.setCookie(cookie) } }
            )
        )
    }

    private final class CookiesAside: Sendable {
        let cookies = Mutex<[HTTPCookie]>([])
    }

    @Test("NSCoder: a value is read from the archive into which it was encoded", arguments: StoreCheck.all)
    func coder(check: StoreCheck) throws {
        try check.run(on: StoreSubject { try ArchiveStore() })
    }
}

/// A store whose values are in an archive alone: a `CoderStore` encodes each batch into a new archive, and another one
/// decodes every value that is read.
private final class ArchiveStore: WriterExcludingStore, CapabilityDeclaringStore {
    private struct Archive {
        var data: Data
        /// A coder does not list its keys.
        var names: Set<String>
    }

    private let archive: Mutex<Archive>
    private let access = PreferenceStoreAccess()
    let label = "archive"
    let notifiesAllChanges = true
    let unsupportedCapabilities: PreferenceStoreCapabilities

    init() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        unsupportedCapabilities = CoderStore(encodingInto: archiver).unsupportedCapabilities
            .union([.persistence, .crashSafety, .exclusiveUpdates, .faultDetection])
        archive = Mutex(Archive(data: archiver.encodedData, names: []))
    }

    func value(for name: String) throws -> PreferenceValue? {
        try access.withLock { try values(named: [name])[name] }
    }

    func names() -> Set<String> {
        access.withLock { archive.withLock(\.names) }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try access.update(by: writer, makingBatch: { try makeBatch(value) }) { batch in
            let archiver = NSKeyedArchiver(requiringSecureCoding: true)
            let store = CoderStore(encodingInto: archiver)
            try store.commit(PreferenceBatch(values(named: names()).mapValues { .set($0) }))
            try store.commit(batch)
            try store.flush()
            let new = Archive(data: archiver.encodedData, names: try store.names())
            archive.withLock { $0 = new }
        }
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        access.observers.add(observer)
    }

    private func values(named names: Set<String>) throws -> [String: PreferenceValue] {
        let data = archive.withLock(\.data)
        let store = CoderStore(decodingFrom: try NSKeyedUnarchiver(forReadingFrom: data))
        var values: [String: PreferenceValue] = [:]
        for name in names { values[name] = try store.value(for: name) }
        return values
    }
}
