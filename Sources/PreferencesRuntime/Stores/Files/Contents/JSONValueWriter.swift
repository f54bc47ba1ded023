import Foundation
import PreferencesJSON

/// Writes values as JSON, laid out for people: sorted names, one entry a line, two spaces a level.
struct JSONValueWriter {
    private var text = ""
    /// How many objects and arrays are open, the file's own included.
    private var depth = 1
    /// How many of those have their items on lines of their own.
    private var indentation: Int

    /// The JSON text of an entry: its name and its value.
    static func entry(_ name: String, _ value: PreferenceValue) throws -> String {
        var writer = JSONValueWriter()
        JSONText.append(name, to: &writer.text)
        writer.text += ": "
        try writer.append(value)
        return writer.text
    }

    /// The JSON text of a value that stands alone.
    static func text(of value: PreferenceValue) throws -> String {
        var writer = JSONValueWriter(indentation: 0)
        try writer.append(value)
        return writer.text
    }

    private init(indentation: Int = 1) {
        self.indentation = indentation
    }

    private mutating func append(_ value: PreferenceValue) throws {
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .int(let value): text += String(value)
        case .unsignedInt(let value): text += String(value)
        case .double(let value):
            // The shortest digits that give this very number; with a point or an exponent, so never an integer.
            if value.isFinite {
                text += value.description
            } else {
                try append(.double, .string(ValueTag.word(for: value)))
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

    /// A tag stays on the line of its content.
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
