import Foundation
import PreferencesJSON

/// Makes values of JSON as it is read, with no tree of nodes in between.
struct JSONValueReader {
    /// Why the first value that is none cannot be read: a number out of range, a tag whose content does not fit.
    private var error: StoreFileValueError?

    /// The value that a text is the JSON of.
    ///
    /// - Throws: `JSONSyntaxError` for the first fault of the text; ``StoreFileValueError`` for a value that cannot be read.
    static func value(of bytes: [UInt8]) throws -> PreferenceValue {
        var values = JSONValueReader()
        let value = try JSONReader.parse(bytes) { reader throws(JSONReader.Stop) in try values.value(&reader) }
        if let error = values.error { throw error }
        return value
    }

    /// The value of a member of a text that is known to be free of faults.
    ///
    /// - Parameter offset: The first byte of the member's name.
    /// - Throws: ``StoreFileValueError`` for a value that cannot be read.
    static func value(ofMemberAt offset: Int, in bytes: [UInt8]) throws -> PreferenceValue? {
        var values = JSONValueReader()
        let value = JSONReader.reading(bytes, from: offset) { reader throws(JSONReader.Stop) in
            _ = try reader.readName()
            return try values.value(&reader)
        }
        if let error = values.error { throw error }
        return value
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

    /// An integer where it is written as one and fits, else the nearest double.
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

    /// The tag that an object is, if its one member has the name of one.
    private static func tag(_ reader: JSONReader) -> ValueTag? {
        // What this finds is read again, and its faults are noted then.
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
        var look = reader
        let token = try look.readToken()
        switch (tag, token) {
        case (.null, _), (.string, _):
            // Tags of property lists.
            return .dictionary([tag.rawValue: try value(&reader)])
        case (.dictionary, .object): return .dictionary(try dictionary(&reader))
        case (_, .string):
            if let value = Self.value(try reader.readString(), taggedAs: tag) { return value }
        case (.date, _):
            // Out of the years that have a text: a number, or not even that.
            if case .double(let interval) = try value(&reader) {
                return .date(Date(timeIntervalSinceReferenceDate: interval))
            }
        default: try reader.skipValue()
        }
        fail("\(token.typeDescription) is no content for \"\(tag.rawValue)\"")
        return .null
    }

    private static func value(_ text: String, taggedAs tag: ValueTag) -> PreferenceValue? {
        switch tag {
        case .double: ValueTag.doubleWords[text].map { .double($0) }
        case .data: Data(base64Encoded: text).map { .data($0) }
        case .date: DateText.date(from: text).map { .date($0) }
        case .null, .string, .dictionary: nil
        }
    }
}
