import Foundation
import PreferencesSchema

/// Reads property lists, those in XML with the lines that everything stands on.
enum PropertyListReader {
    static func read(_ bytes: [UInt8], path: String) throws(ImportFault) -> PresentValue {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first == UInt8(ascii: "<") else { return try readOther(bytes, path: path) }
        let root = try MarkupReader.read(bytes, path: path)
        guard root.name == "plist", root.children.count == 1, let element = root.children.first else {
            throw .faulty(path: path, line: root.line, message: "expected a <plist> with one value")
        }
        return try value(element, path: path)
    }
}

// MARK: - XML

extension PropertyListReader {
    private static func value(_ element: MarkupElement, path: String) throws(ImportFault) -> PresentValue {
        func fault(_ message: String) -> ImportFault { .faulty(path: path, line: element.line, message: message) }
        let text = element.text.trimmed
        let content: PresentValue.Content
        switch element.name {
        case "true", "false":
            content = .bool(element.name == "true")
        case "string":
            content = .string(element.text)
        case "integer":
            if let number = ["Int", "UInt64"].lazy.compactMap({ NumberText.number(text, ofType: $0) }).first {
                content = .integer(number)
            } else if text.wholeMatch(of: /[-+]?(0[xX][0-9a-fA-F]+|[0-9]+)/) != nil {
                content = .other("the number \(text), which is too large")
            } else {
                throw fault("'\(text)' is no integer")
            }
        case "real":
            if let number = NumberText.decimal(text) {
                content = .real(number)
            } else if Double(text) != nil {
                content = .other("the number \(text)")
            } else {
                throw fault("'\(text)' is no number")
            }
        case "date":
            if let date = DateText.date(from: text) {
                content = DateText.text(for: date).map(PresentValue.Content.date) ?? .other("the date \(text)")
            } else if DateFault(in: text) == .year {
                // Apple's own lists have the year 1 for what never happened.
                content = .other("the date \(text)")
            } else {
                throw fault("'\(text)' is no date")
            }
        case "data":
            let base64 = element.text.filter { !$0.isWhitespace }
            guard let data = Data(base64Encoded: base64) else { throw fault("<data> is not base64") }
            // Foundation decodes some base64 that is not canonical, and schemas accept only canonical base64.
            content = .data(data.base64EncodedString())
        case "array":
            content = .array(try element.children.map { child throws(ImportFault) in try value(child, path: path) })
        case "dict":
            content = .dictionary(try members(element, path: path))
        default:
            throw fault("a property list has no <\(element.name)>")
        }
        return PresentValue(content: content, line: element.line)
    }

    private static func members(_ element: MarkupElement, path: String) throws(ImportFault) -> [PresentValue.Member] {
        var members: [PresentValue.Member] = []
        var names: Set<String> = []
        var rest = element.children[...]
        while let key = rest.popFirst() {
            guard key.name == "key", let child = rest.popFirst(), child.name != "key" else {
                let message = "a <dict> has a <key> and a value by turns"
                throw .faulty(path: path, line: key.line, message: message)
            }
            guard names.insert(key.text).inserted else {
                throw .faulty(path: path, line: key.line, message: "key '\(key.text)' is there twice")
            }
            members.append(.init(name: key.text, line: key.line, value: try value(child, path: path)))
        }
        return members
    }
}

// MARK: - Other encodings

extension PropertyListReader {
    /// A binary property list, or one in OpenStep's text format.
    private static func readOther(_ bytes: [UInt8], path: String) throws(ImportFault) -> PresentValue {
        guard let object = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil) else {
            throw .faulty(path: path, line: nil, message: "not a property list, neither in XML nor binary")
        }
        return value(of: object)
    }

    /// Dictionaries have no order there; names have one.
    private static func value(of object: Any) -> PresentValue {
        let content: PresentValue.Content =
            switch object {
            case let text as String: .string(text)
            case let data as Data: .data(data.base64EncodedString())
            case let date as Date: DateText.text(for: date).map(PresentValue.Content.date) ?? .other("the date \(date)")
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
        return PresentValue(content: content, line: nil)
    }

    private static func content(of number: NSNumber) -> PresentValue.Content {
        // There is no other way to tell a boolean, as Foundation on each platform has a class of its own for them.
        if type(of: number) == type(of: NSNumber(value: true)) { return .bool(number.boolValue) }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"):
            return NumberText.decimal("\(number.doubleValue)").map(PresentValue.Content.real)
                ?? .other("the number \(number.doubleValue)")
        case UInt8(ascii: "Q"): return .integer(String(number.uint64Value))
        default: return .integer(String(number.int64Value))
        }
    }
}
