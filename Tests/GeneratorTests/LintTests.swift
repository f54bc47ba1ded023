import Foundation
import TestSupport
import Testing

@Suite("preferences-generator lint")
struct LintTests {
    @Test("JSON diagnostics include unreadable files")
    func unreadableFileAsJSON() async throws {
        try await withFolder { folder in
            let run = try await folder.run("lint", "Missing.preferences.json", "--diagnostics-format", "json")
            #expect(run.status == 3)
            #expect(
                run.errors == """
                    [
                      {"path": "Missing.preferences.json", "line": 1, "column": 1, "severity": "error", \
                    "message": "cannot read Missing.preferences.json: No such file or directory", \
                    "rule": "unreadable-file", "notes": []}
                    ]

                    """
            )
        }
    }

    // Runs a process, because matching that does not end can be terminated only with it.
    @Test("Patterns with endless matching are reported, and only a few are tested")
    func endlessPatterns() async throws {
        try await withFolder { folder in
            let text = String(repeating: "a", count: 100)
            let keys = (0..<50).map { #""k\#($0)": {"type": "String", "default": "\#(text)", "pattern": "(a+)+b"}"# }
            let schema = #"{"formatVersion": 1, "keys": {\#n\#(keys.joined(separator: ",\n"))}}"#
            try folder.write(schema, to: "Slow.preferences.json")
            let run = try await folder.run("lint", "Slow.preferences.json")
            #expect(run.status == 1)
            #expect(
                run.errorLines.filter { $0.hasPrefix("Slow") }
                    == (2...4).flatMap { line in
                        [
                            "Slow.preferences.json:\(line):152: error: the pattern takes too long to match "
                                + "[invalid-pattern]",
                            "Slow.preferences.json:\(line):37: note: the value is here",
                        ]
                    }
            )
        }
    }

    @Test("A device without an end is refused")
    func endlessDevice() async throws {
        try await withFolder { folder in
            let run = try await folder.run("lint", "/dev/zero")
            #expect(run.status == 3)
            #expect(run.errors == "preferences-generator: error: cannot read /dev/zero: it has more than 1 GiB\n")
        }
    }

    @Test("One schema with two spellings of its path is rejected")
    func sameSchemaTwice() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            let run = try await folder.run("lint", "Weather.preferences.json", "./Weather.preferences.json")
            #expect(run.status == 2)
            #expect(run.errorLines.first?.hasSuffix("schema './Weather.preferences.json' is given twice") == true)
        }
    }

    @Test("A valid schema is summarized as having no faults")
    func noFaults() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            let run = try await folder.run("lint", "Weather.preferences.json")
            #expect(run.status == 0)
            #expect(run.output == "1 schema, 1 key: no faults\n")
            #expect(run.errors == "")
            #expect(try folder.names() == ["Weather.preferences.json"])
        }
    }

    @Test("Faults are printed to standard error, and a summary to standard output")
    func faults() async throws {
        try await withFolder { folder in
            try folder.write(Sample.invalid, to: "Faulty.preferences.json")
            let run = try await folder.run("lint", "Faulty.preferences.json")
            #expect(run.status == 1)
            #expect(run.output == "1 schema: 1 error\n")
            #expect(run.errors == Sample.fault)
        }
    }

    @Test("The faults of all schemas are printed in order")
    func severalSchemas() async throws {
        try await withFolder { folder in
            for name in ["c", "a", "b"] { try folder.write(Sample.invalid, to: "\(name).preferences.json") }
            let run = try await folder.run("lint", "c.preferences.json", "a.preferences.json", "b.preferences.json")
            #expect(run.status == 1)
            let errors = run.errorLines.filter { $0.contains("unknown-type") }.map { $0.prefix(1) }
            #expect(errors == ["a", "b", "c"])
        }
    }

    @Test("Names that clash between schemas are reported")
    func clash() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "A.preferences.json")
            try folder.write(Sample.weather, to: "B.preferences.json")
            let run = try await folder.run("lint", "A.preferences.json", "B.preferences.json")
            #expect(run.status == 1)
            #expect(run.errorLines.first?.hasPrefix("B.preferences.json:3:13: error: ") == true)
            #expect(run.errorLines.dropFirst().first?.hasPrefix("A.preferences.json:3:13: note: ") == true)
        }
    }

    @Test("A warning is an error only with '--strict'", arguments: [[], ["--strict"]])
    func warnings(options: [String]) async throws {
        try await withFolder { folder in
            try folder.write(Sample.unused, to: "Unused.preferences.json")
            let run = try await Generator(["lint", "Unused.preferences.json"] + options, in: folder.url)
            let isStrict = !options.isEmpty
            #expect(run.status == (isStrict ? 1 : 0))
            #expect(run.output == (isStrict ? "1 schema: 1 error\n" : "1 schema, 1 key: 1 warning\n"))
            #expect(run.errors == (isStrict ? Sample.warning.replacing("warning", with: "error") : Sample.warning))
        }
    }

    @Test("A schema is read from standard input")
    func standardInput() async throws {
        try await withFolder { folder in
            let run = try await folder.run("lint", "-", input: Sample.invalid)
            #expect(run.status == 1)
            #expect(run.errors == Sample.fault.replacing("Faulty.preferences.json", with: "<stdin>"))
        }
    }

    @Test("Megabytes of diagnostics are printed completely")
    func manyFaults() async throws {
        try await withFolder { folder in
            let keys = (0..<5000).map { #""key\#($0)": { "type": "Intt?" }"# }
            let run = try await folder.run("lint", "-", input: Sample.schema(keys.joined(separator: ",\n")))
            #expect(run.status == 1)
            #expect(run.errorLines.count == 10_000)
            #expect(run.output == "1 schema: 5000 errors\n")
        }
    }

    @Test("JSON diagnostics contain the details of the text")
    func json() async throws {
        try await withFolder { folder in
            try folder.write(Sample.invalid, to: "Faulty.preferences.json")
            try folder.write(Sample.unused, to: "Unused.preferences.json")
            let run = try await folder.run(
                "lint",
                "Faulty.preferences.json",
                "--diagnostics-format",
                "json",
                "Unused.preferences.json"
            )
            #expect(run.status == 1)
            #expect(run.output == "2 schemas: 1 error, 1 warning\n")
            let found = try #require(try JSONSerialization.jsonObject(with: Data(run.errors.utf8)) as? [[String: Any]])
            #expect(found.map { $0["path"] as? String } == ["Faulty.preferences.json", "Unused.preferences.json"])
            #expect(found.map { $0["line"] as? Int } == [3, 1])
            #expect(found.map { $0["column"] as? Int } == [32, 34])
            #expect(found.map { $0["severity"] as? String } == ["error", "warning"])
            #expect(found.map { $0["rule"] as? String } == ["unknown-type", "unused-type"])
            #expect(found.map { $0["message"] as? String } == ["unknown type 'Duble'", "no key uses type 'Unit'"])
            let notes = found.map { ($0["notes"] as? [[String: Any]])?.map { $0["message"] as? String } }
            #expect(notes == [["did you mean 'Double'?"], []])
        }
    }

    @Test("JSON diagnostics of a valid schema are an empty array")
    func emptyJSON() async throws {
        try await withFolder { folder in
            let run = try await folder.run("lint", "--diagnostics-format=json", "-", input: Sample.weather)
            #expect(run.status == 0)
            #expect(try JSONSerialization.jsonObject(with: Data(run.errors.utf8)) as? [String] == [])
        }
    }

    @Test("A missing file is reported, and the others are checked")
    func missingFile() async throws {
        try await withFolder { folder in
            try folder.write(Sample.invalid, to: "Faulty.preferences.json")
            let run = try await folder.run("lint", "Missing.preferences.json", "Faulty.preferences.json")
            #expect(run.status == 3)
            let message =
                "preferences-generator: error: cannot read Missing.preferences.json: No such file or directory\n"
            #expect(run.errors == message + Sample.fault)
            #expect(run.output == "1 schema: 1 unreadable file, 1 error\n")
        }
    }

    @Test("A folder is replaced by the schemas that it contains at any depth")
    func folder() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Schemas/Weather.preferences.json")
            try folder.write(Sample.invalid, to: "Schemas/Deep/er/Faulty.preferences.json")
            try folder.write(Sample.invalid, to: "Schemas/.build/Faulty.preferences.json")
            try folder.write(Sample.invalid, to: "Schemas/Notes.json")
            let run = try await folder.run("lint", "Schemas", "Schemas/Weather.preferences.json")
            #expect(run.status == 1)
            #expect(run.output == "2 schemas: 1 error\n")
            let path = "Schemas/Deep/er/Faulty.preferences.json"
            #expect(run.errors == Sample.fault.replacing("Faulty.preferences.json", with: path))
        }
    }

    @Test("A folder without schemas is rejected")
    func folderWithoutSchemas() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Schemas/Weather.json")
            let run = try await folder.run("lint", "Schemas")
            #expect(run.status == 2)
            #expect(run.output == "")
            #expect(
                run.errors == "preferences-generator: error: no file in Schemas ends in '.preferences.json'\n"
            )
        }
    }

    @Test("Other commands do not accept a folder")
    func folderToGenerate() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Folder.preferences.json/Weather.preferences.json")
            let run = try await folder.run("generate", "Folder.preferences.json", "--output", "F.swift")
            #expect(run.status == 3)
            #expect(run.errors == "preferences-generator: error: cannot read Folder.preferences.json: Is a directory\n")
        }
    }
}
