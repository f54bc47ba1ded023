import Foundation
import TestSupport
import Testing

@Suite("prefs schema import")
struct SchemaImportTests {
    private static let kcfg = """
        <kcfg>
          <include>a.h</include>
          <group name="General"><entry name="Size" type="Int"><default>3</default></entry></group>
        </kcfg>
        """

    private static let schema = """
        {
          "formatVersion": 1,
          "namespaces": {
            "general": {
              "id": "General",
              "keys": {
                "size": { "type": "Int", "default": 3, "id": "Size" }
              }
            }
          }
        }

        """

    private static let remark = "A.kcfg:2: remark: <include> of a.h is left out: it is C++\n"

    @Test(
        "Without an output, the schema is printed to standard output and the rest to standard error",
        arguments: [[], ["-o", "-"]]
    )
    func printed(options: [String]) async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            let run = try await Prefs(["schema", "import", "A.kcfg"] + options, in: folder.url)
            #expect(run.status == 0)
            #expect(run.output == Self.schema)
            #expect(run.errors == Self.remark + "imported 1 schema with 1 key; 1 remark\n")
            #expect(try folder.names() == ["A.kcfg"])
        }
    }

    @Test("The imported schema is written to the given output, and source can be generated from it")
    func written() async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            let run = try await folder.run("schema", "import", "A.kcfg", "--output", "out/A.preferences.json")
            #expect(run.status == 0)
            #expect(run.output == "imported 1 schema with 1 key; 1 remark; wrote 1 file\n")
            #expect(run.errors == Self.remark)
            #expect(try folder.read("out/A.preferences.json") == Self.schema)
            let generated = try await ToolRun(
                "preferences-generator",
                ["generate", "out/A.preferences.json", "-o", "A.swift"],
                in: folder.url
            )
            #expect(generated.output == "1 schema, 1 key: no faults; wrote 1 file\n")
        }
    }

    @Test("Files of all formats are imported into one directory and lint clean")
    func directory() async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            try folder.write(#"{ "on": true }"#, to: "b.json")
            try folder.write("<plist><dict><key>off</key><false/></dict></plist>", to: "c.plist")
            try folder.write(
                """
                <plist><dict><key>PreferenceSpecifiers</key><array><dict>
                  <key>Type</key><string>PSTextFieldSpecifier</string><key>Key</key><string>name</string>
                </dict></array></dict></plist>
                """,
                to: "Settings.bundle/Root.plist"
            )
            try folder.write(
                """
                <schemalist><schema id="a" path="/a/"><key name="b" type="b"><default>true</default></key></schema></schemalist>
                """,
                to: "d.gschema.xml"
            )
            let run = try await folder.run(
                "schema",
                "import",
                "A.kcfg",
                "b.json",
                "c.plist",
                "Settings.bundle",
                "d.gschema.xml",
                "--output-directory=out"
            )
            #expect(run.status == 0)
            #expect(run.output == "imported 5 schemas with 5 keys; 2 remarks; wrote 5 files\n")
            let schemas = ["A", "Settings", "b", "c", "d"].map { "\($0).preferences.json" }
            #expect(try folder.names(in: "out") == schemas)
            let lint = try await ToolRun(
                "preferences-generator",
                ["lint"] + schemas.map { "out/\($0)" },
                in: folder.url
            )
            #expect(lint.output == "5 schemas, 5 keys: no faults\n")
            #expect(lint.errors == "")
        }
    }

    @Test("An existing file that differs is replaced only with '--force'")
    func force() async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            try folder.write("mine", to: "A.preferences.json")
            let refused = try await folder.run("schema", "import", "A.kcfg", "-o", "A.preferences.json")
            #expect(refused.status == 3)
            #expect(refused.output == "")
            #expect(
                refused.errors == Self.remark
                    + "prefs: error: cannot write A.preferences.json: it exists and differs; use "
                    + "'--force' to replace it\n"
            )
            #expect(try folder.read("A.preferences.json") == "mine")

            let forced = try await folder.run("schema", "import", "A.kcfg", "-o", "A.preferences.json", "--force")
            #expect(forced.status == 0)
            #expect(try folder.read("A.preferences.json") == Self.schema)

            let identity = try folder.identity("A.preferences.json")
            let again = try await folder.run("schema", "import", "A.kcfg", "-o", "A.preferences.json")
            #expect(again.output == "imported 1 schema with 1 key; 1 remark; left 1 file unchanged\n")
            #expect(try folder.identity("A.preferences.json") == identity)
        }
    }

    @Test("An invalid file prevents writing, and the remarks on others are printed")
    func invalidFile() async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            try folder.write("<kcfg>\n<group/></kcfg>", to: "B.kcfg")
            let run = try await folder.run("schema", "import", "B.kcfg", "A.kcfg", "--output-directory", "out")
            #expect(run.status == 1)
            #expect(run.output == "")
            #expect(
                run.errors == "B.kcfg:2: remark: <group> is left out: it has no name\n"
                    + "B.kcfg: error: the file contains nothing that a schema can represent\n" + Self.remark
                    + "Nothing was written.\n"
            )
            #expect(!folder.exists("out"))
        }
    }

    @Test("An unreadable file has another exit status than an invalid one")
    func unreadable() async throws {
        try await withFolder { folder in
            try folder.write("<kcfg>\n<group/></kcfg>", to: "B.kcfg")
            let run = try await folder.run("schema", "import", "no.kcfg", "B.kcfg", "--output-directory", "out")
            #expect(run.status == 3)
            #expect(
                run.errors == """
                    prefs: error: cannot read no.kcfg: No such file or directory
                    B.kcfg:2: remark: <group> is left out: it has no name
                    B.kcfg: error: the file contains nothing that a schema can represent
                    Nothing was written.

                    """
            )
        }
    }

    @Test("Options set the format, the access level and the namespace")
    func options() async throws {
        try await withFolder { folder in
            try folder.write(#"{ "on": true }"#, to: "a.conf")
            let run = try await folder.run(
                "schema",
                "import",
                "--from",
                "json",
                "a.conf",
                "--access",
                "public",
                "--namespace=app"
            )
            #expect(run.status == 0)
            #expect(
                run.output == """
                    {
                      "formatVersion": 1,
                      "access": "public",
                      "namespaces": {
                        "app": {
                          "keys": {
                            "on": { "type": "Bool", "default": true, "storageName": "on" }
                          }
                        }
                      }
                    }

                    """
            )
        }
    }

    /// Invalid command lines, with their error messages.
    static let invalid: [(arguments: [String], message: String)] = [
        ([], "no file given; name one or more files to import"),
        (["-"], "'schema import' does not read standard input; name a file"),
        (["A.kcfg", "./A.kcfg"], "file './A.kcfg' is given twice"),
        (["A.kcfg", "--nope"], "'schema import' has no option '--nope'; see 'schema import --help'"),
        (["A.kcfg", "--force=yes"], "'--force' takes no value; remove '=yes'"),
        (["A.kcfg", "--from"], "'--from' requires a value"),
        (
            ["A.kcfg", "--from", "kcfg", "--from", "json"],
            "'--from' is given twice, with 'kcfg' and 'json'; give it once"
        ),
        (
            ["A.kcfg", "-ox", "--output", "y"],
            "'--output' is given 2 times, with 'x' and 'y'; give it once for one file, or '--output-directory DIR' "
                + "for several"
        ),
        (
            ["--", "--force", "--force"],
            "cannot infer the format of '--force' from its name; specify '--from' with one of 'gschema', 'kcfg', "
                + "'settings-bundle', 'plist' and 'json'"
        ),
        (
            ["A.kcfg", "--from", "ini"],
            "unknown format 'ini'; the formats are 'gschema', 'kcfg', 'settings-bundle', 'plist' and 'json'"
        ),
        (
            ["a.txt"],
            "cannot infer the format of 'a.txt' from its name; specify '--from' with one of 'gschema', 'kcfg', "
                + "'settings-bundle', 'plist' and 'json'"
        ),
        (
            ["A.kcfg", "--access", "fileprivate"],
            "unknown access level 'fileprivate'; the levels are 'public', 'package' and 'internal'"
        ),
        (
            ["A.kcfg", "--namespace", "my-app"],
            "'my-app' cannot be the name of a namespace: it is not a Swift identifier"
        ),
        (["A.kcfg", "--namespace", "flush"], "'flush' cannot be the name of a namespace: it is reserved"),
        (
            ["A.kcfg", "B.kcfg", "--namespace", "app", "--output-directory", "out"],
            "'--namespace' applies to one file; two schemas of a module cannot declare one namespace"
        ),
        (["A.kcfg", "B.kcfg"], "2 files require '--output-directory DIR'"),
        (
            ["A.kcfg", "B.kcfg", "-o", "x"], "'--output' applies to one file; give '--output-directory DIR' for 2 files"
        ),
        (
            ["A.kcfg", "-o", "x", "--output-directory", "y"],
            "'--output' and '--output-directory' are mutually exclusive; give one of them"
        ),
        (
            ["A.kcfg", "--output", "out/B.json"],
            "the plugins would not find the schema 'out/B.json'; write '--output out/B.preferences.json'"
        ),
    ]

    @Test("An invalid command line exits with status 2 and writes nothing", arguments: invalid)
    func usage(arguments: [String], message: String) async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            let run = try await Prefs(["schema", "import"] + arguments, in: folder.url)
            #expect(run.status == 2)
            #expect(run.output == "")
            #expect(
                run.errors
                    == "prefs: error: \(message)\n"
                    + "Run 'prefs schema import --help' for usage.\n"
            )
            #expect(try folder.names() == ["A.kcfg"])
        }
    }

    @Test(
        "Outputs that would overwrite inputs or each other are rejected",
        arguments: [
            (["A.kcfg", "-o", "./A.kcfg"], "the output ./A.kcfg would overwrite an imported file"),
            (
                ["A.kcfg", "A.json", "--output-directory", "out"],
                "A.kcfg and A.json would both be written to out/A.preferences.json; import them separately"
            ),
        ]
    )
    func clashes(arguments: [String], message: String) async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            try folder.write("{}", to: "A.json")
            let run = try await Prefs(["schema", "import"] + arguments, in: folder.url)
            #expect(run.status == 2)
            #expect(run.errorLines.first == "prefs: error: \(message)")
            #expect(try folder.names() == ["A.json", "A.kcfg"])
        }
    }

    @Test("Imported files and outputs can be pipes")
    func pipes() async throws {
        try await withFolder { folder in
            let run = try await folder.run(
                shell: #"""
                    prefs schema import --from json <(echo '{"a": 1}') -o >(cat >imported.json)
                    """#
            )
            #expect(run.output == "imported 1 schema with 1 key; no remarks; wrote 1 file\n")
            #expect(run.errors == "")
        }
    }

    @Test("A temporary file has no tool's name, and is gone when the command has ended")
    func temporaryFile() async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            // More than the capacity of a pipe, so that the command waits for the reader while it has a temporary file.
            try folder.write("{ \"a\": \"\(String(repeating: "x", count: 1 << 18))\" }", to: "b.json")
            let run = try await folder.run(
                shell: """
                    mkdir out; mkfifo out/b.preferences.json
                    (head -c 1 >/dev/null; ls -A out >names; cat >/dev/null) <out/b.preferences.json &
                    prefs schema import A.kcfg b.json --output-directory out
                    status=$?; kill $! 2>/dev/null; exit $status
                    """
            )
            #expect(run.status == 0)
            let names = try folder.read("names")
            #expect(names.wholeMatch(of: /\.preferences-[0-9a-f]+\nb\.preferences\.json\n/) != nil, "\(names)")
            #expect(try folder.names(in: "out") == ["A.preferences.json", "b.preferences.json"])
        }
    }

    @Test("An argument that is not UTF-8 is rejected, and nothing is written")
    func invalidUTF8() async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            let run = try await folder.run(shell: #"prefs schema import A.kcfg -o $'out\xE9/A.preferences.json'"#)
            #expect(run.status == 2)
            #expect(
                run.errors == """
                    prefs: error: argument 5 is not UTF-8: 'out\\xE9/A.preferences.json'; rename the file
                    Run 'prefs --help' for usage.

                    """
            )
            #expect(try folder.names() == ["A.kcfg"])
        }
    }

    @Test("A file imported from process substitution has no name for its schema")
    func importedProcessSubstitution() async throws {
        try await withFolder { folder in
            let run = try await folder.run(
                shell: """
                    prefs schema import --from json <(echo '{"a": 1}') --output-directory out
                    prefs schema import --from json <(echo '{"a": 1}') 2>/dev/null
                    """
            )
            #expect(
                run.errorLines.map { $0.replacing(/\/dev\/fd\/[0-9]+/, with: "/dev/fd/N") } == [
                    "prefs: error: '/dev/fd/N' has no file name; specify '--output FILE'",
                    "Run 'prefs schema import --help' for usage.",
                ]
            )
            #expect(run.output.contains(#""a": { "type": "Int", "default": 1 }"#))
            #expect(try folder.names() == [])
        }
    }
}
