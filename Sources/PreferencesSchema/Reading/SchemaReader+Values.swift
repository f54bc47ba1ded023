#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SchemaReader {
    /// Reads a value of a type. Reports any other node, and returns nil.
    mutating func value(of node: JSONNode, as type: ValueType) -> DefaultValue? {
        switch (type, node.content) {
        case (.optional, .null):
            return DefaultValue.none
        case (.optional(let wrapped), _):
            return value(of: node, as: wrapped)
        case (.bool, .bool(let bool)):
            return .bool(bool)
        case (.integer(let integer), .number(let number)):
            return integerValue(number, integer, at: node.range)
        case (.double, .number(let number)):
            return decimalValue(number, type, as: number.double, at: node.range)
        case (.float, .number(let number)):
            return decimalValue(number, type, as: number.float, at: node.range)
        case (.duration, .number(let number)):
            return durationValue(number.scaled(byPowerOfTen: 18), "\(number.text) seconds", at: node.range)
        case (.duration, .string(let text)):
            return durationValue(text, at: node.range)
        case (.string, .string(let text)):
            return .string(text)
        case (.data, .string(let text)):
            return dataValue(text, at: node.range)
        case (.date, .string(let text)):
            return dateValue(text, at: node.range)
        case (.url, .string(let text)):
            return urlValue(text, at: node.range)
        case (.uuid, .string(let text)):
            return uuidValue(text, at: node.range)
        case (.enumeration(let name), .string(let text)):
            return enumValue(text, name, at: node.range)
        case (.structure(let name), .object(let members)):
            return structureValue(members, name, at: node.range)
        case (.array(let element), .array(let nodes)):
            return arrayValue(nodes, of: element)
        case (.set(let element), .array(let nodes)):
            return setValue(nodes, of: element)
        case (.dictionary(let value), .object(let members)):
            return dictionaryValue(members, of: value)
        case (.enumeration(let name), _) where declarations[name]?.isFaulty != false,
            (.structure(let name), _) where declarations[name]?.isFaulty != false,
            (.external(let name, _), _) where declarations[name]?.isFaulty != false:
            // The faulty type has been reported.
            return nil
        case (.external(_, let swiftName), _):
            report(
                .externalDefault,
                at: node.range,
                "a value of the external type '\(swiftName)' cannot be given as JSON",
                note: #"use a Swift expression: "defaultExpression": "\#(swiftName)()""#
            )
            return nil
        default:
            let message =
                "a value of type '\(type.schemaName)' must be \(type.jsonDescription), not \(node.typeDescription)"
            report(.valueType, at: node.range, message)
            return nil
        }
    }
}

// MARK: - Numbers

extension SchemaReader {
    private mutating func integerValue(
        _ number: JSONNumber,
        _ type: IntegerType,
        at range: Range<Int>
    ) -> DefaultValue? {
        // A number beyond Int128 is out of range for every type; one with a fraction is not an integer, however
        // small.
        if let integer = number.scaled(byPowerOfTen: 0) {
            if type.range.contains(integer) { return .integer(integer) }
        } else if let double = number.double, double.rounded() != double || abs(double) < 1e38 {
            report(
                .valueRange,
                at: range,
                "\(number.text) is not a whole number, which type '\(type.rawValue)' requires"
            )
            return nil
        }
        report(
            .valueRange,
            at: range,
            "\(number.text) is out of the range of type '\(type.rawValue)', "
                + "\(type.range.lowerBound) to \(type.range.upperBound)"
        )
        return nil
    }

    private mutating func decimalValue(
        _ number: JSONNumber,
        _ type: ValueType,
        as value: (some BinaryFloatingPoint)?,
        at range: Range<Int>
    ) -> DefaultValue? {
        guard let value else {
            report(.valueRange, at: range, "\(number.text) is out of the range of type '\(type.swiftName)'")
            return nil
        }
        let mantissa = number.text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        guard value != 0 || mantissa.allSatisfy({ "-0.".utf8.contains($0) }) else {
            report(.valueRange, at: range, "\(number.text) is too small for type '\(type.swiftName)': it would be 0")
            return nil
        }
        return .decimal(number.text)
    }

    /// - Parameters:
    ///   - attoseconds: The length; nil if it is not a whole number of attoseconds.
    ///   - text: The length as the subject of a message.
    private mutating func durationValue(
        _ attoseconds: Int128?,
        _ text: String,
        at range: Range<Int>
    ) -> DefaultValue? {
        let seconds = Int128(Int64.min)...Int128(Int64.max)
        let attosecondsPerSecond: Int128 = 1_000_000_000_000_000_000
        if let attoseconds, seconds.contains(attoseconds / attosecondsPerSecond) {
            return .duration(attoseconds: attoseconds)
        }
        report(
            .valueRange,
            at: range,
            "\(text) exceed the range or precision of type 'Duration': 64 bits of seconds and 18 decimals"
        )
        return nil
    }
}

// MARK: - Strings

extension SchemaReader {
    private mutating func dataValue(_ text: String, at range: Range<Int>) -> DefaultValue? {
        // Foundation also accepts excess padding, and nonzero bits after the last byte.
        let data = Data(base64Encoded: text)
        if let data, data.base64EncodedString() == text { return .data(Array(data)) }
        report(
            .valueFormat,
            at: range,
            "a value of type 'Data' must be canonical base64 (RFC 4648 §3.5 and §4), padded to a multiple of "
                + "4 characters"
        )
        return nil
    }

    private mutating func durationValue(_ text: String, at range: Range<Int>) -> DefaultValue? {
        if let attoseconds = DurationText.attoseconds(in: text) {
            return durationValue(attoseconds, "the seconds of '\(text)'", at: range)
        }
        report(
            .valueFormat,
            at: range,
            "a value of type 'Duration' must be a number of seconds or have the form '1h30m' or '250ms', not '\(text)'"
        )
        return nil
    }

    private mutating func dateValue(_ text: String, at range: Range<Int>) -> DefaultValue? {
        if let date = DateText.date(from: text) {
            return .date(secondsSinceReference: date.timeIntervalSinceReferenceDate, text: text)
        }
        report(.valueFormat, at: range, DateFault(in: text).message(about: text))
        return nil
    }

    private mutating func urlValue(_ text: String, at range: Range<Int>) -> DefaultValue? {
        if URL(string: text, encodingInvalidCharacters: false) != nil { return .url(text) }
        report(.valueFormat, at: range, "'\(text)' is not a URL (RFC 3986)")
        return nil
    }

    private mutating func uuidValue(_ text: String, at range: Range<Int>) -> DefaultValue? {
        if let uuid = UUID(uuidString: text) { return .uuid(uuid.uuidString) }
        report(
            .valueFormat,
            at: range,
            "a value of type 'UUID' must be 32 hexadecimal digits in groups of 8-4-4-4-12, not '\(text)'"
        )
        return nil
    }

    private mutating func enumValue(_ text: String, _ name: String, at range: Range<Int>) -> DefaultValue? {
        // The cases of a faulty type, which has been reported, are unknown.
        guard let type = declarations[name], case .cases(let cases) = type.contents else { return nil }
        // Uses the spelling of the declaration: Swift distinguishes canonically equivalent names.
        if let index = type.caseNames.firstIndex(of: text) { return .enumCase(type.caseNames[index]) }
        let names = cases.lazy.map(\.name.text)
        let suggestion = type.casesByRawValue[text] ?? suggestions.nearest(to: text, among: names)
        report(
            .unknownEnumCase,
            at: range,
            "'\(text)' is not a case of '\(name)'",
            note: suggestion.map { "did you mean '\($0)'?" }
                ?? (names.count == 1 ? "its only case is " : "its cases are ") + names.quotedList
        )
        return nil
    }
}

// MARK: - Collections

extension SchemaReader {
    private mutating func arrayValue(_ nodes: [JSONNode], of element: ValueType) -> DefaultValue? {
        var values: [DefaultValue] = []
        for node in nodes {
            if let value = value(of: node, as: element) { values.append(value) }
        }
        return values.count == nodes.count ? .array(values) : nil
    }

    private mutating func setValue(_ nodes: [JSONNode], of element: ValueType) -> DefaultValue? {
        var values: [DefaultValue] = []
        var places: [DefaultValue: Range<Int>] = [:]
        for node in nodes {
            guard let value = value(of: node, as: element) else { continue }
            let normalized = value.normalized(as: element)
            if let first = places[normalized] {
                report(.duplicateElement, at: node.range, "a set cannot contain an element twice", firstAt: first)
                continue
            }
            places[normalized] = node.range
            values.append(value)
        }
        return values.count == nodes.count ? .array(values) : nil
    }

    private mutating func dictionaryValue(_ members: [JSONMember], of type: ValueType) -> DefaultValue? {
        var entries: [DefaultValue.Entry] = []
        for member in members {
            if let value = value(of: member.value, as: type) { entries.append(.init(key: member.name, value: value)) }
        }
        guard entries.count == members.count else { return nil }
        return .dictionary(entries.sorted { $0.key < $1.key })
    }
}

extension ValueType {
    /// The JSON form of a value of this type.
    fileprivate var jsonDescription: String {
        switch self {
        case .bool: "true or false"
        case .integer, .float, .double: "a number"
        case .duration: "a number of seconds or a string such as '1h30m'"
        case .string: "a string"
        case .data: "a string of base64"
        case .date: "a string with an ISO 8601 date"
        case .url: "a string with a URL"
        case .uuid: "a string with a UUID"
        case .enumeration: "a string with the name of a case"
        case .structure: "an object with its fields"
        case .external: "a value of an external type"
        case .array, .set: "an array"
        case .dictionary: "an object"
        case .optional(let wrapped): "null or \(wrapped.jsonDescription)"
        }
    }
}

// MARK: - Structs

extension SchemaReader {
    /// Reads a value of a struct. Reports faults, and returns nil if there are any.
    mutating func structureValue(
        _ members: [JSONMember],
        _ name: String,
        at range: Range<Int>
    ) -> DefaultValue? {
        guard let type = declarations[name], case .fields(let fields) = type.contents else { return nil }
        var values: [Int: DefaultValue] = [:]
        var given: Set<Int> = []
        var isValid = true
        for member in members {
            guard let index = type.fieldIndices.byName[member.name] else {
                if !type.faultyFields.contains(member.name) { reportUnknownField(member, of: type, fields) }
                isValid = false
                continue
            }
            let value = value(of: member.value, as: fields[index].type)
            if value == nil { isValid = false }
            values[index] = value
            given.insert(index)
        }
        let missingCount = type.fieldIndices.required.count - given.count { fields[$0].isRequired }
        if isValid, missingCount > 0 {
            let missing = type.fieldIndices.required.lazy.filter { !given.contains($0) }.map { fields[$0].name.text }
            report(
                .missingStructField,
                at: range,
                "a value of type '\(name)' must have \(missingCount == 1 ? "field" : "fields") "
                    + missing.quotedList(count: missingCount)
            )
            return nil
        }
        guard isValid, type.faultyFields.isEmpty else { return nil }
        return .structure(
            values.sorted { $0.key < $1.key }.map { index, value in
                .init(name: fields[index].name.text, type: fields[index].type, value: value)
            }
        )
    }

    private mutating func reportUnknownField(
        _ member: JSONMember,
        of type: TypeDeclaration,
        _ fields: [TypeDeclaration.Field]
    ) {
        let names = fields.lazy.map(\.name.text)
        let suggestion =
            type.fieldIndices.byID[member.name].map { fields[$0].name.text }
            ?? suggestions.nearest(to: member.name, among: names)
        let fieldList = (names.count == 1 ? "its only field is " : "its fields are ") + names.quotedList
        report(
            .unknownStructField,
            at: member.nameRange,
            "'\(type.name.text)' has no field '\(member.name)'",
            // If all fields are faulty, there are none to list.
            note: suggestion.map { "did you mean '\($0)'?" } ?? (names.isEmpty ? nil : fieldList)
        )
    }
}

// MARK: - Normalized values

extension DefaultValue {
    /// Returns the value in a normalized form, which is the same for all values that are equal in Swift.
    func normalized(as type: ValueType) -> DefaultValue {
        switch (self, type) {
        case (_, .optional(let wrapped)): normalized(as: wrapped)
        case (.decimal(let text), .float): .decimal(Float(text).map { "\($0 + 0)" } ?? text)
        case (.decimal(let text), _): .decimal(Double(text).map { "\($0 + 0)" } ?? text)
        case (.date(let seconds, _), _): .date(secondsSinceReference: seconds, text: "")
        case (.array(let values), .array(let element)): .array(values.map { $0.normalized(as: element) })
        case (.array(let values), .set(let element)):
            .array(values.map { $0.normalized(as: element) }.sorted { "\($0)" < "\($1)" })
        case (.dictionary(let entries), .dictionary(let value)):
            .dictionary(entries.map { .init(key: $0.key, value: $0.value.normalized(as: value)) })
        case (.structure(let fields), _):
            .structure(fields.map { .init(name: $0.name, type: $0.type, value: $0.value.normalized(as: $0.type)) })
        default: self
        }
    }
}

// MARK: - Dates

/// The reason why a text is not a valid date in a schema.
package enum DateFault: Sendable {
    /// The text does not have the form of a date.
    case form
    case year
    case endOfDay
    case seconds
    case offset
    /// The day or the time does not exist.
    case nonexistent

    /// Determines the fault of a text that `DateText` rejects.
    package init(in text: String) {
        let form =
            /([0-9]{4,}|-[0-9]{4,}|\+[0-9]{5,})-[0-9]{2}-[0-9]{2}T([0-9]{2}:[0-9]{2}:([0-9]{2}))(?:\.[0-9]+)?(?:Z|[+-]([0-9]{2}:[0-9]{2}))/
        guard let (_, year, time, seconds, offset) = text.wholeMatch(of: form)?.output else {
            self = .form
            return
        }
        if year.utf8.count != 4 || year < "1583" {
            self = .year
        } else if time == "24:00:00" {
            self = .endOfDay
        } else if seconds > "59" {
            self = .seconds
        } else if let offset, offset > "23:59" || offset.suffix(2) > "59" {
            self = .offset
        } else {
            self = .nonexistent
        }
    }

    /// Returns the message about a text with this fault.
    func message(about text: String) -> String {
        switch self {
        case .form:
            "a value of type 'Date' must have the form '2026-01-31T12:00:00Z' or '2026-01-31T13:00:00+01:00' "
                + "(ISO 8601), not '\(text)'"
        case .year:
            "the year of '\(text)' must have four digits and be from 1583 to 9999, the range of ISO 8601's Gregorian "
                + "calendar"
        case .endOfDay: "the end of a day must be written as '00:00:00' of the next day, not as in '\(text)'"
        case .seconds: "the seconds of '\(text)' must be at most 59: type 'Date' has no leap seconds"
        case .offset: "the offset from UTC in '\(text)' must be from -23:59 to +23:59"
        case .nonexistent: "there is no such day or time as '\(text)'"
        }
    }
}
