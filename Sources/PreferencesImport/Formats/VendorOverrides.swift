/// The defaults that distributions give the keys of GSettings schemas in `*.gschema.override` files.
struct VendorOverrides {
    /// The elements that override defaults, by the id of the schema and the name of the key.
    private var elements: [GSettingsKeyName: MarkupElement] = [:]

    init() {}

    /// Reads the files in the folder of a schema, as `glib-compile-schemas` does: the last one takes precedence.
    ///
    /// - Throws: An error that names the file or folder that cannot be read.
    init(besides path: String, _ files: FileReader) throws(ImportError) {
        for name in try Self.fileNames(path.directoryPrefix, files) {
            let file = path.directoryPrefix + name
            let bytes: [UInt8]
            do throws(ImportError) { bytes = try files.read(file) } catch { throw Self.error(error) }
            try add(bytes, path: file)
        }
    }

    private static func fileNames(_ folder: String, _ files: FileReader) throws(ImportError) -> [String] {
        do throws(ImportError) {
            return try files.fileNames(folder).sorted().filter { $0.hasSuffix(".gschema.override") }
        } catch {
            throw Self.error(error)
        }
    }

    private static func error(_ cause: ImportError) -> ImportError {
        .unreadable(message: "\(cause); it may override defaults of the schema: make it readable, or move it away")
    }

    /// Adds the entries of a file, in the syntax of GLib's `GKeyFile`. Groups of single desktops are ignored.
    private mutating func add(_ bytes: [UInt8], path: String) throws(ImportError) {
        var schema = ""
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() {
            let line = String(decoding: bytes, as: UTF8.self).trimmed
            // Comments can have any encoding.
            if line.hasPrefix("#") { continue }
            guard String(validating: bytes, as: UTF8.self) != nil else {
                let message = "the line is not UTF-8; repair it, or move the file away"
                throw .invalid(path: path, line: index + 1, message: message)
            }
            if line.hasPrefix("["), line.hasSuffix("]") {
                schema = String(line.dropFirst().dropLast())
            } else if let equals = line.firstIndex(of: "=") {
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
