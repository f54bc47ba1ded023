import PreferencesImport
import Testing

@Suite("Formats of files to be imported")
struct ImportFormatTests {
    @Test(
        "A path tells the format, and what the schema is called",
        arguments: [
            ("in/org.example.gschema.xml", ImportFormat.gschema, "org.example"), ("A.kcfg", .kcfg, "A"),
            ("in/Settings.bundle", .settingsBundle, "Settings"), ("in/Settings.bundle/", .settingsBundle, "Settings"),
            ("in/Settings.bundle/Root.plist", .settingsBundle, "Settings"), ("a/Root.plist", .plist, "Root"),
            ("b.plist", .plist, "b"), ("x.y.json", .json, "x.y"), (".json", .json, ".json"),
        ]
    )
    func told(path: String, format: ImportFormat, name: String) {
        #expect(ImportFormat(path: path) == format)
        #expect(format.schemaName(path: path) == name)
    }

    @Test("Other paths tell no format", arguments: ["a.xml", "a.txt", "plist", "kcfg/a", ""])
    func untold(path: String) {
        #expect(ImportFormat(path: path) == nil)
    }
}
