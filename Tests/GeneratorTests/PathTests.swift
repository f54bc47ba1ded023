import Foundation
import TestSupport
import Testing

@Suite("Paths of preferences-generator")
struct PathTests {
    @Test(
        "An argument that is not UTF-8 is rejected, and nothing is written",
        arguments: ["generate", "lint", "rules", "--version"]
    )
    func argument(command: String) async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "a.json")
            let run = try await folder.run(
                shell: #"preferences-generator \#(command) a.json -o $'out\xE9\xC3\xA9/A.swift'"#
            )
            #expect(run.status == 2)
            #expect(
                run.errors == """
                    preferences-generator: error: argument 4 is not UTF-8: \
                    'out\\xE9é/A.swift'; rename the file
                    Run 'preferences-generator --help' for usage.

                    """
            )
            #expect(try folder.names() == ["a.json"])
        }
    }

    @Test("Files are read and written in a current folder whose name is not UTF-8")
    func currentFolder() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "a.json")
            let run = try await folder.run(
                shell: #"""
                    mkdir $'here\xE9' && cd $'here\xE9' && ln -s x.swift link.swift
                    preferences-generator generate ../a.json -o out/A.swift && mv out/A.swift .. &&
                    preferences-generator generate ../a.json -o link.swift && mv x.swift link.swift .. && rmdir out
                    """#
            )
            #expect(run.errors == "")
            #expect(run.status == 0)
            #expect(try folder.read("A.swift").contains("temperature"))
            #expect(try folder.read("link.swift").contains("temperature"))
            #expect(try folder.names().count == 5)
        }
    }

    @Test("An output that is a link to a path that is not UTF-8 is preserved")
    func link() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "a.json")
            let run = try await folder.run(
                shell: #"ln -s $'b\xE9.swift' A.swift; preferences-generator generate a.json -o A.swift"#
            )
            #expect(run.status == 3)
            #expect(
                run.errors == "preferences-generator: error: cannot write A.swift: it is a link to 'b\\xE9.swift', "
                    + "which is not UTF-8\n"
            )
            #expect(try folder.names() == ["A.swift", "a.json"])
        }
    }

    @Test(
        "A schema is not accepted as an output if the name of the current folder is not UTF-8",
        arguments: ["W.preferences.json", "Link.swift", "../Outer.swift", "sub/../W.preferences.json"]
    )
    func schemaAsOutput(output: String) async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "W.preferences.json")
            let run = try await folder.run(
                shell: #"""
                    mkdir -p $'here\xE9/sub' && mv W.preferences.json $'here\xE9' && cd $'here\xE9'
                    ln -s W.preferences.json Link.swift
                    ln -s $'here\xE9/W.preferences.json' ../Outer.swift
                    preferences-generator generate W.preferences.json -o \#(output); status=$?
                    cat W.preferences.json; exit $status
                    """#
            )
            #expect(run.status == 2)
            #expect(
                run.errorLines.first
                    == "preferences-generator: error: the output \(output) would overwrite a schema"
            )
            #expect(run.output == Sample.weather)
        }
    }

    @Test("An output that is a hard link to a schema is replaced without changing the schema")
    func hardLink() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "W.preferences.json")
            let run = try await folder.run(
                shell: "ln W.preferences.json W.swift; preferences-generator generate W.preferences.json -o W.swift"
            )
            #expect(run.errors == "")
            #expect(try folder.read("W.preferences.json") == Sample.weather)
            #expect(try folder.read("W.swift").contains("temperature"))
        }
    }

    @Test("A file that is standard input is neither overwritten nor read twice")
    func standardInput() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "W.preferences.json")
            let run = try await folder.run(
                shell: """
                    preferences-generator generate - -o W.preferences.json <W.preferences.json
                    preferences-generator lint - W.preferences.json <W.preferences.json
                    """
            )
            #expect(
                run.errorLines.filter { !$0.hasPrefix("Run ") } == [
                    "preferences-generator: error: the output W.preferences.json would overwrite a schema",
                    "preferences-generator: error: schema 'W.preferences.json' is given twice",
                ]
            )
            #expect(try folder.read("W.preferences.json") == Sample.weather)
        }
    }

    @Test("Two paths of one new output are recognized through links and spellings")
    func newOutput() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            try folder.write(Sample.animals, to: "Animals.preferences.json")
            for (first, second) in [("new/A.swift", "new/./sub/../A.swift"), ("A.swift", "Link.swift")] {
                let run = try await folder.run(
                    shell: """
                        ln -sf A.swift Link.swift
                        preferences-generator generate Weather.preferences.json Animals.preferences.json \
                        -o \(first) -o \(second)
                        """
                )
                #expect(run.status == 2)
                #expect(
                    run.errorLines.first == "preferences-generator: error: Weather.preferences.json and "
                        + "Animals.preferences.json would both be written to \(second); give each its own '--output FILE'"
                )
            }
            #expect(try folder.names() == ["Animals.preferences.json", "Link.swift", "Weather.preferences.json"])
        }
    }

    @Test("Several outputs can be written to one pipe or device")
    func sharedDevice() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            try folder.write(Sample.animals, to: "Animals.preferences.json")
            let run = try await folder.run(
                "generate",
                "Weather.preferences.json",
                "Animals.preferences.json",
                "-o/dev/null",
                "-o/dev/null"
            )
            #expect(run.errors == "")
            #expect(run.output == "2 schemas, 2 keys: no faults; wrote 2 files\n")
        }
    }

    @Test("A schema in a folder that cannot be named or read is reported, and the others are checked")
    func unreadableBelow() async throws {
        try await withFolder { folder in
            try folder.write(Sample.invalid, to: "Schemas/b/Faulty.preferences.json")
            let run = try await folder.run(
                shell: #"""
                    cd Schemas
                    echo '{}' > $'W\xE9.preferences.json'
                    touch $'photo\xE9.jpg'; mkdir $'empty\xE9' $'full\xE9'
                    cp b/Faulty.preferences.json $'full\xE9/More.preferences.json'
                    ln -s nowhere c.preferences.json
                    mkfifo pipe.preferences.json
                    cd ..; preferences-generator lint Schemas
                    """#
            )
            #expect(run.status == 3)
            #expect(
                run.errors == """
                    preferences-generator: error: cannot read Schemas/W\\xE9.preferences.json: its path is not UTF-8; \
                    rename it
                    preferences-generator: error: cannot read Schemas/full\\xE9/More.preferences.json: its path is not \
                    UTF-8; rename it
                    preferences-generator: error: cannot read Schemas/c.preferences.json: No such file or directory
                    \(Sample.fault.replacing("Faulty.preferences.json", with: "Schemas/b/Faulty.preferences.json"))
                    """
            )
            #expect(run.output == "1 schema: 3 unreadable files, 1 error\n")
        }
    }

    // The superuser can read any folder, unless it drops that capability.
    @Test("A folder that cannot be read is reported, and the others are checked")
    func unreadableFolder() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Schemas/Weather.preferences.json")
            try folder.write(Sample.weather, to: "Schemas/secret/Other.preferences.json")
            let run = try await folder.run(
                shell: """
                    chmod 0 Schemas/secret
                    if [ "$(id -u)" = 0 ]; then without='setpriv --bounding-set -all --inh-caps -all'; fi
                    $without "$(command -v preferences-generator)" lint Schemas; status=$?
                    chmod 700 Schemas/secret; exit $status
                    """
            )
            #expect(run.errors == "preferences-generator: error: cannot read Schemas/secret: Permission denied\n")
            #expect(run.output == "1 schema: 1 unreadable file\n")
            #expect(run.status == 3)
        }
    }

    @Test("Links to folders are followed without cycles", .timeLimit(.minutes(5)))
    func linkedFolders() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "elsewhere/in/Weather.preferences.json")
            try folder.write(Sample.animals, to: "Schemas/Animals.preferences.json")
            let run = try await folder.run(
                shell: """
                    ln -s ../elsewhere Schemas/linked; ln -s ../elsewhere Schemas/twice
                    ln -s .. elsewhere/in/up; ln -s . Schemas/self; ln -s loop Schemas/loop
                    preferences-generator lint Schemas
                    """
            )
            #expect(run.errors == "")
            #expect(run.output == "2 schemas, 2 keys: no faults\n")
            #expect(run.status == 0)
        }
    }

    @Test("Host files are found through links, and an unreadable one does not hide faults in others")
    func hostFolder() async throws {
        try await withStation { folder in
            let run = try await folder.run(
                shell: #"""
                    mv Sources Elsewhere; mkdir Sources; ln -s ../Elsewhere Sources/linked; ln -s .. Elsewhere/up
                    sed -i 's,"Station.swift","linked/Station.swift",' Station.preferences.json
                    preferences-generator generate Station.preferences.json --host-directory Sources
                    sed -i '/"host"/d' Station.preferences.json
                    ln -s nowhere Sources/Dangling.swift; touch $'Sources/\xE9.swift'
                    preferences-generator check Station.preferences.json --host-directory Sources
                    """#
            )
            #expect(run.status == 3)
            #expect(
                run.output
                    == "1 schema, 2 keys: no faults; wrote 1 file\n1 schema: 2 unreadable files, 1 error, 1 warning\n"
            )
            #expect(
                run.errorLines == [
                    "preferences-generator: error: cannot read Sources/\\xE9.swift: its path is not UTF-8; rename it",
                    "preferences-generator: error: cannot read Sources/Dangling.swift: No such file or directory",
                    "Sources/linked/Station.swift:5:1: error: nothing goes here of namespace 'station' of "
                        + "Station.preferences.json [host-region-unwanted]",
                    "Sources/linked/Station.swift:5:1: note: delete lines 5 to 13",
                    "Station.preferences.json:5:57: warning: key 'token' is fileprivate in the generated file, "
                        + "where nothing can use it [unreachable-accessor]",
                    "Station.preferences.json:5:57: note: add the file that uses it: \"host\": \"NAME.swift\"",
                ]
            )
        }
    }

    @Test("Names of the maximum length are supported")
    func longName() async throws {
        try await withFolder { folder in
            let name = String(repeating: "n", count: 255 - ".preferences.swift".utf8.count)
            try folder.write(Sample.weather, to: "\(name).preferences.json")
            let run = try await folder.run("generate", "\(name).preferences.json", "--output-directory", ".")
            #expect(run.errors == "")
            #expect(run.status == 0)
            #expect(folder.exists("\(name).preferences.swift"))
            let longer = "n" + name + ".preferences.json"
            try folder.write(Sample.weather, to: longer)
            let second = try await folder.run("generate", longer, "--output-directory", ".")
            #expect(second.status == 3)
            #expect(
                second.errors == "preferences-generator: error: cannot write n\(name).preferences.swift: "
                    + "File name too long\n"
            )
            #expect(try await folder.run("generate", longer, "-oshort.swift").status == 0)
        }
    }

    @Test("Schemas and configurations can be pipes, which are read once")
    func pipes() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            try folder.write(Sample.invalid, to: "Faulty.preferences.json")
            try folder.write(#"{"access": "public"}"#, to: "config.json")
            let run = try await folder.run(
                shell: """
                    preferences-generator generate <(cat Weather.preferences.json) --config <(cat config.json) -o A.swift
                    preferences-generator check <(cat Weather.preferences.json) --config <(cat config.json) -o A.swift
                    mkfifo Named.preferences.json; cat Faulty.preferences.json >Named.preferences.json &
                    preferences-generator lint Named.preferences.json
                    """
            )
            #expect(
                run.output == """
                    1 schema, 1 key: no faults; wrote 1 file
                    1 schema, 1 key: no faults; 1 file: all up to date
                    1 schema: 1 error

                    """
            )
            #expect(run.errors == Sample.fault.replacing("Faulty", with: "Named"))
            #expect(try folder.read("A.swift").contains("public protocol APreferences"))
            #expect(try folder.read("A.swift").contains("from A.preferences.json"))
        }
    }

    @Test("A schema from process substitution is named as one from standard input")
    func processSubstitution() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "Weather.preferences.json")
            let run = try await folder.run(shell: "preferences-generator lint <(cat Weather.preferences.json)")
            #expect(run.errors == "")
            #expect(run.output == "1 schema, 1 key: no faults\n")
        }
    }

    #if os(Linux)
        @Test("A schema in shared memory is named after its file")
        func sharedMemory() async throws {
            try await withTemporaryDirectory(in: URL(filePath: "/dev/shm")) { url in
                let folder = Folder(url: url)
                try folder.write(Sample.weather, to: "Weather.preferences.json")
                let path = url.appending(path: "Weather.preferences.json").path
                let run = try await folder.run("generate", path, "--output-directory", "out")
                #expect(run.errors == "")
                #expect(try folder.names(in: "out") == ["Weather.preferences.swift"])
                #expect(try folder.read("out/Weather.preferences.swift").contains("protocol WeatherPreferences"))
            }
        }
    #endif

    @Test("A folder that can be listed but not searched is reported")
    func unsearchable() async throws {
        try await withFolder { folder in
            try folder.write(Sample.weather, to: "all/inner/Weather.preferences.json")
            let run = try await folder.run(
                shell: """
                    chmod a=r all
                    if [ "$(id -u)" = 0 ]; then without='setpriv --bounding-set -all --inh-caps -all'; fi
                    $without preferences-generator lint all; status=$?
                    chmod u=rwx all
                    exit $status
                    """
            )
            #expect(run.status == 3)
            #expect(run.errors == "preferences-generator: error: cannot read all/inner: Permission denied\n")
        }
    }

    @Test("Control characters are escaped in messages and diagnostics")
    func controlCharacters() async throws {
        try await withFolder { folder in
            let name = "a\u{1B}[2J\n\u{202E}.preferences.json"
            try folder.write(Sample.invalid, to: name)
            let run = try await folder.run("lint", name, "b\u{7}")
            #expect(
                run.errors == "preferences-generator: error: cannot read b\\u{7}: No such file or directory\n"
                    + Sample.fault.replacing("Faulty", with: #"a\u{1B}[2J\n\u{202E}"#)
            )
        }
    }
}
