import TestSupport
import Testing

@Suite("prefs and enums with integers")
struct IntegerEnumTests {
    private static let schema = """
        {
          "formatVersion": 1,
          "types": {
            "Level": {
              "enum": { "low": 1, "high": { "value": 2, "label": "High quality" } }
            },
            "Tint": { "enum": { "deepBlue": "deep-blue", "red": "red" } },
            "Layer": { "struct": { "name": { "type": "String" }, "level": { "type": "Level?" } } }
          },
          "namespaces": {
            "app": {
              "keys": {
                "level": { "type": "Level", "default": "low" },
                "levels": { "type": "[Level]", "default": [] },
                "only": { "type": "Level?", "choices": ["high"] },
                "byName": { "type": "[String: Level]", "default": {} },
                "layer": { "type": "Layer?" },
                "tint": { "type": "Tint", "default": "red" }
              }
            }
          }
        }

        """

    private func withSchema(_ body: (Folder) async throws -> Void) async throws {
        try await withFolder { folder in
            try folder.write(Self.schema, to: "Weather.preferences.json")
            try await body(folder)
        }
    }

    private static let stored = """
        {
          "app:byName": {
            "a": 2
          },
          "app:layer": {
            "level": 2,
            "name": "A"
          },
          "app:level": 2,
          "app:levels": [
            1,
            2
          ],
          "app:tint": "deep-blue"
        }

        """

    @Test("'set' and 'load' read names and integers, also inside of other values, and store integers")
    func reading() async throws {
        try await withSchema { folder in
            for (level, levels, byName, layer, tint) in [
                ("high", "low,high", "a=high", #"{"name": "A", "level": "high"}"#, "deepBlue"),
                ("2", "1,2", "a=2", #"{"name": "A", "level": 2}"#, "deep-blue"),
                ("\"high\"", #"["low", 2]"#, #"{"a": "high"}"#, #"{"name": "A", "level": "high"}"#, "\"deepBlue\""),
            ] {
                for (key, text) in [
                    ("level", level), ("levels", levels), ("byName", byName), ("layer", layer), ("tint", tint),
                ] {
                    let run = try await folder.prefs("set", "app.\(key)", text)
                    #expect(run.status == 0 && run.errors == "", "\(key) \(run.errors)")
                }
                #expect(try folder.read("weather.json") == Self.stored)
                #expect(try await folder.prefs("reset", "--all").status == 0)
            }
            for separator in [".", ":"] {
                try folder.write(
                    """
                    {
                      "app.level": "high", "app.levels": ["low", 2], "app.byName": {"a": "high"},
                      "app.layer": {"name": "A", "level": "high"}, "app.tint": "deepBlue"
                    }
                    """.replacing("app.", with: "app\(separator)"),
                    to: "load.json"
                )
                let run = try await folder.prefs("load", "load.json")
                #expect(run.status == 0 && run.errors == "5 keys set\n", "\(run.errors)")
                #expect(try folder.read("weather.json") == Self.stored)
                #expect(try await folder.prefs("reset", "--all").status == 0)
            }
        }
    }

    @Test("A misspelled name is refused with the names")
    func misspelled() async throws {
        try await withSchema { folder in
            let set = try await folder.prefs("set", "app.level", "hihg")
            #expect(set.status == 1)
            let message = "'app:level': \"hihg\" must be one of low, high; did you mean 'high'?"
            #expect(set.errors == "prefs: error: \(folder.path("weather.json")): \(message)\n")
            for (key, text, message) in [
                ("levels", "low,hihg", "at '[1]': \"hihg\" must be one of low, high; did you mean 'high'?"),
                ("levels", #"["hihg"]"#, "at '[0]': \"hihg\" must be one of low, high; did you mean 'high'?"),
                ("levels", #""hihg""#, "at '[0]': \"hihg\" must be one of low, high; did you mean 'high'?"),
                ("byName", "a=hihg", "at 'a': \"hihg\" must be one of low, high; did you mean 'high'?"),
                ("level", "3", "\"3\" must be one of 1, 2"),
                ("layer", #"{"nam": "A"}"#, "'Layer' has no field 'nam'; did you mean 'name'?"),
            ] {
                let run = try await folder.prefs("set", "app.\(key)", text)
                let prefix = "prefs: error: \(folder.path("weather.json")): 'app:\(key)': "
                #expect(run.status == 1 && run.errors == "\(prefix)\(message)\n", "\(run.errors)")
            }
            #expect(!folder.exists("weather.json"))
        }
    }

    @Test("Texts for people have names; JSON and dumps have the integers that are stored")
    func writing() async throws {
        try await withSchema { folder in
            try folder.write(Self.stored, to: "weather.json")
            let list = try await folder.prefs("list")
            #expect(
                list.output == """
                    app.level high
                    app.levels ["low", "high"]
                    app.only null
                    app.byName {"a": "high"}
                    app.layer {"level": "high", "name": "A"}
                    app.tint deep-blue

                    """
            )
            #expect(try await folder.prefs("get", "app.level", "app.levels").output == "high\n[\"low\", \"high\"]\n")
            #expect(try await folder.prefs("get", "--json", "app.level").output == "2\n")
            #expect(try await folder.prefs("dump").output == Self.stored)
            #expect(try await folder.prefs("dump", "--format", "env", "app.level").output == "APP_LEVEL=2\n")
            #expect(try await folder.prefs("range", "app.level").output == "enum\nlow\nhigh\n")
            #expect(try await folder.prefs("range", "app.only").output == "enum\nhigh\n")
            #expect(
                try await folder.prefs("range", "--json", "app.level").output
                    == "{\n  \"enum\": [\n    1,\n    2\n  ]\n}\n"
            )
            #expect(
                try await folder.prefs("describe", "app.level").output == """
                    app.level
                      type       Level
                      default    low
                      values     low = 1, high = 2 (High quality)
                      stored as  app:level

                    """
            )
            let explained = try await folder.prefs("explain", "app.level", "-s", "other.json")
            #expect(explained.output.contains("    level = \"high\"    \(folder.path("weather.json"))"), "\(explained)")
            #expect(try await folder.prefs("explain", "--json", "app.level").output.contains(#""value": 2"#))
        }
    }

    @Test("'edit' shows names, and stores integers")
    func editing() async throws {
        try await withSchema { folder in
            try folder.write(Self.stored, to: "weather.json")
            let script = #"cp "$1" shown; sed -i 's/"app.level": "high"/"app.level": "low"/' "$1""#
            try folder.write(script, to: "editor.sh")
            let run = try await folder.run(
                shell: """
                    VISUAL= EDITOR='sh editor.sh' prefs edit --schema Weather.preferences.json -s weather.json </dev/null
                    """
            )
            #expect(run.errors == "1 key set\n")
            let shown = try folder.read("shown")
            for line in [
                #"  "app.level": "high","#, #"  "app.levels": ["low", "high"],"#, #"  "app.tint": "deep-blue","#,
                "  // Level; low = 1, high = 2 (High quality)",
            ] {
                #expect(shown.contains("\(line)\n"), "\(line)")
            }
            let stored = Self.stored.replacing("\"app:level\": 2", with: "\"app:level\": 1")
            #expect(try folder.read("weather.json") == stored)
        }
    }
}
