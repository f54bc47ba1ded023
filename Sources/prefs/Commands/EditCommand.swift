import Foundation
import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime

/// `prefs edit`.
struct EditCommand: ParsableCommand {
    private var live = LiveArguments()
    private var names: [String] = []

    static let description = CommandDescription(
        summary: "Change values in an editor.",
        overview: "Opens the values in an editor, and applies the changes when it is closed, all at once.",
        usage: ["edit [OPTIONS] [KEY…]"],
        discussion: """
            The editor is that of VISUAL or EDITOR, otherwise vi. It must run until the file is closed: 'code --wait'. In
            a terminal, it is opened again if a value does not fit the schema; if the text is then saved unchanged, nothing
            is changed. Secrets are left out. The text is in a private folder 'prefs-…' in that of TMPDIR, otherwise in
            /tmp, which is removed when the changes are applied.
            """,
        sections: [StoreLocation.section],
        arguments: [LiveArguments.optionalKeys],
        options: LiveArguments.options,
        examples: ["edit --app weather", "edit --app weather weather.radar"]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = try live.next(&parser) { names.append(try parser.positional(argument)) }
    }

    func run() throws(UsageError) -> ExitStatus {
        try live.run { session in
            let keys = try session.keys(names).filter { !$0.isSecret }
            guard !keys.isEmpty else { throw Failure("there are only secrets; set them with 'prefs set'") }
            let file = try PrivateFile("preferences.jsonc")
            var isKept = false
            defer { if !isKept { file.remove() } }
            var edit = Edit(EditedText(keys, session), in: file)
            do {
                Console.printError(try edit.run(session))
                return .success
            } catch {
                isKept = edit.hasUnsavedText
                let location = isKept ? " The text is in \(file.path)" : ""
                guard let problems = (error as? EditingProblems)?.problems else {
                    var failure = Failure(error)
                    failure.message += "; nothing was changed" + (isKept ? ".\(location)" : "")
                    throw failure
                }
                for problem in problems { Console.printFailure(problem.description, of: Tool.prefs.name) }
                Console.printError("Nothing was changed.\(location)")
                return problems.allSatisfy(\.isOfText) ? .schemaFault : .system
            }
        }
    }
}

/// An edit of a text in a program of the user.
private struct Edit {
    private let text: EditedText
    private let file: PrivateFile
    /// The text that the program opens.
    private var shown: String
    /// The problems of the text that was saved last.
    private var problems: [PreferenceProblem] = []
    private var hasRunEditor = false

    init(_ text: EditedText, in file: PrivateFile) {
        self.text = text
        self.file = file
        shown = text.text
    }

    /// Whether the file has a text that the user has changed, or an editor that failed has left another file.
    var hasUnsavedText: Bool {
        guard hasRunEditor else { return false }
        if file.hasCompanions { return true }
        guard let bytes = try? file.read() else { return false }
        return String(validating: bytes, as: UTF8.self).map(EditedText.withoutProblems) != text.text
    }

    /// Opens the editor until the text can be applied, or is saved unchanged after a fault.
    ///
    /// - Returns: What was changed.
    /// - Throws: All problems of the text, or the error of the editor.
    mutating func run(_ session: Session) throws -> String {
        while true {
            try file.write(Array(shown.utf8))
            hasRunEditor = true
            try Self.runEditor(on: file.path)
            guard let saved = String(validating: try file.read(), as: UTF8.self) else {
                throw Failure("the editor has not saved UTF-8")
            }
            let edited = EditedText.withoutProblems(saved)
            // Messages name lines of the text without its problems.
            if edited != saved { try file.write(Array(edited.utf8)) }
            if !problems.isEmpty, edited == EditedText.withoutProblems(shown) {
                throw EditingProblems(problems: problems)
            }
            do {
                return try text.apply(edited, label: file.path, session)
            } catch let error as PreferenceProblems {
                problems = error.problems
            } catch let problem as PreferenceProblem {
                problems = [problem]
            }
            if !Terminal.isInteractive { throw EditingProblems(problems: problems) }
            shown = EditedText.with(problems.map(\.description), edited)
        }
    }

    private static func runEditor(on path: String) throws(Failure) {
        let environment = ProcessInfo.processInfo.environment
        let editor = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self).first { !$0.isEmpty } ?? "vi"
        let status = Terminal.run("\(editor) \(path.shellQuoted)")
        guard status == 0 else { throw Failure("the editor '\(editor)' ended with status \(status)", .system) }
    }
}

extension PreferenceProblem {
    /// Whether the edited text is at fault, and not a store.
    fileprivate var isOfText: Bool { isOfValue || code == .unrecognizedName || code == .storeMalformed }
}

/// The problems of an edited text.
private struct EditingProblems: Error {
    let problems: [PreferenceProblem]
}

/// The values of keys as a text to edit: JSON with comments.
private struct EditedText {
    let text: String
    private let keys: [PreferenceKeyDescription]
    /// The keys by key path.
    private let keysByPath: [String: PreferenceKeyDescription]
    /// The values in the text, by key path.
    private let values: [String: PreferenceValue]

    private static let problemMark = "// error: "

    init(_ keys: [PreferenceKeyDescription], _ session: Session) {
        self.keys = keys
        keysByPath = Dictionary(keys.map { ($0.keyPath, $0) }) { first, _ in first }
        var values: [String: PreferenceValue] = [:]
        var lines = [
            "// Save and close the editor to apply the changes; without changes, nothing is set.",
            "// A key that is removed, or behind //, has its default, unless an administrator has fixed it.",
            "{",
        ]
        for key in keys {
            let reference = session.preferences.reference(to: key)
            let value = reference.value
            let resolution = reference.resolution
            // A stored value that cannot be used reads as the default, which is not what is set.
            let policy = reference.managedBy
            let isUsed = policy == nil && reference.isSet && !resolution.isDefault
            if isUsed { values[key.keyPath] = value }
            let faults = isUsed ? [] : resolution.problems.map { "The stored value cannot be used: \($0.message)" }
            let notes = policy.map { ["It is fixed by \($0), and cannot be changed."] } ?? []
            let comments = [key.label, key.description, key.editingHint].compactMap(\.self) + notes + faults
            lines += comments.flatMap { $0.split(whereSeparator: \.isNewline) }.map { "  // \($0)" }
            let text = value.map(key.type.namedValue)?.jsonLine ?? "\(key.defaultValue)"
            let member = "\(PreferenceValue.string(key.keyPath).jsonLine): \(text),"
            lines.append(isUsed ? "  \(member)" : "  // \(member)")
            lines.append("")
        }
        if lines.last == "" { lines.removeLast() }
        self.values = values
        text = (lines + ["}", ""]).joined(separator: "\n")
    }

    /// Applies an edited text.
    ///
    /// - Parameter label: The name of the file in messages.
    /// - Returns: What was changed.
    /// - Throws: All problems; nothing is changed.
    func apply(_ text: String, label: String, _ session: Session) throws -> String {
        let document: ParsedDocument
        do {
            document = try ParsedDocument(parsing: Array(text.utf8), as: .jsonWithComments)
        } catch {
            throw PreferenceProblem(.storeMalformed, store: label, message: error.message)
        }
        let store = DocumentStore(document, label: label)
        let names = store.names()
        // Values that others have changed in the meantime are kept, unless they were edited.
        var edited: [String: PreferenceValue] = [:]
        for name in names {
            guard let plain = try store.value(for: name) else { continue }
            let key = keysByPath[name]
            let value = key?.type.storedValue(plain) ?? plain
            if values[name] == value { continue }
            if let key { try Self.checkFields(of: value, key, before: values[name], label) }
            edited[key?.storageName ?? name] = value
        }
        let removed = keys.filter { values[$0.keyPath] != nil && !names.contains($0.keyPath) }
        var changes = ValueChanges(edited, in: session)
        changes.reset(removed)
        try changes.apply(in: session)
        return changes.summary
    }

    /// Throws a problem for a field that the schema does not have. A later version of the program may have stored it, so
    /// that one that was there before is kept.
    private static func checkFields(
        of value: PreferenceValue,
        _ key: PreferenceKeyDescription,
        before old: PreferenceValue?,
        _ label: String
    ) throws(PreferenceProblem) {
        let known = old.map { key.type.messagesAboutUnknownFields(in: $0) } ?? []
        guard let message = key.type.messagesAboutUnknownFields(in: value).first(where: { !known.contains($0) }) else {
            return
        }
        throw PreferenceProblem(.typeMismatch, key: key.storageName, store: label, message: message)
    }

    /// Returns the text with problems at its beginning.
    static func with(_ problems: [String], _ text: String) -> String {
        problems.map { "\(problemMark)\($0)\n" }.joined() + text
    }

    /// Returns the text without the problems at its beginning.
    static func withoutProblems(_ text: String) -> String {
        var rest = text[...]
        while rest.hasPrefix(problemMark) { rest = rest.drop { !$0.isNewline }.dropFirst() }
        return String(rest)
    }
}

extension PreferenceKeyDescription {
    /// The type and the permitted values, for a comment.
    fileprivate var editingHint: String {
        let fields = fields.isEmpty ? [] : ["with the fields \(fields.joined(separator: ", "))"]
        return ([unit.map { "\(type), \($0)" } ?? "\(type)"] + permittedValues + fields).joined(separator: "; ")
    }
}
