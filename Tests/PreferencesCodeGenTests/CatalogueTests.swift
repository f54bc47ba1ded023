import Foundation
import PreferencesCodeGen
import PreferencesSchema
import TestSupport
import Testing

@Suite("Catalogues")
struct CatalogueTests {
    private static let keys = #"""
        "types": { "Unit": { "enum": { "celsius": { "value": "c", "label": "Celsius" }, "kelvin": "k" } } },
        "namespaces": {
          "weather": {
            "keys": {
              "temperature": { "type": "Double", "default": 21.5, "minimum": -90, "maximum": 60, "label": "Temperature" },
              "unit": { "type": "Unit", "default": "celsius", "renamedFrom": "weather:scale" },
              "twice": { "type": "Double", "defaultExpression": "temperature * 2" },
              "old": { "type": "Int?", "deprecated": "Use 'unit'." },
              "token": { "type": "String", "defaultExpression": "\"sword\" + \"fish\"", "secret": true }
            }
          }
        }
        """#

    private func generated(_ field: String, configuration: String = "{}") throws -> String {
        let text = "{\"formatVersion\": 1, \(field) \(Self.keys)}"
        let (set, diagnostics) = SchemaSet.read(
            [SchemaSource(path: "App.preferences.json", bytes: Array(text.utf8))],
            configuration: .file(SchemaSource(path: "config.json", bytes: Array(configuration.utf8)))
        )
        #expect(diagnostics == [])
        return SwiftGenerator.generate(try #require(set.schemas.first))
    }

    @Test("A schema's field takes precedence over the configuration's, and false generates what no field does")
    func precedence() throws {
        let without = try generated("")
        #expect(!without.contains("Catalogue") && !without.contains("_KeyDescriptions"))
        #expect(try generated(#""catalogue": false,"#) == without)
        #expect(try generated("", configuration: #"{"catalogue": false}"#) == without)
        #expect(try generated(#""catalogue": false,"#, configuration: #"{"catalogue": true}"#) == without)
        let with = try generated(#""catalogue": true,"#)
        #expect(try generated("", configuration: #"{"catalogue": true}"#) == with)
        #expect(try generated(#""catalogue": true,"#, configuration: #"{"catalogue": false}"#) == with)
    }

    @Test("A catalogue changes no accessor")
    func accessors() throws {
        let calls = { (text: String) in text.split(separator: "\n").filter { $0.contains("_Accessor.") } }
        #expect(try calls(generated(#""catalogue": true,"#)) == calls(generated("")))
    }

    @Test("The first file of a module that has a catalogue combines those of all files")
    func modules() throws {
        let sources = [("A", false), ("B", true), ("C", true)].map { name, hasCatalogue in
            let keys = #""namespaces": {"n\#(name)": {"keys": {"k": {"type": "Int?"}}}}"#
            let text = #"{"formatVersion": 1, "catalogue": \#(hasCatalogue), \#(keys)}"#
            return SchemaSource(path: "\(name).preferences.json", bytes: Array(text.utf8))
        }
        let (set, diagnostics) = SchemaSet.read(sources)
        #expect(diagnostics == [])
        let texts = set.schemas.map(SwiftGenerator.generate)
        #expect(texts.map { $0.contains("static var catalogue: PreferenceCatalogue") } == [false, true, false])
        #expect(texts[1].contains("keys += PreferenceCatalogue.b\n        keys += PreferenceCatalogue.c\n"))
    }

    @Test("Functions that describe many keys are divided, so that none has more than 200 statements")
    func dividedFunctions() throws {
        func keys(_ name: String, _ count: Int) -> [String] { (0..<count).map { "\(name)\($0)" } }
        func fields(_ names: [String]) -> String {
            names.map { "\"\($0)\": {\"type\": \"Int?\"}" }.joined(separator: ", ")
        }
        let inner = (0..<201).map { "\"n\($0)\": {\"keys\": {\(fields(["k"]))}}" }.joined(separator: ", ")
        let text = """
            {
              "formatVersion": 1, "catalogue": true, "keys": {\(fields(keys("own", 450)))},
              "namespaces": {
                "exact": {"keys": {\(fields(keys("e", 200)))}}, "huge": {"keys": {\(fields(keys("h", 40_001)))}}, \(inner)
              }
            }
            """
        let source = SchemaSource(path: "App.preferences.json", bytes: Array(text.utf8))
        let (set, diagnostics) = SchemaSet.read([source])
        #expect(diagnostics == [])
        let lines = SwiftGenerator.generate(try #require(set.schemas.first)).split(separator: "\n")

        /// The statements of each function: the key paths of descriptions, and the names of functions that are called.
        var functions: [Substring: [Substring]] = [:]
        var current: Substring?
        for (index, line) in lines.enumerated() {
            if let name = line.firstMatch(of: /static func (add\w+)\(to keys:/)?.output.1 {
                #expect(lines[index - 1] == "    @_optimize(none)")
                #expect(functions.updateValue([], forKey: name) == nil)
                current = name
            } else if line == "    }" {
                current = nil
            } else if let current, let name = line.firstMatch(of: /(add\w+)\(to: &keys\)/)?.output.1 {
                functions[current]?.append(name)
            } else if let current, lines[index - 1].hasSuffix(" PreferenceKeyDescription(") {
                functions[current]?.append(line.split(separator: "\"")[1])
            }
        }
        #expect(functions.values.map(\.count).max() == 200)
        #expect(functions["addKeysOfExact"]?.count == 200)
        #expect(functions["addKeys1OfExact"] == nil)
        func described(_ function: Substring) -> [Substring] {
            (functions[function] ?? []).flatMap { functions[$0] == nil ? [$0] : described($0) }
        }
        let expected =
            keys("own", 450) + keys("exact.e", 200) + keys("huge.h", 40_001) + (0..<201).map { "n\($0).k" }
        #expect(described("addAllKeys").map(String.init) == expected)
    }

    @Test("The cases and fields of types are added by functions of at most 200 statements, which are not optimized")
    func manyCases() throws {
        let cases = (0..<401).map { "\"c\($0)\"" }.joined(separator: ", ")
        let fields = (0..<200).map { "\"f\($0)\": {\"type\": \"Int?\"}" }.joined(separator: ", ")
        let text = """
            {
              "formatVersion": 1, "catalogue": true,
              "types": {"Many": {"enum": [\(cases)]}, "Wide": {"struct": {\(fields)}}},
              "keys": {"many": {"type": "Many?"}, "wide": {"type": "Wide?"}}
            }
            """
        let (set, diagnostics) = SchemaSet.read([SchemaSource(path: "App.preferences.json", bytes: Array(text.utf8))])
        #expect(diagnostics == [])
        let lines = SwiftGenerator.generate(try #require(set.schemas.first)).split(separator: "\n")
        var counts: [Int] = []
        for (index, line) in lines.enumerated() {
            if line.contains(/^ +func add\d+\(to\s/) {
                #expect(lines[index - 1] == "        @_optimize(none)")
                counts.append(0)
            } else if line.contains(/^ +(cases|fields)\.append\(/) {
                counts[counts.count - 1] += 1
            }
        }
        #expect(counts == [200, 200, 1, 200])
        let calls = lines.compactMap { $0.firstMatch(of: /^ +(add\d+\(to: &\w+\))$/)?.output.1 }
        #expect(calls == ["add1(to: &cases)", "add2(to: &cases)", "add3(to: &cases)", "add1(to: &fields)"])
    }

    @Test("The text of a secret key's default expression is not in the catalogue")
    func secretExpression() throws {
        let lines = try generated(#""catalogue": true,"#).split(separator: "\n").filter { $0.contains("swordfish\"") }
        #expect(lines == [])
        #expect(try generated(#""catalogue": true,"#).contains(#".computed("•••""#))
    }

    @Test("Without the product, the compiler's error is beside the advice to add it")
    func missingModule() async throws {
        let text = try generated(#""imports": ["Dispatch"], "catalogue": true,"#)
        try await withTemporaryDirectory { folder in
            for name in ["PreferencesRuntime", "PreferencesSystem", "PreferencesJSON"] {
                let module = try BuiltWithTests.folder(ofModule: name).appending(path: "\(name).swiftmodule")
                let link = folder.appending(path: "\(name).swiftmodule")
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: module)
            }
            try Data(text.utf8).write(to: folder.appending(path: "App.swift"))
            let run = try await CommandLineRun(
                "swiftc",
                ["-typecheck", "-parse-as-library", "-I", folder.path, "App.swift"],
                in: folder,
                mergesErrors: true
            )
            #expect(!run.succeeded)
            #expect(run.output.contains("error: no such module 'PreferencesCatalogue'"), "\(run.output)")
            #expect(
                run.output.contains(
                    "// No such module 'PreferencesCatalogue'? Add that product of swift-preferences to the target."
                ),
                "\(run.output)"
            )
        }
    }

    @Test("A program validates and explains the values of a file with the generated catalogue")
    func program() async throws {
        let main = """
            import Foundation
            import PreferencesCatalogue
            import PreferencesRuntime

            @main
            struct Program {
                static func main() {
                    let file = FileStore(url: URL(filePath: CommandLine.arguments[1]))
                    let preferences = Preferences(store: file, secrets: MemoryStore(["weather:token": "pike"]))
                    let problems = preferences.problems
                    for problem in preferences.validate() { print(problem.code.rawValue, problem.key ?? "", problem.message) }
                    for key in preferences.explain().keys {
                        let value = key.value.map { "\\($0)" } ?? "-"
                        print(key.keyPath, value, key.defaultText, key.source == nil ? "default" : "stored")
                    }
                    for key in Preferences.Weather.catalogue { print(key.storageName, key.type, key.label ?? "-") }
                    print(preferences.validate(.app).count, preferences.weather.validate().count, Preferences.catalogue.count)
                    withExtendedLifetime(problems) {}
                }
            }

            """
        let modules = ["PreferencesCatalogue", "PreferencesRuntime", "PreferencesSystem", "PreferencesJSON"]
        try await withTemporaryDirectory { folder in
            let run = try await link(try generated(#""catalogue": true,"#), main, modules, in: folder)
            try #require(run.succeeded, "\(run.output)")
            #expect(run.output == "")
            #expect(try Self.names(ofCatalogueIn: folder) > 100)
            let file = folder.appending(path: "Values.json")
            try Data(#"{"weather:temperature": 70, "weather:scale": "k", "weather:old": "x"}"#.utf8).write(to: file)
            let program = try await CommandLineRun(
                folder.appending(path: "Program").path,
                [file.path],
                in: folder,
                mergesErrors: true
            )
            #expect(
                program.output.split(separator: "\n") == [
                    "constraintViolation weather:temperature 70.0 is out of range -90.0...60.0; using its default",
                    "typeMismatch weather:old expected Int, found the string \"x\"; using its default",
                    "weather.temperature 21.5 21.5 default",
                    "weather.unit \"k\" \"c\" stored",
                    "weather.twice 43.0 (temperature * 2) default",
                    "weather.old null null default",
                    "weather.token - ••• stored",
                    "weather:temperature Double Temperature",
                    "weather:unit Unit -",
                    "weather:twice Double -",
                    "weather:old Int? -",
                    "weather:token String -",
                    "2 2 5",
                ]
            )
        }
    }

    @Test("A program without the field links without PreferencesCatalogue, and contains no symbol of it")
    func programWithout() async throws {
        let main = """
            import PreferencesRuntime

            @main
            struct Program {
                static func main() { print(Preferences(store: MemoryStore()).weather.temperature) }
            }

            """
        try await withTemporaryDirectory { folder in
            let modules = ["PreferencesRuntime", "PreferencesSystem", "PreferencesJSON"]
            let run = try await link(try generated(""), main, modules, in: folder)
            try #require(run.succeeded, "\(run.output)")
            #expect(try Self.names(ofCatalogueIn: folder) == 0)
            let path = folder.appending(path: "Program").path
            let program = try await CommandLineRun(path, in: folder, mergesErrors: true)
            #expect(program.output == "21.5\n")
        }
    }

    private func link(
        _ generated: String,
        _ main: String,
        _ modules: [String],
        in folder: URL
    ) async throws -> CommandLineRun {
        try Data(generated.utf8).write(to: folder.appending(path: "App.preferences.swift"))
        try Data(main.utf8).write(to: folder.appending(path: "Program.swift"))
        return try await CommandLineRun(
            "swiftc",
            [
                "-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "-module-name", "Program", "-o",
                "Program", "-I", try BuiltWithTests.folder(ofModule: "PreferencesRuntime").path, "Program.swift",
                "App.preferences.swift",
            ] + BuiltWithTests.objects(ofModules: modules),
            in: folder,
            mergesErrors: true
        )
    }

    /// Returns the number of occurrences of the module's name in the symbols of a program.
    private static func names(ofCatalogueIn folder: URL) throws -> Int {
        let contents = try Data(contentsOf: folder.appending(path: "Program"), options: .mappedIfSafe)
        let name = Data("20PreferencesCatalogue".utf8)
        var (count, start) = (0, contents.startIndex)
        while let found = contents.range(of: name, in: start..<contents.endIndex) {
            count += 1
            start = found.upperBound
        }
        return count
    }
}
