import Foundation
import TestSupport
import Testing

@Suite("Schemas of other programs")
struct GSettingsSchemaTests {
    private static let schema = """
        <schemalist>
        <schema id="org.example.Clock" path="/org/example/clock/">
        <key name="style" type="s"><choices><choice value="plain"/><choice value="new"/></choices><default>'new'</default>
        <summary>The style</summary></key>
        <key name="factor" type="d"><range min="-1.5"/><default>inf</default></key>
        <key name="size" type="(ii)"><default>(1, 2)</default></key>
        <child name="zone" schema="org.example.Zone"/>
        </schema>
        <schema id="org.example.Zone"><key name="offset" type="n"><default>0</default></key></schema>
        <schema id="org.example.Alarm"><key name="time" type="s"><default>''</default></key></schema>
        </schemalist>
        """

    private static let arguments = ["--schema", "c.gschema.xml", "-s", "gsettings:keyfile"]

    @Test(
        "A file of a distribution's defaults that cannot be read is an error",
        arguments: [
            (
                "mkdir a.gschema.override",
                "cannot read a.gschema.override: Is a directory; it may override defaults of the schema: make it readable, "
                    + "or move it away"
            ),
            (
                #"printf '[org.example.Clock]\nstyle=\xFF' >a.gschema.override"#,
                "a.gschema.override:2: error: the line is not UTF-8; repair it, or move the file away"
            ),
        ]
    )
    func unreadableOverride(preparation: String, error: String) async throws {
        try await withFolder { folder in
            try folder.write(Self.schema, to: "c.gschema.xml")
            let run = try await folder.run(
                shell: "\(preparation); prefs list \(Self.arguments.joined(separator: " "))"
            )
            #expect(run.errors == "prefs: error: \(error)\n")
            #expect(run.status == 3)
        }
    }

    @Test("Dangling overrides, and comments of any encoding in them, are no errors, as for glib-compile-schemas")
    func readableOverrides() async throws {
        try await withFolder { folder in
            try folder.write(Self.schema, to: "c.gschema.xml")
            let run = try await folder.run(
                shell: """
                    ln -s gone a.gschema.override
                    printf "# caf\\xE9\\n[org.example.Clock]\\nstyle='plain'\\n" >b.gschema.override
                    prefs get \(Self.arguments.joined(separator: " ")) org.example.Clock:style
                    """
            )
            #expect(run.errors == "" && run.output == "plain\n", "\(run)")
        }
    }

    @Test(
        "A GSettings schema gives the keyfile's paths, also of children, and the location those of relocatable schemas"
    )
    func paths() async throws {
        try await withFolder { folder in
            try folder.write(Self.schema, to: "c.gschema.xml")
            for (key, value) in [
                ("org.example.Clock:style", "plain"), ("org.example.Clock:factor", "-0.5"), ("zone.offset", "-7"),
            ] {
                let run = try await Prefs(["set"] + Self.arguments + [key, value], in: folder.url)
                #expect(run.errors == "")
                #expect(run.status == 0)
            }
            let location = "gsettings:keyfile?org.example.Alarm=/org/example/alarms/1/"
            let run = try await folder.run(
                "set",
                "--schema",
                "c.gschema.xml",
                "-s",
                location,
                "org.example.Alarm:time",
                "07:00"
            )
            #expect(run.status == 0)
            let keyfile = try folder.read("keyfile")
            for part in [
                "[org/example/clock]\n", "style='plain'\n", "factor=-0.5\n", "[org/example/clock/zone]\noffset=-7\n",
                "[org/example/alarms/1]\ntime='07:00'\n",
            ] { #expect(keyfile.contains(part), "\(keyfile)") }
            let list = try await Prefs(["list", "--gvariant"] + Self.arguments, in: folder.url)
            #expect(
                list.output == """
                    org.example.Clock factor -0.5
                    org.example.Clock style 'plain'
                    org.example.Zone offset int16 -7

                    """
            )
            let infinity = try await folder.run(
                "get",
                "--gvariant",
                "--schema",
                "c.gschema.xml",
                "-s",
                "gsettings:other",
                "org.example.Clock:factor"
            )
            #expect(infinity.output == "inf\n")
        }
    }

    @Test("The keys of a relocatable schema without a path are left out")
    func relocatable() async throws {
        try await withFolder { folder in
            try folder.write(Self.schema, to: "c.gschema.xml")
            let list = try await Prefs(["list", "--names"] + Self.arguments, in: folder.url)
            #expect(list.output == "clock.style\nclock.factor\nzone.offset\n")
            #expect(list.errors == "")
            let get = try await Prefs(["get"] + Self.arguments + ["org.example.Alarm:time"], in: folder.url)
            #expect(get.status == 1)
            #expect(
                get.errors
                    == "prefs: error: there is no key 'org.example.Alarm:time'; it is left out: no store has a path "
                    + "for its schema; write 'gsettings:FILE?SCHEMA=/PATH/'\n"
            )
        }
    }

    @Test("'doctor' reads the values at the paths that the schemas declare")
    func pathsOfDoctor() async throws {
        try await withFolder { folder in
            try folder.write(
                """
                <schemalist><schema id="org.example.Clock" path="/com/other/clock/">
                <key name="size" type="i"><default>5</default><range min="1" max="9"/></key>
                </schema></schemalist>
                """,
                to: "c.gschema.xml"
            )
            try folder.write("[com/other/clock]\nsize=7\n", to: "keyfile")
            let valid = try await Prefs(["doctor"] + Self.arguments, in: folder.url)
            #expect(valid.status == 0 && valid.output.hasSuffix("1 store: no problems\n"), "\(valid)")
            try folder.write("[com/other/clock]\nsize=99\n", to: "keyfile")
            let invalid = try await Prefs(["doctor"] + Self.arguments, in: folder.url)
            #expect(invalid.status == 1)
            #expect(invalid.output.contains("'org.example.Clock:size': 99 is out of range 1...9"), "\(invalid)")
        }
    }

    @Test("Ranges and choices are those of gsettings, and a key that a schema cannot have is reported")
    func ranges() async throws {
        try await withFolder { folder in
            try folder.write(Self.schema, to: "c.gschema.xml")
            func run(_ arguments: String...) async throws -> Prefs {
                try await Prefs(arguments + ["--schema", "c.gschema.xml"], in: folder.url)
            }
            #expect(try await run("range", "--gvariant", "clock.style").output == "enum\n'plain'\n'new'\n")
            #expect(try await run("range", "clock.style").output == "enum\nplain\nnew\n")
            #expect(try await run("range", "--gvariant", "clock.factor").output == "range d -1.5 inf\n")
            #expect(try await run("describe", "--gvariant", "clock.style").output == "The style\n")
            let omitted = try await run("range", "org.example.Clock:size")
            #expect(omitted.status == 1)
            #expect(
                omitted.errors == "prefs: error: there is no key 'org.example.Clock:size'; it is left out: "
                    + "schemas do not support type '(ii)'\n"
            )
        }
    }

    @Test(
        "A path of a schema that GSettings cannot have is refused",
        arguments: [
            ("a=b", "'a=b' is no path of a schema; write 'SCHEMA=/PATH/'"),
            ("a", "'a' is no path of a schema; write 'SCHEMA=/PATH/'"),
            ("a=/a/&b=/a/", "'a' and 'b' have the same path '/a/'"),
        ]
    )
    func invalidPath(settings: String, message: String) async throws {
        try await withFolder { folder in
            try folder.write(Self.schema, to: "c.gschema.xml")
            let run = try await folder.run("list", "--schema", "c.gschema.xml", "-s", "gsettings:keyfile?\(settings)")
            #expect(run.status == 2)
            #expect(run.errors.hasPrefix("prefs: error: \(message)\n"))
        }
    }

    @Test("A KConfigXT file is accepted as a schema, also in a folder")
    func kConfig() async throws {
        try await withFolder { folder in
            let schema =
                "<kcfg><group name='Main'><entry name='Width' type='Int'><default>3</default></entry></group></kcfg>"
            try folder.write(schema, to: "schemas/app.kcfg")
            let set = try await folder.run("set", "--schema", "schemas", "-s", "kconfig:apprc", "main.width", "-4")
            #expect(set.status == 0)
            #expect(try folder.read("apprc") == "[Main]\nWidth=-4\n")
            let list = try await folder.run("list", "--schema", "schemas/app.kcfg", "-s", "kconfig:apprc")
            #expect(list.output == "main.width -4\n")
        }
    }

    @Test("The output of a schema of this package has the GVariant types of its Swift types")
    func ownSchema() async throws {
        try await withFolder { folder in
            try folder.write(
                """
                { "formatVersion": 1, "namespaces": { "a": { "keys": {
                    "count": { "type": "Int", "default": 3, "minimum": 1 },
                    "names": { "type": "[String]", "default": [] },
                    "note": { "type": "String?" },
                    "byte": { "type": "UInt8", "default": 7 }
                } } } }
                """,
                to: "A.preferences.json"
            )
            let arguments = ["--gvariant", "--schema", "A.preferences.json"]
            let list = try await Prefs(["list", "-s", "a.json"] + arguments, in: folder.url)
            #expect(list.output == "a count int64 3\na names @as []\na note @ms nothing\na byte byte 0x07\n")
            let range = try await Prefs(["range", "a.count"] + arguments, in: folder.url)
            #expect(range.output == "range x 1 9223372036854775807\n")
            let set = try await Prefs(["set", "-s", "a.json"] + arguments + ["a.names", "['x']"], in: folder.url)
            #expect(set.status == 0)
            let get = try await Prefs(["get", "-s", "a.json"] + arguments + ["a.names"], in: folder.url)
            #expect(get.output == "['x']\n")
            let refused = try await Prefs(["set", "-s", "a.json"] + arguments + ["a.count", "'x'"], in: folder.url)
            #expect(refused.status == 1)
            #expect(
                refused.errors
                    == "prefs: error: 'a.count': expected a value of the GVariant type 'x'; this is not one\n"
            )
        }
    }
}
