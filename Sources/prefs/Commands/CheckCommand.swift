import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime

/// `prefs check`.
struct CheckCommand {
    private var live = LiveArguments()
    private var permitsUnknownNames = false

    static let description = CommandDescription(
        summary: "Check all values against the schema.",
        overview:
            "Reads every key, and lists the values that do not fit the schema, and the names that it does not have.",
        usage: ["check [OPTIONS]"],
        discussion: """
            The exit status is 1 if there are any, for deployment scripts.
            """,
        sections: [StoreLocation.section],
        options: [.init("--allow-unknown", "Permit names that the schema does not have.")] + LiveArguments.options,
        examples: ["check --schema Weather.preferences.json -s /etc/xdg/weather/preferences.json"]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = parser.next() {
            switch argument {
            case .positional: throw UsageError(message: "'check' reads all keys; remove the arguments")
            case .option(let option):
                if option.name == "--allow-unknown" {
                    try parser.setFlag(&permitsUnknownNames, by: option)
                } else if try !live.parse(option, &parser) {
                    throw parser.unknownOption(option)
                }
            }
        }
    }

    func run() throws(UsageError) -> ExitStatus {
        try live.run(printsProblems: false) { session in
            var problems = session.preferences.validate(PreferenceCatalogue(session.readable(Array(session.catalogue))))
            // The names of a store that cannot be read are unknown, and its problem is already among them.
            let isReadable = !problems.contains { $0.code == .storeUnreadable || $0.code == .storeMalformed }
            if !permitsUnknownNames, isReadable {
                problems += try session.preferences.unrecognizedNames(besides: session.catalogue)
            }
            switch session.output {
            case .json: try session.printJSON(.array(problems.map(\.preferenceValue)))
            case .text, .gVariant:
                for problem in problems { try session.print(problem.message(about: problem.store)) }
                let keys = counted(session.catalogue.count, "key")
                try session.print(
                    problems.isEmpty ? "\(keys): no problems" : "\(keys): \(counted(problems.count, "problem"))"
                )
            }
            return problems.isEmpty ? .success : .schemaFault
        }
    }
}

extension PreferenceProblem {
    /// The problem for JSON.
    var preferenceValue: PreferenceValue {
        .dictionary([
            "code": .string(code.rawValue), "key": key.map(PreferenceValue.string) ?? .null, "store": .string(store),
            "message": .string(textForTool),
        ])
    }

    /// Returns the problem as a line about a store or a file.
    func message(about label: String) -> String { "\(label): \(key.map { "'\($0)': " } ?? "")\(textForTool)" }

    /// The message. All keys of the schema have been read, and not only those that a program has used so far.
    private var textForTool: String {
        let (known, own) = ("no key used so far has this name", "the schema has no such key")
        return code == .unrecognizedName && message.hasPrefix(known) ? own + message.dropFirst(known.count) : message
    }
}
