import PreferencesSchema

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value as it is stored, in a form in which values of different types are comparable.
enum StoredForm: Hashable {
    case null
    case bool(Bool)
    /// A whole number, also of a floating-point type.
    case integer(Int128)
    case double(Double)
    case string(String)
    case data([UInt8])
    /// A date in seconds since 2001.
    case date(Double)
    /// A duration in attoseconds.
    case duration(Int128)
    case array([StoredForm])
    case set(Set<StoredForm>)
    case dictionary([String: StoredForm])

    init(_ number: Double) {
        // Beyond this, `Int128` could not represent it.
        let isWhole = number.rounded() == number && number.magnitude < 0x1p100
        self = isWhole ? .integer(Int128(number)) : .double(number)
    }

    /// Whether a number, a duration or a date is less than another one. False for other values.
    func isLess(than other: StoredForm) -> Bool {
        switch (self, other) {
        case (.integer(let first), .integer(let second)), (.duration(let first), .duration(let second)): first < second
        case (.double(let first), .double(let second)), (.date(let first), .date(let second)): first < second
        // Rounding down does not change the order of a whole number and one with a fraction.
        case (.integer(let first), .double(let second)): Self.isLess(first, second)
        case (.double(let first), .integer(let second)): Self.isLess(-second, -first)
        default: false
        }
    }

    private static func isLess(_ first: Int128, _ second: Double) -> Bool {
        guard second.magnitude < 0x1p100 else { return second > 0 }
        let floor = Int128(second.rounded(.down))
        return first < floor || first == floor && second > second.rounded(.down)
    }

    /// The value in messages.
    var description: String {
        switch self {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let text): text.utf8.count <= 60 ? text.jsonLiteral : "a string"
        case .data: "data"
        case .date: "a date"
        case .duration: "a duration"
        case .array, .set: "a list"
        case .dictionary: "a dictionary"
        }
    }
}

extension ModuleIndex {
    /// Returns the form in which a value of a type is stored, or nil if it is unknown.
    func storedForm(of value: DefaultValue, as type: ValueType) -> StoredForm? {
        switch (value, type.unwrapped) {
        case (.none, _): return .null
        case (.bool(let value), _): return .bool(value)
        case (.integer(let value), .float): return Self.storedForm(of: Float(value))
        case (.integer(let value), .double): return StoredForm(Double(value))
        case (.integer(let value), _): return .integer(value)
        case (.decimal(let text), .float): return Float(text).flatMap(Self.storedForm)
        case (.decimal(let text), _): return Double(text).map(StoredForm.init)
        case (.string(let text), _), (.url(let text), _), (.uuid(let text), _): return .string(text)
        case (.data(let bytes), _): return .data(bytes)
        case (.date(let seconds, _), _): return .date(seconds)
        case (.duration(let attoseconds), _): return .duration(attoseconds)
        case (.enumCase(let name), .enumeration(let type)):
            return enumeration(type)?.cases.first { $0.name.text == name }?.rawValue.storedForm
        case (.array(let values), .array(let element)):
            let forms = values.compactMap { storedForm(of: $0, as: element) }
            return forms.count == values.count ? .array(forms) : nil
        case (.array(let values), .set(let element)):
            let forms = values.compactMap { storedForm(of: $0, as: element) }
            return forms.count == values.count ? .set(Set(forms)) : nil
        case (.dictionary(let entries), .dictionary(let element)):
            var forms: [String: StoredForm] = [:]
            for entry in entries { forms[entry.key] = storedForm(of: entry.value, as: element) }
            return forms.count == entries.count ? .dictionary(forms) : nil
        case (.structure(let fields), .structure(let name)):
            let ids = (structure(name)?.fields ?? []).map { ($0.name.text, $0.id) }
            let idOfName = Dictionary(ids) { first, _ in first }
            var forms: [String: StoredForm] = [:]
            for field in fields {
                forms[idOfName[field.name] ?? field.name] = storedForm(of: field.value, as: field.type)
            }
            return forms.count == fields.count ? .dictionary(forms) : nil
        default: return nil
        }
    }

    /// Returns the form of a number that is stored with its shortest digits.
    private static func storedForm(of number: Float) -> StoredForm? {
        Double(number.description).map(StoredForm.init)
    }

    /// The most integers of a range that are examined one by one.
    private static let maximumIntegers: Int128 = 256

    /// Returns the stored forms of all values of a type that satisfy its constraints, without nil; nil if they are too
    /// many. Constraints beside `choices` are not examined for choices, which satisfy them.
    func allStoredForms(of type: ValueType, _ constraints: [Constraint]) -> [StoredForm]? {
        for case .choices(let choices) in constraints { return choices.compactMap { storedForm(of: $0, as: type) } }
        switch type.unwrapped {
        case .bool: return [.bool(false), .bool(true)]
        case .enumeration(let name): return enumeration(name)?.cases.map(\.rawValue.storedForm)
        case .integer(let integer):
            let range = Self.range(of: integer, constraints)
            guard range.lower <= range.upper, range.upper - range.lower < Self.maximumIntegers else { return nil }
            return (range.lower...range.upper).map(StoredForm.integer)
        default: return nil
        }
    }

    /// Returns the integers of a type that satisfy the constraints; an inverted range if there are none.
    static func range(of type: IntegerType, _ constraints: [Constraint]) -> (lower: Int128, upper: Int128) {
        var range = (lower: type.range.lowerBound, upper: type.range.upperBound)
        for case .range(let minimum, let maximum) in constraints {
            if case .integer(let minimum)? = minimum { range.lower = max(range.lower, minimum) }
            if case .integer(let maximum)? = maximum { range.upper = min(range.upper, maximum) }
        }
        return range
    }

    /// Returns whether a form in which a scalar of an old type is stored is read as the same value of a type.
    func reads(_ form: StoredForm, of oldType: ValueType, as type: ValueType) -> Bool {
        switch (form, type) {
        case (.null, .optional): true
        case (_, .optional(let wrapped)): reads(form, of: oldType, as: wrapped)
        case (.bool, .bool), (.string, .string), (.data, .data), (.date, .date), (.duration, .duration): true
        case (.double, .double): true
        case (.integer(let value), .integer(let integer)): integer.range.contains(value)
        case (.integer(let value), .double): Double(exactly: value) != nil
        case (.integer(let value), .float):
            // A whole floating-point number is rounded, as others are, and an integer is not.
            oldType.isFloatingPoint ? Self.isFloat(Double(value)) : Float(exactly: value) != nil
        case (.double(let value), .float): Self.isFloat(value)
        case (.string(let text), .url): URL(string: text, encodingInvalidCharacters: false) != nil
        case (.string(let text), .uuid): UUID(uuidString: text) != nil
        case (_, .enumeration(let name)):
            enumeration(name)?.cases.contains { $0.rawValue.storedForm == form } ?? false
        default: false
        }
    }

    /// Whether a number is that of a `Float`, or is rounded to one with the same digits.
    private static func isFloat(_ number: Double) -> Bool {
        let float = Float(number)
        return Double(float) == number || Double(float.description) == number
    }
}

extension ValueType {
    fileprivate var isFloatingPoint: Bool { [.float, .double].contains(unwrapped) }
}

extension EnumType.RawValue {
    var storedForm: StoredForm {
        switch self {
        case .string(let text): .string(text)
        case .int(let value): .integer(Int128(value))
        }
    }
}
