import Foundation
import PreferencesComparison
import PreferencesRuntime
import PreferencesSchema
import Testing

/// Which types read the values of which others, compared with what the runtime does.
@Suite("Types that read each other's values")
struct StoredTypesTests {
    /// A type of the schema language, with the type of the runtime and values of it that are not like any others.
    struct SampledType: Sendable, CustomTestStringConvertible {
        var name: String
        var samples: [PreferenceValue]
        /// Returns the representation of what a stored value is read as; nil if it is refused.
        var read: @Sendable (PreferenceValue) -> PreferenceValue?

        var testDescription: String { name }

        init<Value: PreferenceConvertible>(_ name: String, _ values: Value...) {
            self.name = name
            samples = values.compactMap { try? $0.preferenceValue() }
            read = { try? Value(preferenceValue: $0).preferenceValue() }
        }
    }

    enum Word: String, CaseIterable, Codable, PreferenceConvertible {
        case low
        case high = "7"
    }
    enum Number: Int, CaseIterable, Codable, PreferenceConvertible {
        case one = 1
        case many = 70_000
    }
    struct Point: Codable, Hashable, PreferenceConvertible { var x: Double, y: Double }

    static let types: [SampledType] = [
        SampledType("Bool", true, false),
        SampledType("Int", Int.min, -1, 0, 7, (1 << 53) + 1, Int.max), SampledType("Int8", Int8.min, 0, Int8.max),
        SampledType("Int16", Int16.min, 0, Int16.max), SampledType("Int32", Int32.min, 0, Int32.max),
        SampledType("Int64", Int64.min, 0, (1 << 53) + 1, Int64.max), SampledType("UInt", 0, 7, UInt.max),
        SampledType("UInt8", 0, UInt8.max), SampledType("UInt16", 0, UInt16.max), SampledType("UInt32", 0, UInt32.max),
        SampledType("UInt64", 0, 7, UInt64.max),
        SampledType("Double", -1.5, 0, 0.1, 123.1, 1e300, .infinity),
        SampledType("Float", Float(-1.5), 0, 0.1, 123.1, 1e30),
        SampledType("String", "", "low", "a b", "{", "7"), SampledType("Data", Data(), Data([1, 255])),
        SampledType("Date", Date(timeIntervalSinceReferenceDate: 0.5)),
        SampledType("URL", URL(string: "https://example.com/?q=%20")!), SampledType("UUID", UUID()),
        SampledType(
            "Duration",
            Duration.seconds(90),
            .milliseconds(1),
            .init(secondsComponent: 9, attosecondsComponent: 1)
        ),
        SampledType("Word", Word.low, .high), SampledType("Number", Number.one, .many),
        SampledType("Point", Point(x: 1, y: 0.5)),
        SampledType("[Int]", [3, 1, 3, (1 << 53) + 1], []), SampledType("[Int8]", [Int8(3), 1, 3], []),
        SampledType("[Int?]", [1, nil]),
        SampledType("[String]", ["b", "a", "b"], []), SampledType("[Word]", [Word.high, .low, .high]),
        SampledType("Set<Int>", Set([3, 1, 300]), Set([])), SampledType("Set<Int8>", Set([Int8(3), 1])),
        SampledType("Set<String>", Set(["b", "a"])),
        SampledType("[String: Int]", ["a": (1 << 53) + 1], [:]), SampledType("[String: Double]", ["a": 1.5], [:]),
        SampledType("[String: String]", ["attoseconds": "1"], [:]), SampledType("[[Int]]", [[1], [2, 2]]),
        SampledType("[String: [Int8]]", ["a": [1]]),
    ]

    private static let declarations = """
        "types": {
          "Word": { "enum": { "low": "low", "high": "7" } },
          "Number": { "enum": { "one": 1, "many": 70000 } },
          "Point": { "struct": { "x": "Double", "y": "Double" } }
        },
        """

    /// Pairs of which the runtime reads the values as others than they were meant: numbers become seconds, and fields
    /// become entries.
    private static func isReadDifferently(_ old: String, _ new: String) -> Bool {
        (new == "Duration" && old != "Duration") || (old == "Point" && new == "[String: Double]")
    }

    @Test("A change of type is reported exactly if the runtime does not read all values as the same", arguments: types)
    func agreement(old: SampledType) throws {
        // One comparison for all types: a key for each.
        func keys(_ type: (SampledType) -> String) -> String {
            let keys = Self.types.enumerated().map { #""k\#($0.offset)": { "type": "\#(type($0.element))?" }"# }
            return "\(Self.declarations)\n\"keys\": { \(keys.joined(separator: ",\n")) }"
        }
        let found = changes(from: keys { _ in old.name }, to: keys(\.name)).changes.filter { $0.rule == .typeChanged }
        let changed = Set(found.map(\.subject))
        for (index, new) in Self.types.enumerated() {
            let isRead = old.samples.allSatisfy { sample in
                new.read(sample).map { $0.isSameValue(as: sample) } ?? false
            }
            if Self.isReadDifferently(old.name, new.name) {
                #expect(changed.contains("k\(index)"), "\(old.name) → \(new.name)")
            } else {
                #expect(changed.contains("k\(index)") == !isRead, "\(old.name) → \(new.name)")
            }
        }
    }

    @Test("Every optional type reads the values of the type itself", arguments: types)
    func optional(type: SampledType) {
        for sample in type.samples { #expect(type.read(sample).map { $0.isSameValue(as: sample) } == true) }
        let value = type.name
        let found = changes(
            from: "\(Self.declarations)\n\"keys\": { \"a\": { \"type\": \"\(value)\", \"defaultExpression\": \"x\" } }",
            to: "\(Self.declarations)\n\"keys\": { \"a\": { \"type\": \"\(value)?\", \"defaultExpression\": \"x\" } }"
        )
        #expect(found.changes == [])
    }
}

extension PreferenceValue {
    /// Whether two representations mean the same value: whole numbers may be integers or not, and the order of a list
    /// is part of it.
    fileprivate func isSameValue(as other: PreferenceValue) -> Bool {
        switch (self, other) {
        case (.array(let first), .array(let second)):
            first.count == second.count && zip(first, second).allSatisfy { $0.isSameValue(as: $1) }
        case (.dictionary(let first), .dictionary(let second)):
            first.count == second.count && first.allSatisfy { second[$0.key]?.isSameValue(as: $0.value) ?? false }
        case (.int(let first), .double(let second)), (.double(let second), .int(let first)):
            Int64(exactly: second) == first
        case (.unsignedInt(let first), .double(let second)), (.double(let second), .unsignedInt(let first)):
            UInt64(exactly: second) == first
        default: self == other
        }
    }
}
