/// What the protocols of files' own keys are named after: the file's name, with as many of its folders before it as it
/// takes to tell files of one name apart.
struct FileTypeNames {
    private var names: [String?]

    init(_ sources: [SchemaSource]) {
        let groups = Dictionary(grouping: sources.indices) { sources[$0].fileName }
        names = sources.indices.map { index in
            let source = sources[index]
            let namesakes = groups[source.fileName] ?? []
            let shared = namesakes.count == 1 ? source.folders.count : Self.sharedFolders(namesakes.map { sources[$0] })
            return Self.typeName(source.folders.dropFirst(shared) + [source.fileName])
        }
    }

    subscript(index: Int) -> String? { names[index] }

    /// How many outermost folders all the files are in.
    private static func sharedFolders(_ sources: [SchemaSource]) -> Int {
        let shortest = sources.map(\.folders.count).min() ?? 0
        return (0..<shortest).first { depth in
            sources.contains { $0.folders[depth] != sources[0].folders[depth] }
        } ?? shortest
    }

    /// The words of the components in the manner of Swift's types (`my-app` → `MyApp`), or nil where that is no name.
    private static func typeName(_ components: [String]) -> String? {
        let words = components.flatMap { component in
            component.split { character in
                character == "_" || !character.unicodeScalars.allSatisfy(Identifier.canContain)
            }
        }
        let name = words.map { String($0).capitalizedFirst }.joined()
        return Identifier.isValid(name) ? name : nil
    }
}
