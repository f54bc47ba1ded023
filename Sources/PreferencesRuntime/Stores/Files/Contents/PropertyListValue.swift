import Foundation
import PreferencesJSON

extension PreferenceValue {
    /// Creates a value from a property-list object.
    ///
    /// ```swift
    /// try PreferenceValue(propertyListObject: ["unit": "kelvin"])  //=> .dictionary(["unit": "kelvin"])
    /// ```
    ///
    /// - Parameter object: A string, number, Boolean, date, data, or an array or a dictionary of those; no `URL`, `UUID`
    ///   or `Set`, and no `Decimal` that a `Double` cannot represent. A dictionary that ``propertyListObject()`` made of a
    ///   value without a property-list type is read as that value.
    /// - Throws: ``PreferenceProblem/Code/unsupportedValue`` if the object is not a value. The message has the path of
    ///   the part at fault, such as `.list[2]`.
    /// - Warning: On Linux, Foundation overflows the stack, which ends the program, when it converts an `NSArray` or an
    ///   `NSDictionary` that contains itself.
    public init(propertyListObject object: Any) throws(PreferenceProblem) {
        self = try PropertyListValue.converting { coding throws in try coding.value(from: object) }
    }

    /// Returns the value as a property-list object.
    ///
    /// Values without a property-list type, such as null, become dictionaries as described in <doc:FileFormats>.
    ///
    /// - Throws: ``PreferenceProblem/Code/unsupportedValue`` for a value that is nested too deeply.
    public func propertyListObject() throws(PreferenceProblem) -> Any {
        try PropertyListValue.converting { coding throws in try coding.object(from: self) }
    }
}

/// Values by name, from and to dictionaries of property-list objects.
extension Dictionary where Key == String, Value == PreferenceValue {
    /// Creates values from a property list, such as `UserDefaults.dictionaryRepresentation()` or
    /// `Bundle.infoDictionary`.
    ///
    /// ```swift
    /// let values = try [String: PreferenceValue](propertyList: bundle.infoDictionary ?? [:])
    /// try store.merge(values)
    /// ```
    ///
    /// - Parameter propertyList: The objects by name: see ``PreferenceValue/init(propertyListObject:)``.
    /// - Throws: ``PreferenceProblem/Code/unsupportedValue`` if an object is not a value, with its name as the
    ///   ``PreferenceProblem/key``. The message has the path of the part at fault, such as `.list[2]`.
    public init(propertyList: [String: Any]) throws(PreferenceProblem) {
        self.init(minimumCapacity: propertyList.count)
        for (name, object) in propertyList {
            self[name] = try PropertyListValue.converting(name) { coding throws in try coding.value(from: object) }
        }
    }

    /// Returns the values as property-list objects by name: see ``PreferenceValue/propertyListObject()``.
    ///
    /// ```swift
    /// let list = try store.dictionary().propertyList()
    /// ```
    ///
    /// - Throws: ``PreferenceProblem/Code/unsupportedValue`` for a value that is nested too deeply.
    public func propertyList() throws(PreferenceProblem) -> [String: Any] {
        var list = [String: Any](minimumCapacity: count)
        for (name, value) in self {
            let object = try PropertyListValue.converting(name) { coding throws in try coding.object(from: value) }
            list[name] = object
        }
        return list
    }
}

/// Converts values to property-list objects and back.
///
/// Neither format can represent null. XML also cannot represent fractions of seconds in dates, negative zero, and some
/// characters.
struct PropertyListValue {
    /// Whether the objects are written as XML.
    let isXML: Bool

    /// Runs a conversion outside of a file, and throws its error as a problem.
    ///
    /// - Parameter name: The name of the value; nil if it has none.
    fileprivate static func converting<Result>(
        _ name: String? = nil,
        _ body: (PropertyListValue) throws -> Result
    ) throws(PreferenceProblem) -> Result {
        do {
            return try body(PropertyListValue(isXML: false))
        } catch {
            let message = ErrorText(error).description
            throw PreferenceProblem(.unsupportedValue, key: name, store: "property list", message: message)
        }
    }

    // MARK: - Writing

    /// - Throws: ``StoreFileValueError`` if the value is nested too deeply.
    func object(from value: PreferenceValue, depth: Int = 1) throws -> Any {
        switch value {
        case .null: return tagged(.null, true)
        case .bool(let value): return value
        // On Linux, casts to `Int` require that.
        case .int(let value): return Int(exactly: value) ?? value
        case .unsignedInt(let value): return UInt(exactly: value) ?? value
        case .double(let value):
            return isXML && value == 0 && value.sign == .minus ? tagged(.double, ValueTag.text(for: value)) : value
        case .string(let value): return canRepresent(for: value) ? value : tagged(.string, Data(value.utf8))
        case .data(let value): return value
        case .date(let value): return object(from: value)
        case .array(let values):
            let depth = try nested(depth)
            return try values.map { try object(from: $0, depth: depth) }
        case .dictionary(let entries):
            let depth = try nested(depth)
            let objects = try entries.mapValues { try object(from: $0, depth: depth) }
            guard entries.keys.allSatisfy(canRepresent) else {
                let pairs = try entries.sorted { $0.key < $1.key }.flatMap { name, _ in
                    [try object(from: .string(name), depth: depth), objects[name] as Any]
                }
                return tagged(.dictionary, pairs)
            }
            return ValueTag.needsWrapping(entries) ? tagged(.dictionary, objects) : objects
        }
    }

    /// Whether the format can represent a string: XML 1.0 does not allow some characters, and XML parsers change
    /// others.
    func canRepresent(for text: String) -> Bool {
        guard isXML else { return true }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "\t", "\n": true
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": false
            // Foundation on Linux drops a byte order mark at the start of a string.
            case "\u{FEFF}": false
            default: true
            }
        }
    }

    private func object(from date: Date) -> Any {
        let interval = date.timeIntervalSinceReferenceDate
        guard isXML || !interval.isFinite else { return date }
        guard let text = DateText.text(for: date) else { return tagged(.date, interval) }
        return interval == interval.rounded() ? date : tagged(.date, text)
    }

    private func tagged(_ tag: ValueTag, _ content: Any) -> Any {
        [tag.rawValue: content]
    }

    private func nested(_ depth: Int) throws -> Int {
        guard depth < StoreFileLimits.depth else { throw StoreFileLimits.depthError }
        return depth + 1
    }

    // MARK: - Reading

    /// - Throws: ``StoreFileValueError`` if the object is not a value, a tag has unsuitable content, or the nesting is
    ///   too deep to be written.
    func value(from object: Any, depth: Int = 1) throws -> PreferenceValue {
        switch Self.unwrapped(object) {
        case let text as String: return .string(text)
        case let data as Data: return .data(data)
        case let date as Date: return .date(date)
        case let array as [Any]:
            let depth = try nested(depth)
            return .array(
                try array.enumerated().map { index, element in
                    try at("[\(index)]") { try value(from: element, depth: depth) }
                }
            )
        case let dictionary as [String: Any]: return try value(from: dictionary, depth: try nested(depth))
        case let number as NSNumber:
            return try (object as? Decimal).map(Self.value) ?? Self.value(from: number)
        case let other: throw StoreFileValueError("an object of type \(type(of: other)) is not a preference value")
        }
    }

    private func value(from dictionary: [String: Any], depth: Int) throws -> PreferenceValue {
        guard dictionary.count == 1, let (name, content) = dictionary.first, let tag = ValueTag(rawValue: name) else {
            return .dictionary(try values(from: dictionary, depth: depth))
        }
        switch (tag, Self.unwrapped(content)) {
        case (.null, _): return .null
        case (.double, let word as String):
            if let number = ValueTag.doubleTexts[word] { return .double(number) }
        case (.string, let data as Data):
            if let text = String(validating: data, as: UTF8.self) { return .string(text) }
        case (.date, let text as String):
            if let date = DateText.date(from: text) { return .date(date) }
        case (.date, let number as NSNumber): return .date(Date(timeIntervalSinceReferenceDate: number.doubleValue))
        case (.dictionary, let pairs as [Any]): return try value(fromPairs: pairs, depth: depth)
        case (.dictionary, let entries as [String: Any]):
            return .dictionary(try values(from: entries, depth: depth))
        case (.data, _): return .dictionary(try values(from: dictionary, depth: depth))
        default: break
        }
        throw StoreFileValueError("this is not valid content for \"\(name)\"")
    }

    private func values(from objects: [String: Any], depth: Int) throws -> [String: PreferenceValue] {
        var values = [String: PreferenceValue](minimumCapacity: objects.count)
        for (name, object) in objects {
            values[name] = try at(".\(name)") { try value(from: object, depth: depth) }
        }
        return values
    }

    /// Runs the conversion of a part of a value, and adds its position to the path of an error. The path of a value that
    /// is nested too deeply would be too long.
    private func at(
        _ position: @autoclosure () -> String,
        _ body: () throws -> PreferenceValue
    ) throws -> PreferenceValue {
        do {
            return try body()
        } catch var error as StoreFileValueError where error.reason != StoreFileLimits.depthError.reason {
            error.path = position() + error.path
            throw error
        }
    }

    /// Reads a dictionary with names that XML cannot represent, from an array of alternating names and values.
    private func value(fromPairs pairs: [Any], depth: Int) throws -> PreferenceValue {
        var entries: [String: PreferenceValue] = [:]
        var rest = pairs[...]
        while let first = rest.popFirst() {
            guard case .string(let name) = try value(from: first, depth: depth), let content = rest.popFirst() else {
                throw StoreFileValueError("this is not valid content for \"\(ValueTag.dictionary.rawValue)\"")
            }
            entries[name] = try value(from: content, depth: depth)
        }
        return .dictionary(entries)
    }

    private static func value(from decimal: Decimal) throws -> PreferenceValue {
        // On Linux, `NSDecimalNumber.doubleValue` is not the nearest number.
        guard let number = Double("\(decimal)"), Decimal(string: "\(number)") == decimal else {
            throw StoreFileValueError("\(decimal) cannot be represented by a Double")
        }
        return .double(number)
    }

    private static func value(from number: NSNumber) -> PreferenceValue {
        // Only the class, which differs between platforms, distinguishes a Boolean from a number.
        if type(of: number) == type(of: NSNumber(value: true)) { return .bool(number.boolValue) }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): return .double(number.doubleValue)
        case UInt8(ascii: "Q"): return .integer(number.uint64Value) ?? .unsignedInt(number.uint64Value)
        default: return .int(number.int64Value)
        }
    }

    /// Unwraps optionals, which Foundation on Linux has in dictionaries and arrays.
    private static func unwrapped(_ object: Any) -> Any {
        guard let optional = object as? any OptionalValue, let wrapped = optional.wrapped else { return object }
        return unwrapped(wrapped)
    }
}
