import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime
import PreferencesSchema

/// The format of the values that `dump` writes and `load` reads.
struct ValueFormatArguments {
    private var givenFormat: ValueFormat?
    private(set) var options = ValueFormat.Options()

    static let options: [CommandDescription.Option] = [
        .init(
            "--format",
            value: "FORMAT",
            completing: ValueFormat.completion,
            "json, plist, env or dconf. Default: that of the ending of the file to load, otherwise json."
        ),
        .init("--prefix", value: "PREFIX", "The prefix of environment variables, such as APP_. Default: none."),
        .init(
            "--path",
            value: "NAMESPACE=PATH",
            "The path of a namespace in dconf. Default: made of its ids. May be repeated."
        ),
    ]

    /// Returns the format that is given, or else that of a file by its name.
    func format(of path: String = "") -> ValueFormat {
        givenFormat ?? ValueFormat.allCases.first { path.hasSuffix(".\($0.rawValue)") } ?? .json
    }

    /// Parses an option. Returns `false` if it is not one of ``options``.
    mutating func parse(_ option: ArgumentParser.Option, _ parser: inout ArgumentParser) throws(UsageError) -> Bool {
        switch option.name {
        case "--format":
            let name = try parser.value(of: option)
            guard let format = ValueFormat(rawValue: name) else {
                let formats = ValueFormat.allCases.map(\.rawValue).quotedList
                throw UsageError(message: "unknown format '\(name)'; the formats are \(formats)")
            }
            givenFormat = format
        case "--prefix": options.prefix = try parser.value(of: option)
        case "--path":
            let text = try parser.nextValue(of: option)
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, parts[1].hasPrefix("/"), parts[1].hasSuffix("/"), !parts[1].contains("//") else {
                throw UsageError(message: "'\(text)' is no path of a namespace; write 'NAMESPACE=/PATH/'")
            }
            options.paths[parts[0]] = parts[1]
        default: return false
        }
        return true
    }
}

/// `prefs dump`.
struct DumpCommand: ParsableCommand {
    private var live = LiveArguments(canShowSecrets: true)
    private var values = ValueFormatArguments()
    private var names: [String] = []
    private var includesDefaults = false

    static let description = CommandDescription(
        summary: "Write the values that are set.",
        overview: "Writes the values that are set, in a form that 'load' reads again.",
        usage: ["dump [OPTIONS] [KEY…]"],
        discussion: """
            The formats are those of the stores: 'json' and 'plist' of FileStore, 'env' of environment variables, and 'dconf'
            of 'dconf dump' and 'dconf load'. Secrets are left out unless '--show-secrets' is given.
            """,
        sections: [StoreLocation.section],
        arguments: [LiveArguments.optionalKeys],
        options: [.init("--defaults", "Also write the defaults of keys that are not set.")]
            + ValueFormatArguments.options + LiveArguments.options + [LiveArguments.showSecretsOption],
        examples: ["dump --app weather > weather.json", "dump --app weather --format env --prefix WEATHER_"]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = try live.next(&parser) {
            switch argument {
            case .option(let option) where option.name == "--defaults":
                try parser.setFlag(&includesDefaults, by: option)
            case .option(let option):
                if try !values.parse(option, &parser) { throw parser.unknownOption(option) }
            case .positional(let name): names.append(name)
            }
        }
    }

    func run() throws(UsageError) -> ExitStatus {
        try live.run(asksUser: live.showsSecrets) { session in
            let named = try session.keys(names)
            let keys = named.filter { !$0.isSecret || session.showsSecrets }
            let options = session.secrets == nil ? "--secrets STORE --show-secrets" : "--show-secrets"
            session.reportOmitted(named.count - keys.count, "specify '\(options)' to write them")
            for key in keys { _ = try session.reference(key) }
            session.reportManaged(keys)
            session.reportShared(keys)
            var exported: PreferenceExportOptions = .secrets
            if includesDefaults { exported.insert(.defaults) }
            var set = session.preferences.exportValues(of: PreferenceCatalogue(keys), options: exported)
            let format = values.format()
            if format == .env {
                // Variables cannot represent nil. A default that is nil need not be written.
                for key in keys where set[key.storageName] == .null {
                    if !session.preferences.reference(to: key).isSet { set[key.storageName] = nil }
                }
            }
            try Console.write(format.text(of: set, keys, values.options))
            return .success
        }
    }
}

/// `prefs load`.
struct LoadCommand: ParsableCommand {
    private var live = LiveArguments()
    private var values = ValueFormatArguments()
    private var path: String?
    private var replacesAll = false
    private var changesNothing = false

    static let description = CommandDescription(
        summary: "Set the values of a file.",
        overview: "Sets the values of a file, all at once, or none if one does not fit the schema.",
        usage: ["load [OPTIONS] FILE"],
        discussion: """
            The formats are those of 'dump'. Files of 'json' and 'plist' can also have key paths such as weather.unit, and
            dates and data as strings, as 'list --json' writes them.
            """,
        sections: [StoreLocation.section],
        arguments: [.init("FILE", completing: .files, "The file; - for standard input.")],
        options: [
            .init(
                "--replace",
                "Reset the keys that the file does not have, except secrets and keys that an administrator has fixed."
            ),
            .init("--dry-run", "Check the file, and change nothing."),
        ] + ValueFormatArguments.options + LiveArguments.options,
        examples: ["load --app weather weather.json", "load --app weather --format env --prefix WEATHER_ .env"]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        var paths: [String] = []
        while let argument = try live.next(&parser) {
            switch argument {
            case .option(let option) where option.name == "--replace": try parser.setFlag(&replacesAll, by: option)
            case .option(let option) where option.name == "--dry-run": try parser.setFlag(&changesNothing, by: option)
            case .option(let option):
                if try !values.parse(option, &parser) { throw parser.unknownOption(option) }
            case .positional(let path): paths.append(path)
            }
        }
        guard paths.count == 1 else {
            throw UsageError(
                message: paths.isEmpty ? "no file given; write '-' for standard input" : "'load' takes one file"
            )
        }
        path = paths[0]
    }

    func run() throws(UsageError) -> ExitStatus {
        try live.run { session in
            let path = path ?? "-"
            let bytes = try path == "-" ? FileContents.readStandardInput() : FileContents.read(path)
            let label = path == "-" ? "<stdin>" : path
            let names = session.catalogue.map(\.storageName)
            let format = values.format(of: path)
            let store = try format.store(of: bytes, names: names, values.options, label: label)
            let loaded = try LoadedValues(store, format, session.catalogue, label: label)
            for problem in loaded.problems { Console.printFailure(problem, of: Tool.prefs.name) }
            guard loaded.problems.isEmpty else {
                throw Failure("\(counted(loaded.problems.count, "problem")); nothing was changed")
            }
            session.reportOmitted(loaded.hiddenCount, "the file has '\(Session.hidden)' instead")
            for key in session.catalogue where loaded.values[key.storageName] != nil { _ = try session.reference(key) }
            var changes = ValueChanges(loaded.values, in: session)
            if replacesAll { changes.resetOthers(loaded.values, in: session) }
            if !changesNothing { try changes.apply(in: session) }
            Console.printError(changes.summary + (changesNothing ? ", if it were not a dry run" : ""))
            return .success
        }
    }
}

/// The values of a file, checked against a catalogue.
private struct LoadedValues {
    private(set) var values: [String: PreferenceValue] = [:]
    /// The number of secrets whose values the file hides, as the output of `list --json` does.
    private(set) var hiddenCount = 0
    /// The messages about values that do not fit, and about names that the catalogue does not have.
    private(set) var problems: [String] = []

    /// - Parameters:
    ///   - format: The format of the file.
    ///   - label: The name of the file in messages.
    init(_ file: any PreferenceStore, _ format: ValueFormat, _ catalogue: PreferenceCatalogue, label: String) throws {
        let store = format.hasKeyPaths ? MemoryStore(try storedValues(file, catalogue, label: label)) : file
        // Secrets are in the same file.
        let preferences = Preferences(store: store, secrets: store)
        do {
            try preferences.reload()
            problems += preferences.validate(catalogue).map { $0.reason(about: label) }
            problems += try preferences.unrecognizedNames(ofSchema: catalogue).map { $0.reason(about: label) }
        } catch let problem as PreferenceProblem {
            throw Failure("\(label): \(problem.messageAboutKey)")
        }
        for key in catalogue {
            let reference = preferences.reference(to: key)
            // The validation has returned the problems.
            let found = preferences.returningProblems { reference.isSet ? reference.value : nil }
            guard let value = found else { continue }
            values[key.storageName] = value
        }
    }

    /// Returns the values of a file by storage name, as they would be stored: a file can also have key paths, and dates and
    /// data as strings, as in the output of `list --json`. Appends the problems of values that cannot be read.
    private mutating func storedValues(
        _ file: any PreferenceStore,
        _ catalogue: PreferenceCatalogue,
        label: String
    ) throws -> [String: PreferenceValue] {
        let keysByPath = Dictionary(catalogue.map { ($0.keyPath, $0) }) { first, _ in first }
        let formerNames = catalogue.flatMap { key in key.formerNames.map { ($0, key) } }
        let names = catalogue.map { ($0.storageName, $0) }
        let keysByName = Dictionary(names + formerNames) { first, _ in first }
        var values: [String: PreferenceValue] = [:]
        var namesByKey: [String: String] = [:]
        for name in try file.names().sorted() {
            let value: PreferenceValue
            do {
                guard let found = try file.value(for: name) else { continue }
                value = found
            } catch let problem as PreferenceProblem {
                problems.append(problem.reason(about: label))
                continue
            }
            let path = keysByName[name] == nil ? keysByPath[name] : nil
            let storageName = path?.storageName ?? name
            if value == .string(Session.hidden), (path ?? keysByName[name])?.isSecret == true {
                hiddenCount += 1
                continue
            }
            if let other = namesByKey.updateValue(name, forKey: storageName) {
                problems.append("\(label): '\(name)': it is the key that '\(other)' names, too")
                continue
            }
            values[storageName] = (path ?? keysByName[name])?.type.storedValue(value) ?? value
        }
        return values
    }
}

extension PreferenceProblem {
    /// Returns the problem as a line about a file that no program reads, so that it has no consequences.
    fileprivate func reason(about label: String) -> String { "\(label): \(key.map { "'\($0)': " } ?? "")\(reason)" }
}
