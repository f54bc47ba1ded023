import Foundation
import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime
import PreferencesSchema
import PreferencesSchemaCommands

/// The arguments that the commands over stores share: the stores, the schemas, and the form of the output.
struct LiveArguments {
    private var app: String?
    private var stores: [StoreLocation] = []
    private var secrets: StoreLocation?
    /// The file of a policy, instead of the files of the app's.
    private var managed: String?
    private var schemas: [String] = []
    private var configuration: String?
    private(set) var output = OutputFormat.text
    private(set) var showsSecrets = false
    private let permitsGVariant: Bool
    private let canShowSecrets: Bool

    /// - Parameters:
    ///   - permitsGVariant: Whether the command has the option `--gvariant`, ``gVariantOption``.
    ///   - canShowSecrets: Whether the command has the option `--show-secrets`, ``showSecretsOption``.
    init(permitsGVariant: Bool = false, canShowSecrets: Bool = false) {
        (self.permitsGVariant, self.canShowSecrets) = (permitsGVariant, canShowSecrets)
    }

    static let options: [CommandDescription.Option] = [
        .init(
            "--app",
            value: "NAME",
            "The app whose files are used: its default file and site files, its schema, and its secrets in the keyring."
        ),
        .init(
            "-s",
            "--store",
            value: "STORE",
            completing: .files,
            "A store, instead of those of '--app'. Several are layers, the first takes precedence."
        ),
        .init(
            "--schema",
            value: "FILE",
            completing: .files,
            "A schema, a *.gschema.xml, a *.kcfg, or a folder with them. It replaces the schema of '--app'. May be repeated."
        ),
        .init("--config", value: "FILE", completing: .files, "The preferences-generator-config.json of the schemas."),
        .init(
            "--managed",
            value: "FILE",
            completing: .files,
            "A policy, such as a managed.json before it is installed: its values are fixed. It replaces the policy of "
                + "'--app', and may be of any owner."
        ),
        .init(
            "--secrets",
            value: "STORE",
            completing: .files,
            "The store of secret keys. Default: 'secret:NAME' with '--app NAME', unless '--store' is given."
        ),
        .init("--json", "Write JSON."),
    ]

    /// The option for the values of secrets.
    static let showSecretsOption = CommandDescription.Option(
        "--show-secrets",
        "Show the values of secret keys, instead of •••."
    )

    /// The option for the output of `gsettings`.
    static let gVariantOption = CommandDescription.Option(
        "--gvariant",
        "Write what 'gsettings' writes, with values in the GVariant text format."
    )

    /// The options that completions pass on.
    static let schemaOptions = ["--app", "--store", "-s", "--schema", "--config"]

    /// The completion of keys and namespaces.
    static let keys = CommandDescription.Completion.output(of: "list --names", passing: schemaOptions)
    static let key = CommandDescription.Entry(
        "KEY",
        completing: keys,
        "A key path such as weather.unit, or a storage name such as weather:unit."
    )

    static let keyOrNamespace = CommandDescription.Entry(
        "KEY",
        completing: keys,
        "A key, or a namespace for all keys in it."
    )
    static let optionalKeys = CommandDescription.Entry(
        "KEY",
        completing: keys,
        "A key, or a namespace for all keys in it. Default: all keys."
    )

    /// Parses the arguments up to the next one that is not among ``options``, and returns that; nil at the end.
    mutating func next(_ parser: inout ArgumentParser) throws(UsageError) -> ArgumentParser.Argument? {
        while let argument = parser.next() {
            guard case .option(let option) = argument, try parse(option, &parser) else { return argument }
        }
        return nil
    }

    /// Parses an option. Returns `false` if it is not one of ``options``.
    private mutating func parse(
        _ option: ArgumentParser.Option,
        _ parser: inout ArgumentParser
    ) throws(UsageError) -> Bool {
        switch option.name {
        case "--app":
            let name = try parser.value(of: option)
            guard AppFiles.accepts(name) else {
                throw UsageError(message: "'\(name)' is not the name of an app; it must be the plain name of a file")
            }
            app = name
        case "--store", "-s": stores.append(try StoreLocation(parser.nextValue(of: option)))
        case "--schema": schemas.append(try parser.nextValue(of: option))
        case "--config": configuration = try parser.value(of: option)
        case "--managed": managed = try parser.value(of: option)
        case "--secrets": secrets = try StoreLocation(parser.value(of: option))
        case "--show-secrets" where canShowSecrets: try parser.setFlag(&showsSecrets, by: option)
        case "--json":
            var isJSON = false
            try parser.setFlag(&isJSON, by: option)
            output = .json
        case "--gvariant" where permitsGVariant:
            var isGVariant = false
            try parser.setFlag(&isGVariant, by: option)
            output = .gVariant
        default: return false
        }
        return true
    }

    /// The stores that a command uses. Stores need be given only for ``all``.
    enum Opening {
        case all
        case policies
        case none
    }

    /// Opens the stores, runs a command over them, and writes pending changes. Prints the error that ends it.
    ///
    /// - Parameters:
    ///   - opening: The stores that the command uses.
    ///   - printsProblems: Whether problems of values are printed to standard error, and not by the command itself.
    ///   - asksUser: Whether the user is asked to unlock a keyring. Otherwise, the secrets in it are left out.
    func run(
        _ opening: Opening = .all,
        printsProblems: Bool = true,
        asksUser: Bool = true,
        _ body: (Session) throws -> ExitStatus
    ) throws(UsageError) -> ExitStatus {
        if opening == .all { try requireStores() }
        var catalogue: PreferenceCatalogue
        let gSettings: GSettingsSchemas
        do {
            (catalogue, gSettings) = try self.catalogue()
        } catch {
            Console.printFailure(error.message, of: Tool.prefs.name)
            return error.status
        }
        let policies = opening == .none ? [] : policies
        let keyring = Keyring(app: app, asksUser: asksUser)
        catalogue = placed(catalogue, gSettings)
        let stores = opening == .all ? try self.layers(gSettings, keyring) : []
        let layers = policies + stores.map { RoamingFile($0, catalogue) ?? $0 }
        let secrets = try secretStore(catalogue, gSettings, keyring)
        do {
            if let managed, !policies.isEmpty, !FilePath.exists(managed) {
                throw Failure("\(managed) does not exist; correct the path of '--managed'", .system)
            }
            try (layers + (secrets.map { [$0.store] } ?? [])).refreshDocuments()
            // Reading a key would report it, and return the default.
            for layer in layers {
                guard let problem = layer.keyringProblem else { continue }
                let advice = asksUser || problem.keyringAdvice.isEmpty ? "" : "; \(problem.keyringAdvice)"
                throw Failure("\(problem.store): \(problem.reason)\(advice)", .system)
            }
            let preferences = Preferences(store: LayeredStore(layers), secrets: secrets?.store)
            let problems = printsProblems ? nil : preferences.problems
            try preferences.reload()
            let session = Session(
                preferences: preferences,
                layers: layers,
                secrets: secrets,
                catalogue: catalogue,
                gSettings: gSettings,
                output: output,
                showsSecrets: showsSecrets
            )
            let status = try withExtendedLifetime(problems) { try body(session) }
            try preferences.flush()
            return status
        } catch {
            let failure = Failure(error)
            Console.printFailure(failure.message + Self.advice(on: error, policies), of: Tool.prefs.name)
            return failure.status
        }
    }

    /// Returns what an administrator is to do about a file beside a policy that users cannot read.
    private static func advice(on error: any Error, _ policies: [any PreferenceStore]) -> String {
        let failed = (error as? PreferenceProblem).map { [$0] } ?? (error as? PreferenceProblems)?.problems ?? []
        let found = policies.compactMap { ($0 as? ManagedStore)?.folder }.flatMap { PolicyFiles(folder: $0).problems }
        let cause = found.first { found in
            failed.contains { $0.store == found.store || $0.store.hasPrefix("\(found.store)/") }
        }
        return cause.map { "; \($0)" } ?? ""
    }

    /// Returns the layers and the store of secrets, for a command that examines each of them.
    ///
    /// - Parameters:
    ///   - catalogue: The catalogue; nil if there is none.
    ///   - gSettings: The schemas of GSettings, whose paths a keyfile has.
    func storesToExamine(
        _ catalogue: PreferenceCatalogue?,
        _ gSettings: GSettingsSchemas
    ) throws(UsageError) -> (layers: [any PreferenceStore], secrets: SecretStore?) {
        let keyring = Keyring(app: app, asksUser: false)
        let secrets = try secretStore(catalogue, gSettings, keyring)
        let isSecretsOnly = stores.isEmpty && app == nil && managed == nil && secrets != nil
        if isSecretsOnly { return ([], secrets) }
        // Unlike the other commands, the examination includes the owner of the file.
        let policies = managed.map { [ManagedStore(file: $0)] } ?? policies
        return (policies + (try layers(gSettings, keyring)), secrets)
    }

    /// Returns the catalogue; nil if the command line names no schema, and none is found for the app.
    func catalogueIfNamed() throws(Failure) -> (PreferenceCatalogue, GSettingsSchemas)? {
        let named: (PreferenceCatalogue, GSettingsSchemas)?
        if let app, schemas.isEmpty {
            named = try AppFiles(app).schemas(configuration)?.catalogue()
        } else {
            named = schemas.isEmpty ? nil : try catalogue()
        }
        return named.map { (placed($0, $1), $1) }
    }

    /// Returns a catalogue without the keys that have no place in the stores, if these are keyfiles of GSettings.
    private func placed(_ catalogue: PreferenceCatalogue, _ gSettings: GSettingsSchemas) -> PreferenceCatalogue {
        let paths = stores.compactMap { $0.paths(gSettings) }
        return paths.isEmpty || paths.count < stores.count ? catalogue : gSettings.placed(catalogue, paths: paths)
    }

    /// The file of `--store` that does not exist; nil if there is none.
    var missingFile: String? { stores.compactMap(\.path).first { !FilePath.exists($0) } }

    private func requireStores() throws(UsageError) {
        guard !stores.isEmpty || app != nil || managed != nil else {
            throw UsageError(message: "no store given; specify '--app NAME' for an app's files, or '--store STORE'")
        }
    }

    /// The policies of administrators. A store in place of those of the app also replaces its policy.
    private var policies: [any PreferenceStore] {
        if let managed { return [ManagedStore(FileStore(path: managed, damageHandling: .refuse).readOnly)] }
        return if let app, stores.isEmpty { AppFiles(app).policies } else { [] }
    }

    /// The layers below the policies.
    private func layers(
        _ gSettings: GSettingsSchemas,
        _ keyring: Keyring
    ) throws(UsageError) -> [any PreferenceStore] {
        try requireStores()
        if let app, stores.isEmpty { return AppFiles(app).stores }
        var layers: [any PreferenceStore] = []
        for location in stores { layers.append(try location.store(gSettings, keyring)) }
        return layers
    }

    /// Returns the store of secrets: that of the command line, or else the keyring of an app that has secrets, or of which
    /// there is no catalogue. A store in place of those of the app may be that of any program.
    private func secretStore(
        _ catalogue: PreferenceCatalogue?,
        _ gSettings: GSettingsSchemas,
        _ keyring: Keyring
    ) throws(UsageError) -> SecretStore? {
        if let secrets {
            let store = try secrets.store(gSettings, keyring)
            return SecretStore(store, isDefault: false, asksUser: keyring.asksUser)
        }
        guard let app, stores.isEmpty, catalogue?.contains(where: \.isSecret) ?? true else { return nil }
        return SecretStore(keyring.store(service: app), isDefault: true, asksUser: keyring.asksUser)
    }

    private func catalogue() throws(Failure) -> (PreferenceCatalogue, GSettingsSchemas) {
        if let app, schemas.isEmpty {
            let files = AppFiles(app)
            guard let schemas = try files.schemas(configuration) else { throw files.missingSchema }
            return try schemas.catalogue()
        }
        guard !schemas.isEmpty else { throw Failure("no schema given; specify '--schema FILE'", .usage) }
        return try SchemaFiles(schemas, configuration: configuration).catalogue()
    }
}
