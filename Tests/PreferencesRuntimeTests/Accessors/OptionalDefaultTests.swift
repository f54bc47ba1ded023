import Foundation
import PreferencesRuntime
import Testing
import StoreTestSupport

private struct Plain: Codable, Equatable {
    var number = 1
}

private let date = Date(timeIntervalSinceReferenceDate: 0)

/// Optional keys whose defaults are of the wrapped type, in each of the shapes that the generator writes.
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
    @Test func aStoredNilIsReadWhateverTheDefaultIsMadeOf() async {
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

    @Test func theDefaultIsReadWhileNothingIsStored() {
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

    @Test func aValueIsReadWhateverTheDefaultIsMadeOf() {
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

    @Test func whereNoOptionalIsWantedThereIsNone() {
        let preferences = Preferences(store: ["key": 7] as MemoryStore)
        let number = preferences.get("key", default: 5)
        let made = preferences.get("key") { 5 }
        #expect(type(of: number) == Int.self && type(of: made) == Int.self)
    }
}
