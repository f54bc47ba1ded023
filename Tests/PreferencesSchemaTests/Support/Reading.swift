import PreferencesSchema

/// Reads a schema given as text.
func read(_ text: String, fileName: String = "Test") -> (schema: Schema?, diagnostics: [Diagnostic]) {
    read(Array(text.utf8), fileName: fileName)
}

func read(_ bytes: [UInt8], fileName: String = "Test") -> (schema: Schema?, diagnostics: [Diagnostic]) {
    let (set, diagnostics) = SchemaSet.read([
        SchemaSource(path: "\(fileName).preferences.json", bytes: bytes, fileName: fileName)
    ])
    return (set.schemas.first, diagnostics)
}

/// The schema's text around keys of its own: `"a": {"type": "Int", "default": 0}`.
func schema(keys: String, types: String = "") -> String {
    #"{"formatVersion": 1, "types": {\#(types)}, "keys": {\#(keys)}}"#
}

extension Key {
    /// The default, where it is a value and the same on all platforms.
    var plainDefault: DefaultValue? {
        if case .value(let value, let platforms) = defaultValue, platforms.isEmpty { value } else { nil }
    }
}

extension Schema {
    var enums: [EnumType] {
        types.compactMap { type in if case .enumeration(let type) = type { type } else { nil } }
    }

    var structs: [StructType] {
        types.compactMap { type in if case .structure(let type) = type { type } else { nil } }
    }
}

/// Reads schemas given as text by their paths, and what they include.
func read(
    _ schemas: KeyValuePairs<String, String>,
    including included: [String: String] = [:]
) -> (schemas: [Schema], diagnostics: [Diagnostic]) {
    let sources = schemas.map { SchemaSource(path: $0.key, bytes: Array($0.value.utf8)) }
    let (set, diagnostics) = SchemaSet.read(sources) { path in
        included[path].map { .text(Array($0.utf8)) } ?? .missing("no such file")
    }
    return (set.schemas, diagnostics)
}
