/// What type values have, as far as the values tell.
indirect enum InferredType: Equatable {
    /// That of an empty array's elements.
    case unknown
    /// That of a null.
    case null
    case scalar(String)
    case optional(InferredType)
    case array(InferredType)
    case dictionary(InferredType)

    /// Deeper than settings are, and within what a schema's types may be.
    private static let maximumDepth = 16

    /// Nil where a value is, or has, what no type fits.
    init?(of value: PresentValue, depth: Int = 0) {
        guard depth < Self.maximumDepth else { return nil }
        switch value.content {
        case .null: self = .null
        case .bool: self = .scalar("Bool")
        case .integer(let text): self = .scalar(NumberText.number(text, ofType: "Int") == nil ? "UInt64" : "Int")
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

    /// The type that all values have; nil where there is none.
    static func common(to values: [PresentValue], depth: Int = 0) -> InferredType? {
        var result = InferredType.unknown
        for value in values {
            guard let type = InferredType(of: value, depth: depth), let both = result.joined(with: type) else {
                return nil
            }
            result = both
        }
        return result
    }

    private func joined(with other: InferredType) -> InferredType? {
        switch (self, other) {
        case (.unknown, _): return other
        case (_, .unknown): return self
        case (.null, .null): return .null
        case (.null, .optional(let wrapped)), (.optional(let wrapped), .null): return .optional(wrapped)
        case (.null, let wrapped), (let wrapped, .null): return .optional(wrapped)
        case (.optional(let first), .optional(let second)), (.optional(let first), let second),
            (let first, .optional(let second)):
            return first.joined(with: second).map(InferredType.optional)
        case (.scalar(let first), .scalar(let second)):
            if first == second { return self }
            return Set([first, second]) == ["Int", "Double"] ? .scalar("Double") : nil
        case (.array(let first), .array(let second)): return first.joined(with: second).map(InferredType.array)
        case (.dictionary(let first), .dictionary(let second)):
            return first.joined(with: second).map(InferredType.dictionary)
        default: return nil
        }
    }

    /// What is not known is taken for text.
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

    /// Whether something in it is not known.
    var isUncertain: Bool {
        switch self {
        case .unknown, .null: true
        case .scalar: false
        case .optional(let inner), .array(let inner), .dictionary(let inner): inner.isUncertain
        }
    }
}

extension PresentValue {
    /// What is to be said about its numbers that lose digits where it is of a type.
    func remarksOnDigits(of name: String, as type: InferredType) -> [(line: Int?, message: String)] {
        switch (content, type) {
        case (_, .optional(let wrapped)):
            return remarksOnDigits(of: name, as: wrapped)
        case (.integer(let text), .scalar("Double")), (.real(let text), .scalar("Double")):
            guard let double = Double(text), !NumberText.isKeptByDouble(text) else { return [] }
            return [(line, "'\(name)' loses digits: \(text) is \(double) as a Double")]
        case (.array(let elements), .array(let type)):
            return elements.flatMap { $0.remarksOnDigits(of: name, as: type) }
        case (.dictionary(let members), .dictionary(let type)):
            return members.flatMap { $0.value.remarksOnDigits(of: name, as: type) }
        default:
            return []
        }
    }

    /// The value as a default; nil where there is no way to write it.
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
