import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime

/// `prefs reset`.
struct ResetCommand: ParsableCommand {
    private var live = LiveArguments()
    private var names: [String] = []
    private var resetsAll = false

    static let description = CommandDescription(
        summary: "Reset keys to their defaults.",
        overview: "Resets keys, so that they read as their defaults, all at once or not at all.",
        usage: ["reset [OPTIONS] KEY…", "reset [OPTIONS] --all"],
        discussion: """
            Secrets of a namespace, or among all keys, that cannot be read are left out. The exit status is 3 if there is a
            store of them.
            """,
        sections: [StoreLocation.section],
        arguments: [LiveArguments.keyOrNamespace],
        options: [.init("--all", "Reset all keys of the schema.")] + LiveArguments.options,
        examples: ["reset --app weather weather.unit", "reset --app weather weather"]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = try live.next(&parser) {
            switch argument {
            case .option(let option) where option.name == "--all": try parser.setFlag(&resetsAll, by: option)
            default: names.append(try parser.positional(argument))
            }
        }
        guard resetsAll == names.isEmpty else {
            throw UsageError(
                message: resetsAll
                    ? "'--all' resets all keys; remove it or the keys" : "no key given; '--all' resets all keys"
            )
        }
    }

    func run() throws(UsageError) -> ExitStatus {
        try live.run { session in
            let keys = try session.readableKeys(names)
            let named = Set(try names.filter { !session.isNamespace($0) }.map { try session.key($0).storageName })
            let fixed = Set(
                keys.filter { !named.contains($0.storageName) && session.preferences.reference(to: $0).isManaged }
                    .map(\.storageName)
            )
            try session.preferences.transaction { preferences in
                // A fixed key is refused only if it is named by itself.
                for key in keys where !fixed.contains(key.storageName) { try preferences.reference(to: key).reset() }
            }
            session.reportManaged(keys.filter { fixed.contains($0.storageName) })
            return session.status(withUnread: try session.keys(names).count - keys.count)
        }
    }
}
