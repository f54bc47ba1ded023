import Foundation

/// The compile time and the code size of generated accessors, against accessors of the same types with empty bodies: getters
/// that return the default, and setters that do nothing. No generated property can cost less.
enum CompileCost {
    private static let keyCount = 1_000

    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        let generated = folder.appending(path: "generated.swift")
        let empty = folder.appending(path: "empty.swift")
        let source = generatedSource()
        try Data(source.utf8).write(to: generated)
        try Data(withEmptyBodies(source).utf8).write(to: empty)
        func compiling(_ file: URL, _ mode: SwiftCompiler.Mode, _ name: String = "", about: String = "") -> Subject {
            Subject(name: name, about: about) { try SwiftCompiler.compile(file, mode, in: folder).userSeconds * 1e9 }
        }
        for mode in SwiftCompiler.Mode.allCases {
            try report.compare(
                mode.rawValue,
                compiling(generated, mode),
                with: compiling(empty, mode, "empty bodies", about: "getters of the default, setters that do nothing"),
                // Type checking alone has no bar, because other work outweighs it in a build.
                bar: mode == .typecheck ? nil : .ratio(1.6),
                about: "swiftc \(mode.rawValue), \(keyCount.text) public accessors of twenty types in one module"
            )
        }
        try report.compare(
            "code of a key",
            Subject(unit: .bytes) {
                let sizes = try [generated, empty].map { try SwiftCompiler.codeSize(ofExecutableWith: $0, in: folder) }
                return Double(sizes[0] - sizes[1]) / Double(keyCount)
            },
            bar: .bytes(250),
            about: """
                what each accessor adds to the column 'text' of 'llvm-size' for a release executable, which is machine \
                code and unwind tables, beyond empty bodies
                """
        )
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
        return GeneratedAccessors.source(ofSchema: schema)
    }

    private static func withEmptyBodies(_ source: String) -> String {
        let empty =
            source
            .replacing(/(?:@inline\(never\) )?get \{ _?get\w*\("[^"]*", (?:default|constant): (?<default>.*)\) \}/) {
                "get { \($0.output.default) }"
            }
            .replacing(/nonmutating set \{ _?set\w*\(.*\) \}/, with: "nonmutating set {}")
        precondition(
            !empty.contains("to: newValue") && !empty.contains("(\"space"),
            "the generator's output has changed"
        )
        return empty
    }
}
