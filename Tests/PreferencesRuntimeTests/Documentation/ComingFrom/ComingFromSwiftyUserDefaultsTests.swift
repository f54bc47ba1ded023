import Foundation
import PreferencesCompatibility
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// The statements of `ComingFrom.md` about SwiftyUserDefaults.
@Suite("Coming from SwiftyUserDefaults")
struct ComingFromSwiftyUserDefaultsTests: ComingFromTests {
    @Test("Each call of SwiftyUserDefaults has its counterpart")
    func eachCallOfSwiftyUserDefaultsHasItsCounterpart() throws {
        let preferences = Preferences.inMemory()
        preferences.launchCount += 1
        #expect(preferences.isSet(\.launchCount))
        let seen = Recorder<[Int?]>()
        let watcher = preferences.watch(\.launchCount, options: [.old, .new]) { seen.add([$0.old, $0.new]) }
        preferences.launchCount += 1
        watcher.cancel()
        #expect(seen.all == [[1, 2]])
        struct Screen {
            @Preference(\.launchCount) var launchCount
            @Preference("volume") var volume = 50
        }
        Preferences.withShared(preferences) {
            let screen = Screen()
            #expect(screen.launchCount == 2)
            screen.volume = 60
            screen.$volume.reset()
            #expect(screen.volume == 50)
        }
        preferences.reset(\.launchCount)
        #expect(!preferences.isSet(\.launchCount))
    }

    @Test("Values that SwiftyUserDefaults stored are read")
    func valuesThatSwiftyUserDefaultsStoredAreRead() throws {
        try withSuite { suite, defaults in
            let pages = ["https://a.example", "https://b.example"].compactMap(URL.init(string:))
            defaults.set(3, forKey: "launchCount")
            defaults.set(try archive(pages[0] as NSURL), forKey: "page")
            defaults.set("~/a", forKey: "file")
            defaults.set(try archive(pages as NSArray), forKey: "pages")
            defaults.set(try JSONEncoder().encode([StoredStation(name: "Oslo")]), forKey: "stations")
            defaults.set("fahrenheit", forKey: "unit")
            defaults.set("t", forKey: "flag")
            defaults.set(["a": 1] as [String: Any], forKey: "extras")
            let store = LegacyStore(UserDefaultsStore(suite: suite), decoding: .swiftyUserDefaults)
            let preferences = Preferences(store: store)
            #expect(preferences.launchCount == 3)
            #expect(preferences.get(named: "page", default: nil as URL?) == pages[0])
            let home = FileManager.default.homeDirectoryForCurrentUser
            #expect(preferences.get(named: "file", default: nil as URL?) == home.appending(path: "a"))
            #expect(preferences.get(named: "pages", default: [URL]()) == pages)
            #expect(preferences.get(named: "stations", default: [StoredStation]()) == [StoredStation(name: "Oslo")])
            #expect(preferences.get(named: "unit", default: TemperatureUnit.celsius) == .fahrenheit)
            #expect(preferences.get(named: "flag", default: false))
            #expect(preferences.get(named: "extras", default: [String: AnyPreference]())["a"]?.value == 1)
        }
    }
}
