import Foundation
import PreferencesCompatibility
import PreferencesObjects
import PreferencesRuntime
import StoreTestSupport
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

    @Test("An object of a class is read, changed in place and saved as PersistentObject did")
    func anObjectOfAClassIsReadChangedInPlaceAndSaved() throws {
        let archive = try archive(ArchivedStation(name: "Oslo"))
        let store: MemoryStore = ["station": .data(archive)]
        let changes = Recorder<String?>()
        let station = PersistentObject<Archived<ArchivedStation>>(named: "station", in: store) { station, change in
            changes.add(change.new?.name)
        }
        #expect(station.value?.name == "Oslo")
        station.update { $0?.name = "x" }
        try station.save()
        let saved: Data = try #require(Preferences(store: store).get(named: "station", as: Data.self))
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: saved)
        unarchiver.requiresSecureCoding = false
        #expect((unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? ArchivedStation)?.name == "x")
        #expect(changes.all.isEmpty)
        store.apply(["station": .set(.data(archive))])
        #expect(changes.all == ["Oslo"])
        // A change outside an update is not saved.
        station.value?.name = "y"
        try station.save()
        #expect(store.value(for: "station") == .data(archive))
    }

    @Test("An object of a class is a part of another value, in a file with a path")
    func anObjectOfAClassIsAPartOfAnotherValue() throws {
        struct Journey: Codable, Sendable { var start: Archived<ArchivedStation> }
        try withTemporaryDirectory { folder in
            let path = folder.appending(component: "journey.json").path
            let journey = PersistentObject<Journey>(path: path) { journey, change in journey.reset(to: change.new) }
            journey.update { $0 = Journey(start: Archived(ArchivedStation(name: "Oslo"))) }
            journey.update { $0?.start.name = "Bergen" }
            try journey.save()
            #expect(PersistentObject<Journey>(path: path).value?.start.name == "Bergen")
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

/// A class whose objects are stored by PersistentObject, and by `Archived` after it.
final class ArchivedStation: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    var name: String

    init(name: String) { self.name = name }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = "\(name)"
    }

    func encode(with coder: NSCoder) { coder.encode(name, forKey: "name") }
}
