import Foundation
import PreferencesSchema
import TestSupport

/// What inputs are made from: the schemas that the tests and the package itself have.
struct Corpus: Sendable {
    /// The schemas' texts, sorted by path.
    let texts: [[UInt8]]

    /// Those without errors: what is made of others seldom gets as far as to the generator.
    let soundTexts: [[UInt8]]

    /// The members of all objects, by their names: what may stand where such a name does.
    let values: [String: [JSONTree]]

    /// For each name, those that stand beside it in some object.
    let companions: [String: [String]]

    /// The names of all members, each once, sorted.
    let names: [String]

    init(_ texts: [[UInt8]]) {
        self.texts = texts
        soundTexts = texts.filter { Oracle.judge(FuzzedInput($0)).generated != [] }
        let objects = texts.compactMap(JSONTree.init).flatMap(\.objects)
        var companions: [String: Set<String>] = [:]
        // All names stand beside each other in some huge objects, which say nothing of what belongs together.
        for names in objects.map({ $0.map(\.name) }) where names.count < 50 {
            for name in names { companions[name, default: []].formUnion(names) }
        }
        self.companions = companions.mapValues { $0.sorted() }
        let members = objects.flatMap(\.self)
        values = Dictionary(grouping: members, by: \.name).mapValues { $0.map(\.value) }
        names = values.keys.sorted()
    }

    /// The corpus in the repository: files too large to be mutated quickly are left out.
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
