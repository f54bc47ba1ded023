import Foundation
import PreferencesRuntime

/// The format of KConfig's files, as read and written by `KConfigIniBackend` (`kconfigini.cpp`) of KDE Frameworks 5.
///
/// A group is the names of its nested groups, joined by ``KConfigName/separator``; the group of entries without a
/// header is empty. A key can end with ``KConfigName/languageSeparator`` and a language.
enum KConfigFormat: KeyFileFormat {
    static let firstGroup: String? = ""
    /// KConfig's name of the group of entries without a header, which a header can have as well.
    static let defaultGroup = "<default>"

    // MARK: - Reading

    static func item(_ line: ArraySlice<UInt8>) -> KeyFileItem {
        let line = KeyFileBytes.trimmed(line)
        switch line.first {
        case nil, UInt8(ascii: "#"): return .other
        case UInt8(ascii: "["): return header(line)
        default: return entry(line)
        }
    }

    private static func header(_ line: ArraySlice<UInt8>) -> KeyFileItem {
        var parts: [String] = []
        var rest = line
        while rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) {
            let part = rest[rest.startIndex + 1..<end]
            rest = rest[(end + 1)...]
            if rest.isEmpty, part.elementsEqual("$i".utf8) {
                return .header(group: parts.isEmpty ? nil : group(parts), isImmutable: true)
            }
            guard let name = String(validating: unescaped(part), as: UTF8.self) else { return .other }
            parts.append(name)
        }
        // KConfig ignores text after the brackets, and a header without a closing bracket.
        if parts.isEmpty || rest.first == UInt8(ascii: "[") { return .other }
        return .header(group: group(parts), isImmutable: false)
    }

    private static func group(_ parts: [String]) -> String {
        if parts == [defaultGroup] { return "" }
        // An empty name is not that of the entries without a header. No name leads to its entries.
        return parts == [""] ? String(KConfigName.separator) : parts.joined(separator: String(KConfigName.separator))
    }

    private static func entry(_ line: ArraySlice<UInt8>) -> KeyFileItem {
        let equals = line.firstIndex(of: UInt8(ascii: "="))
        var key = KeyFileBytes.trimmed(line[..<(equals ?? line.endIndex)])
        let text = KeyFileBytes.trimmed(line[(equals.map { $0 + 1 } ?? line.endIndex)...])
        var flags: KeyFileFlags = []
        var language: ArraySlice<UInt8>?
        while let start = key.lastIndex(of: UInt8(ascii: "[")) {
            guard let end = key[start...].firstIndex(of: UInt8(ascii: "]")) else { return .other }
            let option = key[(start + 1)..<end]
            if option.first == UInt8(ascii: "$") {
                for letter in option {
                    switch letter {
                    case UInt8(ascii: "i"): flags.insert(.immutable)
                    case UInt8(ascii: "e"): flags.insert(.expanded)
                    case UInt8(ascii: "d"): flags.insert(.deleted)
                    default: break
                    }
                }
            } else {
                guard language == nil else { return .other }
                language = option
            }
            key = key[..<start]
        }
        guard equals != nil || flags.contains(.deleted), !key.isEmpty,
            var name = String(validating: unescaped(key), as: UTF8.self)
        else { return .other }
        if let language, !language.isEmpty {
            name += String(KConfigName.languageSeparator) + String(decoding: language, as: UTF8.self)
        }
        return .entry(key: name, text: text, flags: flags)
    }

    static func value(_ text: ArraySlice<UInt8>, _ flags: KeyFileFlags) -> PreferenceValue {
        let bytes = unescaped(text)
        // A byte array of Qt need not be UTF-8.
        guard let string = String(validating: bytes, as: UTF8.self) else { return .data(Data(bytes)) }
        return .string(flags.contains(.expanded) ? expanded(string) : string)
    }

    /// Replaces escapes, as `KConfigIniBackend::printableToString` does. `\,` and `\;` remain, since lists use them.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(UInt8(ascii: "\\")) else { return Array(text) }
        var rest = KeyFileBytes.trimmed(text)
        var result: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            // KConfig drops a backslash at the end, and the letter of an unknown escape.
            guard let letter = rest.popFirst() else { break }
            switch letter {
            case UInt8(ascii: "s"): result.append(UInt8(ascii: " "))
            case UInt8(ascii: "t"): result.append(UInt8(ascii: "\t"))
            case UInt8(ascii: "n"): result.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "r"): result.append(UInt8(ascii: "\r"))
            case UInt8(ascii: ";"), UInt8(ascii: ","): result += [byte, letter]
            case UInt8(ascii: "x"):
                let digits = rest.prefix(2)
                rest = rest.dropFirst(2)
                let isHex = digits.count == 2 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
                result.append(isHex ? UInt8(String(decoding: digits, as: UTF8.self), radix: 16) ?? letter : letter)
            default: result.append(byte)
            }
        }
        return result
    }

    /// Replaces `$NAME`, `${NAME}` and `$$`, as `KConfigPrivate::expandString` does. A variable that is not set is
    /// empty. No command is run.
    private static func expanded(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "$", let next = rest.first else {
                result.append(character)
                continue
            }
            let variable: Substring
            switch next {
            case "$":
                rest.removeFirst()
                result.append("$")
                continue
            case "{":
                variable = rest.dropFirst().prefix { $0 != "}" }
                rest = rest.dropFirst(variable.count + 2)
            default:
                variable = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                rest = rest.dropFirst(variable.count)
            }
            result += ProcessInfo.processInfo.environment[String(variable)] ?? ""
        }
        return result
    }

    // MARK: - Writing

    static func name(group: String, key: String) -> String? { KConfigName.name(group: group, key: key) }

    static func location(of name: String) throws(StoreFileValueError) -> (group: String, key: String) {
        try KConfigName.location(of: name)
    }

    static func text(
        of value: PreferenceValue,
        replacing old: ArraySlice<UInt8>?
    ) throws(StoreFileValueError) -> [UInt8] {
        switch value {
        case .string(let string): escaped(Array(string.utf8), .value)
        case .data(let data): escaped(Array(data), .value)
        default: throw StoreFileValueError("KConfig stores text, not \(value)")
        }
    }

    static func header(of group: String) -> [UInt8] {
        let parts = group.split(separator: KConfigName.separator, omittingEmptySubsequences: false)
        return parts.flatMap { part in
            [UInt8(ascii: "[")] + escaped(Array(part.utf8), .group(isLast: part.endIndex == group.endIndex))
                + [UInt8(ascii: "]")]
        }
    }

    static func text(ofKey key: String) -> [UInt8] {
        let parts = key.split(separator: KConfigName.languageSeparator, maxSplits: 1)
        return escaped(Array(parts[0].utf8), .key) + (parts.count > 1 ? Array("[\(parts[1])]".utf8) : [])
    }

    private enum Part: Equatable {
        case group(isLast: Bool)
        case key
        case value
    }

    /// Escapes text as `KConfigIniBackend::stringToPrintable` does, and a few texts that KConfig writes, but does not
    /// read: `#` at the start of a key, and spaces around the name of a group that has other escapes.
    private static func escaped(_ bytes: [UInt8], _ part: Part) -> [UInt8] {
        let isText = String(validating: bytes, as: UTF8.self) != nil
        func hex(_ byte: UInt8) -> [UInt8] {
            Array((byte < 16 ? "\\x0" : "\\x").utf8) + Array(String(byte, radix: 16).utf8)
        }
        var result: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"): result += Array("\\n".utf8)
            case UInt8(ascii: "\t"): result += Array("\\t".utf8)
            case UInt8(ascii: "\r"): result += Array("\\r".utf8)
            case UInt8(ascii: "\\"): result += Array("\\\\".utf8)
            case UInt8(ascii: "=") where part == .key: result += hex(byte)
            case UInt8(ascii: "["), UInt8(ascii: "]"): result += part == .value ? [byte] : hex(byte)
            case 0..<0x20: result += hex(byte)
            case 0x7F where part == .value: result += hex(byte)
            case 0x80... where !isText: result += hex(byte)
            default: result.append(byte)
            }
        }
        let space = UInt8(ascii: " ")
        if case .group(let isLast) = part {
            // In the last brackets, `$` and letters are options.
            let letters = bytes.dropFirst()
            if isLast, bytes.first == UInt8(ascii: "$"), bytes.count <= 10,
                letters.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
            {
                result.replaceSubrange(0..<1, with: hex(bytes[0]))
            }
            guard result.contains(UInt8(ascii: "\\")) else { return result }
            if result.last == space { result.replaceSubrange((result.count - 1)..., with: hex(space)) }
            if result.first == space { result.replaceSubrange(0..<1, with: hex(space)) }
            return result
        }
        if result.last == space { result.replaceSubrange((result.count - 1)..., with: Array("\\s".utf8)) }
        if result.first == space { result.replaceSubrange(0..<1, with: Array("\\s".utf8)) }
        if part == .key, result.first == UInt8(ascii: "#") { result.replaceSubrange(0..<1, with: hex(result[0])) }
        return result
    }
}

/// The names of a ``KConfigStore``.
///
/// A name is the names of the nested groups and the key, joined by colons, as the importer makes it. Where a group or a
/// key contains a colon, it follows a backslash, and backslashes directly before any colon are doubled. A key without a
/// group can be any text, for stores that use other names: one with an empty part, such as `:a`, is not divided.
enum KConfigName {
    /// KConfig's own separator of nested groups.
    static let separator: Character = "\u{1D}"
    /// Precedes the language of a localized entry, in names of ``KeyFileContents``.
    static let languageSeparator: Character = "\u{0}"

    private static let colon = UInt8(ascii: ":")
    private static let backslash = UInt8(ascii: "\\")

    static func name(group: String, key: String) -> String? {
        let groups = group.isEmpty ? [] : group.split(separator: separator, omittingEmptySubsequences: false)
        let parts = key.split(separator: languageSeparator, omittingEmptySubsequences: false)
        let key = String(parts[0])
        guard !key.isEmpty, parts.count <= 2, !key.contains(separator), groups.allSatisfy({ !$0.isEmpty }) else {
            return nil
        }
        let language = parts.count > 1 ? "\(languageSeparator)\(parts[1])" : ""
        if groups.isEmpty, self.parts(of: key).contains("") { return key + language }
        return groups.map { escaped(String($0), isLast: false) + ":" }.joined() + escaped(key, isLast: true) + language
    }

    static func location(of name: String) throws(StoreFileValueError) -> (group: String, key: String) {
        let nameAndLanguage = name.split(separator: languageSeparator, omittingEmptySubsequences: false)
        let plain = nameAndLanguage.first.map(String.init) ?? ""
        var parts = parts(of: plain)
        if parts.contains("") { parts = [plain] }
        var key = parts.removeLast()
        if nameAndLanguage.count > 1 { key += "\(languageSeparator)\(nameAndLanguage[1])" }
        let group = parts.joined(separator: String(separator))
        // Each entry has one name, since observers are notified of one.
        if parts == [KConfigFormat.defaultGroup] {
            throw StoreFileValueError("the name of a key of the group '\(KConfigFormat.defaultGroup)' is the key alone")
        }
        guard let canonical = self.name(group: group, key: key) else {
            throw StoreFileValueError("KConfig has no entry of this name")
        }
        guard canonical == name else { throw StoreFileValueError("the name of this key is '\(canonical)'") }
        return (group, key)
    }

    /// Whether a text cannot be a name, because a key of KConfig has at least one character and neither NUL nor U+001D.
    static func isImpossible(_ name: String) -> Bool {
        name.isEmpty || name.contains(languageSeparator) || name.contains(separator)
    }

    private static func parts(of name: String) -> [String] {
        var parts: [[UInt8]] = [[]]
        var backslashes = 0
        func append(_ bytes: some Sequence<UInt8>) { parts[parts.count - 1] += bytes }
        for byte in name.utf8 {
            switch byte {
            case backslash:
                backslashes += 1
            case colon:
                append(repeatElement(backslash, count: backslashes / 2))
                if backslashes.isMultiple(of: 2) { parts.append([]) } else { append([colon]) }
                backslashes = 0
            default:
                append(repeatElement(backslash, count: backslashes))
                append([byte])
                backslashes = 0
            }
        }
        append(repeatElement(backslash, count: backslashes))
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Parameter isLast: Whether no colon follows the part.
    private static func escaped(_ part: String, isLast: Bool) -> String {
        var result: [UInt8] = []
        var backslashes = 0
        for byte in part.utf8 {
            if byte == colon { result += repeatElement(backslash, count: backslashes + 1) }
            backslashes = byte == backslash ? backslashes + 1 : 0
            result.append(byte)
        }
        if !isLast { result += repeatElement(backslash, count: backslashes) }
        return String(decoding: result, as: UTF8.self)
    }
}
