import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime

/// `prefs check`.
struct CheckCommand: ParsableCommand {
    private var live = LiveArguments()
    private var permitsUnknownNames = false
    private var permitsMissingFiles = false

    static let description = CommandDescription(
        summary: "Check all values against the schema.",
        overview:
            "Reads every key in every layer, and lists the values that do not fit the schema, and the names that it does "
            + "not have.",
        usage: ["check [OPTIONS]"],
        discussion: """
            The exit status is 1 if there are any, for deployment scripts.
            """,
        sections: [StoreLocation.section],
        options: [
            .init("--allow-unknown", "Permit names that the schema does not have."),
            .init("--allow-missing", "Permit files of '--store' that do not exist."),
        ] + LiveArguments.options,
        examples: ["check --schema Weather.preferences.json -s /etc/xdg/weather/preferences.json"]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = try live.next(&parser) {
            switch argument {
            case .positional: throw UsageError(message: "'check' reads all keys; remove the arguments")
            case .option(let option) where option.name == "--allow-unknown":
                try parser.setFlag(&permitsUnknownNames, by: option)
            case .option(let option) where option.name == "--allow-missing":
                try parser.setFlag(&permitsMissingFiles, by: option)
            case .option(let option): throw parser.unknownOption(option)
            }
        }
    }

    func run() throws(UsageError) -> ExitStatus {
        try live.run(printsProblems: false, asksUser: false) { session in
            // A mistyped path would otherwise pass the check.
            if !permitsMissingFiles, let missing = live.missingFile {
                let advice = "correct the path, or permit it with '--allow-missing'"
                throw Failure("\(missing) does not exist; \(advice)", .system)
            }
            let unread = session.catalogue.count { !session.isReadable($0) }
            session.reportUnread(unread)
            session.reportShared(Array(session.catalogue))
            let check = SchemaCheck(
                preferences: session.preferences,
                layers: session.layers,
                catalogue: session.catalogue,
                readsSecrets: unread == 0
            )
            let problems = try check.problems(permitsUnknownNames: permitsUnknownNames)
            switch session.output {
            case .json:
                try session.printJSON(.array(problems.map { $0.preferenceValue(session.catalogue) }))
            case .text, .gVariant:
                for problem in problems { try session.print(problem.description.escapingControls) }
                let count = problems.isEmpty ? "no problems" : counted(problems.count, "problem")
                let note = unread == 0 ? "" : "; \(counted(unread, "secret")) not read"
                try session.print("\(counted(session.catalogue.count, "key")): \(count)\(note)")
            }
            return problems.isEmpty ? .success : .schemaFault
        }
    }
}

extension PreferenceProblem {
    /// Returns the problem for JSON.
    func preferenceValue(_ catalogue: PreferenceCatalogue) -> PreferenceValue {
        .dictionary([
            "code": .string(code.rawValue), "key": keyPath(in: catalogue).map(PreferenceValue.string) ?? .null,
            "storageName": key.map(PreferenceValue.string) ?? .null, "store": .string(store),
            "message": .string(message),
        ])
    }

    /// Returns the path of the key with the problem; nil for a name that belongs to no key, and for a whole store.
    private func keyPath(in catalogue: PreferenceCatalogue) -> String? {
        guard let name = key else { return nil }
        let isOfField = code == .unrecognizedField
        return catalogue.first { key in
            ([key.storageName] + key.formerNames).contains { $0 == name || isOfField && name.hasPrefix("\($0).") }
        }?.keyPath
    }

    /// The key and the message, for a line about a store or a file.
    var messageAboutKey: String { "\(key.map { "'\($0)': " } ?? "")\(message)" }
}
