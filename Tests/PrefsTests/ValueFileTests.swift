import Foundation
import TestSupport
import Testing

@Suite("prefs dump, load and edit")
struct ValueFileTests {
    private static let values = """
        {
          "weather:home": {
            "name": "St. John's $HOME",
            "opened": {"$date": "2001-01-01T00:00:00Z"}
          },
          "weather:interval": 0.25,
          "weather:started": {"$date": "2026-11-28T08:00:00Z"},
          "weather:stations": [
            "A, B",
            "C"
          ],
          "weather:temperature": -5.5,
          "weather:unit": "fahrenheit"
        }

        """

    private static let omission = "1 secret left out; specify '--secrets STORE --show-secrets' to write them\n"

    @Test("What 'dump' writes in any format, 'load' sets again", arguments: ["json", "plist", "env", "dconf"])
    func roundTrip(format: String) async throws {
        try await Folder.withSchema { folder in
            try folder.write(Self.values, to: "weather.json")
            let dump = try await folder.prefs("dump", "--format", format)
            #expect(dump.status == 0 && dump.errors == Self.omission)
            try folder.write("{}", to: "weather.json")
            let load = try await folder.prefs("load", "--format", format, "-", input: dump.output)
            #expect(load.status == 0, "\(load.errors)")
            #expect(load.output == "" && load.errors == "6 keys set\n")
            #expect(try folder.read("weather.json") == Self.values)
            let again = try await folder.prefs("load", "--format", format, "-", input: dump.output)
            #expect(again.errors == "Nothing to change\n")
        }
    }

    @Test("The ending of a file selects the format, and a default that is nil needs no environment variable")
    func inferredFormat() async throws {
        try await Folder.withSchema { folder in
            try folder.write(#"{"weather:unit": "fahrenheit"}"#, to: "weather.json")
            for format in ["plist", "env"] {
                let keys = ["weather.unit", "weather.home"]
                let dump = try await folder.prefs("dump", "--format", format, "--defaults", keys[0], keys[1])
                #expect(dump.status == 0 && dump.output.contains("fahrenheit"), "\(dump)")
                try folder.write(dump.output, to: "values.\(format)")
                #expect(try await folder.prefs("reset", "--all").status == 0)
                let load = try await folder.prefs("load", "values.\(format)")
                #expect(load.status == 0, "\(load)")
                #expect(try await folder.prefs("get", "weather.unit").output == "fahrenheit\n")
            }
        }
    }

    @Test("The formats are those of other tools")
    func formats() async throws {
        try await Folder.withSchema { folder in
            try folder.write(#"{"weather:unit": "fahrenheit", "weather:stations": ["it's"]}"#, to: "weather.json")
            let variables = try await folder.prefs("dump", "--format", "env", "--prefix", "APP_")
            #expect(variables.output == "APP_WEATHER_STATIONS='[\"it'\\''s\"]'\nAPP_WEATHER_UNIT=fahrenheit\n")
            let shell = try await folder.run(shell: "\(variables.output)echo $APP_WEATHER_STATIONS")
            #expect(shell.output == "[\"it's\"]\n")
            let dconf = try await folder.prefs("dump", "--format", "dconf", "--path", "weather=/org/example/weather/")
            #expect(dconf.output == "[org/example/weather]\nstations=[\"it's\"]\nunit='fahrenheit'\n")
        }
    }

    @Test("A value in environment variables cannot end its quotes, even with combining accents, and is read again")
    func shellText() async throws {
        try await Folder.withSchema { folder in
            let text = "a'\u{301} ; touch made; '\u{200D}\r\n\u{301}b\tc\n'\u{301}"
            try folder.write("{}", to: "weather.json")
            let json = String(decoding: try JSONEncoder().encode([text, "'\u{301}"]), as: UTF8.self)
            #expect(try await folder.prefs("set", "weather.stations", json).status == 0)
            let home = String(decoding: try JSONEncoder().encode(["name": text]), as: UTF8.self)
            #expect(try await folder.prefs("set", "weather.home", home).status == 0)
            let old = try folder.read("weather.json")
            let dump = try await folder.prefs("dump", "--format", "env")
            #expect(dump.status == 0 && dump.errors == Self.omission)
            let shell = try await folder.run(shell: "\(dump.output)printf '%s' \"$WEATHER_STATIONS\"")
            #expect(shell.status == 0 && shell.errors == "" && !folder.exists("made"))
            let read = try JSONDecoder().decode([String].self, from: Data(shell.output.utf8))
            #expect(read[0].utf8.elementsEqual(text.utf8))
            try folder.write("{}", to: "weather.json")
            let load = try await folder.prefs("load", "--format", "env", "-", input: dump.output)
            #expect(load.status == 0 && load.errors == "2 keys set\n", "\(load)")
            #expect(try folder.read("weather.json").utf8.elementsEqual(old.utf8))
        }
    }

    @Test("Quotes in files of variables are those of shells: a quote with a combining accent ends a text")
    func quotes() async throws {
        try await Folder.withSchema { folder in
            let run = try await folder.prefs("load", "--format", "env", "-", input: "\nA='a'\u{301}' $(id)\n")
            #expect(run.status == 1)
            #expect(run.errors == "prefs: error: line 2: the quotes have no end\n")
            let expansion = try await folder.prefs("load", "--format", "env", "-", input: "A=$\u{301}(id)\n")
            #expect(expansion.errors == "prefs: error: line 1: '$' has a meaning for shells; quote the value\n")
        }
    }

    @Test("'dump' and 'load' write no temporary files", arguments: ["json", "plist", "env", "dconf"])
    func temporaryFiles(format: String) async throws {
        try await Folder.withSchema { folder in
            let tool = "TMPDIR=missing prefs"
            let location = "--schema Weather.preferences.json --secrets secrets.json -s"
            try folder.write(#"{"weather:token": "abc"}"#, to: "secrets.json")
            try folder.write("{}", to: "weather.json")
            let arguments = "\(location) weather.json --format \(format)"
            let dump = try await folder.run(shell: "\(tool) dump --show-secrets \(arguments) > values")
            #expect(dump.status == 0, "\(dump)")
            #expect(try folder.read("values").contains("abc"))
            try folder.write("{}", to: "secrets.json")
            let load = try await folder.run(shell: "\(tool) load \(arguments) values")
            #expect(load.status == 0 && load.errors.hasSuffix("1 key set\n"), "\(load)")
            #expect(try folder.read("secrets.json").contains(#""weather:token": "abc""#))
        }
    }

    @Test("'load' refuses texts that are not in the GVariant text format, which dconf would not read either")
    func invalidGVariant() async throws {
        try await Folder.withSchema { folder in
            let input = "[weather]\nunit=celsius\nstations=['Oslo'\ntemperature=1\n"
            let run = try await folder.prefs("load", "--format", "dconf", "-", input: input)
            #expect(run.status == 1)
            #expect(
                run.errorLines == [
                    "prefs: error: <stdin>: 'weather:unit': line 2: this is not a value in the GVariant text format",
                    "prefs: error: <stdin>: 'weather:stations': line 3: this is not a value in the GVariant text format",
                    "prefs: error: 2 problems; nothing was changed",
                ]
            )
        }
    }

    @Test("Two namespaces with one path, and a path that dconf does not have, are refused")
    func faultyPaths() async throws {
        try await Folder.withSchema { folder in
            let keys = #""keys": { "b": { "type": "Int", "default": 0 } }"#
            try folder.write(
                #"{ "formatVersion": 1, "namespaces": { "a": { \#(keys) }, "c": { \#(keys) } } }"#,
                to: "C.preferences.json"
            )
            try folder.write(#"{"a:b": 1, "c:b": 2}"#, to: "c.json")
            func run(_ path: String) async throws -> Prefs {
                let location = ["--schema", "C.preferences.json", "-s", "c.json"]
                return try await Prefs(["dump", "--format", "dconf", "--path", path] + location, in: folder.url)
            }
            let same = try await run("a=/c/")
            #expect(same.status == 2)
            #expect(
                same.errors == "prefs: error: 'a' and 'c' have the same path '/c/'; specify another with '--path'\n"
            )
            let own = try await run("a=/swift-preferences/")
            #expect(own.status == 2)
            #expect(
                own.errors == "prefs: error: dconf has no path '/swift-preferences/'; specify another with "
                    + "'--path a=/PATH/'\n"
            )
        }
    }

    @Test("'load' needs the store of secrets for a file with a secret")
    func secretInFile() async throws {
        try await Folder.withSchema { folder in
            for arguments in [[], ["--dry-run"]] {
                let input = #"{"weather:token": "abc", "weather:unit": "celsius"}"#
                let location = ["--schema", "Weather.preferences.json", "-s", "weather.json", "-"]
                let run = try await ToolRun("prefs", ["load"] + arguments + location, in: folder.url, input: input)
                #expect(run.status == 2)
                #expect(
                    run.errors == "prefs: error: 'weather.token' is a secret; specify the store of secrets with "
                        + "'--secrets STORE'\n"
                )
                #expect(!folder.exists("weather.json"))
            }
        }
    }

    @Test("'load' writes values that another layer has, and resets only those of the layer that it writes")
    func layers() async throws {
        try await Folder.withSchema { folder in
            let site = #"{"weather:temperature": 7.0}"#
            try folder.write(site, to: "site.json")
            func load(_ input: String, _ option: String) async throws -> Prefs {
                let location = ["--schema", "Weather.preferences.json", "-s", "own.json", "-s", "site.json"]
                return try await ToolRun("prefs", ["load", option, "-"] + location, in: folder.url, input: input)
            }
            let nothing = try await load("{}", "--replace")
            #expect(nothing.status == 0 && nothing.errors == "Nothing to change\n", "\(nothing)")
            let set = try await load(site, "--replace")
            #expect(set.status == 0 && set.errors == "1 key set\n", "\(set)")
            #expect(try folder.read("own.json") == "{\n  \"weather:temperature\": 7.0\n}\n")
            #expect(try await load(site, "--replace").errors == "Nothing to change\n")
            #expect(try await load("{}", "--replace").errors == "1 key reset\n")
            #expect(try folder.read("own.json") == "{}\n")
            #expect(try folder.read("site.json") == site)
        }
    }

    @Test("A value that environment variables cannot represent, or a name that shells refuse, is not dumped")
    func unrepresentable() async throws {
        try await withFolder { folder in
            let keys = ["note": "String?", "count": "Int?", "ÜBUNG": "Int?"].map {
                #""\#($0)": { "type": "\#($1)" }"#
            }
            try folder.write(
                #"{ "formatVersion": 1, "keys": { \#(keys.joined(separator: ", ")) } }"#,
                to: "C.preferences.json"
            )
            func dump(_ values: String) async throws -> Prefs {
                try folder.write(values, to: "c.json")
                return try await folder.run(
                    "dump",
                    "--format",
                    "env",
                    "--prefix",
                    "C_",
                    "--schema",
                    "C.preferences.json",
                    "-s",
                    "c.json"
                )
            }
            for (values, message) in [
                (#"{"note": null}"#, "'note' cannot be dumped: environment variables cannot represent nil"),
                (
                    #"{"note": "a\u0000"}"#,
                    "'note' cannot be dumped: environment variables cannot represent a value with NUL"
                ),
                (#"{"ÜBUNG": 1}"#, "'ÜBUNG' cannot be dumped: 'C_ÜBUNG' is not the name of an environment variable"),
            ] {
                let run = try await dump(values)
                #expect(run.status == 1 && run.output == "")
                #expect(run.errors == "prefs: error: \(message)\n")
            }
            let run = try await dump(#"{"note": "null", "count": null}"#)
            #expect(run.status == 0 && run.output == "C_COUNT=null\nC_NOTE=null\n", "\(run)")
        }
    }

    @Test("'load' reads key paths, and the plain values of 'list --json'")
    func keyPaths() async throws {
        try await Folder.withSchema { folder in
            try folder.write(Self.values, to: "weather.json")
            let list = try await folder.prefs("list", "--json", "--set")
            #expect(list.output.contains(#""weather.started": "2026-11-28T08:00:00Z""#), "\(list)")
            try folder.write("{}", to: "weather.json")
            let load = try await folder.prefs("load", "-", input: list.output)
            #expect(load.status == 0 && load.errors == "6 keys set\n", "\(load)")
            #expect(try folder.read("weather.json") == Self.values)
            let input = #"{"weather.unit": "celsius", "weather:unit": "celsius", "weather.interval": 1e999}"#
            let run = try await folder.prefs("load", "-", input: input)
            #expect(run.status == 1)
            #expect(
                run.errorLines == [
                    "prefs: error: <stdin>: 'weather.interval': line 1: a number is out of a Double's range",
                    "prefs: error: <stdin>: 'weather:unit': it is the key that 'weather.unit' names, too",
                    "prefs: error: 2 problems; nothing was changed",
                ]
            )
        }
    }

    @Test("'load' lists everything that does not fit, and changes nothing")
    func refused() async throws {
        try await Folder.withSchema { folder in
            try folder.write("{}", to: "weather.json")
            try folder.write(
                #"{"weather:unit": "celcius", "weather:stationz": [], "weather:temperature": 1}"#,
                to: "values.json"
            )
            let run = try await folder.prefs("load", "values.json")
            #expect(run.status == 1)
            #expect(
                run.errorLines == [
                    #"prefs: error: values.json: 'weather:unit': "celcius" must be one of celsius, fahrenheit"#,
                    "prefs: error: values.json: 'weather:stationz': the schema has no such key; did you mean "
                        + "'weather:stations'?",
                    "prefs: error: 2 problems; nothing was changed",
                ]
            )
            #expect(try folder.read("weather.json") == "{}")
            try folder.write("{", to: "values.json")
            let malformed = try await folder.prefs("load", "values.json")
            #expect(malformed.status == 1)
            #expect(malformed.errors.hasPrefix("prefs: error: values.json: "), "\(malformed.errors)")
            let line = try await folder.prefs("load", "--format", "env", "-", input: "# fine\n\nA=$(id)\n")
            #expect(line.status == 1)
            #expect(line.errors == "prefs: error: line 3: '$' has a meaning for shells; quote the value\n")
        }
    }

    @Test("A stored value that cannot be used is not dumped as its default, and is replaced by a value of that kind")
    func damagedValue() async throws {
        try await Folder.withSchema { folder in
            try folder.write(#"{"weather:unit": "kelvin", "weather:temperature": 1}"#, to: "weather.json")
            let dump = try await folder.prefs("dump")
            #expect(dump.status == 0 && dump.output == "{\n  \"weather:temperature\": 1.0\n}\n", "\(dump)")
            #expect(dump.errors.contains("\"kelvin\" must be one of celsius, fahrenheit"), "\(dump.errors)")
            let load = try await folder.prefs("load", "-", input: #"{"weather:unit": "celsius"}"#)
            #expect(load.status == 0 && load.errors.hasSuffix("1 key set\n"), "\(load)")
            #expect(try folder.read("weather.json") == #"{"weather:unit": "celsius", "weather:temperature": 1}"#)
        }
    }

    @Test("Keys that share an environment variable are not dumped as variables, of which one would be lost")
    func sharedVariable() async throws {
        try await withFolder { folder in
            let keys = #""keys": { "b": { "type": "Int", "default": 0 } }"#
            let schema = """
                { "formatVersion": 1, "keys": { "a_b": { "type": "Int", "default": 0 } }, "namespaces": { "a": { \(keys) } } }
                """
            try folder.write(schema, to: "C.preferences.json")
            try folder.write(#"{"a_b": 1, "a:b": 2}"#, to: "c.json")
            let run = try await folder.run("dump", "--format", "env", "--schema", "C.preferences.json", "-s", "c.json")
            #expect(run.status == 1 && run.output == "")
            #expect(run.errors == "prefs: error: 'a:b' and 'a_b' have the same environment variable, A_B\n")
        }
    }

    @Test("The message about a line that is not a variable does not contain the value")
    func valueInMessage() async throws {
        try await Folder.withSchema { folder in
            let run = try await folder.prefs("load", "--format", "env", "-", input: "WEATHER-TOKEN=abc\n")
            #expect(run.status == 1)
            #expect(run.errors == "prefs: error: line 1 is not a variable; write NAME=VALUE\n")
        }
    }

    @Test("The output of 'list --json' without a secret's value does not replace the secret")
    func hiddenSecret() async throws {
        try await Folder.withSchema { folder in
            let secrets = ["--secrets", "secrets.json"]
            _ = try await folder.prefs("set", secrets[0], secrets[1], "weather.token", "-", input: "abc\n")
            let list = try await folder.prefs("list", secrets[0], secrets[1], "--json", "--set")
            let load = try await folder.prefs("load", secrets[0], secrets[1], "-", input: list.output)
            #expect(load.status == 0)
            #expect(
                load.errors == """
                    1 secret left out; the file has '•••' instead
                    Nothing to change

                    """
            )
            #expect(try folder.read("secrets.json").contains("abc"))
        }
    }

    @Test("'load --replace' resets what the file does not have, and '--dry-run' changes nothing")
    func replace() async throws {
        try await Folder.withSchema { folder in
            let old = #"{"weather:unit": "fahrenheit", "weather:temperature": 1.0}"#
            try folder.write(old, to: "weather.json")
            let new = #"{"weather:temperature": 2}"#
            let dry = try await folder.prefs("load", "--replace", "--dry-run", "-", input: new)
            #expect(dry.status == 0 && dry.errors == "1 key set, 1 key reset, if it were not a dry run\n")
            #expect(try folder.read("weather.json") == old)
            let run = try await folder.prefs("load", "--replace", "-", input: new)
            #expect(run.status == 0 && run.errors == "1 key set, 1 key reset\n")
            #expect(try folder.read("weather.json") == #"{"weather:temperature": 2.0}"#)
        }
    }

    /// Runs `prefs edit` with a shell script as the editor, whose `$1` is the file.
    private func edit(_ folder: Folder, _ script: String, store: String = "weather.json") async throws -> Prefs {
        try folder.write(script, to: "editor.sh")
        let command = "prefs edit --schema Weather.preferences.json -s \(store)"
        return try await folder.run(shell: "VISUAL= EDITOR='sh editor.sh' \(command) </dev/null")
    }

    @Test("'edit' shows the values as JSON with comments, and applies what was changed and removed")
    func edit() async throws {
        try await Folder.withSchema { folder in
            try folder.write(#"{"weather:unit": "fahrenheit", "weather:temperature": 1}"#, to: "weather.json")
            let run = try await edit(
                folder,
                """
                cp "$1" shown.jsonc
                sed -i 's|"weather.temperature": 1.0|"weather.temperature": 2|; /"weather.unit"/d' "$1"
                sed -i 's|// "weather.started": .*|"weather.started": "2026-11-28T08:00:00Z",|' "$1"
                """
            )
            #expect(run.status == 0, "\(run)")
            #expect(run.errors == "2 keys set, 1 key reset\n")
            #expect(
                try folder.read("weather.json")
                    == #"{"weather:temperature": 2.0, "weather:started": {"$date": "2026-11-28T08:00:00Z"}}"#
            )
            let shown = try folder.read("shown.jsonc")
            #expect(
                shown.contains(
                    """
                      // Temperature
                      // The last one that was measured.
                      // Double, °C; -90.0 to 60.0
                      "weather.temperature": 1.0,

                      // TemperatureUnit; celsius, fahrenheit
                      "weather.unit": "fahrenheit",

                      // [String]
                      // "weather.stations": ["Nairobi"],
                    """
                ),
                "\(shown)"
            )
            #expect(!shown.contains("token"))
        }
    }

    @Test("An edit that does not fit changes nothing, and leaves the text in its file")
    func faultyEdit() async throws {
        try await Folder.withSchema { folder in
            let old = #"{"weather:unit": "fahrenheit"}"#
            try folder.write(old, to: "weather.json")
            let run = try await edit(folder, #"sed -i 's|fahrenheit",|kelvin", "weather.hom": 1,|' "$1""#)
            #expect(run.status == 1)
            let path = folder.path("weather.json")
            #expect(run.errorLines.count == 3)
            #expect(
                Set(run.errorLines.dropLast()) == [
                    "prefs: error: \(path): 'weather.hom': no key has this name; did you mean 'weather.home'?",
                    #"prefs: error: \#(path): 'weather:unit': "kelvin" must be one of celsius, fahrenheit"#,
                ]
            )
            let file = try #require(run.errorLines.last?.wholeMatch(of: /Nothing was changed\. The text is in (.*)/)?.1)
            #expect(try String(contentsOfFile: String(file), encoding: .utf8).contains("kelvin"))
            try FileManager.default.removeItem(at: URL(filePath: String(file)).deletingLastPathComponent())
            #expect(try folder.read("weather.json") == old)
        }
    }

    @Test("An edit that the store refuses exits with 3, and one that is not UTF-8 with 1")
    func refusedEdit() async throws {
        try await Folder.withSchema { folder in
            func edited(_ text: String, store: String) async throws -> Prefs {
                let run = try await edit(folder, #"printf '\#(text)' > "$1""#, store: store)
                let file = try #require(run.errors.firstMatch(of: /The text is in (.*)/)?.1)
                try FileManager.default.removeItem(at: URL(filePath: String(file)).deletingLastPathComponent())
                return run
            }
            let readOnly = try await edited(#"{"weather.unit": "fahrenheit"}"#, store: "env:EDIT_TEST_")
            #expect(readOnly.status == 3 && readOnly.errors.contains("it is read-only"), "\(readOnly)")
            let latin1 = try await edited(#"{"weather.stations": ["Z\374rich"]}"#, store: "weather.json")
            #expect(latin1.status == 1 && latin1.errors.contains("has not saved UTF-8"), "\(latin1)")
            #expect(!folder.exists("weather.json"))
        }
    }

    @Test("A misspelled field of a struct is a fault of an edit, and one that was stored before is kept")
    func unknownField() async throws {
        try await withFolder { folder in
            try folder.write(
                """
                {
                  "formatVersion": 1,
                  "types": { "Place": { "struct": { "name": { "type": "String" } } } },
                  "namespaces": { "weather": { "keys": { "home": { "type": "Place?" } } } }
                }
                """,
                to: "Weather.preferences.json"
            )
            let stored = #"{"weather:home": {"height": 3, "name": "Oslo"}}"#
            try folder.write(stored, to: "weather.json")
            let run = try await edit(folder, #"sed -i 's/"name"/"nam": 1, "name"/' "$1""#)
            #expect(run.status == 1, "\(run)")
            #expect(run.errors.contains("'weather:home': 'Place' has no field 'nam'; did you mean 'name'?\n"), "\(run)")
            #expect(try folder.read("weather.json") == stored)
            let kept = try await edit(folder, #"sed -i 's/Oslo/Bergen/' "$1""#)
            #expect(kept.status == 0, "\(kept)")
            #expect(try folder.read("weather.json").contains("height"))
            #expect(try folder.read("weather.json").contains("Bergen"))
        }
    }

    @Test("A closed pipe ends the programs that an editor runs")
    func pipeInEditor() async throws {
        try await Folder.withSchema { folder in
            let run = try await edit(folder, "(yes; echo $? > status) | head -n 1 >/dev/null")
            #expect(run.status == 0 && run.errors == "Nothing to change\n")
            #expect(try folder.read("status") == "141\n")
        }
    }

    @Test("An edit whose file is lost or replaced changes nothing, does not wait, and leaves no folder")
    func lostFile() async throws {
        try await Folder.withSchema { folder in
            try folder.write(#"{"weather.unit": "fahrenheit"}"#, to: "other.json")
            for (script, reason) in [
                (#"rm "$1""#, "No such file or directory"),
                (#"rm "$1"; mkfifo "$1""#, "it is not a regular file"),
                (#"ln -sf "$PWD/other.json" "$1""#, "it is a symbolic link"),
            ] {
                try folder.write(script, to: "editor.sh")
                let run = try await folder.run(
                    shell: """
                        mkdir -p tmp
                        export TMPDIR="$PWD/tmp" VISUAL= EDITOR='sh editor.sh'
                        prefs edit --schema Weather.preferences.json -s weather.json </dev/null
                        status=$?
                        ls tmp
                        exit $status
                        """
                )
                #expect(run.status == 3 && run.output == "", "\(run)")
                #expect(run.errors.hasPrefix("prefs: error: cannot read "), "\(run)")
                #expect(run.errors.hasSuffix("/preferences.jsonc: \(reason); nothing was changed\n"), "\(run)")
                #expect(!folder.exists("weather.json"))
            }
        }
    }

    @Test("A signal of the terminal is for the editor, and does not end an edit", arguments: [SIGHUP, SIGINT])
    func signalOfTerminal(signal: Int32) async throws {
        try await Folder.withSchema { folder in
            let script = """
                kill -\(signal) $(cat pid)
                echo '{"weather.unit": "fahrenheit"}' >"$1"
                """
            let run = try await editInFolder(folder, script)
            #expect(run.status == 0, "\(run)")
            #expect(try folder.read("weather.json").contains("fahrenheit"))
            #expect(try folder.names(in: "tmp") == [])
        }
    }

    @Test("What an editor leaves that fails, such as a swap file of vim, is kept, and its folder printed")
    func swapFile() async throws {
        try await Folder.withSchema { folder in
            let run = try await editInFolder(folder, #"touch "${1%/*}/.preferences.jsonc.swp"; exit 1"#)
            #expect(run.status == 3, "\(run)")
            let path = try #require(run.errors.firstMatch(of: /The text is in (.*)\/preferences.jsonc\n/)?.1)
            let names = try FileManager.default.contentsOfDirectory(atPath: String(path)).sorted()
            #expect(names == [".preferences.jsonc.swp", "preferences.jsonc"])
            #expect(!folder.exists("weather.json"))
        }
    }

    /// Runs `prefs edit` with the folder `tmp` for temporary files and an editor that is a script, which finds the number
    /// of prefs' process in a file.
    private func editInFolder(_ folder: Folder, _ script: String) async throws -> Prefs {
        try folder.write(script, to: "editor.sh")
        return try await folder.run(
            shell: """
                mkdir tmp
                export TMPDIR="$PWD/tmp" VISUAL= EDITOR='sh editor.sh'
                (echo $BASHPID >pid; exec prefs edit --schema Weather.preferences.json -s weather.json </dev/null)
                """
        )
    }

    @Test("Only the user can read the file to edit, under any umask", arguments: ["000", "777"])
    func mode(umask: String) async throws {
        try await Folder.withSchema { folder in
            let command = "prefs edit --schema Weather.preferences.json -s weather.json"
            let run = try await folder.run(shell: "umask \(umask); VISUAL= EDITOR='ls -l' \(command) </dev/null")
            #expect(run.status == 0 && run.output.hasPrefix("-rw------- "), "\(run)")
        }
    }

    @Test("'edit' reports a TMPDIR that does not exist")
    func missingTemporaryFolder() async throws {
        try await Folder.withSchema { folder in
            let command = "prefs edit --schema Weather.preferences.json -s weather.json"
            let run = try await folder.run(shell: "TMPDIR=/missing EDITOR=false \(command) </dev/null")
            #expect(run.status == 3)
            #expect(run.errors.hasPrefix("prefs: error: cannot create the temporary folder /missing/prefs-"), "\(run)")
            #expect(run.errors.hasSuffix(": No such file or directory; set TMPDIR to a folder\n"), "\(run)")
        }
    }

    @Test("'edit' shows a value that cannot be used as a comment, and keeps it unless it is edited")
    func unusableValue() async throws {
        try await Folder.withSchema { folder in
            let old = #"{"weather:unit": "kelvin"}"#
            try folder.write(old, to: "weather.json")
            let run = try await edit(folder, #"cp "$1" shown.jsonc"#)
            #expect(run.status == 0 && run.errors.hasSuffix("Nothing to change\n"), "\(run)")
            #expect(try folder.read("weather.json") == old)
            let shown = try folder.read("shown.jsonc")
            let comment = #"""
                  // The stored value cannot be used: "kelvin" must be one of celsius, fahrenheit; using its default
                  // "weather.unit": "celsius",
                """#
            #expect(shown.contains(comment), "\(shown)")
        }
    }

    @Test("'load' and 'edit' of thousands of keys know all of them")
    func thousands() async throws {
        try await withFolder { folder in
            let names = (0..<2000).map { "key\($0)" }
            let keys = names.map { #""\#($0)": { "type": "Int", "default": 0 }"# }.joined(separator: ", ")
            try folder.write(#"{ "formatVersion": 1, "keys": { \#(keys) } }"#, to: "C.preferences.json")
            let values = names.map { #""\#($0)": 1"# }.joined(separator: ", ")
            try folder.write("{\(values)}", to: "values.json")
            let location = "--schema C.preferences.json -s c.json"
            let load = try await folder.run(shell: "prefs load \(location) values.json")
            #expect(load.status == 0 && load.errors == "2000 keys set\n")
            let editor = #"sed -i '"'"'s/"key7": 1/"key7": 2/; /"key8"/d'"'"'"#
            let edit = try await folder.run(shell: "VISUAL= EDITOR='\(editor)' prefs edit \(location) </dev/null")
            #expect(edit.status == 0 && edit.errors == "1 key set, 1 key reset\n", "\(edit)")
        }
    }

    @Test("An editor that fails changes nothing")
    func failedEditor() async throws {
        try await Folder.withSchema { folder in
            let run = try await edit(folder, "exit 4")
            #expect(run.status == 3)
            let message = "prefs: error: the editor 'sh editor.sh' ended with status 4; nothing was changed"
            #expect(run.errors.hasPrefix(message), "\(run.errors)")
            #expect(!folder.exists("weather.json"))
        }
    }
}
