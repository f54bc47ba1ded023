import TestSupport
import Testing

@Suite("Schemas of modules that a module depends on")
struct DependencyTests {
    /// Schemas of a library.
    private static let kit = """
        {
          "formatVersion": 1,
          "access": "public",
          "keys": { "theme": { "type": "String?" } },
          "namespaces": {
            "weather": {
              "keys": { "scale": { "type": "Int", "default": 1 } },
              "namespaces": { "radar": { "access": "package", "keys": { "range": { "type": "Int?" } } } }
            },
            "private": { "access": "internal", "keys": { "level": { "type": "Int?" } } }
          }
        }
        """

    /// Runs `lint` for a schema of an app that depends on the library.
    private func lint(_ contents: String, _ options: String...) async throws -> [String] {
        var lines: [String] = []
        try await withFolder { folder in
            try folder.write(Self.kit, to: "Kit.preferences.json")
            try folder.write("{ \"formatVersion\": 1, \(contents) }", to: "App.preferences.json")
            let run = try await Generator(["lint", "App.preferences.json"] + options, in: folder.url)
            lines = run.errorLines
            #expect(run.status == (lines.isEmpty ? 0 : 1))
        }
        return lines
    }

    @Test("A key, a namespace and a struct named like those of a dependency are errors that say what to rename")
    func accessors() async throws {
        let lines = try await lint(
            """
            "keys": { "theme": { "type": "Int?", "id": "own-theme" } },
            "namespaces": {
              "weather": { "id": "own", "keys": { "a": { "type": "Int?" } } },
              "radar": { "typeName": "WeatherRadar", "keys": { "a": { "type": "Int?" } } }
            }
            """,
            "--package-dependency",
            "Kit=Kit.preferences.json"
        )
        #expect(
            lines == [
                "App.preferences.json:1:33: error: key 'theme' would have the same accessor as key 'theme' of module "
                    + "'Kit' [accessor-clash]",
                "Kit.preferences.json:4:13: note: key 'theme' is here",
                "App.preferences.json:1:33: note: rename the key; its 'id' can keep the storage name",
                "App.preferences.json:3:3: error: namespace 'weather' would have the same accessor as namespace "
                    + "'weather' of module 'Kit' [accessor-clash]",
                "Kit.preferences.json:6:5: note: namespace 'weather' is here",
                "App.preferences.json:3:3: note: rename the namespace; its 'id' can keep the storage name",
                "App.preferences.json:4:3: error: namespace 'radar' generates a type named "
                    + "'Preferences.WeatherRadar', and so does namespace 'weather.radar' of module 'Kit' "
                    + "[type-name-clash]",
                "Kit.preferences.json:8:23: note: namespace 'weather.radar' is here",
                "App.preferences.json:4:3: note: give the namespace another 'typeName'",
            ]
        )
    }

    @Test("Names that the module cannot see are free")
    func hiddenNames() async throws {
        let contents = """
            "namespaces": {
              "private": { "id": "own", "keys": { "level": { "type": "Int?" } } },
              "radar": { "typeName": "WeatherRadar", "keys": { "a": { "type": "Int?" } } }
            }
            """
        #expect(try await lint(contents, "--dependency", "Kit=Kit.preferences.json") == [])
    }

    @Test(
        "A catalogue named like one of a dependency is an error if other modules can see both",
        arguments: [
            ("public", "public", "--dependency", true), ("package", "public", "--dependency", true),
            ("internal", "public", "--dependency", false), ("public", "package", "--dependency", false),
            ("public", "package", "--package-dependency", true), ("public", "internal", "--package-dependency", false),
        ]
    )
    func catalogues(own: String, other: String, option: String, clashes: Bool) async throws {
        try await withFolder { folder in
            for (path, access, namespace) in [("Kit", other, "kit"), ("App", own, "own")] {
                let schema = """
                    {
                      "formatVersion": 1, "access": "\(access)", "typeName": "Weather",
                      "catalogue": true,
                      "namespaces": { "\(namespace)": { "keys": { "a": { "type": "Int?" } } } }
                    }
                    """
                try folder.write(schema, to: "\(path).preferences.json")
            }
            let run = try await Generator(
                ["lint", "App.preferences.json", option, "Kit=Kit.preferences.json"],
                in: folder.url
            )
            let lines = [
                "App.preferences.json:3:16: error: the catalogue of this file would be 'PreferenceCatalogue.weather', and "
                    + "so would that of 'Kit' of module 'Kit'; modules that use both could not use either "
                    + "[type-name-clash]",
                "Kit.preferences.json:3:16: note: the catalogue of 'Kit' is declared here",
                "App.preferences.json:3:16: note: give this file another 'typeName'",
            ]
            #expect(run.errorLines == (clashes ? lines : []))
            #expect(run.status == (clashes ? 1 : 0))
        }
    }

    @Test("Keys of one storage name and different types are errors at both places; of one type, they are not")
    func storageNames() async throws {
        let lines = try await lint(
            """
            "keys": { "range": { "type": "Int?" } },
            "namespaces": {
              "sky": {
                "id": "weather", "keys": { "scale": { "type": "String?" } },
                "namespaces": { "radar": { "keys": { "range": { "type": "Int", "default": 5 } } } }
              }
            }
            """,
            "--dependency",
            "Kit=Kit.preferences.json"
        )
        #expect(
            lines == [
                "App.preferences.json:4:32: error: 'sky.scale' is stored as 'weather:scale' of type String?, and "
                    + "'weather.scale' of module 'Kit' with the same name of type Int [storage-name-clash]",
                "Kit.preferences.json:7:17: note: 'weather.scale' is here",
                "App.preferences.json:4:32: note: give one of them another 'id', or both the same type",
                "Kit.preferences.json:7:17: error: 'weather.scale' is stored as 'weather:scale' of type Int, and "
                    + "'sky.scale' with the same name of type String? [storage-name-clash]",
                "App.preferences.json:4:32: note: 'sky.scale' is here",
                "Kit.preferences.json:7:17: note: give one of them another 'id', or both the same type",
            ]
        )
    }

    @Test("A key that gives the storage name of a dependency's key is an error at its 'storageName'")
    func givenStorageNames() async throws {
        let lines = try await lint(
            """
            "namespaces": {
              "sky": { "keys": {
                "scale": { "type": "String?", "storageName": "weather:scale" },
                "level": { "type": "Int?", "storageName": "private:level" }
              } }
            }
            """,
            "--dependency",
            "Kit=Kit.preferences.json"
        )
        #expect(
            lines == [
                "App.preferences.json:3:50: error: 'sky.scale' is stored as 'weather:scale' of type String?, and "
                    + "'weather.scale' of module 'Kit' with the same name of type Int [storage-name-clash]",
                "Kit.preferences.json:7:17: note: 'weather.scale' is here",
                "App.preferences.json:3:50: note: give one of them another 'id' or 'storageName', or both the same type",
                "Kit.preferences.json:7:17: error: 'weather.scale' is stored as 'weather:scale' of type Int, and "
                    + "'sky.scale' with the same name of type String? [storage-name-clash]",
                "App.preferences.json:3:50: note: 'sky.scale' is here",
                "Kit.preferences.json:7:17: note: give one of them another 'id' or 'storageName', or both the same type",
            ]
        )
    }

    @Test("Types of one name are compared by what they store, and external types are not compared")
    func storedForms() async throws {
        func lint(_ own: String, _ other: String) async throws -> Int {
            var count = 0
            try await withFolder { folder in
                for (path, types) in [("App", own), ("Kit", other)] {
                    let namespace = #"{ "id": "n", "keys": { "k": { "type": "T?" } } }"#
                    try folder.write(
                        #"{ "formatVersion": 1, "types": { \#(types) }, "namespaces": { "\#(path)": \#(namespace) } }"#,
                        to: "\(path).preferences.json"
                    )
                }
                let run = try await folder.run(
                    "lint",
                    "App.preferences.json",
                    "--dependency",
                    "Kit=Kit.preferences.json"
                )
                count = run.errorLines.count { $0.contains("[storage-name-clash]") }
            }
            return count
        }
        let (low, high) = (#""T": { "enum": ["low"] }"#, #""T": { "enum": ["high"] }"#)
        #expect(try await lint(low, low) == 0)
        #expect(try await lint(low, high) == 2)
        #expect(try await lint(low, #""T": { "external": "Kit.T" }"#) == 0)
        let tree = #""T": { "struct": { "name": "String", "inner": "[T]" } }"#
        #expect(try await lint(tree, tree) == 0)
        #expect(try await lint(tree, #""T": { "struct": { "inner": "[T]", "name": "String?" } }"#) == 0)
        #expect(try await lint(tree, #""T": { "struct": { "name": "String" } }"#) == 2)
        #expect(try await lint(tree, low) == 2)
    }

    @Test("A struct of a dependency that is named like a protocol of the module is an error")
    func hiddenProtocol() async throws {
        try await withFolder { folder in
            let key = #""keys": { "a": { "type": "Int?" } }"#
            try folder.write(
                #"{ "formatVersion": 1, "access": "public", "namespaces": { "skyPreferences": { \#(key) } } }"#,
                to: "Kit.preferences.json"
            )
            try folder.write(
                #"{ "formatVersion": 1, "namespaces": { "sky": { \#(key) } } }"#,
                to: "App.preferences.json"
            )
            let run = try await folder.run("lint", "App.preferences.json", "--dependency", "Kit=Kit.preferences.json")
            #expect(
                run.errorLines.first
                    == "App.preferences.json:1:39: error: namespace 'sky' generates a protocol 'SkyPreferences', which "
                    + "'Preferences.SkyPreferences' of namespace 'skyPreferences' of module 'Kit' would hide "
                    + "[type-name-clash]"
            )
        }
    }

    @Test("Schemas without an access level have that of the dependency's configuration")
    func configuration() async throws {
        try await withFolder { folder in
            let schema =
                #"{ "formatVersion": 1, "namespaces": { "weather": { "keys": { "a": { "type": "Int?" } } } } }"#
            try folder.write(schema, to: "Kit/Kit.preferences.json")
            try folder.write(#"{ "access": "public" }"#, to: "Kit/preferences-generator-config.json")
            try folder.write(schema, to: "App.preferences.json")
            let dependency = ["--dependency", "Kit=Kit/Kit.preferences.json"]
            let lint = ["lint", "App.preferences.json"]
            #expect(try await Generator(lint + dependency, in: folder.url).status == 0)
            let configuration = ["--dependency", "Kit=Kit/preferences-generator-config.json"]
            let run = try await Generator(lint + dependency + configuration, in: folder.url)
            #expect(run.status == 1)
            #expect(run.errorLines.count == 3)
        }
    }

    @Test("Faults of a dependency's schemas are not reported, but unreadable files are")
    func faults() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            try folder.write("{ ", to: "Broken.preferences.json")
            let run = try await folder.run(
                "lint",
                "Weather.preferences.json",
                "--dependency",
                "Kit=Broken.preferences.json"
            )
            #expect(run.status == 0)
            let missing = try await folder.run("lint", "Weather.preferences.json", "--dependency", "Kit=Missing.json")
            #expect(missing.status == 3)
            #expect(
                missing.errorLines.first
                    == "preferences-generator: error: cannot read Missing.json: No such file or directory"
            )
        }
    }

    @Test("A dependency without a module or a file is rejected", arguments: ["Kit", "=a.json", "Kit=", "Kit=-"])
    func incompleteOption(value: String) async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            let run = try await folder.run("lint", "Weather.preferences.json", "--dependency", value)
            #expect(run.status == 2)
            #expect(
                run.errorLines.first
                    == "preferences-generator: error: '\(value)' names no schema of a dependency; write 'MODULE=FILE', for example, "
                    + "'Kit=Sources/Kit/Weather.preferences.json'"
            )
        }
    }
}
