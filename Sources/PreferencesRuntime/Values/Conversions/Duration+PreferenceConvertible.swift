import PreferencesJSON

/// Durations are seconds: `90` and `1.5`, as people write them.
///
/// A number with a fraction stands for the decimal number that it is written as, so that `0.1` is a tenth of a second
/// to the attosecond. Durations that need more digits than a `Double` has are dictionaries: `{"attoseconds":
/// "1234567890123456789"}`.
extension Duration: PreferenceConvertible {
    private static let attosecondsName = "attoseconds"
    private static let attosecondsPerSecond: Int128 = 1_000_000_000_000_000_000

    /// Reads a number of seconds, or a dictionary that holds the attoseconds as text.
    public init(preferenceValue: PreferenceValue) throws {
        let attoseconds: Int128? =
            switch preferenceValue {
            case .int(let seconds): Int128(seconds) * Self.attosecondsPerSecond
            case .unsignedInt(let seconds): Int128(seconds) * Self.attosecondsPerSecond
            case .double(let seconds): Self.attoseconds(seconds: seconds)
            case .dictionary(let entries) where entries.count == 1:
                switch entries[Self.attosecondsName] {
                case .string(let text): Int128(text)
                default: nil
                }
            default: nil
            }
        guard let attoseconds else { throw PreferenceConversionError(expected: Self.self, found: preferenceValue) }
        // `init(attoseconds:)` and `attoseconds` require Swift 6.2. These are the properties that they use.
        self.init(_high: Int64(truncatingIfNeeded: attoseconds >> 64), low: UInt64(truncatingIfNeeded: attoseconds))
    }

    /// A ``PreferenceValue/int(_:)`` of whole seconds, a ``PreferenceValue/double(_:)`` where it is exact, or else a
    /// dictionary.
    public func preferenceValue() -> PreferenceValue {
        let attoseconds = Int128(_high) << 64 | Int128(_low)
        let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: Self.attosecondsPerSecond)
        if rest == 0, let value = PreferenceValue.integer(seconds) { return value }
        let approximation = Double(seconds) + Double(rest) / Double(Self.attosecondsPerSecond)
        if let number = Self.shortest(near: approximation, attoseconds: attoseconds) { return .double(number) }
        return .dictionary([Self.attosecondsName: .string(String(attoseconds))])
    }

    /// The double whose digits are this number of attoseconds. The approximation may be off by its last digit.
    private static func shortest(near approximation: Double, attoseconds: Int128) -> Double? {
        [approximation, approximation.nextUp, approximation.nextDown].first {
            Self.attoseconds(seconds: $0) == attoseconds
        }
    }

    private static func attoseconds(seconds: Double) -> Int128? {
        guard seconds.isFinite else { return nil }
        return JSONNumber(text: seconds.description).scaled(byPowerOfTen: 18)
    }
}
