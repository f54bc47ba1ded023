import Foundation
import PreferencesRuntime

extension StoreCheck {
    /// The size of values that a store must support unless it declares `.largeValues` unsupported, in bytes.
    static let largeSize = 1 << 20
    /// The nesting depth of values that every store must support. A store may refuse deeper values.
    static let supportedDepth = 64
    /// The seeds of the random values.
    private static let seeds: [UInt64] = [1, 2, 3]

    private init(_ promise: String, stores values: [PreferenceValue]) {
        self.init(promise) { trial in
            let names = values.indices.map { "value \($0 + 1)" }
            try trial.expectStored(Dictionary(uniqueKeysWithValues: zip(names, values)))
        }
    }

    static let values: [StoreCheck] = [
        StoreCheck("null is distinguished from a name that is not set") { trial in
            try trial.expectStored(["null": .null])
            try trial.expect(nil, under: "absent")
            if trial.isUnsupported(.null) || trial.isUnsupported(.writing) { return }
            try trial.store.apply(["null": .set("a"), "value": .set(.null)])
            try trial.expect(exactly: ["null": "a", "value": .null], "after another value took its place")
            try trial.store.apply(["value": .remove])
            try trial.expect(exactly: ["null": "a"], "after null was removed")
        },

        StoreCheck(
            "values of different types are distinguished",
            stores: [
                true, 1, 1.0, "1", "true", false, 0, 0.0, -0.0, "0", "", "null", "2001-01-01T00:00:01Z", [], [:],
                [true, 1, 1.0, "1"], ["a": true, "b": 1, "c": 1.0], .data(Data()), .data(Data("1".utf8)),
                .date(moment(1)),
            ]
        ),

        StoreCheck(
            "integers are stored exactly up to the limits of Int64 and UInt64",
            stores: [
                .int(.min), .int(.min + 1), -1, .int(1 << 53), .int((1 << 53) + 1), .int(.max - 1), .int(.max),
                .unsignedInt(1 << 63), .unsignedInt((1 << 63) + 1), .unsignedInt(.max),
            ]
        ),

        StoreCheck("floating-point numbers are stored exactly", stores: doubles.map(PreferenceValue.double)),
        StoreCheck("dates are stored exactly", stores: dates.map { .date(moment($0)) }),
        StoreCheck("strings are stored exactly, with any characters", stores: texts.map(PreferenceValue.string)),

        StoreCheck(
            "data is stored exactly",
            stores: [.data(Data()), .data(Data([0])), .data(Data(0...255)), .data(Data(repeating: 255, count: 1_000))]
        ),

        StoreCheck(
            "arrays and dictionaries are stored, including empty and nested ones",
            stores: [
                [], [:], [[]], [[:]], [[], [[]], [:]], ["": [:]], ["a": ["b": [["c": []]]]], [1, "a", true, 1.5],
                [.null], ["a": .null], [.data(Data([1])), .date(moment(0.5))], nested(supportedDepth),
            ]
        ),

        StoreCheck(
            "dictionaries are stored with any keys",
            stores: allNames.map { [$0: "a"] }
                + [.dictionary(Dictionary(allNames.map { ($0, .string($0)) }) { first, _ in first })]
                + ["$date", "$data", "$null", "$double", "$string", "$dictionary"].flatMap { tag in
                    [[tag: true], [tag: [tag: "a"]], [tag: "2001-01-01T00:00:00Z"], [tag: "AAAA", "b": 1]]
                        as [PreferenceValue]
                }
        ),

        StoreCheck(
            "values of a megabyte are stored",
            stores: [
                .string(String(repeating: "m", count: largeSize)), .data(Data(repeating: 7, count: largeSize)),
            ]
        ),

        StoreCheck("a value nested a thousand levels deep is stored or refused", stores: [nested(1_000)]),

        StoreCheck("random values are stored exactly") { trial in
            for seed in seeds {
                var generator = SplitMix64(seed: seed)
                let values = (1...100).map { ("seed \(seed), value \($0)", PreferenceValue.random(using: &generator)) }
                try trial.expectStored(Dictionary(uniqueKeysWithValues: values))
                _ = try trial.change(Dictionary(uniqueKeysWithValues: values.map { ($0.0, .remove) }))
            }
        },
    ]

    private static func nested(_ depth: Int) -> PreferenceValue {
        (1..<depth).reduce([]) { value, level in level.isMultiple(of: 2) ? [value] : ["a": value] }
    }

    private static func moment(_ interval: Double) -> Date {
        Date(timeIntervalSinceReferenceDate: interval)
    }

    private static let doubles: [Double] = [
        0, -0.0, 1, 0.1, -0.1, 1.5, 70, 1e16, 123_456_789.123_456_78, 1e300, -1e-300, .pi, .ulpOfOne,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude,
        -.leastNonzeroMagnitude, .infinity, -.infinity, .nan, 9_007_199_254_740_992, 18_446_744_073_709_551_616,
    ]

    private static let dates: [Double] = [
        0, 1, 0.5, -0.5, 1e-7, -1e-7, 817_993_159.123_456_7, -978_307_200, 721_692_800.999_999_9,
        // The days about the start of the Gregorian calendar, those before year 1 and after year 9999.
        -13_197_600_000, -13_197_686_400, -63_113_904_000, -63_113_904_001, 252_423_993_599, 252_423_993_600,
        Date.distantPast.timeIntervalSinceReferenceDate, Date.distantFuture.timeIntervalSinceReferenceDate, 1e12, -1e12,
    ]

    private static let texts: [String] = [
        "", " ", "  a ", "\n", "\r", "\r\n", "\t", "a\nb\r\nc\rd", "\u{0}", "a\u{0}b", "\u{1}\u{1F}\u{7F}\u{85}",
        "\u{2028}\u{2029}", "\u{FEFF}a", "a\u{FEFF}", "\u{FFFE}", "\u{FFFF}", "\u{FFFD}", "\u{10FFFF}", "🌦️", "👩‍👩‍👧‍👦",
        "e\u{301}", "ﬁ", "İı", "العربية", "日本語", "\"", "'", "\\", "\\n", "\\u0000", "/", "%00", "&amp;", "<a>", "]]>",
        "</string>", "{}", "[]", "null", "true", "1", "1.0", "NaN", "$date", "a=b", ";", "#", "--",
        String(String.UnicodeScalarView((0..<0x20).compactMap(Unicode.Scalar.init))),
    ]
}
