import Foundation
import StoreTestSupport
import Testing

@testable import PreferencesRuntime

/// Accessors with transformations.
private protocol TransformedPreferences: PreferenceAccessors {}

extension TransformedPreferences {
    fileprivate var isEnabled: Bool {
        get { get("disabled", default: true, through: .inverted) }
        nonmutating set { set("disabled", to: newValue, through: .inverted) }
    }

    fileprivate var volume: Int {
        get { get("volume", default: 50, through: .clamping(to: 0...100)) }
        nonmutating set { set("volume", to: newValue, through: .clamping(to: 0...100)) }
    }

    fileprivate var priority: Priority {
        get { get("priority", default: .low, through: .rawValue) }
        nonmutating set { set("priority", to: newValue, through: .rawValue) }
    }

    fileprivate var title: String {
        get { get("title", default: "unset", through: .replacingNil(with: "none")) }
        nonmutating set { set("title", to: newValue, through: .replacingNil(with: "none")) }
    }

    fileprivate var even: Int {
        get { get("even", default: 0, through: .ensuring({ $0.isMultiple(of: 2) }, else: 2)) }
        nonmutating set { set("even", to: newValue, through: .ensuring({ $0.isMultiple(of: 2) }, else: 2)) }
    }

    fileprivate var points: [Point] {
        get { get("points", default: [], through: .json) }
        nonmutating set { set("points", to: newValue, through: .json) }
    }

    fileprivate var swapped: Point {
        get { get("point", default: Point(x: 0, y: 0), through: .json.followed(by: swapping)) }
        nonmutating set { set("point", to: newValue, through: .json.followed(by: swapping)) }
    }

    private var swapping: PreferenceTransformation<Point, Point> {
        PreferenceTransformation {
            Point(x: $0.y, y: $0.x)
        } write: {
            Point(x: $0.y, y: $0.x)
        }
    }

    fileprivate var archived: NSArray {
        get { get("archived", default: [], through: .archive) }
        nonmutating set { set("archived", to: newValue, through: .archive) }
    }
}

private enum Priority: Int {
    case low = 1
    case high = 2
}

/// A type that is only `Codable`.
private struct Point: Codable, Hashable {
    var x: Int
    var y: Int
}

extension Preferences: TransformedPreferences {}

struct TransformationTests {
    private let store = MemoryStore()
    private var preferences: Preferences { Preferences(store: store) }

    @Test("A Boolean may be stored as its opposite")
    func aBooleanMayBeStoredAsItsOpposite() {
        #expect(preferences.isEnabled)
        preferences.isEnabled = false
        #expect(store.value(for: "disabled") == true)
        #expect(!preferences.isEnabled)
        preferences.isEnabled.toggle()
        #expect(store.value(for: "disabled") == false)
    }

    @Test("A value out of range reads as the nearest bound, and is preserved")
    func aValueOutOfRangeReadsAsTheNearestBound() {
        store.apply(["volume": .set(120)])
        #expect(preferences.volume == 100)
        #expect(store.value(for: "volume") == 120)
        store.apply(["volume": .set(-5)])
        #expect(preferences.volume == 0)
        store.apply(["volume": .set(70)])
        #expect(preferences.volume == 70)
        preferences.reset(\.volume)
        #expect(preferences.volume == 50)
    }

    @Test("A value that does not meet its condition reads as the replacement")
    func aValueThatDoesNotMeetItsConditionReadsAsTheReplacement() {
        store.apply(["even": .set(3)])
        #expect(preferences.even == 2)
        #expect(store.value(for: "even") == 3)
        preferences.even = 8
        #expect(preferences.even == 8)
    }

    @Test("An enum may be stored as its raw value")
    func anEnumMayBeStoredAsItsRawValue() async {
        let preferences = preferences
        preferences.priority = .high
        #expect(store.value(for: "priority") == 2)
        #expect(preferences.priority == .high)
        store.apply(["priority": .set(3)])
        #expect(preferences.priority == .low)
        #expect(
            await preferences.reportedProblems().map(\.description) == [
                "memory: 'priority': 3 is not a raw value of Priority; using its default"
            ]
        )
    }

    @Test("Nil reads as its replacement, and a key that is not set as its default")
    func nilReadsAsItsReplacement() {
        #expect(preferences.title == "unset")
        store.apply(["title": .set(.null)])
        #expect(preferences.title == "none")
        preferences.title = "Weather"
        #expect(store.value(for: "title") == "Weather")
    }

    @Test("Codable values may be stored as JSON")
    func codableValuesMayBeStoredAsJSON() {
        preferences.points = [Point(x: 1, y: 2)]
        guard case .data(let data)? = store.value(for: "points") else { return #expect(Bool(false), "no data") }
        #expect((try? JSONDecoder().decode([Point].self, from: data)) == [Point(x: 1, y: 2)])
        #expect(preferences.points == [Point(x: 1, y: 2)])
    }

    @Test("Transformations can be chained")
    func transformationsCanBeChained() throws {
        preferences.swapped = Point(x: 1, y: 2)
        guard case .data(let data)? = store.value(for: "point") else { return #expect(Bool(false), "no data") }
        #expect(try JSONDecoder().decode(Point.self, from: data) == Point(x: 2, y: 1))
        #expect(preferences.swapped == Point(x: 1, y: 2))
    }

    @Test("Objects may be stored as archives")
    func objectsMayBeStoredAsArchives() {
        preferences.archived = ["a", "b"]
        guard case .data? = store.value(for: "archived") else { return #expect(Bool(false), "no data") }
        #expect(preferences.archived == ["a", "b"])
    }

    @Test("A value that cannot be transformed reads as the default, and is preserved")
    func aValueThatCannotBeTransformedReadsAsTheDefault() async {
        let preferences = preferences
        let damaged = PreferenceValue.data(Data("[{\"x\":1}]".utf8))
        store.apply(["points": .set(damaged)])
        #expect(preferences.points == [])
        #expect(store.value(for: "points") == damaged)
        #expect(await preferences.reportedProblems().map(\.code) == [.typeMismatch])
    }

    @Test("Transformed values cannot be processed, which is reported")
    func processingTransformedValuesIsReported() async {
        let preferences = preferences
        preferences.processValues(of: \.isEnabled) { _ in true }
        preferences.processValues(of: \.isEnabled) { old, _ in old }
        preferences.isEnabled = false
        #expect(!preferences.isEnabled)
        #expect(
            await preferences.reportedProblems().map(\.message)
                == [String](
                    repeating:
                        "the key path from Preferences to Bool does not lead to one key as a whole: "
                        + "its values are not processed",
                    count: 2
                )
        )
    }

    @Test("Transformed keys can be watched and reset")
    func transformedKeysCanBeWatchedAndReset() {
        let preferences = preferences
        let seen = Recorder<Bool>()
        preferences.watch(\.isEnabled) { seen.add($0.new) }
        preferences.isEnabled = false
        preferences.reset(\.isEnabled)
        #expect(seen.all == [false, true])
        #expect(!preferences.isSet(\.isEnabled))
    }
}

/// A transformer that adds a number, and returns nil for other values, as Foundation's transformers do.
private struct Adding: ReversibleTransformer {
    let number: Int
    var allowsReverse = true

    func transformedValue(_ value: Any?) -> Any? { (value as? Int).map { $0 + number } }

    func reverseTransformedValue(_ value: Any?) -> Any? {
        if !allowsReverse { Issue.record("this would raise an exception") }
        return (value as? Int).map { $0 - number }
    }
}

/// Transformations by registered transformers, tested with a double of Foundation's.
struct ValueTransformerTests {
    @Test("Values are transformed when written, and reversed when read")
    func valuesAreTransformedInBothDirections() throws {
        let adding = PreferenceTransformation<Int, Int>(transformer: "Adding") { Adding(number: 3) }
        #expect(try adding.write(5) == 8)
        #expect(try adding.read(8) == 5)
    }

    @Test("An unregistered transformer is an error")
    func anUnregisteredTransformerIsAnError() {
        let missing = PreferenceTransformation<Int, Int>(transformer: "Missing") { nil }
        let error = PreferenceTransformationError("no value transformer 'Missing' is registered")
        #expect(throws: error) { try missing.write(5) }
        #expect(throws: error) { try missing.read(5) }
    }

    @Test("A transformer without a reverse is not asked for it")
    func aTransformerWithoutAReverseIsNotAskedForIt() {
        let adding = PreferenceTransformation<Int, Int>(transformer: "Adding") {
            Adding(number: 3, allowsReverse: false)
        }
        #expect(
            throws: PreferenceTransformationError(
                "the value transformer 'Adding' does not support the reverse transformation"
            )
        ) {
            try adding.read(5)
        }
    }

    @Test("A result of another type is an error")
    func aResultOfAnotherTypeIsAnError() {
        let adding = PreferenceTransformation<String, Int>(transformer: "Adding") { Adding(number: 3) }
        #expect(throws: PreferenceTransformationError("'Adding' does not return String")) { try adding.write(5) }
        #expect(throws: PreferenceTransformationError("'Adding' does not return Int")) { try adding.read("5") }
    }
}
