/// Names that generated declarations must not have.
enum ReservedNames {
    /// Members of `PreferenceAccessors` and `PreferenceNamespace`, which every accessor would stand beside.
    static let accessors: Set<String> = [
        "preferences", "isSet", "reset", "resetAll", "defaultValue", "source", "set", "get", "update", "watch",
        "changes", "unwatch", "unwatchFile", "unwatchAll",
    ]

    /// Members of `Preferences`, which the accessors of a file's own keys and outermost namespaces stand beside.
    static let preferencesMembers: Set<String> = [
        "shared", "bootstrap", "store", "secrets", "transaction", "flush", "reload", "problems",
    ]

    /// Types that generated code refers to, or that the compiler reserves: a type of that name would hide them.
    static let types: Set<String> = Set(ValueType.builtIn.keys).union([
        "Set", "Array", "Dictionary", "Optional", "Preferences", "PreferenceAccessors", "PreferenceNamespace",
        "PreferenceConvertible", "PreferencesRuntime", "Foundation", "Swift", "Codable", "CaseIterable", "Sendable",
        "RequiredRuntime", "Any", "Self", "Type", "Protocol",
    ])

    /// Members that every generated enum has already.
    static let enumCases: Set<String> = ["allCases", "AllCases", "RawValue", "Type", "Protocol"]
}
