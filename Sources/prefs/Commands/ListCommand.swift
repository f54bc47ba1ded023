import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime

/// `prefs list`.
struct ListCommand: ParsableCommand {
    private var live = LiveArguments(permitsGVariant: true, canShowSecrets: true)
    private var names: [String] = []
    private var hasNamesAlone = false
    private var hasSetKeysAlone = false
    private var hasFixedKeysAlone = false
    private var hasManageableNames = false

    static let description = CommandDescription(
        summary: "List keys and their values.",
        overview: "Lists the keys of the schema with their values, one on each line.",
        usage: ["list [OPTIONS] [KEY…]"],
        discussion: """
            With '--show-secrets', secrets that cannot be read are left out. The exit status is 3 if there is a store of them.
            """,
        sections: [StoreLocation.section],
        arguments: [LiveArguments.optionalKeys],
        options: [
            .init("--names", "List the names alone."),
            .init("--set", "List only keys that are set."),
            .init("--fixed", "List only keys that an administrator has fixed."),
            .init("--manageable", "List the storage names alone, of the keys that an administrator can fix."),
        ] + LiveArguments.options + [LiveArguments.showSecretsOption, LiveArguments.gVariantOption],
        examples: ["list --app weather", "list --app weather --set weather.radar"]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = try live.next(&parser) {
            switch argument {
            case .option(let option) where option.name == "--names": try parser.setFlag(&hasNamesAlone, by: option)
            case .option(let option) where option.name == "--set": try parser.setFlag(&hasSetKeysAlone, by: option)
            case .option(let option) where option.name == "--fixed":
                try parser.setFlag(&hasFixedKeysAlone, by: option)
            case .option(let option) where option.name == "--manageable":
                try parser.setFlag(&hasManageableNames, by: option)
            default: names.append(try parser.positional(argument))
            }
        }
    }

    func run() throws(UsageError) -> ExitStatus {
        // The names are those of the schema: shells complete keys without reading stores.
        let hasNamesAlone = hasNamesAlone || hasManageableNames
        let opening: LiveArguments.Opening =
            !hasNamesAlone || hasSetKeysAlone ? .all : hasFixedKeysAlone ? .policies : .none
        return try live.run(opening, asksUser: live.showsSecrets) { session in
            let named = try listedKeys(session)
            let keys = named.filter {
                let reference = session.preferences.reference(to: $0)
                return (!hasSetKeysAlone || session.isReadable($0) && reference.isSet)
                    && (!hasFixedKeysAlone || reference.isManaged) && (!hasManageableNames || $0.isManageable)
                    // The default is not the value of a secret that cannot be read.
                    && (hasNamesAlone || session.isHidden($0) || session.isReadable($0))
            }
            switch session.output {
            case .json where hasManageableNames: try session.printJSON(.array(keys.map { .string($0.storageName) }))
            case _ where hasManageableNames: for key in keys { try session.print(key.storageName) }
            case .text where hasNamesAlone, .gVariant where hasNamesAlone:
                for key in keys { try session.print(session.shortName(key)) }
            case .text, .gVariant:
                for key in keys {
                    let text = session.text(of: session.value(key), key, isLine: true)
                    try session.print("\(session.listName(key)) \(text)")
                }
            case .json where hasNamesAlone: try session.printJSON(.array(keys.map { .string($0.keyPath) }))
            case .json:
                let members = keys.map { ($0.keyPath, session.json(session.value($0), $0)) }
                try session.printJSON(.dictionary(Dictionary(members) { first, _ in first }))
            }
            if !hasNamesAlone, !hasFixedKeysAlone { session.reportManaged(keys) }
            if !hasNamesAlone { session.reportShared(keys) }
            // A secret is never fixed.
            guard !hasFixedKeysAlone, !hasNamesAlone || hasSetKeysAlone else { return .success }
            return session.reportUnreadable(named)
        }
    }

    /// Returns the keys to list: for the output of `gsettings`, those of `list-recursively` and `list-keys`.
    private func listedKeys(_ session: Session) throws(Failure) -> [PreferenceKeyDescription] {
        guard session.output == .gVariant else { return try session.keys(names) }
        guard names.isEmpty else { return try session.keys(names, isRecursive: !hasNamesAlone) }
        let known = session.gSettings.storageNames.compactMap { session.catalogue[storageName: $0] }
        return known + session.catalogue.filter { session.gSettings.names(of: $0) == nil }
    }
}
