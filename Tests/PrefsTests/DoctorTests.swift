import Foundation
import TestSupport
import Testing

@Suite("prefs doctor")
struct DoctorTests {
    @Test("A healthy store of each kind has no problems, and no store is created")
    func healthy() async throws {
        try await withStores { folder in
            let names = try folder.names()
            let script = """
                export XDG_CONFIG_HOME=$PWD/config DOCTOR_DAYS=4
                prefs doctor -s a.json -s sqlite:a.sqlite -s defaults:weather.test -s env:DOCTOR_ -s gsettings:keyfile \
                  -s kconfig:weatherrc -s new/b.json -s sqlite:new/b.sqlite
                """
            let found = try await folder.doctor(shell: script)
            let version = try #require(found.lines.count > 1 ? found.lines[1].firstMatch(of: /SQLite [\d.]+/)?.0 : nil)
            #expect(
                found.lines == [
                    "DIR/a.json: no problems",
                    "DIR/a.sqlite: no problems (\(version))",
                    "user defaults 'weather.test': no problems (DIR/config/weather.test.plist)",
                    "environment 'DOCTOR_': no problems (1 variable)",
                    "DIR/keyfile: no problems (it does not exist yet)",
                    "DIR/weatherrc: no problems (it does not exist yet)",
                    "DIR/new/b.json: no problems (it does not exist yet)",
                    "DIR/new/b.sqlite: no problems (it does not exist yet, \(version))",
                    "8 stores: no problems",
                ]
            )
            #expect(found.status == 0)
            #expect(found.errors == "")
            // SQLite creates its empty log whenever a database is read.
            #expect(try folder.names() == (names + ["a.sqlite-shm", "a.sqlite-wal"]).sorted())
            #expect(try folder.size(of: "a.sqlite-wal") == 0)
        }
    }

    @Test("Damaged contents are reported with their position, and left as they are")
    func damaged() async throws {
        try await withFolder { folder in
            try folder.write("{\n  \"a\" 1\n}", to: "a.json")
            try folder.write("", to: "b c.json")
            try folder.write("garbage", to: "d.sqlite")
            try folder.write(#"{"when": {"$date": "noon"}}"#, to: "e.json")
            let found = try await folder.doctor(
                "-s",
                "a.json",
                "-s",
                "b c.json",
                "-s",
                "sqlite:d.sqlite",
                "-s",
                "e.json"
            )
            #expect(
                found.lines == [
                    "DIR/a.json: problem: line 2, column 7: expected ':', found other text; repair it in an editor, or begin "
                        + "anew by 'mv DIR/a.json DIR/a.json.broken'",
                    "DIR/b c.json: problem: line 1, column 1: the file is empty; expected a JSON object; repair it in an "
                        + "editor, or begin anew by 'mv 'DIR/b c.json' 'DIR/b c.json.broken''",
                    "DIR/d.sqlite: problem: the database is damaged: file is not a database; it is left unchanged until the "
                        + "next write, which sets it aside; recover more of it by 'sqlite3 DIR/d.sqlite .recover'",
                    "DIR/e.json: problem: the value of 'when' cannot be read: line 1: a string is not valid content for "
                        + "\"$date\"; set another value, or reset it",
                    "4 stores: 4 problems",
                ]
            )
            #expect(found.status == 1)
            #expect(try folder.names() == ["a.json", "b c.json", "d.sqlite", "e.json"])
        }
    }

    @Test("The files of an app are examined, and a site file need not be writable")
    func app() async throws {
        try await withFolder { folder in
            try folder.write("{}", to: "site/weather/preferences.json")
            try folder.write("{", to: "config/weather/preferences.json")
            try folder.setMode(0o555, of: "site/weather")
            let script = """
                export XDG_CONFIG_HOME=$PWD/config XDG_CONFIG_DIRS=$PWD/site
                unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR
                prefs doctor --app weather
                """
            let found = try await folder.doctor(shell: script)
            try folder.setMode(0o755, of: "site/weather")
            let file = "DIR/config/weather/preferences.json"
            #expect(
                found.lines == [
                    "managed settings in /etc/xdg/weather: no problems (the folder does not exist)",
                    "\(file): problem: line 1, column 2: the file ends too early; expected a name in double quotes; repair it in "
                        + "an editor, or begin anew by 'mv \(file) \(file).broken'",
                    "DIR/site/weather/preferences.json: no problems",
                    "keyring 'weather': remark: \(noSessionBus); or specify the store of secrets with '--secrets STORE'",
                    "4 stores: 1 problem, 1 remark",
                ]
            )
        }
    }

    @Test("A server is asked for its document")
    func server() async throws {
        try await withFolder { folder in
            try await PreferenceServer.run { server in
                try server.serve(.init(#"{"weather": {"unit": "kelvin"}}"#))
                let found = try await folder.doctor("-s", server.url().absoluteString)
                let pattern = try Regex(
                    "http://127\\.0\\.0\\.1:\\d+/preferences: no problems \\(status 200, 31 bytes in \\d+ ms\\)"
                )
                #expect(found.lines.count == 2)
                #expect(found.lines.first?.wholeMatch(of: pattern) != nil)
                #expect(found.lines.last == "1 store: no problems")

                let missing = try await folder.doctor("-s", server.url("/other").absoluteString)
                #expect(
                    missing.lines == [
                        "\(server.url("/other")): problem: the server answered with status 404; there are no earlier values, so "
                            + "keys read as their defaults; check the URL and the server",
                        "1 store: 1 problem",
                    ]
                )
                #expect(missing.status == 1)
            }
        }
    }

    @Test("With a schema, values that do not fit, unknown names and unknown variables are reported")
    func schema() async throws {
        try await withStores { folder in
            try folder.write(#"{"weather:unit": 5, "weather:dayz": 1}"#, to: "b.json")
            let script = """
                export DOCTOR_WEATHER_DAYZ=1 DOCTOR_WEATHER_DAYS=0
                prefs doctor --schema Weather.preferences.json -s b.json -s env:DOCTOR_
                """
            let found = try await folder.doctor(shell: script)
            #expect(
                found.lines == [
                    "DIR/b.json: problem: 'weather:unit': expected String, found the integer 5; using its default; set another "
                        + "value, or reset it",
                    "DIR/b.json: problem: 'weather:dayz': the schema has no such key; did you mean 'weather:days'?",
                    "environment 'DOCTOR_': problem: no key reads the variable DOCTOR_WEATHER_DAYZ; did you mean "
                        + "DOCTOR_WEATHER_DAYS?",
                    "2 stores: 3 problems",
                ]
            )
            #expect(found.status == 1)
        }
    }

    @Test("Names in a store cannot control the terminal or add lines")
    func controls() async throws {
        try await withStores { folder in
            try folder.write(#"{"\u001b]0;title\u0007\nb.json: no problems": 1}"#, to: "b.json")
            let found = try await folder.doctor(shell: "prefs doctor --schema Weather.preferences.json -s b.json")
            #expect(
                found.lines == [
                    #"DIR/b.json: problem: '\u001b]0;title\u0007\nb.json: no problems': "#
                        + "the schema has no such key; remove it, or correct it",
                    "1 store: 1 problem",
                ]
            )
        }
    }

    @Test("A schema that is missing or has errors is a problem of its own, and the stores are examined")
    func faultySchema() async throws {
        try await withFolder { folder in
            try folder.write("{}", to: "a.json")
            try folder.write("{", to: "Bad.preferences.json")
            let missing = try await folder.doctor("-s", "a.json", "--schema", "None.preferences.json")
            #expect(
                missing.lines == [
                    "DIR/a.json: no problems",
                    "schema: problem: cannot read None.preferences.json: No such file or directory; repair it; the values were "
                        + "not checked",
                    "1 store: 1 problem",
                ]
            )
            let bad = try await folder.doctor("-s", "a.json", "--schema", "Bad.preferences.json")
            #expect(
                bad.lines == [
                    "DIR/a.json: no problems",
                    "schema: problem: the schema has 1 error; repair it; the values were not checked",
                    "1 store: 1 problem",
                ]
            )
            #expect(bad.errors.contains("Bad.preferences.json:1"))
            #expect(bad.status == 1)
        }
    }

    @Test("The values of a keyfile are checked as by 'check', also beside another store")
    func gSettings() async throws {
        try await withFolder { folder in
            try folder.write(
                """
                <schemalist>
                  <schema id="org.example.a" path="/org/example/a/">
                    <key name="size" type="i"><default>5</default><range min="1" max="9"/></key>
                  </schema>
                  <schema id="org.example.b"><key name="n" type="i"><default>5</default></key></schema>
                </schemalist>

                """,
                to: "a.gschema.xml"
            )
            try folder.write("[org/example/a]\nsize=77\nfoo=1\n", to: "keyfile")
            try folder.write("{}", to: "a.json")
            for stores in [["-s", "gsettings:keyfile"], ["-s", "gsettings:keyfile", "-s", "a.json"]] {
                let options = ["--json", "--schema", "a.gschema.xml"] + stores
                let checked = try await Prefs(["check"] + options, in: folder.url)
                let examined = try await Prefs(["doctor"] + options, in: folder.url)
                #expect(checked.status == 1 && examined.status == 1)
                let names = checked.output.matches(of: /"storageName": "(.*)"/).map { String($0.1) }
                #expect(names.count == stores.count / 2 + 1)
                for name in names { #expect(examined.output.contains("'\(name)'"), "\(examined)") }
                #expect(examined.output.ranges(of: "\"problem\"").count == names.count, "\(examined)")
            }
        }
    }

    @Test("'--json' has the findings of each store")
    func json() async throws {
        try await withFolder { folder in
            try folder.write("{}", to: "a.json")
            try folder.setMode(0o602, of: "a.json")
            let found = try await folder.doctor("--json", "-s", "a.json", "-s", "b.json")
            #expect(
                found.lines.joined(separator: "\n") == """
                    [
                      {
                        "details": [],
                        "findings": [
                          {
                            "advice": "run 'chmod o-w DIR/a.json'",
                            "fixable": true,
                            "level": "problem",
                            "message": "any user can change it: its permissions are 0602",
                            "place": "DIR/a.json"
                          }
                        ],
                        "store": "DIR/a.json"
                      },
                      {
                        "details": [
                          "it does not exist yet"
                        ],
                        "findings": [],
                        "store": "DIR/b.json"
                      }
                    ]
                    """
            )
            #expect(found.status == 1)
        }
    }

    @Test("In '--json', what a message says is apart from the advice")
    func jsonAdvice() async throws {
        let found = try await diagnosis(["a.json": ""], "--json", "-s", "a.json")
        let message = "line 1, column 1: the file is empty; expected a JSON object"
        #expect(found.lines.contains { $0.hasSuffix("\"message\": \"\(message)\",") }, "\(found)")
        let advice = "repair it in an editor, or begin anew by 'mv DIR/a.json DIR/a.json.broken'"
        #expect(found.lines.contains { $0.hasSuffix("\"advice\": \"\(advice)\",") }, "\(found)")
    }

    @Test("Arguments, and a command line without stores, are refused")
    func usage() async throws {
        try await withFolder { folder in
            let argument = try await folder.doctor("a.json")
            #expect(
                argument.errors
                    == "prefs: error: 'doctor' examines stores; name them with '--store STORE'\n"
                    + "Run 'prefs doctor --help' for usage.\n"
            )
            let none = try await folder.doctor()
            #expect(
                none.errors
                    == "prefs: error: no store given; specify '--app NAME' for an app's files, or '--store STORE'\n"
                    + "Run 'prefs doctor --help' for usage.\n"
            )
            #expect(argument.status == 2 && none.status == 2)
        }
    }
}
