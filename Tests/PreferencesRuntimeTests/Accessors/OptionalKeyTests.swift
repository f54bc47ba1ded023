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
        /// A type whose only value encodes as null.
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

private struct Plain: Codable, Equatable {
    var number = 1
}

private let date = Date(timeIntervalSinceReferenceDate: 0)

/// Accessors of optional keys with defaults of the wrapped type, in each form of generated code.
private struct Home: PreferenceAccessors {
    let preferences: Preferences

    var literal: Int? { self.get("key", default: 5) }
    var made: Int? { self.get("key") { Int("5") ?? 0 } }
    var value: Date? { self.get("key", default: date) }
    var madeAndRenamed: Int? { self.get("key", [.renamed(from: "old")]) { Int("5") ?? 0 } }
    var valueAndRenamed: Date? { self.get("key", default: date, [.renamed(from: "old")]) }
    var constrained: Int? { self.get("key", [.unlessNil(.range(1...9))]) { Int("5") ?? 0 } }
    var array: [Int]? { self.get("key") { [1, 2] } }
    var constant: [Int]? { self.get("key", constant: [1, 2] as [Int]?) }
    var limitedConstant: Set<Int>? { self.get("key", [.unlessNil(.count(...3))], constant: [1, 2] as Set<Int>?) }
    var enumeration: TemperatureUnit? { self.get("key", default: .celsius) }
    var codable: Plain? { self.get(codable: "key", default: Plain()) }
    var madeCodable: Plain? { self.get(codable: "key") { Plain() } }
    var renamedCodable: Plain? { self.get(codable: "key", [.renamed(from: "old")]) { Plain() } }
}

struct OptionalDefaultTests {
    @Test("A stored nil reads as nil, whatever the form of the default")
    func aStoredNilReadsAsNil() async {
        let home = Home(preferences: Preferences(store: ["key": .null] as MemoryStore))
        #expect(home.literal == nil)
        #expect(home.made == nil)
        #expect(home.value == nil)
        #expect(home.madeAndRenamed == nil)
        #expect(home.valueAndRenamed == nil)
        #expect(home.constrained == nil)
        #expect(home.array == nil)
        #expect(home.constant == nil)
        #expect(home.limitedConstant == nil)
        #expect(home.enumeration == nil)
        #expect(home.codable == nil)
        #expect(home.madeCodable == nil)
        #expect(home.renamedCodable == nil)
        #expect(await home.preferences.reportedProblems() == [])
    }

    @Test("A key reads as its default while nothing is stored")
    func aKeyReadsAsItsDefaultWhileNothingIsStored() {
        let home = Home(preferences: Preferences(store: MemoryStore()))
        #expect(home.literal == 5)
        #expect(home.made == 5)
        #expect(home.value == date)
        #expect(home.madeAndRenamed == 5)
        #expect(home.valueAndRenamed == date)
        #expect(home.constrained == 5)
        #expect(home.array == [1, 2])
        #expect(home.constant == [1, 2])
        #expect(home.limitedConstant == [1, 2])
        #expect(home.enumeration == .celsius)
        #expect(home.codable == Plain())
        #expect(home.madeCodable == Plain())
        #expect(home.renamedCodable == Plain())
    }

    @Test("A stored value is read, whatever the form of the default")
    func aStoredValueIsRead() {
        let numbers = Home(preferences: Preferences(store: ["key": 7] as MemoryStore))
        #expect(numbers.literal == 7 && numbers.made == 7 && numbers.madeAndRenamed == 7 && numbers.constrained == 7)
        let arrays = Home(preferences: Preferences(store: ["key": [3]] as MemoryStore))
        #expect(arrays.array == [3] && arrays.constant == [3] && arrays.limitedConstant == [3])
        let later = date.addingTimeInterval(1)
        let dates = Home(preferences: Preferences(store: ["key": .date(later)] as MemoryStore))
        #expect(dates.value == later && dates.valueAndRenamed == later)
        let codable = Home(preferences: Preferences(store: ["key": ["number": 3]] as MemoryStore))
        #expect(codable.codable?.number == 3 && codable.madeCodable?.number == 3)
    }

    @Test("A key has no optional type where none is expected")
    func aKeyIsNotOptionalWhereNoOptionalIsExpected() {
        let preferences = Preferences(store: ["key": 7] as MemoryStore)
        let number = preferences.get("key", default: 5)
        let made = preferences.get("key") { 5 }
        #expect(type(of: number) == Int.self && type(of: made) == Int.self)
    }
}
