import Foundation
import PreferencesCompatibility
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// The statements of `ComingFrom.md` about Storez.
@Suite("Coming from Storez")
struct ComingFromStorezTests: ComingFromTests {
    @Test("Each call of Storez has its counterpart")
    func eachCallOfStorezHasItsCounterpart() throws {
        let preferences = Preferences(store: CacheStore())
        #expect(preferences.weather.temperature == 0)
        preferences.weather.processValues(of: \.temperature) { old, new in max(new, -90) }
        let calls = Recorder<String>()
        preferences.weather.willChange(of: \.temperature) { calls.add("will \($0.new)") }
        preferences.weather.didChange(of: \.temperature) { calls.add("did \($0.new)") }
        preferences.weather.willCommit { _ in calls.add("before") }
        preferences.weather.didCommit { _ in calls.add("after") }
        preferences.weather.temperature = -100
        #expect(calls.all == ["will -90.0", "before", "after", "did -90.0"])
        preferences.weather.radar.range = 7
        // The hooks of the parent namespace are called, too.
        #expect(calls.all.suffix(2) == ["before", "after"])
        try preferences.weather.resetAll()
        #expect(preferences.weather.radar.range == 50)
        #expect(preferences.storageName(of: \.weather.temperature) == "weather-service:temperature")
    }

    @Test("Storez's hooks of namespaces and types of keys have counterparts")
    func storezsDeclarationsHaveCounterparts() {
        let preferences = Preferences.inMemory()
        preferences.humidity = 120
        preferences.weather.temperature = 21.5
        #expect(preferences.humidity == 100)
        #expect(seen.all == ["humidity: 100", "changed: [\"weather-service:temperature\"]"])
        preferences.sky.cover = 120
        #expect(preferences.sky.cover == 100)
        let name = preferences.storageName(of: \.sky.cover)
        #expect(seen.all.suffix(1) == ["\(name ?? ""): 100"])
    }

    @Test("Declared hooks run for run-time names once an accessor was used or they were added")
    func declaredHooksRunForRunTimeNames() {
        let preferences = Preferences.inMemory()
        preferences.set(named: "wind", to: 1)
        preferences["wind"] = 2
        preferences.reference("wind", default: 0).value = 3
        #expect(preferences.get(named: "commits", default: 0) == 0)
        preferences.addHooks(of: WindHooks.self)
        preferences.set(named: "wind", to: 4)
        #expect(preferences.get(named: "commits", default: 0) == 1)
        let other = Preferences.inMemory()
        #expect(other.wind == 0)
        other["wind"] = 5
        #expect(other.get(named: "commits", default: 0) == 1)
    }

    @Test("Values that Storez stored are read")
    func valuesThatStorezStoredAreRead() throws {
        try withSuite { suite, defaults in
            defaults.set(Data("[21.5]".utf8), forKey: "weather-service:temperature")
            defaults.set(try archive(["Oslo", "Bergen"] as NSArray), forKey: "weather-service:stations")
            defaults.set(Data("[null]".utf8), forKey: "weather-service:nickname")
            defaults.set(try archive(7 as NSNumber), forKey: "weather-service:radar:radar-range")
            defaults.set(try archive("1/2" as NSString), forKey: "colour")
            defaults.set(Data("[8]".utf8), forKey: ":visitors")
            defaults.set(Data("[9]".utf8), forKey: "cats:wild:lion")
            let preferences = Preferences(store: LegacyStore(UserDefaultsStore(suite: suite), decoding: .storez))
            #expect(preferences.weather.temperature == 21.5)
            #expect(preferences.weather.stations == ["Oslo", "Bergen"])
            #expect(preferences.weather.nickname == nil)
            #expect(preferences.isSet(named: "weather-service:nickname"))
            #expect(preferences.weather.radar.range == 7)
            #expect(preferences.get(named: "colour", default: Colour(red: 0, green: 0)) == Colour(red: 1, green: 2))
            #expect(preferences.visitors == 8)
            #expect(preferences.wildLions == 9)
            preferences.visitors += 1
            #expect(defaults.object(forKey: ":visitors") == nil)
            #expect(defaults.integer(forKey: "visitors") == 9)
        }
    }

    @Test("Storez's migrations have a counterpart")
    func storezsMigrationsHaveACounterpart() throws {
        try withSuite { suite, defaults in
            defaults.set(Data("[8]".utf8), forKey: ":visitors")
            defaults.set(42, forKey: "OldCityKey")
            let preferences = Preferences(
                store: LegacyStore(UserDefaultsStore(suite: suite), decoding: .storez),
                migrations: [
                    PreferenceMigration(
                        version: 1,
                        [
                            .move(":visitors", to: "visitors"),
                            .move("OldCityKey", to: "city") { (id: Int) in "city \(id)" },
                        ]
                    )
                ]
            )
            #expect(preferences.visitors == 8)
            #expect(preferences.get(named: "city", default: "") == "city 42")
            #expect(defaults.object(forKey: ":visitors") == nil)
        }
    }

    @Test("Storez's global key 'version' can be read")
    func storezsGlobalKeyVersionCanBeRead() throws {
        try withSuite { suite, defaults in
            defaults.set(Data("[\"3.1\"]".utf8), forKey: ":version")
            let preferences = Preferences(
                store: LegacyStore(UserDefaultsStore(suite: suite), decoding: .storez),
                // The records of migrations have another name.
                migrations: [PreferenceMigration(version: 1, [.move(":version", to: "appVersion")])]
            )
            #expect(preferences.get(named: "appVersion", default: "") == "3.1")
        }
    }
}

private protocol ZooPreferences: PreferenceAccessors {}

extension ZooPreferences {
    fileprivate var visitors: Int {
        get { get("visitors", default: 0, [.renamed(from: ":visitors")]) }
        nonmutating set { set("visitors", to: newValue, [.renamed(from: ":visitors")]) }
    }

    fileprivate var wildLions: Int {
        get { get("animals:cats:wild:lion", default: 0, [.renamed(from: "cats:wild:lion")]) }
        nonmutating set { set("animals:cats:wild:lion", to: newValue, [.renamed(from: "cats:wild:lion")]) }
    }
}

extension Preferences: ZooPreferences {}

/// A type that Storez has stored as text with a converter.
private struct Colour: Hashable, PreferenceConvertible {
    var red: Int
    var green: Int

    init(red: Int, green: Int) { (self.red, self.green) = (red, green) }

    init(preferenceValue: PreferenceValue) throws {
        let parts = try String(preferenceValue: preferenceValue).split(separator: "/").compactMap { Int($0) }
        guard parts.count == 2 else { throw PreferenceConversionError(expected: Self.self, found: preferenceValue) }
        (red, green) = (parts[0], parts[1])
    }

    func preferenceValue() -> PreferenceValue { .string("\(red)/\(green)") }
}

/// What the hooks below are called with, by one test.
private let seen = Recorder<String>()

nonisolated enum WeatherHooks: PreferenceHooks {
    static func addHooks(to preferences: Preferences) {
        preferences.weather.didCommit { seen.add("changed: \($0.names.sorted())") }
    }
}

nonisolated extension PreferenceTrait where Value == Int {
    fileprivate static var percentage: Self {
        .combining(.processing { min($0, 100) }, .range(0...100), .didChange { seen.add("\($0.name): \($0.new ?? 0)") })
    }
}

nonisolated extension Preferences {
    fileprivate var sky: Sky { Sky(preferences: self) }

    fileprivate var wind: Int {
        get { get("wind", default: 0, [.hooks(WindHooks.self)]) }
        set { set("wind", to: newValue, [.hooks(WindHooks.self)]) }
    }

    fileprivate var humidity: Int {
        get { get("humidity", default: 0, [.percentage, .hooks(WeatherHooks.self)]) }
        set { set("humidity", to: newValue, [.percentage, .hooks(WeatherHooks.self)]) }
    }
}

private nonisolated struct Sky: PropertyNamedAccessors {
    let preferences: Preferences

    var cover: Int {
        get { get(default: 0, [.percentage]) }
        nonmutating set { set(newValue, [.percentage]) }
    }
}

/// Hooks that count the changes of a key.
private nonisolated enum WindHooks: PreferenceHooks {
    static func addHooks(to preferences: Preferences) {
        preferences.didChange(of: \.wind) { [weak preferences] _ in
            try? preferences?.update(named: "commits", default: 0) { $0 += 1 }
        }
    }
}
