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
        if memberNames.contains(where: Self.isNotLowerCamelCase) {
            rules.append("AlwaysUseLowerCamelCase")
        }
        if (memberNames + typeNames).contains(where: { !$0.isPlainASCII }) {
            rules.append("IdentifiersMustBeASCII")
        }
        if typeNames.contains(where: { $0.first { $0 != "_" }?.isLowercase == true }) {
            rules.append("TypeNamesShouldBeCapitalized")
        }
        return rules
    }

    private static func isNotLowerCamelCase(_ name: String) -> Bool {
        // Most names are of ASCII, whose bytes are characters and cost far less to look at.
        guard name.isPlainASCII else { return name.first?.isUppercase == true || name.dropFirst().contains("_") }
        var name = name
        return name.withUTF8 { bytes in
            bytes.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } == true
                || bytes.dropFirst().contains(UInt8(ascii: "_"))
        }
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
