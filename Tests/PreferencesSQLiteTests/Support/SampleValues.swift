import Foundation
import PreferencesRuntime

/// Values with details that a database could lose, and unusual names.
enum SampleValues {
    static let values: [PreferenceValue] =
        [.null, .bool(true), .bool(false)] + integers + doubles + strings + datas + dates + collections

    static let names = [
        "", "a", "A", "a.b", "a:b", "é", "🌦️", "\u{0}", "a\u{0}b", "a\u{0}c", "'; DROP TABLE preferences; --",
        "\u{FEFF}",
        String(repeating: "n", count: 100_000),
    ]

    private static let integers: [PreferenceValue] =
        [.min, -1, 0, 1, .max].map { .int($0) } + [UInt64(Int64.max) + 1, .max].map { .unsignedInt($0) }

    private static let doubles: [PreferenceValue] = [
        0, -0.0, 1, 70, 0.1, 1e300, -1e-300, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity,
        .nan,
    ].map { .double($0) }

    private static let strings: [PreferenceValue] = [
        "", "a", "e\u{301}", "🌦️", "\u{0}", "a\u{0}b", "\u{FEFF}", "\u{FFFE}", "1", "nan",
        String(repeating: "x", count: 3_000_000),
    ].map { .string($0) }

    private static let datas: [PreferenceValue] = [Data(), Data([0]), Data(0...255)].map { .data($0) }

    private static let dates: [PreferenceValue] = [
        0, 0.5, -12.25, 1e-7, 817_993_159.123_456_7, -63_113_904_001, 252_423_993_600, 1e12, .infinity, .nan,
    ].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }

    private static let collections: [PreferenceValue] = [
        [], [:], [1, "a", [true, .null]], ["$date": "mine"], ["a": ["b": .double(.nan)], "\u{0}": .data(Data([1]))],
        [.date(Date(timeIntervalSinceReferenceDate: 0.25)), .unsignedInt(.max), .double(-0.0)],
    ]
}
