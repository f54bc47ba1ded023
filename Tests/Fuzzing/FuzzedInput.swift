import Foundation
import PreferencesSchema
import TestSupport

/// The texts of schemas that are read together.
struct FuzzedInput {
    var texts: [[UInt8]]

    /// The separator of the schemas in a file. JSON never contains this byte.
    static let separator: UInt8 = 0x1E

    init(texts: [[UInt8]]) {
        self.texts = texts
    }

    init(_ bytes: [UInt8]) {
        texts = bytes.split(separator: Self.separator, omittingEmptySubsequences: false).map(Array.init)
    }

    var bytes: [UInt8] { Array(texts.joined(separator: [Self.separator])) }

    /// The schemas: the first text, and every second one after it. The other texts are included files.
    var sources: [SchemaSource] {
        texts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map {
            SchemaSource(path: "Fuzzed\($0.offset).preferences.json", bytes: $0.element)
        }
    }

    /// Returns the text for an include, which depends only on its path. Some includes find none.
    func included(_ path: String) -> IncludedText {
        let texts = texts.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
        // Hash values differ between processes.
        let number = path.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & Int.max
        if number % 16 == 0 { return .outOfPlace("put it elsewhere") }
        // A file that includes one in a folder would be found there as well, and so on without end.
        if path.count(where: { $0 == "/" }) > 3 { return .missing("no such folder") }
        return texts.isEmpty ? .missing("no such file") : .text(texts[number % texts.count])
    }
}

extension FuzzedInput {
    /// Creates a random input, usually one schema of the corpus with a few changes.
    init(from corpus: Corpus, _ random: inout some RandomNumberGenerator) {
        texts = []
        let count = [1, 1, 1, 1, 2, 2, 3, 4].randomElement(using: &random) ?? 1
        for _ in 0..<count { texts.append(Self.text(from: corpus, &random)) }
    }

    private static func text(from corpus: Corpus, _ random: inout some RandomNumberGenerator) -> [UInt8] {
        let texts = Int.random(in: 0..<4, using: &random) == 0 ? corpus.texts : corpus.validTexts
        var bytes = texts.randomElement(using: &random) ?? []
        bytes.mutateAsTree(from: corpus, times: [1, 1, 1, 2, 3, 6].randomElement(using: &random) ?? 1, &random)
        let byteChanges = [0, 0, 0, 0, 0, 1, 3].randomElement(using: &random) ?? 0
        for _ in 0..<byteChanges { bytes.mutate(from: corpus, &random) }
        return bytes
    }
}

extension [UInt8] {
    /// Changes the text as JSON if it is valid.
    mutating func mutateAsTree(from corpus: Corpus, times: Int, _ random: inout some RandomNumberGenerator) {
        guard var tree = JSONTree(self) else { return }
        for _ in 0..<times where tree.count < 10_000 { tree.mutate(from: corpus, &random) }
        self = Array(tree.text.utf8)
    }
}

extension [UInt8] {
    /// Changes a random byte or range.
    mutating func mutate(from corpus: Corpus, _ random: inout some RandomNumberGenerator) {
        guard let index = indices.randomElement(using: &random) else {
            self = corpus.texts.randomElement(using: &random) ?? []
            return
        }
        let end = Swift.min(count, index + Int.random(in: 1...32, using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0: self[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: self[index] = UInt8.random(in: 0...255, using: &random)
        case 2: self[index] = Array("\"\\{}[],:0-+.eE/*\n\r\t \u{0}tfn".utf8).randomElement(using: &random) ?? 0
        case 3: removeSubrange(index..<end)
        case 4: insert(contentsOf: Array(self[index..<end]), at: index)
        case 5: removeSubrange(index...)
        case 6:
            let other = corpus.texts.randomElement(using: &random) ?? []
            let start = Int.random(in: 0...other.count, using: &random)
            replaceSubrange(index..., with: other[start...])
        case 7: insert(contentsOf: Array(EdgeCases.scalar(&random).utf8), at: index)
        default:
            let piece: [[UInt8]] = [
                [0xEF, 0xBB, 0xBF], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            ]
            insert(contentsOf: piece.randomElement(using: &random) ?? [], at: index)
        }
    }
}

/// The schemas of the tests and of the package, from which inputs are made.
struct Corpus: Sendable {
    /// The texts of the schemas, sorted by path.
    let texts: [[UInt8]]

    /// The texts without errors. Variations of the other ones seldom reach the generator.
    let validTexts: [[UInt8]]

    /// The values of the members of all objects, by name.
    let values: [String: [JSONTree]]

    /// For each name, the names that occur in the same objects.
    let companions: [String: [String]]

    /// The sorted names of all members.
    let names: [String]

    init(_ texts: [[UInt8]]) {
        self.texts = texts
        validTexts = texts.filter { Oracle.check(FuzzedInput($0)).generated != [] }
        let objects = texts.compactMap(JSONTree.init).flatMap(\.objects)
        var companions: [String: Set<String>] = [:]
        // Some huge objects contain all names, and do not show which belong together.
        for names in objects.map({ $0.map(\.name) }) where names.count < 50 {
            for name in names { companions[name, default: []].formUnion(names) }
        }
        self.companions = companions.mapValues { $0.sorted() }
        let members = objects.flatMap(\.self)
        values = Dictionary(grouping: members, by: \.name).mapValues { $0.map(\.value) }
        names = values.keys.sorted()
    }

    /// Returns the corpus of the repository, without files that are too large to mutate quickly.
    static func inRepository() throws -> Corpus {
        let files = ["Tests/Fixtures", "Schemas"].flatMap { folder in
            let url = Repository.folder.appending(path: folder, directoryHint: .isDirectory)
            let files = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
            return (files?.compactMap { $0 as? URL } ?? []).filter { file in
                [".preferences.json", ".preferences-include.json"].contains { file.lastPathComponent.hasSuffix($0) }
            }
        }
        let texts = try files.sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
        return Corpus(texts.filter { $0.count <= 20_000 })
    }
}
