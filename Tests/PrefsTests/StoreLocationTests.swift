import Foundation
import TestSupport
import Testing

@Suite("The stores of prefs")
struct StoreLocationTests {
    private static let schema = """
        {
          "formatVersion": 1,
          "namespaces": { "a": { "keys": { "n": { "type": "Int", "default": 1 } } } }
        }

        """

    /// Runs a script in a folder with a schema, and with folders of its own for all files of users.
    private func run(_ script: String, _ prepare: (Folder) throws -> Void = { _ in }) async throws -> Prefs {
        try await withFolder { folder in
            try folder.write(Self.schema, to: "A.preferences.json")
            try prepare(folder)
            return try await folder.run(
                shell: """
                    export HOME=$PWD/home CFFIXED_USER_HOME=$PWD/home XDG_CONFIG_HOME=$PWD/config XDG_CONFIG_DIRS=$PWD/site
                    export XDG_DATA_HOME=$PWD/data XDG_DATA_DIRS=$PWD/share
                    s='--schema A.preferences.json'
                    \(script)
                    """
            )
        }
    }

    @Test(
        "A value that is set in a store of any kind is read from it again",
        arguments: [
            "new/a.json", "file:a.json", "file:a.conf?format=plist", "file:a.conf?format=jsonc&layout=nested",
            "a.conf?format=plist",
            "sqlite:a.db", "defaults:org.example.a", "gsettings:keyfile?a=/org/example/a/", "kconfig:arc",
        ]
    )
    func writable(location: String) async throws {
        let run = try await run("prefs set $s -s '\(location)' a.n 7 && prefs get $s -s '\(location)' a.n")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "7\n")
    }

    @Test(
        "A file that is not one of its format is a problem, and is not written",
        arguments: ["kconfig:arc", "gsettings:keyfile?a=/org/example/a/", "a.json", "sqlite:a.db"],
        [Data([0x89]) + Data("PNG\r\n\u{1A}\n".utf8), Data(count: 4096), Data("text\n".utf8)]
    )
    func foreignFile(location: String, bytes: Data) async throws {
        try await withFolder { folder in
            try folder.write(
                #"{ "formatVersion": 1, "namespaces": { "a": { "keys": { "n": { "type": "Int", "default": 5 } } } } }"#,
                to: "A.preferences.json"
            )
            let name = String(location.split(separator: ":").last?.split(separator: "?").first ?? "")
            try bytes.write(to: folder.url.appending(path: name))
            for command in [["check"], ["get", "a.n"], ["set", "a.n", "7"]] {
                let arguments = [command[0], "--schema", "A.preferences.json", "-s", location]
                let run = try await Prefs(arguments + command.dropFirst(), in: folder.url)
                #expect(run.status == 3, "\(command) \(run)")
                #expect(run.errors.contains(name), "\(run)")
            }
            #expect(try Data(contentsOf: folder.url.appending(path: name)) == bytes)
        }
    }

    @Test("Settings of a path need no scheme, and the name of a file that exists can contain their mark")
    func settingsOfPath() async throws {
        let run = try await run(
            """
            prefs set $s -s 'a.json?layout=nested' a.n 7 && cat a.json
            echo '{"a:n": 3}' >'b.json?layout=nested'
            prefs get $s -s 'b.json?layout=nested' a.n
            prefs get $s -s 'file:b.json?layout=nested' a.n
            """
        )
        #expect(run.status == 0 && run.errors == "", "\(run)")
        #expect(run.output == "{\n  \"a\": {\n    \"n\": 7\n  }\n}\n3\n3\n")
    }

    @Test(
        "An unknown setting of a store is refused",
        arguments: [
            ("a.json?layot=nested", "layot=nested", "those of 'file:' are 'format' and 'layout'"),
            ("a.json?", "", "those of 'file:' are 'format' and 'layout'"),
            ("sqlite:a.db?x=1", "x=1", "'sqlite:' has none"), ("kconfig:arc?x", "x", "'kconfig:' has none"),
            ("env:APP_?x=1", "x=1", "'env:' has none"),
        ]
    )
    func unknownSettings(location: String, setting: String, known: String) async throws {
        let run = try await run("prefs set $s -s '\(location)' a.n 7; status=$?; ls; exit $status")
        #expect(run.status == 2)
        #expect(run.output == "A.preferences.json\n")
        #expect(run.errors.hasPrefix("prefs: error: unknown setting '\(setting)' of a store; \(known)\n"), "\(run)")
    }

    @Test("The default keyfile of GSettings is in the home folder of the environment")
    func keyfileInHome() async throws {
        let run = try await run(
            """
            unset XDG_CONFIG_HOME
            prefs set $s -s 'gsettings:?a=/org/example/a/' a.n 7 && cat home/.config/glib-2.0/settings/keyfile
            """
        )
        #expect(run.output == "[org/example/a]\nn=7\n", "\(run)")
    }

    @Test(
        "A name of an app that is no plain name of a file is refused",
        arguments: ["../../victim", "..", ".", "a/b", "/a", "a\nb"]
    )
    func invalidApps(name: String) async throws {
        let run = try await run("prefs set $s --app '\(name)' a.n 7; status=$?; ls; exit $status")
        #expect(run.status == 2)
        #expect(run.output == "A.preferences.json\n")
        let shown = name.replacing("\n", with: "\\n")
        let message = "prefs: error: '\(shown)' is not the name of an app; it must be the plain name of a file\n"
        #expect(run.errors.hasPrefix(message), "\(run)")
    }

    @Test("An empty name of an app is refused")
    func emptyApp() async throws {
        for arguments in ["--app ''", "--app="] {
            let run = try await run("prefs set $s \(arguments) a.n 7")
            #expect(run.status == 2 && run.errors.hasPrefix("prefs: error: '--app' requires a value\n"), "\(run)")
        }
    }

    @Test("The URL of a file is decoded")
    func fileURL() async throws {
        let run = try await run(
            """
            echo '{"a:n": 3}' >'a b.json'
            prefs get $s -s "file://$PWD/a%20b.json" a.n
            prefs get $s -s "file://localhost$PWD/a%20b.json" a.n
            prefs get $s -s file://example.org/a.json a.n
            echo $?
            """
        )
        #expect(run.output == "3\n3\n2\n")
    }

    @Test("Environment variables are a read-only layer")
    func environment() async throws {
        let run = try await run(
            """
            export APP_A_N=5
            prefs get $s -s env:APP_ a.n
            prefs get $s -s env:APP_ -s a.json a.n
            prefs set $s -s env:APP_ a.n 6
            echo $?
            """
        )
        #expect(run.output == "5\n5\n3\n")
        #expect(run.errors.hasSuffix("environment 'APP_': 'a:n': it is read-only; it was not set\n"), "\(run.errors)")
    }

    @Test("Several stores are layers, of which the first writable one is written")
    func layers() async throws {
        let run = try await run(
            """
            echo '{"a:n": 3}' >site.json
            prefs get $s -s own.json -s site.json a.n
            prefs set $s -s own.json -s site.json a.n 4
            prefs get $s -s own.json -s site.json a.n
            cat site.json
            """
        )
        #expect(run.output == "3\n4\n{\"a:n\": 3}\n")
    }

    @Test("The files of an app are its default file and the site files, and its schema is that of its target")
    func app() async throws {
        let run = try await run(
            """
            mkdir -p site/demo Sources/demo Sources/demo/inner
            echo '{"a:n": 3}' >site/demo/preferences.json
            touch Package.swift
            mv A.preferences.json Sources/demo
            cd Sources/demo/inner
            prefs get --app demo a.n
            prefs set --app demo a.n 4
            prefs get --app demo a.n
            cat $XDG_CONFIG_HOME/demo/preferences.json
            """
        )
        #expect(run.errors == "")
        #expect(run.output == "3\n4\n{\n  \"a:n\": 4\n}\n")
    }

    @Test("The configuration of an app's schemas is that of '--config'")
    func configuration() async throws {
        let run = try await run(
            """
            mkdir -p share/demo; mv A.preferences.json share/demo; prefs list --names --app demo --config missing.json
            """
        )
        #expect(run.status == 3 && run.errors.contains("cannot read missing.json"), "\(run)")
    }

    @Test("The schema of an installed app is in its share folder")
    func installed() async throws {
        let run = try await run("mkdir -p share/demo; mv A.preferences.json share/demo; prefs get --app demo a.n")
        #expect(run.output == "1\n", "\(run.errors)")
    }

    @Test(
        "A schema of an app that cannot be read is an error, and no other one is used",
        arguments: [
            ("ln -s gone share/demo", "share/demo: No such file or directory"),
            (
                "touch Package.swift; mkdir Schemas; ln -s gone Schemas/demo.preferences.json",
                "Schemas/demo.preferences.json: No such file or directory"
            ),
            (
                "touch Package.swift; mkdir -p Sources/demo; cp A.preferences.json Sources/demo; "
                    + "ln -s gone Sources/demo/preferences-generator-config.json",
                "Sources/demo/preferences-generator-config.json: No such file or directory"
            ),
        ]
    )
    func unreadableSchema(preparation: String, error: String) async throws {
        let run = try await run(
            "mkdir -p share other/demo; cp A.preferences.json other/demo; \(preparation); XDG_DATA_DIRS=$PWD/share:$PWD/other "
                + "prefs get --app demo a.n"
        )
        #expect(run.status == 3)
        #expect(run.errors.contains(error), "\(run)")
    }

    @Test(
        "A folder of schemas that a user cannot enter is an error, also of 'doctor'",
        .enabled(if: getuid() == 0, "only the superuser becomes another user")
    )
    func unreadableFolder() async throws {
        let run = try await run(
            """
            mkdir -p share/demo/inner; chmod 755 . share share/demo; chmod 700 share/demo/inner
            mkdir empty
            # The folder of the build may be that of a user.
            cp "$(command -v prefs)" prefs-of-nobody
            chmod 755 prefs-of-nobody
            for command in 'get --app demo a.n' 'doctor --app demo'; do
              setpriv --reuid=nobody --regid=nogroup --clear-groups ./prefs-of-nobody $command
            done
            """
        )
        let error = "share/demo/inner: Permission denied; make it readable, or specify '--schema FILE'"
        #expect(run.errors.contains(error), "\(run)")
        #expect(run.output.contains(error), "\(run)")
        #expect(run.status == 1)
    }

    @Test("An app without a schema says where it was looked for")
    func appWithoutSchema() async throws {
        let run = try await run("cd /; prefs get --app demo a.n")
        #expect(run.status == 3)
        #expect(run.errors.contains("no schema of 'demo' found; specify '--schema FILE', or run it in the package"))
        #expect(run.errors.contains("/share/demo"))
    }

    @Test("A document of a server is read")
    func http() async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(#"{"a": {"n": 9}}"#, type: "application/json"))
            let run = try await run("prefs get $s -s '\(server.url())' a.n")
            #expect(run.output == "9\n", "\(run.errors)")
        }
    }
}
