import Foundation
import PreferencesJSON
import PreferencesRuntime

extension PreferenceCatalogue: Encodable {
    private enum CodingKeys: String, CodingKey { case keys }

    /// Encodes an object whose field `keys` is the array of the descriptions.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Array(self), forKey: .keys)
    }
}

extension PreferenceKeyDescription: Encodable {
    private enum CodingKeys: String, CodingKey {
        case keyPath, storageName, type, `default`, defaultExpression, constraints, label, description, unit, access
        case readOnly, secret, managed, scope, merge, deprecated, formerNames
    }

    /// Encodes an object with the fields of this description, of which the optional ones may be absent.
    ///
    /// `default` is the default as JSON files of ``/PreferencesRuntime/FileStore`` have it; an expression is in
    /// `defaultExpression` instead. Secrets have neither. `deprecated` is the message.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(keyPath, forKey: .keyPath)
        try container.encode(storageName, forKey: .storageName)
        try container.encode(type, forKey: .type)
        switch defaultValue {
        case _ where isSecret: break
        case .value(let value): try container.encode(EncodedValue(value), forKey: .default)
        case .expression(let text, _): try container.encode(text, forKey: .defaultExpression)
        }
        if !constraints.isEmpty { try container.encode(EncodedConstraints(constraints), forKey: .constraints) }
        try container.encodeIfPresent(label, forKey: .label)
        try container.encodeIfPresent(description, forKey: .description)
        try container.encodeIfPresent(unit, forKey: .unit)
        try container.encode(access.rawValue, forKey: .access)
        try container.encode(isReadOnly, forKey: .readOnly)
        try container.encode(isSecret, forKey: .secret)
        try container.encode(isManageable, forKey: .managed)
        try container.encode(scope.rawValue, forKey: .scope)
        if scope != .machine { try container.encode(mergeRule.rawValue, forKey: .merge) }
        try container.encodeIfPresent(deprecation, forKey: .deprecated)
        try container.encode(formerNames, forKey: .formerNames)
    }
}

extension PreferenceType: Encodable {
    /// Encodes an object whose field `name` is the type in Swift, and `kind` one of `bool`, `integer`, `float`, `double`,
    /// `string`, `data`, `date`, `url`, `uuid`, `duration`, `enum`, `struct`, `external`, `array`, `set`, `dictionary`
    /// and `optional`.
    ///
    /// | kind | further fields |
    /// |---|---|
    /// | `array`, `set` | `element`, a type |
    /// | `dictionary` | `value`, a type |
    /// | `optional` | `wrapped`, a type |
    /// | `enum` | `cases`, an array of objects with `name`, `value`, and optionally `label` and `description` |
    /// | `struct` | `fields`, an array of objects with `name`, `id`, `type`, `required`, and optionally `description` |
    ///
    /// A struct inside itself has no `fields`.
    public func encode(to encoder: any Encoder) throws {
        try EncodedType(type: self, enclosing: []).encode(to: encoder)
    }

    fileprivate var kind: String {
        switch self {
        case .bool: "bool"
        case .integer: "integer"
        case .float: "float"
        case .double: "double"
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .url: "url"
        case .uuid: "uuid"
        case .duration: "duration"
        case .enumeration: "enum"
        case .structure: "struct"
        case .external: "external"
        case .array: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        case .optional: "optional"
        }
    }
}

/// A type, inside structs that are not encoded again.
private struct EncodedType: Encodable {
    let type: PreferenceType
    /// The names of the structs that contain the type.
    let enclosing: Set<String>

    private enum CodingKeys: String, CodingKey { case name, kind, element, value, wrapped, cases, fields }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type.description, forKey: .name)
        try container.encode(type.kind, forKey: .kind)
        switch type {
        case .array(let part), .set(let part):
            try container.encode(EncodedType(type: part, enclosing: enclosing), forKey: .element)
        case .dictionary(let part):
            try container.encode(EncodedType(type: part, enclosing: enclosing), forKey: .value)
        case .optional(let part):
            try container.encode(EncodedType(type: part, enclosing: enclosing), forKey: .wrapped)
        case .enumeration(let type):
            try container.encode(type.cases.map(EncodedCase.init), forKey: .cases)
        case .structure(let type) where !enclosing.contains(type.name):
            let enclosing = enclosing.union([type.name])
            try container.encode(type.fields.map { EncodedField($0, enclosing) }, forKey: .fields)
        default: break
        }
    }
}

private struct EncodedCase: Encodable {
    let name: String
    let value: EncodedValue
    let label: String?
    let description: String?

    init(_ enumCase: PreferenceType.Enumeration.Case) {
        name = enumCase.name
        value = EncodedValue(enumCase.rawValue)
        label = enumCase.label
        description = enumCase.description
    }
}

private struct EncodedField: Encodable {
    let name: String
    let id: String
    let type: EncodedType
    let required: Bool
    let description: String?

    init(_ field: PreferenceType.Structure.Field, _ enclosing: Set<String>) {
        name = field.name
        id = field.id
        type = EncodedType(type: field.type, enclosing: enclosing)
        required = field.isRequired
        description = field.description
    }
}

/// Constraints as one object, with the names that they have in schemas.
private struct EncodedConstraints: Encodable {
    let constraints: [PreferenceConstraint]

    init(_ constraints: [PreferenceConstraint]) {
        self.constraints = constraints
    }

    private enum CodingKeys: String, CodingKey {
        case minimum, maximum, minLength, maxLength, minCount, maxCount, pattern, choices, each
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        for constraint in constraints {
            switch constraint {
            case .range(let minimum, let maximum):
                try container.encodeIfPresent(minimum.map(EncodedValue.init), forKey: .minimum)
                try container.encodeIfPresent(maximum.map(EncodedValue.init), forKey: .maximum)
            case .length(let minimum, let maximum):
                try container.encodeIfPresent(minimum, forKey: .minLength)
                try container.encodeIfPresent(maximum, forKey: .maxLength)
            case .count(let minimum, let maximum):
                try container.encodeIfPresent(minimum, forKey: .minCount)
                try container.encodeIfPresent(maximum, forKey: .maxCount)
            case .pattern(let pattern): try container.encode(pattern, forKey: .pattern)
            case .choices(let choices): try container.encode(choices.map(EncodedValue.init), forKey: .choices)
            case .each(let constraints): try container.encode(EncodedConstraints(constraints), forKey: .each)
            }
        }
    }
}

/// A value in the form in which JSON files of ``/PreferencesRuntime/FileStore`` have it.
struct EncodedValue: Encodable {
    let value: PreferenceValue

    init(_ value: PreferenceValue) {
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .unsignedInt(let value): try container.encode(value)
        case .double(let value) where value.isFinite: try container.encode(value)
        case .double(let value): try container.encode([ValueTag.double.rawValue: ValueTag.text(for: value)])
        case .string(let value): try container.encode(value)
        case .data(let value): try container.encode([ValueTag.data.rawValue: value.base64EncodedString()])
        case .date(let date):
            let tag = ValueTag.date.rawValue
            if let text = DateText.text(for: date) {
                try container.encode([tag: text])
            } else {
                try container.encode([tag: date.timeIntervalSinceReferenceDate])
            }
        case .array(let values): try container.encode(values.map(Self.init))
        case .dictionary(let entries) where ValueTag.needsWrapping(entries):
            try container.encode([ValueTag.dictionary.rawValue: entries.mapValues(Self.init)])
        case .dictionary(let entries): try container.encode(entries.mapValues(Self.init))
        }
    }
}
