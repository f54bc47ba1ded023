/// One file of a run: a schema, or something that is included.
struct SchemaFile {
    var path: String
    /// Its object's fields; nil where it has none.
    var fields: Fields?
    /// The files that it includes, and where it says so.
    var includes: [Include] = []
    /// Whether it includes something that cannot be read, so that not all that belongs to it is known.
    var lacksIncludes = false

    struct Include {
        var file: Int
        var place: Place
    }
}

extension SchemaReader {
    /// Reads a file's JSON, and checks what every file has.
    mutating func readFile(_ source: SchemaSource) -> SchemaFile {
        var file = SchemaFile(path: source.path)
        guard let fields = readFields(of: source.bytes, .file) else { return file }
        file.fields = fields
        _ = string(fields["$schema"], what: "'$schema'")
        checkFormatVersion(fields)
        return file
    }

    /// The fields of the object that is all of a text; nil, and reported, where there is none.
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
                "format version \(number.text) is not known; this generator reads version 1"
            )
        }
    }
}

/// What comes of asking for the text of a file that a schema includes.
package enum IncludedText: Sendable {
    case text([UInt8])
    /// There is none, or it cannot be read; why, in words.
    case missing(String)
    /// There is one where it would not be noticed that it changes; where it has to be.
    case outOfPlace(String)
}

extension SchemaReader {
    /// How the name of every included file ends, by which build plugins know it.
    static let includeEnding = ".preferences-include.json"

    /// More files than people write. Where a link leads from a folder back to itself, one file has paths without end.
    private static let maximumIncludes = 3_000
    /// In bytes of UTF-8: longer ones than systems take (Linux's `PATH_MAX`).
    private static let maximumPath = 4_096

    /// Reads what the files include, what that includes, and so on, each file once.
    mutating func readIncludes(of sources: inout [SchemaSource], _ load: (String) -> IncludedText) {
        let maximum = sources.count + Self.maximumIncludes
        var isTooMany = false
        var numbers: [String: Int] = [:]
        for (index, source) in sources.enumerated() { numbers[FilePaths.normalised(source.path)] = index }
        var index = 0
        while index < sources.count {
            source = index
            for name in strings(files[index].fields?["includes"], what: "includes") {
                let path = includedPath(name, from: sources[index].path)
                if let path, numbers[path] == nil, sources.count >= maximum {
                    if !isTooMany { reportTooMany(at: name) }
                    isTooMany = true
                    files[index].lacksIncludes = true
                    continue
                }
                let number = path.flatMap { numbers[$0] ?? readIncluded(name, at: $0, load, into: &sources) }
                source = index
                guard let path, let number else {
                    files[index].lacksIncludes = true
                    continue
                }
                numbers[path] = number
                include(number, at: name)
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
            note: "if there are not as many, a folder is a link to one that it is in"
        )
    }

    /// Notes that the current file includes another, once however its path is spelt.
    private mutating func include(_ file: Int, at name: Name) {
        guard let first = files[source].includes.first(where: { $0.file == file }) else {
            files[source].includes.append(.init(file: file, place: name.place))
            return
        }
        report(
            .duplicateElement,
            at: name.place.range,
            "'\(name.text)' is another path of a file that is included already",
            other: first.place,
            "it is here first"
        )
    }

    /// The path of an included file, from where the schemas' paths are from.
    private mutating func includedPath(_ name: Name, from path: String) -> String? {
        if name.text.hasPrefix("/") {
            report(
                .includePath,
                at: name.place.range,
                "an include is a path from the file's own folder, not '\(name.text)'"
            )
            return nil
        }
        guard name.text.hasSuffix(Self.includeEnding), !name.text.hasSuffix("/" + Self.includeEnding) else {
            report(
                .includePath,
                at: name.place.range,
                "the name of an included file ends in '\(Self.includeEnding)', and '\(name.text)' does not",
                note: name.text.hasSuffix(".preferences.json")
                    ? "a schema is generated on its own; rename one that is only to be included" : nil
            )
            return nil
        }
        let joined = FilePaths.joined(folderOf: path, name.text)
        guard joined.utf8.count <= Self.maximumPath else {
            report(.includePath, at: name.place.range, "the path of the file is longer than \(Self.maximumPath) bytes")
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
            report(.includePath, at: name.place.range, "'\(path)' is not where builds watch it", note: place)
        }
        return nil
    }

    /// The files that a file includes, directly and indirectly, each once and before those that it includes itself.
    func filesIncluded(by file: Int) -> [Int] {
        var reached: [Int] = []
        var isReached: Set = [file]
        var waiting = files[file].includes.map(\.file).reversed() as [Int]
        while let next = waiting.popLast() {
            guard isReached.insert(next).inserted else { continue }
            reached.append(next)
            waiting += files[next].includes.map(\.file).reversed()
        }
        return reached
    }

    /// Reports each include that leads back to a file which leads to it.
    private mutating func findCycles() {
        let links = files.map { file in file.includes.map { Link(target: $0.file, place: $0.place) } }
        for cycle in Cycle.all(from: Array(files.indices), links: { links[$0] }) {
            let way = cycle.description { files[$0].path }
            findings.append(
                Finding(rule: .includeCycle, place: cycle.place, message: "the file includes itself: \(way)")
            )
        }
    }
}

extension SchemaReader {
    /// The modules that the generated file imports for a schema and all that it includes, whichever schema generates that:
    /// types from there are used here too.
    mutating func modules(importedBy files: [Int]) -> [String] {
        var modules = Set(configuration.imports)
        for file in files { inFile(file) { modules.formUnion($0.readImports($0.files[file].fields?["imports"])) } }
        return modules.sorted()
    }

    /// Notes the external types that are found by their own names or by those of modules, and reports modules that nothing
    /// imports.
    mutating func checkModules(of imports: [String]) {
        let known = imports + ["PreferencesRuntime", "Swift"]
        for declaration in declarations.values {
            guard case .external(let name) = declaration.contents else { continue }
            let module = String(name.text.prefix { $0 != "." })
            if module == name.text || known.contains(where: { name.text.hasPrefix($0 + ".") }) {
                claims.needExternalType(name, firstPart: module)
                continue
            }
            if !configuration.isComplete { continue }
            // It is in a type of this module, which may be a generated one.
            inFile(name.place.source) { reader in
                reader.report(
                    .missingImport,
                    at: name.place.range,
                    "no 'imports' names '\(module)', so '\(name.text)' is found in this module only",
                    note: #"if '\#(module)' is another module: "imports": ["\#(module)"]"#
                )
            }
        }
    }

    /// The modules of an `imports`, without those, reported, that are none.
    mutating func readImports(_ node: JSONNode?) -> [String] {
        strings(node, what: "imports").compactMap { name in
            let words = name.text.split(separator: ".", omittingEmptySubsequences: false)
            if words.allSatisfy({ Identifier.isValid(String($0)) }) { return name.text }
            report(
                .invalidImport,
                at: name.place.range,
                "'\(name.text)' cannot be the name of a module",
                note: "name it as behind Swift's 'import'"
            )
            return nil
        }
    }
}

/// Paths as text, which needs no file system.
enum FilePaths {
    /// A path relative to the folder of another.
    static func joined(folderOf path: String, _ relative: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return normalised(relative) }
        return normalised(path[...slash] + relative)
    }

    /// The path without `.`, and without `..` where it steps back from a folder that the path names.
    static func normalised(_ path: some StringProtocol) -> String {
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
