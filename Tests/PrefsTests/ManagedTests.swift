import Foundation
import TestSupport
import Testing

/// A folder with a schema, and with the policy of an app in the folder that programs read, which only root can write.
private struct PolicyFolder {
    let folder: Folder
    /// The name of the app, which no other test has.
    let app: String

    var path: String { "/etc/xdg/\(app)" }
    var managed: String { "\(path)/managed.json" }
    var own: String { folder.path("config/\(app)/preferences.json") }

    static let schema = """
        {
          "formatVersion": 1,
          "namespaces": {
            "weather": {
              "managed": true,
              "keys": {
                "temperature": { "type": "Double", "default": 21.5, "minimum": -90, "maximum": 60 },
                "unit": { "type": "String", "default": "celsius", "choices": ["celsius", "fahrenheit"] },
                "home": { "type": "String?", "renamedFrom": "home" },
                "stations": { "type": "[String]", "default": ["Nairobi"], "managed": false },
                "token": { "type": "String?", "secret": true }
              }
            }
          }
        }

        """

    static func with(_ files: [String: String], _ body: (PolicyFolder) async throws -> Void) async throws {
        try await withFolder { folder in
            let policy = PolicyFolder(folder: folder, app: "prefs-test-\(UUID())")
            defer { try? FileManager.default.removeItem(atPath: policy.path) }
            try folder.write(schema, to: "Weather.preferences.json")
            try policy.write(files)
            try await body(policy)
        }
    }

    func write(_ files: [String: String]) throws {
        for (name, text) in files {
            let file = "\(path)/\(name)"
            let outer = URL(filePath: file).deletingLastPathComponent().path
            try FileManager.default.createDirectory(
                atPath: outer,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755]
            )
            try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        }
    }

    /// The variables of the programs of the test, one of which tries to evade the policy. The user's keyring is not used.
    private var environment: String {
        "export XDG_CONFIG_HOME=$PWD/config XDG_CONFIG_DIRS=$PWD/site; unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR"
    }

    func prefs(_ command: String, _ arguments: String..., input: String = "") async throws -> Prefs {
        let words = [command, "--app", app, "--schema", "Weather.preferences.json"] + arguments
        try folder.write(input, to: "input")
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        return try await folder.run(shell: "\(environment)\nprefs \(line) < input")
    }

    func run(_ script: String) async throws -> Prefs {
        try await folder.run(shell: "\(environment)\ns='--app \(app) --schema Weather.preferences.json'\n\(script)")
    }

    /// Returns a text with `POLICY` and `OWN` for the folder of the policy and the user's file.
    func shown(_ text: String) -> String {
        text.replacing(path, with: "POLICY").replacing(own, with: "OWN").replacing(
            folder.path("site/\(app)"),
            with: "SITE"
        )
    }
}

#if os(Linux)
    /// In `/etc/xdg`, since a policy's folder is never one that a user can choose.
    @Suite(
        "The policy of an app in prefs",
        .enabled(if: getuid() == 0, "only the superuser can write a policy"),
        .enabled(if: FileManager.default.isWritableFile(atPath: "/etc"), "the policy is in /etc/xdg")
    )
    struct PolicyTests {
        private static let fahrenheit = ["managed.json": #"{"weather:unit": "fahrenheit"}"#]

        @Test("All commands show the value that an administrator has fixed, and 'describe' and 'explain' show by what")
        func reading() async throws {
            try await PolicyFolder.with(Self.fahrenheit) { policy in
                try policy.folder.write(#"{"weather:unit": "celsius"}"#, to: "config/\(policy.app)/preferences.json")
                let get = try await policy.prefs("get", "weather.unit")
                #expect(get.status == 0 && get.output == "fahrenheit\n" && get.errors == "", "\(get)")

                let list = try await policy.prefs("list", "weather.unit", "weather.temperature")
                #expect(list.output == "weather.unit fahrenheit\nweather.temperature 21.5\n")
                #expect(list.errors == "1 key fixed by an administrator; 'prefs explain' says how\n")
                let fixed = try await policy.prefs("list", "--fixed")
                #expect(fixed.output == "weather.unit fahrenheit\n" && fixed.errors == "", "\(fixed)")
                let names = try await policy.prefs("list", "--fixed", "--names")
                #expect(names.output == "weather.unit\n" && names.errors == "", "\(names)")

                let described = try await policy.prefs("describe", "weather.unit", "weather.temperature")
                #expect(
                    policy.shown(described.output) == """
                        weather.unit
                          type       String
                          default    celsius
                          values     celsius, fahrenheit
                          stored as  weather:unit
                          managed    fixed at fahrenheit by POLICY/managed.json

                        weather.temperature
                          type       Double
                          default    21.5
                          values     -90.0 to 60.0
                          stored as  weather:temperature
                          managed    an administrator can fix it

                        """
                )
                let json = try await policy.prefs("describe", "--json", "weather.unit")
                #expect(policy.shown(json.output).contains(#""managedBy": "POLICY/managed.json","#), "\(json)")
                #expect(json.output.contains(#""value": "fahrenheit""#))
                let free = try await policy.prefs("describe", "--json", "weather.temperature")
                #expect(free.output.contains(#""managed": true"#) && !free.output.contains("managedBy"), "\(free)")

                let explained = try await policy.prefs("explain", "weather.unit")
                #expect(
                    policy.shown(explained.output) == """
                        weather
                            unit = "fahrenheit"      fixed by POLICY/managed.json
                                shadows "celsius"    OWN

                        """
                )
                let explainedJSON = try await policy.prefs("explain", "--json", "weather.unit", "weather.temperature")
                let managedBy = explainedJSON.output.split(separator: "\n").filter { $0.contains("managedBy") }
                #expect(
                    managedBy.map { policy.shown(String($0)) } == [
                        #"    "managedBy": "POLICY/managed.json","#, #"    "managedBy": null,"#,
                    ]
                )

                let dump = try await policy.prefs("dump", "weather.unit")
                #expect(dump.output == "{\n  \"weather:unit\": \"fahrenheit\"\n}\n")
                #expect(dump.errors == "1 key fixed by an administrator; 'prefs explain' says how\n")
            }
        }

        @Test("A lock list fixes a key at its value in the site file, or at its default")
        func locks() async throws {
            let files = [
                "preferences.json": #"{"weather:unit": "fahrenheit"}"#, "locks/10-unit": "weather:unit\nweather:home\n",
            ]
            try await PolicyFolder.with(files) { policy in
                try policy.folder.write(#"{"weather:home": "Oslo"}"#, to: "config/\(policy.app)/preferences.json")
                let explained = try await policy.prefs("explain", "weather.unit", "weather.home")
                #expect(
                    policy.shown(explained.output) == """
                        weather
                            unit = "fahrenheit"    POLICY/preferences.json, fixed by POLICY/locks/10-unit
                            home = null            default, fixed by POLICY/locks/10-unit
                                shadows "Oslo"     OWN

                        """,
                    "\(explained)"
                )
                #expect(try await policy.prefs("list", "--set", "weather.home").output == "")
            }
        }

        @Test(
            "A fixed key is refused as by the library, with the status of other refused values, and nothing is changed"
        )
        func writing() async throws {
            try await PolicyFolder.with(Self.fahrenheit) { policy in
                let stored = #"{"weather:unit": "celsius", "weather:temperature": 5}"#
                try policy.folder.write(stored, to: "config/\(policy.app)/preferences.json")
                let message = "POLICY/managed.json: 'weather:unit': it is fixed by POLICY/managed.json; it was not"
                func expectRefusal(_ run: Prefs, _ participle: String, line: Int = #line) throws {
                    #expect(run.status == 1 && run.output == "", "\(line) \(run)")
                    let error = "prefs: error: \(message) \(participle)"
                    #expect(policy.shown(run.errors).contains(error), "\(line) \(run)")
                    #expect(try String(contentsOfFile: policy.own, encoding: .utf8) == stored, "\(line)")
                }
                try expectRefusal(await policy.prefs("set", "weather.unit", "celsius"), "set\n")
                try expectRefusal(await policy.prefs("reset", "weather.unit"), "reset\n")
                try expectRefusal(await policy.prefs("reset", "weather.temperature", "weather.unit"), "reset\n")
                let values = #"{"weather:temperature": 6, "weather:unit": "celsius"}"#
                try expectRefusal(await policy.prefs("load", "-", input: values), "set\n")
                try policy.folder.write(
                    #"sed -i 's|// "weather.unit": "fahrenheit"|"weather.unit": "celsius"|' "$1""#,
                    to: "editor.sh"
                )
                let edit = try await policy.run(
                    "export TMPDIR=$PWD VISUAL= EDITOR='sh editor.sh'; prefs edit $s </dev/null"
                )
                try expectRefusal(edit, "set\n")
            }
        }

        @Test("'edit' shows a fixed key as a comment, and other keys can be changed")
        func edit() async throws {
            try await PolicyFolder.with(Self.fahrenheit) { policy in
                let script = #"""
                    cp "$1" shown.jsonc
                    sed -i 's|// "weather.temperature": 21.5|"weather.temperature": 5|' "$1"
                    """#
                try policy.folder.write(script, to: "editor.sh")
                let run = try await policy.run("VISUAL= EDITOR='sh editor.sh' prefs edit $s </dev/null")
                #expect(run.status == 0 && run.errors == "1 key set\n", "\(run)")
                #expect(
                    policy.shown(try policy.folder.read("shown.jsonc")).contains(
                        """
                          // String; celsius, fahrenheit
                          // It is fixed by POLICY/managed.json, and cannot be changed.
                          // "weather.unit": "fahrenheit",
                        """
                    ),
                    "\(run)"
                )
            }
        }

        @Test("What 'dump' writes can be loaded, and 'load --replace' leaves fixed keys as they are")
        func roundTrip() async throws {
            try await PolicyFolder.with(Self.fahrenheit) { policy in
                let stored = #"{"weather:unit": "celsius", "weather:temperature": 5}"#
                try policy.folder.write(stored, to: "config/\(policy.app)/preferences.json")
                let dump = try await policy.prefs("dump")
                let load = try await policy.prefs("load", "-", input: dump.output)
                #expect(load.status == 0 && load.errors == "Nothing to change\n", "\(load)")
                let replace = try await policy.prefs("load", "--replace", "-", input: "{}")
                #expect(replace.status == 0 && replace.errors == "1 key reset\n", "\(replace)")
                let own = try String(contentsOfFile: policy.own, encoding: .utf8)
                #expect(own == #"{"weather:unit": "celsius"}"#)
            }
        }

        @Test("'reset' of a namespace or of all keys leaves fixed keys as they are", arguments: ["weather", "--all"])
        func resetMany(argument: String) async throws {
            try await PolicyFolder.with(Self.fahrenheit) { policy in
                let stored = #"{"weather:unit": "celsius", "weather:temperature": 5}"#
                try policy.folder.write(stored, to: "config/\(policy.app)/preferences.json")
                let reset = try await policy.prefs("reset", argument)
                #expect(reset.status == 0 && reset.output == "", "\(reset)")
                let remark = "1 key fixed by an administrator; 'prefs explain' says how\n"
                #expect(reset.errors.contains(remark), "\(reset)")
                let own = try String(contentsOfFile: policy.own, encoding: .utf8)
                #expect(own == #"{"weather:unit": "celsius"}"#)
                let both = try await policy.prefs("reset", "weather", "weather.unit")
                #expect(both.status == 1 && both.errors.contains("it was not reset"), "\(both)")
            }
        }

        @Test("A key that is not managed is not fixed, and can be set")
        func unmanagedKey() async throws {
            try await PolicyFolder.with(["managed.json": #"{"weather:stations": ["Oslo"]}"#]) { policy in
                let initial = try await policy.prefs("get", "weather.stations")
                #expect(initial.output == "[\"Nairobi\"]\n")
                let set = try await policy.prefs("set", "weather.stations", "Kyiv")
                #expect(set.status == 0 && set.errors == "", "\(set)")
                let explained = try await policy.prefs("explain", "weather.stations")
                #expect(
                    policy.shown(explained.output) == "weather\n    stations = [\"Kyiv\"]    OWN\n",
                    "\(explained)"
                )
            }
        }

        @Test("'watch' prints the changes of a policy")
        func watch() async throws {
            try await PolicyFolder.with(Self.fahrenheit) { policy in
                let child = try ChildProcess(
                    BuiltWithTests.executable("prefs").path,
                    [
                        "watch", "--app", policy.app, "--schema", "Weather.preferences.json", "--initial",
                        "weather.unit",
                    ],
                    in: policy.folder.url,
                    output: .pipe
                )
                defer { child.send(SIGTERM) }
                func nextLine() async throws -> String? { try await onOwnThread { try child.output.readLine() } }
                #expect(try await nextLine() == "weather.unit: fahrenheit")
                try policy.write(["managed.json": "{}"])
                #expect(try await nextLine() == "weather.unit: celsius")
                try policy.write(Self.fahrenheit)
                #expect(try await nextLine() == "weather.unit: fahrenheit")
            }
        }

        @Test("'check' lists what is wrong in a policy: names, keys that are not managed, values and locks")
        func check() async throws {
            let files = [
                "managed.json":
                    #"{"weather:temperature": "warm", "weather:unti": 1, "weather:stations": [], "weather:unit": {"$date": "never"}}"#,
                "locks/10-site": "# ours\nweather:hom\nweather:stations\nwether:\nweather:un\n",
            ]
            try await PolicyFolder.with(files) { policy in
                let check = try await policy.prefs("check")
                #expect(check.status == 1)
                #expect(
                    policy.shown(check.output) == """
                        POLICY/managed.json: 'weather:temperature': expected Double, found the string "warm"; using its \
                        default
                        POLICY/managed.json: 'weather:unti': the schema has no such key; did you mean 'weather:unit'?
                        POLICY/managed.json: 'weather:unit': line 1: a string is not valid content for "$date"
                        POLICY/managed.json: 'weather:stations': its key is not "managed" in the schema, so that it has no \
                        effect; remove it
                        POLICY/locks/10-site: 'weather:hom': the schema has no such key; did you mean 'weather:home'?
                        POLICY/locks/10-site: 'weather:stations': its key is not "managed" in the schema, so that it has no \
                        effect; remove it
                        POLICY/locks/10-site: 'weather:un': the schema has no such key; did you mean 'weather:unit'?
                        POLICY/locks/10-site: 'wether:': the schema has no key with this prefix; did you mean 'weather:'?
                        5 keys: 8 problems; 1 secret not read

                        """
                )
                let json = try await policy.prefs("check", "--json")
                let codes = json.output.matches(of: /"code": "(\w+)"/).map { String($0.1) }
                #expect(
                    codes == [
                        "typeMismatch", "unrecognizedName", "unsupportedValue", "unmanageable", "unrecognizedName",
                        "unmanageable", "unrecognizedName", "unrecognizedName",
                    ]
                )
                let permitted = try await policy.prefs("check", "--allow-unknown")
                #expect(permitted.output.hasSuffix("5 keys: 4 problems; 1 secret not read\n"), "\(permitted)")
            }
        }

        @Test("'check' accepts a policy without faults")
        func intactPolicy() async throws {
            let files = [
                "managed.json": #"{"weather:unit": "fahrenheit"}"#, "preferences.json": #"{"weather:temperature": 5}"#,
                "locks/10-site": "weather:temperature\nhome\nweather:\n:\n",
            ]
            try await PolicyFolder.with(files) { policy in
                let check = try await policy.prefs("check")
                #expect(check.status == 0 && check.output == "5 keys: no problems; 1 secret not read\n", "\(check)")
                let doctor = try await policy.prefs("doctor")
                let report = "managed settings in POLICY: no problems (2 values, 4 locks)\n"
                #expect(policy.shown(doctor.output).hasPrefix(report), "\(doctor)")
                #expect(doctor.status == 0)
            }
        }

        @Test(
            "A policy that a user could have written has no effect, and 'check' and 'doctor' say why",
            arguments: [
                (
                    "chmod 666 $policy/managed.json", "managed.json",
                    "managed.json is writable by all users: run 'chmod go-w POLICY/managed.json', or use a folder that "
                        + "only root can change"
                ),
                (
                    "chown 65534 $policy/managed.json", "managed.json",
                    "managed.json is owned by user 65534, not by root: chown it to root"
                ),
                ("chmod 775 $policy", "managed.json", " is writable by its group: run 'chmod g-w POLICY'"),
                (
                    "mkdir $policy/locks; echo weather:home >$policy/locks/a; chmod 664 $policy/locks/a", "locks/a",
                    "locks/a is writable by its group: run 'chmod g-w POLICY/locks/a'"
                ),
            ]
        )
        func untrusted(preparation: String, file: String, fault: String) async throws {
            try await PolicyFolder.with(Self.fahrenheit) { policy in
                let prepared = try await policy.run("policy=\(policy.path)\n\(preparation)")
                #expect(prepared.status == 0, "\(prepared)")
                let place = fault.hasPrefix(" ") ? "POLICY\(fault)" : "POLICY/\(fault)"
                let line = "POLICY/\(file): it has no effect, because \(place)"
                let key = file == "managed.json" ? "weather.unit" : "weather.home"
                let get = try await policy.prefs("get", key)
                #expect(get.status == 0 && get.output == (key == "weather.unit" ? "celsius\n" : "null\n"), "\(get)")
                #expect(policy.shown(get.errors).contains(line), "\(get)")
                #expect(try await policy.prefs("set", key, "celsius").status == 0)
                let check = try await policy.prefs("check")
                #expect(check.status == 1 && policy.shown(check.output).hasPrefix("\(line)\n"), "\(check)")
                let doctor = try await policy.prefs("doctor")
                let finding = line.replacing(": it has", with: ": problem: it has")
                #expect(doctor.status == 1 && policy.shown(doctor.output).hasPrefix("\(finding)\n"), "\(doctor)")
            }
        }

        @Test(
            "Files of a policy without an effect are problems for 'check' and 'doctor', with what to do",
            arguments: [
                (
                    "chmod 600 $policy/managed.json",
                    "/managed.json: users cannot read it: its permissions are 0600; run 'chmod 644 POLICY/managed.json'"
                ),
                ("chmod 700 $policy", ": users cannot read it: its permissions are 0700; run 'chmod 755 POLICY'"),
                (
                    "mkdir -m 711 $policy/locks",
                    "/locks: users cannot read it: its permissions are 0711; run 'chmod 755 POLICY/locks'"
                ),
                (
                    "mkdir $policy/locks; echo weather:home >$policy/locks/a; chmod 640 $policy/locks/a",
                    "/locks/a: users cannot read it: its permissions are 0640; run 'chmod 644 POLICY/locks/a'"
                ),
                (
                    "ln -sf gone.json $policy/managed.json",
                    "/managed.json: it has no effect, because it is a link to gone.json, which does not exist; restore that "
                        + "file, or remove the link"
                ),
                (
                    "echo weather:home >$policy/locks",
                    "/locks: it has no effect, because it is a file, not a folder of lists; make it a folder, and move the "
                        + "list into it"
                ),
                (
                    "rm -r $policy; touch $policy",
                    ": it is a file, not a folder, and there is no policy; move it away"
                ),
            ]
        )
        func withoutEffect(preparation: String, fault: String) async throws {
            try await PolicyFolder.with(Self.fahrenheit) { policy in
                let prepared = try await policy.run("policy=\(policy.path)\n\(preparation)")
                #expect(prepared.status == 0, "\(prepared)")
                let check = try await policy.prefs("check")
                #expect(check.status == 1, "\(check)")
                #expect(
                    policy.shown(check.output) == "POLICY\(fault)\n5 keys: 1 problem; 1 secret not read\n",
                    "\(check)"
                )
                #expect(
                    check.errors == "1 secret not read; \(noSessionBus); or specify the store with '--secrets STORE'\n"
                )
                let doctor = try await policy.prefs("doctor")
                let place = fault.prefix { $0 != ":" }
                let finding = "POLICY\(place): problem\(fault.dropFirst(place.count))\n"
                #expect(doctor.status == 1 && policy.shown(doctor.output).hasPrefix(finding), "\(doctor)")
                #expect(doctor.output.split(separator: "\n").count { $0.contains(policy.path) } == 1, "\(doctor)")
            }
        }

        @Test("'doctor' remarks on misspelled files of a policy, and says if the folder does not exist")
        func misspelled() async throws {
            try await PolicyFolder.with(["manged.json": "{}", "weather.conf": "", "old.json": "{}"]) { policy in
                let doctor = try await policy.prefs("doctor")
                #expect(doctor.status == 0)
                #expect(
                    policy.shown(doctor.output).hasPrefix(
                        """
                        POLICY/manged.json: remark: no program reads it as a policy; did you mean 'managed.json'?
                        POLICY/old.json: remark: no program reads it as a policy; a policy is in 'managed.json'

                        """
                    ),
                    "\(doctor)"
                )
                #expect(!doctor.output.contains("weather.conf"))
                try FileManager.default.removeItem(atPath: policy.path)
                let missing = try await policy.prefs("doctor")
                let report = "managed settings in POLICY: no problems (the folder does not exist)\n"
                #expect(policy.shown(missing.output).hasPrefix(report), "\(missing)")
            }
        }

        @Test("'check' says what belongs in a policy instead: flat names, prefixes with a colon, and no secrets")
        func hints() async throws {
            let files = [
                "managed.json": #"{"weather:token": "abc", "weather": {"unit": "celsius"}, "weather:": 1}"#,
                "locks/10-site": "weather\nweather:tok\nweather:token\n",
            ]
            try await PolicyFolder.with(files) { policy in
                let check = try await policy.prefs("check")
                let lines = policy.shown(check.output).split(separator: "\n").map(String.init).sorted()
                #expect(
                    lines
                        == [
                            "5 keys: 6 problems; 1 secret not read",
                            "POLICY/locks/10-site: 'weather': the schema has no such key; did you mean 'weather:'?",
                            "POLICY/locks/10-site: 'weather:tok': the schema has no such key; did you mean 'weather:home'?",
                            "POLICY/locks/10-site: 'weather:token': its key is a secret, and secrets are never fixed, so that it "
                                + "has no effect; remove it",
                            "POLICY/managed.json: 'weather': the schema has no such key; here, names are flat, such as "
                                + "'weather:unit'; write them so",
                            "POLICY/managed.json: 'weather:': the schema has no such key; prefixes have an effect only in the "
                                + "lists of 'locks'",
                            "POLICY/managed.json: 'weather:token': its value is a secret in a policy, which all users can read, "
                                + "and secrets are never fixed; remove it",
                        ].sorted(),
                    "\(check)"
                )
            }
        }

        @Test("A value that a lock takes from a site file of the app does not shadow itself")
        func sourceThatIsAlsoALayer() async throws {
            let files = ["preferences.json": #"{"weather:unit": "fahrenheit"}"#, "locks/a": "weather:unit\n"]
            try await PolicyFolder.with(files) { policy in
                let explained = try await policy.run("XDG_CONFIG_DIRS=/etc/xdg prefs explain $s weather.unit")
                #expect(
                    policy.shown(explained.output) == """
                        weather
                            unit = "fahrenheit"    POLICY/preferences.json, fixed by POLICY/locks/a

                        """,
                    "\(explained)"
                )
            }
        }

        @Test("A damaged policy is reported with its line, and other keys can still be used")
        func damaged() async throws {
            try await PolicyFolder.with(["managed.json": "{\n  \"weather:unit\": fahrenheit\n}"]) { policy in
                let set = try await policy.prefs("set", "weather.temperature", "5")
                #expect(set.status == 0, "\(set)")
                let check = try await policy.prefs("check")
                #expect(check.status == 1)
                let lines = policy.shown(check.output).split(separator: "\n")
                #expect(lines.count == 2 && lines[0].hasPrefix("POLICY/managed.json: line 2, column 19: "), "\(check)")
                let doctor = try await policy.prefs("doctor")
                let finding = policy.shown(doctor.output).split(separator: "\n").first ?? ""
                #expect(
                    finding.hasPrefix("POLICY/managed.json: problem: line 2, column 19: ")
                        && finding.hasSuffix("; repair it"),
                    "\(doctor)"
                )
            }
        }

        @Test("Without a schema, 'doctor' cannot know which keys a policy fixes, and says so")
        func withoutSchema() async throws {
            let files = ["managed.json": #"{"a": 1, "b": 2}"#, "locks/a": "c\n"]
            try await PolicyFolder.with(files) { policy in
                let doctor = try await policy.run("cd /; prefs doctor --app \(policy.app)")
                #expect(doctor.status == 0)
                #expect(
                    policy.shown(doctor.output).hasPrefix(
                        "managed settings in POLICY: remark: has 2 values and 1 lock; without a schema, it is unknown on which "
                            + "keys they have an effect; specify '--schema FILE'\n"
                    ),
                    "\(doctor)"
                )
            }
        }

        @Test("'doctor' says that a value of a policy is to be corrected, and one of the user to be set")
        func advice() async throws {
            let managed = #"{"weather:unit": 5, "weather:home": {"$date": "never"}}"#
            try await PolicyFolder.with(["managed.json": managed]) { policy in
                try policy.folder.write(
                    #"{"weather:unit": 6, "weather:temperature": "cold"}"#,
                    to: "config/\(policy.app)/preferences.json"
                )
                let doctor = try await policy.prefs("doctor")
                let lines = policy.shown(doctor.output).split(separator: "\n").sorted().map(String.init)
                let expected = [
                    "4 stores: 4 problems, 1 remark",
                    #"OWN: problem: 'weather:temperature': expected Double, found the string "cold"; using its default; "#
                        + "set another value, or reset it",
                    "OWN: problem: 'weather:unit': expected String, found the integer 6; the value of another layer is "
                        + "used; set another value, or reset it",
                    #"POLICY/managed.json: problem: 'weather:home': line 1: a string is not valid content for "$date""#,
                    "POLICY/managed.json: problem: 'weather:unit': expected String, found the integer 5; using its "
                        + "default; correct it",
                    "SITE/preferences.json: no problems (it does not exist yet)",
                    "keyring '\(policy.app)': remark: \(noSessionBus); or specify the store of secrets with '--secrets STORE'",
                ]
                #expect(lines == expected)
            }
        }

        @Test("'--managed' and '--store' replace the policy of the app")
        func replaced() async throws {
            try await PolicyFolder.with(Self.fahrenheit) { policy in
                try policy.folder.write(#"{"weather:temperature": 5}"#, to: "new.json")
                let fixed = try await policy.prefs("list", "--managed", "new.json", "--fixed")
                #expect(fixed.output == "weather.temperature 5.0\n")
                let store = try await policy.prefs("set", "--store", "own.json", "weather.unit", "celsius")
                #expect(store.status == 0)
                let both = try await policy.prefs("list", "-s", "own.json", "--managed", "new.json", "--fixed")
                #expect(both.output == "weather.temperature 5.0\n")
            }
        }
    }
#endif

@Suite("The policy of '--managed' in prefs")
struct ManagedOptionTests {
    private func run(_ script: String) async throws -> Output {
        try await withFolder { folder in
            try folder.write(PolicyFolder.schema, to: "Weather.preferences.json")
            let run = try await folder.run(shell: "s='--schema Weather.preferences.json'\n\(script)")
            func shown(_ text: String) -> String { text.replacing("\(folder.path(""))/", with: "") }
            return Output(status: run.status, output: shown(run.output), errors: shown(run.errors))
        }
    }

    /// The output of a command, with paths in the folder of the test.
    private struct Output {
        let status: Int32
        let output: String
        let errors: String
    }

    @Test("Its values are fixed over any stores, whoever owns the file")
    func values() async throws {
        let run = try await run(
            """
            echo '{"weather:unit": "fahrenheit"}' >managed.json
            chmod 666 managed.json
            prefs get $s -s a.json --managed managed.json weather.unit
            prefs set $s -s a.json --managed managed.json weather.temperature 5
            prefs set $s -s a.json --managed=managed.json weather.unit celsius
            echo $?; cat a.json
            prefs describe $s --managed managed.json weather.unit | tail -n 1
            """
        )
        #expect(
            run.output == """
                fahrenheit
                1
                {
                  "weather:temperature": 5.0
                }
                  managed    fixed at fahrenheit by managed.json

                """
        )
        #expect(
            run.errors == "prefs: error: managed.json: 'weather:unit': it is fixed by managed.json; it was not set\n"
        )
    }

    @Test("A policy is checked before it is installed")
    func check() async throws {
        let run = try await run(
            """
            echo '{"weather:unit": "kelvin", "weather:stations": []}' >managed.json
            prefs check $s --managed managed.json 2>/dev/null
            """
        )
        #expect(run.status == 1)
        #expect(
            run.output == """
                managed.json: 'weather:unit': "kelvin" must be one of celsius, fahrenheit; using its default
                managed.json: 'weather:stations': its key is not "managed" in the schema, so that it has no effect; \
                remove it
                5 keys: 2 problems; 1 secret not read

                """
        )
    }

    @Test("A secret in a policy is exposed, and read from nowhere")
    func secret() async throws {
        let run = try await run(
            """
            echo '{"weather:token": "abc"}' >managed.json
            prefs check $s --managed managed.json --secrets secrets.json
            prefs get $s --managed managed.json --secrets secrets.json --show-secrets weather.token
            """
        )
        #expect(
            run.output == """
                managed.json: 'weather:token': its value is a secret in a policy, which all users can read, and secrets are \
                never fixed; remove it
                5 keys: 1 problem
                null

                """
        )
    }

    @Test("The keys that an administrator can fix are listed by their storage names, as in a lock list")
    func manageable() async throws {
        let run = try await run(
            """
            prefs list $s --manageable
            prefs list $s --manageable --json weather.unit weather.stations
            prefs describe $s | grep '^weather'
            prefs describe $s unit
            """
        )
        #expect(
            run.output == """
                weather:temperature
                weather:unit
                weather:home
                [
                  "weather:unit"
                ]
                weather.temperature
                weather.unit
                weather.home
                weather.stations
                weather.token

                """,
            "\(run)"
        )
        #expect(run.errors.contains("there is no key 'unit'; did you mean 'weather.unit'?"))
    }

    @Test("A file that is missing, or no JSON, is an error")
    func unusableFile() async throws {
        let missing = try await run("prefs get $s -s a.json --managed gone.json weather.unit")
        #expect(missing.status == 3)
        #expect(missing.errors == "prefs: error: gone.json does not exist; correct the path of '--managed'\n")
        let damaged = try await run(
            "echo '{' >managed.json; prefs get $s -s a.json --managed managed.json weather.unit"
        )
        #expect(damaged.status == 3 && damaged.output == "")
        #expect(damaged.errors.hasPrefix("prefs: error: managed.json: line 2, column 1: "), "\(damaged)")
        let empty = try await run("prefs get $s --managed '' weather.unit")
        #expect(empty.status == 2 && empty.errors.hasPrefix("prefs: error: '--managed' requires a value\n"), "\(empty)")
    }

    @Test("'doctor' says that a file which a user owns would have no effect where it is")
    func doctor() async throws {
        let run = try await run(
            """
            echo '{"weather:unit": "fahrenheit"}' >managed.json
            chmod 666 managed.json
            prefs doctor $s --managed managed.json
            """
        )
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("managed.json: problem: it has no effect, because "), "\(run)")
    }
}
