import Foundation
import PreferencesJSON

extension JSONNode {
    /// The value that this is the JSON of.
    ///
    /// - Throws: ``StoreFileValueError`` for numbers out of range and tags whose content does not fit.
    func preferenceValue() throws -> PreferenceValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let number): try number.preferenceValue()
        case .string(let value): .string(value)
        case .array(let nodes): .array(try nodes.map { try $0.preferenceValue() })
        case .object(let members): try Self.value(of: members)
        }
    }

    private static func value(of members: [JSONMember]) throws -> PreferenceValue {
        guard members.count == 1, let tag = ValueTag(rawValue: members[0].name) else { return try dictionary(members) }
        let node = members[0].value
        switch (tag, node.content) {
        case (.double, .string(let word)):
            if let number = ValueTag.doubleWords[word] { return .double(number) }
        case (.data, .string(let text)):
            if let data = Data(base64Encoded: text) { return .data(data) }
        case (.date, .string(let text)):
            if let date = DateText.date(from: text) { return .date(date) }
        case (.date, _):
            // Out of the years that have a text: a number, or not even that.
            if case .double(let interval) = try node.preferenceValue() {
                return .date(Date(timeIntervalSinceReferenceDate: interval))
            }
        case (.dictionary, .object(let members)): return try dictionary(members)
        // Tags of property lists.
        case (.null, _), (.string, _): return try dictionary(members)
        default: break
        }
        throw StoreFileValueError("\(node.shortText) is no content for \"\(tag.rawValue)\"")
    }

    private static func dictionary(_ members: [JSONMember]) throws -> PreferenceValue {
        var entries: [String: PreferenceValue] = [:]
        entries.reserveCapacity(members.count)
        for member in members { entries[member.name] = try member.value.preferenceValue() }
        return .dictionary(entries)
    }

    private var shortText: String {
        if case .string(let text) = content, text.utf8.count <= 60 { JSONText.quoted(text) } else { typeDescription }
    }
}

extension JSONNumber {
    /// An integer where it is written as one and fits, else the nearest double.
    fileprivate func preferenceValue() throws -> PreferenceValue {
        if isWrittenAsInteger {
            if let integer = exactly(Int64.self) { return .int(integer) }
            if let integer = exactly(UInt64.self) { return .unsignedInt(integer) }
        }
        guard let double else {
            throw StoreFileValueError("the number \(text.prefix(40)) is out of a Double's range")
        }
        return .double(double)
    }
}
