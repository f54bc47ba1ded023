import Foundation
import Testing

@Suite("preferences-generator import")
struct ImportTests {
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
        "A schema is printed where no output is named, and the rest on standard error",
        arguments: [[], ["-o", "-"]]
    )
    func printed(options: [String]) async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            let run = try await Generator(["import", "A.kcfg"] + options, in: folder.url)
            #expect(run.status == 0)
            #expect(run.output == Self.schema)
            #expect(run.errors == Self.remark + "read 1 schema with 1 key; 1 remark\n")
            #expect(try folder.names() == ["A.kcfg"])
        }
    }

    @Test("A schema is written to the file that is named, and can be generated from")
    func written() async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            let run = try await folder.run("import", "A.kcfg", "--output", "out/A.preferences.json")
            #expect(run.status == 0)
            #expect(run.output == "read 1 schema with 1 key; 1 remark; wrote 1 file\n")
            #expect(run.errors == Self.remark)
            #expect(try folder.read("out/A.preferences.json") == Self.schema)
            let generated = try await folder.run("generate", "out/A.preferences.json", "-o", "A.swift")
            #expect(generated.output == "1 schema, 1 key: no faults; wrote 1 file\n")
        }
    }

    @Test("Files of all formats go into one folder, each under its own name, and lint clean")
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
                "import",
                "A.kcfg",
                "b.json",
                "c.plist",
                "Settings.bundle",
                "d.gschema.xml",
                "--output-directory=out"
            )
            #expect(run.status == 0)
            #expect(run.output == "read 5 schemas with 5 keys; 2 remarks; wrote 5 files\n")
            let schemas = ["A", "Settings", "b", "c", "d"].map { "\($0).preferences.json" }
            #expect(try folder.names(in: "out") == schemas)
            let lint = try await Generator(["lint"] + schemas.map { "out/\($0)" }, in: folder.url)
            #expect(lint.output == "5 schemas, 5 keys: no faults\n")
            #expect(lint.errors == "")
        }
    }

    @Test("A file that differs is not replaced unless that is asked for; one that does not is left alone")
    func force() async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            try folder.write("mine", to: "A.preferences.json")
            let refused = try await folder.run("import", "A.kcfg", "-o", "A.preferences.json")
            #expect(refused.status == 3)
            #expect(refused.output == "")
            #expect(
                refused.errors == Self.remark
                    + "preferences-generator: error: cannot write A.preferences.json: it is there and differs; "
                    + "'--force' replaces it\n"
            )
            #expect(try folder.read("A.preferences.json") == "mine")

            let forced = try await folder.run("import", "A.kcfg", "-o", "A.preferences.json", "--force")
            #expect(forced.status == 0)
            #expect(try folder.read("A.preferences.json") == Self.schema)

            let identity = try folder.identity("A.preferences.json")
            let again = try await folder.run("import", "A.kcfg", "-o", "A.preferences.json")
            #expect(again.output == "read 1 schema with 1 key; 1 remark; left 1 unchanged file alone\n")
            #expect(try folder.identity("A.preferences.json") == identity)
        }
    }

    @Test("Where a file is at fault nothing is written, and the others' remarks are printed nevertheless")
    func faulty() async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            try folder.write("<kcfg>\n<group/></kcfg>", to: "B.kcfg")
            let run = try await folder.run("import", "B.kcfg", "A.kcfg", "--output-directory", "out")
            #expect(run.status == 1)
            #expect(run.output == "")
            #expect(
                run.errors == "B.kcfg:2: remark: <group> is left out: it has no name\n"
                    + "B.kcfg: error: there is nothing in it that a schema could say\n" + Self.remark
                    + "Nothing was written.\n"
            )
            #expect(!folder.exists("out"))
        }
    }

    @Test("A file that cannot be read is told apart from a faulty one")
    func unreadable() async throws {
        try await withFolder { folder in
            try folder.write("<kcfg>\n<group/></kcfg>", to: "B.kcfg")
            let run = try await folder.run("import", "no.kcfg", "B.kcfg", "--output-directory", "out")
            #expect(run.status == 3)
            #expect(
                run.errors == """
                    preferences-generator: error: cannot read no.kcfg: No such file or directory
                    B.kcfg:2: remark: <group> is left out: it has no name
                    B.kcfg: error: there is nothing in it that a schema could say
                    Nothing was written.

                    """
            )
        }
    }

    @Test("The format, the access level and the namespace can be said")
    func options() async throws {
        try await withFolder { folder in
            try folder.write(#"{ "on": true }"#, to: "a.conf")
            let run = try await folder.run(
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
                            "on": { "type": "Bool", "default": true }
                          }
                        }
                      }
                    }

                    """
            )
        }
    }

    /// A command line that makes no sense, and what is said about it.
    static let senseless: [(arguments: [String], message: String)] = [
        ([], "no file given; name one or more to be imported"),
        (["-"], "'import' reads files, which may belong together, and not standard input"),
        (["A.kcfg", "./A.kcfg"], "file './A.kcfg' is given twice"),
        (["A.kcfg", "--nope"], "'import' has no option '--nope'; see 'import --help'"),
        (["A.kcfg", "--force=yes"], "'--force' takes no value; leave out '=yes'"),
        (["A.kcfg", "--from"], "'--from' needs a value behind it"),
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
            "cannot tell the format of '--force' by its name; say it with '--from': "
                + "'gschema', 'kcfg', 'settings-bundle', 'plist' and 'json'"
        ),
        (
            ["A.kcfg", "--from", "ini"],
            "unknown format 'ini'; the formats are 'gschema', 'kcfg', 'settings-bundle', 'plist' and 'json'"
        ),
        (
            ["a.txt"],
            "cannot tell the format of 'a.txt' by its name; say it with '--from': 'gschema', 'kcfg', "
                + "'settings-bundle', 'plist' and 'json'"
        ),
        (
            ["A.kcfg", "--access", "fileprivate"],
            "unknown access level 'fileprivate'; it is 'public', 'package' or 'internal'"
        ),
        (
            ["A.kcfg", "--namespace", "my-app"],
            "'my-app' cannot be the name of a namespace: it is not a Swift identifier"
        ),
        (["A.kcfg", "--namespace", "flush"], "'flush' cannot be the name of a namespace: it is reserved"),
        (
            ["A.kcfg", "B.kcfg", "--namespace", "app", "--output-directory", "out"],
            "'--namespace' is for one file: the schemas of one module have it once"
        ),
        (["A.kcfg", "B.kcfg"], "2 files need '--output-directory DIR' for their schemas"),
        (
            ["A.kcfg", "B.kcfg", "-o", "x"], "'--output' is for one file; give '--output-directory DIR' for 2 files"
        ),
        (
            ["A.kcfg", "-o", "x", "--output-directory", "y"],
            "'--output' and '--output-directory' exclude each other; give one of them"
        ),
    ]

    @Test("What makes no sense is refused with status 2, and nothing is written", arguments: senseless)
    func usage(arguments: [String], message: String) async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            let run = try await Generator(["import"] + arguments, in: folder.url)
            #expect(run.status == 2)
            #expect(run.output == "")
            #expect(
                run.errors
                    == "preferences-generator: error: \(message)\n"
                    + "Run 'preferences-generator import --help' to see how it is used.\n"
            )
            #expect(try folder.names() == ["A.kcfg"])
        }
    }

    @Test(
        "Outputs that would be in each other's way, or in the inputs', are refused",
        arguments: [
            (["A.kcfg", "-o", "./A.kcfg"], "the output ./A.kcfg would overwrite a file that is imported"),
            (
                ["A.kcfg", "A.json", "--output-directory", "out"],
                "A.kcfg and A.json would both be written to out/A.preferences.json; import them one by one"
            ),
        ]
    )
    func clashes(arguments: [String], message: String) async throws {
        try await withFolder { folder in
            try folder.write(Self.kcfg, to: "A.kcfg")
            try folder.write("{}", to: "A.json")
            let run = try await Generator(["import"] + arguments, in: folder.url)
            #expect(run.status == 2)
            #expect(run.errorLines.first == "preferences-generator: error: \(message)")
            #expect(try folder.names() == ["A.json", "A.kcfg"])
        }
    }
}
