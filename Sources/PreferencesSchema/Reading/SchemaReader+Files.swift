/// A file that is read: a schema, or an included file.
struct SchemaFile {
    var path: String
    /// The fields of the file's object, or nil if it has none.
    var fields: Fields?
    /// The files that it includes.
    var includes: [Include] = []
    /// Whether any file that it includes cannot be read, so that its declarations are incomplete.
    var hasMissingIncludes = false

    struct Include {
        var file: Int
        var place: Place
    }
}

extension SchemaReader {
    /// Reads the JSON of a file, and checks the fields that every file has.
    mutating func readFile(_ source: SchemaSource) -> SchemaFile {
        var file = SchemaFile(path: source.path)
        guard let fields = readFields(of: source.bytes, .file) else { return file }
        file.fields = fields
        _ = string(fields["$schema"], what: "'$schema'")
        checkFormatVersion(fields)
        return file
    }

    /// Returns the fields of a text's outermost object. Reports faults, and returns nil if there is no object.
    mutating func readFields(of bytes: [UInt8], _ kind: ObjectKind) -> Fields? {
        let json = JSONReader.read(bytes)
        for fault in json.faults { report(fault) }
        return json.root.flatMap { fields(of: $0, kind) }
    }

    private mutating func report(_ fault: JSONSyntaxError) {
        let range = fault.offset..<fault.offset
        switch fault.fault {
        case .duplicateName(_, let firstOffset):
            report(.duplicateName, at: range, fault.message, firstAt: firstOffset..<firstOffset)
        case .invalidUTF8, .byteOrderMark: report(.jsonEncoding, at: range, fault.message)
        case .nestedTooDeep: report(.jsonNesting, at: range, fault.message)
        default: report(.jsonSyntax, at: range, fault.message)
        }
    }

    private mutating func checkFormatVersion(_ fields: Fields) {
        guard let node = fields["formatVersion"] else {
            guard fields.isMissing("formatVersion") else { return }
            report(
                .missingField,
                at: fields.place,
                "the schema has no 'formatVersion'",
                note: #"add "formatVersion": 1"#
            )
            return
        }
        guard case .number(let number) = node.content else {
            report(.wrongJSONType, at: node.range, "'formatVersion' must be a number, not \(node.typeDescription)")
            return
        }
        if number.exactly(Int.self) != 1 {
            report(
                .formatVersion,
                at: node.range,
                "format version \(number.text) is not supported; this generator reads version 1"
            )
        }
    }
}

// MARK: - Includes

/// The result of loading an included file.
package enum IncludedText: Sendable {
    case text([UInt8])
    /// The file does not exist or cannot be read, for the given reason.
    case missing(String)
    /// The file is where builds do not watch it for changes. The associated value says where to move it.
    case outOfPlace(String)
}

extension SchemaReader {
    /// The suffix of every included file's name, by which build plugins identify them.
    static let includeEnding = ".preferences-include.json"

    /// More files than anyone writes. If a link leads from a folder back to itself, a file has infinitely many paths.
    private static let maximumIncludes = 3_000
    /// The maximum length of a path in UTF-8 bytes, the limit of systems (Linux's `PATH_MAX`).
    private static let maximumPathLength = 4_096

    /// Reads the included files, recursively, each once.
    mutating func readIncludes(of sources: inout [SchemaSource], _ load: (String) -> IncludedText) {
        let maximum = sources.count + Self.maximumIncludes
        var isOverLimit = false
        var indices: [String: Int] = [:]
        for (index, source) in sources.enumerated() { indices[FilePaths.normalized(source.path)] = index }
        var index = 0
        while index < sources.count {
            source = index
            for name in strings(files[index].fields?["includes"], what: "includes") {
                let path = includedPath(name, from: sources[index].path)
                if let path, indices[path] == nil, sources.count >= maximum {
                    if !isOverLimit { reportTooMany(at: name) }
                    isOverLimit = true
                    files[index].hasMissingIncludes = true
                    continue
                }
                let file = path.flatMap { indices[$0] ?? readIncluded(name, at: $0, load, into: &sources) }
                source = index
                guard let path, let file else {
                    files[index].hasMissingIncludes = true
                    continue
                }
                indices[path] = file
                recordInclude(of: file, at: name)
            }
            index += 1
        }
        findCycles()
    }

    private mutating func reportTooMany(at name: Name) {
        report(
            .includeCycle,
            at: name.place.range,
            "more than \(Self.maximumIncludes) files are included",
            note: "if there are fewer, a folder contains a link to one of its parent folders"
        )
    }

    /// Records that the current file includes another, once even if its path is spelled differently.
    private mutating func recordInclude(of file: Int, at name: Name) {
        guard let first = files[source].includes.first(where: { $0.file == file }) else {
            files[source].includes.append(.init(file: file, place: name.place))
            return
        }
        report(
            .duplicateElement,
            at: name.place.range,
            "'\(name.text)' is another path to a file that is already included",
            other: first.place,
            "it is first included here"
        )
    }

    /// Returns the path of an included file, relative to the same folder as those of the schemas.
    private mutating func includedPath(_ name: Name, from path: String) -> String? {
        if name.text.hasPrefix("/") {
            report(
                .includePath,
                at: name.place.range,
                "an include must be a path relative to the file's own folder, not '\(name.text)'"
            )
            return nil
        }
        guard name.text.hasSuffix(Self.includeEnding), !name.text.hasSuffix("/" + Self.includeEnding) else {
            report(
                .includePath,
                at: name.place.range,
                "the name of an included file must end in '\(Self.includeEnding)', unlike '\(name.text)'",
                note: name.text.hasSuffix(".preferences.json")
                    ? "a schema is generated on its own; rename it if it is only meant to be included" : nil
            )
            return nil
        }
        let joined = FilePaths.joined(folderOf: path, name.text)
        guard joined.utf8.count <= Self.maximumPathLength else {
            report(
                .includePath,
                at: name.place.range,
                "the path of the file is longer than \(Self.maximumPathLength) bytes"
            )
            return nil
        }
        return joined
    }

    private mutating func readIncluded(
        _ name: Name,
        at path: String,
        _ load: (String) -> IncludedText,
        into sources: inout [SchemaSource]
    ) -> Int? {
        switch load(path) {
        case .text(let bytes):
            let included = SchemaSource(path: path, bytes: bytes)
            sources.append(included)
            source = sources.count - 1
            files.append(readFile(included))
            return sources.count - 1
        case .missing(let reason):
            report(.missingInclude, at: name.place.range, "cannot read '\(path)': \(reason)")
        case .outOfPlace(let place):
            report(.includePath, at: name.place.range, "'\(path)' is not in a folder that builds watch", note: place)
        }
        return nil
    }

    /// Returns the files that a file includes, directly and indirectly, each once and before those that it includes.
    func filesIncluded(by file: Int) -> [Int] {
        var reached: [Int] = []
        var isReached: Set = [file]
        var pending = files[file].includes.map(\.file).reversed() as [Int]
        while let next = pending.popLast() {
            guard isReached.insert(next).inserted else { continue }
            reached.append(next)
            pending += files[next].includes.map(\.file).reversed()
        }
        return reached
    }

    /// Reports each include that closes a cycle.
    private mutating func findCycles() {
        let links = files.map { file in file.includes.map { Link(target: $0.file, place: $0.place) } }
        for cycle in Cycle.all(from: Array(files.indices), links: { links[$0] }) {
            let path = cycle.description { files[$0].path }
            findings.append(
                Finding(rule: .includeCycle, place: cycle.place, message: "the file includes itself: \(path)")
            )
        }
    }
}

// MARK: - Imports

extension SchemaReader {
    /// Returns the modules that the generated file imports: those of a schema and of all its included files, even if
    /// another schema generates these, since it uses their types.
    mutating func modules(importedBy files: [Int]) -> [String] {
        var modules = Set(configuration.imports)
        for file in files { inFile(file) { modules.formUnion($0.readImports($0.files[file].fields?["imports"])) } }
        return modules.sorted()
    }

    /// Records the external types and those with hooks that are looked up by their own names or by those of modules, and
    /// reports modules that are not imported.
    mutating func checkModules(of imports: [String]) {
        let visible = imports + ["PreferencesRuntime", "Swift"]
        let external = declarations.values.compactMap { declaration in
            if case .external(let name) = declaration.contents { (name, "an external type") } else { nil }
        }
        for (name, kind) in external + hookTypes.map({ ($0, "a type with hooks") }) {
            let module = String(name.text.prefix { $0 != "." })
            if module == name.text || visible.contains(where: { name.text.hasPrefix($0 + ".") }) {
                symbols.referenceExternalType(name, firstComponent: module, kind: kind)
                continue
            }
            if !configuration.isComplete { continue }
            // The name may begin with a type of this module, even a generated one.
            inFile(name.place.source) { reader in
                reader.report(
                    .missingImport,
                    at: name.place.range,
                    "'\(module)' is not in 'imports', so '\(name.text)' is only looked up in this module",
                    note: #"if '\#(module)' is another module: "imports": ["\#(module)"]"#
                )
            }
        }
    }

    /// Reads the modules of an `imports`. Reports and omits invalid names.
    mutating func readImports(_ node: JSONNode?) -> [String] {
        strings(node, what: "imports").compactMap { name in
            let words = name.text.split(separator: ".", omittingEmptySubsequences: false)
            if words.allSatisfy({ Identifier.isValid(String($0)) }) { return name.text }
            report(
                .invalidImport,
                at: name.place.range,
                "'\(name.text)' is not a valid module name",
                note: "write it as it follows 'import' in Swift"
            )
            return nil
        }
    }
}

// MARK: - Paths

/// Lexical operations on paths.
enum FilePaths {
    /// Returns a path relative to the folder of another.
    static func joined(folderOf path: String, _ relative: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return normalized(relative) }
        return normalized(path[...slash] + relative)
    }

    /// Returns the path without `.`, and without `..` after the name of a folder.
    static func normalized(_ path: some StringProtocol) -> String {
        var components: [Substring] = []
        for component in path.split(separator: "/") where component != "." {
            if component == "..", let last = components.last, last != ".." {
                components.removeLast()
            } else {
                components.append(Substring(component))
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + components.joined(separator: "/")
    }
}
