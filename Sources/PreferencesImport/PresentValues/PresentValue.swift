import Foundation
import PreferencesSchema

/// A value that a file of settings has now.
struct PresentValue: Sendable {
    var content: Content
    /// From 1; nil where the file has no lines.
    var line: Int?

    indirect enum Content: Sendable {
        case null
        case bool(Bool)
        /// A whole number in the grammar of JSON.
        case integer(String)
        /// Any number in the grammar of JSON.
        case real(String)
        case string(String)
        /// As RFC 3339 writes it.
        case date(String)
        /// As base64.
        case data(String)
        case array([PresentValue])
        case dictionary([Member])
        /// What no schema has words for, by what it is called.
        case other(String)
    }

    struct Member: Sendable {
        var name: String
        var line: Int?
        var value: PresentValue
    }

    /// The members of a dictionary; nil for any other value.
    var members: [Member]? {
        if case .dictionary(let members) = content { return members }
        return nil
    }

    /// The text of a string; nil for any other value.
    var string: String? {
        if case .string(let text) = content { return text }
        return nil
    }

    /// What its data is besides, if it is data, as other libraries encode values.
    var encodingOfData: String? {
        guard case .data(let base64) = content, let data = Data(base64Encoded: base64) else { return nil }
        if data.starts(with: Data("bplist00".utf8)) { return "a property list" }
        return data.isEmpty || (try? JSONReader.parse(Array(data))) == nil ? nil : "JSON"
    }

    /// The value of a dictionary's member.
    subscript(name: String) -> PresentValue? { members?.first { $0.name == name }?.value }
}

// MARK: - JSON

extension PresentValue {
    static func json(_ bytes: [UInt8], path: String) throws(ImportFault) -> PresentValue {
        let lines = LineTable(bytes)
        do throws(JSONSyntaxError) {
            return PresentValue(try JSONReader.parse(bytes), lines)
        } catch {
            throw .faulty(path: path, line: lines.position(at: error.offset).line, message: error.message)
        }
    }

    private init(_ node: JSONNode, _ lines: LineTable) {
        line = lines.position(at: node.range.lowerBound).line
        content =
            switch node.content {
            case .null: .null
            case .bool(let bool): .bool(bool)
            case .number(let number): Self.number(number)
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map { PresentValue($0, lines) })
            case .object(let members):
                .dictionary(
                    members.map { member in
                        let line = lines.position(at: member.nameRange.lowerBound).line
                        return Member(name: member.name, line: line, value: PresentValue(member.value, lines))
                    }
                )
            }
    }

    private static func number(_ number: JSONNumber) -> Content {
        if number.isWrittenAsInteger, NumberText.number(number.text, ofType: "Int") != nil {
            return .integer(number.text)
        }
        if number.isWrittenAsInteger, NumberText.number(number.text, ofType: "UInt64") != nil {
            return .integer(number.text)
        }
        if let text = NumberText.decimal(number.text) { return .real(text) }
        return .other("the number \(number.text), which is too \(number.double == nil ? "large" : "small")")
    }
}
