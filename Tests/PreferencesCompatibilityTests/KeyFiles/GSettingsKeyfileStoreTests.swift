import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesCompatibility
@testable import PreferencesRuntime

/// Compares the store with `gsettings` and its keyfile backend.
@Suite("GSettings' keyfile")
struct GSettingsKeyfileStoreTests {
    private enum Mode: String, PreferenceConvertible {
        case fast
        case slow
    }

    // MARK: - Programs

    /// A key of the schema of ``Settings``.
    private struct Key {
        var name: String
        var type: String
        /// The default in the GVariant format, as text of XML.
        var defaultText: String
    }

    private static let keys = [
        Key(name: "bool", type: "b", defaultText: "false"), Key(name: "byte", type: "y", defaultText: "1"),
        Key(name: "int16", type: "n", defaultText: "1"), Key(name: "uint16", type: "q", defaultText: "1"),
        Key(name: "int32", type: "i", defaultText: "1"), Key(name: "uint32", type: "u", defaultText: "1"),
        Key(name: "int64", type: "x", defaultText: "1"), Key(name: "uint64", type: "t", defaultText: "1"),
        Key(name: "double", type: "d", defaultText: "1"), Key(name: "string", type: "s", defaultText: "'default'"),
        Key(name: "object", type: "o", defaultText: "'/default'"),
        Key(name: "strings", type: "as", defaultText: "['-']"),
        Key(name: "ints", type: "ai", defaultText: "[0]"), Key(name: "doubles", type: "ad", defaultText: "[0]"),
        Key(name: "bytes", type: "ay", defaultText: "[0]"), Key(name: "nested", type: "aas", defaultText: "[['-']]"),
        Key(name: "dictionary", type: "a{si}", defaultText: "{'-': 0}"),
        Key(name: "names", type: "a{ss}", defaultText: "{'-': '-'}"),
        Key(name: "maybe", type: "mi", defaultText: "0"), Key(name: "maybes", type: "ams", defaultText: "['-']"),
        Key(name: "tuple", type: "(is)", defaultText: "(0, '-')"),
        Key(name: "single", type: "(i)", defaultText: "(0,)"),
        Key(name: "variants", type: "a{sv}", defaultText: "{'-': &lt;0>}"),
        Key(name: "list", type: "av", defaultText: "[&lt;0>]"),
    ]

    /// A configuration folder with a schema.
    private struct Settings {
        let folder: URL
        /// The path of the schema differs from its id.
        static let schema = "org.example.Clock"
        static let path = "/org/example/alarm-clock/"
        /// A schema without a path.
        static let relocatable = "org.example.Clock.Zone"

        var file: URL { folder.appending(path: "glib-2.0/settings/keyfile") }

        func store() -> GSettingsKeyfileStore {
            GSettingsKeyfileStore(
                url: file,
                paths: [Self.schema: Self.path, "\(Self.schema):Zone": "/org/example/zones/oslo/"],
                durability: .immediate
            )
        }

        private func run(_ program: String, _ arguments: [String]) async throws -> CommandLineRun {
            let environment = [
                "GSETTINGS_BACKEND": "keyfile", "GSETTINGS_SCHEMA_DIR": folder.filePath, "HOME": folder.filePath,
                "XDG_CONFIG_HOME": folder.filePath, "LC_ALL": "C.UTF-8",
            ]
            return try await ForeignProgram(name: program, environment: environment).run(arguments)
        }

        func compileSchema() async throws {
            let keys = GSettingsKeyfileStoreTests.keys.map {
                "<key name='\($0.name)' type='\($0.type)'><default>\($0.defaultText)</default></key>"
            }
            let text = """
                <schemalist>
                <enum id='org.example.Mode'><value nick='fast' value='1'/><value nick='slow' value='2'/></enum>
                <flags id='org.example.Flags'><value nick='fast' value='1'/><value nick='slow' value='2'/></flags>
                <schema id='\(Self.schema)' path='\(Self.path)'>\(keys.joined())
                <key name='mode' enum='org.example.Mode'><default>'fast'</default></key>
                <key name='modes' flags='org.example.Flags'><default>['fast']</default></key>
                </schema>
                <schema id='\(Self.relocatable)'><key name='name' type='s'><default>'-'</default></key></schema>
                </schemalist>
                """
            try folder.appending(component: "test.gschema.xml").write(text)
            let run = try await run("glib-compile-schemas", ["--strict", folder.filePath])
            try #require(run.succeeded, "\(run.errors)")
        }

        /// Returns the text that GNOME's program prints for a key.
        func get(_ key: String, _ schema: String = schema) async throws -> String {
            let run = try await run("gsettings", ["get", schema, key])
            #expect(run.succeeded && run.errors == "", "\(run.errors)")
            return String(run.output.dropLast())
        }

        /// Sets a key to a text in the GVariant format with GNOME's program.
        func set(_ key: String, _ text: String, _ schema: String = schema) async throws {
            let run = try await run("gsettings", ["set", schema, key, text])
            try #require(run.succeeded && run.errors == "", "\(run.errors)")
        }
    }

    private func withSettings(line: Int = #line, _ body: (Settings) async throws -> Void) async throws {
        try await withTemporaryDirectory(line: line) { folder in
            let settings = Settings(folder: folder)
            try await settings.compileSchema()
            try await body(settings)
        }
    }

    private func withKeyfile(_ text: String, line: Int = #line, _ body: (GSettingsKeyfileStore, URL) throws -> Void)
        throws
    {
        try withTemporaryDirectory(line: line) { folder in
            let url = folder.appending(component: "keyfile")
            try url.write(text)
            try body(GSettingsKeyfileStore(url: url, paths: ["c": "/c/"], durability: .immediate), url)
        }
    }

    // MARK: - Types

    /// Values of keys, and the texts that GNOME's program prints for them; nil if only the value is compared.
    private static let values: [(key: String, value: PreferenceValue, text: String?)] = [
        ("bool", true, "true"), ("byte", 255, "byte 0xff"), ("int16", -32_768, "int16 -32768"),
        ("uint16", 65_535, "uint16 65535"),
        ("int32", -2_147_483_648, "-2147483648"), ("uint32", 4_294_967_295, "uint32 4294967295"),
        ("int64", .int(.min), "int64 -9223372036854775808"), ("int64", .int(.max), "int64 9223372036854775807"),
        ("uint64", .unsignedInt(.max), "uint64 18446744073709551615"),
        ("double", 5.0, "5.0"), ("double", 0.1, nil), ("double", 1e16, nil),
        ("double", -1.5e300, nil), ("string", "", "''"), ("string", "Oslo", "'Oslo'"),
        ("string", "it's \"quoted\" \\", #""it's \"quoted\" \\""#),
        ("string", "\n\t\u{1}\u{7F}", #"'\n\t\u0001\u007f'"#),
        ("string", " é 日本 🌦️ ", "' é 日本 🌦️ '"), ("string", "\u{FEFF}\u{2028}\u{E000}", nil), ("string", "true", "'true'"),
        ("string", "[a]=b;#", "'[a]=b;#'"), ("object", "/a/b", "objectpath '/a/b'"),
        ("strings", [], "@as []"), ("strings", ["a", "b's", ""], #"['a', "b's", '']"#),
        ("ints", [1, -2], "[1, -2]"), ("doubles", [1.0, 0.5], "[1.0, 0.5]"), ("doubles", [], "@ad []"),
        ("bytes", .data(Data([1, 255])), "[byte 0x01, 0xff]"), ("bytes", .data(Data()), "@ay []"),
        ("bytes", [97, 0], "b'a'"), ("nested", [[], ["a"], []], "[@as [], ['a'], []]"),
        ("nested", [[]], "[@as []]"), ("dictionary", ["a": 1, "b": 2], "{'a': 1, 'b': 2}"),
        ("dictionary", [:], "@a{si} {}"), ("names", ["it's": "x"], #"{"it's": 'x'}"#),
        ("maybe", .null, "@mi nothing"), ("maybe", 5, "@mi 5"), ("maybes", ["a", .null], "[@ms 'a', nothing]"),
        ("mode", "slow", "'slow'"), ("modes", ["fast", "slow"], "['fast', 'slow']"), ("modes", [], "@as []"),
        ("variants", ["a": 1, "b": "c"], "{'a': <1>, 'b': <'c'>}"),
        (
            "list", [1, "a", .int(1 << 40), .unsignedInt(.max)],
            "[<1>, <'a'>, <int64 1099511627776>, <uint64 18446744073709551615>]"
        ),
        ("list", [[1, 2], ["a": [1.5]], [], .null, [[], [5_000_000_000]]], nil),
        ("list", [true, .data(Data([1])), .data(Data()), [["a", 1]], [.null, "a"]], nil),
    ]

    @Test("GNOME's program reads the values that the store sets", arguments: values.indices)
    func programReadsValue(index: Int) async throws {
        let (key, value, text) = Self.values[index]
        try await withSettings { settings in
            let store = settings.store()
            let name = "\(Settings.schema):\(key)"
            try store.apply([name: .set(value)])
            #expect(try settings.store().value(for: name) == value)
            let found = try await settings.get(key)
            var reader = GVariantReader(Array(found.utf8)[...])
            let read = try reader.read()
            // The default is another value, which would be printed if the program could not parse the text.
            #expect(Self.withIntegers(read) == Self.withIntegers(value), "\(found)")
            if let text { #expect(found == text) }
            // The program writes the same value back.
            try await settings.set(key, found)
            try store.reload()
            let again = try #require(try store.value(for: name))
            #expect(Self.withIntegers(again) == Self.withIntegers(value), "\(again)")
        }
    }

    /// Returns a value with the integers of bytes: in its file, the program does not distinguish them.
    private static func withIntegers(_ value: PreferenceValue) -> PreferenceValue {
        switch value {
        case .data(let data): .array(data.map { .int(Int64($0)) })
        case .array(let elements): .array(elements.map(withIntegers))
        default: value
        }
    }

    /// Texts that are set with GNOME's program, and the values that the store reads.
    private static let texts: [(key: String, text: String, value: PreferenceValue)] = [
        ("bool", "true", true), ("byte", "0x10", 16), ("uint32", "uint32 7", 7), ("int64", "int64 -7", -7),
        ("uint64", "18446744073709551615", .unsignedInt(.max)), ("double", "5", 5.0), ("double", "1e-3", 0.001),
        ("double", "inf", .double(.infinity)), ("double", "-inf", .double(-.infinity)), ("string", "'a'", "a"),
        ("string", #""it's""#, "it's"),
        ("string", #"'\u00e9\U0001f326\a\b\f\v\\\''"#, "é\u{1F326}\u{7}\u{8}\u{C}\u{B}\\'"),
        ("strings", "['a', 'b']", ["a", "b"]), ("strings", "@as []", []), ("bytes", "b'ab'", .data(Data([97, 98, 0]))),
        ("bytes", "[byte 1, 2]", [1, 2]), ("dictionary", "{'a': 1}", ["a": 1]), ("dictionary", "[{'a', 1}]", ["a": 1]),
        ("maybe", "nothing", .null), ("maybe", "just 3", 3), ("tuple", "(5, 'a')", [5, "a"]), ("single", "(5,)", [5]),
        ("variants", "{'a': <uint32 1>, 'b': <@as []>}", ["a": 1, "b": []]),
        ("list", "[<'a'>, <(1, 2)>]", ["a", [1, 2]]),
        ("nested", "[['a'], []]", [["a"], []]), ("modes", "['slow']", ["slow"]),
    ]

    @Test("The store reads the values that GNOME's program sets, and keeps their types", arguments: texts.indices)
    func storeReadsValue(index: Int) async throws {
        let (key, text, value) = Self.texts[index]
        try await withSettings { settings in
            try await settings.set(key, text)
            let name = "\(Settings.schema):\(key)"
            #expect(try settings.store().value(for: name) == value)
            let printed = try await settings.get(key)
            // The value is written again, in the style of the old text.
            let other: PreferenceValue =
                switch value {
                case .array(let elements): .array(elements.reversed().reversed() + (key == "list" ? ["x"] : []))
                default: value
                }
            if key == "tuple" {
                try settings.store().apply([name: .set([6, "b"])])
                #expect(try await settings.get(key) == "(6, 'b')")
            } else if key == "single" {
                try settings.store().apply([name: .set([6])])
                #expect(try await settings.get(key) == "(6,)")
            } else if key == "variants" {
                try settings.store().apply([name: .set(["c": "d"])])
                #expect(try await settings.get(key) == "{'c': <'d'>}")
            } else {
                try settings.store().apply([name: .set(other)])
                if other == value { #expect(try await settings.get(key) == printed) }
            }
        }
    }

    @Test("Random values of each type are the same for the store and GNOME's program")
    func randomValues() async throws {
        var random = SeededRandom(seed: 20_261_128)
        let parts = [
            "a", "é", "🌦️", "'", "\"", "\\", "\n", "\t", "\u{1}", "\u{7F}", "\u{200B}", "=", "[", "]", "#", " ", "<",
            "{", ",",
            "\u{301}", "\u{10FFFF}",
        ]
        func text() -> String {
            (0..<Int.random(in: 0...6, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        }
        func list<Element>(_ make: () -> Element) -> [Element] {
            (0..<Int.random(in: 0...4, using: &random)).map { _ in make() }
        }
        try await withSettings { settings in
            let store = settings.store()
            for _ in 0..<15 {
                let values: [String: PreferenceValue] = [
                    "string": .string(text()), "strings": .array(list { .string(text()) }),
                    "nested": .array(list { .array(list { .string(text()) }) }),
                    "int64": .int(Int64.random(in: .min ... .max, using: &random)),
                    "uint64": .integer(UInt64.random(in: 0 ... .max, using: &random)) ?? 0,
                    "double": .double(Double(bitPattern: random.next())),
                    "names": .dictionary(Dictionary(list { (text(), .string(text())) }) { $1 }),
                    "bytes": .data(Data(list { UInt8.random(in: 0...255, using: &random) })),
                    "list": .array(
                        list { Bool.random(using: &random) ? .string(text()) : .array(list { .string(text()) }) }
                    ),
                ]
                try store.apply(
                    PreferenceBatch(
                        Dictionary(
                            uniqueKeysWithValues: values.map { ("\(Settings.schema):\($0.key)", .set($0.value)) }
                        )
                    )
                )
                for (key, value) in values {
                    let found = try await settings.get(key)
                    var reader = GVariantReader(Array(found.utf8)[...])
                    let read = try reader.read()
                    #expect(read == value, "\(key): \(found)")
                    try await settings.set(key, found)
                    try store.reload()
                    let again = try #require(try store.value(for: "\(Settings.schema):\(key)"))
                    #expect(Self.withIntegers(again) == Self.withIntegers(value), "\(key): \(found)")
                }
            }
        }
    }

    @Test("Values are converted to the types of keys")
    func conversion() throws {
        let text =
            "[c]\na=5\nb=[0x61, 0x62]\nd=b'a'\ne='slow'\nf=['slow', 'fast']\ng=nothing\nh=unquoted \"text\"\\n\ni=\n"
            + "j=[b'a', [byte 1], []]\nk={'x': b'a'}\n"
        try withKeyfile(text) { store, _ in
            func read<Value: PreferenceConvertible>(_ key: String, as type: Value.Type) throws -> Value {
                try store.read(#require(try store.value(for: "c:\(key)")), of: "c:\(key)", as: type)
            }
            #expect(try read("a", as: Double.self) == 5)
            #expect(try read("a", as: UInt8.self) == 5)
            #expect(try read("b", as: [UInt8].self) == [97, 98])
            #expect(try read("b", as: Data.self) == Data("ab".utf8))
            #expect(try read("d", as: Data.self) == Data([97, 0]))
            #expect(try read("d", as: [UInt8].self) == [97, 0])
            #expect(try read("e", as: Mode.self) == .slow)
            #expect(try read("f", as: Set<Mode>.self) == [.slow, .fast])
            #expect(try read("g", as: Int?.self) == nil)
            #expect(try read("j", as: [[UInt8]].self) == [[97, 0], [1], []])
            #expect(try read("j", as: [Data].self) == [Data([97, 0]), Data([1]), Data()])
            #expect(try read("k", as: [String: [UInt8]].self) == ["x": [97, 0]])
            #expect(try read("h", as: String.self) == "unquoted \"text\"\n")
            #expect(try read("i", as: String.self) == "")
            let found = try #require(try store.value(for: "c:a"))
            #expect(throws: PreferenceConversionError(expected: String.self, found: found)) {
                try read("a", as: String.self)
            }
        }
    }

    @Test("An unquoted string is read as by GNOME's program")
    func unquotedString() async throws {
        try await withSettings { settings in
            try FileManager.default.createDirectory(
                at: settings.file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try settings.file.write("[org/example/alarm-clock]\nstring=some \"text\" \\u00e9 \n")
            let value = try settings.store().value(for: "\(Settings.schema):string")
            #expect(value == "some \"text\" é ")
            #expect(try await settings.get("string") == "'some \"text\" é '")
        }
    }

    @Test("Values that GVariant cannot represent are stored as JSON")
    func json() throws {
        try withKeyfile("") { store, url in
            let date = Date(timeIntervalSince1970: 1_769_860_830)
            try store.apply(["c:date": .set(.date(date)), "c:nul": .set("a\u{0}"), "c:json": .set(["$json": "1"])])
            #expect(
                try url.text() == #"""
                    [c]
                    date={'$json': '{"$date": "2026-01-31T12:00:30Z"}'}
                    json={'$json': '{"$dictionary": {"$json": "1"}}'}
                    nul={'$json': '"a\\u0000"'}

                    """#
            )
            #expect(try store.value(for: "c:date") == .date(date))
            #expect(try store.value(for: "c:nul") == "a\u{0}")
            #expect(try store.value(for: "c:json") == ["$json": "1"])
        }
    }

    @Test(
        "A value that is not in the GVariant text format is reported with its line",
        arguments: [
            #""a"#, #""\u00""#, #""a" 'b'"#, #""a"x"#,
        ]
    )
    func unreadableValues(text: String) throws {
        try withKeyfile("# comment\n[c]\na=\(text)\nb=1\n") { store, url in
            let message = "line 3: this is not a value in the GVariant text format"
            let problem = PreferenceProblem(.unsupportedValue, key: "c:a", store: store.label, message: message)
            #expect(throws: problem) { try store.value(for: "c:a") }
            // The entry is kept until it is set.
            try store.apply(["c:b": .set(2)])
            #expect(try url.text() == "# comment\n[c]\na=\(text)\nb=2\n")
            try store.apply(["c:a": .set("x")])
            #expect(try url.text() == "# comment\n[c]\na='x'\nb=2\n")
        }
    }

    @Test(
        "A text that is neither a value nor begins with a quote is a string without quotes",
        arguments: [
            "[1", "{1: 'a'}", "<1", "(1 2)", "@", "nothing else", "0x", "99999999999999999999", "-9223372036854775809",
            "1.5.5",
            "just", "byte", "@d", "[1,]", "b", "[byte 300]", "{'a', 1}",
        ]
    )
    func unquotedTexts(text: String) throws {
        try withKeyfile("[c]\na=\(text)\n") { (store, _) throws in
            #expect(try store.value(for: "c:a") == .string(text))
        }
    }

    // MARK: - Names

    @Test("Names are those of schemas and paths")
    func names() async throws {
        try await withSettings { settings in
            let store = settings.store()
            let relocated = "\(Settings.relocatable):/org/example/zones/oslo/"
            try store.apply([
                "\(Settings.schema):string": .set("a"), "\(Settings.schema):Zone:name": .set("Oslo"),
                "/org/example/zones/bergen/name": .set("Bergen"), "plain": .set("b"), "": .set("c"),
                " a/b=[%]": .set("d"),
            ])
            #expect(
                try settings.file.text() == """
                    [org/example/alarm-clock]
                    string='a'

                    [org/example/zones/bergen]
                    name='Bergen'

                    [org/example/zones/oslo]
                    name='Oslo'

                    [swift-preferences]
                    %='c'
                    %20a%2Fb%3D%5B%25%5D='d'
                    plain='b'

                    """
            )
            #expect(try await settings.get("string") == "'a'")
            #expect(try await settings.get("name", relocated) == "'Oslo'")
            #expect(
                try await settings.get("name", "\(Settings.relocatable):/org/example/zones/bergen/") == "'Bergen'"
            )
            #expect(
                try store.names() == [
                    "\(Settings.schema):string", "\(Settings.schema):Zone:name", "/org/example/zones/bergen/name",
                    "plain", "",
                    " a/b=[%]",
                ]
            )
            try await settings.set("name", "'x'", relocated)
            try store.reload()
            #expect(try store.value(for: "\(Settings.schema):Zone:name") == "x")
        }
    }

    @Test(
        "A name without a path, and a second name, is refused",
        arguments: [
            ("org.example.Other:key", "the store knows no path for 'org.example.Other'; pass it in 'paths'"),
            ("c:d:key", "the store knows no path for 'c:d'; pass it in 'paths'"),
            ("/c/key", "the name of this key is 'c:key'"),
        ]
    )
    func refusedNames(name: String, message: String) throws {
        try withKeyfile("[c]\nkey=1\n") { (store, url) throws in
            let problem = PreferenceProblem(.unsupportedValue, key: name, store: store.label, message: message)
            #expect(throws: problem) { try store.value(for: name) }
            #expect(throws: problem) { try store.apply(["c:fine": .set(1), name: .set(1)]) }
            #expect(try url.text() == "[c]\nkey=1\n")
        }
    }

    @Test("Entries that GSettings does not read have no name, and are kept")
    func unnamedEntries() throws {
        let text = "[a//b]\nx=1\n[/a]\nx=1\n[a]\nx/y=1\nz[de]=1\n\n[swift-preferences]\n%zz=1\na%62=2\n"
        try withKeyfile(text) { store, url in
            #expect(try store.names() == [])
            try store.apply(["c:a": .set(1)])
            #expect(try url.text() == text + "\n[c]\na=1\n")
        }
    }

    // MARK: - Layout

    @Test("Comments, blank lines and the order of entries are kept")
    func layout() async throws {
        try await withSettings { settings in
            try await settings.set("string", "'a'")
            let text = "# Settings\n\n[org/example/alarm-clock]\n# The key\n string = 'a'\r\nints=[1]\n\n[b]\nx=1\n"
            try settings.file.write(text)
            #expect(try settings.store().value(for: "\(Settings.schema):string") == "a")
            try settings.store().apply([
                "\(Settings.schema):string": .set("b"), "\(Settings.schema):bool": .set(true), "/b/x": .remove,
            ])
            #expect(
                try settings.file.text()
                    == "# Settings\n\n[org/example/alarm-clock]\n# The key\nstring='b'\nints=[1]\nbool=true\n"
            )
            #expect(try await settings.get("string") == "'b'")
            #expect(try await settings.get("bool") == "true")
        }
    }

    @Test(
        "A line that GLib refuses makes the file damaged, and names its position",
        arguments: [
            ("a=1\n", "line 1: expected a group in brackets before the first entry"),
            ("# x\n[c\na=1\n", "line 2: this is not the name of a group in brackets"),
            ("[]\n", "line 1: this is not the name of a group in brackets"),
            ("[c]\na=1\nnothing\n", "line 3: expected a group in brackets, an entry 'key=value' or a comment"),
            ("[c]\n=1\n", "line 2: expected a group in brackets, an entry 'key=value' or a comment"),
        ]
    )
    func damage(text: String, message: String) throws {
        try withKeyfile(text) { (store, url) throws in
            let problem = PreferenceProblem(.storeMalformed, store: store.label, message: message)
            #expect(throws: problem) { try store.value(for: "c:a") }
            #expect(throws: problem) { try store.names() }
            #expect(try url.text() == text)
        }
    }

    @Test("The default file is that of GSettings")
    func defaultFile() async {
        await #expect(processExitsWith: .success) {
            setenv("XDG_CONFIG_HOME", "/tmp/config", 1)
            #expect(GSettingsKeyfileStore.defaultURL.path == "/tmp/config/glib-2.0/settings/keyfile")
            setenv("XDG_CONFIG_HOME", "", 1)
            #expect(GSettingsKeyfileStore.defaultURL.path.hasSuffix("/.config/glib-2.0/settings/keyfile"))
            setenv("HOME", "/tmp/home", 1)
            #expect(GSettingsKeyfileStore.defaultURL.path == "/tmp/home/.config/glib-2.0/settings/keyfile")
        }
    }

    @Test("An invalid path, and two namespaces with one path, end the program")
    func invalidPaths() async {
        await #expect(processExitsWith: .failure) { _ = GSettingsKeyfileStore(paths: ["a": "a/"]) }
        await #expect(processExitsWith: .failure) { _ = GSettingsKeyfileStore(paths: ["a": "/a/", "b": "/a/"]) }
    }
}
