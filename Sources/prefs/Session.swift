import Foundation
import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesJSON
import PreferencesRuntime

/// The preferences that a command reads and changes, and the catalogue of their keys.
struct Session {
    let preferences: Preferences
    /// The stores, in the order of precedence.
    let layers: [any PreferenceStore]
    /// The store of secrets; nil if the command line names none, and it is not that of an app.
    let secrets: SecretStore?
    let catalogue: PreferenceCatalogue
    /// The schemas of GSettings among those of the catalogue.
    let gSettings: GSettingsSchemas
    let output: OutputFormat
    let showsSecrets: Bool

    /// Returns the key with a name.
    ///
    /// - Parameter name: A key path, such as `weather.unit`, or a storage name, such as `weather:unit`. For GSettings, also
    ///   the id of the schema and the name of the key, such as `org.example.Clock:size`.
    func key(_ name: String) throws(Failure) -> PreferenceKeyDescription {
        if let key = catalogue.first(where: { $0.keyPath == name }) ?? catalogue[storageName: name]
            ?? gSettings.storageName(of: name).flatMap({ catalogue[storageName: $0] })
        {
            return key
        }
        var suggestions = Suggestions()
        let hint =
            if let reason = gSettings.omission(of: name) {
                "it is left out: \(reason)"
            } else if catalogue.contains(where: { $0.keyPath.hasPrefix("\(name).") }) {
                "it is a namespace; 'prefs list \(name)' lists its keys"
            } else if let renamed = catalogue.first(where: { $0.formerNames.contains(name) }) {
                "it is a former name of '\(renamed.keyPath)'"
            } else if case let keys = catalogue.filter({ $0.keyPath.hasSuffix(".\(name)") }), keys.count == 1 {
                "did you mean '\(keys[0].keyPath)'?"
            } else if let nearest = suggestions.nearest(to: name, among: catalogue.map(\.keyPath)) {
                "did you mean '\(nearest)'?"
            } else {
                "'prefs list' lists the keys"
            }
        throw Failure("there is no key '\(name)'; \(hint)")
    }

    /// Returns the keys that a command names: all keys without a name, and those of a namespace or a GSettings schema.
    ///
    /// - Parameter isRecursive: Whether the keys of a GSettings schema include those of its children.
    func keys(_ names: [String], isRecursive: Bool = true) throws(Failure) -> [PreferenceKeyDescription] {
        if names.isEmpty { return Array(catalogue) }
        var keys: [PreferenceKeyDescription] = []
        for name in names {
            if let names = gSettings.storageNames(of: name, isRecursive: isRecursive) {
                keys += names.compactMap { catalogue[storageName: $0] }
                continue
            }
            let inNamespace = catalogue.filter { $0.keyPath.hasPrefix("\(name).") }
            keys += inNamespace.isEmpty ? [try key(name)] : inNamespace
        }
        return keys
    }

    /// Returns the keys that a command names, and reports secrets among them that are left out, because they cannot be
    /// read.
    ///
    /// - Parameter isRecursive: As for ``keys(_:isRecursive:)``.
    /// - Throws: A failure for such a secret that is named by itself, and if no key is left.
    func readableKeys(_ names: [String], isRecursive: Bool = true) throws(Failure) -> [PreferenceKeyDescription] {
        let keys = try keys(names, isRecursive: isRecursive)
        for name in names where !isNamespace(name) { _ = try reference(key(name)) }
        let readable = keys.filter(isReadable)
        if readable.isEmpty, let first = keys.first { _ = try reference(first) }
        reportUnread(keys.count - readable.count)
        return readable
    }

    /// Whether a name stands for several keys.
    func isNamespace(_ name: String) -> Bool {
        gSettings.storageNames(of: name, isRecursive: true) != nil
            || catalogue.contains { $0.keyPath.hasPrefix("\(name).") }
    }

    /// The stores, with that of secrets.
    var allStores: [any PreferenceStore] { layers + (secrets.map { [$0.store] } ?? []) }

    /// Returns a reference to a key.
    ///
    /// - Throws: A failure if it is a secret that cannot be read.
    func reference(_ key: PreferenceKeyDescription) throws(Failure) -> AnyPreferenceReference {
        guard !key.isSecret || secrets?.isMissing == false else {
            let reason = secrets?.reason.map { "\($0); or " } ?? ""
            throw Failure(
                "'\(key.keyPath)' is a secret; \(reason)specify the store of secrets with '--secrets STORE'",
                secrets == nil ? .usage : .system
            )
        }
        if key.isSecret, let secrets, let reason = secrets.reason {
            throw Failure("\(secrets.store.label): \(reason)", .system)
        }
        return preferences.reference(to: key)
    }

    /// Whether a key can be read: it is no secret, or there is a store of secrets, and it is not a keyring that is locked or
    /// missing.
    func isReadable(_ key: PreferenceKeyDescription) -> Bool {
        !key.isSecret || secrets.map { $0.problem == nil } ?? false
    }

    /// Reports a number of secrets that are left out, and what to do.
    func reportOmitted(_ count: Int, _ advice: String) {
        if count > 0 { Console.printError("\(counted(count, "secret")) left out; \(advice)") }
    }

    /// Reports how many keys an administrator has fixed.
    func reportManaged(_ keys: [PreferenceKeyDescription]) {
        let count = keys.count { preferences.reference(to: $0).isManaged }
        if count == 0 { return }
        Console.printError("\(counted(count, "key")) fixed by an administrator; 'prefs explain' says how")
    }

    /// Reports a number of secrets that are not read, and why.
    func reportUnread(_ count: Int) {
        if count == 0 { return }
        let option = "specify the store with '--secrets STORE'"
        let reason = secrets?.reason.map { secrets?.isMissing == true ? "\($0); or \(option)" : $0 } ?? option
        Console.printError("\(counted(count, "secret")) not read; \(reason)")
    }

    /// Reports secrets that a list has without their values, or not at all. If the command line names no store of secrets,
    /// and no app, that is reported only if their values are to be shown.
    ///
    /// - Returns: The exit status of the command.
    func reportUnreadable(_ keys: [PreferenceKeyDescription]) -> ExitStatus {
        let count = keys.count { !isReadable($0) }
        if showsSecrets || secrets != nil { reportUnread(count) }
        return showsSecrets ? status(withUnread: count) : .success
    }

    /// Returns the exit status of a command that was to use a number of secrets, and could not. An app without a store of
    /// secrets, as on most servers, has none.
    func status(withUnread count: Int) -> ExitStatus {
        count > 0 && secrets?.isMissing == false ? .system : .success
    }

    /// Returns the value of a key; nil for a secret that cannot be read, and for a default that is not known.
    func value(_ key: PreferenceKeyDescription) -> PreferenceValue? {
        isReadable(key) ? preferences.reference(to: key).value : nil
    }

    /// Returns the text of a key's value, or `•••` for a secret that is not to be shown.
    ///
    /// - Parameter isLine: Whether the text is a part of a line, and not the value itself.
    func text(of value: PreferenceValue?, _ key: PreferenceKeyDescription, isLine: Bool = false) -> String {
        if isHidden(key) { return Self.hidden }
        if output == .gVariant {
            let isDefault = isReadable(key) && preferences.reference(to: key).resolution.isDefault
            let stored = key.isSecret ? Optional.none : (try? preferences.store.value(for: key.storageName)) ?? nil
            return gSettings.text(of: value, key, stored: stored, isDefault: isDefault)
        }
        guard let value = value.map(key.type.namedValue) else { return "\(key.defaultValue)".escapingControls }
        return isLine ? output.lineText(of: value) : output.text(of: value)
    }

    /// Returns the words before a value in a list: the key path or, in the format of GSettings, the schema and the key.
    func listName(_ key: PreferenceKeyDescription) -> String {
        guard output == .gVariant else { return key.keyPath }
        guard let names = gSettings.names(of: key) else { return key.keyPath.replacing(".", with: " ") }
        return "\(names.schema) \(names.key)"
    }

    /// Returns the name of a key in its namespace in the format of GSettings, and otherwise the key path.
    func shortName(_ key: PreferenceKeyDescription) -> String {
        guard output == .gVariant else { return key.keyPath }
        return gSettings.names(of: key)?.key ?? key.keyPath.split(separator: ".").last.map(String.init) ?? key.keyPath
    }

    /// The text in place of a secret.
    static let hidden = "•••"

    /// Whether the values of a key are not to be shown.
    func isHidden(_ key: PreferenceKeyDescription) -> Bool { key.isSecret && !showsSecrets }

    /// Returns the value of a key for JSON: `•••` for a secret that is not to be shown, and null for a default that is not
    /// known.
    func json(_ value: PreferenceValue?, _ key: PreferenceKeyDescription) -> PreferenceValue {
        isHidden(key) ? .string(Self.hidden) : value?.plain ?? .null
    }

    /// Returns the field for the default of a key in JSON: `default`, or `defaultExpression`.
    func defaultMember(of key: PreferenceKeyDescription) -> (name: String, value: PreferenceValue) {
        if isHidden(key) { return ("default", .string(Self.hidden)) }
        return switch key.defaultValue {
        case .value(let value): ("default", value.plain)
        case .expression(let text, _): ("defaultExpression", .string(text))
        }
    }

    /// Prints a line.
    ///
    /// - Throws: The error of standard output, such as that of a full disk.
    func print(_ line: String) throws(FileError) { try Console.write(Array("\(line)\n".utf8)) }

    /// Prints a value as JSON, with members in alphabetical order.
    ///
    /// - Throws: As ``print(_:)``.
    func printJSON(_ value: PreferenceValue) throws { try print(value.jsonText()) }
}

/// The form of a command's output.
enum OutputFormat: String, CaseIterable {
    /// Texts without quotes, and JSON for other values.
    case text
    case json
    /// The output of `gsettings`.
    case gVariant = "gvariant"

    /// Returns a value on one line.
    func text(of value: PreferenceValue) -> String {
        switch (self, value.plain) {
        case (.text, .string(let text)): text
        case (_, let value): value.jsonLine
        }
    }

    /// Returns a value as a part of a line. A string that would break the line, or that reads as JSON, is JSON.
    func lineText(of value: PreferenceValue) -> String {
        if case .string(let text) = value.plain, text.hasControls || text.hasPrefix("\"") { return value.jsonLine }
        return text(of: value)
    }
}

extension Failure {
    /// Creates the failure of an error of the stores.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as FileError: self.init(error)
        case let problem as PreferenceProblem:
            self.init("\(problem)", problem.isOfValue ? .schemaFault : .system)
        case let error as PreferenceProblems:
            self.init("\(error)", error.problems.allSatisfy(\.isOfValue) ? .schemaFault : .system)
        default: self.init("\(error)", .system)
        }
    }
}

extension PreferenceProblem {
    /// Whether the problem is that of a value, and not of the store.
    var isOfValue: Bool {
        let codes: [PreferenceProblem.Code] = [.typeMismatch, .constraintViolation, .unencodable, .managed]
        return codes.contains(code)
    }
}

/// The JSON of encodable values, as a value that is printed like all others.
enum JSONLine {
    static func value(of encodable: some Encodable) throws -> PreferenceValue {
        let encoder = JSONEncoder()
        let data = try encoder.encode(encodable)
        guard let value = PreferenceValue(jsonText: String(decoding: data, as: UTF8.self)) else {
            throw Failure("the result is no JSON", .system)
        }
        return value
    }
}
