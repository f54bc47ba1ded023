import Foundation
import PreferencesRuntime

/// The type of an object's property or attribute, as far as the frameworks describe it.
enum ObjectType: Sendable {
    /// A Swift type, whose values Foundation converts to objects.
    case value(any PreferenceConvertible.Type)
    /// `BOOL` on platforms where it has the same encoding as an 8-bit integer.
    case booleanOrInt8
    /// Any number or Boolean.
    case number
    /// A decimal number.
    case decimal
    case array
    case dictionary
    /// Any property-list object.
    case anything

    /// Converts a value to an object of this type.
    ///
    /// - Throws: ``PreferenceConversionError``, or another error that describes why the value is not of this type.
    func object(from value: PreferenceValue) throws -> Any {
        switch (self, value) {
        case (.value(let type), _): return try type.init(preferenceValue: value)
        case (.booleanOrInt8, .bool(let value)): return value
        case (.booleanOrInt8, _): return try Int8(preferenceValue: value)
        case (.number, .bool), (.number, .int), (.number, .unsignedInt), (.number, .double): break
        case (.number, _): throw PreferenceConversionError(expected: "a number or a boolean", found: value)
        case (.decimal, _):
            guard let number = Self.decimalNumber(from: value) else {
                throw PreferenceConversionError(expected: "a decimal number", found: value)
            }
            return number
        case (.array, .array), (.dictionary, .dictionary): break
        case (.array, _): throw PreferenceConversionError(expected: "an array", found: value)
        case (.dictionary, _): throw PreferenceConversionError(expected: "a dictionary", found: value)
        case (.anything, .null): throw PreferenceConversionError(expected: "a value other than null", found: value)
        case (.anything, _): break
        }
        return try value.propertyListObject()
    }

    /// Converts an object of this type to a value.
    ///
    /// - Throws: ``UnsupportedObject``, or another error that describes why the object is not of this type.
    func value(from object: Any) throws -> PreferenceValue {
        switch self {
        case .value(let type): return try Self.value(from: object, as: type)
        case .booleanOrInt8:
            let number = try Self.value(from: object, as: Int8.self)
            return number == 0 || number == 1 ? .bool(number == 1) : number
        case .decimal:
            guard let number = object as? NSDecimalNumber else { throw UnsupportedObject(type: Swift.type(of: object)) }
            let text = number.stringValue
            if let integer = Int64(text) { return .int(integer) }
            return UInt64(text).map { .unsignedInt($0) } ?? .double(number.doubleValue)
        case .number, .array, .dictionary, .anything: return try PreferenceValue(propertyListObject: object)
        }
    }

    private static func value<Value: PreferenceConvertible>(
        from object: Any,
        as type: Value.Type
    ) throws -> PreferenceValue {
        guard let value = object as? Value else { throw UnsupportedObject(type: Swift.type(of: object)) }
        return try value.preferenceValue()
    }

    /// Returns the number, if a decimal number represents it exactly.
    private static func decimalNumber(from value: PreferenceValue) -> NSDecimalNumber? {
        switch value {
        case .int(let value): return NSDecimalNumber(decimal: Decimal(value))
        case .unsignedInt(let value): return NSDecimalNumber(decimal: Decimal(value))
        case .double(let value) where value.isFinite:
            // From its digits: Foundation's conversion of a `Double` may differ in the last ones.
            guard let decimal = Decimal(string: value.description) else { return nil }
            let number = NSDecimalNumber(decimal: decimal)
            return number.doubleValue == value ? number : nil
        default: return nil
        }
    }
}

extension ObjectType {
    /// Creates the type for objects of a class.
    ///
    /// - Parameter className: The name of the class in Objective-C; nil for any object.
    /// - Returns: Nil for a class that is not supported. Mutable classes are not: code with such a property relies on
    ///   mutating its object.
    init?(className: String?) {
        switch className {
        case nil, "NSObject": self = .anything
        case "NSString": self = .value(String.self)
        case "NSNumber": self = .number
        case "NSDecimalNumber": self = .decimal
        case "NSDate": self = .value(Date.self)
        case "NSData": self = .value(Data.self)
        case "NSURL": self = .value(URL.self)
        case "NSUUID": self = .value(UUID.self)
        case "NSArray": self = .array
        case "NSDictionary": self = .dictionary
        default: return nil
        }
    }
}

/// An object that does not represent a value.
struct UnsupportedObject: Error, CustomStringConvertible {
    let type: Any.Type

    var description: String { "an object of type \(type) is not a preference value" }
}
