/// What was found in one file, before it is written as a schema.
struct ImportedSchema: Sendable {
    var description: String?
    var enums: [ImportedEnum] = []
    /// The keys that stand in no namespace, and the outermost namespaces.
    var root = ImportedNamespace(id: "", names: [], line: nil)
}

struct ImportedNamespace: Sendable {
    /// What its part of the storage names is.
    var id: String
    /// What it might be called, the best first, in any spelling; in the end, its name alone.
    var names: [String]
    var description: String?
    var keys: [ImportedKey] = []
    var namespaces: [ImportedNamespace] = []
    /// Whether its name is that of another member beside it but for case and punctuation.
    var isSimilarToAnother = false
    /// Where it is declared.
    var line: Int?
}

struct ImportedKey: Sendable {
    /// What its part of the storage name is.
    var id: String
    /// What it is called, in any spelling at first.
    var name: String
    var type: ImportedType
    /// Nil for an optional without one.
    var defaultValue: ImportedValue?
    /// A Swift expression, for what JSON has no words for.
    var defaultExpression: String?
    var description: String?
    var label: String?
    /// Numbers in the grammar of JSON.
    var minimum: String?
    var maximum: String?
    var choices: [ImportedValue] = []
    /// What each element may be.
    var elementChoices: [ImportedValue] = []
    var isSecret = false
    var isReadOnly = false
    /// Whether another key's name, or what it is stored under, is the same but for case and punctuation.
    var isSimilarToAnother = false
    /// Where it is declared, if not in the file that is imported.
    var path: String?
    var line: Int?

    init(id: String, name: String? = nil, type: ImportedType, line: Int?) {
        self.id = id
        self.name = name ?? id
        self.type = type
        self.line = line
    }
}

struct ImportedEnum: Sendable {
    /// What it might be called, the best first, in any spelling; in the end, its name alone.
    var names: [String]
    var cases: [Case]
    var description: String?
    /// Where it is declared, if not in the file that is imported.
    var path: String?
    var line: Int?

    struct Case: Sendable {
        /// What it is called, in any spelling at first.
        var name: String
        var value: Value
        var label: String?
        var description: String?
    }

    enum Value: Hashable, Sendable {
        case string(String)
        case integer(Int64)
    }
}
