import PreferencesRuntime

/// The format of GSettings' keyfile: the syntax of GLib's `GKeyFile`, with values in the GVariant text format, as in
/// `gkeyfilesettingsbackend.c`.
///
/// The name of an entry is its path: `/org/example/clock/size` is `size=` in the group `[org/example/clock]`.
enum GSettingsKeyfileFormat: KeyFileFormat {
    static let firstGroup: String? = nil

    /// Precedes the other name of a key, in the name of a key that has two.
    static let refusal: Unicode.Scalar = "\u{0}"

    static func item(_ line: ArraySlice<UInt8>) throws(KeyFileLineError) -> KeyFileItem {
        let line = line.drop(while: KeyFileBytes.isSpace)
        if line.isEmpty || line.first == UInt8(ascii: "#") { return .other }
        if line.first == UInt8(ascii: "[") {
            let header = KeyFileBytes.trimmed(line)
            guard header.last == UInt8(ascii: "]"), header.count > 2,
                let group = String(validating: header.dropFirst().dropLast(), as: UTF8.self),
                isValid(group)
            else { throw KeyFileLineError(message: "this is not the name of a group in brackets") }
            return .header(group: group, isImmutable: false)
        }
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > line.startIndex else {
            throw KeyFileLineError(message: "expected a group in brackets, an entry 'key=value' or a comment")
        }
        let key = KeyFileBytes.trimmed(line[..<equals])
        let text = line[(equals + 1)...].drop(while: KeyFileBytes.isSpace)
        // A carriage return belongs to the end of the line.
        let end = text.last == UInt8(ascii: "\r") ? text.endIndex - 1 : text.endIndex
        // A localized entry, which GSettings ignores, or one that no name leads to.
        guard let name = String(validating: key, as: UTF8.self), isValid(name) else { return .other }
        return .entry(key: name, text: text[..<end], flags: [])
    }

    /// Whether `GKeyFile` can read a key or group.
    static func isValid(_ text: String) -> Bool {
        !text.isEmpty
            && !text.unicodeScalars.contains {
                $0 == "[" || $0 == "]" || $0.properties.generalCategory == .control
            }
    }

    /// Whether GSettings can have a key of a name.
    static func isValidKey(_ key: String) -> Bool {
        isValid(key) && !key.utf8.contains(UInt8(ascii: "=")) && !key.utf8.contains(UInt8(ascii: "/"))
            && key.utf8.first != UInt8(ascii: "#") && key.utf8.first != 0x20 && key.utf8.last != 0x20
    }

    /// Whether a path is one of GSettings: it begins and ends with a slash, and has no empty part.
    static func isValidPath(_ path: String) -> Bool {
        path.utf8.first == UInt8(ascii: "/") && path.utf8.last == UInt8(ascii: "/") && path.utf8.count > 2
            && !path.contains("//") && isValid(path)
    }

    static func name(group: String, key: String) -> String? {
        isValidPath("/\(group)/") && isValidKey(key) ? "/\(group)/\(key)" : nil
    }

    static func location(of name: String) throws(StoreFileValueError) -> (group: String, key: String) {
        if name.unicodeScalars.first == refusal {
            throw StoreFileValueError("the name of this key is '\(name.dropFirst())'")
        }
        let parts = name.utf8.lastIndex(of: UInt8(ascii: "/")).map { end in
            (String(name[..<end]), String(name[name.utf8.index(after: end)...]))
        }
        guard let (path, key) = parts, isValidPath("\(path)/"), isValidKey(key) else {
            let namespace = name.split(separator: ":").dropLast().joined(separator: ":")
            throw StoreFileValueError(
                namespace.isEmpty
                    ? "GSettings has no key of this name"
                    : "the store knows no path for '\(namespace)'; pass it in 'paths'"
            )
        }
        return (String(path.dropFirst()), key)
    }

    static func value(
        _ text: ArraySlice<UInt8>,
        _ flags: KeyFileFlags
    ) throws(StoreFileValueError) -> PreferenceValue {
        let (value, message) = read(text)
        if let value { return value }
        // GSettings reads text that is no value as a string without its quotes.
        let quote = UInt8(ascii: "\"")
        guard text.first != quote else { throw StoreFileValueError(message) }
        let escaped = text.flatMap { $0 == quote ? [UInt8(ascii: "\\"), quote] : [$0] }
        guard let value = read([quote] + escaped + [quote]).value else { throw StoreFileValueError(message) }
        return value
    }

    fileprivate static func read(_ text: ArraySlice<UInt8>) -> (value: PreferenceValue?, message: String) {
        var reader = GVariantReader(text)
        do throws(GVariantReader.SyntaxError) {
            let value = try reader.read()
            guard case .dictionary(let entries) = value, entries.count == 1,
                case .string(let json)? = entries[GVariantWriter.jsonName]
            else { return (value, "") }
            return (PreferenceValue(jsonText: json), "the entry '\(GVariantWriter.jsonName)' is not JSON")
        } catch {
            return (Optional.none, error.message)
        }
    }

    static func text(
        of value: PreferenceValue,
        replacing old: ArraySlice<UInt8>?
    ) throws(StoreFileValueError) -> [UInt8] {
        var style = GVariantStyle.plain
        if let old {
            var reader = GVariantReader(old)
            if (try? reader.read()) != Optional.none { style = reader.style }
        }
        return Array(try GVariantWriter.text(of: value, style: style).utf8)
    }

    static func header(of group: String) -> [UInt8] { Array("[\(group)]".utf8) }

    static func text(ofKey key: String) -> [UInt8] { Array(key.utf8) }
}

/// The format of `dconf dump`: that of the keyfile, but each value must be in the GVariant text format.
enum DconfDumpFormat: KeyFileFormat {
    static let firstGroup = GSettingsKeyfileFormat.firstGroup

    static func item(_ line: ArraySlice<UInt8>) throws(KeyFileLineError) -> KeyFileItem {
        try GSettingsKeyfileFormat.item(line)
    }

    static func name(group: String, key: String) -> String? { GSettingsKeyfileFormat.name(group: group, key: key) }

    static func location(of name: String) throws(StoreFileValueError) -> (group: String, key: String) {
        try GSettingsKeyfileFormat.location(of: name)
    }

    static func value(
        _ text: ArraySlice<UInt8>,
        _ flags: KeyFileFlags
    ) throws(StoreFileValueError) -> PreferenceValue {
        let (value, message) = GSettingsKeyfileFormat.read(text)
        guard let value else { throw StoreFileValueError(message) }
        return value
    }

    static func text(
        of value: PreferenceValue,
        replacing old: ArraySlice<UInt8>?
    ) throws(StoreFileValueError) -> [UInt8] {
        try GSettingsKeyfileFormat.text(of: value, replacing: old)
    }

    static func header(of group: String) -> [UInt8] { GSettingsKeyfileFormat.header(of: group) }

    static func text(ofKey key: String) -> [UInt8] { GSettingsKeyfileFormat.text(ofKey: key) }
}
