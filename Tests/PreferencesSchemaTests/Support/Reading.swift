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
