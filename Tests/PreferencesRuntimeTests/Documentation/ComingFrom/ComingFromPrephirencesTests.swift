import Foundation
import PreferencesCompatibility
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// The statements of `ComingFrom.md` about Prephirences.
@Suite("Coming from Prephirences")
struct ComingFromPrephirencesTests: ComingFromTests {
    @Test("Each call of Prephirences has its counterpart")
    func eachCallOfPrephirencesHasItsCounterpart() throws {
        try withTemporaryDirectory { folder in
            let preferences = Preferences(store: MemoryStore())
            preferences.launchCount += 30
            try preferences.update(\.launchCount) { $0 *= 2 }
            #expect(preferences.launchCount == 60)
            let seen = Recorder<Int?>()
            preferences.watch(\.launchCount, options: .old) { seen.add($0.old) }
            let volume = preferences.reference("volume", default: 50)
            volume.watch(options: .old) { seen.add($0.old) }
            volume.value += 1
            preferences.launchCount = min(preferences.launchCount, volume.value)
            #expect(seen.all == [50, 60])
            let path = folder.appending(component: "Settings.plist").path
            let (first, second) = (FileStore(path: path), MemoryStore())
            let layers = [first, second.readOnly] as LayeredStore
            let app = Preferences(store: layers).prefixed("app.")
            Preferences.register(app, named: "app")
            Preferences.named("app")?.launchCount = 1
            Preferences.register(nil, named: "app")
            #expect(try first.value(for: "app.launchCount") == 1)
            try preferences.transaction { preferences in
                preferences.launchCount = 2
                preferences.reset(named: "other")
            }
            preferences.launchCount = .max
            preferences.launchCount &+= 1
            #expect(preferences.launchCount == .min)
        }
    }

    @Test("Prephirences' calls with names have counterparts")
    func prephirencesCallsWithNamesHaveCounterparts() throws {
        try withTemporaryDirectory { folder in
            let store = MemoryStore()
            let preferences = Preferences(store: store)
            #expect(preferences["on"] == nil)
            preferences["on"] = true
            #expect(preferences.get(named: "on", as: Bool.self) == true)
            #expect(preferences.isSet(named: "on"))
            preferences.reset(named: "on")
            #expect(preferences.get(named: "on", as: Bool.self) == nil)
            let other: MemoryStore = ["theme": "dark"]
            try store.merge(["on": true])
            try store.merge(other)
            #expect(try store.dictionary() == ["on": true, "theme": "dark"])
            let path = folder.appending(component: "Defaults.plist").path
            #expect(throws: PreferenceProblem.self) { try FileStore(path: path).existing() }
            try FileStore(path: path).replaceAll(with: store.dictionary())
            #expect(try FileStore(path: path).existing().value(for: "theme") == "dark")
            let bundle = try #require(Bundle(url: folder))
            #expect(try BundleStore(resource: "Defaults.plist", in: bundle).value(for: "on") == true)
        }
    }

    @Test("Prephirences' property wrappers have counterparts")
    func prephirencesPropertyWrappersHaveCounterparts() throws {
        try withTemporaryDirectory { folder in
            let list = ["CFBundleName": "Weather"]
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            try data.write(to: folder.appending(component: "Info.plist"))
            let bundle = try #require(Bundle(url: folder))
            try withSuite { suite, defaults in
                defaults.set(try archive(42 as NSNumber), forKey: "volume")
                @Preference("volume", store: .legacy(.userDefaults(suite: suite), decoding: .prephirences)) var volume =
                    50
                @Preference(BundleStore.Key.name, store: .bundle(bundle)) var name: String?
                #expect(volume == 42)
                #expect(name == "Weather")
                volume = 43
                #expect(defaults.integer(forKey: "volume") == 43)
            }
        }
    }

    @Test("Prephirences' transformations have counterparts")
    func prephirencesTransformationsHaveCounterparts() {
        let store: MemoryStore = ["loudness": 120]
        let preferences = Preferences(store: store)
        #expect(preferences.loudness == 100)
        #expect(store.value(for: "loudness") == 120)
        preferences.loudness = 7
        #expect(preferences.loudness == 7)
    }

    @Test("Values that Prephirences stored are read")
    func valuesThatPrephirencesStoredAreRead() throws {
        try withSuite { suite, defaults in
            defaults.set(true, forKey: "on")
            defaults.set(try archive(["a": [1, 2]] as NSDictionary), forKey: "archived")
            defaults.set(try JSONEncoder().encode(StoredStation(name: "Oslo")), forKey: "station")
            defaults.set("{{0, 1}, {2, 3}}", forKey: "frame")
            defaults.set(try archive("red" as NSString), forKey: "color")
            defaults.set(5, forKey: "app.size")
            let store = LegacyStore(UserDefaultsStore(suite: suite), decoding: .prephirences)
            let preferences = Preferences(store: store)
            #expect(preferences.get(named: "on", default: false))
            #expect(preferences.get(named: "archived", default: [String: [Int]]()) == ["a": [1, 2]])
            #expect(preferences.get(named: "station", default: nil as StoredStation?) == StoredStation(name: "Oslo"))
            #expect(preferences.frame == CGRect(x: 0, y: 1, width: 2, height: 3))
            preferences.frame.size.width = 5
            #expect(NSRectFromString(defaults.string(forKey: "frame") ?? "").width == 5)
            #expect(preferences.color == "red")
            let app = Preferences(store: PrefixedStore(store, prefix: "app", separator: "."))
            #expect(app.get(named: "size", default: 0) == 5)
        }
    }

    @Test("Property lists that Prephirences wrote are read")
    func propertyListsThatPrephirencesWroteAreRead() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "Settings.plist")
            let list: [String: Any] = ["launchCount": try archive(5 as NSNumber), "tags": ["a"]]
            try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0).write(to: url)
            let preferences = Preferences(store: LegacyStore(FileStore(url: url), decoding: .prephirences))
            #expect(preferences.launchCount == 5)
            #expect(preferences.get(named: "tags", default: [String]()) == ["a"])
        }
    }
}

private protocol WindowPreferences: PreferenceAccessors {}

nonisolated extension WindowPreferences {
    fileprivate var frame: CGRect {
        get { get("frame", default: .zero, through: .rectangleText) }
        nonmutating set { set("frame", to: newValue, through: .rectangleText) }
    }

    fileprivate var loudness: Int {
        get { get("loudness", default: 50, through: .ensuring({ $0 <= 100 }, else: 100)) }
        nonmutating set { set("loudness", to: newValue, through: .ensuring({ $0 <= 100 }, else: 100)) }
    }

    fileprivate var color: NSString {
        get { get("color", default: "blue", through: .archive) }
        nonmutating set { set("color", to: newValue, through: .archive) }
    }
}

extension Preferences: WindowPreferences {}

nonisolated extension PreferenceTransformation where Stored == String, Value == CGRect {
    fileprivate static var rectangleText: Self {
        Self {
            NSRectFromString($0)
        } write: {
            NSStringFromRect($0)
        }
    }
}
