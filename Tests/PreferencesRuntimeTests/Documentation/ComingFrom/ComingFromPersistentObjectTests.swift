import Foundation
import PreferencesCompatibility
import PreferencesObjects
import PreferencesRuntime
import TestSupport
import Testing

/// The statements of `ComingFrom.md` about PersistentObject.
@Suite("Coming from PersistentObject")
struct ComingFromPersistentObjectTests: ComingFromTests {
    @Test("Each call of PersistentObject has its counterpart")
    func eachCallOfPersistentObjectHasItsCounterpart() throws {
        try withSuite { suite, defaults in
            let old = OldStation(name: "Oslo")
            defaults.set(try archive(old), forKey: "station")
            let preferences = Preferences(
                store: UserDefaultsStore(suite: suite),
                migrations: [
                    PreferenceMigration(
                        version: 1,
                        [.move("station", to: "station") { (archive: Data) in try StoredStation(archive: archive) }]
                    )
                ]
            )
            let station = PersistentObject<StoredStation>(named: "station", in: preferences)
            #expect(station.value == StoredStation(name: "Oslo"))
            station.reset(to: StoredStation(name: "Bergen"))
            try station.save()
            #expect(defaults.dictionary(forKey: "station") as? [String: String] == ["name": "Bergen"])
            station.reset(to: nil)
            try station.synchronize()
            try station.save()
            #expect(defaults.object(forKey: "station") == nil)
        }
    }

    @Test("An object that PersistentObject stored in a file is read")
    func anObjectThatPersistentObjectStoredInAFileIsRead() throws {
        try withTemporaryDirectory { folder in
            let (oldURL, url) = (folder.appending(component: "station"), folder.appending(component: "station.json"))
            try archive(OldStation(name: "Oslo")).write(to: oldURL)
            let station = PersistentObject<StoredStation>(file: url)
            if station.value == nil, let archive = try? Data(contentsOf: oldURL) {
                station.reset(to: try StoredStation(archive: archive))
                try station.save()
                try FileManager.default.removeItem(at: oldURL)
            }
            let watcher = station.watch { _ in }
            watcher.cancel()
            _ = station.changes()
            #expect(station.value == StoredStation(name: "Oslo"))
            #expect(PersistentObject<StoredStation>(file: url).value == StoredStation(name: "Oslo"))
        }
    }

    @Test("Objects of standard classes that PersistentObject stored are read")
    func objectsOfStandardClassesThatPersistentObjectStoredAreRead() throws {
        try withSuite { suite, defaults in
            defaults.set(try archive(["Oslo", "Bergen"] as NSArray), forKey: "stations")
            let store = LegacyStore(UserDefaultsStore(suite: suite), decoding: [.keyedArchive])
            #expect(PersistentObject<[String]>(named: "stations", in: store).value == ["Oslo", "Bergen"])
        }
    }
}

/// A class whose objects a program has stored with PersistentObject.
final class OldStation: NSObject, NSCoding {
    let name: String

    init(name: String) { self.name = name }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(forKey: "name") as? String else { return nil }
        self.name = name
    }

    func encode(with coder: NSCoder) { coder.encode(name, forKey: "name") }
}

extension StoredStation {
    fileprivate init?(archive: Data) throws {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archive)
        unarchiver.requiresSecureCoding = false
        guard let old = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? OldStation else {
            return nil
        }
        self.init(name: old.name)
    }
}
