import Foundation
import PreferencesCatalogue
import PreferencesRuntime
import PreferencesSchema

extension PreferenceCatalogue {
    /// Creates the catalogue of the keys of schemas, in their order. It is the one that the generator writes for them,
    /// without the Swift types.
    ///
    /// - Parameter set: Schemas without faults.
    init(_ set: SchemaSet) {
        let types = DeclaredTypes(set)
        self.init(
            set.schemas.flatMap(\.allNamespaces).flatMap { namespace in
                namespace.keys.map { PreferenceKeyDescription($0, in: namespace, types) }
            }
        )
    }
}

extension PreferenceKeyDescription {
    fileprivate init(_ key: Key, in namespace: Namespace, _ types: DeclaredTypes) {
        self.init(
            (namespace.path.map(\.text) + [key.name.text]).joined(separator: "."),
            storageName: key.storageName,
            type: types.type(key.type),
            default: types.defaultValue(key.defaultValue, of: key.type),
            constraints: key.constraints.map { types.constraint($0, on: key.type) },
            label: key.documentation.label,
            description: key.documentation.description,
            unit: key.documentation.unit,
            access: Access(key.access),
            isReadOnly: key.isReadOnly,
            isSecret: key.isSecret,
            isManageable: key.isManaged,
            scope: PreferenceScope(key.scope),
            mergeRule: PreferenceMergeRule(key.mergeRule),
            deprecation: key.deprecation,
            formerNames: key.formerNames
        )
    }
}

extension PreferenceScope {
    fileprivate init(_ scope: KeyScope) {
        switch scope {
        case .machine: self = .machine
        case .user: self = .user
        case .fleet: self = .fleet
        }
    }
}

extension PreferenceMergeRule {
    fileprivate init(_ rule: MergeRule) {
        switch rule {
        case .last: self = .last
        case .union: self = .union
        case .max: self = .max
        case .min: self = .min
        case .sum: self = .sum
        case .ask: self = .ask
        }
    }
}

extension PreferenceKeyDescription.Access {
    fileprivate init(_ access: AccessLevel) {
        switch access {
        case .fileprivate: self = .fileprivate
        case .internal: self = .internal
        case .package: self = .package
        case .public: self = .public
        }
    }
}

/// The enums and structs of schemas, by name.
private struct DeclaredTypes {
    private var types: [String: DeclaredType] = [:]

    init(_ set: SchemaSet) {
        for type in set.schemas.flatMap(\.types) { types[type.name.text] = type }
    }

    /// Returns the type of a key or a field.
    func type(_ type: ValueType) -> PreferenceType {
        switch type {
        case .bool: .bool
        case .integer(let type): .integer(PreferenceType.IntegerType(type))
        case .float: .float
        case .double: .double
        case .string: .string
        case .data: .data
        case .date: .date
        case .url: .url
        case .uuid: .uuid
        case .duration: .duration
        case .enumeration(let name), .structure(let name): declaredType(name)
        case .external(_, let swiftName): .external(swiftName, valueType: nil)
        case .array(let element): .array(self.type(element))
        case .set(let element): .set(self.type(element))
        case .dictionary(let value): .dictionary(self.type(value))
        case .optional(let wrapped): .optional(self.type(wrapped))
        }
    }

    private func declaredType(_ name: String) -> PreferenceType {
        switch types[name] {
        case .enumeration(let type):
            .enumeration(
                .init(
                    name,
                    cases: type.cases.map { enumCase in
                        .init(
                            enumCase.name.text,
                            rawValue: enumCase.rawValue.preferenceValue,
                            label: enumCase.label,
                            description: enumCase.description
                        )
                    }
                )
            )
        case .structure(let type):
            .structure(
                .init(
                    name,
                    fields: {
                        type.fields.map { field in
                            .init(
                                field.name.text,
                                id: field.id,
                                type: self.type(field.type),
                                isRequired: field.defaultValue == nil,
                                description: field.description
                            )
                        }
                    }
                )
            )
        case nil: preconditionFailure("a schema without faults declares \(name)")
        }
    }

    /// Returns the default of a key on this platform.
    func defaultValue(_ value: KeyDefault, of type: ValueType) -> PreferenceDefault {
        switch value {
        case .value(let value, let platforms):
            let own = platforms.first { $0.platform == .current }?.value ?? value
            return .value(self.value(own, as: type))
        case .expression(let text): return .expression(text, result: nil)
        }
    }

    func constraint(_ constraint: Constraint, on type: ValueType) -> PreferenceConstraint {
        let type = type.unwrapped
        return switch constraint {
        case .range(let minimum, let maximum):
            .range(minimum: minimum.map { value($0, as: type) }, maximum: maximum.map { value($0, as: type) })
        case .length(let limits): .length(minimum: limits.minimum, maximum: limits.maximum)
        case .count(let limits): .count(minimum: limits.minimum, maximum: limits.maximum)
        case .pattern(let pattern): .pattern(pattern)
        case .choices(let choices): .choices(choices.map { value($0, as: type) })
        case .each(let constraints): .each(constraints.map { self.constraint($0, on: type.element) })
        }
    }

    /// Returns a value as it would be stored.
    private func value(_ value: DefaultValue, as type: ValueType) -> PreferenceValue {
        switch (value, type) {
        case (.none, _): .null
        case (_, .optional(let wrapped)): self.value(value, as: wrapped)
        case (.bool(let bool), _): .bool(bool)
        case (.integer(let integer), _): PreferenceValue.integer(integer) ?? .null
        // A `Float` is stored with its shortest digits, as in the schema.
        case (.decimal(let text), .float): Float(text)?.preferenceValue() ?? .null
        case (.decimal(let text), _): Double(text).map(PreferenceValue.double) ?? .null
        case (.string(let text), _), (.url(let text), _), (.uuid(let text), _): .string(text)
        case (.data(let bytes), _): .data(Data(bytes))
        case (.date(let seconds, _), _): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.duration(let attoseconds), _): Duration(attoseconds: attoseconds).preferenceValue()
        case (.enumCase(let name), .enumeration(let type)): rawValue(ofCase: name, of: type)
        case (.array(let values), _): .array(values.map { self.value($0, as: type.element) })
        case (.dictionary(let entries), _):
            .dictionary(
                Dictionary(uniqueKeysWithValues: entries.map { ($0.key, self.value($0.value, as: type.element)) })
            )
        case (.structure(let fields), .structure(let type)): structure(fields, of: type)
        case (.enumCase, _), (.structure, _): preconditionFailure("a default of type \(type.swiftName) is read as such")
        }
    }

    private func rawValue(ofCase name: String, of type: String) -> PreferenceValue {
        guard case .enumeration(let type) = types[type],
            let enumCase = type.cases.first(where: { $0.name.text == name })
        else { preconditionFailure("a schema without faults declares \(type).\(name)") }
        return enumCase.rawValue.preferenceValue
    }

    /// Returns the stored form of a struct: all fields but those that are nil and may be left out.
    private func structure(_ fields: [DefaultValue.Field], of type: String) -> PreferenceValue {
        guard case .structure(let type) = types[type] else {
            preconditionFailure("a schema without faults declares \(type)")
        }
        var entries: [String: PreferenceValue] = [:]
        for field in type.fields {
            let given = fields.first { $0.name == field.name.text }?.value
            guard let value = given ?? field.defaultValue else { continue }
            let isNilStored = field.defaultValue != nil && field.defaultValue != DefaultValue.none
            if value != .none || isNilStored { entries[field.id] = self.value(value, as: field.type) }
        }
        return .dictionary(entries)
    }
}

extension EnumType.RawValue {
    fileprivate var preferenceValue: PreferenceValue {
        switch self {
        case .string(let text): .string(text)
        case .int(let integer): .int(integer)
        }
    }
}

extension ValueType {
    /// The type of the parts of a collection.
    fileprivate var element: ValueType {
        switch self {
        case .array(let element), .set(let element), .dictionary(let element): element
        case .optional(let wrapped): wrapped.element
        default: preconditionFailure("\(swiftName) has no elements")
        }
    }
}

extension PreferenceType.IntegerType {
    fileprivate init(_ type: PreferencesSchema.IntegerType) {
        switch type {
        case .int: self = .int
        case .int8: self = .int8
        case .int16: self = .int16
        case .int32: self = .int32
        case .int64: self = .int64
        case .uint: self = .uint
        case .uint8: self = .uint8
        case .uint16: self = .uint16
        case .uint32: self = .uint32
        case .uint64: self = .uint64
        }
    }
}

extension Platform {
    /// The platform of this program, which runs on Macs and on Linux.
    fileprivate static var current: Platform {
        #if canImport(Darwin)
            .macOS
        #else
            .linux
        #endif
    }
}

extension Duration {
    /// `init(attoseconds:)` requires Swift 6.2. This is the initializer that it uses.
    fileprivate init(attoseconds: Int128) {
        self.init(_high: Int64(truncatingIfNeeded: attoseconds >> 64), low: UInt64(truncatingIfNeeded: attoseconds))
    }
}
