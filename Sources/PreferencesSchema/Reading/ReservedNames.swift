/// What those need to know who make up names for a schema: whether it would refuse them.
package enum NameRules {
    /// Whether no key and no namespace may have a name.
    ///
    /// - Parameter isOutermost: Whether it would stand at the top of a file.
    package static func isReserved(accessor name: String, isOutermost: Bool) -> Bool {
        ReservedNames.accessors.contains(name) || ReservedNames.modules.contains(name)
            || (isOutermost && ReservedNames.preferencesMembers.contains(name))
    }

    /// Whether no type may have a name.
    package static func isReserved(type name: String) -> Bool { ReservedNames.types.contains(name) }

    /// The public types and the modules of the libraries that apps link, which no type may be named like.
    package static let libraryTypes = ReservedNames.libraryTypes

    /// Whether no field of a struct may have a name, whatever the types of the fields beside it.
    package static func isReserved(structField name: String) -> Bool {
        ReservedNames.structFields.contains(name) || ReservedNames.languageTypes.contains(name)
    }

    /// Whether no field of a struct may be of a type of a name, or of one in a module or a type of that name.
    package static func isReserved(typeOfField name: String) -> Bool { ReservedNames.decodingNames.contains(name) }

    /// Whether no case of an enum may have a name.
    package static func isReserved(enumCase name: String) -> Bool { ReservedNames.enumCases.contains(name) }

    /// The letters, digits and colons of a name in lower case, which similar names have in common.
    package static func folded(_ name: String) -> [UInt8] { NameClaims.folded(name) }
}

/// Names that generated declarations must not have.
enum ReservedNames {
    /// Members of `PreferenceAccessors` and `PreferenceNamespace`, which every accessor would stand beside.
    static let accessors: Set<String> = [
        "preferences", "isSet", "reset", "resetAll", "defaultValue", "source", "set", "get", "update", "watch",
        "changes", "unwatch", "unwatchFile", "unwatchAll", "processValues", "willChange", "didChange", "willCommit",
        "didCommit", "publisher", "binding", "_get", "_set", "_getBool", "_setBool", "_getInt", "_setInt", "_getDouble",
        "_setDouble", "_getString", "_setString", "_getStrings", "_setStrings", "_getOptionalInt", "_setOptionalInt",
        "_getOptionalString", "_setOptionalString",
    ]

    /// Modules, which generated code names where an accessor hides one of their types.
    static let modules: Set<String> = ["Foundation", "Swift"]

    /// Members of `Preferences`, which the accessors of a file's own keys and outermost namespaces stand beside.
    static let preferencesMembers: Set<String> = [
        "shared", "bootstrap", "store", "secrets", "transaction", "flush", "reload", "problems", "inMemory", "migrate",
        "named", "observation", "withShared", "register", "functionLocal", "customMirror", "_PropertyOwner",
    ]

    /// All of these, in which most names are looked for in vain.
    static let anyAccessors = accessors.union(modules).union(preferencesMembers)

    /// Types that schemas have already.
    static let schemaTypes: Set<String> = Set(ValueType.builtIn.keys).union(["Set"])

    /// Types and modules that a generated type of the same name would hide.
    static let types = languageTypes.union(libraryTypes)

    /// Those of Swift and Foundation, and names that Swift or generated code has for something else.
    static let languageTypes: Set<String> = schemaTypes.union([
        "Array", "Dictionary", "Optional", "CodingKey", "CodingKeys", "Foundation", "Swift", "Codable", "CaseIterable",
        "Sendable", "RequiredRuntime", "Any", "Self", "Type", "Protocol",
        // Most programs use these: hidden, they would break the user's own code.
        "Actor", "Character", "Collection", "Comparable", "Decodable", "Decoder", "Encodable", "Encoder", "Equatable",
        "Error", "Hashable", "Identifiable", "KeyPath", "MainActor", "Never", "Range", "Result", "Sequence",
        "Substring", "Task", "Void",
    ])

    /// The public types of the libraries that apps link, and the libraries' modules.
    static let libraryTypes: Set<String> = [
        "ArgumentsStore", "BundleStore", "CacheStore", "CoderStore", "CollectionStore", "CookieStore", "EncryptedStore",
        "EncryptionKey", "EncryptionKeyError", "EnvironmentStore", "FileStore", "HTTPStore", "KeyValueCodingStore",
        "KeychainAccessibility", "KeychainAuthentication", "KeychainOptions", "KeychainStore", "LayeredStore",
        "LegacyEncoding", "ManagedObjectStore", "MemoryStore", "PersistentObject", "PersistentObjectChange",
        "PersistentObjectRepository", "PersistentObjectWatcher", "PersistentObjects", "Preference",
        "PreferenceAccessors", "PreferenceBatch", "PreferenceChange", "PreferenceChangeBuffering", "PreferenceCommit",
        "PreferenceConversionError", "PreferenceConvertible", "PreferenceEdit", "PreferenceHook", "PreferenceMigration",
        "PreferenceNamespace", "PreferenceProblem", "PreferencePublisher", "PreferenceReference", "PreferenceStore",
        "PreferenceStoreAdapter", "PreferenceStoreCapabilities", "PreferenceStoreChange", "PreferenceStoreObservation",
        "PreferenceStoreObservers", "PreferenceTrait", "PreferenceTransformation", "PreferenceValue",
        "PreferenceValueDecoder", "PreferenceValueEncoder", "PreferenceWatchOptions", "PreferenceWatcher",
        "Preferences", "PreferencesRemote", "PreferencesRuntime", "PreferencesRuntimeForGeneratedCode1",
        "PreferencesSQLite", "PreferencesSecrets", "PrefixedStore", "PropertyNamedAccessors", "ReadOnlyStore",
        "ReflectingStore", "SQLiteStore", "StoreSuspension", "TransformedStore", "UbiquitousChange", "UbiquitousStore",
        "UserDefaultsStore", "WatchedPreference", "WriterExcludingStore", "_DeclaredInType", "_StorageName",
    ]

    /// Members that every generated struct has already, or that its coding needs.
    static let structFields: Set<String> = [
        "init", "self", "Type", "Protocol", "CodingKeys", "RawValue", "encode", "hash", "hashValue", "preferenceValue",
    ]

    /// The names that do not mean a type in the decoding of a generated struct: its local variables, and members of the
    /// protocols that it conforms to. `_rawHashValue(seed:)` is an undocumented requirement of `Hashable`.
    static let decodingNames: Set<String> = [
        "container", "decoder", "self", "encode", "hash", "hashValue", "_rawHashValue", "preferenceValue",
    ]

    /// Members that every generated enum has already.
    static let enumCases: Set<String> = ["allCases", "AllCases", "RawValue", "Type", "Protocol"]
}
