/// What the GSettings schemas of a run may refer to by id: enums, flags and other schemas, in the file itself or in
/// those beside it, as `glib-compile-schemas` looks for them.
struct SettingsLibrary {
    struct Definition {
        var element: MarkupElement
        var path: String
    }

    private let files: SourceFiles
    private var definitions: [String: Definition] = [:]
    private var readPaths: Set<String> = []

    init(files: SourceFiles) {
        self.files = files
    }

    /// Takes up what a document declares.
    mutating func add(_ root: MarkupElement, path: String) {
        guard readPaths.insert(path).inserted else { return }
        for element in root.children where ["enum", "flags", "schema"].contains(element.name) {
            guard let id = element.attributes["id"] else { continue }
            let key = Self.key(element.name, id)
            definitions[key] = definitions[key] ?? Definition(element: element, path: path)
        }
    }

    /// What is declared under an id.
    ///
    /// - Parameters:
    ///   - kind: `enum`, `flags` or `schema`.
    ///   - path: The file that refers to it.
    mutating func definition(_ kind: String, _ id: String, for path: String) -> Definition? {
        if let definition = definitions[Self.key(kind, id)] { return definition }
        let names = files.names(path.pathFolder).sorted()
        // Enums are mostly in files of their own.
        for ending in [".enums.xml", ".gschema.xml"] {
            for name in names where name.hasSuffix(ending) {
                let neighbour = path.pathFolder + name
                guard !readPaths.contains(neighbour) else { continue }
                // One that cannot be read has nothing to offer; what is missing is remarked where it is missed.
                if let bytes = try? files.read(neighbour), let root = try? MarkupReader.read(bytes, path: neighbour) {
                    add(root, path: neighbour)
                }
            }
            if let definition = definitions[Self.key(kind, id)] { return definition }
        }
        return nil
    }

    private static func key(_ kind: String, _ id: String) -> String { "\(kind) \(id)" }
}
