import PreferencesSchema

/// Schemas that are read together.
struct FuzzedInput {
    var texts: [[UInt8]]

    /// What stands between the schemas of an input that is kept in one file. No JSON has this byte.
    static let separator: UInt8 = 0x1E

    init(texts: [[UInt8]]) {
        self.texts = texts
    }

    init(_ bytes: [UInt8]) {
        texts = bytes.split(separator: Self.separator, omittingEmptySubsequences: false).map(Array.init)
    }

    var bytes: [UInt8] { Array(texts.joined(separator: [Self.separator])) }

    /// The first text and every second one after it; the others are there to be included.
    var sources: [SchemaSource] {
        texts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map {
            SchemaSource(path: "Fuzzed\($0.offset).preferences.json", bytes: $0.element)
        }
    }

    /// What an include finds: whatever its path, one of the texts that are there for it. Some find none.
    func included(_ path: String) -> IncludedText {
        let texts = texts.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
        // Not the path's hash value, which is another in each process.
        let number = path.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & Int.max
        if number % 16 == 0 { return .outOfPlace("put it elsewhere") }
        return texts.isEmpty ? .missing("no such file") : .text(texts[number % texts.count])
    }
}

extension FuzzedInput {
    /// An input at random: mostly one schema of the corpus with a few changes.
    init(from corpus: Corpus, _ random: inout some RandomNumberGenerator) {
        texts = []
        let count = [1, 1, 1, 1, 2, 2, 3, 4].randomElement(using: &random) ?? 1
        for _ in 0..<count { texts.append(Self.text(from: corpus, &random)) }
    }

    private static func text(from corpus: Corpus, _ random: inout some RandomNumberGenerator) -> [UInt8] {
        let texts = Int.random(in: 0..<4, using: &random) == 0 ? corpus.texts : corpus.soundTexts
        var bytes = texts.randomElement(using: &random) ?? []
        bytes.mutateAsTree(from: corpus, times: [1, 1, 1, 2, 3, 6].randomElement(using: &random) ?? 1, &random)
        let byteChanges = [0, 0, 0, 0, 0, 1, 3].randomElement(using: &random) ?? 0
        for _ in 0..<byteChanges { bytes.mutate(from: corpus, &random) }
        return bytes
    }
}

extension [UInt8] {
    /// Changes the text as JSON, where it is that.
    mutating func mutateAsTree(from corpus: Corpus, times: Int, _ random: inout some RandomNumberGenerator) {
        guard var tree = JSONTree(self) else { return }
        for _ in 0..<times where tree.count < 10_000 { tree.mutate(from: corpus, &random) }
        self = Array(tree.text.utf8)
    }
}
