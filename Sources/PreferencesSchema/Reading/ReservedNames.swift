/// The naming rules of schemas, for code that creates names.
package enum NameRules {
    /// Returns the name of the private property that generated code declares beside the accessor of a key with many
    /// traits.
    package static func traitsProperty(ofKey name: String) -> String { "_\(name)Traits" }

    /// Returns the name of the private property that generated code declares beside the accessor of a key whose default
    /// is an expression, for the catalogue.
    package static func defaultProperty(ofKey name: String) -> String { "_\(name)Default" }

    /// Returns whether a name has the form of ``traitsProperty(ofKey:)`` or ``defaultProperty(ofKey:)``. No accessor can
    /// have such a name.
    package static func isGeneratedProperty(_ name: String) -> Bool {
        name.hasPrefix("_") && (name.hasSuffix("Traits") || name.hasSuffix("Default"))
    }

    /// Returns whether keys and namespaces cannot have a name.
    ///
    /// - Parameter isOutermost: Whether the accessor is at the top level of a file.
    package static func isReserved(accessor name: String, isOutermost: Bool) -> Bool {
        ReservedNames.accessors.contains(name) || ReservedNames.modules.contains(name)
            || ReservedNames.catalogueMembers.contains(name) || isGeneratedProperty(name)
            || (isOutermost && ReservedNames.preferencesMembers.contains(name))
    }

    /// Returns whether types cannot have a name.
    package static func isReserved(type name: String) -> Bool { ReservedNames.types.contains(name) }

    /// The public types and the modules of the libraries that apps link, which are reserved as names of types.
    package static let libraryTypes = ReservedNames.libraryTypes

    /// Returns whether fields of structs cannot have a name, whatever their types.
    package static func isReserved(structField name: String) -> Bool {
        ReservedNames.structFields.contains(name) || ReservedNames.languageTypes.contains(name)
    }

    /// Returns whether fields of structs cannot be of a type with this name, or of one in a module or a type with
    /// this name.
    package static func isReserved(typeOfField name: String) -> Bool { ReservedNames.decodingNames.contains(name) }

    /// Returns whether enum cases cannot have a name.
    package static func isReserved(enumCase name: String) -> Bool { ReservedNames.enumCases.contains(name) }

    /// Returns the letters, digits and colons of a name in lowercase, which similar names share.
    package static func folded(_ name: String) -> [UInt8] { SymbolTable.folded(name) }
}

/// Names that generated declarations must not have.
enum ReservedNames {
    /// The members of `PreferenceAccessors` and `PreferenceNamespace`, which are declared beside every accessor, and
    /// the type whose functions the accessors call.
    static let accessors: Set<String> = [
        "preferences", "isSet", "isManaged", "reset", "resetAll", "defaultValue", "resolution", "source", "set", "get",
        "update",
        "watch", "changes", "unwatch", "unwatchFile", "unwatchAll", "processValues", "willChange", "didChange",
        "willCommit", "didCommit", "publisher", "binding", "storageName", "_Accessor",
    ]

    /// The members of the types of namespaces, and of `Preferences`, if a schema has a catalogue. Reserved in all schemas,
    /// which may get one later.
    static let catalogueMembers: Set<String> = ["catalogue", "validate", "explain", "_KeyDescriptions"]

    /// Modules that the expressions of a schema may name. An accessor of the same name would hide the module.
    static let modules: Set<String> = ["Foundation", "Swift"]

    /// The members of `Preferences`, which are declared beside the accessors of a file's own keys and outermost
    /// namespaces.
    static let preferencesMembers: Set<String> = [
        "shared", "bootstrap", "store", "secrets", "transaction", "flush", "reload", "unrecognizedNames", "problems",
        "inMemory", "migrate", "named", "observation", "withShared", "register", "reference", "prefixed",
        "functionLocal", "addHooks", "customMirror", "exportValues", "importValues", "_PropertyOwner",
    ]

    /// All of these, for one lookup that nearly always fails.
    static let anyAccessors = accessors.union(modules).union(preferencesMembers).union(catalogueMembers)

    /// The built-in types of the schema language.
    static let schemaTypes: Set<String> = Set(ValueType.builtIn.keys).union(["Set"])

    /// The types and modules that a generated type of the same name would hide.
    static let types = languageTypes.union(libraryTypes)

    /// Types of Swift and Foundation, and names with another meaning in Swift or in generated code.
    static let languageTypes: Set<String> = schemaTypes.union([
        "Array", "Dictionary", "Optional", "CodingKey", "CodingKeys", "Foundation", "Swift", "Codable", "CaseIterable",
        "Sendable", "RequiredRuntime", "_KeyDescriptions", "_PropertyOwner", "Any", "Self", "Type", "Protocol",
        // Common types: hiding them would break the user's own code.
        "Actor", "Character", "Collection", "Comparable", "Decodable", "Decoder", "Encodable", "Encoder", "Equatable",
        "Error", "Hashable", "Identifiable", "KeyPath", "MainActor", "Never", "Range", "Result", "Sequence",
        "Substring", "Task", "Void",
    ])

    /// The public types of the libraries that apps link, and the libraries' modules.
    static let libraryTypes: Set<String> = [
        "ActorOfObjectThatIsNotSendable", "AnyPreferenceReference", "AnyPreferenceWatcher", "Archived",
        "ArgumentsStore", "BundleStore", "CacheStore", "CapabilityDeclaringStore", "CataloguedPreferences",
        "CoderStore", "CollectionStore", "CookieStore", "EncryptedStore", "EncryptionKey", "EncryptionKeyError",
        "EnvironmentStore", "EtcdStore", "FileStore", "GSettingsKeyfileStore", "HTTPStore", "KConfigStore",
        "KeyPathToKeyOf",
        "KeyValueCodingStore", "KeychainAccessibility", "KeychainAuthentication", "KeychainOptions", "KeychainStore",
        "LayeredStore", "LegacyEncoding", "LegacyStore", "ManageableStore", "ManagedDefaults", "ManagedObjectStore",
        "ManagedStore",
        "ManagedValue", "MemoryStore", "PersistentObject",
        "PersistentObjectChange", "PersistentObjectRepository", "PersistentObjectWatcher", "PersistentObjects",
        "Preference", "PreferenceAccessors", "PreferenceBatch", "PreferenceCatalogue", "PreferenceChange",
        "PreferenceChangeBuffering", "PreferenceChangeOrigin", "PreferenceCommit", "PreferenceConstraint",
        "PreferenceConversionError", "PreferenceConvertible", "PreferenceDefault", "PreferenceEdit",
        "PreferenceExplanation", "PreferenceExportOptions", "PreferenceHook", "PreferenceHooks", "PreferenceKeyChange",
        "PreferenceKeyDescription", "PreferenceMergeRule", "PreferenceMigration", "PreferenceNamespace",
        "PreferenceProblem", "PreferenceProblems", "PreferencePublisher", "PreferenceReference",
        "PreferenceResolution", "PreferenceScope", "PreferenceSource", "PreferenceStore", "PreferenceStoreAccess",
        "PreferenceStoreAdapter", "PreferenceStoreCapabilities", "PreferenceStoreChange", "PreferenceStoreObservation",
        "PreferenceStoreObservers", "PreferenceTrait", "PreferenceTransformation", "PreferenceType", "PreferenceValue",
        "PreferenceValueDecoder", "PreferenceValueEncoder", "PreferenceValueWrapper", "PreferenceWatchOptions",
        "PreferenceWatcher", "Preferences", "PreferencesApple", "PreferencesCatalogue", "PreferencesCompatibility",
        "PreferencesObjects", "PreferencesRemote", "PreferencesRuntime", "PreferencesSQLite", "PreferencesSecrets",
        "PrefixedStore", "PropertyNamedAccessors", "PropertyWatchable", "PropertyWatcher", "ReadOnlyStore", "Reflected",
        "ReflectingStore", "RoamingStore", "SQLiteStore", "ScopedStore", "SecretProtectingStore",
        "SecretServiceCollection",
        "SecretServiceOptions", "SecretServiceStore", "SourceReportingStore", "StoreSuspension", "TransformedStore",
        "UbiquitousChange", "UbiquitousStore", "UserDefaultsStore", "ValueConvertingStore",
        "WatchedPreference", "WritablePreferenceStore", "WriterExcludingStore", "_Accessor", "_DeclaredInType",
        "_PreferencesRuntimeForGeneratedCode1", "_StorageName",
    ]

    /// Members that every generated struct has, or that its coding needs.
    static let structFields: Set<String> = [
        "init", "self", "Type", "Protocol", "CodingKeys", "RawValue", "encode", "hash", "hashValue", "preferenceValue",
    ]

    /// Names that do not refer to a type in the decoding of a generated struct: local variables, and members of the
    /// protocols that the struct conforms to. `_rawHashValue(seed:)` is an undocumented requirement of `Hashable`.
    static let decodingNames: Set<String> = [
        "container", "decoder", "self", "encode", "hash", "hashValue", "_rawHashValue", "preferenceValue",
    ]

    /// The members that every generated enum has.
    static let enumCases: Set<String> = ["allCases", "AllCases", "RawValue", "Type", "Protocol"]
}
