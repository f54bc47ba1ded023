/// Names that generated declarations must not have.
enum ReservedNames {
    /// Members of `PreferenceAccessors` and `PreferenceNamespace`, which every accessor would stand beside.
    static let accessors: Set<String> = [
        "preferences", "isSet", "reset", "resetAll", "defaultValue", "source", "set", "get", "update", "watch",
        "changes", "unwatch", "unwatchFile", "unwatchAll", "processValues", "willChange", "didChange", "willCommit",
        "didCommit", "publisher", "binding",
    ]

    /// Modules, which generated code names where an accessor hides one of their types.
    static let modules: Set<String> = ["Foundation", "Swift"]

    /// Members of `Preferences`, which the accessors of a file's own keys and outermost namespaces stand beside.
    static let preferencesMembers: Set<String> = [
        "shared", "bootstrap", "store", "secrets", "transaction", "flush", "reload", "problems", "inMemory", "migrate",
        "named", "observation", "withShared", "register", "functionLocal", "_PropertyOwner",
    ]

    /// All of these, in which most names are looked for in vain.
    static let anyAccessors = accessors.union(modules).union(preferencesMembers)

    /// Types that schemas have already.
    static let schemaTypes: Set<String> = Set(ValueType.builtIn.keys).union(["Set"])

    /// Types that a generated type of the same name would hide.
    static let types: Set<String> = schemaTypes.union([
        "Array", "Dictionary", "Optional", "Preferences", "PreferenceAccessors", "PreferenceNamespace",
        "PreferenceConvertible", "PreferenceTrait", "PreferencesRuntime", "CodingKey", "CodingKeys", "Foundation",
        "Swift", "Codable", "CaseIterable", "Sendable", "RequiredRuntime", "Any", "Self", "Type", "Protocol",
        // What hardly a file of Swift does without: hidden, they would break the user's own code.
        "Actor", "Character", "Collection", "Comparable", "Decodable", "Decoder", "Encodable", "Encoder", "Equatable",
        "Error", "Hashable", "Identifiable", "KeyPath", "MainActor", "Never", "Range", "Result", "Sequence",
        "Substring", "Task", "Void",
    ])

    /// Members that every generated struct has already, or that its coding needs.
    static let structFields: Set<String> = [
        "init", "self", "Type", "Protocol", "CodingKeys", "encode", "hash", "hashValue", "preferenceValue",
    ]

    /// Members that every generated enum has already.
    static let enumCases: Set<String> = ["allCases", "AllCases", "RawValue", "Type", "Protocol"]
}
