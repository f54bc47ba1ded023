import Foundation
import PreferencesRuntime

/// Converts values to and from KConfig's texts, as `KConfigGroup` (`kconfiggroup.cpp`) and the items of
/// `KCoreConfigSkeleton` do.
struct KConfigCoding: Sendable {
    /// The time zone of dates.
    let timeZone: TimeZone

    // MARK: - Writing

    /// Returns the text of a value, or data.
    func text(of value: PreferenceValue) throws(StoreFileValueError) -> PreferenceValue {
        switch value {
        case .null: throw StoreFileValueError("KConfig has no null")
        case .bool(let bool): return .string(bool ? "true" : "false")
        case .int(let integer): return .string(String(integer))
        case .unsignedInt(let integer): return .string(String(integer))
        case .double(let number): return .string(Self.text(of: number))
        case .string, .data: return value
        case .date(let date): return .string(try text(of: date))
        case .array(let elements):
            var texts: [String] = []
            for element in elements {
                switch try text(of: element) {
                case .string(let text): texts.append(text)
                case .data(let data):
                    guard let text = String(validating: data, as: UTF8.self) else {
                        throw StoreFileValueError("KConfig's lists contain text, not other data")
                    }
                    texts.append(text)
                default: break
                }
            }
            return .string(Self.text(of: texts))
        case .dictionary: return .string(try value.jsonLine())
        }
    }

    /// Returns the shortest digits, as Qt writes them: `5`, `0.1`, `1e+16`.
    private static func text(of number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func text(of list: [String]) -> String {
        let text = list.map { $0.replacing("\\", with: "\\\\").replacing(",", with: "\\,") }.joined(separator: ",")
        // Distinguishes a list with an empty text from an empty list.
        return text.isEmpty && !list.isEmpty ? #"\0"# : text
    }

    private static func list(in text: String) -> [String] {
        if text.isEmpty { return [] }
        if text == #"\0"# { return [""] }
        var elements = [""]
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\": if let escaped = rest.popFirst() { elements[elements.count - 1].unicodeScalars.append(escaped) }
            case ",": elements.append("")
            default: elements[elements.count - 1].unicodeScalars.append(scalar)
            }
        }
        return elements
    }

    // MARK: - Dates

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar
    }

    /// The dates of the years 1 to 9999, to the nearest day.
    private static let dates =
        Date(timeIntervalSince1970: -62_135_510_400)...Date(timeIntervalSince1970: 253_402_214_400)

    private func text(of date: Date) throws(StoreFileValueError) -> String {
        guard Self.dates.contains(date) else { throw StoreFileValueError("KConfig has no such date: \(date)") }
        // `floor` first, so that the date and its milliseconds are in the same second.
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        let second = (milliseconds / 1_000).rounded(.down)
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: second)
        )
        let seconds = Double(parts.second ?? 0) + (milliseconds - second * 1_000) / 1_000
        let integers = [parts.year, parts.month, parts.day, parts.hour, parts.minute].map { String($0 ?? 0) }
        return (integers + [Self.text(of: seconds)]).joined(separator: ",")
    }

    /// Parses year, month and day, which can be followed by hour, minute and seconds.
    fileprivate func date(in text: String) -> Date? {
        let numbers = Self.list(in: text).compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        let integers = numbers.prefix(5).compactMap { Int(exactly: $0) }
        guard numbers.count == 3 || numbers.count == 6, integers.count == min(numbers.count, 5) else { return nil }
        let seconds = numbers.count == 6 ? numbers[5] : 0
        guard (0..<60).contains(seconds) else { return nil }
        let time = integers.count == 5 ? Array(integers[3...]) : [0, 0]
        let parts = DateComponents(
            timeZone: timeZone,
            year: integers[0],
            month: integers[1],
            day: integers[2],
            hour: time[0],
            minute: time[1]
        )
        guard parts.isValidDate(in: calendar), let date = calendar.date(from: parts) else { return nil }
        return date.addingTimeInterval((seconds * 1_000).rounded() / 1_000)
    }

    // MARK: - Reading

    /// Converts a text or data to a type.
    func decode<Value: PreferenceConvertible>(_ value: PreferenceValue, as type: Value.Type) throws -> Value {
        if let type = type as? any KConfigDecodable.Type {
            guard let result = try type.decode(value, self) as? Value else {
                throw PreferenceConversionError(expected: type, found: value)
            }
            return result
        }
        do {
            return try Value(preferenceValue: value)
        } catch {
            guard case .string(let text) = value else { throw error }
            for interpretation in Self.interpretations(of: text) {
                if let result = try? Value(preferenceValue: interpretation) { return result }
            }
            if let type = type as? any CaseIterable.Type, let result = Self.enumCase(text, of: type) as? Value {
                return result
            }
            throw error
        }
    }

    private static func interpretations(of text: String) -> [PreferenceValue] {
        let list = list(in: text)
        let numbers = list.compactMap(number)
        return [
            number(text),
            ["{", "["].contains(text.first) ? PreferenceValue(jsonText: text) : nil,
            numbers.count == list.count ? .array(numbers) : nil,
            .array(list.map(PreferenceValue.string)),
        ].compactMap { $0 }
    }

    private static func number(_ text: String) -> PreferenceValue? {
        let text = text.trimmingCharacters(in: .whitespaces)
        return Int64(text).map(PreferenceValue.int) ?? UInt64(text).map(PreferenceValue.unsignedInt)
            ?? Double(text).map(PreferenceValue.double)
    }

    /// Returns the case whose raw value is a text in any case, or whose index it is, as `ItemEnum::readConfig`.
    private static func enumCase<Value: CaseIterable>(_ text: String, of type: Value.Type) -> Value? {
        let cases = Array(Value.allCases)
        let names = cases.compactMap { (($0 as Any) as? any RawRepresentable)?.rawValue as? String }
        guard names.count == cases.count else { return nil }
        if let index = names.firstIndex(where: { $0.lowercased() == text.lowercased() }) { return cases[index] }
        return Int(text).flatMap { cases.indices.contains($0) ? cases[$0] : nil }
    }

    fileprivate func decodeList<Element: PreferenceConvertible>(
        _ value: PreferenceValue,
        of type: Element.Type,
        as listType: Any.Type
    ) throws -> [Element] {
        guard case .string(let text) = value else { throw PreferenceConversionError(expected: listType, found: value) }
        return try Self.list(in: text).map { try decode(.string($0), as: type) }
    }
}

/// A type that KConfig stores in another way than its ``PreferenceConvertible`` representation.
private protocol KConfigDecodable: PreferenceConvertible {
    static func decode(_ value: PreferenceValue, _ coding: KConfigCoding) throws -> Self
}

extension Bool: KConfigDecodable {
    fileprivate static func decode(_ value: PreferenceValue, _ coding: KConfigCoding) throws -> Bool {
        guard case .string(let text) = value else { throw PreferenceConversionError(expected: Self.self, found: value) }
        return !["false", "no", "off", "0"].contains(text.lowercased())
    }
}

extension Date: KConfigDecodable {
    fileprivate static func decode(_ value: PreferenceValue, _ coding: KConfigCoding) throws -> Date {
        guard case .string(let text) = value, let date = coding.date(in: text) else {
            throw PreferenceConversionError(expected: Self.self, found: value)
        }
        return date
    }
}

extension Data: KConfigDecodable {
    fileprivate static func decode(_ value: PreferenceValue, _ coding: KConfigCoding) throws -> Data {
        if case .string(let text) = value { return Data(text.utf8) }
        return try Data(preferenceValue: value)
    }
}

extension URL: KConfigDecodable {
    fileprivate static func decode(_ value: PreferenceValue, _ coding: KConfigCoding) throws -> URL {
        guard case .string(let text) = value else { throw PreferenceConversionError(expected: Self.self, found: value) }
        if text.hasPrefix("/") { return URL(filePath: text, directoryHint: .notDirectory) }
        // Qt writes URLs with decoded spaces.
        guard let url = URL(string: text, encodingInvalidCharacters: true) else {
            throw PreferenceConversionError(expected: Self.self, found: value)
        }
        return url
    }
}

extension Optional: KConfigDecodable where Wrapped: PreferenceConvertible {
    fileprivate static func decode(_ value: PreferenceValue, _ coding: KConfigCoding) throws -> Wrapped? {
        try coding.decode(value, as: Wrapped.self)
    }
}

extension Array: KConfigDecodable where Element: PreferenceConvertible {
    fileprivate static func decode(_ value: PreferenceValue, _ coding: KConfigCoding) throws -> [Element] {
        try coding.decodeList(value, of: Element.self, as: Self.self)
    }
}

extension Set: KConfigDecodable where Element: PreferenceConvertible {
    fileprivate static func decode(_ value: PreferenceValue, _ coding: KConfigCoding) throws -> Set<Element> {
        Set(try coding.decodeList(value, of: Element.self, as: Self.self))
    }
}
