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
        case .enumeration(let type): type.valueType ?? UncompiledValue.self
        case .structure(let type): type.valueType ?? UncompiledValue.self
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
        return constraints.flatMap { $0.traits(for: type) } + ofParts.castAll()
    }

    /// The type of the parts of a collection.
    private var part: PreferenceType? {
        switch self {
        case .array(let part), .set(let part), .dictionary(let part): part
        default: nil
        }
    }
}

extension [Any] {
    /// Returns the elements, which are traits of a type that is known at run time only.
    fileprivate func castAll<Value>() -> [PreferenceTrait<Value>] { compactMap { $0 as? PreferenceTrait<Value> } }
}

extension Array {
    /// The traits as one, so that each part of a value is checked by all before the next; empty if there are none.
    fileprivate func combined<Value>() -> [Element] where Element == PreferenceTrait<Value> {
        guard let first else { return [] }
        return [dropFirst().reduce(first) { .combining($0, $1) }]
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
        type.traits(constraints, for: Element.self).combined().map { PreferenceTrait<Self>.each($0) }
    }
}

extension Set: WrapperOfValues where Element: PreferenceConvertible {
    static func traits(ofPartsOf type: PreferenceType, _ constraints: [PreferenceConstraint]) -> [Any] {
        type.traits(constraints, for: Element.self).combined().map { PreferenceTrait<Self>.each($0) }
    }
}

extension Dictionary: WrapperOfValues where Key == String, Value: PreferenceConvertible {
    static func traits(ofPartsOf type: PreferenceType, _ constraints: [PreferenceConstraint]) -> [Any] {
        type.traits(constraints, for: Value.self).combined().map { PreferenceTrait<Self>.eachValue($0) }
    }
}

// MARK: - Constraints

extension PreferenceConstraint {
    /// The conditions on the parts of a collection.
    fileprivate var ofParts: [PreferenceConstraint] {
        if case .each(let constraints) = self { constraints } else { [] }
    }

    /// Returns the traits of a type that require this condition; none for conditions on the parts of a value.
    fileprivate func traits<Value: PreferenceConvertible>(for type: Value.Type) -> [PreferenceTrait<Value>] {
        let traits: [Any] =
            switch self {
            case .range(let minimum, let maximum):
                (type as? any (PreferenceConvertible & Comparable).Type).map { Self.range(minimum, maximum, $0) } ?? []
            case .length(let minimum, let maximum):
                switch type {
                case is String.Type: Self.length(minimum, maximum, String.self)
                case is Data.Type: Self.length(minimum, maximum, Data.self)
                default: []
                }
            case .count(let minimum, let maximum):
                (type as? any (Collection & Sendable).Type).map { Self.count(minimum, maximum, $0) } ?? []
            case .pattern(let pattern): [PreferenceTrait<String>.pattern(pattern)]
            case .choices(let choices):
                (type as? any (PreferenceConvertible & Equatable).Type).map { [Self.oneOf(choices, $0)] } ?? []
            case .each: []
            }
        return traits.castAll()
    }

    private static func range<Value: PreferenceConvertible & Comparable>(
        _ minimum: PreferenceValue?,
        _ maximum: PreferenceValue?,
        _: Value.Type
    ) -> [Any] {
        let lower = minimum.flatMap { try? Value(preferenceValue: $0) }
        let upper = maximum.flatMap { try? Value(preferenceValue: $0) }
        // Generated code has two ranges for dates, whose messages differ.
        if let lower, let upper, lower <= upper, Value.self != Date.self {
            return [PreferenceTrait<Value>.range(lower...upper)]
        }
        return [lower.map { PreferenceTrait<Value>.range($0...) }, upper.map { PreferenceTrait<Value>.range(...$0) }]
            .compactMap(\.self)
    }

    private static func length<Value: Collection & Sendable>(
        _ minimum: Int?,
        _ maximum: Int?,
        _: Value.Type
    ) -> [Any] {
        if let minimum, let maximum, minimum <= maximum { return [PreferenceTrait<Value>.length(minimum...maximum)] }
        return [
            minimum.map { PreferenceTrait<Value>.length($0...) }, maximum.map { PreferenceTrait<Value>.length(...$0) },
        ].compactMap(\.self)
    }

    private static func count<Value: Collection & Sendable>(
        _ minimum: Int?,
        _ maximum: Int?,
        _: Value.Type
    ) -> [Any] {
        if let minimum, let maximum, minimum <= maximum { return [PreferenceTrait<Value>.count(minimum...maximum)] }
        return [
            minimum.map { PreferenceTrait<Value>.count($0...) }, maximum.map { PreferenceTrait<Value>.count(...$0) },
        ].compactMap(\.self)
    }

    private static func oneOf<Value: PreferenceConvertible & Equatable>(
        _ choices: [PreferenceValue],
        _: Value.Type
    ) -> Any {
        PreferenceTrait<Value>.oneOf(choices.compactMap { try? Value(preferenceValue: $0) })
    }
}
