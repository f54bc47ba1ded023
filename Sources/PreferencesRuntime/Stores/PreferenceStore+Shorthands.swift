public import Foundation

// Stores in short, where one is expected: `@Preference("volume", store: .userDefaults)`,
// `Preferences(store: .file(path: "weather.json"))`.
//
// The other modules have more, such as `.sqlite(path:)`. Parameters of type `some PreferenceStore` accept these forms;
// those of type `any PreferenceStore`, and elements of arrays, do not.

extension PreferenceStore where Self == MemoryStore {
    /// A new store in memory.
    public static var memory: MemoryStore { MemoryStore() }

    /// A new store in memory.
    ///
    /// - Parameter values: The initial values.
    public static func memory(_ values: [String: PreferenceValue]) -> MemoryStore { MemoryStore(values) }
}

extension PreferenceStore where Self == FileStore {
    /// The store in the user's configuration folder: ``FileStore/default``.
    public static var file: FileStore { .default }

    /// A store in a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, as in ``FileStore/init(path:format:layout:durability:lockTimeout:damageHandling:)``.
    ///   - format: The format; by default that of the name's extension.
    ///   - layout: The mapping of the file to names; by default ``FileStore/Layout/flat``.
    public static func file(
        path: String,
        format: FileStore.Format? = nil,
        layout: FileStore.Layout = .flat
    ) -> FileStore {
        FileStore(path: path, format: format, layout: layout)
    }

    /// A store in a file.
    ///
    /// - Parameters:
    ///   - url: The file URL of the file.
    ///   - format: The format; by default that of the name's extension.
    ///   - layout: The mapping of the file to names; by default ``FileStore/Layout/flat``.
    public static func file(
        url: URL,
        format: FileStore.Format? = nil,
        layout: FileStore.Layout = .flat
    ) -> FileStore {
        FileStore(url: url, format: format, layout: layout)
    }
}

extension PreferenceStore where Self == UserDefaultsStore {
    /// The store of `UserDefaults.standard`: ``UserDefaultsStore/standard``.
    public static var userDefaults: UserDefaultsStore { .standard }

    /// A store in the user defaults of a suite: ``UserDefaultsStore/init(suite:)``.
    public static func userDefaults(suite: String) -> UserDefaultsStore { UserDefaultsStore(suite: suite) }
}

extension PreferenceStore where Self == EnvironmentStore {
    /// A store of the environment variables with a prefix: ``EnvironmentStore/init(prefix:listSeparator:environment:)``.
    public static func environment(prefix: String) -> EnvironmentStore { EnvironmentStore(prefix: prefix) }
}

extension PreferenceStore where Self == ArgumentsStore {
    /// A store of the command-line options of this process.
    public static var arguments: ArgumentsStore { ArgumentsStore() }

    /// A store of the command-line options with a prefix: ``ArgumentsStore/init(prefix:listSeparator:arguments:)``.
    public static func arguments(prefix: String) -> ArgumentsStore { ArgumentsStore(prefix: prefix) }
}

extension PreferenceStore where Self == BundleStore {
    /// A store of the main bundle's `Info.plist`.
    public static var bundle: BundleStore { BundleStore() }

    /// A store of a bundle's `Info.plist`.
    public static func bundle(_ bundle: Bundle) -> BundleStore { BundleStore(bundle) }
}

extension PreferenceStore where Self == LayeredStore {
    /// A store that combines several layers: `.layered(.arguments, .environment(prefix: "WEATHER_"), .file)`.
    ///
    /// - Parameters:
    ///   - layers: The layers, in order of precedence.
    ///   - destination: The layers in which values are set; by default the first writable one.
    public static func layered<each Layer: PreferenceStore>(
        _ layers: repeat each Layer,
        writingTo destination: LayeredStore.Destination = .firstWritable
    ) -> LayeredStore {
        var all: [any PreferenceStore] = []
        repeat all.append(each layers)
        return LayeredStore(all, writingTo: destination)
    }

    /// A store that combines several layers, for an array of them: ``LayeredStore/init(_:writingTo:)``.
    public static func layered(
        _ layers: [any PreferenceStore],
        writingTo destination: LayeredStore.Destination = .firstWritable
    ) -> LayeredStore {
        LayeredStore(layers, writingTo: destination)
    }
}

extension PreferenceStore where Self == ManagedStore {
    /// A layer in which every value of a store is fixed: ``ManagedStore/init(_:)``.
    public static func managed(_ store: some PreferenceStore) -> ManagedStore { ManagedStore(store) }

    /// A layer in which the names on a list are fixed: ``ManagedStore/init(_:locks:)``.
    public static func managed(_ store: some PreferenceStore, locks: [String]) -> ManagedStore {
        ManagedStore(store, locks: locks)
    }

    /// The layer of an app's policy files: ``ManagedStore/init(forApp:)``.
    ///
    /// - Parameter app: The name of the app's folder; by default the one of ``FileStore/default``.
    public static func managed(forApp app: String? = nil) -> ManagedStore { ManagedStore(forApp: app) }

    /// The layer of a policy file: ``ManagedStore/init(file:format:layout:)``.
    public static func managed(
        file path: String,
        format: FileStore.Format? = nil,
        layout: FileStore.Layout = .flat
    ) -> ManagedStore {
        ManagedStore(file: path, format: format, layout: layout)
    }

    /// The layer of the policy files in a folder: ``ManagedStore/init(folder:)``.
    public static func managed(folder path: String) -> ManagedStore { ManagedStore(folder: path) }

    /// The layer of the values that mobile device management has fixed: ``ManagedStore/init(defaults:)-(UserDefaults)``.
    public static var managedDefaults: ManagedStore { ManagedStore(defaults: UserDefaults.standard) }
}

extension PreferenceStore where Self == PrefixedStore {
    /// The part of a store whose names begin with a prefix: ``PrefixedStore/init(_:prefix:separator:)``.
    public static func prefixed(
        _ base: some PreferenceStore,
        prefix: String,
        separator: String = ":"
    ) -> PrefixedStore {
        PrefixedStore(base, prefix: prefix, separator: separator)
    }
}

extension PreferenceStore where Self == ReadOnlyStore {
    /// A store, read-only: ``ReadOnlyStore/init(_:)``.
    public static func readOnly(_ base: some PreferenceStore) -> ReadOnlyStore { ReadOnlyStore(base) }
}

extension PreferenceStore where Self == TransformedStore {
    /// A store with transformed values: ``TransformedStore/init(_:_:for:)``.
    public static func transformed<Stored: PreferenceConvertible, Value: PreferenceConvertible>(
        _ base: some PreferenceStore,
        _ transformation: PreferenceTransformation<Stored, Value>,
        for names: Set<String>? = nil
    ) -> TransformedStore {
        TransformedStore(base, transformation, for: names)
    }
}
