import Foundation
import PreferencesCompatibility
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// The statements of `ComingFrom.md` about UserDefaults.
@Suite("Coming from UserDefaults")
struct ComingFromUserDefaultsTests: ComingFromTests {
    @Test("Each call of UserDefaults has its counterpart")
    func eachCallOfUserDefaultsHasItsCounterpart() async throws {
        try withSuite { suite, defaults in
            let preferences = Preferences(suite: suite)
            let name = "launchCount"
            preferences.launchCount = 3
            #expect(defaults.integer(forKey: name) == 3)
            #expect(preferences.isSet(\.launchCount))
            #expect(preferences.get(named: name, default: 0) == 3)
            preferences.set(named: name, to: 4)
            #expect(preferences.isSet(named: name))
            #expect(try preferences.store.names() == [name])
            #expect(try preferences.store.dictionary() == [name: 4])
            #expect(try preferences.store.dictionary().propertyList()[name] as? Int == 4)
            #expect(preferences.nickname == nil)
            defaults.set("Ada", forKey: "nickname")
            try preferences.reload()
            #expect(preferences.nickname == "Ada")
            preferences.nickname = nil
            #expect(defaults.object(forKey: "nickname") == nil)
            let seen = Recorder<Int>()
            let watcher = preferences.watch(\.launchCount) { seen.add($0.new) }
            preferences.reset(\.launchCount)
            watcher.cancel()
            #expect(seen.all == [0])
            preferences.launchCount = 5
            try preferences.flush()
            try preferences.reload()
            try preferences.resetAll()
            #expect(defaults.object(forKey: name) == nil)
            let layers = LayeredStore([ArgumentsStore(arguments: ["--launch-count=7"]), preferences.store])
            #expect(Preferences(store: layers).launchCount == 7)
            Preferences.withShared(.inMemory()) {
                Preferences.shared.launchCount = 1
            }
            #expect(preferences.launchCount == 0)
        }
    }

    @Test("Values that UserDefaults stored are read")
    func valuesThatUserDefaultsStoredAreRead() throws {
        try withSuite { suite, defaults in
            defaults.set(1, forKey: "flag")
            defaults.set("YES", forKey: "word")
            defaults.set("42", forKey: "number")
            defaults.set(2.5, forKey: "fraction")
            defaults.set(URL(filePath: "/tmp/a b"), forKey: "file")
            // The encoding of Apple platforms. Foundation on Linux stores the path only.
            defaults.set(try archive(NSURL(string: "https://a.example") as Any), forKey: "page")
            defaults.set(try JSONEncoder().encode(StoredStation(name: "Oslo")), forKey: "station")
            defaults.set("2001-01-01T00:01:40Z", forKey: "date")
            let encodings: [LegacyEncoding] = .userDefaults + [.jsonData, .isoDate]
            let preferences = Preferences(store: LegacyStore(UserDefaultsStore(suite: suite), decoding: encodings))
            #expect(preferences.get(named: "flag", default: false))
            #expect(preferences.get(named: "word", default: false))
            #expect(preferences.get(named: "number", default: 0) == 42)
            #expect(preferences.get(named: "fraction", default: 0) == 0)
            #expect(preferences.get(named: "file", default: nil as URL?) == URL(filePath: "/tmp/a b"))
            #expect(preferences.get(named: "page", default: nil as URL?) == URL(string: "https://a.example"))
            #expect(preferences.get(named: "station", default: nil as StoredStation?) == StoredStation(name: "Oslo"))
            let date = Date(timeIntervalSinceReferenceDate: 100)
            #expect(preferences.get(named: "date", default: Date.distantPast) == date)
        }
    }
}

nonisolated extension Preferences {
    fileprivate var nickname: String? {
        get { get("nickname") }
        set { set("nickname", to: newValue) }
    }
}
