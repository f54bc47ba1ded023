import Foundation
import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesCompatibility
import PreferencesRuntime

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
    /// - Parameter values: The values, by storage name.
    func text(of values: [String: PreferenceValue], _ options: Options) throws -> [UInt8] {
        if self == .env {
            let store = EnvironmentStore(prefix: options.prefix, environment: [:])
            var names: [String: String] = [:]
            let lines = try values.sorted { $0.key < $1.key }.map { name, value in
                let variable = store.variable(for: name)
                if let other = names.updateValue(name, forKey: variable) {
                    throw Failure("'\(other)' and '\(name)' have the same environment variable, \(variable)")
                }
                return "\(variable)=\(try value.variableText.quotedForShell)\n"
            }
            return Array(lines.sorted().joined().utf8)
        }
        return try withTemporaryFile { url in
            let store = store(at: url, namesOf: values.keys, options)
            // A store without values has no file, unless it had one.
            if values.isEmpty {
                try store.commit(["value": .set(1)])
                try store.flush()
            }
            try store.commit(values.isEmpty ? ["value": .remove] : PreferenceBatch(values.mapValues { .set($0) }))
            try store.flush()
            return try FileContents.read(url.path)
        }
    }

    /// Runs a body with a store of a text.
    ///
    /// - Parameters:
    ///   - names: The storage names that the text can have.
    ///   - body: Reads the store, which exists until it returns.
    func withStore<Result>(
        of bytes: [UInt8],
        names: some Collection<String>,
        _ options: Options,
        _ body: (any PreferenceStore) throws -> Result
    ) throws -> Result {
        if self == .env {
            guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure("the file is not UTF-8") }
            let environment = try EnvironmentText.variables(in: text)
            return try body(EnvironmentStore(prefix: options.prefix, environment: environment))
        }
        return try withTemporaryFile { url in
            // Only the user may read it: it may contain secrets.
            let isWritten = FileManager.default.createFile(
                atPath: url.path,
                contents: Data(bytes),
                attributes: [.posixPermissions: 0o600]
            )
            guard isWritten else { throw Failure("cannot write the temporary file \(url.path)", .system) }
            return try body(ReadOnlyStore(store(at: url, namesOf: names, options)))
        }
    }

    private func store(
        at url: URL,
        namesOf names: some Collection<String>,
        _ options: Options
    ) -> any PreferenceStore {
        switch self {
        case .json: FileStore(url: url, format: .json, damageHandling: .refuse)
        case .plist: FileStore(url: url, format: .xmlPropertyList, damageHandling: .refuse)
        case .dconf:
            GSettingsKeyfileStore(url: url, paths: options.paths(of: names))
        case .env: preconditionFailure("environment variables are no file")
        }
    }

    /// Runs a body with the URL of a file in a folder that only the user can read.
    private func withTemporaryFile<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(component: "prefs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder.appending(component: "values"))
    }
}

extension ValueFormat.Options {
    /// Returns the paths of the namespaces of names.
    fileprivate func paths(of names: some Collection<String>) -> [String: String] {
        var paths: [String: String] = [:]
        for name in names {
            guard let colon = name.lastIndex(of: ":") else { continue }
            let namespace = String(name[..<colon])
            let components = namespace.split { $0 == ":" || $0 == "." }
            paths[namespace] = self.paths[namespace] ?? "/\(components.joined(separator: "/"))/"
        }
        return paths
    }
}

extension PreferenceValue {
    /// The text that `EnvironmentStore` reads as this value.
    fileprivate var variableText: String {
        get throws {
            switch self {
            // The type of what is in these is not known, so that dates and data have tags.
            case .array, .dictionary: try jsonText().split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
            default: OutputFormat.text.text(of: self)
            }
        }
    }
}

/// Files of environment variables, as shells read them.
private enum EnvironmentText {
    /// Returns the variables of lines such as `NAME=value`, `export NAME='a value'` and `# comment`.
    ///
    /// - Throws: A failure for a line of another form, such as one with an expansion.
    static func variables(in text: String) throws(Failure) -> [String: String] {
        var variables: [String: String] = [:]
        var rest = text[...]
        var line = 1
        while !rest.isEmpty {
            let start = rest.startIndex
            let number = line
            rest = rest.drop { $0 == " " || $0 == "\t" }
            if rest.hasPrefix("export ") { rest = rest.dropFirst("export ".count).drop { $0 == " " } }
            if rest.first == "#" || rest.first?.isNewline == true {
                rest = rest.drop { !$0.isNewline }.dropFirst()
                line += 1
                continue
            }
            let name = rest.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=", !name.isEmpty else {
                // The value may be a secret.
                let shown = text[start...].prefix { !$0.isNewline && $0 != "=" }
                throw Failure("line \(number): '\(shown)' is not a variable; write NAME=VALUE")
            }
            rest = rest.dropFirst()
            variables[String(name)] = try word(&rest, line: number)
            line += text[start..<rest.startIndex].count { $0.isNewline }
        }
        return variables
    }

    /// Reads a word with the quoting of POSIX shells, up to the end of its line.
    private static func word(_ rest: inout Substring, line: Int) throws(Failure) -> String {
        var word = ""
        while let character = rest.popFirst() {
            switch character {
            case _ where character.isNewline: return word
            case "'":
                guard let end = rest.firstIndex(of: "'") else { throw unended(line) }
                word += rest[..<end]
                rest = rest[rest.index(after: end)...]
            case "\"": try readQuoted(&rest, &word, line: line)
            case "\\": if let escaped = rest.popFirst(), !escaped.isNewline { word.append(escaped) }
            case "$", "`", "&", ";", "|", "<", ">", "(", ")":
                throw Failure("line \(line): '\(character)' has a meaning for shells; quote the value")
            case " ", "\t":
                let comment = rest.drop { $0 == " " || $0 == "\t" }
                guard comment.isEmpty || comment.first == "#" || comment.first?.isNewline == true else {
                    throw Failure("line \(line): the value has a space; quote it")
                }
                rest = comment.drop { !$0.isNewline }.dropFirst()
                return word
            default: word.append(character)
            }
        }
        return word
    }

    private static func readQuoted(_ rest: inout Substring, _ word: inout String, line: Int) throws(Failure) {
        while let character = rest.popFirst() {
            switch character {
            case "\"": return
            case "\\":
                guard let escaped = rest.popFirst() else { break }
                if escaped.isNewline { continue }
                if !"\\\"$`".contains(escaped) { word.append("\\") }
                word.append(escaped)
            case "$", "`":
                throw Failure("line \(line): '\(character)' has a meaning for shells; quote the value with '")
            default: word.append(character)
            }
        }
        throw unended(line)
    }

    private static func unended(_ line: Int) -> Failure { Failure("line \(line): the quotes have no end") }
}

extension String {
    /// The text in single quotes, unless it needs none in a shell.
    fileprivate var quotedForShell: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "_-./:@%+,".utf8.contains(byte)
            }
        }
        return isPlain
            ? self : "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }
}
