import Foundation
import TestSupport
import Testing

/// A folder with a schema, in which `prefs` runs.
extension Folder {
    static let weatherSchema = """
        {
          "formatVersion": 1,
          "types": {
            "TemperatureUnit": { "enum": ["celsius", "fahrenheit"] },
            "Station": { "struct": { "name": { "type": "String" }, "opened": { "type": "Date?" } } }
          },
          "namespaces": {
            "weather": {
              "keys": {
                "temperature": {
                  "type": "Double", "default": 21.5, "minimum": -90, "maximum": 60, "unit": "°C",
                  "label": "Temperature", "description": "The last one that was measured."
                },
                "unit": { "type": "TemperatureUnit", "default": "celsius" },
                "stations": { "type": "[String]", "default": ["Nairobi"] },
                "home": { "type": "Station?" },
                "interval": { "type": "Duration", "default": "10m" },
                "token": { "type": "String?", "secret": true },
                "started": { "type": "Date", "defaultExpression": "Date()", "renamedFrom": ["began"] }
              }
            }
          }
        }

        """

    /// Runs a body in a folder with the schema.
    static func withSchema(_ body: (Folder) async throws -> Void) async throws {
        try await withFolder { folder in
            try folder.write(weatherSchema, to: "Weather.preferences.json")
            try await body(folder)
        }
    }

    /// Runs a command over `weather.json`.
    func prefs(_ command: String, _ arguments: String..., input: String = "") async throws -> Prefs {
        let location = ["--schema", "Weather.preferences.json", "--store", "weather.json"]
        return try await ToolRun("prefs", [command] + location + arguments, in: url, input: input)
    }

    /// The path in messages of stores.
    func path(_ name: String) -> String { url.resolvingSymlinksInPath().appending(path: name).path }
}

@Suite("The commands of prefs over a file")
struct LiveCommandTests {
    @Test("'set' stores a value that people type, 'get' prints it, and 'reset' removes it")
    func setAndGet() async throws {
        try await Folder.withSchema { folder in
            for (key, text, shown) in [
                ("weather.temperature", "-5", "-5.0"), ("weather.unit", "fahrenheit", "fahrenheit"),
                ("weather:unit", "celsius", "celsius"), ("weather.stations", "Oslo,Bergen", #"["Oslo", "Bergen"]"#),
                ("weather.stations", #"["A, B"]"#, #"["A, B"]"#), ("weather.interval", "1h30m", "5400"),
                ("weather.started", "2026-11-28T08:00:00Z", "2026-11-28T08:00:00Z"),
                ("weather.home", #"{"name": "Oslo"}"#, #"{"name": "Oslo"}"#), ("weather.home", "null", "null"),
            ] {
                let set = try await folder.prefs("set", key, text)
                #expect(set.status == 0 && set.output == "" && set.errors == "", "\(key) \(set.errors)")
                let get = try await folder.prefs("get", key)
                #expect(get.status == 0 && get.output == "\(shown)\n" && get.errors == "", "\(key) \(get)")
            }
            let reset = try await folder.prefs("reset", "weather.temperature", "weather.unit", "weather.home")
            #expect(reset.status == 0 && reset.errors == "")
            #expect(
                try folder.read("weather.json") == """
                    {
                      "weather:interval": 5400,
                      "weather:started": {"$date": "2026-11-28T08:00:00Z"},
                      "weather:stations": [
                        "A, B"
                      ]
                    }

                    """
            )
            #expect(try await folder.prefs("reset", "--all").status == 0)
            #expect(try folder.read("weather.json") == "{}\n")
        }
    }

    @Test(
        "A value that does not fit is refused with a hint, and changes nothing",
        arguments: [
            (
                "weather.unit", "celcius",
                #"'weather:unit': "celcius" must be one of celsius, fahrenheit; did you mean 'celsius'?"#
            ),
            ("weather.temperature", "99", "'weather:temperature': 99.0 is out of range -90.0...60.0; it was not set"),
            ("weather.temperature", "warm", #"'weather:temperature': expected Double, found the string "warm""#),
            (
                "weather.interval", "soon",
                "'weather:interval': expected a duration such as 1h30m or 250ms, or a number of seconds, found the "
                    + #"string "soon""#
            ),
        ]
    )
    func refused(key: String, text: String, message: String) async throws {
        try await Folder.withSchema { folder in
            let run = try await folder.prefs("set", key, text)
            #expect(run.status == 1)
            #expect(run.output == "")
            #expect(run.errors == "prefs: error: \(folder.path("weather.json")): \(message)\n")
            #expect(try folder.names() == ["Weather.preferences.json"])
        }
    }

    @Test("An unknown key is refused with the nearest one, and a namespace with how to list it")
    func unknownKeys() async throws {
        try await Folder.withSchema { folder in
            let misspelled = try await folder.prefs("get", "weather.unitt")
            #expect(misspelled.status == 1)
            #expect(
                misspelled.errors == "prefs: error: there is no key 'weather.unitt'; did you mean 'weather.unit'?\n"
            )
            let namespace = try await folder.prefs("get", "weather")
            #expect(namespace.status == 1)
            #expect(
                namespace.errors
                    == "prefs: error: there is no key 'weather'; it is a namespace; 'prefs list weather' lists its keys\n"
            )
            let unset = try await folder.prefs("get", "weather.started")
            #expect(unset.status == 1)
            #expect(
                unset.errors
                    == "prefs: error: 'weather.started' is not set, and its default is the expression (Date())\n"
            )
        }
    }

    @Test("'list' prints all keys with their values, the set ones, those of a namespace, or the names")
    func list() async throws {
        try await Folder.withSchema { folder in
            try folder.write(#"{"weather:unit": "fahrenheit"}"#, to: "weather.json")
            let all = try await folder.prefs("list")
            #expect(
                all.output == """
                    weather.temperature 21.5
                    weather.unit fahrenheit
                    weather.stations ["Nairobi"]
                    weather.home null
                    weather.interval 600
                    weather.token •••
                    weather.started (Date())

                    """
            )
            #expect(all.errors == "")
            #expect(try await folder.prefs("list", "--set").output == "weather.unit fahrenheit\n")
            let names = try await folder.prefs("list", "--names", "weather.unit", "weather.home")
            #expect(names.output == "weather.unit\nweather.home\n")
            let json = try await folder.prefs("list", "--json", "weather.unit", "weather.token")
            #expect(
                json.output == """
                    {
                      "weather.token": "•••",
                      "weather.unit": "fahrenheit"
                    }

                    """
            )
        }
    }

    @Test("The names of keys are listed without a store, as for completions")
    func namesWithoutStore() async throws {
        try await Folder.withSchema { folder in
            let run = try await folder.run("list", "--names", "--schema", "Weather.preferences.json", "weather.unit")
            #expect(run.status == 0 && run.output == "weather.unit\n", "\(run)")
            let set = try await folder.run("list", "--names", "--set", "--schema", "Weather.preferences.json")
            #expect(set.status == 2, "\(set)")
        }
    }

    @Test(
        "Output that cannot be written is reported, and the exit status is 3",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
        arguments: [
            "get weather.unit", "list", "list --json", "describe weather", "explain", "check", "doctor",
            "watch --initial",
        ]
    )
    func fullDisk(command: String) async throws {
        try await Folder.withSchema { folder in
            try folder.write("{}", to: "weather.json")
            let options = "--schema Weather.preferences.json -s weather.json"
            let run = try await folder.run(shell: "timeout 20 prefs \(command) \(options) >/dev/full")
            #expect(run.status == 3)
            #expect(run.errors.contains("error: cannot write <stdout>: No space left on device"), "\(run.errors)")
        }
    }

    @Test("'describe' shows what the schema says, and 'range' the permitted values")
    func describe() async throws {
        try await Folder.withSchema { folder in
            let described = try await folder.prefs("describe", "weather.temperature", "weather.unit")
            #expect(
                described.output == """
                    weather.temperature
                      The last one that was measured.
                      type       Double
                      default    21.5
                      values     -90.0 to 60.0
                      unit       °C
                      label      Temperature
                      stored as  weather:temperature

                    weather.unit
                      type       TemperatureUnit
                      default    celsius
                      values     celsius, fahrenheit
                      stored as  weather:unit

                    """
            )
            let home = try await folder.prefs("describe", "weather.home").output
            #expect(home.contains("\n  field      name: String\n  field      opened: Date?\n"), "\(home)")
            #expect(try await folder.prefs("range", "weather.unit").output == "enum\ncelsius\nfahrenheit\n")
            #expect(try await folder.prefs("range", "weather.temperature").output == "range Double -90.0 60.0\n")
            #expect(try await folder.prefs("range", "weather.stations").output == "type [String]\n")
            // Nothing is read from stores, which need not be given.
            let alone = try await folder.run("range", "--schema", "Weather.preferences.json", "weather.stations")
            #expect(alone.status == 0 && alone.output == "type [String]\n")
        }
    }

    @Test("'explain' shows where each value comes from, and what it shadows")
    func explain() async throws {
        try await Folder.withSchema { folder in
            try folder.write(#"{"weather:unit": "fahrenheit"}"#, to: "weather.json")
            try folder.write(#"{"weather:unit": "celsius", "weather:temperature": 7}"#, to: "site.json")
            let run = try await folder.prefs("explain", "-s", "site.json", "weather.temperature", "weather.unit")
            #expect(run.status == 0 && run.errors == "")
            let (own, site) = (folder.path("weather.json"), folder.path("site.json"))
            #expect(
                run.output == """
                    weather
                        temperature = 7.0        \(site)
                        unit = "fahrenheit"      \(own)
                            shadows "celsius"    \(site)

                    """
            )
        }
    }

    @Test("'describe' and 'explain' have an array of objects as JSON, also of one key, with values as 'get' has them")
    func jsonObjects() async throws {
        try await Folder.withSchema { folder in
            try folder.write(
                #"{"began": {"$date": "2026-11-28T08:00:00Z"}, "weather:unit": 5}"#,
                to: "weather.json"
            )
            let described = try await folder.prefs("describe", "--json", "weather.started")
            #expect(
                described.output == """
                    [
                      {
                        "access": "internal",
                        "defaultExpression": "Date()",
                        "formerNames": [
                          "began"
                        ],
                        "key": "weather.started",
                        "managed": false,
                        "readOnly": false,
                        "scope": "machine",
                        "secret": false,
                        "storageName": "weather:started",
                        "type": {
                          "kind": "date",
                          "name": "Date"
                        }
                      }
                    ]

                    """
            )
            let path = folder.path("weather.json")
            func object(_ members: String, _ source: String) -> String {
                let source = #"{"description":"\#(path)","name":"\#(source)","store":"\#(path)"}"#
                return "[{" + members.replacing("SOURCE", with: source).replacing("PATH", with: path) + "}]"
            }
            let date = try await folder.prefs("explain", "--json", "weather.started")
            #expect(
                try Self.compact(date.output)
                    == object(
                        #""defaultExpression":"Date()","key":"weather.started","managedBy":null,"problems":[],"#
                            + #""scope":"machine","secret":false,"shadowed":[],"source":SOURCE,"#
                            + #""storageName":"weather:started","#
                            + #""value":"2026-11-28T08:00:00Z""#,
                        "began"
                    )
            )
            let unit = try await folder.prefs("explain", "--json", "weather.unit")
            #expect(
                try Self.compact(unit.output)
                    == object(
                        #""default":"celsius","key":"weather.unit","managedBy":null,"problems":[{"code":"typeMismatch","#
                            + #""key":"weather.unit","message":"the integer 5 must be one of celsius, fahrenheit; "#
                            + #"using its default","storageName":"weather:unit","store":"PATH"}],"#
                            + #""scope":"machine","secret":false,"#
                            + #""shadowed":[],"source":null,"storageName":"weather:unit","value":"celsius""#,
                        ""
                    )
            )
        }
    }

    @Test("'describe' and 'explain' show the machines that share a key, and how its values are merged")
    func sharedKeys() async throws {
        try await withTemporaryDirectory { url in
            let folder = Folder(url: url)
            try folder.write(
                #"{"formatVersion": 1, "keys": {"starts": {"type": "Int", "default": 0, "scope": "user", "merge": "sum"}}}"#,
                to: "App.preferences.json"
            )
            try folder.write(#"{"starts": 7}"#, to: "app.json")
            let options = ["--schema", "App.preferences.json", "-s", "app.json"]
            let described = try await Prefs(["describe"] + options + ["starts"], in: url)
            #expect(
                described.output == """
                    starts
                      type       Int
                      default    0
                      stored as  starts
                      shared     by all machines of the user, merged by 'sum'

                    """
            )
            let json = try await Prefs(["describe", "--json"] + options + ["starts"], in: url)
            #expect(json.output.contains(#""merge": "sum","#) && json.output.contains(#""scope": "user","#), "\(json)")
            let explained = try await Prefs(["explain"] + options + ["starts"], in: url)
            #expect(
                explained.output == """
                    starts = 7    \(folder.path("app.json"))
                        shared    by all machines of the user, merged by 'sum'

                    """
            )
            let object = try await Prefs(["explain", "--json"] + options + ["starts"], in: url)
            #expect(
                object.output.contains(#""merge": "sum","#) && object.output.contains(#""scope": "user","#),
                "\(object)"
            )
        }
    }

    @Test("'range' has one object as JSON, and 'check' the key path and the storage name of each problem")
    func jsonOfRangeAndCheck() async throws {
        try await Folder.withSchema { folder in
            for (key, json) in [
                ("weather.unit", #"{"enum":["celsius","fahrenheit"]}"#),
                ("weather.temperature", #"{"maximum":60,"minimum":-90,"type":"Double"}"#),
                ("weather.stations", #"{"type":"[String]"}"#),
            ] {
                #expect(try await Self.compact(folder.prefs("range", "--json", key).output) == json)
            }
            try folder.write(#"{"weather:unit": 5, "weather:x": 1}"#, to: "weather.json")
            let path = folder.path("weather.json")
            #expect(
                try await Self.compact(folder.prefs("check", "--json").output) == """
                    [{"code":"typeMismatch","key":"weather.unit","message":"the integer 5 must be one of celsius, \
                    fahrenheit; using its default","storageName":"weather:unit","store":"\(path)"},\
                    {"code":"unrecognizedName","key":null,"message":"the schema has no such key; remove it, or \
                    correct it","storageName":"weather:x","store":"\(path)"}]
                    """
            )
        }
    }

    /// Returns JSON on one line.
    private static func compact(_ json: String) throws -> String {
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        return String(decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self)
    }

    @Test("'check' lists what does not fit the schema, and exits with 1")
    func check() async throws {
        try await Folder.withSchema { folder in
            let path = folder.path("weather.json")
            try folder.write(#"{"weather:unit": 5, "wether:unit": 1, "weather:temperature": 1}"#, to: "weather.json")
            let run = try await folder.prefs("check")
            #expect(run.status == 1)
            #expect(
                run.output == """
                    \(path): 'weather:unit': the integer 5 must be one of celsius, fahrenheit; using its default
                    \(path): 'wether:unit': the schema has no such key; did you mean 'weather:unit'?
                    7 keys: 2 problems; 1 secret not read

                    """
            )
            #expect(run.errors == "1 secret not read; specify the store with '--secrets STORE'\n")
            let tolerant = try await folder.prefs("check", "--allow-unknown")
            #expect(tolerant.output.hasSuffix("7 keys: 1 problem; 1 secret not read\n"))
            try folder.write(#"{"weather:unit": "celsius"}"#, to: "weather.json")
            let fine = try await folder.prefs("check")
            #expect(fine.status == 0 && fine.output == "7 keys: no problems; 1 secret not read\n")
            try folder.write(#"{"weather:unit": "#, to: "weather.json")
            let malformed = try await folder.prefs("check")
            #expect(malformed.status == 3)
            #expect(malformed.errors.hasPrefix("prefs: error: \(path): "), "\(malformed.errors)")
            #expect(try folder.read("weather.json") == #"{"weather:unit": "#)
        }
    }

    @Test("'check' finds values that another layer shadows, and files that do not exist")
    func checkLayers() async throws {
        try await Folder.withSchema { folder in
            try folder.write(#"{"weather:temperature": 99, "weather:unit": "kelvin"}"#, to: "site.json")
            let missing = try await folder.prefs("check", "-s", "site.json")
            let path = folder.path("weather.json")
            #expect(missing.status == 3 && missing.output == "")
            let message = "does not exist; correct the path, or permit it with '--allow-missing'"
            #expect(missing.errors == "prefs: error: \(path) \(message)\n")
            let permitted = try await folder.prefs("check", "--allow-missing", "-s", "site.json")
            #expect(permitted.status == 1 && permitted.output.hasSuffix("7 keys: 2 problems; 1 secret not read\n"))
            try folder.write(#"{"weather:temperature": 3}"#, to: "weather.json")
            let site = folder.path("site.json")
            let run = try await folder.prefs("check", "-s", "site.json")
            #expect(
                run.output == """
                    \(site): 'weather:unit': "kelvin" must be one of celsius, fahrenheit; using its default
                    \(site): 'weather:temperature': 99.0 is out of range -90.0...60.0; the value of another layer is used
                    7 keys: 2 problems; 1 secret not read

                    """
            )
            #expect(run.status == 1)
        }
    }

    @Test("A deprecated key and a former name are reported with what replaces them")
    func deprecation() async throws {
        try await withFolder { folder in
            try folder.write(
                """
                {
                  "formatVersion": 1,
                  "keys": {
                    "mode": { "type": "Int", "default": 1, "renamedFrom": ["speed"] },
                    "old": { "type": "Bool", "default": false, "deprecated": "Use mode." }
                  }
                }
                """,
                to: "Weather.preferences.json"
            )
            let set = try await folder.prefs("set", "old", "yes")
            #expect(set.status == 0 && set.errors == "'old' is deprecated: Use mode.\n")
            let get = try await folder.prefs("get", "speed")
            #expect(get.status == 1)
            #expect(get.errors == "prefs: error: there is no key 'speed'; it is a former name of 'mode'\n")
        }
    }

    @Test("A secret in the ordinary store is a problem, also if the store of secrets is given")
    func secretInOrdinaryStore() async throws {
        try await Folder.withSchema { folder in
            try folder.write(#"{"weather:token": "abc"}"#, to: "weather.json")
            let message =
                "'weather:token': its value is a secret in the ordinary store, where other programs can read it; "
                + "set it in the store of '--secrets', and remove it here"
            let line = "\(folder.path("weather.json")): \(message)\n"
            let run = try await folder.prefs("check")
            #expect(run.status == 1 && run.output == "\(line)7 keys: 1 problem; 1 secret not read\n", "\(run)")
            let withSecrets = try await folder.prefs("check", "--secrets", "secrets.json")
            #expect(withSecrets.status == 1 && withSecrets.output == "\(line)7 keys: 1 problem\n", "\(withSecrets)")
            let tolerant = try await folder.prefs("check", "--secrets", "secrets.json", "--allow-unknown")
            #expect(tolerant.status == 1 && tolerant.output == withSecrets.output)
            let doctor = try await folder.prefs("doctor", "--secrets", "secrets.json")
            #expect(doctor.status == 1)
            #expect(doctor.output.contains("\(folder.path("weather.json")): problem: \(message)\n"), "\(doctor)")
            let variable = try await folder.run(
                shell: "APP_WEATHER_TOKEN=abc prefs check --schema Weather.preferences.json -s env:APP_"
            )
            #expect(
                variable.output
                    == "environment variable APP_WEATHER_TOKEN: \(message)\n7 keys: 1 problem; 1 secret not read\n"
            )
        }
    }

    @Test("Strings that would break a line are printed as JSON, and texts of the schema with escape sequences")
    func controlCharacters() async throws {
        try await withFolder { folder in
            let schema = #"""
                {
                  "formatVersion": 1,
                  "keys": {
                    "a": {
                      "type": "String", "default": "", "label": "A\u001b[31m", "description": "One.\nTwo \u202etxt.",
                      "unit": "\u2066m"
                    },
                    "b": { "type": "[String]", "default": ["\u202e"] },
                    "c": { "type": "String", "default": "\"quoted\"" }
                  }
                }

                """#
            try folder.write(schema, to: "Weather.preferences.json")
            try folder.write(#"{"a": "one\ntwo\u001b[2J\u009b"}"#, to: "weather.json")
            let list = try await folder.prefs("list")
            #expect(
                list.output == #"""
                    a "one\ntwo\u001b[2J\u009b"
                    b ["\u202e"]
                    c "\"quoted\""

                    """#
            )
            #expect(try await folder.prefs("get", "a").output == "one\ntwo\u{1B}[2J\u{9B}\n")
            let described = try await folder.prefs("describe", "a")
            #expect(
                described.output == #"""
                    a
                      One.
                      Two \u202etxt.
                      type       String
                      default    \#("")
                      unit       \u2066m
                      label      A\u001b[31m
                      stored as  a

                    """#
            )
            #expect(try await !folder.prefs("explain").output.contains("\u{1B}"))
        }
    }

    @Test("A schema with errors is reported with their places, and nothing is done")
    func faultySchema() async throws {
        try await withFolder { folder in
            try folder.write(#"{ "formatVersion": 1, "keys": { "a": { "type": "Itn" } } }"#, to: "A.preferences.json")
            let run = try await folder.run("list", "--schema", "A.preferences.json", "-s", "a.json")
            #expect(run.status == 1)
            #expect(
                run.errorLines == [
                    "A.preferences.json:1:49: error: unknown type 'Itn' [unknown-type]",
                    "A.preferences.json:1:49: note: did you mean 'Int'?",
                    "prefs: error: the schema has 1 error",
                ]
            )
        }
    }

    @Test(
        "A command line without a store, a schema or a key exits with 2 and says what to add",
        arguments: [
            (
                ["list", "--schema", "W.json"],
                "no store given; specify '--app NAME' for an app's files, or '--store STORE'"
            ),
            (["doctor"], "no store given; specify '--app NAME' for an app's files, or '--store STORE'"),
            (["get", "-s", "w.json"], "no key given; 'prefs list' lists the keys"),
            (["get", "-s", "oracle:x", "a"], "unknown kind of store 'oracle'; the kinds are "),
            (
                ["get", "--secrets", "secret", "a"],
                "'secret' is a kind of store; did you mean 'secret:'? './secret' is a file"
            ),
            (
                ["get", "-s", "sqlite", "a"],
                "'sqlite' is a kind of store; did you mean 'sqlite:'? './sqlite' is a file"
            ),
            (["get", "-s", "file:w.json?format=xml", "a"], "unknown format 'xml'; the values are "),
            (["load", "-s", "w.json", "--format", "xml", "-"], "unknown format 'xml'; the formats are "),
            (["reset", "-s", "w.json"], "no key given; '--all' resets all keys"),
            (["set", "-s", "w.json", "a", "b", "c"], "'set' takes one key and one value; quote a value with spaces"),
        ]
    )
    func usage(arguments: [String], message: String) async throws {
        try await withFolder { folder in
            let run = try await Prefs(arguments, in: folder.url)
            #expect(run.status == 2)
            #expect(run.errors.hasPrefix("prefs: error: \(message)"), "\(run.errors)")
            #expect(run.errors.hasSuffix("\nRun 'prefs \(arguments[0]) --help' for usage.\n"), "\(run.errors)")
        }
    }
}

@Suite("prefs and secrets")
struct SecretTests {
    @Test("A secret is read from standard input, never from the command line, and shown only on request")
    func secrets() async throws {
        try await Folder.withSchema { folder in
            let argument = try await folder.prefs("set", "--secrets", "secrets.json", "weather.token", "abc")
            #expect(argument.status == 2)
            #expect(
                argument.errors
                    == "prefs: error: 'weather.token' is a secret, which other users could see on the command line; omit "
                    + "the value to type it, or write '-' to read it from standard input\n"
            )
            let set = try await folder.prefs("set", "--secrets", "secrets.json", "weather.token", "-", input: "abc\n")
            #expect(set.status == 0 && set.errors == "")
            #expect(try folder.read("secrets.json").contains("abc"))
            #expect(!folder.exists("weather.json"))
            for command in ["get", "explain", "describe"] {
                let run = try await folder.prefs(command, "--secrets", "secrets.json", "weather.token")
                #expect(run.status == 0 && !run.output.contains("abc") && run.output.contains("•••"), "\(run)")
            }
            let shown = try await folder.prefs("get", "--secrets", "secrets.json", "--show-secrets", "weather.token")
            #expect(shown.output == "abc\n")
            let dumped = try await folder.prefs("dump", "--secrets", "secrets.json")
            #expect(dumped.output == "{}\n")
        }
    }

    @Test("A secret without a store of secrets says which option names one")
    func withoutStore() async throws {
        try await Folder.withSchema { folder in
            for (command, value) in [
                ("get", "--json"), ("set", "-"), ("reset", "--json"), ("watch", "--json"), ("explain", "--json"),
            ] {
                let run = try await folder.prefs(command, "weather.token", value)
                #expect(run.status == 2)
                #expect(
                    run.errors
                        == "prefs: error: 'weather.token' is a secret; specify the store of secrets with "
                        + "'--secrets STORE'\n"
                )
            }
        }
    }

    @Test("A command over a namespace leaves out its secrets, and reports that")
    func namespaces() async throws {
        try await Folder.withSchema { folder in
            for arguments in [["weather"], ["--all"]] {
                try folder.write(#"{"weather:unit": "fahrenheit"}"#, to: "weather.json")
                let options = ["reset", "--schema", "Weather.preferences.json", "-s", "weather.json"]
                let run = try await Prefs(options + arguments, in: folder.url)
                #expect(run.status == 0)
                #expect(run.errors == "1 secret not read; specify the store with '--secrets STORE'\n")
                #expect(try folder.read("weather.json") == "{}\n")
            }
        }
    }

    @Test("'--show-secrets' shows the values of secrets in every command")
    func shown() async throws {
        try await Folder.withSchema { folder in
            try folder.write(
                Folder.weatherSchema.replacing(
                    #""type": "String?", "secret": true"#,
                    with: #""type": "String", "default": "hunter2", "secret": true"#
                ),
                to: "Weather.preferences.json"
            )
            try folder.write(#"{"weather:token": "abc"}"#, to: "secrets.json")
            for command in ["get", "list", "explain", "describe"] {
                for format in [["--json"], []] {
                    let arguments =
                        [
                            command, "--schema", "Weather.preferences.json", "-s", "weather.json", "--secrets",
                            "secrets.json", "weather.token",
                        ] + format
                    let hidden = try await Prefs(arguments, in: folder.url)
                    #expect(hidden.output.contains("•••") && !hidden.output.contains(/abc|hunter2/), "\(hidden)")
                    let shown = try await Prefs(arguments + ["--show-secrets"], in: folder.url)
                    let value = command == "describe" ? "hunter2" : "abc"
                    #expect(shown.output.contains(value) && !shown.output.contains("•••"), "\(shown)")
                }
            }
        }
    }
}
