#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// A folder with the schema of the app `weather`, and a desktop session in which `prefs` runs.
    private struct KeyringFolder {
        let folder: Folder
        let session: DesktopSession

        static func with(startsDaemon: Bool = true, _ body: (KeyringFolder) async throws -> Void) async throws {
            try await DesktopSession.run(startsDaemon: startsDaemon) { session in
                try await withFolder { folder in
                    try folder.write("", to: "Package.swift")
                    try folder.write(Folder.weatherSchema, to: "Sources/weather/Weather.preferences.json")
                    try await body(KeyringFolder(folder: folder, session: session))
                }
            }
        }

        /// Runs a command over the app.
        func prefs(_ command: String, _ arguments: String..., input: String = "") async throws -> Prefs {
            try await run([command, "--app", "weather"] + arguments, input: input)
        }

        func run(
            _ arguments: [String],
            without variables: Set<String> = [],
            with others: [String: String] = [:],
            input: String = ""
        ) async throws -> Prefs {
            let environment = session.environment.filter { !variables.contains($0.key) }
            return try await Prefs(
                "prefs",
                arguments,
                in: folder.url,
                environment: environment.merging(others) { _, new in new },
                input: input
            )
        }

        /// The item that the app has for a key.
        static func item(_ name: String) -> [String] { ["service", "weather", "account", name] }

        func store(_ text: String, as name: String = "weather:token") async throws {
            let run = try await session.secretTool(["store", "--label=Weather"] + Self.item(name), input: text)
            try #require(run.succeeded, "\(run.errors)")
        }

        /// Returns the text of an item; empty if there is none.
        func stored(_ name: String = "weather:token") async throws -> String {
            try await session.secretTool(["lookup"] + Self.item(name)).output
        }

        /// The lines of `prefs doctor` about the keyring, and the last one.
        func doctor(_ arguments: [String]) async throws -> (status: Int32, lines: [String]) {
            let run = try await run(["doctor"] + arguments)
            let lines = run.output.split(separator: "\n").map(String.init)
            return (run.status, lines.filter { $0.hasPrefix("keyring") } + lines.suffix(1))
        }
    }

    @Suite("prefs and the keyring")
    struct KeyringTests {
        private static let locked = "the keyring cannot be read: its collection is locked"
        private static let waiting = "waiting for the keyring to be unlocked\n"
        private static let dismissal =
            "the keyring cannot be read: the user has dismissed the prompt, or the "
            + "desktop could not show it"
        private static let unlocking = "unlock it, such as by logging in again, or by 'prefs get' of a secret"

        @Test("The secrets of an app are in its items of the keyring, which other programs read and write")
        func items() async throws {
            try await KeyringFolder.with { keyring in
                let set = try await keyring.prefs("set", "weather.token", "-", input: "abc\n")
                #expect(set.status == 0 && set.output == "" && set.errors == "", "\(set)")
                #expect(try await keyring.stored() == "abc")
                try await keyring.store("def")
                let get = try await keyring.prefs("get", "--show-secrets", "weather.token")
                #expect(get.status == 0 && get.output == "def\n" && get.errors == "", "\(get)")
                #expect(try await keyring.prefs("get", "weather.token").output == "•••\n")
                let list = try await keyring.prefs("list", "--set")
                #expect(list.output == "weather.token •••\n" && list.errors == "", "\(list)")
                let shown = try await keyring.prefs("list", "--set", "--show-secrets")
                #expect(shown.output == "weather.token def\n" && shown.errors == "", "\(shown)")
                let explained = try await keyring.prefs("explain", "weather.token")
                #expect(explained.output == "weather\n    token = •••    keyring 'weather'\n", "\(explained)")
                let check = try await keyring.prefs("check")
                #expect(check.output == "7 keys: no problems\n" && check.errors == "", "\(check)")
                let reset = try await keyring.prefs("reset", "weather.token")
                #expect(reset.status == 0 && reset.errors == "", "\(reset)")
                #expect(try await keyring.stored() == "")
                #expect(try await keyring.prefs("list", "--set").output == "")
            }
        }

        @Test("Dumped secrets are loaded, with other values at once")
        func load() async throws {
            try await KeyringFolder.with { keyring in
                try await keyring.store("abc")
                _ = try await keyring.prefs("set", "weather.unit", "fahrenheit")
                let hidden = try await keyring.prefs("dump")
                #expect(hidden.output == "{\n  \"weather:unit\": \"fahrenheit\"\n}\n")
                #expect(hidden.errors == "1 secret left out; specify '--show-secrets' to write them\n")
                let dump = try await keyring.prefs("dump", "--show-secrets")
                #expect(dump.status == 0 && dump.errors == "", "\(dump)")
                #expect(try await keyring.prefs("reset", "--all").status == 0)
                #expect(try await keyring.stored() == "")
                let load = try await keyring.prefs("load", "-", input: dump.output)
                #expect(load.status == 0 && load.errors == "2 keys set\n", "\(load)")
                #expect(try await keyring.stored() == "abc")
            }
        }

        @Test("The text for the editor has no secrets")
        func edit() async throws {
            try await KeyringFolder.with { keyring in
                try await keyring.store("abc")
                let edit = try await keyring.run(["edit", "--app", "weather"], with: ["VISUAL": "cat"])
                #expect(edit.status == 0, "\(edit)")
                #expect(edit.output.contains("weather.unit") && !edit.output.contains(/token|abc/), "\(edit)")
            }
        }

        @Test(
            "A location names a service and a collection, for secrets or for all keys",
            arguments: [
                (["--secrets", "secret:weather"], "weather:token", "weather.token", true),
                (["--app", "weather", "--secrets", "secret:"], "weather:token", "weather.token", true),
                (["--store", "secret:weather"], "weather:unit", "weather.unit", true),
                (["--secrets", "secret:weather?collection=default"], "weather:token", "weather.token", true),
                (["--secrets", "secret:weather?collection=session"], "weather:token", "weather.token", true),
                (["--secrets", "secret:weather?collection=Work"], "weather:token", "weather.token", true),
                (["--secrets", "secret:other"], "weather:token", "weather.token", false),
            ]
        )
        func locations(options: [String], name: String, key: String, isFound: Bool) async throws {
            try await KeyringFolder.with { keyring in
                _ = try await keyring.session.createCollection(label: "Work")
                let schema = ["--schema", "Sources/weather"]
                let store = options.contains("--store") ? [] : ["--store", "weather.json"]
                let arguments = schema + store + options
                let set = try await keyring.run(["set"] + arguments + [key, "-"], input: "celsius\n")
                #expect(set.status == 0 && set.errors == "", "\(set)")
                #expect(try await keyring.stored(name) == (isFound ? "celsius" : ""))
                let get = try await keyring.run(["get", "--show-secrets"] + arguments + [key])
                #expect(get.status == 0 && get.output == "celsius\n" && get.errors == "", "\(get)")
                let labels = arguments.filter { $0.contains("collection=") }
                for label in ["Work", "session"] where labels.contains(where: { $0.hasSuffix(label) }) {
                    let other = arguments.map { $0.hasPrefix("secret:") ? "secret:weather" : $0 }
                    let list = try await keyring.run(["list", "--set"] + other)
                    #expect(list.output == "", "\(list)")
                }
            }
        }

        @Test(
            "A location that names no service or collection is refused",
            arguments: [
                ("secret:", "'secret:' names no service; write 'secret:SERVICE', or specify '--app NAME'"),
                ("secret:weather?x=1", "unknown setting 'x=1' of a store; those of 'secret:' are 'collection'"),
                ("secret:weather?collection=", "the setting 'collection' of a store has no value"),
            ]
        )
        func invalidLocations(location: String, message: String) async throws {
            try await Folder.withSchema { folder in
                let run = try await folder.prefs("get", "--secrets", location, "weather.token")
                #expect(run.status == 2)
                #expect(run.errors == "prefs: error: \(message)\nRun 'prefs get --help' for usage.\n")
            }
        }

        @Test("While the keyring is locked, commands that list values report that, and do not ask the user")
        func lockedLists() async throws {
            try await KeyringFolder.with { keyring in
                try await keyring.store("abc")
                try await keyring.session.lock()
                try await keyring.session.withPrompter(answers: []) { prompts in
                    let report = "1 secret not read; \(Self.locked); \(Self.unlocking)\n"
                    let list = try await keyring.prefs("list", "weather.unit", "weather.token")
                    #expect(list.status == 0 && list.output == "weather.unit celsius\nweather.token •••\n", "\(list)")
                    #expect(list.errors == report)
                    let set = try await keyring.prefs("list", "--set")
                    #expect(set.status == 0 && set.output == "" && set.errors == report, "\(set)")
                    let check = try await keyring.prefs("check")
                    #expect(check.status == 0 && check.output == "7 keys: no problems; 1 secret not read\n", "\(check)")
                    #expect(check.errors == report)
                    for options in [[], ["--json"], ["--show-secrets"]] {
                        let explained = try await keyring.run(["explain", "--app", "weather", "weather"] + options)
                        #expect(explained.status == 0 && explained.errors == report, "\(explained)")
                        #expect(explained.output.contains("unit") && !explained.output.contains("token"))
                    }
                    let token = try await keyring.prefs("explain", "weather.token", "weather.unit")
                    #expect(token.status == 3 && token.output == "", "\(token)")
                    #expect(token.errors == "prefs: error: keyring 'weather': \(Self.locked); \(Self.unlocking)\n")
                    let dump = try await keyring.prefs("dump")
                    #expect(dump.status == 0 && dump.output == "{}\n", "\(dump)")
                    let described = try await keyring.prefs("describe", "weather.token")
                    #expect(described.status == 0 && described.errors == "", "\(described)")
                    let doctor = try await keyring.doctor(["--app", "weather"])
                    #expect(doctor.status == 1)
                    #expect(
                        doctor.lines.first == "keyring 'weather': problem: \(Self.locked); \(Self.unlocking)",
                        "\(doctor)"
                    )
                    // Keys that are no secrets.
                    let other = try await keyring.prefs("set", "weather.unit", "fahrenheit")
                    #expect(other.status == 0 && other.errors == "", "\(other)")
                    let get = try await keyring.prefs("get", "weather.unit")
                    #expect(get.output == "fahrenheit\n" && get.errors == "", "\(get)")
                    #expect(try await prompts.texts() == [])
                }
                #expect(try await keyring.session.isLocked())
            }
        }

        @Test(
            "A command that uses a secret asks the user to unlock the keyring, and waits for the password",
            arguments: [
                (["get", "--show-secrets", "weather.token"], "", "abc\n", "abc"),
                (["set", "weather.token", "-"], "def\n", "", "def"),
                (["reset", "weather.token"], "", "", ""), (["reset", "--all"], "", "", ""),
                (["load", "-"], #"{"weather.token": "def"}"#, "", "def"),
                (["list", "--set", "--show-secrets"], "", "weather.token abc\n", "abc"),
                (["dump", "--show-secrets"], "", "{\n  \"weather:token\": \"abc\"\n}\n", "abc"),
            ]
        )
        func unlocking(command: [String], input: String, output: String, stored: String) async throws {
            try await KeyringFolder.with { keyring in
                try await keyring.store("abc")
                try await keyring.session.lock()
                let arguments = command.prefix(1) + ["--app", "weather"] + command.dropFirst()
                let answers = [DesktopSession.Answer.held(.password(DesktopSession.password))]
                try await keyring.session.withPrompter(answers: answers) { prompts in
                    async let running = keyring.run(Array(arguments), input: input)
                    try await prompts.texts(atLeast: 1)
                    try await prompts.release()
                    let run = try await running
                    #expect(run.status == 0 && run.output == output, "\(run)")
                    #expect(run.errors == Self.waiting + (command[0] == "load" ? "1 key set\n" : ""))
                    #expect(try await prompts.texts().count == 1)
                }
                #expect(try await keyring.stored() == stored)
            }
        }

        @Test(
            "If the user does not unlock the keyring, a command that needs it changes nothing",
            arguments: [
                "get weather.token", "set weather.token -", "reset weather.unit weather.token", "load -",
                "watch weather.token", "dump --show-secrets",
            ]
        )
        func dismissed(command: String) async throws {
            try await KeyringFolder.with { keyring in
                try await keyring.store("abc")
                _ = try await keyring.prefs("set", "weather.unit", "fahrenheit")
                try await keyring.session.lock()
                let words = command.split(separator: " ").map(String.init)
                try await keyring.session.withPrompter(answers: [.cancel]) { prompts in
                    let arguments = words.prefix(1) + ["--app", "weather"] + words.dropFirst()
                    let run = try await keyring.run(Array(arguments), input: #"{"weather.token": "def"}"#)
                    #expect(run.status == 3 && run.output == "", "\(run)")
                    #expect(run.errors == "\(Self.waiting)prefs: error: keyring 'weather': \(Self.dismissal)\n")
                    #expect(try await prompts.texts().count == 1)
                }
                #expect(try await keyring.prefs("get", "weather.unit").output == "fahrenheit\n")
                try await keyring.session.unlock()
                #expect(try await keyring.stored() == "abc")
            }
        }

        @Test("If the user does not unlock the keyring, all other keys are reset")
        func dismissedReset() async throws {
            try await KeyringFolder.with { keyring in
                try await keyring.store("abc")
                _ = try await keyring.prefs("set", "weather.unit", "fahrenheit")
                try await keyring.session.lock()
                try await keyring.session.withPrompter(answers: [.cancel]) { prompts in
                    let reset = try await keyring.prefs("reset", "--all")
                    #expect(reset.status == 3 && reset.output == "", "\(reset)")
                    #expect(reset.errors == "\(Self.waiting)1 secret not read; \(Self.dismissal)\n")
                    #expect(try await prompts.texts().count == 1)
                }
                #expect(try await keyring.prefs("get", "weather.unit").output == "celsius\n")
                try await keyring.session.unlock()
                #expect(try await keyring.stored() == "abc")
            }
        }

        @Test("A list with the values of secrets has no defaults in place of those that cannot be read")
        func dismissedList() async throws {
            try await KeyringFolder.with { keyring in
                try await keyring.store("abc")
                try await keyring.session.lock()
                for (format, output) in [
                    ([], "weather.unit celsius\n"), (["--json"], "{\n  \"weather.unit\": \"celsius\"\n}\n"),
                ] {
                    try await keyring.session.withPrompter(answers: [.cancel]) { prompts in
                        let options = ["--app", "weather", "--show-secrets", "weather.token", "weather.unit"]
                        let list = try await keyring.run(["list"] + options + format)
                        #expect(list.status == 3 && list.output == output, "\(list)")
                        #expect(list.errors == "\(Self.waiting)1 secret not read; \(Self.dismissal)\n")
                        #expect(try await prompts.texts().count == 1)
                    }
                }
            }
        }

        @Test("If the user does not unlock the keyring, 'watch' prints the changes of all other keys")
        func dismissedWatch() async throws {
            try await KeyringFolder.with { keyring in
                try await keyring.store("abc")
                try await keyring.session.lock()
                try await keyring.session.withPrompter(answers: [.cancel]) { prompts in
                    let child = try ChildProcess(
                        BuiltWithTests.executable("prefs").path,
                        ["watch", "--app", "weather", "--initial", "weather"],
                        in: keyring.folder.url,
                        environment: keyring.session.environment,
                        output: .pipe
                    )
                    defer { child.send(SIGTERM) }
                    func nextLine() async throws -> String? { try await onOwnThread { try child.output.readLine() } }
                    var lines: [String?] = []
                    for _ in 0..<6 { lines.append(try await nextLine()) }
                    #expect(lines.contains("weather.unit: celsius"), "\(lines)")
                    _ = try await keyring.prefs("set", "weather.unit", "fahrenheit")
                    #expect(try await nextLine() == "weather.unit: fahrenheit")
                    #expect(try await prompts.texts().count == 1)
                }
            }
        }

        @Test("A service that does not answer is reported, and other keys are explained and examined")
        func suspended() async throws {
            try await KeyringFolder.with { keyring in
                try await keyring.session.suspendDaemon()
                async let explaining = keyring.prefs("explain", "weather")
                async let examining = keyring.doctor(["--app", "weather"])
                async let getting = keyring.prefs("get", "weather.token")
                let (explained, doctor, get) = try await (explaining, examining, getting)
                #expect(explained.status == 0 && explained.output.contains("unit"), "\(explained)")
                #expect(!explained.output.contains("token"))
                #expect(explained.errors.hasPrefix("1 secret not read; the keyring cannot be read: "))
                #expect(explained.errors.split(separator: "\n").count == 1)
                #expect(doctor.status == 1 && doctor.lines.count == 2, "\(doctor)")
                let problem = "keyring 'weather': problem: the keyring cannot be read: "
                #expect(doctor.lines.first?.hasPrefix(problem) == true)
                #expect(get.status == 3 && get.output == "" && !get.errors.contains(Self.waiting), "\(get)")
                try await keyring.session.resumeDaemon()
            }
        }

        @Test("A keyring of all keys that cannot be read is a failure, and no default is printed")
        func unreadableLayer() async throws {
            try await KeyringFolder.with { keyring in
                try await keyring.store("fahrenheit", as: "weather:unit")
                try await keyring.session.lock()
                try await keyring.session.withPrompter(answers: [.cancel]) { prompts in
                    let options = ["--schema", "Sources/weather", "--store", "secret:weather"]
                    let get = try await keyring.run(["get"] + options + ["weather.unit"])
                    #expect(get.status == 3 && get.output == "", "\(get)")
                    #expect(get.errors == "\(Self.waiting)prefs: error: keyring 'weather': \(Self.dismissal)\n")
                    for command in [["list"], ["explain"], ["dump"], ["check"]] {
                        let run = try await keyring.run(command + options)
                        #expect(run.status == 3 && run.output == "", "\(run)")
                        #expect(run.errors == "prefs: error: keyring 'weather': \(Self.locked); \(Self.unlocking)\n")
                    }
                    #expect(try await prompts.texts().count == 1)
                }
            }
        }

        @Test("A refused argument is reported before the user is asked")
        func refusedArgument() async throws {
            try await KeyringFolder.with { keyring in
                try await keyring.session.lock()
                try await keyring.session.withPrompter(answers: []) { prompts in
                    let run = try await keyring.prefs("set", "weather.token", "abc")
                    #expect(run.status == 2 && !run.errors.contains("abc"), "\(run)")
                    #expect(try await prompts.texts() == [])
                }
            }
        }

        @Test("Without a bus, an app has no secrets, and commands say why")
        func withoutBus() async throws {
            try await withFolder { folder in
                try folder.write("", to: "Package.swift")
                try folder.write(Folder.weatherSchema, to: "Sources/weather/Weather.preferences.json")
                func run(_ command: String, _ arguments: String...) async throws -> Prefs {
                    try await Prefs(
                        "prefs",
                        [command, "--app", "weather"] + arguments,
                        in: folder.url,
                        environment: ["HOME": folder.path("home"), "XDG_RUNTIME_DIR": folder.path("run")]
                    )
                }
                for (command, argument) in [
                    ("get", "--json"), ("set", "-"), ("reset", "--json"), ("watch", "--json"), ("explain", "--json"),
                    ("dump", "--show-secrets"),
                ] {
                    let run = try await run(command, "weather.token", argument)
                    #expect(run.status == 3 && run.output == "", "\(run)")
                    #expect(
                        run.errors
                            == "prefs: error: 'weather.token' is a secret; \(noSessionBus); or specify the store of "
                            + "secrets with '--secrets STORE'\n"
                    )
                }
                let report = "1 secret not read; \(noSessionBus); or specify the store with '--secrets STORE'\n"
                let check = try await run("check")
                #expect(check.status == 0 && check.output == "7 keys: no problems; 1 secret not read\n", "\(check)")
                #expect(check.errors == report)
                let explained = try await run("explain", "weather")
                #expect(explained.status == 0 && explained.errors == report, "\(explained)")
                _ = try await run("set", "weather.unit", "fahrenheit")
                let reset = try await run("reset", "--all")
                #expect(reset.status == 0 && reset.errors == report, "\(reset)")
                #expect(try await run("get", "weather.unit").output == "celsius\n")
                let list = try await run("list", "weather.token")
                #expect(list.status == 0 && list.output == "weather.token •••\n" && list.errors == report, "\(list)")
                let shown = try await run("list", "--show-secrets", "weather.token")
                #expect(shown.status == 0 && shown.output == "" && shown.errors == report, "\(shown)")
                let json = try await run("list", "--show-secrets", "--json", "weather.token")
                #expect(json.status == 0 && json.output == "{}\n" && json.errors == report, "\(json)")
                // The app may have another store of secrets.
                let doctor = try await run("doctor")
                #expect(doctor.status == 0)
                #expect(
                    doctor.output.contains(
                        "\nkeyring 'weather': remark: \(noSessionBus); or specify the store of secrets with "
                            + "'--secrets STORE'\n"
                    ),
                    "\(doctor)"
                )
            }
        }

        @Test("A keyring of the command line that is missing is a failure of commands that use it")
        func missingKeyring() async throws {
            try await KeyringFolder.with(startsDaemon: false) { keyring in
                let options = ["--app", "weather", "--secrets", "secret:weather"]
                let get = try await keyring.run(["get"] + options + ["weather.token"])
                #expect(get.status == 3 && get.output == "", "\(get)")
                let message =
                    "keyring 'weather': the keyring cannot be read: there is no Secret Service on the session bus ("
                #expect(get.errors.hasPrefix("prefs: error: \(message)"), "\(get)")
                let list = try await keyring.run(["list", "--set"] + options)
                #expect(list.status == 0 && list.output == "", "\(list)")
                let report = message.replacing("keyring 'weather': ", with: "1 secret not read; ")
                #expect(list.errors.hasPrefix(report), "\(list)")
                let doctor = try await keyring.doctor(options)
                #expect(doctor.status == 1)
                let problem = message.replacing("'weather': ", with: "'weather': problem: ")
                #expect(doctor.lines.first?.hasPrefix(problem) == true, "\(doctor)")

                let withoutBus = try await keyring.run(
                    ["doctor", "--secrets", "secret:weather"],
                    without: ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"]
                )
                #expect(withoutBus.status == 1)
                #expect(withoutBus.output == "keyring 'weather': problem: \(noSessionBus)\n1 store: 1 problem\n")
            }
        }

        @Test("A libsecret that cannot be loaded is reported")
        func missingLibrary() async throws {
            try await KeyringFolder.with { keyring in
                try keyring.folder.write("", to: "library/libsecret-1.so.0")
                let doctor = try await keyring.run(
                    ["doctor", "--secrets", "secret:weather"],
                    with: ["LD_LIBRARY_PATH": keyring.folder.path("library")]
                )
                #expect(doctor.status == 1)
                #expect(
                    doctor.output == """
                        keyring 'weather': problem: the keyring cannot be read: libsecret cannot be loaded: \
                        \(keyring.folder.path("library/libsecret-1.so.0")): file too short; \
                        install it again
                        1 store: 1 problem

                        """
                )
            }
        }

        @Test("'doctor' reads the values of a keyring, and shows none")
        func doctor() async throws {
            try await KeyringFolder.with { keyring in
                try await keyring.store("abc")
                let fine = try await keyring.doctor(["--app", "weather"])
                #expect(fine.status == 0 && fine.lines.first == "keyring 'weather': no problems (1 value)", "\(fine)")
                try await keyring.store("xyz", as: "weather:tokens")
                let unknown = try await keyring.doctor(["--app", "weather"])
                #expect(!unknown.lines.joined().contains(/abc|xyz/), "\(unknown)")
            }
        }

        @Test("'doctor' examines the keyring of an app whose schema is not found")
        func doctorWithoutSchema() async throws {
            try await KeyringFolder.with { keyring in
                let doctor = try await keyring.doctor(["--app", "other"])
                #expect(doctor.status == 0, "\(doctor)")
                #expect(doctor.lines.first == "keyring 'other': no problems (0 values)")
                try await keyring.session.lock()
                let locked = try await keyring.doctor(["--app", "other"])
                #expect(locked.status == 1, "\(locked)")
                #expect(locked.lines.first == "keyring 'other': problem: \(Self.locked); \(Self.unlocking)")
            }
        }

        @Test("A secret in a keyring of all keys is not exposed to other programs")
        func keyringOfAllKeys() async throws {
            try await KeyringFolder.with { keyring in
                try await keyring.store("abc")
                let options = ["--schema", "Sources/weather", "--store", "secret:weather"]
                let check = try await keyring.run(["check"] + options)
                #expect(check.status == 0 && check.output == "7 keys: no problems; 1 secret not read\n", "\(check)")
            }
        }

        @Test("'watch' prints the changes of other programs")
        func watch() async throws {
            try await KeyringFolder.with { keyring in
                let child = try ChildProcess(
                    BuiltWithTests.executable("prefs").path,
                    ["watch", "--app", "weather", "--initial", "--show-secrets", "weather.token"],
                    in: keyring.folder.url,
                    environment: keyring.session.environment,
                    output: .pipe
                )
                defer { child.send(SIGTERM) }
                func nextLine() async throws -> String? { try await onOwnThread { try child.output.readLine() } }
                #expect(try await nextLine() == "weather.token: null")
                try await keyring.store("abc")
                #expect(try await nextLine() == "weather.token: abc")
                _ = try await keyring.prefs("set", "weather.token", "-", input: "def\n")
                #expect(try await nextLine() == "weather.token: def")
                let clear = try await keyring.session.secretTool(["clear"] + KeyringFolder.item("weather:token"))
                #expect(clear.succeeded)
                #expect(try await nextLine() == "weather.token: null")
            }
        }
    }
#endif
