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
            try preferences.update(named: "launches", default: 0) { $0 += 1 }
            #expect(preferences["launches"] == 1)
            let seen = Recorder<Int?>()
            preferences.watch(\.launchCount, options: .old) { seen.add($0.old) }
            let volume = preferences.reference("volume", default: 50)
            volume.watch(options: .old) { seen.add($0.old) }
            volume.value += 1
            preferences.launchCount = min(preferences.launchCount, volume.value)
            #expect(seen.all == [50, 60])
            volume.reset()
            #expect(!volume.isSet)
            let path = folder.appending(component: "Settings.plist").path
            let (first, second) = (FileStore(path: path), MemoryStore())
            let layers = [first, second.readOnly] as LayeredStore
            #expect(Preferences(store: .layered(first, second.readOnly)).store.label == layers.label)
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
            let list = try store.dictionary().propertyList()
            let copy = Preferences(store: .memory(["on": false]))
            let (origins, hooks) = (Recorder<PreferenceChangeOrigin>(), Recorder<Set<String>>())
            let on = copy.reference("on", default: false)
            on.watch { origins.add($0.origin) }
            copy.didCommit { hooks.add($0.names) }
            try copy.store.merge([String: PreferenceValue](propertyList: list))
            #expect(on.value)
            #expect(copy["theme"] == "dark")
            #expect(origins.all == [.external])
            #expect(hooks.all.isEmpty)
            try copy.store.merge([Setting.volume: 50])
            #expect(copy.get(named: Setting.volume, default: 0) == 50)
            #expect(copy.reference(Setting.volume, default: 0).value == 50)
            #expect(throws: PreferenceProblem.self) {
                try [String: PreferenceValue](propertyList: ["page": URL(filePath: "/")])
            }
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
                let seen = Recorder<Int>()
                $volume.watch { seen.add($0.new) }
                $volume.watch(changesOf: \.value) { seen.add(0) }
                volume = 43
                #expect(defaults.integer(forKey: "volume") == 43)
                #expect(seen.all == [43, 0])
                $volume.reset()
                #expect(volume == 50)
                @Preference("disabled", through: .inverted, store: .userDefaults(suite: suite)) var isEnabled = true
                isEnabled = false
                #expect(defaults.bool(forKey: "disabled"))
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
        let badge: PreferenceReference<Badge?> = preferences.reference("badge", through: .archive)
        badge.value = Badge(volume: 5)
        #expect(badge.value?.volume == 5)
        #expect(store.value(for: "badge") != nil)
    }

    @Test("Prephirences' coders and reflected values have counterparts")
    func prephirencesCodersAndReflectedValuesHaveCounterparts() throws {
        let data = try archive(Badge(volume: 7))
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: Badge.self, from: data)?.volume == 7)
        struct Theme { var color = "red" }
        @Reflected var theme = Theme()
        let preferences = Preferences(store: $theme)
        theme.color = "blue"
        #expect(preferences.get(named: "color", default: "") == "blue")
        #expect(try ReflectingStore(reflecting: theme).value(for: "color") == "blue")
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

private enum Setting: String {
    case volume
}

/// An object that is archived by a store. Foundation on Linux cannot archive a private class.
final class Badge: NSObject, NSSecureCoding, Sendable {
    static var supportsSecureCoding: Bool { true }
    let volume: Int

    init(volume: Int) { self.volume = volume }

    init?(coder: NSCoder) {
        volume = Preferences(store: CoderStore(decodingFrom: coder)).get(named: "volume", default: 50)
    }

    func encode(with coder: NSCoder) {
        let preferences = Preferences(store: CoderStore(encodingInto: coder))
        preferences.set(named: "volume", to: volume)
        #expect(throws: Never.self) { try preferences.flush() }
    }
}
