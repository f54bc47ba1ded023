import Foundation
import PreferencesCompatibility
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// The statements of `ComingFrom.md` about sindresorhus/Defaults.
@Suite("Coming from sindresorhus/Defaults")
struct ComingFromDefaultsTests: ComingFromTests {
    @Test("Each call of Defaults has its counterpart")
    func eachCallOfDefaultsHasItsCounterpart() async throws {
        let preferences = Preferences(store: MemoryStore(), isObserved: true)
        #expect(preferences.quality == 0.8)
        preferences.quality = 0.5
        #expect(preferences.quality != preferences.defaultValue(\.quality))
        preferences.reset(\.quality)
        #expect(preferences.quality == preferences.defaultValue(\.quality))
        let seen = Recorder<Double>()
        preferences.watch(\.quality, options: [.initial, .removeDuplicates]) { seen.add($0.new) }
        preferences.quality = 0.8
        preferences.quality = 0.9
        #expect(seen.all == [0.8, 0.9])
        for await change in preferences.changes(\.quality, options: .initial) {
            #expect(change.new == 0.9)
            break
        }
        for await _ in preferences.changes(anyOf: [\.quality, \.seenAt], options: .initial) { break }
        #expect(preferences.seenAt <= Date())
        try preferences.resetAll()
    }

    @Test("Values that Defaults stored are read")
    func valuesThatDefaultsStoredAreRead() throws {
        try withSuite { suite, defaults in
            let page = try #require(URL(string: "https://a.example/b"))
            let day = Date(timeIntervalSinceReferenceDate: 100)
            defaults.set(0.5, forKey: "quality")
            defaults.set("{\"name\":\"Oslo\"}", forKey: "station")
            defaults.set(["{\"name\":\"Oslo\"}"], forKey: "stations")
            defaults.set("\"https:\\/\\/a.example\\/b\"", forKey: "page")
            defaults.set(["\"https:\\/\\/a.example\\/b\""], forKey: "pages")
            defaults.set("\"fahrenheit\"", forKey: "codableUnit")
            defaults.set("fahrenheit", forKey: "rawUnit")
            defaults.set([UUID.example.uuidString], forKey: "ids")
            defaults.set([1, 5], forKey: "span")
            defaults.set([day, day.addingTimeInterval(5)], forKey: "days")
            defaults.set(["1": "5"], forKey: "counts")
            defaults.set(["1.5": "5"], forKey: "fractions")
            defaults.set(["1": "\"Oslo\""], forKey: "names")
            defaults.set("\"no\"", forKey: "language")
            let preferences = Preferences(store: LegacyStore(UserDefaultsStore(suite: suite), decoding: .defaults))
            #expect(preferences.quality == 0.5)
            #expect(preferences.get(named: "station", default: nil as StoredStation?) == StoredStation(name: "Oslo"))
            #expect(preferences.get(named: "stations", default: [StoredStation]()) == [StoredStation(name: "Oslo")])
            #expect(preferences.get(named: "page", default: nil as URL?) == page)
            #expect(preferences.get(named: "pages", default: Set<URL>()) == [page])
            #expect(preferences.get(named: "codableUnit", default: TemperatureUnit.celsius) == .fahrenheit)
            #expect(preferences.get(named: "rawUnit", default: TemperatureUnit.celsius) == .fahrenheit)
            #expect(preferences.get(named: "ids", default: Set<UUID>()) == [.example])
            #expect(preferences.span == 1..<5)
            #expect(preferences.days == day...day.addingTimeInterval(5))
            #expect(preferences.counts == [1: 5])
            #expect(preferences.get(named: "fractions", default: [String: Int]()) == ["1.5": 5])
            #expect(preferences.language == Language(rawValue: "no"))
            #expect(preferences.names == [1: "Oslo"])
        }
    }

    @Test("Values that Defaults stored in iCloud are read")
    func valuesThatDefaultsStoredInICloudAreRead() throws {
        let cloud: MemoryStore = ["quality": [.date(Date(timeIntervalSinceReferenceDate: 100)), 0.5]]
        let preferences = Preferences(
            store: MemoryStore(),
            migrations: [
                PreferenceMigration(
                    version: 1,
                    [
                        .move("quality", from: cloud, to: "quality") { (pair: [AnyPreference]) in pair.last },
                        .remove("quality__DEFAULTS__synchronizeTimestamp"),
                    ]
                )
            ]
        )
        #expect(preferences.quality == 0.5)
    }
}

private protocol PicturePreferences: PreferenceAccessors {}

extension PicturePreferences {
    fileprivate var quality: Double {
        get { get("quality", default: 0.8) }
        nonmutating set { set("quality", to: newValue) }
    }

    fileprivate var seenAt: Date {
        get { get("seenAt", default: Date()) }
        nonmutating set { set("seenAt", to: newValue) }
    }

    fileprivate var span: Range<Int> {
        get { get(codable: "span", default: 0..<1) }
        nonmutating set { set(codable: "span", to: newValue) }
    }

    fileprivate var days: ClosedRange<Date> {
        get { get(codable: "days", default: .distantPast ... .distantFuture) }
        nonmutating set { set(codable: "days", to: newValue) }
    }

    fileprivate var counts: [Int: Int] {
        get { get(codable: "counts", default: [:]) }
        nonmutating set { set(codable: "counts", to: newValue) }
    }

    fileprivate var names: [Int: String] {
        get { get(codable: "names", default: [:]) }
        nonmutating set { set(codable: "names", to: newValue) }
    }

    fileprivate var language: Language {
        get { get("language", default: Language(rawValue: "en")) }
        nonmutating set { set("language", to: newValue) }
    }
}

extension Preferences: PicturePreferences {}

private struct Language: RawRepresentable, Codable, Hashable, PreferenceConvertible {
    var rawValue: String
}
