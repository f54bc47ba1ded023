import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime

/// `prefs explain`.
struct ExplainCommand {
    private var live = LiveArguments()
    private var names: [String] = []

    static let description = CommandDescription(
        summary: "Show where values come from.",
        overview: "Shows the value of each key, where it comes from, and the values of later layers that it shadows.",
        usage: ["explain [OPTIONS] [KEY…]"],
        sections: [StoreLocation.section],
        arguments: [LiveArguments.optionalKeys],
        options: LiveArguments.options,
        examples: [
            "explain --app weather", "explain -s env:WEATHER_ -s weather.json --schema Weather.preferences.json",
        ]
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
        try live.run(printsProblems: false) { session in
            let explanation = session.preferences.explain(
                PreferenceCatalogue(session.readable(try session.keys(names)))
            )
            switch session.output {
            case .text, .gVariant: try session.print("\(explanation)")
            case .json: try session.printJSON(JSONLine.value(of: explanation))
            }
            return .success
        }
    }
}
