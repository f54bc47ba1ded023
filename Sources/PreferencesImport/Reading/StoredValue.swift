import Foundation
import PreferencesSchema

/// A value in a settings file.
struct StoredValue: Sendable {
    var content: Content
    /// The line, from 1; `nil` if the file has no lines.
    var line: Int?

    indirect enum Content: Sendable {
        case null
        case bool(Bool)
        /// An integer in the grammar of JSON.
        case integer(String)
        /// Any number in the grammar of JSON.
        case real(String)
        case string(String)
        /// A date in the format of RFC 3339.
        case date(String)
        /// Data encoded as base64.
        case data(String)
        case array([StoredValue])
        case dictionary([Member])
        /// A value that schemas cannot represent, by its description.
        case other(String)
    }

    struct Member: Sendable {
        var name: String
        var line: Int?
        var value: StoredValue
    }

    /// The members of a dictionary; `nil` for any other value.
    var members: [Member]? {
        if case .dictionary(let members) = content { return members }
        return nil
    }

    /// The text of a string; `nil` for any other value.
    var string: String? {
        if case .string(let text) = content { return text }
        return nil
    }

    /// The encoding of another value inside the data, as libraries store it; `nil` if there is none.
    var embeddedEncoding: String? {
        guard case .data(let base64) = content, let data = Data(base64Encoded: base64) else { return nil }
        if data.starts(with: Data("bplist00".utf8)) { return "a property list" }
        return data.isEmpty || (try? JSONReader.parse(Array(data))) == nil ? nil : "JSON"
    }

    /// Returns the value of a dictionary's member.
    subscript(name: String) -> StoredValue? { members?.first { $0.name == name }?.value }
}

// MARK: - JSON

extension StoredValue {
    static func json(_ bytes: [UInt8], path: String) throws(ImportError) -> StoredValue {
        let lines = LineTable(bytes)
        do throws(JSONSyntaxError) {
            return StoredValue(try JSONReader.parse(bytes), lines)
        } catch {
            throw .invalid(path: path, line: lines.position(at: error.offset).line, message: error.message)
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
            case .array(let elements): .array(elements.map { StoredValue($0, lines) })
            case .object(let members):
                .dictionary(
                    members.map { member in
                        let line = lines.position(at: member.nameRange.lowerBound).line
                        return Member(name: member.name, line: line, value: StoredValue(member.value, lines))
                    }
                )
            }
    }

    private static func number(_ number: JSONNumber) -> Content {
        if number.isWrittenAsInteger, NumberParser.number(number.text, ofType: "Int") != nil {
            return .integer(number.text)
        }
        if number.isWrittenAsInteger, NumberParser.number(number.text, ofType: "UInt64") != nil {
            return .integer(number.text)
        }
        if let text = NumberParser.decimal(number.text) { return .real(text) }
        return .other("the number \(number.text), which is too \(number.double == nil ? "large" : "small")")
    }
}

/// A type inferred from values.
indirect enum InferredType: Equatable {
    /// The type of the elements of an empty array.
    case unknown
    /// The type of `null`.
    case null
    case scalar(String)
    case optional(InferredType)
    case array(InferredType)
    case dictionary(InferredType)

    /// The maximum nesting, within the limit of schema types.
    private static let maximumDepth = 16

    /// Infers the type of a value; `nil` if it contains values without a common type.
    init?(of value: StoredValue, depth: Int = 0) {
        guard depth < Self.maximumDepth else { return nil }
        switch value.content {
        case .null: self = .null
        case .bool: self = .scalar("Bool")
        case .integer(let text): self = .scalar(NumberParser.number(text, ofType: "Int") == nil ? "UInt64" : "Int")
        case .real: self = .scalar("Double")
        case .string: self = .scalar("String")
        case .date: self = .scalar("Date")
        case .data: self = .scalar("Data")
        case .array(let elements):
            guard let element = Self.common(to: elements, depth: depth + 1) else { return nil }
            self = .array(element)
        case .dictionary(let members):
            guard let value = Self.common(to: members.map(\.value), depth: depth + 1) else { return nil }
            self = .dictionary(value)
        case .other:
            return nil
        }
    }

    /// Returns the common type of values; `nil` if there is none.
    static func common(to values: [StoredValue], depth: Int = 0) -> InferredType? {
        var result = InferredType.unknown
        for value in values {
            guard let type = InferredType(of: value, depth: depth), let both = result.merged(with: type) else {
                return nil
            }
            result = both
        }
        return result
    }

    private func merged(with other: InferredType) -> InferredType? {
        switch (self, other) {
        case (.unknown, _): return other
        case (_, .unknown): return self
        case (.null, .null): return .null
        case (.null, .optional(let wrapped)), (.optional(let wrapped), .null): return .optional(wrapped)
        case (.null, let wrapped), (let wrapped, .null): return .optional(wrapped)
        case (.optional(let first), .optional(let second)), (.optional(let first), let second),
            (let first, .optional(let second)):
            return first.merged(with: second).map(InferredType.optional)
        case (.scalar(let first), .scalar(let second)):
            if first == second { return self }
            return Set([first, second]) == ["Int", "Double"] ? .scalar("Double") : nil
        case (.array(let first), .array(let second)): return first.merged(with: second).map(InferredType.array)
        case (.dictionary(let first), .dictionary(let second)):
            return first.merged(with: second).map(InferredType.dictionary)
        default: return nil
        }
    }

    /// The type in a schema. An unknown type becomes `String`.
    var importedType: ImportedType {
        switch self {
        case .unknown: .string
        case .null: .optional(.string)
        case .scalar(let name): .named(name)
        case .optional(let wrapped): wrapped.importedType.asOptional
        case .array(let element): .array(element.importedType)
        case .dictionary(let value): .dictionary(value.importedType)
        }
    }

    /// Whether the type, or part of it, is unknown.
    var isPartlyUnknown: Bool {
        switch self {
        case .unknown, .null: true
        case .scalar: false
        case .optional(let inner), .array(let inner), .dictionary(let inner): inner.isPartlyUnknown
        }
    }
}

extension StoredValue {
    /// Returns the remarks on numbers that lose precision in a type.
    func remarksOnPrecision(of name: String, as type: InferredType) -> [(line: Int?, message: String)] {
        switch (content, type) {
        case (_, .optional(let wrapped)):
            return remarksOnPrecision(of: name, as: wrapped)
        case (.integer(let text), .scalar("Double")), (.real(let text), .scalar("Double")):
            guard let double = Double(text), !NumberParser.isPreservedByDouble(text) else { return [] }
            return [(line, "'\(name)' loses precision: \(text) becomes \(double) as a Double")]
        case (.array(let elements), .array(let type)):
            return elements.flatMap { $0.remarksOnPrecision(of: name, as: type) }
        case (.dictionary(let members), .dictionary(let type)):
            return members.flatMap { $0.value.remarksOnPrecision(of: name, as: type) }
        default:
            return []
        }
    }

    /// The value as a default; `nil` if a schema cannot represent it.
    var importedValue: ImportedValue? {
        switch content {
        case .null: return .null
        case .bool(let bool): return .bool(bool)
        case .integer(let text), .real(let text): return .number(text)
        case .string(let text), .date(let text), .data(let text): return .string(text)
        case .array(let elements):
            let values = elements.compactMap(\.importedValue)
            return values.count == elements.count ? .array(values) : nil
        case .dictionary(let members):
            let values = members.compactMap { member in
                member.value.importedValue.map { ImportedValue.Member(name: member.name, value: $0) }
            }
            return values.count == members.count ? .object(values) : nil
        case .other: return nil
        }
    }
}
