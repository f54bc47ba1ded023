import Foundation
import PreferencesCompatibility
import PreferencesImport
import PreferencesRuntime
import PreferencesSchema
import StoreTestSupport
import TestSupport
import Testing

/// Imports schemas of KDE and GNOME programs, and looks for the values of their keys where those programs have them.
@Suite("Settings of imported schemas")
struct ImportedSettingsTests {
    /// Returns the storage names of the keys of an imported schema.
    private func storageNames(_ text: String, as format: ImportFormat) throws -> [String] {
        let files = FileReader { (_) throws(ImportError) in
            Array(text.utf8)
        } fileNames: { _ in
            []
        }
        var importer = Importer(files: files)
        let result = try importer.read("in/test", as: format, schemaName: "Test")
        let source = SchemaSource(path: "Test.preferences.json", bytes: Array(result.text.utf8))
        let (set, diagnostics) = SchemaSet.read([source])
        #expect(diagnostics.map(\.description) == [])
        func names(_ namespace: Namespace) -> [String] {
            namespace.keys.map(\.storageName) + namespace.namespaces.flatMap(names)
        }
        return set.schemas.flatMap { names($0.root) }
    }

    @Test("The keys of a KConfigXT schema are the entries that KDE's programs read")
    func kConfig() async throws {
        let names = try storageNames(
            """
            <kcfg>
              <group name="Main Window">
                <entry name="ShowBar" type="Bool"><default>true</default></entry>
                <entry name="Width $(Screen)" type="Int"><parameter name="Screen" type="Int" max="1"/><default>0</default></entry>
                <entry name="Size" key="window/size.x" type="Int"><default>0</default></entry>
              </group>
              <group name="Bars" parentGroupName="Main Window"><entry name="Count" type="Int"><default>1</default></entry></group>
            </kcfg>
            """,
            as: .kcfg
        )
        let entries = [
            "Main Window:ShowBar": (["Main Window"], "ShowBar"), "Main Window:Width 0": (["Main Window"], "Width 0"),
            "Main Window:Width 1": (["Main Window"], "Width 1"),
            "Main Window:window/size.x": (["Main Window"], "window/size.x"),
            "Main Window:Bars:Count": (["Main Window", "Bars"], "Count"),
        ]
        #expect(Set(names) == Set(entries.keys))
        try await withTemporaryDirectory { folder in
            let file = folder.appending(component: "apprc")
            let store = KConfigStore(url: file, durability: .immediate)
            for (name, (groups, key)) in entries {
                try store.apply([name: .set(.string(name))])
                let arguments = ["--file", file.filePath] + groups.flatMap { ["--group", $0] } + ["--key", key]
                let run = try await ForeignProgram(name: "kreadconfig5").run(arguments)
                #expect(run.output == "\(name)\n")
            }
        }
    }

    @Test("The keys of a GSettings schema are those that GNOME's programs read")
    func gSettings() async throws {
        let text = """
            <schemalist>
            <schema id="org.example.Clock" path="/org/example/alarm-clock/">
              <key name="show-seconds" type="b"><default>false</default></key>
            </schema>
            <schema id="org.example.Clock.world" path="/org/example/world/">
              <key name="cities" type="as"><default>[]</default></key>
            </schema>
            </schemalist>
            """
        let names = try storageNames(text, as: .gschema)
        #expect(Set(names) == ["org.example.Clock:show-seconds", "org.example.Clock:world:cities"])
        try await withTemporaryDirectory { folder in
            try folder.appending(component: "test.gschema.xml").write(text)
            let environment = [
                "GSETTINGS_BACKEND": "keyfile", "GSETTINGS_SCHEMA_DIR": folder.filePath, "HOME": folder.filePath,
                "XDG_CONFIG_HOME": folder.filePath,
            ]
            let compiler = ForeignProgram(name: "glib-compile-schemas", environment: environment)
            try #require(await compiler.run(["--strict", folder.filePath]).succeeded)
            let store = GSettingsKeyfileStore(
                url: folder.appending(path: "glib-2.0/settings/keyfile"),
                paths: [
                    "org.example.Clock": "/org/example/alarm-clock/", "org.example.Clock:world": "/org/example/world/",
                ],
                durability: .immediate
            )
            try store.apply([
                "org.example.Clock:show-seconds": .set(true), "org.example.Clock:world:cities": .set(["Oslo"]),
            ])
            let program = ForeignProgram(name: "gsettings", environment: environment)
            #expect(try await program.run(["get", "org.example.Clock", "show-seconds"]).output == "true\n")
            #expect(try await program.run(["get", "org.example.Clock.world", "cities"]).output == "['Oslo']\n")
        }
    }
}
