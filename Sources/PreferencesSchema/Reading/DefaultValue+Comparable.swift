extension DefaultValue {
    /// The value in the one form that all values have which are equal to it in Swift.
    func comparable(as type: ValueType) -> DefaultValue {
        switch (self, type) {
        case (_, .optional(let wrapped)): comparable(as: wrapped)
        case (.decimal(let text), .float): .decimal(Float(text).map { "\($0 + 0)" } ?? text)
        case (.decimal(let text), _): .decimal(Double(text).map { "\($0 + 0)" } ?? text)
        case (.date(let seconds, _), _): .date(secondsSinceReference: seconds, text: "")
        case (.array(let values), .array(let element)): .array(values.map { $0.comparable(as: element) })
        case (.array(let values), .set(let element)):
            .array(values.map { $0.comparable(as: element) }.sorted { "\($0)" < "\($1)" })
        case (.dictionary(let entries), .dictionary(let value)):
            .dictionary(entries.map { .init(key: $0.key, value: $0.value.comparable(as: value)) })
        case (.structure(let fields), _):
            .structure(fields.map { .init(name: $0.name, type: $0.type, value: $0.value.comparable(as: $0.type)) })
        default: self
        }
    }
}
