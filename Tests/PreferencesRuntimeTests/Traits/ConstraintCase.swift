import Foundation
import StoreTestSupport
import Testing

@testable import PreferencesRuntime

/// A constraint, with values that meet it and one that violates it.
struct ConstraintCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The expected message for the bad value.
    let message: String
    /// The end of the message if the bad value was stored: `using default 3`.
    let consequence: String
    /// The stored form of the bad value.
    let bad: PreferenceValue
    let setBad: @Sendable (Preferences) -> Void
    let throwBad: @Sendable (Preferences) throws -> Void
    /// Sets each good value, and returns whether it is read back.
    let acceptsGood: @Sendable (Preferences) -> [Bool]
    let setGood: @Sendable (Preferences) -> Void
    let readsDefault: @Sendable (Preferences) -> Bool

    /// - Parameter good: Values that meet the constraint; the first is the default.
    init<Value: PreferenceConvertible & Equatable>(
        _ name: String,
        _ trait: PreferenceTrait<Value>,
        good: [Value],
        bad: Value,
        _ message: String
    ) {
        testDescription = name
        self.message = message
        consequence = "using \(ValueText.briefly(good[0]).map { "default \($0)" } ?? "its default")"
        self.bad = (try? bad.preferenceValue()) ?? .null
        let owner = { @Sendable (preferences: Preferences) in
            Owner(preferences: preferences, fallback: good[0], trait: trait)
        }
        setBad = { owner($0).value = bad }
        throwBad = { try owner($0).set(\.value, to: bad) }
        acceptsGood = { preferences in
            good.map { value in
                owner(preferences).value = value
                let isNil = (try? value.preferenceValue()) == .null
                return owner(preferences).value == value && owner(preferences).isSet(\.value) != isNil
            }
        }
        setGood = { owner($0).value = good[0] }
        readsDefault = { owner($0).value == good[0] }
    }

    private struct Owner<Value: PreferenceConvertible>: PreferenceAccessors {
        let preferences: Preferences
        let fallback: Value
        let trait: PreferenceTrait<Value>

        var value: Value {
            get { get("key", default: fallback, [trait]) }
            nonmutating set { set("key", to: newValue, [trait]) }
        }
    }
}

extension ConstraintCase {
    /// All constraints, with values at their limits.
    static let all = numbers + lengths + counts + choices + parts

    private static let numbers = [
        ConstraintCase(
            "range of integers",
            .range(-1...3),
            good: [0, -1, 3],
            bad: 4,
            "4 is out of range -1...3"
        ),
        ConstraintCase(
            "range of numbers",
            .range(-90...60.5),
            good: [0, -90, 60.5],
            bad: 60.75,
            "60.75 is out of range -90.0...60.5"
        ),
        ConstraintCase(
            "not a number",
            .range(0...1),
            good: [0.5],
            bad: Double.nan,
            "nan is out of range 0.0...1.0"
        ),
        ConstraintCase(
            "minimum",
            .range(1...),
            good: [1, 127] as [Int8],
            bad: 0,
            "0 must be at least 1"
        ),
        ConstraintCase(
            "maximum",
            .range(...9),
            good: [9, -9],
            bad: 10,
            "10 must be at most 9"
        ),
        ConstraintCase(
            "range of durations",
            .range(.milliseconds(500)...(.seconds(60))),
            good: [.seconds(1), .seconds(60)],
            bad: Duration.milliseconds(250),
            "0.25 seconds is out of range 0.5 seconds...60.0 seconds"
        ),
        ConstraintCase(
            "earliest date",
            .range(Date(timeIntervalSinceReferenceDate: 0)...),
            good: [Date(timeIntervalSinceReferenceDate: 0)],
            bad: Date(timeIntervalSinceReferenceDate: -86400),
            "2000-12-31T00:00:00Z must be at least 2001-01-01T00:00:00Z"
        ),
        ConstraintCase(
            "latest string",
            .range(..."m"),
            good: ["a", "m"],
            bad: "n",
            "\"n\" must be at most \"m\""
        ),
    ]

    private static let lengths = [
        ConstraintCase(
            "length",
            .length(1...3),
            good: ["a", "äöü"],
            bad: "",
            "\"\" must be 1 to 3 characters long"
        ),
        ConstraintCase(
            "exact length",
            .length(2...2),
            good: ["NO"],
            bad: "NOR",
            "\"NOR\" must be 2 characters long"
        ),
        ConstraintCase(
            "least length",
            .length(1...),
            good: ["a"],
            bad: "",
            "\"\" must be at least 1 character long"
        ),
        ConstraintCase(
            "greatest length",
            .length(...3),
            good: ["", "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧"],
            bad: String(repeating: "long", count: 100),
            "a string of 400 characters must be at most 3 characters long"
        ),
        ConstraintCase(
            "bytes",
            .length(3...),
            good: [Data([1, 2, 3])],
            bad: Data([1]),
            "data of 1 byte must be at least 3 bytes long"
        ),
        ConstraintCase(
            "pattern",
            .pattern("[a-z]+"),
            good: ["abc"],
            bad: "abc1",
            "\"abc1\" must match the pattern [a-z]+"
        ),
        ConstraintCase(
            "pattern with a choice",
            .pattern("a|ab"),
            good: ["a", "ab"],
            bad: "abc",
            "\"abc\" must match the pattern a|ab"
        ),
    ]

    private static let counts = [
        ConstraintCase(
            "count",
            .count(1...2),
            good: [[1], [1, 2]],
            bad: [1, 2, 3],
            "an array of 3 elements must have 1 to 2 elements"
        ),
        ConstraintCase(
            "exact count",
            .count(2...2),
            good: [[1, 2]],
            bad: [1],
            "an array of 1 element must have 2 elements"
        ),
        ConstraintCase(
            "least count",
            .count(1...),
            good: [["a"]] as [Set<String>],
            bad: [],
            "an empty set must have at least 1 element"
        ),
        ConstraintCase(
            "greatest count",
            .count(...1),
            good: [[:], ["a": 1]],
            bad: ["a": 1, "b": 2],
            "a dictionary of 2 elements must have at most 1 element"
        ),
    ]

    private static let choices = [
        ConstraintCase(
            "choices of integers",
            .oneOf([80, 443]),
            good: [80, 443],
            bad: 8080,
            "8080 must be one of 80, 443"
        ),
        ConstraintCase(
            "choices of strings",
            .oneOf(["Nairobi", "Reykjavík"]),
            good: ["Nairobi"],
            bad: "Oslo",
            "\"Oslo\" must be one of Nairobi, Reykjavík"
        ),
        ConstraintCase(
            "choices of an enum",
            .oneOf([.celsius]),
            good: [TemperatureUnit.celsius],
            bad: .fahrenheit,
            "\"fahrenheit\" must be celsius"
        ),
        ConstraintCase(
            "choices of URLs",
            .oneOf([URL(string: "https://example.org")!]),
            good: [URL(string: "https://example.org")!],
            bad: URL(string: "https://example.com")!,
            "\"https://example.com\" must be \"https://example.org\""
        ),
        ConstraintCase(
            "a requirement in words",
            .requiring("be even") { $0.isMultiple(of: 2) },
            good: [0, 2],
            bad: 3,
            "3 must be even"
        ),
        ConstraintCase(
            "a requirement of a struct",
            .requiring("be in Oslo") { $0.name == "Blindern" },
            good: [Station.oslo],
            bad: Station.bergen,
            "this Station must be in Oslo"
        ),
    ]
}

extension Station {
    fileprivate static var bergen: Station {
        var station = oslo
        station.name = "Florida"
        return station
    }
}

extension ConstraintCase {
    /// Constraints on parts of values.
    static let parts = [
        ConstraintCase(
            "unless nil",
            .unlessNil(.range(0...9)),
            good: [nil, 5, 0, 9],
            bad: Int?.some(10),
            "10 is out of range 0...9"
        ),
        ConstraintCase(
            "several unless nil",
            .unlessNil(.length(1...), .pattern("[A-Z]*")),
            good: [nil, "A"],
            bad: String?.some("a"),
            "\"a\" must match the pattern [A-Z]*"
        ),
        ConstraintCase(
            "each",
            .each(.range(0...9)),
            good: [[], [0, 9]],
            bad: [1, 2, 10],
            "at '[2]': 10 is out of range 0...9"
        ),
        ConstraintCase(
            "each of a set",
            .each(.range(0...9)),
            good: [[], [0, 9]] as [Set<Int>],
            bad: [10],
            "an element: 10 is out of range 0...9"
        ),
        ConstraintCase(
            "each value",
            .eachValue(.unlessNil(.range(0...))),
            good: [[:], ["Oslo": 1, "Bergen": nil]],
            bad: ["Bergen": 0, "Oslo": -1] as [String: Double?],
            "at '[\"Oslo\"]': -1.0 must be at least 0.0"
        ),
        ConstraintCase(
            "each of each",
            .each(.count(...2), .each(.oneOf([1, 2, 3]))),
            good: [[], [[1], [2, 3]]],
            bad: [[1], [2, 4]],
            "at '[1][1]': 4 must be one of 1, 2, 3"
        ),
        ConstraintCase(
            "each array in a dictionary",
            .eachValue(.each(.length(...1))),
            good: [[:], ["a": ["b"]]],
            bad: ["a \"b\"": ["c", "dd"]],
            "at '[\"a \\\"b\\\"\"][1]': \"dd\" must be at most 1 character long"
        ),
    ]
}
