import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("Output files of preferences-generator")
struct OutputFileTests {
    @Test("An empty output path is rejected", arguments: ["--output", "--output-directory"])
    func emptyPath(option: String) async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            let run = try await folder.run("generate", "Weather.preferences.json", option, "")
            #expect(run.status == 2)
            #expect(run.errorLines.first == "preferences-generator: error: '\(option)' requires a value")
            #expect(try folder.names() == ["Weather.preferences.json"])
        }
    }

    #if os(Linux)
        @Test(
            "A result that standard output does not accept is an error",
            arguments: ["generate Weather.preferences.json --output -", "rules", "help", "lint --help", "--version"]
        )
        func fullStandardOutput(words: String) async throws {
            try await withFolder { folder in
                try folder.write(Sample.weather, to: "Weather.preferences.json")
                let run = try await folder.run(shell: "preferences-generator \(words) > /dev/full")
                #expect(run.status == 3)
                let message = "cannot write <stdout>: No space left on device"
                #expect(run.errors == "preferences-generator: error: \(message)\n")
            }
        }

        @Test("If standard output or a device is full, no file is changed", arguments: ["-", "/dev/full"])
        func fullDeviceBesideFiles(output: String) async throws {
            try await withStation { folder in
                try folder.write(Sample.weather, to: "Weather.preferences.json")
                let run = try await folder.run(
                    shell: """
                        preferences-generator generate Weather.preferences.json Station.preferences.json \
                        -o out/Weather.swift -o \(output) --host-directory Sources > /dev/full
                        """
                )
                #expect(run.status == 3)
                let place = output == "-" ? "<stdout>" : output
                #expect(
                    run.errors == "preferences-generator: error: cannot write \(place): No space left on device\n"
                )
                #expect(try folder.read("Sources/Station.swift") == Station.source)
                #expect(try folder.names(in: "out") == [])
                #expect(try folder.names(in: "Sources") == ["Station.swift"])
            }
        }
    #endif

    @Test("A reader that closes standard output early is not an error")
    func closedPipe() async throws {
        try await withFolder { folder in
            try folder.write(Sample.unused, to: "Unused.preferences.json")
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            // The reader closes the pipe before anything is written.
            let run = try await folder.run(
                shell: """
                    mkfifo pipe gone
                    (exec <pipe; exec <&-; echo >gone) &
                    (exec >pipe; read <gone
                    preferences-generator rules; echo $? >>statuses
                    preferences-generator generate Unused.preferences.json Weather.preferences.json -o - -o W.swift
                    echo $? >>statuses
                    preferences-generator lint Unused.preferences.json; echo $? >>statuses) 2>errors
                    cat errors >&2; cat statuses
                    """
            )
            #expect(run.errors == Sample.warning + Sample.warning)
            #expect(run.output == "0\n0\n0\n")
            #expect(try folder.read("W.swift").contains("temperature"))
            #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
        }
    }

    @Test("A file that exceeds the size limit is an error and is removed")
    func fileSizeLimit() async throws {
        try await withFolder { folder in
            let keys = (0..<100).map { "\"key\($0)\": { \"type\": \"Int?\" }" }
            let schema = "{ \"formatVersion\": 1, \"keys\": { \(keys.joined(separator: ", ")) } }"
            try folder.write(schema, to: "W.preferences.json")
            let run = try await folder.run(
                shell: "ulimit -f 1; preferences-generator generate W.preferences.json -o W.swift"
            )
            #expect(run.status == 3)
            #expect(run.errors == "preferences-generator: error: cannot write W.swift: File too large\n")
            #expect(try folder.names() == ["W.preferences.json"])
        }
    }

    @Test("A closed output pipe is an error, and no file is changed")
    func closedOutput() async throws {
        try await withFolder { folder in
            // More than the capacity of a pipe, so that the reader closes it before everything is written.
            let long = String(repeating: "word ", count: 1 << 16)
            let key = #""wind": { "type": "Double?", "description": "\#(long)" }"#
            try folder.write(Sample.schema(key), to: "Wind.preferences.json")
            try folder.write(Sample.unused, to: "Unused.preferences.json")
            let run = try await folder.run(
                shell: """
                    preferences-generator generate Unused.preferences.json Wind.preferences.json \
                    -o U.swift -o >(head -c 1 >/dev/null)
                    """
            )
            #expect(run.status == 3)
            #expect(
                run.errors.replacing(/\/dev\/fd\/[0-9]+/, with: "/dev/fd/N")
                    == "preferences-generator: error: cannot write /dev/fd/N: Broken pipe\n" + Sample.warning
            )
            #expect(try folder.names() == ["Unused.preferences.json", "Wind.preferences.json"])
        }
    }

    @Test("A file that is up to date is not touched, and nothing is printed if all are")
    func unchanged() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            try folder.write(Sample.animals, to: "Animals.preferences.json")
            func generate() async throws -> Generator {
                try await folder.run(
                    "generate",
                    "Weather.preferences.json",
                    "Animals.preferences.json",
                    "--output-directory",
                    "."
                )
            }
            #expect(try await generate().status == 0)
            let weather = try folder.identity("Weather.preferences.swift")
            let animals = try folder.identity("Animals.preferences.swift")
            let second = try await generate()
            #expect(second.output.isEmpty)
            #expect(try folder.identity("Weather.preferences.swift") == weather)
            #expect(try folder.identity("Animals.preferences.swift") == animals)

            try folder.write(Sample.schema(#""tiger": { "type": "Int?" }"#), to: "Animals.preferences.json")
            let third = try await generate()
            #expect(third.output == "2 schemas, 2 keys: no faults; wrote 1 file, left 1 file unchanged\n")
            #expect(try folder.identity("Weather.preferences.swift") == weather)
            #expect(try folder.identity("Animals.preferences.swift") != animals)
        }
    }

    @Test("An invalid schema leaves every output unchanged")
    func invalidSchema() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            try folder.write(Sample.invalid, to: "Faulty.preferences.json")
            try folder.write("old", to: "W.swift")
            let old = try folder.identity("W.swift")
            let run = try await folder.run(
                "generate",
                "Weather.preferences.json",
                "Faulty.preferences.json",
                "-o",
                "W.swift",
                "-o",
                "F.swift"
            )
            #expect(run.status == 1)
            #expect(run.output == "2 schemas: 1 error. Nothing was written.\n")
            #expect(run.errors == Sample.fault)
            #expect(try folder.identity("W.swift") == old)
            #expect(!folder.exists("F.swift"))
        }
    }

    @Test("An unreadable schema leaves every output unchanged")
    func unreadableSchema() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            let run = try await folder.run(
                "generate",
                "Weather.preferences.json",
                "Missing.preferences.json",
                "-o",
                "W.swift",
                "-o",
                "M.swift"
            )
            #expect(run.status == 3)
            #expect(run.output == "1 schema: 1 unreadable file. Nothing was written.\n")
            #expect(try folder.names() == ["Weather.preferences.json"])
        }
    }

    @Test("If one file cannot be written, the others are unchanged", arguments: [true, false])
    func unwritableOutput(firstExists: Bool) async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            try folder.write(Sample.animals, to: "Animals.preferences.json")
            if firstExists { try folder.write("old", to: "W.swift") }
            let old = firstExists ? try folder.identity("W.swift") : ""
            // A folder has the path of the second file.
            try folder.write("", to: "A.swift/file")
            let run = try await folder.run(
                "generate",
                "Weather.preferences.json",
                "Animals.preferences.json",
                "-o",
                "W.swift",
                "-o",
                "A.swift"
            )
            #expect(run.status == 3)
            #expect(run.output == "")
            #expect(run.errors == "preferences-generator: error: cannot write A.swift: Is a directory\n")
            #expect(folder.exists("W.swift") == firstExists)
            if firstExists {
                #expect(try folder.read("W.swift") == "old")
                #expect(try folder.identity("W.swift") == old)
            }
            let expected = ["A.swift", "Animals.preferences.json"] + (firstExists ? ["W.swift"] : [])
            #expect(try folder.names() == expected + ["Weather.preferences.json"])
        }
    }

    @Test("If a file takes the place of an output folder, the other outputs are unchanged")
    func fileInTheWay() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            try folder.write(Sample.animals, to: "Animals.preferences.json")
            try folder.write("", to: "file")
            let run = try await folder.run(
                "generate",
                "Weather.preferences.json",
                "Animals.preferences.json",
                "-o",
                "W.swift",
                "-o",
                "file/A.swift"
            )
            #expect(run.status == 3)
            #expect(run.errorLines.count == 1)
            #expect(run.errors.hasPrefix("preferences-generator: error: cannot write file/A.swift: "))
            #expect(!folder.exists("W.swift"))
        }
    }

    @Test("New files have the permissions of the umask, and existing files keep theirs")
    func permissions() async throws {
        try await withFolder { folder in
            func permissions(_ path: String) throws -> Int? {
                let path = folder.url.appending(path: path).path
                return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            try folder.write("", to: "Plain")
            try folder.write("old", to: "Old.swift")
            let old = folder.url.appending(path: "Old.swift").path
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: old)
            for output in ["New.swift", "Old.swift"] {
                #expect(try await folder.run("generate", "-", "--output", output, input: Sample.weather).status == 0)
            }
            #expect(try permissions("New.swift") == permissions("Plain"))
            #expect(try permissions("Old.swift") == 0o640)
        }
    }

    @Test("A symbolic link is preserved, and its destination is written")
    func symbolicLink() async throws {
        try await withFolder { folder in
            try folder.write("old", to: "real/Weather.swift")
            let link = folder.url.appending(path: "Link.swift")
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "real/Weather.swift")
            #expect(try await folder.run("generate", "-", "--output", "Link.swift", input: Sample.weather).status == 0)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "real/Weather.swift")
            #expect(try folder.read("real/Weather.swift").hasPrefix("// Generated"))
        }
    }

    @Test("A pipe is written to, not replaced")
    func pipe() async throws {
        try await withFolder { folder in
            let path = folder.url.appending(path: "Pipe.swift").path
            try #require(mkfifo(path, 0o600) == 0)
            // Opened for reading and writing, the pipe accepts data without a reader.
            let reader = try #require(FileHandle(forUpdatingAtPath: path))
            #expect(try await folder.run("generate", "-", "--output", "Pipe.swift", input: Sample.weather).status == 0)
            #expect(String(decoding: reader.availableData, as: UTF8.self).hasPrefix("// Generated"))
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            #expect(type != .typeRegular)
        }
    }

    @Test(
        "No spelling of a schema's path is accepted as an output",
        arguments: ["W.json", "./W.json", "sub/../W.json", "Link.json"]
    )
    func schemaAsOutput(output: String) async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "W.json")
            try folder.write("", to: "sub/file")
            let link = folder.url.appending(path: "Link.json").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "W.json")
            let run = try await folder.run("generate", "W.json", "--output", output)
            #expect(run.status == 2)
            let message = "the output \(output) would overwrite a schema"
            #expect(run.errorLines.first == "preferences-generator: error: \(message)")
            #expect(try folder.read("W.json") == Sample.weather)
        }
    }

    @Test("Two schemas with one output are rejected")
    func twoSchemasToOneOutput() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "a/App.preferences.json")
            try folder.write(Sample.animals, to: "b/App.preferences.json")
            let run = try await folder.run(
                "generate",
                "a/App.preferences.json",
                "b/App.preferences.json",
                "--output-directory",
                "out"
            )
            #expect(run.status == 2)
            #expect(
                run.errorLines.first
                    == "preferences-generator: error: a/App.preferences.json and b/App.preferences.json would both be written to "
                    + "out/App.preferences.swift; give each its own '--output FILE'"
            )
            #expect(!folder.exists("out"))
        }
    }
}
