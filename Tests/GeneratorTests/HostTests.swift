import Foundation
import TestSupport
import Testing

@Suite("Host files of preferences-generator")
struct HostTests {
    private static let schemaPlace = "Station.preferences.json:5:15"

    @Test("A region and the generated file are written together without common accessors")
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
            #expect(written.hasPrefix(Station.source + "\n// preferences:begin Station station\n"))
            #expect(written.contains("fileprivate var token: String?"))
            #expect(!written.contains("var name"))
            let generated = try folder.read("Station.preferences.swift")
            #expect(generated.contains("var name: String?"))
            #expect(!generated.contains("var token"))
            let permissions = try FileManager.default.attributesOfItem(atPath: host)[.posixPermissions] as? Int
            #expect(permissions == 0o640)

            let identity = try folder.identity("Sources/Station.swift")
            let again = try await folder.run("generate", "Station.preferences.json", "--host-directory", "Sources")
            #expect(again.output.isEmpty)
            #expect(try folder.identity("Sources/Station.swift") == identity)
        }
    }

    @Test("A schema with a host file requires a host directory", arguments: ["generate", "check"])
    func noHostDirectory(command: String) async throws {
        try await withStation { folder in
            let run = try await folder.run(command, "Station.preferences.json", "--output", "Station.preferences.swift")
            #expect(run.status == 1)
            #expect(
                run.errorLines.first
                    == "\(Self.schemaPlace): error: the schema has a host file; specify '--host-directory DIR' "
                    + "[host-directory]"
            )
            #expect(try folder.names() == ["Sources", "Station.preferences.json"])
            #expect(try await folder.run("lint", "Station.preferences.json").status == 0)
        }
    }

    @Test("A missing host file is reported at the location that names it")
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

    @Test("'check' reports outdated files with a command that fixes them")
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
            let fix =
                "preferences-generator generate Station.preferences.json --output S.swift --host-directory Sources"
            let first = try await check()
            #expect(first.status == 1)
            #expect(first.output == "1 schema: 1 error\n")
            let missing = "this file has no region for namespace 'station' of Station.preferences.json; run '\(fix)'"
            #expect(first.errors == "Sources/Station.swift:4:1: error: \(missing) [host-region-missing]\n")

            let fixed = try await Generator(fix.split(separator: " ").dropFirst().map(String.init), in: folder.url)
            #expect(fixed.status == 0)
            let current = try await check()
            #expect(current.status == 0)
            #expect(current.output == "1 schema, 2 keys: no faults; 1 file and 1 region: all up to date\n")
            #expect(current.errors == "")

            let other = try folder.read("S.swift").replacing("/// Default `nil`", with: "/// Nothing")
            try folder.write(other, to: "S.swift")
            let stale = try await check()
            #expect(stale.status == 1)
            let message = "the file is not up to date with Station.preferences.json; run '\(fix)' [output-stale]"
            let line = try folder.read("S.swift").split(separator: "\n", omittingEmptySubsequences: false)
                .firstIndex { $0.contains("/// Nothing") }
            #expect(stale.errors == "S.swift:\(try #require(line) + 1):1: error: \(message)\n")

            try FileManager.default.removeItem(at: folder.url.appending(path: "S.swift"))
            let gone = try await check()
            #expect(gone.status == 1)
            #expect(gone.errors == "S.swift:1:1: error: the file does not exist; run '\(fix)' [output-missing]\n")
        }
    }

    @Test("The suggested command works for names that begin with hyphens")
    func hyphens() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "-x.preferences.json")
            let check = ["check", "-o-x.swift", "--", "-x.preferences.json"]
            let run = try await folder.run(shell: "preferences-generator \(check.joined(separator: " "))")
            let command = "preferences-generator generate ./-x.preferences.json --output ./-x.swift"
            #expect(run.errors == "-x.swift:1:1: error: the file does not exist; run '\(command)' [output-missing]\n")
            #expect(try await folder.run(shell: command).status == 0)
            #expect(try await folder.run(shell: "preferences-generator \(check.joined(separator: " "))").status == 0)
        }
    }

    @Test("A missing host that namespaces share is reported once")
    func sharedHost() async throws {
        try await withFolder { folder in
            let keys = #""keys": { "a": { "type": "Int?" } }"#
            let outer =
                #"{ "host": "A.swift", "access": "fileprivate", \#(keys), "namespaces": { "p": { \#(keys) } } }"#
            let schema = #"{ "formatVersion": 1, "namespaces": { "n": \#(outer) } }"#
            try folder.write(schema, to: "A.preferences.json")
            let place = "A.preferences.json:1:54: error:"
            let unknown = try await folder.run("generate", "A.preferences.json", "-o", "A.swift")
            #expect(unknown.errorLines.map { $0.prefix(place.count) } == [place[...]])
            let missing = try await folder.run("generate", "A.preferences.json", "--host-directory", ".")
            #expect(
                missing.errors == """
                    \(place) there is no host file A.swift [host-missing]
                    A.preferences.json:1:54: note: create it, or correct 'host'

                    """
            )
        }
    }

    @Test("A schema whose name a marker cannot represent is rejected", arguments: [" A", "A "])
    func spaces(name: String) async throws {
        try await withFolder { folder in
            let keys = #""keys": { "a": { "type": "Int?", "access": "fileprivate" } }"#
            let path = "\(name).preferences.json"
            try folder.write(#"{ "formatVersion": 1, "host": "A.swift", \#(keys) }"#, to: path)
            try folder.write("", to: "A.swift")
            let run = try await folder.run("generate", path, "--host-directory", ".")
            #expect(run.status == 1)
            #expect(
                run.errors == """
                    \(path):1:31: error: a schema whose name begins or ends with a space cannot have a host file \
                    [host-markers]
                    \(path):1:31: note: rename '\(path)'

                    """
            )
            #expect(try folder.read("A.swift") == "")
        }
    }

    @Test("A region that was edited by hand prevents writing without '--force'")
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
                    == "Sources/Station.swift:5:1: error: this region was edited by hand; move your edits out of it, "
                    + "then run 'preferences-generator generate Station.preferences.json --output S.swift "
                    + "--host-directory Sources --force' [host-region-edited]\n"
            )
            #expect(try folder.read("Sources/Station.swift") == edited)
            #expect(try folder.read("S.swift") == "")
            #expect(try await Generator(words + ["--force"], in: folder.url).status == 0)
            #expect(try folder.read("Sources/Station.swift") == current)
        }
    }

    @Test("'--check-hosts' only checks regions, and '--fix-command' sets the suggested command")
    func checkHosts() async throws {
        try await withStation { folder in
            let words = [
                "generate", "Station.preferences.json", "-o", "S.swift", "--host-directory", "Sources", "--check-hosts",
                "--fix-command", "make regions",
            ]
            let missing = try await Generator(words, in: folder.url)
            #expect(missing.status == 1)
            #expect(missing.errorLines.count == 1)
            #expect(missing.errors.hasSuffix("; run 'make regions' [host-region-missing]\n"))
            #expect(!folder.exists("S.swift"))
            #expect(try folder.read("Sources/Station.swift") == Station.source)
            _ = try await folder.run("generate", "Station.preferences.json", "--host-directory", "Sources")
            let current = try await Generator(words, in: folder.url)
            #expect(current.output == "1 schema, 2 keys: no faults; wrote 1 file, found 1 region up to date\n")
        }
    }

    @Test("The suggested command is quoted for a shell, unless it is too long")
    func fixCommand() async throws {
        try await withFolder { folder in
            try folder.write(Station.schema, to: "My Station.preferences.json")
            try folder.write(Station.source, to: "My Sources/Station.swift")
            let words = ["check", "My Station.preferences.json", "--host-directory", "My Sources"]
            let run = try await Generator(words, in: folder.url)
            let command =
                "preferences-generator generate 'My Station.preferences.json' --host-directory 'My Sources'"
            #expect(run.errors.contains("; run '\(command)' [host-region-missing]"))

            for name in ["a", "b", "c"] {
                try folder.write(Sample.schema(#""\#(name)": { "type": "Int?" }"#), to: "\(name).preferences.json")
            }
            let others = ["a", "b", "c"].map { "\($0).preferences.json" }
            let several = try await Generator(words + others + ["--output-directory", "Out"], in: folder.url)
            let short =
                "preferences-generator generate SCHEMA… --output-directory DIR --host-directory 'My Sources'"
            #expect(several.errors.contains("; run '\(short)' [host-region-missing]"))
        }
    }

    @Test("JSON diagnostics include errors in regions")
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
}
