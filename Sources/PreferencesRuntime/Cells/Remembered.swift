/// What a cell knows of a key's value.
@frozen
@usableFromInline
enum Remembered<Value> {
    /// Nothing: the slow path finds out.
    case nothing
    /// That there is none, and the default is to be used.
    case unset
    case value(Value)
}

extension Remembered: Sendable where Value: Sendable {}
