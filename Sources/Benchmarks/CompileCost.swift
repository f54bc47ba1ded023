import Foundation
import PreferencesCodeGen
import PreferencesSchema

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What compiling generated accessors costs, against accessors of the same types whose getter gives the default and whose
/// setter does nothing: less than that, no generated property can cost.
struct CompileCost {
    var repeats: Int

    private static let keyCount = 1_000

    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "compile-cost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let generated = Self.generatedSource()
        let sources = [("empty", Self.withEmptyBodies(generated)), ("generated", generated)]
        let files = try sources.map { name, text in
            let url = folder.appending(path: "\(name).swift")
            try Data(text.utf8).write(to: url)
            return url
        }
        print("compile-cost: user seconds for \(Self.keyCount) public accessors, median of \(repeats)")
        print("  flags     empty  generated  ratio of medians  ratio of minima")
        for flag in ["-Onone", "-O"] {
            var seconds: [[Double]] = [[], []]
            // In turn, so that a change of the machine's speed meets both.
            for _ in 0..<repeats {
                for (index, file) in files.enumerated() {
                    seconds[index].append(try Self.compile(file, flag, in: folder))
                }
            }
            let medians = seconds.map { $0.sorted()[$0.count / 2] }
            let minima = seconds.map { $0.min() ?? 0 }
            print(
                "  \(flag.padding(toLength: 7, withPad: " ", startingAt: 0))"
                    + String(format: "  %5.2f  %9.2f", medians[0], medians[1])
                    + String(format: "  %16.2f  %15.2f", medians[1] / medians[0], minima[1] / minima[0])
            )
        }
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
            .replacing(/get \{ get\("[^"]*", default: (?<default>.*)\) \}/) { "get { \($0.output.default) }" }
            .replacing(/get \{ get\("[^"]*"\) \{ (?<default>.*) \} \}/) { "get { \($0.output.default) }" }
            .replacing(/nonmutating set \{ set\(.*\) \}/, with: "nonmutating set {}")
        precondition(!empty.contains("to: newValue") && !empty.contains("get(\""), "the generator's output has changed")
        return empty
    }

    /// Compiles a file as SwiftPM compiles a module, and returns the user time of the compiler's processes in seconds.
    private static func compile(_ file: URL, _ flag: String, in folder: URL) throws -> Double {
        let modules = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "Modules")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-swift-version", "6", "-whole-module-optimization", "-parse-as-library", flag,
            "-module-name", "Cost", "-I", modules.path, "-emit-module", "-emit-module-path",
            folder.appending(path: "Cost.swiftmodule").path, "-c", file.path, "-o",
            folder.appending(path: "Cost.o").path,
        ]
        let before = userSecondsOfChildren()
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CocoaError(.executableLoad, userInfo: [NSLocalizedDescriptionKey: "swiftc failed on \(file.path)"])
        }
        return userSecondsOfChildren() - before
    }

    /// As `getrusage(2)` has it: of all children that have ended, and theirs.
    private static func userSecondsOfChildren() -> Double {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        #else
            getrusage(RUSAGE_CHILDREN, &usage)
        #endif
        return Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
    }
}
