import Foundation
import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesCompatibility
import PreferencesRuntime
import PreferencesSchema

/// A format of files with values, for `dump` and `load`. Each is that of a store.
enum ValueFormat: String, CaseIterable {
    case json
    case plist
    case env
    case dconf

    static let completion = CommandDescription.Completion.words(allCases.map(\.rawValue))

    /// Options of the formats.
    struct Options {
        /// The prefix of environment variables.
        var prefix = ""
        /// The paths of namespaces in dconf, where they are not made of their ids: `org.example.Clock` is
        /// `/org/example/Clock/`.
        var paths: [String: String] = [:]
    }

    /// Returns the text of values.
    ///
    /// - Parameters:
    ///   - values: The values, by storage name.
    ///   - keys: The keys of the values.
    /// - Throws: A failure that names the key whose value the format cannot represent.
    func text(
        of values: [String: PreferenceValue],
        _ keys: [PreferenceKeyDescription],
        _ options: Options
    ) throws(Failure) -> [UInt8] {
        if self == .env { return try EnvironmentText.text(of: values, keys, prefix: options.prefix) }
        let paths = self == .dconf ? try options.paths(of: values.keys) : [:]
        do throws(ParsedDocument.Fault) {
            if self == .dconf { return try GSettingsKeyfileStore.text(of: values, paths: paths) }
            var document = ParsedDocument(fileFormat)
            try document.set(values)
            return try document.encoded()
        } catch {
            throw Failure(error.message)
        }
    }

    /// Returns a store of a text.
    ///
    /// - Parameters:
    ///   - names: The storage names that the text can have.
    ///   - label: The name of the file in messages.
    func store(
        of bytes: [UInt8],
        names: some Collection<String>,
        _ options: Options,
        label: String
    ) throws(Failure) -> any PreferenceStore {
        if self == .env {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Failure("\(label): the file is not UTF-8")
            }
            guard !bytes.contains(0) else { throw Failure("\(label): the file has NUL, which no variable has") }
            let environment = try EnvironmentText.variables(in: text)
            return EnvironmentStore(prefix: options.prefix, environment: environment)
        }
        let paths = self == .dconf ? try options.paths(of: names) : [:]
        do throws(ParsedDocument.Fault) {
            if self == .dconf { return try GSettingsKeyfileStore(parsing: bytes, paths: paths, label: label) }
            return DocumentStore(try ParsedDocument(parsing: bytes, as: fileFormat), label: label)
        } catch {
            throw Failure("\(label): \(error.message)")
        }
    }

    /// Whether files can have key paths, and texts for types that JSON does not have.
    var hasKeyPaths: Bool { self == .json || self == .plist }

    private var fileFormat: FileStore.Format { self == .plist ? .xmlPropertyList : .json }
}

extension ValueFormat.Options {
    /// Returns the paths of the namespaces of names.
    ///
    /// - Throws: A failure if two namespaces have the same path, or dconf has no such path.
    fileprivate func paths(of names: some Collection<String>) throws(Failure) -> [String: String] {
        var paths: [String: String] = [:]
        var namespaces: [String: String] = [:]
        for name in names {
            guard let colon = name.lastIndex(of: ":") else { continue }
            let namespace = String(name[..<colon])
            guard paths[namespace] == nil else { continue }
            let components = namespace.split { $0 == ":" || $0 == "." }
            let path = self.paths[namespace] ?? "/\(components.joined(separator: "/"))/"
            guard GSettingsKeyfileStore.accepts(path: path) else {
                throw Failure("dconf has no path '\(path)'; specify another with '--path \(namespace)=/PATH/'", .usage)
            }
            if let other = namespaces.updateValue(namespace, forKey: path) {
                let both = [namespace, other].sorted().quotedList
                throw Failure("\(both) have the same path '\(path)'; specify another with '--path'", .usage)
            }
            paths[namespace] = path
        }
        return paths
    }
}

/// Files of environment variables, as shells read them: by scalars, since a character can be a quote with a combining
/// accent.
private struct EnvironmentText {
    private var rest: Substring.UnicodeScalarView
    private var line = 1
    private var variables: [String: String] = [:]

    /// Returns the variables of lines such as `NAME=value`, `export NAME='a value'` and `# comment`.
    ///
    /// - Throws: A failure for a line of another form, such as one with an expansion.
    static func variables(in text: String) throws(Failure) -> [String: String] {
        var reader = EnvironmentText(rest: text[...].unicodeScalars)
        while !reader.rest.isEmpty { try reader.readLine() }
        return reader.variables
    }

    /// Returns the lines of values.
    ///
    /// - Throws: A failure that names the key whose value, if it were loaded, would be another one or none.
    static func text(
        of values: [String: PreferenceValue],
        _ keys: [PreferenceKeyDescription],
        prefix: String
    ) throws(Failure) -> [UInt8] {
        let store = EnvironmentStore(prefix: prefix, environment: [:])
        var names: [String: String] = [:]
        var lines: [String] = []
        for key in keys.sorted(by: { $0.storageName < $1.storageName }) {
            let name = key.storageName
            guard let value = values[name] else { continue }
            let variable = store.variable(for: name)
            guard variable.isVariableName else {
                throw Failure("'\(name)' cannot be dumped: '\(variable)' is not the name of an environment variable")
            }
            if let other = names.updateValue(name, forKey: variable) {
                // A command line can name a key twice.
                if other == name { continue }
                throw Failure("'\(other)' and '\(name)' have the same environment variable, \(variable)")
            }
            let text = value.variableTexts.first { $0.isRead(as: value, of: key, from: variable, prefix: prefix) }
            guard let text else {
                let fault = value == .null ? "nil" : value.hasNUL ? "a value with NUL" : "this value"
                throw Failure("'\(name)' cannot be dumped: environment variables cannot represent \(fault)")
            }
            lines.append("\(variable)=\(text.shellQuoted)\n")
        }
        return Array(lines.sorted().joined().utf8)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "\r" }

    private mutating func readLine() throws(Failure) {
        skipBlanks()
        if rest.starts(with: "export ".unicodeScalars) {
            rest = rest.dropFirst("export ".count)
            skipBlanks()
        }
        if rest.isEmpty || rest.first == "#" || rest.first == "\n" { return skipLine() }
        let name = rest.prefix { $0.isVariableNamePart }
        rest = rest.dropFirst(name.count)
        guard rest.popFirst() == "=", String(name).isVariableName else {
            // The line may be a part of a secret.
            throw Failure("line \(line) is not a variable; write NAME=VALUE")
        }
        variables[String(name)] = try word()
    }

    private mutating func skipBlanks() { rest = rest.drop(while: Self.isBlank) }

    private mutating func skipLine() {
        rest = rest.drop { $0 != "\n" }.dropFirst()
        line += 1
    }

    /// Reads a word with the quoting of POSIX shells, up to the end of its line.
    private mutating func word() throws(Failure) -> String {
        var word = String.UnicodeScalarView()
        let first = line
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\n":
                line += 1
                return String(word)
            case "'":
                guard let end = rest.firstIndex(of: "'") else { throw Self.unended(first) }
                line += rest[..<end].count { $0 == "\n" }
                word += rest[..<end]
                rest = rest[rest.index(after: end)...]
            case "\"": try readQuoted(&word)
            case "\\":
                guard let escaped = rest.popFirst() else { break }
                if escaped == "\n" { line += 1 } else { word.append(escaped) }
            case "$", "`", "&", ";", "|", "<", ">", "(", ")":
                throw Failure("line \(line): '\(scalar)' has a meaning for shells; quote the value")
            case _ where Self.isBlank(scalar):
                skipBlanks()
                guard rest.isEmpty || rest.first == "#" || rest.first == "\n" else {
                    throw Failure("line \(line): the value has a space; quote it")
                }
                skipLine()
                return String(word)
            default: word.append(scalar)
            }
        }
        return String(word)
    }

    private mutating func readQuoted(_ word: inout String.UnicodeScalarView) throws(Failure) {
        let first = line
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return
            case "\\":
                guard let escaped = rest.popFirst() else { break }
                if escaped == "\n" {
                    line += 1
                    continue
                }
                if !"\\\"$`".unicodeScalars.contains(escaped) { word.append("\\") }
                word.append(escaped)
            case "$", "`":
                throw Failure("line \(line): '\(scalar)' has a meaning for shells; quote the value with '")
            default:
                if scalar == "\n" { line += 1 }
                word.append(scalar)
            }
        }
        throw Self.unended(first)
    }

    private static func unended(_ line: Int) -> Failure { Failure("line \(line): the quotes have no end") }
}

extension PreferenceValue {
    /// The texts that `EnvironmentStore` may read as this value, the simplest first.
    fileprivate var variableTexts: [String] {
        // The type of what is in a container is not known, so that dates and data have tags.
        let json = (try? jsonText())?.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
        return switch self {
        case .array, .dictionary: [json].compactMap(\.self)
        default: [OutputFormat.text.text(of: self), json].compactMap(\.self)
        }
    }

    fileprivate var hasNUL: Bool {
        if case .string(let text) = self { text.utf8.contains(0) } else { false }
    }
}

extension String {
    /// Whether the text of a variable reads as a value.
    fileprivate func isRead(
        as value: PreferenceValue,
        of key: PreferenceKeyDescription,
        from variable: String,
        prefix: String
    ) -> Bool {
        if utf8.contains(0) { return false }
        // The program that declares the type reads it.
        if case .external = key.type.unwrapped { return true }
        let store = EnvironmentStore(prefix: prefix, environment: [variable: self])
        let preferences = Preferences(store: store, secrets: store)
        return preferences.returningProblems {
            let reference = preferences.reference(to: key)
            return !reference.resolution.isDefault && reference.value == value
        }
    }

    /// Whether shells accept the text as the name of a variable.
    fileprivate var isVariableName: Bool {
        guard let first = unicodeScalars.first, first.properties.numericType == nil else { return false }
        return unicodeScalars.allSatisfy(\.isVariableNamePart)
    }
}

extension Unicode.Scalar {
    fileprivate var isVariableNamePart: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }
}
