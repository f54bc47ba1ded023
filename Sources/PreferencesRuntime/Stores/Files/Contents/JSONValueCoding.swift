import Foundation
import PreferencesJSON

/// Reads values from JSON without an intermediate tree.
struct JSONValueReader {
    /// The error of the first value that cannot be read: a number that is out of range, or a tag with unsuitable
    /// content.
    private var error: StoreFileValueError?

    /// Returns the value of a JSON text.
    ///
    /// - Throws: `JSONSyntaxError` for the first syntax error; ``StoreFileValueError`` if a value cannot be read.
    static func value(of bytes: [UInt8]) throws -> PreferenceValue {
        var values = JSONValueReader()
        let value = try JSONReader.parse(bytes) { reader throws(JSONReader.Stop) in try values.value(&reader) }
        if let error = values.error { throw error }
        return value
    }

    /// Returns the value of a member of a valid text.
    ///
    /// - Parameter offset: The offset of the member's name.
    /// - Throws: ``StoreFileValueError`` if the value cannot be read.
    static func value(ofMemberAt offset: Int, in bytes: [UInt8]) throws -> PreferenceValue? {
        var values = JSONValueReader()
        let value = JSONReader.reading(bytes, from: offset) { reader throws(JSONReader.Stop) in
            _ = try reader.readName()
            return try values.value(&reader)
        }
        if let error = values.error { throw error }
        return value
    }

    /// Whether the value at an offset of a valid text is an object that represents another value by its tag.
    static func isTagged(valueAt offset: Int, in bytes: [UInt8]) -> Bool {
        JSONReader.reading(bytes, from: offset) { reader in tag(reader) != nil } ?? false
    }

    private mutating func value(_ reader: inout JSONReader) throws(JSONReader.Stop) -> PreferenceValue {
        switch try reader.readToken() {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number: return value(of: try reader.readNumber())
        case .string: return .string(try reader.readString())
        case .array:
            var values: [PreferenceValue] = []
            try reader.readElements { reader throws(JSONReader.Stop) in values.append(try value(&reader)) }
            return .array(values)
        case .object:
            guard let tag = Self.tag(reader) else { return .dictionary(try dictionary(&reader)) }
            var content = PreferenceValue.null
            try reader.readMembers { reader, _, _, _ throws(JSONReader.Stop) in
                content = try value(taggedAs: tag, &reader)
            }
            return content
        }
    }

    private mutating func dictionary(
        _ reader: inout JSONReader
    ) throws(JSONReader.Stop) -> [String: PreferenceValue] {
        var entries: [String: PreferenceValue] = [:]
        try reader.readMembers { reader, name, _, isNew throws(JSONReader.Stop) in
            let value = try value(&reader)
            if isNew { entries[name] = value }
        }
        return entries
    }

    /// Returns an integer if the number is written as one and fits, and the nearest `Double` otherwise.
    private mutating func value(of number: JSONNumber) -> PreferenceValue {
        if number.isWrittenAsInteger {
            if let integer = number.exactly(Int64.self) { return .int(integer) }
            if let integer = number.exactly(UInt64.self) { return .unsignedInt(integer) }
        }
        guard let double = number.double else {
            fail("a number is out of a Double's range")
            return .null
        }
        return .double(double)
    }

    private mutating func fail(_ message: String) {
        error = error ?? StoreFileValueError(message)
    }

    // MARK: - Tags

    /// Returns the tag of an object; nil unless its only member has the name of a tag.
    private static func tag(_ reader: JSONReader) -> ValueTag? {
        // A copy: the object is read again, and its errors are recorded then.
        var reader = reader
        guard let name = reader.firstName(startingWith: UInt8(ascii: "$")), let tag = ValueTag(rawValue: name) else {
            return nil
        }
        return (try? reader.skipValue()) != nil && reader.isAtEndOfObject() ? tag : nil
    }

    private mutating func value(
        taggedAs tag: ValueTag,
        _ reader: inout JSONReader
    ) throws(JSONReader.Stop) -> PreferenceValue {
        var copy = reader
        let token = try copy.readToken()
        switch (tag, token) {
        case (.null, _), (.string, _):
            // These tags exist only in property lists.
            return .dictionary([tag.rawValue: try value(&reader)])
        case (.dictionary, .object): return .dictionary(try dictionary(&reader))
        case (_, .string):
            if let value = Self.value(try reader.readString(), taggedAs: tag) { return value }
        case (.date, _):
            // A date outside the years of ISO 8601 is a number. Other programs may write a whole one without a point.
            let content = try value(&reader)
            if let interval = try? Double(preferenceValue: content) {
                return .date(Date(timeIntervalSinceReferenceDate: interval))
            }
        default: try reader.skipValue()
        }
        fail("\(token.typeDescription) is not valid content for \"\(tag.rawValue)\"")
        return .null
    }

    private static func value(_ text: String, taggedAs tag: ValueTag) -> PreferenceValue? {
        switch tag {
        case .double: ValueTag.doubleTexts[text].map { .double($0) }
        case .data: Data(base64Encoded: text).map { .data($0) }
        case .date: DateText.date(from: text).map { .date($0) }
        case .null, .string, .dictionary: nil
        }
    }
}

/// Writes values as human-readable JSON: sorted names, one entry on each line, indented by two spaces.
struct JSONValueWriter {
    private var text = ""
    /// The number of open objects and arrays, including the file's root.
    private var depth: Int
    /// The number of these whose items are on separate lines.
    private var indentation: Int

    /// Returns the JSON text of an entry: its name and its value.
    ///
    /// - Parameter depth: The number of objects in the file around that of the entry.
    static func entry(_ name: String, _ value: PreferenceValue, depth: Int) throws -> String {
        var writer = JSONValueWriter(depth: depth + 1, indentation: depth + 1)
        JSONText.append(name, to: &writer.text)
        writer.text += ": "
        try writer.append(value)
        return writer.text
    }

    /// Returns the JSON text of a single value.
    static func text(of value: PreferenceValue) throws -> String {
        var writer = JSONValueWriter(depth: 1, indentation: 0)
        try writer.append(value)
        return writer.text
    }

    private init(depth: Int, indentation: Int) {
        self.depth = depth
        self.indentation = indentation
    }

    private mutating func append(_ value: PreferenceValue) throws {
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .int(let value): text += String(value)
        case .unsignedInt(let value): text += String(value)
        case .double(let value):
            // The shortest text that is read as this number; with a point or an exponent, so that it is not read as an
            // integer.
            if value.isFinite {
                text += value.description
            } else {
                try append(.double, .string(ValueTag.text(for: value)))
            }
        case .string(let value): JSONText.append(value, to: &text)
        case .data(let value): try append(.data, .string(value.base64EncodedString()))
        case .date(let value): try append(.date, Self.content(of: value))
        case .array(let values):
            try appendItems(values, brackets: ("[", "]")) { try $0.append($1) }
        case .dictionary(let entries) where ValueTag.needsWrapping(entries):
            try append(.dictionary) { try $0.append(entries) }
        case .dictionary(let entries): try append(entries)
        }
    }

    private mutating func append(_ entries: [String: PreferenceValue]) throws {
        try appendItems(entries.sorted { $0.key < $1.key }, brackets: ("{", "}")) { writer, entry in
            JSONText.append(entry.key, to: &writer.text)
            writer.text += ": "
            try writer.append(entry.value)
        }
    }

    private mutating func append(_ tag: ValueTag, _ content: PreferenceValue) throws {
        try append(tag) { try $0.append(content) }
    }

    /// Appends a tagged value, with the tag on the line of its content.
    private mutating func append(_ tag: ValueTag, _ appendContent: (inout JSONValueWriter) throws -> Void) throws {
        try nest { writer in
            writer.text += "{\"\(tag.rawValue)\": "
            try appendContent(&writer)
            writer.text += "}"
        }
    }

    private static func content(of date: Date) -> PreferenceValue {
        DateText.text(for: date).map { .string($0) } ?? .double(date.timeIntervalSinceReferenceDate)
    }

    private mutating func appendItems<Items: Collection>(
        _ items: Items,
        brackets: (open: String, close: String),
        _ appendItem: (inout JSONValueWriter, Items.Element) throws -> Void
    ) throws {
        try nest { writer in
            writer.text += brackets.open
            if !items.isEmpty {
                writer.indentation += 1
                var separator = "\n"
                for item in items {
                    writer.text += separator + String(repeating: "  ", count: writer.indentation)
                    try appendItem(&writer, item)
                    separator = ",\n"
                }
                writer.indentation -= 1
                writer.text += "\n" + String(repeating: "  ", count: writer.indentation)
            }
            writer.text += brackets.close
        }
    }

    private mutating func nest(_ body: (inout JSONValueWriter) throws -> Void) throws {
        guard depth < StoreFileLimits.depth else { throw StoreFileLimits.depthError }
        depth += 1
        try body(&self)
        depth -= 1
    }
}
