/// The defaults that distributions give the keys of GSettings schemas in `*.gschema.override` files.
struct VendorOverrides {
    /// The elements that override defaults, by the id of the schema and the name of the key.
    private var elements: [GSettingsKeyName: MarkupElement] = [:]

    init() {}

    /// Reads the files in the folder of a schema, as `glib-compile-schemas` does: the last one takes precedence.
    init(besides path: String, _ files: FileReader) {
        for name in files.fileNames(path.directoryPrefix).sorted() where name.hasSuffix(".gschema.override") {
            let file = path.directoryPrefix + name
            if let bytes = try? files.read(file) { add(String(decoding: bytes, as: UTF8.self), path: file) }
        }
    }

    /// Adds the entries of a file, in the syntax of GLib's `GKeyFile`. Groups of single desktops are ignored.
    private mutating func add(_ text: String, path: String) {
        var schema = ""
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = String(line).trimmed
            if line.hasPrefix("["), line.hasSuffix("]") {
                schema = String(line.dropFirst().dropLast())
            } else if !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") {
                let name = GSettingsKeyName(schema: schema, name: String(line[..<equals]).trimmed)
                var element = MarkupElement(name: "override", attributes: [:], path: path, line: index + 1)
                element.text = String(line[line.index(after: equals)...]).trimmed
                elements[name] = element
            }
        }
    }

    subscript(schema: String, name: String) -> MarkupElement? {
        elements[GSettingsKeyName(schema: schema, name: name)]
    }
}
