import Foundation
import PreferencesImport
import PreferencesRuntime
import PreferencesSchema
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesCompatibility

/// Imports schemas of KDE and GNOME programs, and looks for the values of their keys where those programs have them.
@Suite("Settings of imported schemas")
struct ImportedSettingsTests {
    /// A schema that was imported.
    private struct Imported {
        var keys: [Key] = []
        var remarks: [String]

        var names: [String] { keys.map(\.storageName) }

        /// The keys whose storage names are not composed of ids.
        var givenNames: [String] { keys.filter { $0.storageNamePlace != nil }.map(\.storageName) }

        init(
            _ importer: inout Importer,
            _ path: String,
            as format: ImportFormat,
            name: String = "Test"
        ) throws {
            let result = try importer.read(path, as: format, schemaName: name)
            let source = SchemaSource(path: "\(name).preferences.json", bytes: Array(result.text.utf8))
            let (set, diagnostics) = SchemaSet.read([source])
            #expect(diagnostics.map(\.description) == [], "\(result.text)")
            remarks = result.remarks.map(\.message)
            func keys(_ namespace: Namespace) -> [Key] { namespace.keys + namespace.namespaces.flatMap(keys) }
            self.keys = set.schemas.flatMap { keys($0.root) }
        }

        /// Imports a text.
        init(_ text: String, as format: ImportFormat, namespace: String? = nil) throws {
            let files = FileReader { (_) throws(ImportError) in
                Array(text.utf8)
            } fileNames: { _ in
                []
            }
            var importer = Importer(files: files, options: Importer.Options(namespace: namespace))
            try self.init(&importer, "in/test", as: format)
        }

        /// The paths in the arguments that the remarks give, one for each store.
        var paths: [[String: String]] {
            get throws {
                try remarks.compactMap { remark -> [String: String]? in
                    guard let match = remark.firstMatch(of: /GSettingsKeyfileStore\(paths: \[(.*)\]\)$/) else {
                        return nil
                    }
                    // A literal of Swift with strings differs from JSON in its brackets.
                    return try JSONDecoder().decode([String: String].self, from: Data("{\(match.1)}".utf8))
                }
            }
        }
    }

    private static let filesOnDisk = FileReader { path throws(ImportError) in
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .unreadable(message: "\(error)")
        }
    } fileNames: { folder in
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    // MARK: - KConfig

    private struct Entry {
        var groups: [String]
        var key: String

        init(_ groups: [String], _ key: String) {
            self.groups = groups
            self.key = key
        }

        var arguments: [String] { groups.flatMap { ["--group", $0] } + ["--key", key] }

        /// The declaration in KConfigXT.
        var declaration: String {
            func escaped(_ text: String) -> String {
                text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("'", with: "&apos;")
            }
            let parent = groups.count > 1 ? " parentGroupName='\(escaped(groups[0]))'" : ""
            return """
                <group name='\(escaped(groups[groups.count - 1]))'\(parent)><entry name='\(escaped(key))' type='String'>\
                <default></default></entry></group>
                """
        }
    }

    /// Writes values with KDE's program: of each entry, its index.
    private func write(_ entries: [Entry], to file: URL) async throws {
        let folder = file.deletingLastPathComponent().filePath
        let program = ForeignProgram(
            name: "kwriteconfig5",
            environment: ["HOME": folder, "XDG_CONFIG_HOME": folder, "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"]
        )
        for (index, entry) in entries.enumerated() {
            let run = try await program.run(["--file", file.filePath] + entry.arguments + ["--", "\(index)"])
            try #require(run.succeeded, "\(run.errors)")
        }
    }

    @Test("The keys of a KConfigXT schema are the entries that KDE's programs read")
    func kConfig() async throws {
        let imported = try Imported(
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
        #expect(Set(imported.names) == Set(entries.keys))
        #expect(imported.givenNames == [])
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

    /// Groups and keys with characters that storage names use, and the storage names. A name is given where it is not
    /// composed of the group and the key.
    private static let oddEntries: [(entry: Entry, name: String, isGiven: Bool)] = [
        (Entry(["Colors:Window"], "Background"), #"Colors\:Window:Background"#, true),
        (Entry(["Colors:Window", "Inactive"], "Background"), #"Colors\:Window:Inactive:Background"#, true),
        (Entry(["Colors.Window"], "Background"), "Colors.Window:Background", false),
        (Entry(["Colors"], "Window"), "Colors:Window", false),
        (Entry(["Colors", "Window"], "Background"), "Colors:Window:Background", false),
        (Entry(["Colors\\"], "Window"), #"Colors\\:Window"#, true),
        (Entry([":"], "key"), #"\::key"#, true),
        (Entry(["Main"], "a:b"), #"Main:a\:b"#, true),
        (Entry(["Main"], #"a\:b"#), #"Main:a\\\:b"#, true),
        (Entry(["Main"], ":"), #"Main:\:"#, true),
        (Entry(["Main"], #"a\b\"#), #"Main:a\b\"#, false),
        (Entry(["Main", "a:"], "b"), #"Main:a\::b"#, true),
        (Entry(["A[B]"], "key[de]"), "A[B]:key[de]", false),
        (Entry(["Größe"], "日本 = 1"), "Größe:日本 = 1", false),
        (Entry(["<default>"], "Version"), "Version", true),
        (Entry(["<default>"], "a:b"), #"a\:b"#, true),
        (Entry(["<default>"], ":odd"), ":odd", true),
        (Entry(["<default>", "Inner"], "key"), "<default>:Inner:key", false),
    ]

    @Test("The store finds the values of groups and keys with colons and backslashes, and of keys without a group")
    func kConfigNames() async throws {
        let entries = Self.oddEntries
        let text = "<kcfg>\(entries.map(\.entry.declaration).joined(separator: "\n"))</kcfg>"
        let imported = try Imported(text, as: .kcfg)
        #expect(Set(imported.names) == Set(entries.map(\.name)))
        #expect(Set(imported.givenNames) == Set(entries.filter(\.isGiven).map(\.name)))
        #expect(imported.remarks.filter { !$0.contains("is named") } == [])
        // A namespace around all keys does not change the names.
        #expect(try Set(Imported(text, as: .kcfg, namespace: "Colors").names) == Set(imported.names))
        try await withTemporaryDirectory { folder in
            // KDE's program replaces the escapes of a key twice when it reads a file, so that it renames keys with
            // backslashes when it writes another entry.
            let isAlone = { (entry: Entry) in entry.key.contains("\\") }
            let groups = [entries.filter { !isAlone($0.entry) }] + entries.filter { isAlone($0.entry) }.map { [$0] }
            for (number, group) in groups.enumerated() {
                let file = folder.appending(component: "app\(number)rc")
                try await write(group.map(\.entry), to: file)
                let store = KConfigStore(url: file, locale: "C")
                #expect(try store.names() == Set(group.map(\.name)))
                for (index, entry) in group.enumerated() {
                    #expect(try store.value(for: entry.name) == .string("\(index)"), "\(entry)")
                }
            }
        }
    }

    @Test("With any groups and keys, the schema lints clean, and its names are those of the store")
    func anyKConfigNames() throws {
        let pieces = ["a", "A", "b", ".", ":", ":", "\\", "\\", " ", "é", "\u{301}", "[", "2", "<default>"]
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            func text() -> String {
                (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    pieces.randomElement(using: &random) ?? ""
                }.joined()
            }
            let entries = (0..<12).map { _ in
                Entry((0..<Int.random(in: 1...2, using: &random)).map { _ in text() }, text())
            }
            for entry in entries {
                let group = entry.groups == ["<default>"] ? [] : entry.groups
                let joined = group.joined(separator: String(KConfigName.separator))
                let name = KConfigName.name(group: joined, key: entry.key)
                #expect(KConfigStorageName.name(groups: entry.groups, key: entry.key) == name)
            }
            let declarations = entries.map(\.declaration).joined(separator: "\n")
            for namespace in [nil, "a", "A2"] {
                let imported = try Imported("<kcfg>\(declarations)</kcfg>", as: .kcfg, namespace: namespace)
                let names = Set(entries.map { KConfigStorageName.name(groups: $0.groups, key: $0.key) })
                let omissions = imported.remarks.filter { $0.hasPrefix("entry") && $0.contains("is left out") }
                #expect(names.isSuperset(of: imported.names))
                #expect(imported.names.count + omissions.count >= names.count, "\(declarations)")
            }
        }
    }

    @Test("The store finds the values of the settings of KDE's programs", arguments: ["okular", "dolphin"])
    func kConfigOfDebian(package: String) async throws {
        let paths = try await DebianPackage(name: package).files(ending: ".kcfg")
        #expect(!paths.isEmpty)
        for path in paths {
            let text = try String(contentsOfFile: path, encoding: .utf8).replacing(/<!--[\s\S]*?-->/, with: "")
            var entries: [Entry] = []
            for group in text.split(separator: "<group ").dropFirst() {
                func attribute(_ name: String, of tag: Substring) throws -> String? {
                    let pattern = try Regex<(Substring, Substring)>("\\b\(name)=\"([^\"]*)\"")
                    return tag.prefix { $0 != ">" }.firstMatch(of: pattern).map { String($0.1) }
                }
                let name = try #require(try attribute("name", of: group))
                let groups = try [attribute("parentGroupName", of: group), name].compactMap { $0 }
                for entry in group.split(separator: "<entry ").dropFirst() {
                    let key = try #require(try attribute("key", of: entry) ?? attribute("name", of: entry))
                    entries.append(Entry(groups, key))
                }
            }
            #expect(!text.contains("<parameter ") || !text.contains("$("))
            var importer = Importer(files: Self.filesOnDisk)
            let imported = try Imported(&importer, path, as: .kcfg)
            try await withTemporaryDirectory { folder in
                let file = folder.appending(component: "apprc")
                try await write(entries, to: file)
                #expect(try KConfigStore(url: file, locale: "C").names() == Set(imported.names), "\(path)")
            }
            #expect(imported.givenNames == [])
        }
    }

    @Test("Of two files of one run with the same entry, the store finds the value of the first")
    func kConfigOfTwoFiles() throws {
        let entries = [Entry(["A:B"], "x"), Entry(["A:B"], "y"), Entry(["C"], "x")]
        let texts = [
            "in/a.kcfg": [entries[0], entries[2]], "in/b.kcfg": [entries[0], entries[1], entries[2]],
        ].mapValues { "<kcfg>\($0.map(\.declaration).joined())</kcfg>" }
        let files = FileReader { path throws(ImportError) in
            Array((texts[path] ?? "").utf8)
        } fileNames: { _ in
            []
        }
        var importer = Importer(files: files)
        let first = try Imported(&importer, "in/a.kcfg", as: .kcfg, name: "a")
        let second = try Imported(&importer, "in/b.kcfg", as: .kcfg, name: "b")
        #expect(first.names == [#"A\:B:x"#, "C:x"])
        #expect(second.names == [#"b.A\.B.x"#, #"A\:B:y"#, "b.C.x"])
        let loss = "a KConfigStore finds the program's value only if this file is imported separately"
        #expect(
            second.remarks.filter { $0.contains("stored") } == [
                #"key 'A\:B:x' is stored as 'b.A\.B.x' because another file has the same names; "# + loss,
                "key 'C:x' is stored as 'b.C.x' because another file has the same names; " + loss,
            ]
        )
    }

    // MARK: - GSettings

    /// The environment of GSettings' programs with the keyfile backend and the schemas in a folder.
    private func environment(_ folder: URL) -> [String: String] {
        [
            "GSETTINGS_BACKEND": "keyfile", "GSETTINGS_SCHEMA_DIR": folder.filePath, "HOME": folder.filePath,
            "XDG_CONFIG_HOME": folder.filePath,
        ]
    }

    private static let gSettings = """
        <schemalist>
        <schema id="org.example.Clock" path="/org/example/alarm-clock/">
          <key name="show-seconds" type="b"><default>false</default></key>
          <child name="world" schema="org.example.Clock.world"/>
          <child name="sound" schema="org.example.Sound"/>
        </schema>
        <schema id="org.example.Clock.world" path="/org/example/alarm-clock/world/">
          <key name="cities" type="as"><default>[]</default></key>
        </schema>
        <schema id="org.example.Sound">
          <key name="volume" type="i"><default>1</default></key>
          <child name="night" schema="org.example.Sound.night"/>
        </schema>
        <schema id="org.example.Sound.night"><key name="volume" type="i"><default>1</default></key></schema>
        <schema id="org.example.Zone"><key name="name" type="s"><default>''</default></key></schema>
        <schema id="org.example.OldClock" path="/org/example/alarm-clock/">
          <key name="show-seconds" type="b"><default>false</default></key>
        </schema>
        </schemalist>
        """

    @Test("The keys of a GSettings schema are those that GNOME's programs read", arguments: [nil, "clock"])
    func gSettings(namespace: String?) async throws {
        let imported = try Imported(Self.gSettings, as: .gschema, namespace: namespace)
        let names: Set = [
            "org.example.Clock:show-seconds", "org.example.Clock:world:cities", "org.example.Sound:volume",
            "org.example.Sound:night:volume", "org.example.Zone:name", "org.example.OldClock:show-seconds",
        ]
        #expect(Set(imported.names) == names)
        let paths = try imported.paths
        #expect(
            paths == [
                [
                    "org.example.Clock": "/org/example/alarm-clock/",
                    "org.example.Clock:world": "/org/example/alarm-clock/world/",
                    "org.example.Sound": "/org/example/alarm-clock/sound/",
                    "org.example.Sound:night": "/org/example/alarm-clock/sound/night/",
                ],
                ["org.example.OldClock": "/org/example/alarm-clock/"],
            ]
        )
        #expect(
            imported.remarks.filter { $0.contains("relocatable") } == [
                "schema 'org.example.Zone' is relocatable, as it has no path; it is imported for one location, whose "
                    + "path GSettingsKeyfileStore needs"
            ]
        )
        let values: [(schema: String, key: String, value: String, name: String)] = [
            ("org.example.Clock", "show-seconds", "true", "org.example.Clock:show-seconds"),
            ("org.example.Clock.world", "cities", "['Oslo']", "org.example.Clock:world:cities"),
            ("org.example.Sound:/org/example/alarm-clock/sound/", "volume", "5", "org.example.Sound:volume"),
            (
                "org.example.Sound.night:/org/example/alarm-clock/sound/night/", "volume", "2",
                "org.example.Sound:night:volume"
            ),
            ("org.example.Zone:/org/example/zones/oslo/", "name", "'Oslo'", "org.example.Zone:name"),
        ]
        try await withTemporaryDirectory { folder in
            try folder.appending(component: "test.gschema.xml").write(Self.gSettings)
            let environment = environment(folder)
            let compiler = ForeignProgram(name: "glib-compile-schemas", environment: environment)
            try #require(await compiler.run(["--strict", folder.filePath]).succeeded)
            let program = ForeignProgram(name: "gsettings", environment: environment)
            for value in values {
                try #require(await program.run(["set", value.schema, value.key, value.value]).succeeded)
            }
            let file = folder.appending(path: "glib-2.0/settings/keyfile")
            let store = GSettingsKeyfileStore(
                url: file,
                paths: paths[0].merging(["org.example.Zone": "/org/example/zones/oslo/"]) { $1 },
                durability: .immediate
            )
            #expect(try store.names() == Set(values.map(\.name)))
            let other = GSettingsKeyfileStore(url: file, paths: paths[1])
            #expect(try other.value(for: "org.example.OldClock:show-seconds") == true)

            try store.apply([
                "org.example.Clock:show-seconds": .set(false), "org.example.Clock:world:cities": .set(["Rome"]),
                "org.example.Sound:volume": .set(6), "org.example.Sound:night:volume": .set(3),
                "org.example.Zone:name": .set("Rome"),
            ])
            for (value, expected) in zip(values, ["false", "['Rome']", "6", "3", "'Rome'"]) {
                #expect(try await program.run(["get", value.schema, value.key]).output == "\(expected)\n")
            }
        }
    }

    @Test("The store finds the values of the settings of GNOME's programs")
    func gSettingsOfDebian() async throws {
        var paths: [String] = []
        var enums: [String] = []
        for package in ["gsettings-desktop-schemas", "gedit-common", "gnome-terminal-data", "gnome-terminal"] {
            paths += try await DebianPackage(name: package).files(ending: ".gschema.xml")
            enums += try await DebianPackage(name: package).files(ending: ".enums.xml")
        }
        var importer = Importer(files: Self.filesOnDisk)
        var names: [String] = []
        var places: [String: String] = [:]
        for path in paths {
            let name = ImportFormat.gschema.schemaName(path: path)
            let imported = try Imported(&importer, path, as: .gschema, name: name)
            names += imported.names
            for (namespace, place) in try imported.paths.first ?? [:] { places[namespace] = place }
        }
        try await withTemporaryDirectory { folder in
            for path in paths + enums {
                let contents = try String(contentsOfFile: path, encoding: .utf8)
                try folder.appending(component: URL(filePath: path).lastPathComponent).write(contents)
            }
            let environment = environment(folder)
            let compiler = ForeignProgram(name: "glib-compile-schemas", environment: environment)
            let compilation = try await compiler.run([folder.filePath])
            try #require(compilation.succeeded, "\(compilation.errors)")
            let program = ForeignProgram(name: "gsettings", environment: environment)
            var written: Set<String> = []
            // One key of each schema, with the value that it has.
            for (namespace, place) in places.sorted(by: { $0.key < $1.key }) {
                let name = try #require(
                    names.first { $0.split(separator: ":").dropLast().joined(separator: ":") == namespace }
                )
                let key = String(name.dropFirst(namespace.count + 1))
                var schema = namespace.replacing(":", with: ".")
                var value = try await program.run(["get", schema, key])
                if !value.succeeded {
                    // The program takes the path of a relocatable schema only.
                    schema += ":\(place)"
                    value = try await program.run(["get", schema, key])
                }
                try #require(value.succeeded, "\(schema) \(value.errors)")
                let run = try await program.run(["set", schema, key, String(value.output.dropLast())])
                try #require(run.succeeded, "\(schema) \(run.errors)")
                written.insert(name)
            }
            #expect(written.count > 40)
            let file = folder.appending(path: "glib-2.0/settings/keyfile")
            #expect(try GSettingsKeyfileStore(url: file, paths: places).names() == written)
        }
    }
}
