import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime

/// `prefs explain`.
struct ExplainCommand: ParsableCommand {
    private var live = LiveArguments(canShowSecrets: true)
    private var names: [String] = []

    static let description = CommandDescription(
        summary: "Show where values come from.",
        overview: "Shows the value of each key, where it comes from, and the values of later layers that it shadows.",
        usage: ["explain [OPTIONS] [KEY…]"],
        sections: [StoreLocation.section],
        arguments: [LiveArguments.optionalKeys],
        options: LiveArguments.options + [LiveArguments.showSecretsOption],
        examples: [
            "explain --app weather", "explain -s env:WEATHER_ -s weather.json --schema Weather.preferences.json",
        ]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = try live.next(&parser) { names.append(try parser.positional(argument)) }
    }

    func run() throws(UsageError) -> ExitStatus {
        try live.run(printsProblems: false, asksUser: false) { session in
            let keys = try session.readableKeys(names)
            let explanation = session.preferences.explain(
                PreferenceCatalogue(keys),
                showsSecrets: session.showsSecrets
            )
            session.reportShared(keys)
            switch session.output {
            case .text, .gVariant:
                try session.print("\(explanation)".escapedLines.joined(separator: "\n"))
            case .json:
                try session.printJSON(.array(zip(explanation.keys, keys).map { $0.preferenceValue(of: $1, session) }))
            }
            return .success
        }
    }
}

extension PreferenceExplanation.Key {
    /// Returns the explanation for JSON.
    fileprivate func preferenceValue(of key: PreferenceKeyDescription, _ session: Session) -> PreferenceValue {
        let defaultMember = session.defaultMember(of: key)
        var members: [String: PreferenceValue] = [
            "key": .string(keyPath), "storageName": .string(storageName), "secret": .bool(isSecret),
            "value": session.json(value, key), defaultMember.name: defaultMember.value,
            "managedBy": managedBy.map(PreferenceValue.string) ?? .null, "scope": .string(scope.rawValue),
            "source": source?.preferenceValue ?? .null,
            "shadowed": .array(
                shadowed.map {
                    .dictionary(["value": session.json($0.value, key), "source": $0.source.preferenceValue])
                }
            ),
            "problems": .array(problems.map { $0.preferenceValue(session.catalogue) }),
        ]
        if scope != .machine { members["merge"] = .string(mergeRule.rawValue) }
        return .dictionary(members)
    }
}

extension PreferenceSource {
    /// The source for JSON.
    fileprivate var preferenceValue: PreferenceValue {
        .dictionary(["store": .string(store), "name": .string(name), "description": .string(description)])
    }
}
