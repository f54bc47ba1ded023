/// The kinds of JSON object that a schema is made of, with the fields that each may have.
enum ObjectKind {
    case file
    case namespace
    case key
    case type
    case enumCase
    case structField
    case elementConstraints
    case lint
    case configuration

    var description: String {
        switch self {
        case .file: "a schema"
        case .namespace: "a namespace"
        case .key: "a key"
        case .type: "a type"
        case .enumCase: "an enum case"
        case .structField: "a field of a struct"
        case .elementConstraints: "'each'"
        case .lint: "'lint'"
        case .configuration: "a configuration"
        }
    }

    var fields: [String] {
        switch self {
        case .file: Self.fileFields
        case .namespace: Self.namespaceFields
        case .key: Self.keyFields
        case .type: ["enum", "struct", "external", "description", "lint"]
        case .enumCase: ["value", "label", "description"]
        case .structField: ["type", "default", "id", "description"]
        case .elementConstraints: Self.constraintFields
        case .lint: ["ignore"]
        case .configuration: ["$schema", "access", "hostDirectory", "imports"]
        }
    }

    private static let fileFields = [
        "$schema", "formatVersion", "description", "access", "imports", "includes", "types", "host", "reserved", "lint",
        "keys", "namespaces",
    ]

    private static let namespaceFields = [
        "id", "description", "access", "host", "reserved", "lint", "keys", "namespaces",
    ]

    private static let keyFields =
        [
            "type", "default", "defaultExpression", "platformDefaults", "id", "description", "label", "unit", "access",
            "setAccess", "readOnly", "secret", "deprecated", "renamedFrom", "lint",
        ] + constraintFields

    static let constraintFields = [
        "minimum", "maximum", "pattern", "minLength", "maxLength", "minCount", "maxCount", "choices", "each",
    ]

    /// What other languages of settings call some of the fields.
    static let otherNames = [
        "min": "minimum", "max": "maximum", "minValue": "minimum", "maxValue": "maximum", "enum": "choices",
        "options": "choices", "values": "choices", "regex": "pattern", "defaultValue": "default", "value": "default",
        "summary": "description", "doc": "description", "desc": "description", "title": "label", "name": "id",
        "key": "id", "visibility": "access", "readonly": "readOnly", "include": "includes", "import": "imports",
        "groups": "namespaces", "features": "namespaces", "preferences": "keys", "settings": "keys",
    ]
}
