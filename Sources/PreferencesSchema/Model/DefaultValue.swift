/// A value that a schema writes, a default above all, checked against its type.
package enum DefaultValue: Hashable, Sendable {
    case none
    case bool(Bool)
    case integer(Int128)
    /// A `Double` or `Float` as the schema writes it: the shortest text that says what its author meant.
    case decimal(String)
    case string(String)
    case data([UInt8])
    /// Seconds since 2001-01-01 00:00 UTC, and the text that the schema has.
    case date(secondsSinceReference: Double, text: String)
    case url(String)
    case uuid(String)
    /// In attoseconds (10⁻¹⁸ s).
    case duration(attoseconds: Int128)
    /// A case of a declared enum, by its Swift name.
    case enumCase(String)
    case array([DefaultValue])
    /// Sorted by key.
    case dictionary([Entry])
    /// The fields that are given, in the order in which the struct declares them.
    case structure([Field])

    package struct Entry: Hashable, Sendable {
        package var key: String
        package var value: DefaultValue

        package init(key: String, value: DefaultValue) {
            self.key = key
            self.value = value
        }
    }

    package struct Field: Hashable, Sendable {
        package var name: String
        package var type: ValueType
        package var value: DefaultValue

        package init(name: String, type: ValueType, value: DefaultValue) {
            self.name = name
            self.type = type
            self.value = value
        }
    }
}
