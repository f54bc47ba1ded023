import Foundation
import PreferencesRuntime

extension PreferenceType {
    /// The Swift type that reads and writes the values: the type itself or, in a program that does not have it, one with
    /// the same stored values.
    var valueType: any PreferenceConvertible.Type {
        switch self {
        case .bool: Bool.self
        case .integer(let type): type.valueType
        case .float: Float.self
        case .double: Double.self
        case .string: String.self
        case .data: Data.self
        case .date: Date.self
        case .url: URL.self
        case .uuid: UUID.self
        case .duration: Duration.self
        case .enumeration(let type): type.valueType ?? (type.hasIntegers ? Int.self : String.self)
        case .structure(let type): type.valueType ?? UncompiledStructure.self
        case .external(_, let type): type ?? UncompiledValue.self
        case .array(let element): Self.array(of: element.valueType)
        case .set(let element): Self.set(of: element.valueType)
        case .dictionary(let value): Self.dictionary(of: value.valueType)
        case .optional(let wrapped): Self.optional(of: wrapped.valueType)
        }
    }

    private static func array<Element: PreferenceConvertible>(of _: Element.Type) -> any PreferenceConvertible.Type {
        [Element].self
    }

    private static func set<Element: PreferenceConvertible>(of type: Element.Type) -> any PreferenceConvertible.Type {
        func set<Hashed: PreferenceConvertible & Hashable>(of _: Hashed.Type) -> any PreferenceConvertible.Type {
            Set<Hashed>.self
        }
        // The elements of a schema's sets are hashable. A type of the program that were not would not compile.
        guard let hashed = type as? any (PreferenceConvertible & Hashable).Type else { return [Element].self }
        return set(of: hashed)
    }

    private static func dictionary<Value: PreferenceConvertible>(of _: Value.Type) -> any PreferenceConvertible.Type {
        [String: Value].self
    }

    private static func optional<Wrapped: PreferenceConvertible>(
        of _: Wrapped.Type
    ) -> any PreferenceConvertible.Type {
        Wrapped?.self
    }
}

extension PreferenceType.IntegerType {
    var valueType: any PreferenceConvertible.Type {
        switch self {
        case .int: Int.self
        case .int8: Int8.self
        case .int16: Int16.self
        case .int32: Int32.self
        case .int64: Int64.self
        case .uint: UInt.self
        case .uint8: UInt8.self
        case .uint16: UInt16.self
        case .uint32: UInt32.self
        case .uint64: UInt64.self
        }
    }
}

extension PreferenceType.Enumeration {
    /// Whether the stored values are integers.
    var hasIntegers: Bool {
        if case .int? = cases.first?.rawValue { true } else { false }
    }
}

/// The value of a type that the program does not have: any stored value.
struct UncompiledValue: PreferenceConvertible, Hashable {
    var value: PreferenceValue

    init(preferenceValue: PreferenceValue) {
        value = preferenceValue
    }

    func preferenceValue() -> PreferenceValue { value }
}

/// The value of a struct that the program does not have. Its fields are checked by a trait.
struct UncompiledStructure: PreferenceConvertible, Hashable {
    var fields: [String: PreferenceValue]

    init(preferenceValue: PreferenceValue) throws {
        guard case .dictionary(let fields) = preferenceValue else {
            throw PreferenceConversionError(expected: "a dictionary of fields", found: preferenceValue)
        }
        self.fields = fields
    }

    func preferenceValue() -> PreferenceValue { .dictionary(fields) }
}

// MARK: - Traits

extension PreferenceType {
    /// Returns the traits of a key of this type.
    ///
    /// - Parameters:
    ///   - constraints: The key's constraints.
    ///   - type: ``valueType``.
    func traits<Value: PreferenceConvertible>(
        _ constraints: [PreferenceConstraint],
        for type: Value.Type
    ) -> [PreferenceTrait<Value>] {
        if case .optional(let wrapped) = self {
            return (type as? any WrapperOfValues.Type)?.traits(ofPartsOf: wrapped, constraints).castAll() ?? []
        }
        let ofParts =
            part.flatMap { part in
                (type as? any WrapperOfValues.Type)?.traits(ofPartsOf: part, constraints.flatMap(\.ofParts))
            } ?? []
        return constraints.compactMap { $0.trait(for: type) } + ofParts.castAll() + uncompiledTraits.castAll()
    }

    /// The type of the parts of a collection.
    private var part: PreferenceType? {
        switch self {
        case .array(let part), .set(let part), .dictionary(let part): part
        default: nil
        }
    }

    /// The traits that check the values of a type that the program does not have.
    private var uncompiledTraits: [Any] {
        switch self {
        case .enumeration(let type) where type.valueType == nil:
            type.hasIntegers
                ? [PreferenceTrait<Int>.oneOf(type.cases.compactMap { try? Int(preferenceValue: $0.rawValue) })]
                : [PreferenceTrait<String>.oneOf(type.cases.compactMap { try? String(preferenceValue: $0.rawValue) })]
        case .structure(let type) where type.valueType == nil:
            type.fields.map { field in
                PreferenceTrait<UncompiledStructure>.checking { field.fault(in: $0.fields) }
            }
        default: []
        }
    }
}

extension [Any] {
    /// Returns the elements, which are traits of a type that is known at run time only.
    fileprivate func castAll<Value>() -> [PreferenceTrait<Value>] { compactMap { $0 as? PreferenceTrait<Value> } }
}

extension PreferenceType.Structure.Field {
    /// Returns what is wrong with the field in a stored value, in words that fit after the value; nil if it fits.
    fileprivate func fault(in fields: [String: PreferenceValue]) -> String? {
        guard let value = fields[id], value != .null || !type.isOptional else {
            return isRequired ? "must have the field '\(id)'" : nil
        }
        return type.fault(of: value).map { "is wrong at '\(id)': \($0)" }
    }
}

extension PreferenceType {
    /// Returns the message about a stored value that is not of this type; nil if it is.
    fileprivate func fault(of value: PreferenceValue) -> String? {
        func fault<Value: PreferenceConvertible>(_: Value.Type) -> String? {
            do {
                let value = try Value(preferenceValue: value)
                return traits([], for: Value.self).lazy.compactMap { $0.violation(by: value) }.first
            } catch {
                return "\(error)"
            }
        }
        return fault(valueType)
    }
}

/// A type whose values contain values of another type.
private protocol WrapperOfValues {
    /// Returns the traits that apply the traits of the parts, as traits of this type.
    static func traits(ofPartsOf type: PreferenceType, _ constraints: [PreferenceConstraint]) -> [Any]
}

extension Optional: WrapperOfValues where Wrapped: PreferenceConvertible {
    static func traits(ofPartsOf type: PreferenceType, _ constraints: [PreferenceConstraint]) -> [Any] {
        type.traits(constraints, for: Wrapped.self).map { PreferenceTrait<Self>.unlessNil($0) }
    }
}

extension Array: WrapperOfValues where Element: PreferenceConvertible {
    static func traits(ofPartsOf type: PreferenceType, _ constraints: [PreferenceConstraint]) -> [Any] {
        type.traits(constraints, for: Element.self).map { PreferenceTrait<Self>.each($0) }
    }
}

extension Set: WrapperOfValues where Element: PreferenceConvertible {
    static func traits(ofPartsOf type: PreferenceType, _ constraints: [PreferenceConstraint]) -> [Any] {
        type.traits(constraints, for: Element.self).map { PreferenceTrait<Self>.each($0) }
    }
}

extension Dictionary: WrapperOfValues where Key == String, Value: PreferenceConvertible {
    static func traits(ofPartsOf type: PreferenceType, _ constraints: [PreferenceConstraint]) -> [Any] {
        type.traits(constraints, for: Value.self).map { PreferenceTrait<Self>.eachValue($0) }
    }
}

// MARK: - Constraints

extension PreferenceConstraint {
    /// The conditions on the parts of a collection.
    fileprivate var ofParts: [PreferenceConstraint] {
        if case .each(let constraints) = self { constraints } else { [] }
    }

    /// Returns the trait of a type that requires this condition; nil for conditions on the parts of a value.
    fileprivate func trait<Value: PreferenceConvertible>(for type: Value.Type) -> PreferenceTrait<Value>? {
        let trait: Any? =
            switch self {
            case .range(let minimum, let maximum):
                (type as? any (PreferenceConvertible & Comparable).Type).flatMap { Self.range(minimum, maximum, $0) }
            case .length(let minimum, let maximum):
                switch type {
                case is String.Type: Self.length(minimum, maximum, String.self)
                case is Data.Type: Self.length(minimum, maximum, Data.self)
                default: nil
                }
            case .count(let minimum, let maximum):
                (type as? any (Collection & Sendable).Type).flatMap { Self.count(minimum, maximum, $0) }
            case .pattern(let pattern): PreferenceTrait<String>.pattern(pattern)
            case .choices(let choices):
                (type as? any (PreferenceConvertible & Equatable).Type).map { Self.oneOf(choices, $0) }
            case .each: nil
            }
        return trait as? PreferenceTrait<Value>
    }

    private static func range<Value: PreferenceConvertible & Comparable>(
        _ minimum: PreferenceValue?,
        _ maximum: PreferenceValue?,
        _: Value.Type
    ) -> Any? {
        let lower = minimum.flatMap { try? Value(preferenceValue: $0) }
        let upper = maximum.flatMap { try? Value(preferenceValue: $0) }
        return switch (lower, upper) {
        case (let lower?, let upper?) where lower <= upper: PreferenceTrait<Value>.range(lower...upper)
        case (let lower?, nil): PreferenceTrait<Value>.range(lower...)
        case (nil, let upper?): PreferenceTrait<Value>.range(...upper)
        default: nil
        }
    }

    private static func length<Value: Collection & Sendable>(
        _ minimum: Int?,
        _ maximum: Int?,
        _: Value.Type
    ) -> Any? {
        switch (minimum, maximum) {
        case (let minimum?, let maximum?) where minimum <= maximum: PreferenceTrait<Value>.length(minimum...maximum)
        case (let minimum?, nil): PreferenceTrait<Value>.length(minimum...)
        case (nil, let maximum?): PreferenceTrait<Value>.length(...maximum)
        default: nil
        }
    }

    private static func count<Value: Collection & Sendable>(
        _ minimum: Int?,
        _ maximum: Int?,
        _: Value.Type
    ) -> Any? {
        switch (minimum, maximum) {
        case (let minimum?, let maximum?) where minimum <= maximum: PreferenceTrait<Value>.count(minimum...maximum)
        case (let minimum?, nil): PreferenceTrait<Value>.count(minimum...)
        case (nil, let maximum?): PreferenceTrait<Value>.count(...maximum)
        default: nil
        }
    }

    private static func oneOf<Value: PreferenceConvertible & Equatable>(
        _ choices: [PreferenceValue],
        _: Value.Type
    ) -> Any {
        PreferenceTrait<Value>.oneOf(choices.compactMap { try? Value(preferenceValue: $0) })
    }
}
