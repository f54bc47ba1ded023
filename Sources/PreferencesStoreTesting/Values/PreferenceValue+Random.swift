import Foundation
package import PreferencesRuntime

/// A reproducible random number generator (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension PreferenceValue {
    /// Returns a random value of any type, with a preference for edge cases.
    ///
    /// - Parameters:
    ///   - generator: The source of randomness. Equal generators give equal values.
    ///   - depth: The maximum nesting depth. Default: 3.
    package static func random(using generator: inout some RandomNumberGenerator, depth: Int = 3) -> PreferenceValue {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 8), using: &generator) {
        case 0: .null
        case 1: .bool(.random(using: &generator))
        case 2: .int([.min, -1, 0, 1, .max, .random(in: .min ... .max, using: &generator)].pick(&generator))
        case 3: .unsignedInt([UInt64(Int64.max) + 1, .max].pick(&generator))
        case 4: .double(randomDouble(&generator))
        case 5: .string(randomText(&generator))
        case 6: .data(Data(list(upTo: 40, &generator) { .random(in: 0...255, using: &$0) }))
        case 7: .date(randomDate(&generator))
        case 8: .array(list(upTo: 4, &generator) { random(using: &$0, depth: depth - 1) })
        default:
            .dictionary(
                Dictionary(
                    list(upTo: 3, &generator) { (randomName(&$0), random(using: &$0, depth: depth - 1)) }
                ) { $1 }
            )
        }
    }

    private static func list<Generator: RandomNumberGenerator, Element>(
        upTo limit: Int,
        _ generator: inout Generator,
        _ make: (inout Generator) -> Element
    ) -> [Element] {
        (0..<Int.random(in: 0...limit, using: &generator)).map { _ in make(&generator) }
    }

    private static func randomDouble(_ generator: inout some RandomNumberGenerator) -> Double {
        let edges: [Double] = [
            0, -0.0, 1, 70, 0.1, 1e16, 1e300, -1e-300, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity,
            -.infinity, .nan, Double(bitPattern: generator.next()), .random(in: -1e6...1e6, using: &generator),
        ]
        return edges.pick(&generator)
    }

    private static func randomDate(_ generator: inout some RandomNumberGenerator) -> Date {
        let intervals: [Double] = [
            0, 0.5, -0.5, -12.25, 1e-7, -1e-7, 817_993_159.123_456_7, -63_113_904_000, -63_113_904_001, 252_423_993_599,
            252_423_993_600, 1e12, .infinity, .nan, .random(in: -6e10...2e11, using: &generator).rounded(),
            .random(in: -6e10...2e11, using: &generator), .random(in: -1e3...1e3, using: &generator),
        ]
        return Date(timeIntervalSinceReferenceDate: intervals.pick(&generator))
    }

    private static func randomText(_ generator: inout some RandomNumberGenerator) -> String {
        let parts = [
            "", "a", "é", "e\u{301}", "🌦️", "\"", "\\", "\n", "\r", "\r\n", "\t", "\u{0}", "\u{1F}", "\u{7F}",
            "\u{2028}",
            "\u{FFFE}", "</string>", "&amp;", " ", "$date", "\u{FEFF}",
        ]
        return list(upTo: 6, &generator) { parts.pick(&$0) }.joined()
    }

    private static func randomName(_ generator: inout some RandomNumberGenerator) -> String {
        ["", "a", "b.c", "d:e", "$date", "$data", "$double", "$null", "$string", "$dictionary", "$other", "\u{0}", "🌦️"]
            .pick(&generator)
    }
}

extension Array {
    fileprivate func pick(_ generator: inout some RandomNumberGenerator) -> Element {
        self[Int.random(in: indices, using: &generator)]
    }
}
