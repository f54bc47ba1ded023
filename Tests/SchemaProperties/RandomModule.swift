import PreferencesSchema

/// The schemas of one module, and the expectations of their keys.
struct RandomModule {
    /// The members of the configuration.
    var configuration: [(String, JSON)] = []
    var schemas: [(path: String, json: JSON)] = []
    /// The members of the included files, by path.
    var includes: [String: [(String, JSON)]] = [:]
    var hosts: Set<String> = []
    var owners: [Owner] = []
    var keys: [Key] = []
    /// The names of the schemas' catalogues, by the file names of schemas that have one.
    var catalogues: [String: String] = [:]
    /// Whether any schema or namespace has hooks.
    var hasHooks = false
    /// The rules that whole files ignore, by path.
    var ignored: [String: Set<Rule>] = [:]

    /// A type of a host file that has a region inside its braces.
    struct Owner {
        var name: String
        var isClass: Bool
        var host: String
        var schema: String
        /// The dotted path of the region's namespace, or `-`.
        var namespace: String
    }

    struct Key {
        /// The file name of its schema, without ending.
        var schema: String
        /// The names of the accessors that lead to the key, and its own.
        var path: [String]
        var type: ValueType
        /// The types that the key's schema declares.
        var types: RandomTypes
        var storageName = ""
        var formerNames: [String] = []
        /// The default; nil if it is an expression.
        var defaultValue: DefaultValue?
        /// The description that the program prints of a default that is an expression.
        var defaultText = ""
        /// The value to set.
        var sample: DefaultValue = .none
        var isSecret = false
        var isManaged = false
        var scope = KeyScope.machine
        var mergeRule = MergeRule.last
        var isReadOnly = false
        var isDeprecated = false
        /// The only host file in which the accessor, or its setter, is visible.
        var host: String?
        /// The type that has the accessor; nil if it is the namespace's own type.
        var owner: String?
    }

    var sources: [SchemaSource] {
        schemas.map { SchemaSource(path: $0.path, bytes: Array($0.json.text.utf8)) }
    }

    var configurationSource: SchemaSource {
        SchemaSource(path: "preferences-generator-config.json", bytes: Array(JSON.object(configuration).text.utf8))
    }

    func included(_ path: String) -> IncludedText {
        includes[path].map { .text(Array(JSON.object($0).text.utf8)) } ?? .missing("no such file")
    }
}
