import Foundation
import PreferencesCompatibility
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// The statements of `ComingFrom.md` about Foil, SVMPrefs and UserDefaultsGenerator.
@Suite("Coming from Foil, SVMPrefs and UserDefaultsGenerator")
struct ComingFromFoilAndGeneratorsTests: ComingFromTests {
    @Test("Values that Foil stored are read")
    func valuesThatFoilStoredAreRead() throws {
        try withSuite { suite, defaults in
            let station = try JSONEncoder().encode(StoredStation(name: "Oslo"))
            defaults.set(station, forKey: "station")
            defaults.set([station], forKey: "stations")
            defaults.set(["a": station], forKey: "named")
            defaults.set(["a", "b"], forKey: "tags")
            let preferences = Preferences(store: LegacyStore(UserDefaultsStore(suite: suite), decoding: .foil))
            #expect(preferences.get(named: "station", default: nil as StoredStation?) == StoredStation(name: "Oslo"))
            #expect(preferences.get(named: "stations", default: Set<StoredStation>()) == [StoredStation(name: "Oslo")])
            #expect(
                preferences.get(named: "named", default: [String: StoredStation]()) == [
                    "a": StoredStation(name: "Oslo")
                ]
            )
            #expect(preferences.get(named: "tags", default: Set<String>()) == ["a", "b"])
            let group = UserDefaultsStore(suite: suite)
            struct Settings {
                @Preference("nickname") var nickname: String?
                @Preference var volume: Int
            }
            Preferences.withShared(preferences) {
                let settings = Settings(volume: Preference(wrappedValue: 50, "volume", store: group))
                let seen = Recorder<Int>()
                settings.$volume.watch(options: .initial) { seen.add($0.new) }
                let gauge = Recorder<Int>()
                settings.$volume.watch(\.value, with: gauge) { gauge, change in gauge.add(change.new) }
                settings.volume = 60
                #expect(seen.all == [50, 60])
                #expect(gauge.all == [60])
                settings.$volume.reset()
                #expect(defaults.object(forKey: "volume") == nil)
                settings.volume = 60
                #expect(settings.nickname == nil)
            }
            #expect(preferences.get(named: "volume", default: 0) == 60)
        }
    }

    @Test("Values that generated code of other tools stored are read")
    func valuesThatGeneratedCodeOfOtherToolsStoredAreRead() throws {
        try withSuite { suite, defaults in
            defaults.set(true, forKey: "disabled")
            defaults.set(3, forKey: "launch_count")
            let old = LegacyStore(UserDefaultsStore(suite: suite), decoding: .userDefaults)
            let preferences = Preferences(
                store: MemoryStore(),
                migrations: [
                    PreferenceMigration(
                        version: 1,
                        [
                            .move("launch_count", from: old, to: "launchCount"),
                            .move("disabled", from: old, to: "disabled"),
                            .remove("obsolete", from: old),
                        ]
                    )
                ]
            )
            #expect(!preferences.isEnabled)
            preferences.isEnabled = true
            #expect(preferences.get(named: "disabled", default: true) == false)
            #expect(preferences.launchCount == 3)
        }
    }
}

private protocol SwitchPreferences: PreferenceAccessors {}

extension SwitchPreferences {
    fileprivate var isEnabled: Bool {
        get { get("disabled", default: true, through: .inverted) }
        nonmutating set { set("disabled", to: newValue, through: .inverted) }
    }
}

extension Preferences: SwitchPreferences {}
