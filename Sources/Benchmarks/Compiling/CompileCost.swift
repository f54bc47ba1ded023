import Foundation
import PreferencesCodeGen
import PreferencesSchema

/// The compile time and the code size of generated accessors, against accessors of the same types with empty bodies:
/// getters that return the default, and setters that do nothing. No generated property can cost less than those. With a
/// catalogue, the peer is the same accessors without one.
enum CompileCost {
    private static let keyCount = 1_000

    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        let generated = folder.appending(path: "generated.swift")
        let empty = folder.appending(path: "empty.swift")
        let catalogued = folder.appending(path: "catalogued.swift")
        let source = generatedSource()
        try Data(source.utf8).write(to: generated)
        try Data(withEmptyBodies(source).utf8).write(to: empty)
        try Data(generatedSource(hasCatalogue: true).utf8).write(to: catalogued)
        func compiling(_ file: URL, _ mode: SwiftCompiler.Mode, _ name: String = "", about: String = "") -> Subject {
            Subject(name: name, about: about) { try SwiftCompiler.compile(file, mode, in: folder).userSeconds * 1e9 }
        }
        for mode in SwiftCompiler.Mode.allCases {
            try report.compare(
                mode.rawValue,
                compiling(generated, mode),
                with: compiling(empty, mode, "empty bodies", about: "getters of the default, setters that do nothing"),
                // Type checking alone has no target, because other work outweighs it in a build.
                target: mode == .typecheck ? nil : .ratio(1.6),
                about: "swiftc \(mode.rawValue), \(keyCount.text) public accessors of twenty types in one module"
            )
        }
        try report.compare(
            "code of a key",
            Subject(unit: .bytes) {
                try bytesOfKey(in: generated, beyond: empty, in: folder)
            },
            target: .bytes(250),
            about: """
                what each accessor adds to the column 'text' of 'llvm-size' for a release executable, which is machine \
                code and unwind tables, beyond empty bodies
                """
        )
        for mode in SwiftCompiler.Mode.allCases {
            try report.compare(
                "\(mode.rawValue) with a catalogue",
                compiling(catalogued, mode),
                with: compiling(generated, mode, "without", about: "the same schema without 'catalogue'"),
                about: "swiftc \(mode.rawValue), the same accessors and the descriptions of their keys"
            )
        }
        try report.compare(
            "code of a key in a catalogue",
            Subject(unit: .bytes) {
                try bytesOfKey(in: catalogued, beyond: generated, with: ["PreferencesCatalogue"], in: folder)
            },
            about: "what the description of each key adds to the same column, beyond its accessor"
        )
    }

    /// Returns the bytes of code that each key adds to a release executable, beyond those of another file.
    ///
    /// - Parameter libraries: The modules that both are linked with, beside the runtime.
    private static func bytesOfKey(
        in file: URL,
        beyond other: URL,
        with libraries: [String] = [],
        in folder: URL
    ) throws -> Double {
        let sizes = try [file, other].map {
            try SwiftCompiler.codeSize(ofExecutableWith: $0, and: libraries, in: folder)
        }
        return Double(sizes[0] - sizes[1]) / Double(keyCount)
    }

    /// Returns the generator's output for keys of twenty types, which cover the forms of accessors, in namespaces of a
    /// hundred.
    static func generatedSource(hasCatalogue: Bool = false) -> String {
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
              "catalogue": \(hasCatalogue),
              "types": { "TemperatureUnit": { "enum": ["celsius", "fahrenheit"] } },
              "namespaces": { \(namespaces.joined(separator: ",\n")) }
            }
            """
        return GeneratedAccessors.source(ofSchema: schema)
    }

    /// Returns the source with getters of the defaults alone, and setters that do nothing.
    static func withEmptyBodies(_ source: String) -> String {
        let empty =
            source
            .replacing(
                /(?:@inline\(never\) )?get \{\s+_Accessor\.get\w*\(self, "[^"]*", default: (?<default>.*)\)\s+\}/
            ) {
                "get { \($0.output.default) }"
            }
            .replacing(/nonmutating set \{\s+_Accessor\.set\w*\(.*\)\s+\}/, with: "nonmutating set {}")
        precondition(
            !empty.contains("to: newValue") && !empty.contains("_Accessor"),
            "the generator's output has changed"
        )
        return empty
    }
}

/// The cost of compiling the generator's output, and whether it grows linearly with the keys.
enum OutputCost {
    private static let keyCounts = [1_000, 10_000]

    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        let generator = ScaleTool.generator
        let files = try keyCounts.map { keyCount in
            let home = folder.appending(path: "\(keyCount)")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            _ = try ProcessCost(of: generator.requiredPath, try generator.write(.oneGroup(keyCount), home))
            return home.appending(path: "Scale.preferences.swift")
        }
        for mode in SwiftCompiler.Mode.allCases {
            var costs: [[ProcessCost]] = [[], []]
            for _ in 0..<report.repeats {
                for (index, file) in files.enumerated() {
                    costs[index].append(try SwiftCompiler.compile(file, mode, in: folder))
                }
            }
            func add(_ what: String, _ figure: ([ProcessCost]) -> Figure) {
                report.add(
                    BenchmarkReport.Row(
                        name: "\(mode.rawValue), \(what)",
                        figure: figure(costs[1]),
                        peer: "1,000 accessors",
                        peerFigure: figure(costs[0])
                    )
                )
            }
            add("user time") { $0.time(\.userSeconds) }
            add("peak memory") { $0.peakMemory }
        }
    }
}

/// The compiler, with the options that SwiftPM passes for a module of one file.
enum SwiftCompiler {
    enum Mode: String, CaseIterable {
        case typecheck = "-typecheck"
        case withoutOptimisation = "-Onone"
        case withOptimisation = "-O"
    }

    /// Compiles a file that imports the runtime.
    ///
    /// - Parameter folder: The folder for the module and the object file.
    static func compile(_ file: URL, _ mode: Mode, in folder: URL) throws -> ProcessCost {
        let outputs = [
            "-emit-module", "-emit-module-path", folder.appending(path: "Cost.swiftmodule").path,
            "-c", "-o", folder.appending(path: "Cost.o").path,
        ]
        let modules = ScaleTool.products.appending(path: "Modules")
        return try ProcessCost(
            of: "swiftc",
            [
                "-swift-version", "6", "-whole-module-optimization", "-parse-as-library", "-module-name", "Cost",
                "-I", modules.path, mode.rawValue, file.path,
            ] + (mode == .typecheck ? [] : outputs)
        )
    }

    /// Returns the number of bytes of machine code and unwind tables of a release executable.
    ///
    /// - Parameters:
    ///   - file: A file that imports the runtime.
    ///   - libraries: Further modules that are linked.
    ///   - folder: The folder for the executable.
    static func codeSize(ofExecutableWith file: URL, and libraries: [String], in folder: URL) throws -> Int {
        guard let tool = ScaleTool.find("llvm-size") else { throw MissingDependency(remedy: "install llvm") }
        // The folders of the modules may also contain objects of sources that are no longer there.
        let list = ScaleTool.products.appending(path: "Benchmarks.product/Objects.LinkFileList")
        let lines = (try? Data(contentsOf: list)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let objects = lines.split(separator: "\n")
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) }
            .filter { object in
                (["PreferencesRuntime", "PreferencesJSON", "PreferencesSystem"] + libraries).contains {
                    object.contains("/\($0).build/")
                }
            }
        guard !objects.isEmpty else { throw MissingDependency(remedy: "build with SwiftPM's native build system") }
        let main = folder.appending(path: "main.swift")
        try Data("print(1)".utf8).write(to: main)
        let executable = folder.appending(path: "Cost")
        let modules = ScaleTool.products.appending(path: "Modules")
        _ = try ProcessCost(
            of: "swiftc",
            [
                "-swift-version", "6", "-whole-module-optimization", "-O", "-module-name", "Cost", "-I", modules.path,
                "-emit-executable", "-o", executable.path, main.path, file.path,
            ] + objects
        )
        // After a line of headings, the second line begins with the size of the code.
        let output = try ProcessCost.file(in: folder) { ["sh", "-c", "'\(tool)' '\(executable.path)' > '\($0)'"] }
        let size = output.split(separator: "\n").dropFirst().first?.split(whereSeparator: \.isWhitespace).first
        guard let size, let bytes = Int(size) else {
            throw ProcessCost.Failure(description: "cannot read the output of \(tool): \(output)")
        }
        return bytes
    }
}

/// The generator's output, created in this process.
enum GeneratedAccessors {
    /// Returns the accessors of a schema that has no errors.
    static func source(ofSchema schema: String) -> String {
        let source = SchemaSource(path: "Benchmark.preferences.json", bytes: Array(schema.utf8))
        let (set, diagnostics) = SchemaSet.read([source])
        precondition(diagnostics.isEmpty, "\(diagnostics)")
        return SwiftGenerator.generate(set.schemas[0])
    }
}
