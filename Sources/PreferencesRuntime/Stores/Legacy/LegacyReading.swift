import Foundation

/// Reads values in legacy encodings as the types of their keys.
struct LegacyReading {
    let encodings: [LegacyEncoding]

    /// Reads a value as a type.
    ///
    /// - Throws: Why it does not fit as it is, where it does in no encoding either.
    func convert<Value: PreferenceConvertible>(_ stored: PreferenceValue, to type: Value.Type) throws -> Value {
        // Nearly always.
        if encodings.isEmpty { return try Value(preferenceValue: stored) }
        if fitsTooMuch(Value.self), let value = legacyValue(of: stored, as: Value.self) { return value }
        do {
            return try Value(preferenceValue: stored)
        } catch {
            guard let value = legacyValue(of: stored, as: Value.self) else { throw error }
            return value
        }
    }

    /// Refuses values that would be read as others: data which looks like a legacy encoding of other data.
    func check(_ batch: PreferenceBatch, in store: any PreferenceStore) throws(PreferenceProblem) {
        if encodings.isEmpty { return }
        for (name, edit) in batch {
            guard case .set(let value) = edit, case .data = value, fitsTooMuch(Data.self),
                legacyValue(of: value, as: Data.self) != nil
            else { continue }
            let message =
                "a legacy encoding of this store would read these bytes as others; make the store without "
                + "'legacyEncodings', or keep them under a name of a store without any"
            throw PreferenceProblem(.unsupportedValue, key: name, store: store.label, message: message)
        }
    }

    /// Whether a value looks as if it were in one of these encodings. What only the type of its key could tell, such as a
    /// text that stands for a number, does not.
    func recognises(_ value: PreferenceValue) -> Bool {
        encodings.contains { Self.recognises(value, by: $0) }
    }

    private static func recognises(_ value: PreferenceValue, by encoding: LegacyEncoding) -> Bool {
        switch (value, encoding) {
        case (.array(let elements), _): !elements.isEmpty && elements.allSatisfy { recognises($0, by: encoding) }
        case (.dictionary(let entries), _):
            !entries.isEmpty && entries.values.allSatisfy { recognises($0, by: encoding) }
        case (.data(let data), .jsonData), (.data(let data), .jsonArrayData):
            String(validating: data, as: UTF8.self).flatMap(PreferenceValue.init(jsonText:)) != nil
        case (.data(let data), .keyedArchive): KeyedArchive.value(in: data) != nil
        case (.string(let text), .jsonString):
            "{[\"".contains { text.hasPrefix("\($0)") } && PreferenceValue(jsonText: text) != nil
        case (.string, .isoDate): dates(in: value) != nil
        default: false
        }
    }

    private func legacyValue<Value: PreferenceConvertible>(of stored: PreferenceValue, as type: Value.Type) -> Value? {
        for encoding in encodings {
            if let value: Value = decode(stored, by: encoding) { return value }
        }
        return nil
    }

    private func decode<Value: PreferenceConvertible>(_ stored: PreferenceValue, by encoding: LegacyEncoding) -> Value?
    {
        switch encoding {
        case .jsonData, .jsonString:
            guard let json = JSONInValues(isData: encoding == .jsonData).text(of: stored) else { return nil }
            return decode(json)
        case .jsonArrayData:
            guard case .data(let data) = stored, let json = String(validating: data, as: UTF8.self) else { return nil }
            return decodeOnlyElement(json)
        case .keyedArchive:
            guard case .data(let data) = stored, let object = KeyedArchive.value(in: data) else { return nil }
            // A number of Foundation's is a boolean for whoever asks it for one.
            return firstValue(of: [object] + Self.rawMeanings(of: object, as: Value.self))
        case .rawValue: return firstValue(of: Self.rawMeanings(of: stored, as: Value.self))
        case .isoDate: return Self.dates(in: stored).flatMap { try? Value(preferenceValue: $0) }
        }
    }

    private func firstValue<Value: PreferenceConvertible>(of meanings: [PreferenceValue]) -> Value? {
        meanings.lazy.compactMap { try? Value(preferenceValue: $0) }.first
    }

    // MARK: - JSON

    /// By Foundation's decoder, which is what the others have used: it reads dates as seconds, and data as base64.
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

    private static func rawMeanings<Value>(of stored: PreferenceValue, as type: Value.Type) -> [PreferenceValue] {
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

    /// `UserDefaults` keeps file URLs as paths, from the user's folder on where they are in it.
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
