import Foundation
import Testing

@Suite("preferences-generator and host files")
struct HostTests {
    static let station = """
        {
          "formatVersion": 1,
          "namespaces": {
            "station": {
              "host": "Station.swift",
              "keys": { "token": { "type": "String?", "access": "fileprivate" }, "name": { "type": "String?" } }
            }
          }
        }

        """
    static let source = "import PreferencesRuntime\n\nlet code = 1\n"
    private static let mend = "preferences-generator generate Station.preferences.json --host-directory Sources"
    private static let schemaPlace = "Station.preferences.json:5:15"

    /// A folder with a schema, and a host file without a region.
    private func withStation(_ body: (Folder) async throws -> Void) async throws {
        try await withFolder { folder in
            try folder.write(Self.station, to: "Station.preferences.json")
            try folder.write(Self.source, to: "Sources/Station.swift")
            try await body(folder)
        }
    }

    @Test("A region is written together with the generated file, and the one is not in the other")
    func write() async throws {
        try await withStation { folder in
            let host = folder.url.appending(path: "Sources/Station.swift").path
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: host)
            let run = try await folder.run(
                "generate",
                "Station.preferences.json",
                "--output=Station.preferences.swift",
                "--host-directory",
                "Sources"
            )
            #expect(run.errors == "")
            #expect(run.output == "1 schema, 2 keys: no faults; wrote 2 files\n")
            let written = try folder.read("Sources/Station.swift")
            #expect(written.hasPrefix(Self.source + "\n// preferences:begin Station station\n"))
            #expect(written.contains("fileprivate var token: String?"))
            #expect(!written.contains("var name"))
            let generated = try folder.read("Station.preferences.swift")
            #expect(generated.contains("var name: String?"))
            #expect(!generated.contains("var token"))
            let permissions = try FileManager.default.attributesOfItem(atPath: host)[.posixPermissions] as? Int
            #expect(permissions == 0o640)

            let identity = try folder.identity("Sources/Station.swift")
            let again = try await folder.run("generate", "Station.preferences.json", "--host-directory", "Sources")
            #expect(again.output == "1 schema, 2 keys: no faults; left 1 unchanged file alone\n")
            #expect(try folder.identity("Sources/Station.swift") == identity)
        }
    }

    @Test("Without a folder of host files, a schema that names one is refused", arguments: ["generate", "check"])
    func noHostDirectory(command: String) async throws {
        try await withStation { folder in
            let run = try await folder.run(command, "Station.preferences.json", "--output", "Station.preferences.swift")
            #expect(run.status == 1)
            #expect(
                run.errorLines.first
                    == "\(Self.schemaPlace): error: there is a host file here, and no '--host-directory DIR' that says "
                    + "where it is [host-directory]"
            )
            #expect(try folder.names() == ["Sources", "Station.preferences.json"])
            #expect(try await folder.run("lint", "Station.preferences.json").status == 0)
        }
    }

    @Test("A host file that is missing is reported where the schema names it")
    func missingHost() async throws {
        try await withStation { folder in
            func fault() async throws -> [String] {
                let run = try await folder.run("generate", "Station.preferences.json", "--host-directory", "Sources")
                #expect(run.status == 1)
                #expect(run.output == "1 schema: 1 error. Nothing was written.\n")
                return run.errorLines
            }
            let error = "\(Self.schemaPlace): error: there is no host file Sources/Station.swift [host-missing]"
            try FileManager.default.removeItem(at: folder.url.appending(path: "Sources/Station.swift"))
            #expect(try await fault() == [error, "\(Self.schemaPlace): note: create it, or correct 'host'"])
            try folder.write("", to: "Sources/Stattion.swift")
            #expect(try await fault() == [error, "\(Self.schemaPlace): note: did you mean 'Stattion.swift'?"])
            try folder.write("", to: "Sources/Deep/Station.swift")
            #expect(try await fault() == [error, "\(Self.schemaPlace): note: did you mean 'Deep/Station.swift'?"])
        }
    }

    @Test("What is not current is said by 'check', with the command that mends it, and mended by that")
    func check() async throws {
        try await withStation { folder in
            func check() async throws -> Generator {
                try await folder.run(
                    "check",
                    "Station.preferences.json",
                    "--output",
                    "S.swift",
                    "--host-directory",
                    "Sources"
                )
            }
            let mend =
                "preferences-generator generate Station.preferences.json --output S.swift --host-directory Sources"
            let first = try await check()
            #expect(first.status == 1)
            #expect(first.output == "1 schema: 1 error\n")
            let missing = "this file has no region for namespace 'station' of Station.preferences.json; run '\(mend)'"
            #expect(first.errors == "Sources/Station.swift:4:1: error: \(missing) [host-region-missing]\n")

            let mended = try await Generator(mend.split(separator: " ").dropFirst().map(String.init), in: folder.url)
            #expect(mended.status == 0)
            let current = try await check()
            #expect(current.status == 0)
            #expect(current.output == "1 schema, 2 keys: no faults; 1 file and 1 region: all current\n")
            #expect(current.errors == "")

            try folder.write(try folder.read("S.swift").replacing("/// Default `nil`", with: "/// Nothing"), to: "S.swift")
            let stale = try await check()
            #expect(stale.status == 1)
            let message = "this is not what Station.preferences.json says now; run '\(mend)' [output-stale]"
            let line = try folder.read("S.swift").split(separator: "\n", omittingEmptySubsequences: false)
                .firstIndex { $0.contains("/// Nothing") }
            #expect(stale.errors == "S.swift:\(try #require(line) + 1):1: error: \(message)\n")

            try FileManager.default.removeItem(at: folder.url.appending(path: "S.swift"))
            let gone = try await check()
            #expect(gone.status == 1)
            #expect(gone.errors == "S.swift:1:1: error: there is no such file; run '\(mend)' [output-missing]\n")
        }
    }

    @Test("A region that was edited by hand is kept, and so is all else, until that is forced")
    func edited() async throws {
        try await withStation { folder in
            let words = ["generate", "Station.preferences.json", "-o", "S.swift", "--host-directory", "Sources"]
            #expect(try await Generator(words, in: folder.url).status == 0)
            let current = try folder.read("Sources/Station.swift")
            let edited = current.replacing("default: nil", with: "default: \"\"")
            try folder.write(edited, to: "Sources/Station.swift")
            try folder.write("", to: "S.swift")
            let refused = try await Generator(words, in: folder.url)
            #expect(refused.status == 1)
            #expect(
                refused.errors
                    == "Sources/Station.swift:5:1: error: this region was edited by hand; move out of it what is to stay, "
                    + "then run 'preferences-generator generate Station.preferences.json --output S.swift "
                    + "--host-directory Sources --force' [host-region-edited]\n"
            )
            #expect(try folder.read("Sources/Station.swift") == edited)
            #expect(try folder.read("S.swift") == "")
            #expect(try await Generator(words + ["--force"], in: folder.url).status == 0)
            #expect(try folder.read("Sources/Station.swift") == current)
        }
    }

    @Test("With '--check-hosts' a region is only checked, and what is said to mend it can be given")
    func checkHosts() async throws {
        try await withStation { folder in
            let words = [
                "generate", "Station.preferences.json", "-o", "S.swift", "--host-directory", "Sources", "--check-hosts",
                "--mend-with", "make regions",
            ]
            let missing = try await Generator(words, in: folder.url)
            #expect(missing.status == 1)
            #expect(missing.errorLines.count == 1)
            #expect(missing.errors.hasSuffix("; run 'make regions' [host-region-missing]\n"))
            #expect(!folder.exists("S.swift"))
            #expect(try folder.read("Sources/Station.swift") == Self.source)
            _ = try await folder.run("generate", "Station.preferences.json", "--host-directory", "Sources")
            let current = try await Generator(words, in: folder.url)
            #expect(current.output == "1 schema, 2 keys: no faults; wrote 1 file, found 1 region current\n")
        }
    }

    @Test("An editor is told of a region as of any fault")
    func asJSON() async throws {
        try await withStation { folder in
            let run = try await folder.run(
                "check",
                "Station.preferences.json",
                "--host-directory=Sources",
                "--diagnostics-format=json"
            )
            #expect(run.errors.hasPrefix("[\n  {\"path\": \"Sources/Station.swift\", \"line\": 4, \"column\": 1, "))
            #expect(run.errors.contains("\"rule\": \"host-region-missing\""))
        }
    }

    @Test("A region that no schema wants any more is found, in whatever file of the folder it is")
    func unwanted() async throws {
        try await withStation { folder in
            _ = try await folder.run("generate", "Station.preferences.json", "--host-directory", "Sources")
            let moved = Self.station.replacing("\"Station.swift\"", with: "\"Other.swift\"")
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

    @Test("A host file in a folder that cannot be read is the system's failure")
    func noFolder() async throws {
        try await withStation { folder in
            let run = try await folder.run("generate", "Station.preferences.json", "--host-directory", "Nowhere")
            #expect(run.status == 3)
            #expect(run.errors == "preferences-generator: error: cannot read Nowhere: No such file or directory\n")
        }
    }

    @Test("A host file is not overwritten by an output")
    func hostAsOutput() async throws {
        try await withStation { folder in
            let run = try await folder.run(
                "generate",
                "Station.preferences.json",
                "-o",
                "Sources/Station.swift",
                "--host-directory",
                "Sources"
            )
            #expect(run.status == 2)
            let message = "the output Sources/Station.swift would overwrite a host file"
            #expect(run.errors == "preferences-generator: error: \(message)\n")
            #expect(try folder.read("Sources/Station.swift") == Self.source)
        }
    }

    @Test("Schemas of one name cannot both put keys of their own into one file")
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
                    "\(place): error: another schema named 'App' puts keys of its own into this file too [host-markers]",
                    "\(place): note: rename one of the two, or put its keys into a namespace",
                ]
            )
            #expect(try folder.read("App.swift") == "")
        }
    }

    @Test("A configuration says where host files are, and the command line says it louder")
    func configuration() async throws {
        try await withStation { folder in
            try folder.write(#"{ "access": "package", "hostDirectory": "Hosts" }"#, to: "Sources/config.json")
            try folder.write(Self.source, to: "Sources/Hosts/Station.swift")
            let words = ["generate", "Station.preferences.json", "--config", "Sources/config.json", "-o", "S.swift"]
            let configured = try await Generator(words, in: folder.url)
            #expect(configured.errors == "")
            #expect(try folder.read("Sources/Hosts/Station.swift") != Self.source)
            #expect(try folder.read("Sources/Station.swift") == Self.source)
            #expect(try folder.read("S.swift").contains("package var name"))
            #expect(
                try await folder.run("check", "Station.preferences.json", "--config", "Sources/config.json").output
                    == "1 schema, 2 keys: no faults; 1 region: all current\n"
            )

            try FileManager.default.removeItem(at: folder.url.appending(path: "Sources/Hosts"))
            let told = try await Generator(words + ["--host-directory", "Sources"], in: folder.url)
            #expect(told.status == 0)
            #expect(try folder.read("Sources/Station.swift") != Self.source)

            try folder.write(#"{ "imports": ["Glossary"] }"#, to: "Sources/config.json")
            #expect(try await Generator(words, in: folder.url).status == 0)
            #expect(try folder.read("S.swift").contains("\nimport Glossary\n"))

            let missing = try await folder.run("lint", "Station.preferences.json", "--config", "nowhere.json")
            #expect(missing.status == 3)
            #expect(missing.errors.contains("error: cannot read nowhere.json: No such file or directory\n"))
        }
    }
}
