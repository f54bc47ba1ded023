import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime

/// `prefs get`.
struct GetCommand: ParsableCommand {
    private var live = LiveArguments(permitsGVariant: true, canShowSecrets: true)
    private var names: [String] = []

    static let description = CommandDescription(
        summary: "Print the value of a key.",
        overview: "Prints the value of a key, as the program reads it: the stored value, or the default.",
        usage: ["get [OPTIONS] KEY…"],
        discussion: """
            A stored value that the program could not use is reported on standard error, and the default is printed.
            """,
        sections: [StoreLocation.section],
        arguments: [LiveArguments.key],
        options: LiveArguments.options + [LiveArguments.showSecretsOption, LiveArguments.gVariantOption],
        examples: [
            "get --app weather weather.unit",
            "get --json -s weather.json --schema Weather.preferences.json weather.unit",
        ]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = try live.next(&parser) { names.append(try parser.positional(argument)) }
        guard !names.isEmpty else { throw UsageError(message: "no key given; 'prefs list' lists the keys") }
    }

    func run() throws(UsageError) -> ExitStatus {
        try live.run { session in
            let keys = try names.map { try session.key($0) }
            var values: [(key: PreferenceKeyDescription, value: PreferenceValue?)] = []
            for key in keys {
                let value = try session.reference(key).value
                guard value != nil || session.output == .gVariant && session.gSettings.names(of: key) != nil else {
                    throw Failure("'\(key.keyPath)' is not set, and its default is the expression \(key.defaultValue)")
                }
                values.append((key, value))
            }
            session.reportShared(keys)
            switch session.output {
            case .text, .gVariant: for (key, value) in values { try session.print(session.text(of: value, key)) }
            case .json where names.count == 1: try session.printJSON(session.json(values[0].value, values[0].key))
            case .json:
                let members = values.map { ($0.key.keyPath, session.json($0.value, $0.key)) }
                try session.printJSON(.dictionary(Dictionary(members) { first, _ in first }))
            }
            return .success
        }
    }
}
