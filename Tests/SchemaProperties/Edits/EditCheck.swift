package import Foundation
import PreferencesCodeGen
import PreferencesComparison
import PreferencesSchema
import TestSupport

/// Edits random schemas, and looks for losses of stored values that the comparison of the schemas does not report.
///
/// A program with the accessors of the old schemas writes values into files, and one with those of the new schemas reads
/// them.
package struct EditCheck {
    private let seed: UInt64
    private let old: DraftModule
    private let new: DraftModule
    private let history: [Int: [String]]

    /// The number of files that values are written to.
    private static let files = 12
    private static let modules = ["PreferencesRuntime", "PreferencesSystem", "PreferencesJSON"]

    package init(seed: UInt64, keys: Int = 90) {
        self.seed = seed
        var maker = EditMaker(seed: seed, keys: keys)
        old = maker.draft
        maker.editAll()
        var edited = maker.draft
        edited.identify(with: old)
        new = edited
        history = maker.history
    }

    package var keyCount: Int { old.keys.count }
    package var storageNames: [String] { old.keys.map(old.storageName) }
    package var editCount: Int { history.values.map(\.count).reduce(0, +) }

    /// Compiles and runs both programs.
    package func run(in folder: URL) async throws -> EditOutcome {
        if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
        let stores = folder.appending(path: "stores")
        try FileManager.default.createDirectory(at: stores, withIntermediateDirectories: true)
        let (oldSet, newSet) = (old.read().set, new.read().set)
        try JSONEncoder().encode(try input(oldSet, newSet)).write(to: stores.appending(path: "input.json"))
        let written = try await observations(of: old, oldSet, "old", in: folder)
        let read = try await observations(of: new, newSet, "new", in: folder)
        return EditOutcome(
            seed: seed,
            fate: ValueFate(old: old, new: new),
            written: written,
            read: read,
            changes: SchemaComparison(from: oldSet, to: newSet).changes,
            history: history
        )
    }

    /// Runs the program of one version, and returns how its keys read, by their indices.
    private func observations(
        of draft: DraftModule,
        _ set: SchemaSet,
        _ name: String,
        in folder: URL
    ) async throws -> [[AccessorProbe.Observation]] {
        let place = folder.appending(path: name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for (path, text) in draft.texts { try Data(text.utf8).write(to: place.appending(path: path)) }
        for schema in set.schemas {
            let file = place.appending(path: "\(schema.fileName).preferences.swift")
            try Data(SwiftGenerator.generateUTF8(schema)).write(to: file)
        }
        for file in ["AccessorProbe", "ObservedValue", "ScopedFiles"] {
            let source = Repository.folder.appending(path: "Tests/SchemaProperties/Edits/\(file).swift")
            try Data(contentsOf: source).write(to: place.appending(path: "\(file).swift"))
        }
        let isOld = name == "old"
        try Data(program(of: draft, writes: isOld).utf8).write(to: place.appending(path: "EditProgram.swift"))
        let compiled = try await CompiledProgram.compile(
            "EditProgram",
            in: place,
            with: Self.modules,
            ["-swift-version", "6", "-suppress-warnings"]
        )
        guard compiled.succeeded else { throw Failure(description: compiled.output) }
        let result = folder.appending(path: "\(name).json")
        let run = try await CommandLineRun(
            place.appending(path: "EditProgram").path,
            [folder.appending(path: "stores").path, result.path],
            in: folder
        )
        guard run.succeeded else { throw Failure(description: "\(name): \(run.errors) (status \(run.status))") }
        let all = try JSONDecoder().decode([AccessorProbe.Observation].self, from: Data(contentsOf: result))
        let byKey = Dictionary(grouping: all, by: \.key)
        return draft.keys.indices.map { byKey[$0, default: []].sorted { $0.file < $1.file } }
    }

    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    // MARK: The values

    private func input(_ oldSet: SchemaSet, _ newSet: SchemaSet) throws -> AccessorProbe.Input {
        var input = AccessorProbe.Input(files: Self.files)
        var samples = EditSamples(of: old, seed: ~seed)
        let (oldKeys, newKeys) = (Self.keys(oldSet), Self.keys(newSet))
        for key in old.keys {
            let successor = new.keys.first { $0.identity == key.identity }
            let before = oldKeys[old.path(of: key)]?.constraints ?? []
            let after = successor.flatMap { newKeys[new.path(of: $0)]?.constraints } ?? []
            input.keys.append(
                .init(
                    storageName: old.storageName(of: key),
                    formerNames: key.formerNames,
                    isSecret: key.isSecret,
                    scope: DraftModule.scope(of: key),
                    samples: try samples.samples(of: key.type, before + after)
                )
            )
        }
        let leftovers = ["7", "true", #""text""#, "1.5", "[]", "{}"]
        for file in 0..<Self.files {
            let names = old.reservedNames.sorted().map { ($0, leftovers[file % leftovers.count]) }
            input.leftovers.append(Dictionary(uniqueKeysWithValues: file.isMultiple(of: 2) ? names : []))
        }
        return input
    }

    /// The keys of schemas by the names of the accessors that lead to them.
    private static func keys(_ set: SchemaSet) -> [[String]: Key] {
        let keys = set.schemas.flatMap(\.allNamespaces).flatMap { space in
            space.keys.map { (space.path.map(\.text) + [$0.name.text], $0) }
        }
        return Dictionary(keys) { first, _ in first }
    }

    // MARK: The programs

    /// The source of a program that writes all keys, if it should, and notes how they read.
    private func program(of draft: DraftModule, writes: Bool) -> String {
        let keys = draft.keys.enumerated().map { index, key in
            (index, "\\." + draft.path(of: key).joined(separator: "."), key.isReadOnly)
        }
        let readings = keys.map { index, path, _ in "probe.read(\(path), \(index))" }
        let writings = keys.filter { !$0.2 }.map { index, path, _ in "probe.write(\(path), \(index))" }
        let (read, readers) = Self.functions("read", readings)
        let (write, writers) = writes ? Self.functions("write", writings) : ("", "")
        return """
            import Foundation
            import PreferencesRuntime

            \(readers)\(writers)@main
            enum EditProgram {
                static func main() throws {
                    let probe = try AccessorProbe(folder: URL(filePath: CommandLine.arguments[1]))
            \(write)\(writes ? "        try probe.finishWriting()\n" : "")\(read)\
                    try probe.save(to: URL(filePath: CommandLine.arguments[2]))
                }
            }

            """
    }

    /// Divides statements among functions, because the compiler's time grows with a function's length.
    private static func functions(_ name: String, _ statements: [String]) -> (calls: String, declarations: String) {
        let parts = stride(from: 0, to: statements.count, by: 20).map {
            statements[$0..<min($0 + 20, statements.count)]
        }
        return (
            parts.indices.map { "        \(name)\($0)(probe)\n" }.joined(),
            parts.enumerated().map { index, part in
                """
                func \(name)\(index)(_ probe: AccessorProbe) {
                    \(part.joined(separator: "\n    "))
                }


                """
            }.joined()
        )
    }
}
