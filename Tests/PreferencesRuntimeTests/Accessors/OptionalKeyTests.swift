import Foundation
import PreferencesRuntime
import StoreTestSupport
import Testing

struct OptionalKeyTests {
    private let store = MemoryStore()
    private let preferences: Preferences
    private var weather: Preferences.Weather { preferences.weather }

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
                "expected Double, found null; using default 0.0"
            ]
        )
    }
}

private struct Plain: Codable, Equatable {
    var number = 1
}

private let date = Date(timeIntervalSinceReferenceDate: 0)

/// Accessors of optional keys with defaults of the wrapped type, in each form of hand-written and generated code.
private struct Owner: PreferenceAccessors {
    let preferences: Preferences

    var literal: Int? { self.get("key", default: 5) }
    var generated: Int? { _Accessor.getOptional(self, "key", default: 5) }
    var computed: Int? { _Accessor.getComputed(self, "key", default: Int("5") as Int?) }
    var value: Date? { self.get("key", default: date) }
    var computedAndRenamed: Int? {
        _Accessor.getComputed(self, "key", default: Int("5") as Int?, traits: [.renamed(from: "old")])
    }
    var valueAndRenamed: Date? { self.get("key", default: date, [.renamed(from: "old")]) }
    var constrained: Int? {
        _Accessor.getOptional(self, "key", default: 5, traits: [.unlessNil(.range(1...9))])
    }
    var array: [Int]? { self.get("key", default: [1, 2]) }
    var constant: [Int]? { _Accessor.getConstant(self, "key", default: [1, 2] as [Int]?) }
    var limitedConstant: Set<Int>? {
        _Accessor.getConstant(self, "key", default: [1, 2] as Set<Int>?, traits: [.unlessNil(.count(...3))])
    }
    var enumeration: TemperatureUnit? { self.get("key", default: .celsius) }
    var codable: Plain? { self.get(codable: "key", default: Plain()) }
    var computedCodable: Plain? { _Accessor.getCodable(self, "key", default: Plain() as Plain?) }
    var constantCodable: Plain? { _Accessor.getCodableConstant(self, "key", default: Plain() as Plain?) }
    var renamedCodable: Plain? { self.get(codable: "key", default: Plain(), [.renamed(from: "old")]) }
}

struct OptionalDefaultTests {
    @Test("A stored nil reads as nil, whatever the form of the default")
    func aStoredNilReadsAsNil() async {
        let owner = Owner(preferences: Preferences(store: ["key": .null] as MemoryStore))
        #expect(owner.literal == nil)
        #expect(owner.generated == nil)
        #expect(owner.value == nil)
        #expect(owner.computedAndRenamed == nil)
        #expect(owner.valueAndRenamed == nil)
        #expect(owner.constrained == nil)
        #expect(owner.array == nil)
        #expect(owner.constant == nil)
        #expect(owner.limitedConstant == nil)
        #expect(owner.enumeration == nil)
        #expect(owner.codable == nil)
        #expect(owner.computed == nil)
        #expect(owner.computedCodable == nil)
        #expect(owner.constantCodable == nil)
        #expect(owner.renamedCodable == nil)
        #expect(await owner.preferences.reportedProblems() == [])
    }

    @Test("A key reads as its default while nothing is stored")
    func aKeyReadsAsItsDefaultWhileNothingIsStored() {
        let owner = Owner(preferences: Preferences(store: MemoryStore()))
        #expect(owner.literal == 5)
        #expect(owner.generated == 5)
        #expect(owner.value == date)
        #expect(owner.computedAndRenamed == 5)
        #expect(owner.valueAndRenamed == date)
        #expect(owner.constrained == 5)
        #expect(owner.array == [1, 2])
        #expect(owner.constant == [1, 2])
        #expect(owner.limitedConstant == [1, 2])
        #expect(owner.enumeration == .celsius)
        #expect(owner.codable == Plain())
        #expect(owner.computed == 5)
        #expect(owner.computedCodable == Plain())
        #expect(owner.constantCodable == Plain())
        #expect(owner.renamedCodable == Plain())
    }

    @Test("A stored value is read, whatever the form of the default")
    func aStoredValueIsRead() {
        let numbers = Owner(preferences: Preferences(store: ["key": 7] as MemoryStore))
        #expect(numbers.literal == 7 && numbers.generated == 7 && numbers.computed == 7)
        #expect(numbers.computedAndRenamed == 7 && numbers.constrained == 7)
        let arrays = Owner(preferences: Preferences(store: ["key": [3]] as MemoryStore))
        #expect(arrays.array == [3] && arrays.constant == [3] && arrays.limitedConstant == [3])
        let later = date.addingTimeInterval(1)
        let dates = Owner(preferences: Preferences(store: ["key": .date(later)] as MemoryStore))
        #expect(dates.value == later && dates.valueAndRenamed == later)
        let codable = Owner(preferences: Preferences(store: ["key": ["number": 3]] as MemoryStore))
        #expect(codable.codable?.number == 3 && codable.computedCodable?.number == 3)
    }

    @Test("A key has no optional type where none is expected")
    func aKeyIsNotOptionalWhereNoOptionalIsExpected() {
        let preferences = Preferences(store: ["key": 7] as MemoryStore)
        let number = preferences.get("key", default: 5)
        let constrained = preferences.get("key", default: 5, [.range(0...9)])
        #expect(type(of: number) == Int.self && type(of: constrained) == Int.self)
    }
}
