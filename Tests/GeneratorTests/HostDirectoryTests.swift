import Foundation
import TestSupport
import Testing

@Suite("Host directories of preferences-generator")
struct HostDirectoryTests {
    @Test("An obsolete region is reported in any file of the host directory")
    func unwanted() async throws {
        try await withStation { folder in
            _ = try await folder.run("generate", "Station.preferences.json", "--host-directory", "Sources")
            let moved = Station.schema.replacing("\"Station.swift\"", with: "\"Other.swift\"")
            try folder.write(moved, to: "Station.preferences.json")
            try folder.write("", to: "Sources/Other.swift")
            let place = "Sources/Station.swift:5:1"
            let title = "namespace 'station' of Station.preferences.json"
            let elsewhere = try await folder.run("generate", "Station.preferences.json", "--host-directory", "Sources")
            #expect(elsewhere.status == 1)
            #expect(
                elsewhere.errorLines == [
                    "\(place): error: nothing goes here of \(title) [host-region-unwanted]",
                    "\(place): note: its 'host' is 'Other.swift': correct that, or delete lines 5 to 13 here",
                ]
            )
            #expect(try folder.read("Sources/Other.swift") == "")

            try folder.write(Sample.weather, to: "Station.preferences.json")
            let nowhere = try await folder.run("check", "Station.preferences.json", "--host-directory", "Sources")
            #expect(
                nowhere.errorLines == [
                    "\(place): error: nothing goes here of \(title) [host-region-unwanted]",
                    "\(place): note: delete lines 5 to 13",
                ]
            )
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            let other = try await folder.run("check", "Weather.preferences.json", "--host-directory", "Sources")
            #expect(other.output == "1 schema, 1 key: no faults; no schema has a host file\n")
        }
    }

    @Test("A host that is a pipe is refused, and another pipe in the host directory is not read")
    func pipes() async throws {
        try await withStation { folder in
            let other = try await folder.run(
                shell: """
                    mkfifo Sources/Pipe.swift
                    preferences-generator generate Station.preferences.json --host-directory Sources
                    """
            )
            #expect(other.status == 0)
            #expect(other.errors == "")
            let host = try await folder.run(
                shell: """
                    rm Sources/Station.swift; mkfifo Sources/Station.swift
                    preferences-generator generate Station.preferences.json --host-directory Sources
                    """
            )
            #expect(host.status == 3)
            #expect(
                host.errorLines == [
                    "preferences-generator: error: cannot read Sources/Station.swift: a host file must be a regular file"
                ]
            )
        }
    }

    @Test("A host that is a link to nowhere is reported as one")
    func linkToNowhere() async throws {
        try await withStation { folder in
            let run = try await folder.run(
                shell: """
                    ln -sf Station.swift Sources/Station.swift
                    preferences-generator generate Station.preferences.json --host-directory Sources
                    """
            )
            #expect(run.status != 0)
            #expect(run.errorLines.contains { $0.contains("there is no host file Sources/Station.swift") })
            #expect(
                run.errorLines.contains {
                    $0.hasSuffix("note: it is a link that leads to no file; correct or remove it")
                },
                "\(run.errors)"
            )
        }
    }

    @Test(
        "A region of an unknown schema is reported with '--no-other-schemas'",
        arguments: ["generate", "check"]
    )
    func unknownSchema(command: String) async throws {
        try await withStation { folder in
            _ = try await folder.run("generate", "Station.preferences.json", "--host-directory", "Sources")
            let schemas = [("Stations", "did you mean 'Stations'? if not, "), ("Weather", "name another schema, or ")]
            for (name, advice) in schemas {
                try folder.write(Station.schema, to: "\(name).preferences.json")
                let words = [command, "\(name).preferences.json", "--host-directory", "Sources", "--no-other-schemas"]
                let host = try folder.read("Sources/Station.swift")
                let run = try await Generator(words, in: folder.url)
                #expect(run.status == 1)
                let message = "there is no Station.preferences.json, so nothing goes here [host-region-unwanted]"
                #expect(run.errorLines.contains("Sources/Station.swift:5:1: error: \(message)"))
                #expect(run.errorLines.contains("Sources/Station.swift:5:1: note: \(advice)delete lines 5 to 13"))
                #expect(try folder.read("Sources/Station.swift") == host)
            }
        }
    }

    @Test("A host directory that cannot be read is a system error")
    func noFolder() async throws {
        try await withStation { folder in
            let run = try await folder.run("generate", "Station.preferences.json", "--host-directory", "Nowhere")
            #expect(run.status == 3)
            #expect(run.errors == "preferences-generator: error: cannot read Nowhere: No such file or directory\n")
        }
    }

    @Test("An output that would overwrite a host file is rejected in every format", arguments: ["text", "json"])
    func hostAsOutput(format: String) async throws {
        try await withStation { folder in
            try folder.write(Sample.unused, to: "Unused.preferences.json")
            let run = try await folder.run(
                "generate",
                "Station.preferences.json",
                "Unused.preferences.json",
                "-o",
                "Sources/../Sources/Station.swift",
                "-o",
                "Unused.swift",
                "--host-directory",
                "Sources",
                "--diagnostics-format",
                format
            )
            #expect(run.status == 3)
            let path = "Sources/../Sources/Station.swift"
            let message = "cannot write \(path): it is a host file; name another output"
            if format == "text" {
                #expect(run.errors == "preferences-generator: error: \(message)\n\(Sample.warning)")
            } else {
                let found = try JSONDecoder().decode([Finding].self, from: Data(run.errors.utf8))
                #expect(
                    found == [
                        Finding(path: path, rule: "unwritable-file", message: message),
                        Finding(
                            path: "Unused.preferences.json",
                            rule: "unused-type",
                            message: "no key uses type 'Unit'"
                        ),
                    ]
                )
            }
            #expect(run.output == "2 schemas: 1 unwritable file, 1 warning. Nothing was written.\n")
            #expect(try folder.read("Sources/Station.swift") == Station.source)
            #expect(!folder.exists("Unused.swift"))
        }
    }

    private struct Finding: Decodable, Equatable {
        var path: String
        var rule: String
        var message: String
    }

    @Test("Two schemas with one name cannot have top-level keys in one host file")
    func sameNames() async throws {
        try await withFolder { folder in
            for (path, key) in [("a", "first"), ("b", "second")] {
                let keys = #""\#(key)": { "type": "Int?", "access": "fileprivate" }"#
                let schema = #"{ "formatVersion": 1, "host": "App.swift", "keys": { \#(keys) } }"#
                try folder.write(schema, to: "\(path)/App.preferences.json")
            }
            try folder.write("", to: "App.swift")
            let run = try await folder.run(
                "generate",
                "a/App.preferences.json",
                "b/App.preferences.json",
                "--host-directory",
                "."
            )
            let place = "b/App.preferences.json:1:31"
            #expect(
                run.errorLines == [
                    "\(place): error: another schema named 'App' also has top-level keys in this file [host-markers]",
                    "\(place): note: rename one of the two, or put its keys into a namespace",
                ]
            )
            #expect(try folder.read("App.swift") == "")
        }
    }

    @Test("The command line takes precedence over the host directory of a configuration")
    func configuration() async throws {
        try await withStation { folder in
            try folder.write(#"{ "access": "package", "hostDirectory": "Hosts" }"#, to: "Sources/config.json")
            try folder.write(Station.source, to: "Sources/Hosts/Station.swift")
            let words = ["generate", "Station.preferences.json", "--config", "Sources/config.json", "-o", "S.swift"]
            let configured = try await Generator(words, in: folder.url)
            #expect(configured.errors == "")
            #expect(try folder.read("Sources/Hosts/Station.swift") != Station.source)
            #expect(try folder.read("Sources/Station.swift") == Station.source)
            #expect(try folder.read("S.swift").contains("package var name"))
            #expect(
                try await folder.run("check", "Station.preferences.json", "--config", "Sources/config.json").output
                    == "1 schema, 2 keys: no faults; 1 region: all up to date\n"
            )

            try FileManager.default.removeItem(at: folder.url.appending(path: "Sources/Hosts"))
            let absent = try await Generator(words, in: folder.url)
            #expect(absent.status == 1)
            #expect(
                absent.errors == """
                    Sources/config.json:1:41: error: there is no folder Sources/Hosts [invalid-host-directory]
                    Sources/config.json:1:41: note: create it, or correct 'hostDirectory'

                    """
            )
            let explicit = try await Generator(words + ["--host-directory", "Sources"], in: folder.url)
            #expect(explicit.status == 0)
            #expect(try folder.read("Sources/Station.swift") != Station.source)

            try folder.write(#"{ "imports": ["Glossary"] }"#, to: "Sources/config.json")
            #expect(try await Generator(words, in: folder.url).status == 0)
            #expect(try folder.read("S.swift").contains("\nimport Glossary\n"))

            let missing = try await folder.run("lint", "Station.preferences.json", "--config", "nowhere.json")
            #expect(missing.status == 3)
            #expect(missing.errors.contains("error: cannot read nowhere.json: No such file or directory\n"))
        }
    }
}
