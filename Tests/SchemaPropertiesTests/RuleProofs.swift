import Foundation
import PreferencesCodeGen
import PreferencesComparison
import PreferencesSchema
import SchemaProperties
import TestSupport
import Testing

/// The examples of all proofs, each in a namespace of one module, so that one program writes with the accessors from
/// before the changes, and one reads with those from after them.
struct RuleProofs {
    /// The values that were read in the namespaces of the rules, by their ids.
    let readings: [ChangeRule: String]
    /// The same with the changes that the rules recommend.
    let fixedReadings: [ChangeRule: String]
    /// The rules that the changes break, by the rule in whose namespace they do.
    let broken: [ChangeRule: Set<ChangeRule>]
    let brokenByFixes: [ChangeRule: Set<ChangeRule>]

    /// Compiles and runs three programs: one with the old accessors, one with the new ones, one with the fixed ones.
    static func run(in folder: URL) async throws -> RuleProofs {
        let rules = ChangeRule.allCases.filter { RuleProof(of: $0) != nil }
        let proofs = rules.compactMap { rule in RuleProof(of: rule).map { (rule, $0) } }
        let old = try module(proofs.map { rule, _ in (rule, rule.entry.oldExample.files[0].shown) })
        let new = try module(proofs.map { ($0, $1.next ?? $0.entry.newExample.files[0].shown) })
        let fixed = try module(proofs.map { ($0, $1.fixed) })

        let stores = folder.appending(path: "stores")
        try FileManager.default.createDirectory(at: stores, withIntermediateDirectories: true)
        let writing = proofs.map { rule, proof in
            let leftovers = proof.leftovers.map { name, json in
                "        try leave(\(quoted("\(space(of: rule)):\(name)")), \(quoted(json)))\n"
            }
            return leftovers.joined() + (proof.write.isEmpty ? "" : "        \(local(proof.write, rule))\n")
        }
        _ = try await run(writing.joined(), with: old, "old", stores, in: folder)
        let copy = folder.appending(path: "copies")
        try FileManager.default.copyItem(at: stores, to: copy)
        func reading(_ expression: (RuleProof) -> String) -> String {
            proofs.map { #"        print("\#($0.rawValue): \(try \#(local(expression($1), $0)))")\#n"# }.joined()
        }
        return RuleProofs(
            readings: lines(try await run(reading(\.read), with: new, "new", stores, in: folder)),
            fixedReadings: lines(try await run(reading(\.fixedRead), with: fixed, "fixed", copy, in: folder)),
            broken: broken(from: old, to: new),
            brokenByFixes: broken(from: old, to: fixed)
        )
    }

    // MARK: The modules

    /// The name of a rule's namespace, which its declared types have as their ending.
    static func space(of rule: ChangeRule) -> String {
        "r\(ChangeRule.allCases.firstIndex(of: rule) ?? 0)"
    }

    /// Replaces `SPACE` by the name of a rule's namespace.
    private static func local(_ code: String, _ rule: ChangeRule) -> String {
        code.replacing("SPACE", with: space(of: rule))
    }

    /// Returns a schema with a namespace for each example, given as the members of its file.
    private static func module(_ examples: [(rule: ChangeRule, members: String)]) throws -> SchemaSet {
        var types: [String: Any] = [:]
        var spaces: [String: Any] = [:]
        for (rule, members) in examples {
            let space = space(of: rule)
            var text = "{\(members)}"
            for name in object(text)["types"].map({ Array(($0 as? [String: Any] ?? [:]).keys) }) ?? [] {
                text = text.replacing(try Regex("\\b\(name)\\b"), with: "\(name)\(space)")
            }
            let file = object(text)
            types.merge(file["types"] as? [String: Any] ?? [:]) { first, _ in first }
            let keys = (file["keys"] as? [String: [String: Any]] ?? [:]).mapValues { key in
                var key = key
                if let names = key["renamedFrom"] as? [String] { key["renamedFrom"] = names.map { "\(space):\($0)" } }
                return key
            }
            var contents: [String: Any] = ["keys": keys]
            contents["reserved"] = file["reserved"]
            spaces[space] = contents
        }
        let file: [String: Any] = ["formatVersion": 1, "types": types, "namespaces": spaces]
        let bytes = try JSONSerialization.data(withJSONObject: file, options: [.sortedKeys])
        let (set, diagnostics) = SchemaSet.read([SchemaSource(path: "Proofs.preferences.json", bytes: Array(bytes))])
        for diagnostic in diagnostics where diagnostic.severity == .error { Issue.record("\(diagnostic)") }
        return set
    }

    private static func object(_ text: String) -> [String: Any] {
        do {
            return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
        } catch {
            Issue.record("\(error): \(text)")
            return [:]
        }
    }

    private static func broken(from old: SchemaSet, to new: SchemaSet) -> [ChangeRule: Set<ChangeRule>] {
        let changes = SchemaComparison(from: old, to: new).changes
        let spaces = ChangeRule.allCases.map { ($0, space(of: $0)) }
        return Dictionary(
            uniqueKeysWithValues: spaces.map { rule, space in
                let own = changes.filter { change in
                    change.subject.hasPrefix("\(space):") || change.subject.prefix { $0 != "." }.hasSuffix(space)
                }
                return (rule, Set(own.map(\.rule)))
            }
        )
    }

    // MARK: The programs

    private static func quoted(_ text: String) -> String { JSONText.quoted(text) }

    private static func run(
        _ statements: String,
        with set: SchemaSet,
        _ name: String,
        _ stores: URL,
        in folder: URL
    ) async throws -> String {
        let place = folder.appending(path: name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for schema in set.schemas {
            let file = place.appending(path: "\(schema.fileName).preferences.swift")
            try Data(SwiftGenerator.generateUTF8(schema)).write(to: file)
        }
        let source = """
            import Foundation
            import PreferencesRuntime

            let folder = URL(filePath: CommandLine.arguments[1])
            let store = ScopedFiles(url: folder.appending(path: "Values.json"))
            let values = store.machine
            let secrets = FileStore(url: folder.appending(path: "Secrets.json"))
            let preferences = Preferences(store: store, secrets: secrets)

            /// Leaves a value as an earlier version has stored it.
            func leave(_ name: String, _ json: String) throws {
                guard let value = PreferenceValue(jsonText: json) else { fatalError(json) }
                try values.commit([name: .set(value)])
            }

            /// Returns what a key reads as, and its problems.
            func described<Value>(_ key: KeyPath<Preferences, Value>) -> String {
                let codes = preferences.resolution(of: key).problems.map(\\.code.rawValue)
                let value: Any = preferences[keyPath: key]
                let mirror = Mirror(reflecting: value)
                let text = mirror.displayStyle == .optional ? mirror.children.first.map { "\\($0.value)" } ?? "nil" : "\\(value)"
                return ([text] + codes).joined(separator: ", ")
            }

            /// Sets a key to its own value, and returns what is then stored under a name in the main store.
            func rewritten<Value>(_ key: ReferenceWritableKeyPath<Preferences, Value>, _ name: String) throws -> String {
                try preferences.set(key, to: preferences[keyPath: key])
                try preferences.flush()
                return described(key) + "; " + (try values.value(for: name)?.description ?? "nothing")
            }

            @main
            enum Program {
                static func main() throws {
            \(statements)        try preferences.flush()
                }
            }

            """
        try Data(source.utf8).write(to: place.appending(path: "Program.swift"))
        let store = Repository.folder.appending(path: "Tests/SchemaProperties/Edits/ScopedFiles.swift")
        try Data(contentsOf: store).write(to: place.appending(path: "ScopedFiles.swift"))
        let compiled = try await CompiledProgram.compile(
            "Program",
            in: place,
            with: ["PreferencesRuntime", "PreferencesSystem", "PreferencesJSON"],
            ["-swift-version", "6", "-suppress-warnings"]
        )
        try #require(compiled.succeeded, "\(compiled.output)")
        let run = try await CommandLineRun(place.appending(path: "Program").path, [stores.path], in: folder)
        try #require(run.succeeded, "\(run.errors)")
        return run.output
    }

    private static func lines(_ output: String) -> [ChangeRule: String] {
        var readings: [ChangeRule: String] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: ": ", maxSplits: 1)
            if parts.count == 2, let rule = ChangeRule(rawValue: String(parts[0])) { readings[rule] = String(parts[1]) }
        }
        return readings
    }
}
