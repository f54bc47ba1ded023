import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesCompatibility
@testable import PreferencesRuntime

/// Compares the store with `kreadconfig5` and `kwriteconfig5` of KDE Frameworks 5.
@Suite("KConfig files")
struct KConfigStoreTests {
    private enum Mode: String, PreferenceConvertible, CaseIterable {
        case fast = "Fast"
        case crashNBurn = "Crash'n Burn"
    }

    private struct Place: Codable, PreferenceConvertible, Equatable {
        var name: String
        var height: Double
    }

    // MARK: - Programs

    /// A configuration file in a folder of its own, which is also the home folder of KDE's programs.
    private struct ConfigurationFile {
        let url: URL
        var locale = "C"

        func store(timeZone: TimeZone = .gmt) -> KConfigStore {
            KConfigStore(url: url, locale: locale, timeZone: timeZone, durability: .immediate)
        }

        private func run(_ program: String, _ arguments: [String]) async throws -> CommandLineRun {
            let folder = url.deletingLastPathComponent().filePath
            let language = locale == "C" ? "C.UTF-8" : "\(locale).UTF-8"
            let environment = [
                "HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_CONFIG_DIRS": folder, "LC_ALL": language,
                "LANG": language,
                "QT_LOGGING_RULES": "*=false",
            ]
            return try await ForeignProgram(name: program, environment: environment).run(
                ["--file", url.filePath] + arguments
            )
        }

        private func arguments(_ groups: [String], _ key: String) -> [String] {
            (groups.isEmpty ? ["<default>"] : groups).flatMap { ["--group", $0] } + ["--key", key]
        }

        /// Returns the text that KDE's program reads.
        func read(_ groups: [String], _ key: String) async throws -> String {
            let run = try await run("kreadconfig5", arguments(groups, key))
            #expect(run.status == 0)
            #expect(run.output.unicodeScalars.last == "\n")
            return String(String.UnicodeScalarView(run.output.unicodeScalars.dropLast()))
        }

        /// Whether KDE's program reads a Boolean as true.
        func readsAsTrue(_ key: String) async throws -> Bool {
            // The program prints nothing.
            let status = try await run("kreadconfig5", arguments(["A"], key) + ["--type", "bool"]).status
            try #require(status < 2)
            return status == 0
        }

        /// Writes a text with KDE's program.
        ///
        /// - Returns: The exit status.
        @discardableResult
        func write(_ groups: [String], _ key: String, _ text: String) async throws -> Int32 {
            try await run("kwriteconfig5", arguments(groups, key) + ["--", text]).status
        }
    }

    private func withFile(
        _ contents: String? = nil,
        locale: String = "C",
        line: Int = #line,
        _ body: (ConfigurationFile) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory(line: line) { folder in
            let file = ConfigurationFile(url: folder.appending(component: "apprc"), locale: locale)
            if let contents { try file.url.write(contents) }
            try await body(file)
        }
    }

    // MARK: - Texts and names

    private static let texts = [
        "", "plain", " leading", "trailing ", " ", "a b", "\t", "a\nb\r\nc", "a=b", "[a]", "#a", ";", "a;b", "a,b",
        "\\",
        "\\s", "a\\,b", "a\\;b", "\\x41", "$HOME", "é", "日本語 🌦️", "e\u{301}", "\u{1}\u{1F}\u{7F}\u{85}", "\"a\"", "'",
        "true", "1,2",
    ]

    @Test("KDE's program reads the texts that the store writes", arguments: texts)
    func programReadsText(text: String) async throws {
        try await withFile { file in
            let store = file.store()
            try store.apply(["A:key": .set(.string(text)), "top": .set("x")])
            #expect(Array(try await file.read(["A"], "key").utf8) == Array(text.utf8))
            #expect(try await file.read([], "top") == "x")
        }
    }

    @Test("The store reads the texts that KDE's program writes, and would write the same file", arguments: texts)
    func storeReadsText(text: String) async throws {
        try await withFile { file in
            // The program writes no empty text in its first call, since it cannot be distinguished from no entry.
            if text.isEmpty { try await file.write(["A"], "key", "old") }
            try #require(try await file.write(["A"], "key", text) == 0)
            let value = try #require(try file.store().value(for: "A:key"))
            #expect(value.isIdentical(to: .string(text)))
            let written = try file.url.text()
            try FileManager.default.removeItem(at: file.url)
            try file.store().apply(["A:key": .set(value)])
            #expect(try file.url.text() == written)
        }
    }

    /// Groups and keys, and their names.
    private static let entries: [(groups: [String], key: String, name: String)] = [
        ([], "key", "key"), (["A"], "key", "A:key"), (["A", "B"], "key", "A:B:key"), (["A B"], "a b", "A B:a b"),
        (["Colors:Window"], "key", #"Colors\:Window:key"#), (["A"], "a:b", #"A:a\:b"#), ([], "a:b", #"a\:b"#),
        (["A\\"], "key", #"A\\:key"#), (["A\\:B"], "key", #"A\\\:B:key"#), (["A\\B"], "key", "A\\B:key"),
        ([], ":a", ":a"), (["A]B[C"], "a[b]c=d", "A]B[C:a[b]c=d"), (["日本"], "é", "日本:é"), (["$abc"], "$i", "$abc:$i"),
        (["A"], " key ", "A: key "), (["A\tB"], "a\tb", "A\tB:a\tb"), (["A", "$i"], "key", "A:$i:key"),
        (["A/B.c"], "d/e.f", "A/B.c:d/e.f"),
    ]

    @Test("Names are those of groups and keys, in both directions", arguments: entries)
    func names(_ groups: [String], _ key: String, _ name: String) async throws {
        try await withFile { file in
            try file.store().apply([name: .set("from the store")])
            #expect(try await file.read(groups, key) == "from the store")
            try #require(try await file.write(groups, key, "from the program") == 0)
            #expect(try file.store().value(for: name) == "from the program")
            #expect(try file.store().names() == [name])
            let written = try file.url.text()
            try FileManager.default.removeItem(at: file.url)
            try file.store().apply([name: .set("from the program")])
            #expect(try file.url.text() == written)
        }
    }

    @Test("A key that begins with '#' is read, though KDE's program writes a comment, and one with a backslash")
    func unusualKeys() async throws {
        try await withFile { file in
            try file.store().apply(["A:#key": .set("x"), "A:a\\b": .set("y")])
            #expect(try file.url.text() == "[A]\n\\x23key=x\na\\\\b=y\n")
            #expect(try await file.read(["A"], "#key") == "x")
            // KConfig writes backslashes in keys the same way, but replaces their escapes twice when it reads them.
            #expect(try file.store().value(for: "A:a\\b") == "y")
        }
    }

    @Test(
        "A second name of an entry is refused",
        arguments: [
            ("<default>:a", "the name of a key of the group '<default>' is the key alone"),
            (#"\:a"#, "the name of this key is ':a'"), ("", "KConfig has no entry of this name"),
            ("a\u{0}de", "KConfig has no entry of this name"), ("a\u{1D}b:c", "KConfig has no entry of this name"),
        ]
    )
    func refusedNames(name: String, message: String) async throws {
        try await withFile { (file) async throws in
            let store = file.store()
            let problem = PreferenceProblem(.unsupportedValue, key: name, store: store.label, message: message)
            #expect(throws: problem) { try store.apply(["fine": .set("x"), name: .set("x")]) }
            #expect(throws: problem) { try store.update { _ in [name: .set("x")] } }
            // Another name is a mistake in the schema, and other texts are none.
            if message.contains("name of") { #expect(throws: problem) { try store.value(for: name) } }
            #expect(try store.names() == [])
        }
    }

    @Test("The group '<default>' is that of the entries before the first header")
    func defaultGroup() async throws {
        try await withFile("a=1\n[<default>]\nb=2\n[A]\nc=3\n") { file in
            #expect(try file.store().names() == ["a", "b", "A:c"])
            #expect(try await file.read([], "b") == "2")
            try file.store().apply(["d": .set("4")])
            #expect(try await file.read([], "d") == "4")
        }
    }

    @Test("Random texts, groups and keys are the same for the store and KDE's program")
    func randomEntries() async throws {
        var random = SeededRandom(seed: 20_261_128)
        let parts = [
            "a", "B", "é", "🌦️", " ", "\t", "\n", "\\", ",", ";", "=", "[", "]", "$", "#", ":", "x41", "s", "\"", "/",
            "\u{301}", "\u{7F}",
        ]
        func text(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        }
        try await withFile { file in
            let store = file.store()
            for _ in 0..<40 {
                // KDE's program writes some texts at the ends of groups and keys, and backslashes in keys, but does not
                // read them.
                let groups = (0..<Int.random(in: 0...2, using: &random)).map { _ in "g\(text(0...5))g" }
                let (key, text) = ("k\(text(0...5).replacing("\\", with: ""))k", text(0...8))
                let group = groups.joined(separator: "\u{1D}")
                let name = try #require(KConfigName.name(group: group, key: key))
                try store.apply([name: .set(.string(text))])
                let found = try await file.read(groups, key)
                #expect(Array(found.utf8) == Array(text.utf8), "\(name)")
                try #require(try await file.write(groups, key, text + "!") == 0)
                try store.reload()
                #expect(try store.value(for: name)?.isIdentical(to: .string(text + "!")) == true, "\(name)")
            }
        }
    }

    @Test("Escapes are read as KConfig reads them, also invalid ones")
    func escapes() async throws {
        let lines = [
            #"a=\s\t\n\r\\\x41"#, #"b=a\qb"#, #"c=\x4"#, #"d=\xzzk"#, #"e=a\,b\;c"#, #"f=a\"#, #"  g  =  x y  "#,
            #"h\x3dh=1"#, "i =", "j[]=1",
        ]
        try await withFile("[A]\n" + lines.joined(separator: "\n") + "\n") { file in
            let store = file.store()
            for key in ["a", "b", "c", "d", "e", "f", "g", "h=h", "i", "j"] {
                let expected = try await file.read(["A"], key)
                #expect(try store.value(for: "A:\(key)") == .string(expected), "\(key)")
            }
        }
    }

    // MARK: - Types

    private func expect<Value: PreferenceConvertible & Equatable>(
        _ value: Value,
        isStoredAs text: String,
        timeZone: TimeZone = .gmt
    ) async throws {
        try await withFile { file in
            let store = file.store(timeZone: timeZone)
            try store.apply(["A:key": .set(try value.preferenceValue())])
            #expect(try await file.read(["A"], "key") == text)
            let stored = try #require(try store.value(for: "A:key"))
            #expect(try store.read(stored, of: "A:key", as: Value.self) == value)
            try #require(try await file.write(["A"], "key", text) == 0)
            try store.reload()
            let written = try #require(try store.value(for: "A:key"))
            #expect(try store.read(written, of: "A:key", as: Value.self) == value)
        }
    }

    @Test("Values of each type are stored as KConfig stores them")
    func types() async throws {
        try await expect(true, isStoredAs: "true")
        try await expect(false, isStoredAs: "false")
        try await expect(-5, isStoredAs: "-5")
        try await expect(UInt64.max, isStoredAs: "18446744073709551615")
        try await expect(5.0, isStoredAs: "5")
        try await expect(0.1, isStoredAs: "0.1")
        try await expect(1e16, isStoredAs: "1e+16")
        try await expect("a,b", isStoredAs: "a,b")
        try await expect(URL(string: "https://example.org/a%20b"), isStoredAs: "https://example.org/a%20b")
        try await expect(Mode.crashNBurn, isStoredAs: "Crash'n Burn")
        try await expect(["a", "b,c", "d\\e", ""], isStoredAs: #"a,b\,c,d\\e,"#)
        try await expect([""], isStoredAs: #"\0"#)
        try await expect([String](), isStoredAs: "")
        try await expect([1, -2], isStoredAs: "1,-2")
        try await expect([Mode.fast, .crashNBurn], isStoredAs: "Fast,Crash'n Burn")
        try await expect(Set([3, 1]), isStoredAs: "1,3")
        try await expect([["a", "b"], ["c"]], isStoredAs: #"a\,b,c"#)
        try await expect(Data("bytes".utf8), isStoredAs: "bytes")
        try await expect(Place(name: "Oslo", height: 1.5), isStoredAs: #"{"height": 1.5, "name": "Oslo"}"#)
        try await expect(Optional("a"), isStoredAs: "a")
    }

    @Test("Dates are stored as local times, with milliseconds")
    func dates() async throws {
        let date = Date(timeIntervalSince1970: 1_769_860_830.5)  // 2026-01-31T12:00:30.5Z
        try await expect(date, isStoredAs: "2026,1,31,12,0,30.5")
        let oslo = try #require(TimeZone(identifier: "Europe/Oslo"))
        try await expect(date, isStoredAs: "2026,1,31,13,0,30.5", timeZone: oslo)
        try await expect(Date(timeIntervalSince1970: -0.25), isStoredAs: "1969,12,31,23,59,59.75")
        try await withFile("[A]\nday=2026,1,31\nbad=2026,2,30,0,0,0\n") { file in
            let store = file.store()
            let day = try #require(try store.value(for: "A:day"))
            #expect(try store.read(day, of: "A:day", as: Date.self) == Date(timeIntervalSince1970: 1_769_817_600))
            let bad = try #require(try store.value(for: "A:bad"))
            #expect(throws: PreferenceConversionError(expected: Date.self, found: bad)) {
                try store.read(bad, of: "A:bad", as: Date.self)
            }
        }
    }

    @Test(
        "Booleans are read as KDE's program reads them",
        arguments: ["true", "TRUE", "on", "yes", "1", "false", "False", "off", "no", "NO", "0", "maybe", "2"]
    )
    func booleans(text: String) async throws {
        try await withFile("[A]\nkey=\(text)\n") { file in
            let store = file.store()
            let isTrue = try await file.readsAsTrue("key")
            let value = try #require(try store.value(for: "A:key"))
            #expect(try store.read(value, of: "A:key", as: Bool.self) == isTrue)
        }
    }

    @Test("Cases are read in any case, and by their index")
    func enums() async throws {
        try await withFile("[A]\na=fast\nb=1\nc=2\n") { (file) async throws in
            let store = file.store()
            #expect(try store.read("fast", of: "A:a", as: Mode.self) == .fast)
            #expect(try store.read("1", of: "A:b", as: Mode.self) == .crashNBurn)
            let error = #expect(throws: PreferenceConversionError.self) {
                try store.read("2", of: "A:c", as: Mode.self)
            }
            #expect(error?.description == #""2" must be one of Fast, "Crash'n Burn""#)
        }
    }

    @Test("Data that is not UTF-8 is stored, and read as data alone")
    func data() async throws {
        try await withFile { file in
            let store = file.store()
            let data = Data([0, 0x41, 0xFF, 0xC3, 0xA9])
            try store.apply(["A:key": .set(.data(data))])
            #expect(try file.url.text() == "[A]\nkey=\\x00A\\xff\\xc3\\xa9\n")
            let value = try #require(try file.store().value(for: "A:key"))
            #expect(value == .data(data))
            #expect(throws: PreferenceConversionError(expected: String.self, found: value)) {
                try store.read(value, of: "A:key", as: String.self)
            }
        }
    }

    @Test("Null and data in lists are refused")
    func refusedValues() async throws {
        try await withFile { (file) async throws in
            let store = file.store()
            for (value, message) in [
                (PreferenceValue.null, "KConfig has no null"),
                ([.data(Data([0xFF]))], "KConfig's lists contain text, not other data"),
                (.date(.distantFuture.addingTimeInterval(1e12)), nil),
            ] as [(PreferenceValue, String?)] {
                let error = #expect(throws: PreferenceProblem.self) { try store.apply(["A:key": .set(value)]) }
                #expect(error?.code == .unsupportedValue && error?.key == "A:key")
                if let message { #expect(error?.message == message) }
            }
            #expect(try store.names() == [])
        }
    }

    // MARK: - Flags and languages

    @Test("Environment variables are replaced in entries with [$e], and a new value is literal")
    func expansion() async throws {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        try await withFile("[A]\na[$e]=$HOME/x\nb=$HOME\nc[$e]=${HOME}-$$-$(ls)-$-$\nd[$e]=$UNSET_VARIABLE.\n") {
            file in
            let store = file.store()
            #expect(try store.value(for: "A:a") == .string("\(home)/x"))
            #expect(try store.value(for: "A:b") == "$HOME")
            #expect(try store.value(for: "A:c") == .string("\(home)-$-(ls)--$"))
            // The program has another home folder.
            let expected = try await file.read(["A"], "c")
            let folder = file.url.deletingLastPathComponent().filePath
            #expect(expected.replacingOccurrences(of: folder, with: home) == "\(home)-$-(ls)--$")
            #expect(try store.value(for: "A:d") == ".")
            try store.apply(["A:a": .set("$HOME/y")])
            #expect(try file.url.text().hasPrefix("[A]\na=$HOME/y\nb="))
            #expect(try await file.read(["A"], "a") == "$HOME/y")
        }
    }

    @Test("Immutable entries are read, and refuse edits as they do for KDE's program")
    func immutability() async throws {
        let text = "[A]\na[$i]=1\nb=2\na=3\n\n[B][$i]\nc=4\n\n[B][C]\nd=5\n"
        let cases: [(groups: [String], key: String, message: String?)] = [
            (["A"], "a", "line 2: the entry is immutable ('[$i]')"), (["A"], "b", nil),
            (["B"], "c", "line 6: the group is immutable ('[$i]')"),
            (["B"], "new", "line 6: the group is immutable ('[$i]')"), (["B", "C"], "d", nil),
            (["B", "New"], "e", "line 6: the group is immutable ('[$i]')"),
        ]
        for (groups, key, message) in cases {
            try await withFile(text) { file in
                let store = file.store()
                let name = (groups + [key]).joined(separator: ":")
                #expect(try store.value(for: "A:a") == "1")
                if let message {
                    let problem = PreferenceProblem(.storeUnwritable, key: name, store: store.label, message: message)
                    #expect(throws: problem) { try store.apply(["A:b": .set("x"), name: .set("x")]) }
                    #expect(throws: problem) { try store.update { _ in [name: .set("x")] } }
                    #expect(try file.url.text() == text)
                    // The program does not write the entry either.
                    try await file.write(groups, key, "x")
                    #expect(try await file.read(groups, key) != "x")
                } else {
                    try store.apply([name: .set("x")])
                    #expect(try await file.read(groups, key) == "x")
                    try #require(try await file.write(groups, key, "y") == 0)
                    try store.reload()
                    #expect(try store.value(for: name) == "y")
                }
            }
        }
    }

    @Test("An immutable entry is not removed, and removing what is not set is no edit")
    func immutableRemoval() async throws {
        try await withFile("[A]\na[$i]=1\n") { file in
            let store = file.store()
            let message = "line 2: the entry is immutable ('[$i]')"
            #expect(throws: PreferenceProblem(.storeUnwritable, key: "A:a", store: store.label, message: message)) {
                try store.apply(["A:a": .remove])
            }
            try store.apply(["A:b": .remove])
        }
    }

    @Test("An entry that becomes immutable before an edit of it is written does not keep other edits from the file")
    func entryThatBecomesImmutable() async throws {
        try await withFile("[A]\na=1\nb=1\n") { file in
            let store = KConfigStore(url: file.url, locale: "C", durability: .coalesced(milliseconds: 3_600_000))
            let changes = StoreChanges(of: store)
            try store.apply(["A:a": .set("2"), "A:c": .set("3")])
            try file.url.write("[A]\na[$i]=1\nb=1\nc[$i]=3\n")
            try store.apply(["A:b": .set("2")])
            try store.flush()
            #expect(try file.url.text() == "[A]\na[$i]=1\nb=2\nc[$i]=3\n")
            #expect(try store.value(for: "A:a") == "1")
            let problem = PreferenceProblem(
                .storeUnwritable,
                store: store.label,
                message: "line 2: the entry is immutable ('[$i]'); the changes are lost: 'A:a'"
            )
            #expect(changes.soFar.contains(.problem(problem)))
        }
    }

    @Test("An entry that is no longer immutable can be set", arguments: [true, false])
    func entryThatIsNoLongerImmutable(isImmediate: Bool) async throws {
        try await withFile("[A]\na[$i]=1\n") { file in
            let durability: FileStore.Durability = isImmediate ? .immediate : .coalesced(milliseconds: 3_600_000)
            let store = KConfigStore(url: file.url, locale: "C", durability: durability)
            #expect(throws: PreferenceProblem.self) { try store.apply(["A:a": .set("2")]) }
            try file.url.write("[A]\na=1\n")
            try store.apply(["A:a": .set("2")])
            try store.flush()
            #expect(try file.url.text() == "[A]\na=2\n")
        }
    }

    @Test("A localized entry that another program has added since is the one that is set")
    func localizedEntryThatWasAdded() async throws {
        try await withFile("[A]\na=1\n") { file in
            let store = KConfigStore(url: file.url, locale: "de", durability: .immediate)
            #expect(try store.value(for: "A:a") == "1")
            try file.url.write("[A]\na=1\na[de]=2\n")
            try store.apply(["A:a": .set("3")])
            #expect(try file.url.text() == "[A]\na=1\na[de]=3\n")
        }
    }

    @Test("An immutable file refuses all edits")
    func immutableFile() async throws {
        let text = "# system\n[$i]\n[A]\na=1\n"
        try await withFile(text) { (file) async throws in
            let store = KConfigStore(url: file.url, locale: "C")
            #expect(try store.value(for: "A:a") == "1")
            let message = "line 2: the file is immutable ('[$i]')"
            #expect(throws: PreferenceProblem(.storeUnwritable, key: "B:b", store: store.label, message: message)) {
                try store.apply(["B:b": .set("x")])
            }
            #expect(try await file.write(["B"], "b", "x") != 0)
            #expect(try file.url.text() == text)
        }
    }

    @Test("Deleted entries have no value, and can be set")
    func deletion() async throws {
        try await withFile("[A]\na=1\na[$d]\nb[$d]\n") { file in
            let store = file.store()
            #expect(try store.names() == [])
            #expect(try store.value(for: "A:a") == nil)
            #expect(try await file.read(["A"], "a") == "")
            try store.apply(["A:a": .set("2"), "A:b": .remove])
            #expect(try file.url.text() == "[A]\na=1\na=2\nb[$d]\n")
            #expect(try await file.read(["A"], "a") == "2")
        }
    }

    private static let localized = "[A]\nk=plain\nk[de]=German\nk[de_AT]=Austrian\nk[fr]=French\nonly[fr]=French\n"

    @Test("Localized entries are read as by KDE's program", arguments: ["C", "de_DE", "de_AT", "fr_FR", "en_US"])
    func localizedReading(locale: String) async throws {
        try await withFile(Self.localized, locale: locale) { file in
            let store = file.store()
            for key in ["k", "only"] {
                let text = try await file.read(["A"], key)
                #expect(try store.value(for: "A:\(key)") ?? "" == .string(text), "\(key)")
            }
            #expect(try store.names() == (locale == "fr_FR" ? ["A:k", "A:only"] : ["A:k"]))
        }
    }

    @Test("Setting a localized value writes the entry that is read, and removing it all of its language")
    func localizedWriting() async throws {
        try await withFile(Self.localized, locale: "de_AT") { file in
            let store = file.store()
            try store.apply(["A:k": .set("neu")])
            #expect(try file.url.text() == Self.localized.replacingOccurrences(of: "Austrian", with: "neu"))
            #expect(try await file.read(["A"], "k") == "neu")
            try store.update { (current) throws in
                #expect(try current("A:k") == "neu")
                return ["A:k": .remove]
            }
            #expect(try file.url.text() == "[A]\nk[fr]=French\nonly[fr]=French\n")
            #expect(try store.value(for: "A:k") == nil)
            #expect(try await file.read(["A"], "k") == "")
        }
    }

    @Test("Observers are notified of localized entries by their names")
    func localizedNotification() async throws {
        try await withFile(Self.localized, locale: "de_AT") { file in
            let (store, other) = (file.store(), file.store())
            let changes = Recorder<Set<String>>()
            let observation = store.observe { if case .names(let names) = $0 { changes.add(names) } }
            try other.apply(["A:k": .set("neu")])
            #expect(changes.all == [["A:k"]])
            observation.cancel()
        }
    }

    @Test("The locale of the process is that of its environment variables")
    func currentLocale() async {
        await #expect(processExitsWith: .success) {
            for (name, value, locale) in [
                ("LC_ALL", "", "C"), ("LANG", "de_DE.UTF-8", "de_DE"), ("LC_MESSAGES", "sr_RS@latin", "sr_RS"),
                ("LC_ALL", "POSIX", "C"),
            ] {
                if name == "LC_ALL", value.isEmpty { for other in ["LC_MESSAGES", "LANG"] { unsetenv(other) } }
                setenv(name, value, 1)
                #expect(KConfigStore.currentLocale == locale)
            }
        }
    }

    // MARK: - Layout

    @Test(
        "A file without any group or entry is malformed, and is not written",
        arguments: [("\0\0\0\0", 1), ("# a comment\n\n\u{89}PNG\r\n\u{1A}\n", 3), ("[A\nk\n", 1)]
    )
    func malformed(text: String, line: Int) async throws {
        // In Latin-1, so that U+0089 is the byte 89.
        let bytes = Data(text.unicodeScalars.map { UInt8($0.value) })
        try await withFile("") { file in
            try bytes.write(to: file.url)
            let store = file.store()
            for change in [{ _ = try store.value(for: "A:k") }, { try store.apply(["A:k": .set("2")]) }] {
                let problem = #expect(throws: PreferenceProblem.self) { try change() }
                #expect(problem?.code == .storeMalformed)
                let message = "line \(line): expected a group or an entry; the file has none"
                #expect(problem?.message.contains(message) == true, "\(problem?.message ?? "")")
            }
            #expect(try Data(contentsOf: file.url) == bytes)
        }
    }

    @Test("Bytes that are not UTF-8, and NUL, are kept where KConfig ignores them")
    func otherEncodings() async throws {
        try await withFile("") { file in
            let text = "# Z\u{FC}rich \0\ncaf\u{E9}\n[A] caf\u{E9}\nk[de]=Z\u{FC}rich\n"
            let start = Data(text.unicodeScalars.map { UInt8($0.value) })
            try (start + Data("n=1\n\0\0\n".utf8)).write(to: file.url)
            let store = file.store()
            #expect(try store.value(for: "A:n") == "1")
            try store.apply(["A:n": .set("2")])
            #expect(try Data(contentsOf: file.url) == start + Data("n=2\n\0\0\n".utf8))
            #expect(try await file.read(["A"], "n") == "2")
        }
    }

    @Test("Comments, blank lines, unknown lines and the order of entries are kept")
    func layout() async throws {
        let text = """
            # Settings
            version=1

            [A]
            # The key
            key = old
            unknown line
            [B

            [C][D]
            x=1\r

            [Last]
            y=1
            """
        try await withFile(text) { file in
            try file.store().apply([
                "A:key": .set("new"), "A:added": .set("1"), "Other:z": .set("2"), "Last:y": .remove, "top": .set("3"),
                "C:D:x": .set("2"),
            ])
            #expect(
                try file.url.text() == """
                    # Settings
                    version=1
                    top=3

                    [A]
                    # The key
                    key=new
                    unknown line
                    [B
                    added=1

                    [C][D]
                    x=2

                    [Other]
                    z=2

                    """
            )
            #expect(try await file.read(["A"], "key") == "new")
            #expect(try await file.read(["A"], "added") == "1")
        }
    }

    @Test(
        "A new entry is added before the comment about the group that follows",
        arguments: [
            ("[A]\na=1\n\n# about B\n# and more\n[B]\nb=1\n", "[A]\na=1\nnew=1\n\n# about B\n# and more\n[B]\nb=1\n"),
            ("[A]\na=1\n# about a\n[B]\nb=1\n", "[A]\na=1\n# about a\nnew=1\n[B]\nb=1\n"),
            ("[A]\na=1\n\n# end\n", "[A]\na=1\n\n# end\nnew=1\n"),
        ]
    )
    func placeOfNewEntries(old: String, new: String) async throws {
        try await withFile(old) { file in
            try file.store().apply(["A:new": .set("1")])
            #expect(try file.url.text() == new)
        }
    }

    @Test("Entries that do not change leave the file as it is")
    func unchanged() async throws {
        let text = "[A]\n key = \\x41 \nflag[$e]=$$"
        try await withFile(text) { file in
            try file.store().apply(["A:key": .set("A"), "A:flag": .set("$"), "B:b": .remove])
            #expect(try file.url.text() == text)
        }
    }

    @Test("Preferences read and write the values of keys with types")
    func preferences() async throws {
        try await withFile("[Main Window]\nShowBar=off\nColumns=1,2\n") { (file) async throws in
            let preferences = Preferences(store: file.store())
            #expect(preferences.get(named: "Main Window:ShowBar", default: true) == false)
            #expect(preferences.get(named: "Main Window:Columns", default: [0]) == [1, 2])
            #expect(preferences.get(named: "Main Window:Mode", default: Mode.fast) == .fast)
            preferences.set(named: "Main Window:Mode", to: Mode.crashNBurn)
            #expect(preferences.get(named: "Main Window:Mode", default: Mode.fast) == .crashNBurn)
            #expect(try await file.read(["Main Window"], "Mode") == "Crash'n Burn")
        }
    }
}
