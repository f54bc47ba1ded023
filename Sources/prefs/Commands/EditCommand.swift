import Foundation
import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime

/// `prefs edit`.
struct EditCommand {
    private var live = LiveArguments()
    private var names: [String] = []

    static let description = CommandDescription(
        summary: "Change values in an editor.",
        overview: "Opens the values in an editor, and applies the changes when it is closed, all at once.",
        usage: ["edit [OPTIONS] [KEY…]"],
        discussion: """
            The editor is that of VISUAL or EDITOR, otherwise vi. It is opened again if a value does not fit the schema; if
            the text is then saved unchanged, nothing is changed. Secrets are left out.
            """,
        sections: [StoreLocation.section],
        arguments: [LiveArguments.optionalKeys],
        options: LiveArguments.options,
        examples: ["edit --app weather", "edit --app weather weather.radar"]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = parser.next() {
            switch argument {
            case .positional(let name): names.append(name)
            case .option(let option):
                if try !live.parse(option, &parser) { throw parser.unknownOption(option) }
            }
        }
    }

    func run() throws(UsageError) -> ExitStatus {
        try live.run { session in
            let keys = try session.keys(names).filter { !$0.isSecret }
            guard !keys.isEmpty else { throw Failure("there are only secrets; set them with 'prefs set'") }
            let folder = FileManager.default.temporaryDirectory.appending(component: "prefs-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            let file = folder.appending(component: "preferences.jsonc")
            let result = try edit(EditedText(keys, session), in: file, session)
            if case .abandoned(let status) = result { return status }
            try FileManager.default.removeItem(at: folder)
            if case .applied(let summary) = result { Console.printError(summary) }
            return .success
        }
    }

    private enum Result {
        case applied(String)
        /// The text cannot be applied, and stays in its file.
        case abandoned(ExitStatus)
    }

    /// Opens the editor until the text can be applied, or is saved unchanged after a fault.
    private func edit(_ text: EditedText, in file: URL, _ session: Session) throws -> Result {
        var shown = text.text
        var problems: [PreferenceProblem] = []
        func abandon() -> Result {
            for problem in problems { Console.printFailure(problem.description, of: Tool.prefs.name) }
            Console.printError("Nothing was changed. The text is in \(file.path)")
            return .abandoned(problems.allSatisfy(\.isOfText) ? .schemaFault : .system)
        }
        while true {
            try FileContents.write(Array(shown.utf8), to: file.path)
            try Self.runEditor(on: file.path)
            guard let saved = String(validating: try FileContents.read(file.path), as: UTF8.self) else {
                throw Failure("the editor has not saved UTF-8; nothing was changed. The text is in \(file.path)")
            }
            let edited = EditedText.withoutProblems(saved)
            if !problems.isEmpty, edited == EditedText.withoutProblems(shown) { return abandon() }
            do {
                return .applied(try text.apply(edited, at: file, session))
            } catch let error as PreferenceProblems {
                problems = error.problems
            } catch let problem as PreferenceProblem {
                problems = [problem]
            }
            if !Terminal.isInteractive { return abandon() }
            shown = EditedText.with(problems.map(\.description), edited)
        }
    }

    private static func runEditor(on path: String) throws(Failure) {
        let environment = ProcessInfo.processInfo.environment
        let editor = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self).first { !$0.isEmpty } ?? "vi"
        let status = Terminal.run("\(editor) \(path.shellQuoted)")
        guard status == 0 else {
            throw Failure(
                "the editor '\(editor)' ended with status \(status); nothing was changed. The text is in \(path)",
                .system
            )
        }
    }
}

extension PreferenceProblem {
    /// Whether the edited text is at fault, and not a store.
    fileprivate var isOfText: Bool { isOfValue || code == .unrecognizedName || code == .storeMalformed }
}

/// The values of keys as a text to edit: JSON with comments.
private struct EditedText {
    let text: String
    private let keys: [PreferenceKeyDescription]
    /// The values in the text, by key path.
    private let values: [String: PreferenceValue]

    private static let problemMark = "// error: "

    init(_ keys: [PreferenceKeyDescription], _ session: Session) {
        self.keys = keys
        var values: [String: PreferenceValue] = [:]
        var lines = [
            "// Save and close the editor to apply the changes, or delete nothing to leave a value as it is.",
            "// A key without a value, such as one behind //, has its default.",
            "{",
        ]
        for key in keys {
            let reference = session.preferences.reference(to: key)
            let value = reference.value
            if reference.isSet { values[key.keyPath] = value }
            let comments = [key.label, key.description, key.editingHint].compactMap(\.self)
            lines += comments.flatMap { $0.split(whereSeparator: \.isNewline) }.map { "  // \($0)" }
            let member = "\(PreferenceValue.string(key.keyPath).jsonLine): \(value?.plain.jsonLine ?? "null"),"
            lines.append(reference.isSet ? "  \(member)" : "  // \(member)")
            lines.append("")
        }
        if lines.last == "" { lines.removeLast() }
        self.values = values
        text = (lines + ["}", ""]).joined(separator: "\n")
    }

    /// Applies an edited text.
    ///
    /// - Parameter file: The file with the text, which messages name by their lines.
    /// - Returns: What was changed.
    /// - Throws: All problems; nothing is changed.
    func apply(_ text: String, at file: URL, _ session: Session) throws -> String {
        try FileContents.write(Array(text.utf8), to: file.path)
        let store = FileStore(url: file, format: .jsonWithComments, damageHandling: .refuse)
        try store.reload()
        let names = try store.names()
        // Values that others have changed in the meantime are kept, unless they were edited.
        var edited: [String: PreferenceValue] = [:]
        for name in names {
            guard let plain = try store.value(for: name) else { continue }
            let key = keys.first { $0.keyPath == name }
            let value = key?.type.storedValue(plain) ?? plain
            if values[name] != value { edited[key?.storageName ?? name] = value }
        }
        let removed = keys.filter { values[$0.keyPath] != nil && !names.contains($0.keyPath) }
        var changes = ValueChanges(edited, in: session)
        changes.reset(removed)
        try changes.apply(in: session)
        return changes.summary
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
        ([unit.map { "\(type), \($0)" } ?? "\(type)"] + permittedValues).joined(separator: "; ")
    }
}
