import PreferencesSchema

/// Whether a schema's names follow Swift's style, which is for the schema's author to decide.
struct NameStyle {
    private var memberNames: [String]
    private var typeNames: [String]

    init(_ schema: Schema) {
        let namespaces = schema.allNamespaces
        memberNames =
            namespaces.flatMap { $0.keys.map(\.name.text) + $0.path.map(\.text) }
            + schema.types.flatMap(\.memberNames)
        typeNames = schema.types.map(\.name.text) + namespaces.filter { !$0.isRoot }.map(\.typeName)
    }

    /// The rules of `swift format` that the names break.
    var rulesToIgnore: [String] {
        var rules: [String] = []
        if memberNames.contains(where: { $0.first?.isUppercase == true || $0.dropFirst().contains("_") }) {
            rules.append("AlwaysUseLowerCamelCase")
        }
        if (memberNames + typeNames).contains(where: { !$0.utf8.allSatisfy { $0 < 0x80 } }) {
            rules.append("IdentifiersMustBeASCII")
        }
        if typeNames.contains(where: { $0.first { $0 != "_" }?.isLowercase == true }) {
            rules.append("TypeNamesShouldBeCapitalized")
        }
        return rules
    }
}

extension DeclaredType {
    fileprivate var memberNames: [String] {
        switch self {
        case .enumeration(let type): type.cases.map(\.name.text)
        case .structure(let type): type.fields.map(\.name.text)
        }
    }
}
