import Foundation
import PreferencesSchema

/// Parses property lists. Values of XML property lists have line numbers.
enum PropertyListReader {
    static func read(_ bytes: [UInt8], path: String) throws(ImportError) -> StoredValue {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first == UInt8(ascii: "<") else { return try readOther(bytes, path: path) }
        let root = try MarkupReader.read(bytes, path: path)
        guard root.name == "plist", root.children.count == 1, let element = root.children.first else {
            throw .invalid(path: path, line: root.line, message: "expected a <plist> with one value")
        }
        return try value(element, path: path)
    }
}

// MARK: - XML

extension PropertyListReader {
    private static func value(_ element: MarkupElement, path: String) throws(ImportError) -> StoredValue {
        func invalid(_ message: String) -> ImportError { .invalid(path: path, line: element.line, message: message) }
        let text = element.text.trimmed
        let content: StoredValue.Content
        switch element.name {
        case "true", "false":
            content = .bool(element.name == "true")
        case "string":
            content = .string(element.text)
        case "integer":
            if let number = ["Int", "UInt64"].lazy.compactMap({ NumberParser.number(text, ofType: $0) }).first {
                content = .integer(number)
            } else if text.wholeMatch(of: /[-+]?(0[xX][0-9a-fA-F]+|[0-9]+)/) != nil {
                content = .other("the number \(text), which is too large")
            } else {
                throw invalid("'\(text)' is not an integer")
            }
        case "real":
            if let number = NumberParser.decimal(text) {
                content = .real(number)
            } else if Double(text) != nil {
                content = .other("the number \(text)")
            } else {
                throw invalid("'\(text)' is not a number")
            }
        case "date":
            if let date = DateText.date(from: text) {
                content = DateText.text(for: date).map(StoredValue.Content.date) ?? .other("the date \(text)")
            } else if DateFault(in: text) == .year {
                // Apple's property lists use the year 1 for events that never happened.
                content = .other("the date \(text)")
            } else {
                throw invalid("'\(text)' is not a date")
            }
        case "data":
            let base64 = element.text.filter { !$0.isWhitespace }
            guard let data = Data(base64Encoded: base64) else { throw invalid("<data> is not valid base64") }
            // Foundation accepts base64 that is not canonical; schemas do not.
            content = .data(data.base64EncodedString())
        case "array":
            content = .array(try element.children.map { child throws(ImportError) in try value(child, path: path) })
        case "dict":
            content = .dictionary(try members(element, path: path))
        default:
            throw invalid("unexpected element <\(element.name)> in a property list")
        }
        return StoredValue(content: content, line: element.line)
    }

    private static func members(_ element: MarkupElement, path: String) throws(ImportError) -> [StoredValue.Member] {
        var members: [StoredValue.Member] = []
        var names: Set<String> = []
        var rest = element.children[...]
        while let key = rest.popFirst() {
            guard key.name == "key", let child = rest.popFirst(), child.name != "key" else {
                let message = "a <dict> must alternate <key> and value elements"
                throw .invalid(path: path, line: key.line, message: message)
            }
            guard names.insert(key.text).inserted else {
                throw .invalid(path: path, line: key.line, message: "duplicate key '\(key.text)'")
            }
            members.append(.init(name: key.text, line: key.line, value: try value(child, path: path)))
        }
        return members
    }
}

// MARK: - Other encodings

extension PropertyListReader {
    /// Parses a binary property list, or one in the OpenStep text format.
    private static func readOther(_ bytes: [UInt8], path: String) throws(ImportError) -> StoredValue {
        guard let object = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil) else {
            throw .invalid(path: path, line: nil, message: "the file is not a property list, neither XML nor binary")
        }
        return value(of: object)
    }

    /// Converts an object. Dictionaries, which have no order, are sorted by name.
    private static func value(of object: Any) -> StoredValue {
        let content: StoredValue.Content =
            switch object {
            case let text as String: .string(text)
            case let data as Data: .data(data.base64EncodedString())
            case let date as Date: DateText.text(for: date).map(StoredValue.Content.date) ?? .other("the date \(date)")
            case let array as [Any]: .array(array.map(value))
            case let dictionary as [String: Any]:
                .dictionary(
                    dictionary.sorted { $0.key < $1.key }.map {
                        .init(name: $0.key, line: nil, value: value(of: $0.value))
                    }
                )
            case let number as NSNumber: content(of: number)
            default: .other("an object of type \(type(of: object))")
            }
        return StoredValue(content: content, line: nil)
    }

    private static func content(of number: NSNumber) -> StoredValue.Content {
        // Foundation has a private class for Booleans, which is the only reliable way to recognize one.
        if type(of: number) == type(of: NSNumber(value: true)) { return .bool(number.boolValue) }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"):
            return NumberParser.decimal("\(number.doubleValue)").map(StoredValue.Content.real)
                ?? .other("the number \(number.doubleValue)")
        case UInt8(ascii: "Q"): return .integer(String(number.uint64Value))
        default: return .integer(String(number.int64Value))
        }
    }
}
