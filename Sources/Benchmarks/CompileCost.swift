import Foundation
import PreferencesCodeGen
import PreferencesSchema

/// What compiling generated accessors costs, against accessors of the same types whose getter gives the default and whose
/// setter does nothing: less than that, no generated property can cost.
struct CompileCost {
    var repeats: Int

    private static let keyCount = 1_000

    func run(in folder: URL) throws {
        let generated = Self.generatedSource()
        let sources = [("empty", Self.withEmptyBodies(generated)), ("generated", generated)]
        let files = try sources.map { name, text in
            let url = folder.appending(path: "\(name).swift")
            try Data(text.utf8).write(to: url)
            return url
        }
        print("compile-cost: user seconds for \(Self.keyCount) public accessors, median of \(repeats)")
        var table = Table("", "empty", "generated", "ratio of medians", "ratio of minima")
        for mode in [SwiftCompiler.Mode.withoutOptimisation, .withOptimisation] {
            var costs: [[ProcessCost]] = [[], []]
            // In turn, so that a change of the machine's speed meets both.
            for _ in 0..<repeats {
                for (index, file) in files.enumerated() {
                    costs[index].append(try SwiftCompiler.compile(file, mode, in: folder))
                }
            }
            let medians = costs.map { $0.median(of: \.userSeconds) }
            let minima = costs.map { $0.map(\.userSeconds).min() ?? 0 }
            table.add(
                mode.rawValue,
                medians[0].text(2),
                medians[1].text(2),
                (medians[1] / medians[0]).text(2),
                (minima[1] / minima[0]).text(2)
            )
        }
        table.print()
    }

    /// The generator's output for keys of twenty types, in the shapes that accessors have, in namespaces of a hundred.
    private static func generatedSource() -> String {
        let fields = [
            #""type": "Bool", "default": false"#, #""type": "Bool", "default": true"#,
            #""type": "Int", "default": 0"#, #""type": "Int", "default": 50"#,
            #""type": "Double", "default": 21.5"#, #""type": "String", "default": "text""#,
            #""type": "String", "default": """#, #""type": "TemperatureUnit", "default": "celsius""#,
            #""type": "String?""#, #""type": "Date?""#, #""type": "Int?""#,
            #""type": "String?", "default": "nobody""#, #""type": "[String]", "default": []"#,
            #""type": "[String]", "default": ["Nairobi", "Oslo"]"#, #""type": "Set<String>", "default": []"#,
            #""type": "[String: Int]", "default": {}"#, #""type": "Duration", "default": 90"#,
            #""type": "URL", "default": "https://example.org""#, #""type": "Data?""#, #""type": "Float", "default": 1"#,
        ]
        let namespaces = (0..<keyCount / 100).map { namespace in
            let keys = (0..<100).map { key in
                #""key\#(key)": { \#(fields[key % fields.count]), "description": "The number of things, \#(key)." }"#
            }
            return #""space\#(namespace)": { "keys": { \#(keys.joined(separator: ",\n")) } }"#
        }
        let schema = """
            {
              "formatVersion": 1,
              "access": "public",
              "types": { "TemperatureUnit": { "enum": ["celsius", "fahrenheit"] } },
              "namespaces": { \(namespaces.joined(separator: ",\n")) }
            }
            """
        let (set, diagnostics) = SchemaSet.read([SchemaSource(path: "Cost.preferences.json", bytes: Array(schema.utf8))]
        )
        precondition(diagnostics.isEmpty, "\(diagnostics)")
        return SwiftGenerator.generate(set.schemas[0])
    }

    private static func withEmptyBodies(_ source: String) -> String {
        let empty =
            source
            .replacing(/get \{ get\("[^"]*", (?:default|constant): (?<value>.*)\) \}/) { "get { \($0.output.value) }" }
            .replacing(/nonmutating set \{ set\(.*\) \}/, with: "nonmutating set {}")
        precondition(!empty.contains("to: newValue") && !empty.contains("get(\""), "the generator's output has changed")
        return empty
    }
}
