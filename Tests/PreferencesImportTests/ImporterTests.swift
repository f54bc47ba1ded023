import Foundation
import PreferencesImport
import Testing

@Suite("Import formats")
struct ImportFormatTests {
    @Test(
        "A path determines the format and the name of the schema",
        arguments: [
            ("in/org.example.gschema.xml", ImportFormat.gschema, "org.example"), ("A.kcfg", .kcfg, "A"),
            ("in/Settings.bundle", .settingsBundle, "Settings"), ("in/Settings.bundle/", .settingsBundle, "Settings"),
            ("in/Settings.bundle/Root.plist", .settingsBundle, "Settings"), ("a/Root.plist", .plist, "Root"),
            ("b.plist", .plist, "b"), ("x.y.json", .json, "x.y"), (".json", .json, ".json"),
        ]
    )
    func inferred(path: String, format: ImportFormat, name: String) {
        #expect(ImportFormat(path: path) == format)
        #expect(format.schemaName(path: path) == name)
    }

    @Test("A path with an unknown extension has no format", arguments: ["a.xml", "a.txt", "plist", "kcfg/a", ""])
    func unknown(path: String) {
        #expect(ImportFormat(path: path) == nil)
    }
}

/// Any file is either imported or rejected; none crashes or hangs the program.
@Suite("Hostile input")
struct HostileInputTests {
    private static let samples: [ImportFormat: String] = [
        .gschema: """
        <?xml version="1.0"?><!-- c --><schemalist><enum id="e"><value nick="n" value="1"/></enum>
        <schema id="a.b" path="/a/"><key name="k" type="a{sai}"><default>{'x': [1, 0x2]}</default></key>
        <key name="l" enum="e"><default>'n'</default><summary>S &amp; T</summary></key>
        <key name="m" type="s"><choices><choice value="v"/></choices><default><![CDATA["v"]]></default></key>
        </schema></schemalist>
        """,
        .kcfg: """
        <kcfg><kcfgfile arg="true"/><group name="g"><entry name="E$(n)" type="Enum"><parameter name="n" type="Int"
        max="3"/><choices><choice name="A" value="1"/></choices><default param="1">A</default></entry>
        <entry name="u" type="UrlList"><default>/a,b:c</default></entry></group></kcfg>
        """,
        .settingsBundle: """
        <plist><dict><key>PreferenceSpecifiers</key><array><dict><key>Type</key>
        <string>PSMultiValueSpecifier</string><key>Key</key><string>k</string><key>Values</key>
        <array><integer>1</integer></array><key>Titles</key><array><string>T</string></array></dict></array></dict></plist>
        """,
        .plist: """
        <plist><dict><key>a</key><array><dict><key>b</key><real>1.5</real></dict></array>
        <key>c</key><date>2026-01-01T00:00:00Z</date><key>d</key><data>YWJj</data></dict></plist>
        """,
        .json: #"{ "a": { "b-c": [1, 2.5, null], "d": {} }, "e": [{ "f": "g" }], "h": 1e3 }"#,
    ]

    @Test("A truncated file is rejected", arguments: ImportFormat.allCases)
    func truncated(format: ImportFormat) throws {
        let bytes = Array(try #require(Self.samples[format]).utf8)
        var imported = 0
        for length in 0...bytes.count {
            if try Self.isImported(Array(bytes[..<length]), format) { imported += 1 }
        }
        // Only the complete file is valid.
        #expect(imported == 1)
    }

    @Test("A file with a corrupt byte is imported or rejected", arguments: ImportFormat.allCases)
    func corruptByte(format: ImportFormat) throws {
        let bytes = Array(try #require(Self.samples[format]).utf8)
        var imported = 0
        for index in bytes.indices {
            for byte in [0, UInt8(ascii: "<"), UInt8(ascii: "\""), UInt8(ascii: "9"), UInt8(ascii: "-"), 0xFF] {
                var changed = bytes
                changed[index] = byte
                if try Self.isImported(changed, format) { imported += 1 }
            }
        }
        #expect(imported > 0)
    }

    @Test("Excessive nesting is rejected, or left out with a remark")
    func nesting() throws {
        let depth = 100_000
        let deepXML = String(repeating: "<a>", count: depth)
        #expect(
            throws: ImportError.invalid(path: "a", line: 1, message: "elements are nested more than 128 levels deep")
        ) {
            try Imported(deepXML, as: .kcfg, path: "a")
        }
        #expect(throws: ImportError.invalid(path: "a", line: 1, message: "nested more than 128 levels deep")) {
            try Imported(String(repeating: "[", count: depth), as: .json, path: "a")
        }
        let imported = try Imported(
            """
            <schemalist><schema id="a" path="/a/"><key name="k" type="\(String(repeating: "a", count: depth))s">
            <default>[]</default></key><key name="b" type="b"><default>true</default></key></schema></schemalist>
            """,
            as: .gschema
        )
        #expect(imported.keyCount == 1)
        let list = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        let json = try Imported("{ \"a\": \(list), \"b\": 1 }", as: .json)
        #expect(
            json.remarks == ["in/Test:1: remark: 'a' is left out: its elements have no common type"]
        )
    }

    private static func isImported(_ bytes: [UInt8], _ format: ImportFormat) throws -> Bool {
        let files = FileReader { _ throws(ImportError) in
            bytes
        } fileNames: { _ in
            []
        }
        var importer = Importer(files: files)
        do throws(ImportError) {
            return try importer.read("Root.plist", as: format, schemaName: "a").keyCount > 0
        } catch {
            return false
        }
    }
}
