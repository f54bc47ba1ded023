import Foundation
import PreferencesRuntime

/// Decodes values of legacy encodings as the types of their keys.
struct LegacyDecoder {
    let encodings: [LegacyEncoding]

    /// Converts a value to a type, from the value as it is stored, or decoded from one of the encodings.
    ///
    /// - Throws: The error of converting the stored value, if no encoding can decode it either.
    func convert<Value: PreferenceConvertible>(_ stored: PreferenceValue, to type: Value.Type) throws -> Value {
        if isAmbiguous(Value.self), let value = legacyValue(of: stored, as: Value.self) { return value }
        do {
            return try Value(preferenceValue: stored)
        } catch {
            guard let value = legacyValue(of: stored, as: Value.self) else { throw error }
            return value
        }
    }

    /// Whether a value looks encoded. A value that only the type of its key could identify, such as the digits of a
    /// number, does not.
    func recognizes(_ value: PreferenceValue) -> Bool {
        encodings.contains { Self.recognizes(value, by: $0) }
    }

    private static func recognizes(_ value: PreferenceValue, by encoding: LegacyEncoding) -> Bool {
        switch (value, encoding) {
        case (.array(let elements), _): !elements.isEmpty && elements.allSatisfy { recognizes($0, by: encoding) }
        case (.dictionary(let entries), _):
            !entries.isEmpty && entries.values.allSatisfy { recognizes($0, by: encoding) }
        case (.data(let data), .jsonData), (.data(let data), .jsonArrayData):
            String(validating: data, as: UTF8.self).flatMap(PreferenceValue.init(jsonText:)) != nil
        case (.data(let data), .keyedArchive): KeyedArchive.value(in: data) != nil
        case (.string(let text), .jsonString):
            "{[\"".contains { text.hasPrefix("\($0)") } && PreferenceValue(jsonText: text) != nil
        case (.string, .isoDate): dates(in: value) != nil
        default: false
        }
    }

    /// Decodes a value from the encodings; nil if none of them can decode it as the type.
    func legacyValue<Value: PreferenceConvertible>(of stored: PreferenceValue, as type: Value.Type) -> Value? {
        for encoding in encodings {
            if let value: Value = decode(stored, by: encoding) { return value }
        }
        return nil
    }

    private func decode<Value: PreferenceConvertible>(_ stored: PreferenceValue, by encoding: LegacyEncoding) -> Value?
    {
        switch encoding {
        case .jsonData, .jsonString:
            guard let json = EmbeddedJSON(isData: encoding == .jsonData).text(of: stored) else { return nil }
            return decode(json)
        case .jsonArrayData:
            guard case .data(let data) = stored, let json = String(validating: data, as: UTF8.self) else { return nil }
            return decodeOnlyElement(json)
        case .keyedArchive:
            guard case .data(let data) = stored, let object = KeyedArchive.value(in: data) else { return nil }
            // `NSNumber` archives a Boolean as a number.
            return firstValue(of: [object] + Self.alternatives(to: object, as: Value.self))
        case .rawValue: return firstValue(of: Self.alternatives(to: stored, as: Value.self))
        case .isoDate: return Self.dates(in: stored).flatMap { try? Value(preferenceValue: $0) }
        }
    }

    private func firstValue<Value: PreferenceConvertible>(of candidates: [PreferenceValue]) -> Value? {
        candidates.lazy.compactMap { try? Value(preferenceValue: $0) }.first
    }

    // MARK: - JSON

    /// Decodes with Foundation's decoder, as other libraries do: it reads dates as seconds, and data as base64.
    private func decode<Value: PreferenceConvertible>(_ json: String) -> Value? {
        if let type = Value.self as? any Decodable.Type {
            for decoder in decoders {
                if let value = (try? decoder.decode(type, from: Data(json.utf8))) as? Value { return value }
            }
        }
        return PreferenceValue(jsonText: json).flatMap { try? Value(preferenceValue: $0) }
    }

    private func decodeOnlyElement<Value: PreferenceConvertible>(_ json: String) -> Value? {
        func elements<Element: Decodable>(_: Element.Type, _ decoder: JSONDecoder) -> Value? {
            guard let elements = try? decoder.decode([Element].self, from: Data(json.utf8)), elements.count == 1 else {
                return nil
            }
            return elements[0] as? Value
        }
        if let type = Value.self as? any Decodable.Type {
            for decoder in decoders {
                if let value = elements(type, decoder) { return value }
            }
        }
        guard case .array(let elements)? = PreferenceValue(jsonText: json), elements.count == 1 else { return nil }
        return try? Value(preferenceValue: elements[0])
    }

    private var decoders: [JSONDecoder] {
        let decoder = JSONDecoder()
        guard encodings.contains(.isoDate) else { return [decoder] }
        let datesAsText = JSONDecoder()
        datesAsText.dateDecodingStrategy = .iso8601
        return [decoder, datesAsText]
    }

    // MARK: - Raw values

    /// Returns the values that `UserDefaults` would convert a stored value to.
    private static func alternatives<Value>(to stored: PreferenceValue, as type: Value.Type) -> [PreferenceValue] {
        switch stored {
        case .int(let number) where number == 0 || number == 1: return [.bool(number == 1)]
        case .double(let number) where number == 0 || number == 1: return [.bool(number == 1)]
        case .bool(let isTrue): return [.int(isTrue ? 1 : 0)]
        case .string(let text):
            if innermost(type) == URL.self { return fileURL(text).map { [.string($0.absoluteString)] } ?? [] }
            return [
                booleans[text.lowercased()].map(PreferenceValue.bool), Int64(text).map(PreferenceValue.int),
                Double(text).map(PreferenceValue.double),
            ].compactMap { $0 }
        default: return []
        }
    }

    private static let booleans = [
        "yes": true, "y": true, "true": true, "t": true, "1": true,
        "no": false, "n": false, "false": false, "f": false, "0": false,
    ]

    /// `UserDefaults` stores file URLs as paths, which begin with `~` inside the home directory.
    private static func fileURL(_ path: String) -> URL? {
        if path == "~" || path.hasPrefix("~/") {
            return URL.homeDirectory.appending(path: path.dropFirst())
        }
        return path.hasPrefix("/") ? URL(filePath: path) : nil
    }

    private static func dates(in stored: PreferenceValue) -> PreferenceValue? {
        switch stored {
        case .string(let text): try? .date(Date.ISO8601FormatStyle().parse(text))
        case .array(let elements):
            elements.map(dates).reduce(.array([])) { dates, date in
                guard case .array(let dates)? = dates, let date else { return nil }
                return .array(dates + [date])
            }
        default: nil
        }
    }
}

// MARK: - Types

extension LegacyDecoder {
    /// Whether nearly any stored value converts to a type, so that the encodings are tried first: any data is `Data`,
    /// any path a `URL`, and any string a raw value, even in JSON's quotes.
    func isAmbiguous(_ type: Any.Type) -> Bool {
        let wanted = Self.innermost(type)
        // Libraries that store raw values as they are do so with data, too.
        if wanted == Data.self { return !encodings.contains(.rawValue) }
        if let container = wanted as? any ContainerType.Type {
            return container.nameType != String.self || Self.isRawRepresentable(container.elementType)
        }
        return wanted == URL.self || Self.isRawRepresentable(wanted)
    }

    private static func isRawRepresentable(_ type: Any.Type) -> Bool {
        let type = innermost(type)
        if let container = type as? any ContainerType.Type { return isRawRepresentable(container.elementType) }
        return type is any RawRepresentable.Type
    }

    /// The type inside optionals and the runtime's wrappers.
    static func innermost(_ type: Any.Type) -> Any.Type {
        if let wrapper = type as? any PreferenceValueWrapper.Type { return innermost(wrapper.wrappedType) }
        if let optional = type as? any OptionalType.Type { return innermost(optional.wrappedType) }
        return type
    }
}

/// An array, a set or a dictionary.
private protocol ContainerType {
    static var elementType: Any.Type { get }
    /// The type of a dictionary's keys; `String` for the others.
    static var nameType: Any.Type { get }
}

extension Array: ContainerType {
    fileprivate static var elementType: Any.Type { Element.self }
    fileprivate static var nameType: Any.Type { String.self }
}

extension Set: ContainerType {
    fileprivate static var elementType: Any.Type { Element.self }
    fileprivate static var nameType: Any.Type { String.self }
}

extension Dictionary: ContainerType {
    fileprivate static var elementType: Any.Type { Value.self }
    fileprivate static var nameType: Any.Type { Key.self }
}

private protocol OptionalType {
    static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrappedType: Any.Type { Wrapped.self }
}

/// JSON that is stored in parts: a string or data, or arrays and dictionaries of those.
private struct EmbeddedJSON {
    /// Whether the parts are data; otherwise they are strings.
    let isData: Bool

    /// Returns the JSON text of a value; nil if it has none.
    func text(of value: PreferenceValue) -> String? {
        switch value {
        case .string, .data: part(value)
        case .array(let elements) where !elements.isEmpty: list(elements.map(nested), "[", "]")
        case .dictionary(let entries) where !entries.isEmpty:
            list(
                entries.map { name, value in
                    nested(value).flatMap { text in
                        (try? PreferenceValue.string(name).jsonText()).map { "\($0):\(text)" }
                    }
                },
                "{",
                "}"
            )
        default: nil
        }
    }

    private func part(_ value: PreferenceValue) -> String? {
        switch value {
        case .string(let text) where !isData: text
        case .data(let data) where isData: String(validating: data, as: UTF8.self)
        default: nil
        }
    }

    /// Returns the JSON text of a nested value, which may also be a Boolean or a number.
    private func nested(_ value: PreferenceValue) -> String? {
        switch value {
        case .bool, .int, .unsignedInt, .double: try? value.jsonText()
        case .array(let elements): list(elements.map(nested), "[", "]")
        default: text(of: value)
        }
    }

    private func list(_ parts: [String?], _ start: String, _ end: String) -> String? {
        let present = parts.compactMap { $0 }
        return present.count == parts.count ? "\(start)\(present.joined(separator: ","))\(end)" : nil
    }
}
