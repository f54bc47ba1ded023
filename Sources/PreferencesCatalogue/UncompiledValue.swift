import PreferencesRuntime

/// The value of an enum, a struct or an external type that the program does not have. It accepts the stored values that
/// the generated type would accept, and refuses others with the same messages.
///
/// Swift types cannot be made at run time. Conversions therefore run inside ``with(_:_:)``, which names the type.
struct UncompiledValue: PreferenceConvertible, Hashable {
    @TaskLocal private static var type: PreferenceType?

    /// The value as it would be stored; null for a value inside a struct, which is only checked.
    let value: PreferenceValue

    /// Runs a body in which this type stands for the innermost type of a key or a field.
    static func with<Result>(_ type: PreferenceType, _ body: () throws -> Result) rethrows -> Result {
        try $type.withValue(type.innermost, operation: body)
    }

    init(preferenceValue: PreferenceValue) throws {
        switch Self.type {
        case .enumeration(let type)?: value = try type.enumCase(storedAs: preferenceValue).rawValue
        case .structure?:
            _ = try PreferenceValueDecoder().decode(Self.self, from: preferenceValue)
            value = preferenceValue
        default: value = preferenceValue
        }
    }

    func preferenceValue() -> PreferenceValue { value }
}

extension UncompiledValue: Decodable {
    /// Checks a value inside a struct, or the fields of a struct.
    init(from decoder: any Decoder) throws {
        value = .null
        switch Self.type {
        case .enumeration(let type)?: try type.check(decoder)
        case .structure(let type)?: try type.checkFields(decoder)
        default: break
        }
    }
}

extension PreferenceType.Enumeration {
    /// Whether the stored values are integers.
    private var hasIntegers: Bool {
        if case .int? = cases.first?.rawValue { true } else { false }
    }

    /// Returns the case of a stored value, as an enum with raw values does.
    fileprivate func enumCase(storedAs value: PreferenceValue) throws -> Case {
        let rawValue: PreferenceValue? =
            hasIntegers
            ? (try? Int(preferenceValue: value)).flatMap { .integer($0) }
            : (try? String(preferenceValue: value)).map { .string($0) }
        if let found = cases.first(where: { $0.rawValue == rawValue }) { return found }
        throw error(about: value, isOfTheirType: rawValue != nil)
    }

    /// Returns the error about a value that is no case.
    ///
    /// - Parameter isOfTheirType: Whether the value is of the type of the cases' values.
    func error(about value: PreferenceValue, isOfTheirType: Bool) -> PreferenceConversionError {
        guard (1...20).contains(cases.count) else { return PreferenceConversionError(expected: name, found: value) }
        let choices = cases.map { enumCase -> any PreferenceConvertible in
            if case .int(let integer) = enumCase.rawValue { integer } else { enumCase.rawText }
        }
        return PreferenceConversionError(choices: choices, found: value, isOfTheirType: isOfTheirType)
    }

    /// Returns the error about a text that is no case, with the names of cases whose stored values are integers.
    func errorWithNames(about text: String) -> PreferenceConversionError {
        guard hasIntegers, (1...20).contains(cases.count) else {
            return error(about: .string(text), isOfTheirType: true)
        }
        return PreferenceConversionError(choices: cases.map(\.name), found: .string(text), isOfTheirType: true)
    }

    /// Checks a value inside a struct, as the standard library decodes an enum.
    fileprivate func check(_ decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let (text, rawValue): (String, PreferenceValue?) =
            if hasIntegers {
                try { (String($0), .integer($0)) }(container.decode(Int.self))
            } else {
                try { ($0, .string($0)) }(container.decode(String.self))
            }
        guard !cases.contains(where: { $0.rawValue == rawValue }) else { return }
        let message = "Cannot initialize \(name) from invalid \(hasIntegers ? "Int" : "String") value \(text)"
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
    }
}

extension PreferenceType.Enumeration.Case {
    /// The stored value as someone types it.
    var rawText: String {
        if case .string(let text) = rawValue { text } else { rawValue.description }
    }
}

extension PreferenceType.Structure {
    /// Checks the fields of a stored value, as the generated struct decodes them.
    fileprivate func checkFields(_ decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FieldName.self)
        func check<Value: Decodable>(_ field: Field, as type: Value.Type) throws {
            let name = FieldName(stringValue: field.id)
            try UncompiledValue.with(field.type) {
                if field.isRequired {
                    _ = try container.decode(type, forKey: name)
                } else {
                    _ = try container.decodeIfPresent(type, forKey: name)
                }
            }
        }
        for field in fields {
            // All types of fields are decodable.
            let type: any Decodable.Type = field.type.unwrapped.valueType as? any Decodable.Type ?? UncompiledValue.self
            try check(field, as: type)
        }
    }
}

/// The name of a field in stored values.
private struct FieldName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

// MARK: - Names in messages

extension UncompiledValue: DisplayNamed {
    /// The name of the type that this one stands for.
    static var displayName: String { type?.description ?? "a value" }
}

extension Optional: DisplayNamed where Wrapped: DisplayNamed {
    static var displayName: String { "Optional<\(Wrapped.displayName)>" }
}

extension Array: DisplayNamed where Element: DisplayNamed {
    static var displayName: String { "Array<\(Element.displayName)>" }
}

extension Set: DisplayNamed where Element: DisplayNamed {
    static var displayName: String { "Set<\(Element.displayName)>" }
}

extension Dictionary: DisplayNamed where Key == String, Value: DisplayNamed {
    static var displayName: String { "Dictionary<String, \(Value.displayName)>" }
}
