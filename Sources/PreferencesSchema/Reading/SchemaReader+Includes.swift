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
