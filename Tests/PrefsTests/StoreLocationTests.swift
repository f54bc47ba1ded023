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
            "sqlite:a.db", "defaults:org.example.a", "gsettings:keyfile?a=/org/example/a/", "kconfig:arc",
        ]
    )
    func writable(location: String) async throws {
        let run = try await run("prefs set $s -s '\(location)' a.n 7 && prefs get $s -s '\(location)' a.n")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "7\n")
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
