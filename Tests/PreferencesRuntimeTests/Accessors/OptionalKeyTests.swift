import Foundation
import PreferencesRuntime
import Testing

struct OptionalKeyTests {
    private let store = MemoryStore()
    private let preferences: Preferences
    private var weather: Weather { preferences.weather }

    init() {
        preferences = Preferences(store: store)
    }

    @Test("Setting nil resets an optional key")
    func settingNilResetsAnOptionalKey() {
        #expect(weather.lastUpdate == nil)
        #expect(!weather.isSet(\.lastUpdate))

        let date = Date(timeIntervalSinceReferenceDate: 0.25)
        weather.lastUpdate = date
        #expect(weather.lastUpdate == date)
        #expect(weather.isSet(\.lastUpdate))

        weather.lastUpdate = nil
        #expect(weather.lastUpdate == nil)
        #expect(!weather.isSet(\.lastUpdate))
        #expect(store.names().isEmpty)
    }

    @Test("Nil is stored if the default is not nil")
    func nilIsStoredIfTheDefaultIsNotNil() {
        #expect(weather.nickname == "anonymous")
        weather.nickname = nil
        #expect(weather.nickname == nil)
        #expect(weather.isSet(\.nickname))
        #expect(store.value(for: "weather-service:nickname") == .null)

        weather.reset(\.nickname)
        #expect(weather.nickname == "anonymous")
        #expect(!weather.isSet(\.nickname))
    }

    @Test("Setting nil resets the key if the default evaluates to nil")
    func settingNilResetsTheKeyIfTheDefaultIsNil() {
        let none: String? = nil
        preferences.set("a", to: nil, default: none)
        #expect(!preferences.isSet(named: "a"))
    }

    @Test("Storage names given at run time follow the same rules for nil")
    func runTimeNamesFollowTheSameRules() {
        preferences.set(named: "a", to: nil, default: "x")
        #expect(preferences.get(named: "a", default: "x") as String? == nil)
        #expect(preferences.isSet(named: "a"))
        preferences.set(named: "a", to: String?.none)
        #expect(!preferences.isSet(named: "a"))
    }

    @Test("A value of a non-optional type that encodes as null is stored")
    func aNonOptionalValueThatEncodesAsNullIsStored() {
        /// Encodes as null, and is something all the same.
        struct Nothing: Codable, Equatable, PreferenceConvertible {
            init() {}
            init(from decoder: any Decoder) throws {
                guard try decoder.singleValueContainer().decodeNil() else { throw CocoaError(.coderReadCorrupt) }
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            }
        }
        preferences.set("nothing", to: Nothing())
        #expect(store.value(for: "nothing") == .null)
    }

    @Test("Null is a problem for a key that is not optional")
    func nullIsAProblemForANonOptionalKey() async {
        store.apply(["weather-service:temperature": .set(.null)])
        #expect(weather.temperature == 0)
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "expected Double, found null; its default is used until it is set"
            ]
        )
    }
}
