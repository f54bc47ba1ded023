import Foundation
import PreferencesRuntime
import Testing
import StoreTestSupport

struct OptionalKeyTests {
    private let store = MemoryStore()
    private let preferences: Preferences
    private var weather: Weather { preferences.weather }

    init() {
        preferences = Preferences(store: store)
    }

    @Test func anOptionalKeyGoesFromNotSetToSetAndBackByNil() {
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

    @Test func nilIsKeptWhereTheDefaultIsAnother() {
        #expect(weather.nickname == "anonymous")
        weather.nickname = nil
        #expect(weather.nickname == nil)
        #expect(weather.isSet(\.nickname))
        #expect(store.value(for: "weather-service:nickname") == .null)

        weather.reset(\.nickname)
        #expect(weather.nickname == "anonymous")
        #expect(!weather.isSet(\.nickname))
    }

    @Test func aDefaultThatIsNilAfterAllIsNotStored() {
        let none: String? = nil
        preferences.set("a", to: nil, default: none)
        #expect(!preferences.isSet(named: "a"))
    }

    @Test func namesThatAreKnownAtRunTimeFollowTheSameRule() {
        preferences.set(named: "a", to: nil, default: "x")
        #expect(preferences.get(named: "a", default: "x") as String? == nil)
        #expect(preferences.isSet(named: "a"))
        preferences.set(named: "a", to: String?.none)
        #expect(!preferences.isSet(named: "a"))
    }

    @Test func nullThatIsNoOptionalsIsStored() {
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

    @Test func nullReadAsWhatIsNotOptionalIsAProblem() async {
        store.apply(["weather-service:temperature": .set(.null)])
        #expect(weather.temperature == 0)
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "expected Double, found null; its default is used until it is set"
            ]
        )
    }
}
