/// What the values of a key must be, beyond their type. Of an optional, nil is always allowed.
package enum Constraint: Hashable, Sendable {
    /// Numbers, durations and dates: not below the one, not above the other.
    case range(minimum: DefaultValue?, maximum: DefaultValue?)
    /// Strings, in characters, and data, in bytes.
    case length(Limits)
    /// Collections, in elements.
    case count(Limits)
    /// Strings: a regular expression, in Swift's syntax, that the whole of them matches.
    case pattern(String)
    /// The only values there are.
    case choices([DefaultValue])
    /// What each element of an array or set, or each value of a dictionary, must be.
    case each([Constraint])

    /// How many there may be, at least and at most.
    package struct Limits: Hashable, Sendable {
        package var minimum: Int?
        package var maximum: Int?

        package init(minimum: Int?, maximum: Int?) {
            self.minimum = minimum
            self.maximum = maximum
        }
    }
}
