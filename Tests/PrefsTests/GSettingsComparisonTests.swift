import Foundation
import Synchronization
import TestSupport
import Testing

/// Compares `prefs --gvariant` with `gsettings` over schemas of Debian packages, both over one keyfile.
@Suite("Comparison of prefs with gsettings")
struct GSettingsComparisonTests {
    /// A schema to compare.
    struct Subject: CustomTestStringConvertible {
        var id: String
        /// The name of the file without `.gschema.xml`, if it is not the id.
        var file: String?
        /// The path of a relocatable schema.
        var path: String?

        var testDescription: String { id }

        /// The schema in the arguments of `gsettings`.
        var argument: String { path.map { "\(id):\($0)" } ?? id }

        static let all = [
            // Enums, a range of numbers, and a default that the distribution overrides.
            Subject(id: "org.gnome.desktop.interface"),
            // Ranges with and without an end, and fractions.
            Subject(id: "org.gnome.desktop.a11y.magnifier"),
            // Children, and arrays of strings.
            Subject(id: "org.gnome.system.proxy"),
            // Arrays of tuples, and unsigned numbers.
            Subject(id: "org.gnome.desktop.input-sources"),
            Subject(id: "org.gnome.desktop.wm.preferences"),
            // A relocatable schema with arrays of numbers and an enum.
            Subject(
                id: "org.gnome.desktop.peripherals.tablet",
                file: "org.gnome.desktop.peripherals",
                path: "/org/gnome/desktop/peripherals/tablets/1:2/"
            ),
            // Localized defaults, and schemas without keys.
            Subject(id: "org.gnome.gedit"),
            // A relocatable schema with optional texts.
            Subject(
                id: "org.gnome.Terminal.Legacy.Profile",
                file: "org.gnome.Terminal",
                path: "/org/gnome/terminal/legacy/profiles:/:b1dcc9dd/"
            ),
            // Flags, and a dictionary.
            Subject(id: "ca.desrt.dconf-editor.Settings", file: "ca.desrt.dconf-editor"),
            // A key of each type.
            Subject(id: "ca.desrt.dconf-editor.Demo", file: "ca.desrt.dconf-editor"),
        ]
    }

    // MARK: - Exceptions

    /// The GVariant types whose keys `prefs` does not have, and why. It says so when such a key is named.
    private static let omittedTypes = [
        "(ii)": "schemas have no tuples", "()": "schemas have no tuples", "a(ss)": "schemas have no tuples",
        "v": "schemas have no values of any type", "a{sv}": "schemas have no values of any type",
        "h": "a file descriptor is no setting", "{ss}": "schemas have dictionaries, and no single entries of them",
    ]

    /// What `gsettings` prints for a key without summary and description, where `prefs` prints an empty line: the
    /// text of its C library for a pointer that is null.
    private static let nullDescription = "(null)\n"

    // MARK: - Tests

    @Test("The lists, ranges, descriptions and defaults are equal", arguments: Subject.all)
    func schema(_ subject: Subject) async throws {
        try await Tools.with(subject) { tools in
            let keys = try await tools.keys()
            #expect(keys.count >= 5)
            let ranges = try await tools.gSettings(keys.map { ["range", $0.schema, $0.name] })
            let omitted = zip(keys, ranges).filter { Self.omittedType(range: $1.output) != nil }
            for (key, range) in omitted {
                let type = try #require(Self.omittedType(range: range.output))
                let name = "\(key.id):\(key.name)"
                let run = try await tools.prefs([["get", name], ["range", name], ["describe", name]])
                #expect(run.map(\.output) == ["", "", ""])
                #expect(run.map(\.status) == [1, 1, 1])
                let message =
                    "prefs: error: there is no key '\(name)'; it is left out: schemas do not support type '\(type)'"
                #expect(tools.errors() == [message, message, message])
            }
            let kept = keys.filter { key in !omitted.contains { $0.0 == key } }

            // The whole text, with the names and the order of keys and children.
            let list = try await tools.gSettings([["list-recursively", subject.argument]])[0].output
            let isOmitted = { (line: Substring) in omitted.contains { line.hasPrefix("\($0.0.id) \($0.0.name) ") } }
            let lines = list.split(separator: "\n").filter { !isOmitted($0) }.map { "\($0)\n" }.joined()
            let listed = try await tools.prefs([["list", subject.id]])[0]
            #expect(listed.output == lines)
            #expect(listed.status == 0)

            let own = try await tools.gSettings([["list-keys", subject.argument]])[0].output
            let names = own.split(separator: "\n").filter { name in
                !omitted.contains { $0.0.id == subject.id && $0.0.name == name }
            }
            let listedNames = try await tools.prefs([["list", "--names", subject.id]])[0].output
            #expect(listedNames == names.map { "\($0)\n" }.joined())

            let expectedRanges = zip(keys, ranges).filter { key, _ in kept.contains(key) }.map(\.1)
            #expect(try await tools.prefs(kept.map { ["range", "\($0.id):\($0.name)"] }) == expectedRanges)

            let descriptions = try await tools.gSettings(kept.map { ["describe", $0.schema, $0.name] })
            let described = try await tools.prefs(kept.map { ["describe", "\($0.id):\($0.name)"] })
            for ((key, expected), description) in zip(zip(kept, descriptions), described) {
                let text = expected.output == Self.nullDescription ? "\n" : expected.output
                #expect(description.output == text, "\(key)")
            }

            let values = try await tools.gSettings(kept.map { ["get", $0.schema, $0.name] })
            #expect(try await tools.prefs([["get"] + kept.map { "\($0.id):\($0.name)" }])[0].output == values.text)
        }
    }

    @Test("What one sets or resets, the other gets", arguments: Subject.all)
    func values(_ subject: Subject) async throws {
        try await Tools.with(subject) { tools in
            let keys = try await tools.keys()
            let ranges = try await tools.gSettings(keys.map { ["range", $0.schema, $0.name] })
            var values: [(key: Key, values: [String])] = []
            var seen: Set<String> = []
            for (key, range) in zip(keys, ranges) where Self.omittedType(range: range.output) == nil {
                let all = try Self.values(range: range.output)
                // One key of each type has all values, and the others have one.
                values.append((key, seen.insert(range.output).inserted ? all : [all[0]]))
            }
            let names = values.map { "\($0.key.id):\($0.key.name)" }
            // One process of each tool prints all values.
            func compare(_ comment: Comment) async throws -> String {
                let list = try await tools.gSettings([["list-recursively", subject.argument]])[0].output
                let kept = Set(values.map { "\($0.key.id) \($0.key.name)" })
                let lines = list.split(separator: "\n").filter { line in
                    kept.contains(line.split(separator: " ").prefix(2).joined(separator: " "))
                }
                let expected = lines.map { "\($0)\n" }.joined()
                #expect(try await tools.prefs([["list", subject.id]])[0].output == expected, comment)
                return expected
            }
            let defaults = try await compare("defaults")
            for round in 0..<(values.map(\.values.count).max() ?? 0) {
                let edits = values.compactMap { key, values in
                    values.indices.contains(round) ? (key: key, value: values[round]) : nil
                }
                let set = try await tools.gSettings(edits.map { ["set", $0.key.schema, $0.key.name, $0.value] })
                #expect(set.allSatisfy { $0.status == 0 }, "\(tools.errors())")
                let first = try await compare("set by gsettings")
                if round == 0 {
                    #expect(first != defaults)
                    let gotten = try await tools.gSettings(values.map { ["get", $0.key.schema, $0.key.name] }).text
                    #expect(try await tools.prefs([["get"] + names])[0].output == gotten)
                }

                #expect(try await tools.prefs([["reset"] + names])[0].status == 0)
                #expect(try await compare("reset by prefs") == defaults)

                let setByPrefs = try await tools.prefs(edits.map { ["set", "\($0.key.id):\($0.key.name)", $0.value] })
                #expect(setByPrefs.allSatisfy { $0.status == 0 }, "\(tools.errors())")
                #expect(try await compare("set by prefs") == first)

                let reset = try await tools.gSettings(edits.map { ["reset", $0.key.schema, $0.key.name] })
                #expect(reset.allSatisfy { $0.status == 0 })
                #expect(try await compare("reset by gsettings") == defaults)
            }
        }
    }

    @Test("What one refuses, the other does, and the file keeps its contents", arguments: Subject.all)
    func refusals(_ subject: Subject) async throws {
        try await Tools.with(subject) { tools in
            let keys = try await tools.keys()
            let ranges = try await tools.gSettings(keys.map { ["range", $0.schema, $0.name] })
            var edits: [(key: Key, value: String)] = []
            // One key of each type has all values.
            var seen: Set<String> = []
            for (key, range) in zip(keys, ranges)
            where Self.omittedType(range: range.output) == nil && seen.insert(range.output).inserted {
                edits += Self.invalidValues(range: range.output).map { (key, $0) }
            }
            #expect(edits.count >= seen.count)
            let refused = try await tools.gSettings(edits.map { ["set", $0.key.schema, $0.key.name, $0.value] })
            for (edit, run) in zip(edits, refused) { #expect(run.status == 1, "\(edit)") }
            let refusedByPrefs = try await tools.prefs(
                edits.map { ["set", "\($0.key.id):\($0.key.name)", "--", $0.value] }
            )
            for (edit, run) in zip(edits, refusedByPrefs) { #expect(run.status == 1, "\(edit)") }
            #expect(!tools.keyfileHasValues)
        }
    }

    @Test("prefs stores flags in alphabetical order, and prints them and dictionaries of gsettings as documented")
    func order() async throws {
        let subject = try #require(Subject.all.first { $0.id == "ca.desrt.dconf-editor.Settings" })
        try await Tools.with(subject) { tools in
            // A set has no order. What is stored in another order is printed so.
            let flags = "relocatable-schemas-enabled-mappings"
            let typed = "['User', 'Built-in', 'User']"
            _ = try await tools.gSettings([["set", subject.id, flags, typed]])
            #expect(try await tools.gSettings([["get", subject.id, flags]]).text == "\(typed)\n")
            #expect(try await tools.prefs([["get", "\(subject.id):\(flags)"]]).text == "\(typed)\n")
            _ = try await tools.prefs([["reset", "\(subject.id):\(flags)"]])
            _ = try await tools.prefs([["set", "\(subject.id):\(flags)", typed]])
            #expect(try await tools.gSettings([["get", subject.id, flags]]).text == "['Built-in', 'User']\n")
            #expect(try await tools.prefs([["get", "\(subject.id):\(flags)"]]).text == "['Built-in', 'User']\n")

            // The values of this library's dictionaries have no order, and one value for each key.
            let paths = "relocatable-schemas-user-paths"
            _ = try await tools.gSettings([["set", subject.id, paths, "{'b': '1', 'a': '2', 'b': '3'}"]])
            let printed = try await tools.gSettings([["get", subject.id, paths]]).text
            #expect(printed == "{'b': '1', 'a': '2', 'b': '3'}\n")
            let sorted = "{'a': '2', 'b': '3'}\n"
            #expect(try await tools.prefs([["get", "\(subject.id):\(paths)"]]).text == sorted)
            _ = try await tools.prefs([["reset", "\(subject.id):\(paths)"]])
            _ = try await tools.prefs([["set", "\(subject.id):\(paths)", "{'b': '1', 'a': '2', 'b': '3'}"]])
            #expect(try await tools.gSettings([["get", subject.id, paths]]).text == sorted)
        }
    }

    @Test(
        "What 'gsettings monitor' prints of changes by either, 'watch' prints",
        arguments: ["org.gnome.desktop.interface", "org.gnome.system.proxy", "org.gnome.Terminal.Legacy.Profile"]
    )
    func monitor(id: String) async throws {
        let subject = try #require(Subject.all.first { $0.id == id })
        try await Tools.with(subject) { tools in
            let keys = try await tools.keys()
            let ranges = try await tools.gSettings(keys.map { ["range", $0.schema, $0.name] })
            let known = zip(keys, ranges.map(\.output)).filter { Self.omittedType(range: $1) == nil }
            let mark = try #require(known.first { $0.0.id == id && $0.1 == "type s\n" }?.0)
            // One key of each type, and one of each child.
            var seen: Set<String> = []
            let changed = known.filter { key, range in
                let type = range.split(separator: "\n")[0].split(separator: " ").prefix(2).joined(separator: " ")
                return key != mark && seen.insert(key.id == id ? type : key.id).inserted
            }
            let watchers = try await tools.watchers(mark: mark)
            defer { watchers.end() }
            for (key, range) in changed {
                let values = try Self.values(range: range)
                let name = "\(key.id):\(key.name)"
                let initial = try await tools.gSettings([["get", key.schema, key.name]])[0].output.dropLast()
                for (isPrefs, call) in [
                    (false, ["set", key.schema, key.name, values[0]]), (true, ["set", name, values[0]]),
                    (true, ["set", name, values[values.count - 1]]), (false, ["reset", key.schema, key.name]),
                    (false, ["set", key.schema, key.name, String(initial)]), (true, ["reset", name]),
                    (true, ["reset", name]),
                ] {
                    let run = try await isPrefs ? tools.prefs([call]) : tools.gSettings([call])
                    #expect(run[0].status == 0, "\(tools.errors())")
                    let (expected, printed) = try await watchers.lines()
                    #expect(printed == expected, "\(call)")
                }
            }
        }
    }

    // MARK: - Values

    /// Returns the type of an omitted key; nil if the key is not omitted.
    private static func omittedType(range: String) -> String? {
        guard range.hasPrefix("type ") else { return nil }
        let type = String(range.dropFirst("type ".count).dropLast())
        return omittedTypes[type] == nil ? nil : type
    }

    private static let valuesByType = [
        "b": ["true", "false"], "y": ["0x00", "255"], "n": ["-32768", "int16 7"], "q": ["65535"],
        "i": ["-2147483648", "2147483647", "0x10"], "u": ["4294967295", "uint32 0"],
        "x": ["-9223372036854775808", "9223372036854775807"], "t": ["18446744073709551615", "uint64 1"],
        "d": ["0.1", "-1e-300", "7", "1e300", "-inf"],
        "s": ["plain text", "\"it's\"", #"'tab\t \"q\" \\ é \u200b 😀'"#, "''", "@s 'typed'"],
        "as": ["[]", #"['b', "it's", '', 'a']"#, "@as ['x']"], "ai": ["[]", "[1, -2]"], "ad": ["[0.5, 1, 1e-9]", "[]"],
        "ay": ["[]", "b'text'", "[byte 0x00, 0xff]", #"b'\'q\' \\ \303\251'"#], "aay": ["[b'a', [1, 2], []]"],
        "o": ["'/a/b_1'", "objectpath '/'"], "ao": ["['/a', '/b']", "[]"], "g": ["'a{sv}'", "signature ''"],
        "mb": ["true", "just false", "nothing"], "ms": ["'text'", "nothing", "@ms ''"],
        "a{ss}": ["{'a': 'b'}", "{}", #"{'a': "it's", 'b': ''}"#],
    ]

    /// Returns values of a key, in the GVariant text format.
    ///
    /// - Parameter range: The output of `gsettings range`.
    private static func values(range: String) throws -> [String] {
        let lines = range.split(separator: "\n").map(String.init)
        let first = try #require(lines.first)
        let words = first.split(separator: " ").map(String.init)
        switch words[0] {
        case "enum": return lines.dropFirst().reversed()
        // In alphabetical order. See `order()` for another one.
        case "flags":
            return ["[\(lines.dropFirst().sorted().joined(separator: ", "))]", "[]", "[\(lines[lines.count - 1])]"]
        case "range": return [words[3], words[2]]
        default: return try #require(valuesByType[words[1]], "\(range)")
        }
    }

    /// Returns texts that are no values of a key.
    private static func invalidValues(range: String) -> [String] {
        let words = range.split(separator: "\n")[0].split(separator: " ").map(String.init)
        switch words[0] {
        case "enum": return ["no-such-nick", "''"]
        case "flags": return ["['no-such-nick']", "'text'", "[1]"]
        case "range" where words[1] == "d": return (words[3] == "inf" ? [] : ["1e99"]) + ["text"]
        case "range": return ["text", "1.5", "99999999999999999999", "-9223372036854775807"]
        default: break
        }
        return switch words[1] {
        case "b": ["maybe", "1"]
        case "y", "q", "u", "t": ["-1", "99999999999999999999", "'text'"]
        case "n", "i": ["1e3", "2147483648", "'1'"]
        case "x": ["9223372036854775808", "true"]
        case "d": ["text", "'1'"]
        case "s": ["'no end", "'a' 'b'"]
        case "ms", "mb", "o": ["[]", "7"]
        case "as": ["['a', 1]", "'a'", "[", "@ai [1]"]
        case "ad", "ai", "ay": ["['a']", "text"]
        case "a{ss}": ["{'a': 1}", "['a']", "{'a'}"]
        default: ["text"]
        }
    }
}

/// A key of a schema, in the arguments of `gsettings`.
private struct Key: Equatable, CustomStringConvertible {
    /// The schema, with its path if it is relocatable.
    var schema: String
    var id: String
    var name: String

    var description: String { "\(id) \(name)" }
}

/// The result of a call of a tool.
private struct Call: Equatable {
    var output: String
    var status: Int
}

extension [Call] {
    fileprivate var text: String { map(\.output).joined() }
}

/// The two tools with the schema and a keyfile in a folder.
private final class Tools {
    private let folder: Folder
    private let subject: GSettingsComparisonTests.Subject
    private let environment: [String: String]
    private var errorText = ""

    private init(_ folder: Folder, _ subject: GSettingsComparisonTests.Subject) {
        self.folder = folder
        self.subject = subject
        environment = [
            "GSETTINGS_BACKEND": "keyfile", "GSETTINGS_SCHEMA_DIR": folder.url.appending(component: "schemas").path,
            "HOME": folder.url.path, "XDG_CONFIG_HOME": folder.url.appending(component: "config").path,
            "XDG_DATA_DIRS": folder.url.path, "XDG_CURRENT_DESKTOP": "", "LC_ALL": "C.UTF-8",
        ]
    }

    private static let packages = [
        "gsettings-desktop-schemas", "gedit-common", "gnome-terminal-data", "gnome-terminal", "dconf-editor",
    ]

    /// Runs a body with the tools and the compiled schemas of all packages.
    static func with(_ subject: GSettingsComparisonTests.Subject, _ body: (Tools) async throws -> Void) async throws {
        try await withFolder { folder in
            for package in packages {
                for ending in [".gschema.xml", ".enums.xml", ".gschema.override"] {
                    for path in try await DebianPackage(name: package).files(ending: ending) {
                        let text = try String(contentsOfFile: path, encoding: .utf8)
                        try folder.write(text, to: "schemas/\(URL(filePath: path).lastPathComponent)")
                    }
                }
            }
            let tools = Tools(folder, subject)
            let compiler = ForeignProgram(name: "glib-compile-schemas", environment: tools.environment)
            let run = try await compiler.run(["--strict", folder.url.appending(component: "schemas").path])
            try #require(run.succeeded, "\(run.errors)")
            try await body(tools)
        }
    }

    /// Returns the keys of the schema and its children.
    func keys() async throws -> [Key] {
        let list = try await gSettings([["list-recursively", subject.argument]])[0]
        try #require(list.status == 0, "\(errorText)")
        return try list.output.split(separator: "\n").map { line in
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            try #require(words.count == 3)
            return Key(schema: words[0] == subject.id ? subject.argument : words[0], id: words[0], name: words[1])
        }
    }

    /// Calls `gsettings` one time for each list of arguments.
    func gSettings(_ calls: [[String]]) async throws -> [Call] {
        let (path, environment, _) = try ForeignProgram(name: "gsettings", environment: environment).located()
        return try await run(path, calls, environment)
    }

    /// Calls `prefs --gvariant` one time for each list of arguments.
    func prefs(_ calls: [[String]]) async throws -> [Call] {
        let path = try BuiltWithTests.executable("prefs").path
        let calls = try calls.map { try prefsCall($0).arguments }
        return try await run(path, calls, ProcessInfo.processInfo.environment.merging(environment) { $1 })
    }

    /// Returns the path and the arguments of a call of `prefs --gvariant`.
    private func prefsCall(_ call: [String]) throws -> (path: String, arguments: [String]) {
        let schema = folder.url.appending(path: "schemas/\(subject.file ?? subject.id).gschema.xml").path
        let format = call[0] == "reset" ? [] : ["--gvariant"]
        let store = "gsettings:\(subject.path.map { "?\(subject.id)=\($0)" } ?? "")"
        let location = subject.path == nil ? store : "gsettings:\(keyfile.path)\(store.dropFirst(10))"
        let arguments = [call[0], "--schema", schema, "-s", location] + format + call.dropFirst()
        return (try BuiltWithTests.executable("prefs").path, arguments)
    }

    /// Starts `gsettings monitor` and `prefs watch`, and waits until both print changes.
    ///
    /// - Parameter mark: A key with texts whose changes mark the ends of lines to compare.
    func watchers(mark: Key) async throws -> Watchers {
        let (path, environment, _) = try ForeignProgram(name: "gsettings", environment: environment).located()
        let monitor = try ChildProcess(path, ["monitor", subject.argument], environment: environment, output: .pipe)
        let (tool, arguments) = try prefsCall(["watch", subject.id])
        let variables = ProcessInfo.processInfo.environment.merging(self.environment) { $1 }
        let watch = try ChildProcess(tool, arguments, environment: variables, output: .pipe)
        let watchers = Watchers(tools: self, mark: mark, monitor: monitor, watch: watch)
        try await watchers.begin()
        return watchers
    }

    private var keyfile: URL { folder.url.appending(path: "config/glib-2.0/settings/keyfile") }

    var keyfileHasValues: Bool {
        (try? String(contentsOf: keyfile, encoding: .utf8))?.contains("=") ?? false
    }

    /// Returns the lines of standard error since the last call of this method.
    func errors() -> [String] {
        defer { errorText = "" }
        return errorText.split(separator: "\n").map(String.init)
    }

    /// Runs a program several times, by one shell.
    private func run(_ program: String, _ calls: [[String]], _ environment: [String: String]) async throws -> [Call] {
        func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }
        let lines = calls.map { "\(([program] + $0).map(quoted).joined(separator: " ")); printf '\\036%s\\036' $?" }
        try folder.write(lines.joined(separator: "\n"), to: "calls.sh")
        let run = try await CommandLineRun(
            "sh",
            [folder.url.appending(component: "calls.sh").path],
            environment: environment
        )
        errorText += run.errors
        let parts = run.output.split(separator: "\u{1E}", omittingEmptySubsequences: false)
        try #require(parts.count == 2 * calls.count + 1, "\(run.errors)")
        return calls.indices.map { index in
            Call(output: String(parts[2 * index]), status: Int(parts[2 * index + 1]) ?? -1)
        }
    }
}

/// `gsettings monitor` and `prefs watch` of one schema.
private final class Watchers {
    private let tools: Tools
    private let mark: Key
    private let monitor: ChildProcess
    private let watch: ChildProcess
    private var count = 0

    init(tools: Tools, mark: Key, monitor: ChildProcess, watch: ChildProcess) {
        (self.tools, self.mark, self.monitor, self.watch) = (tools, mark, monitor, watch)
    }

    func end() {
        for child in [monitor, watch] { child.send(SIGTERM) }
    }

    /// The number of programs that have printed a line.
    private final class Started: Sendable {
        let count = Mutex(0)
    }

    /// Waits until both print changes.
    func begin() async throws {
        let started = Started()
        let threads = [monitor, watch].map { child in
            OwnThread {
                defer { started.count.withLock { $0 += 1 } }
                return try child.output.readLine()
            }
        }
        while started.count.withLock({ $0 }) < threads.count { _ = try await setMark() }
        for thread in threads { try #require(try await thread.result != nil) }
        _ = try await lines()
    }

    /// Changes the mark, and returns the line about it.
    private func setMark() async throws -> String {
        count += 1
        let set = try await tools.gSettings([["set", mark.schema, mark.name, "mark \(count)"]])
        try #require(set[0].status == 0, "\(tools.errors())")
        return "\(mark.name): 'mark \(count)'"
    }

    /// Returns the lines since the last call, sorted, since several changes can be read at once.
    func lines() async throws -> (monitor: [String], watch: [String]) {
        var lines: (monitor: [String], watch: [String]) = ([], [])
        // A change that is read together with the first mark can be printed after it.
        for _ in 0..<2 {
            let end = try await setMark()
            func linesBeforeEnd(_ child: ChildProcess) async throws -> [String] {
                try await onOwnThread {
                    var lines: [String] = []
                    while let line = try child.output.readLine(), line != end { lines.append(line) }
                    return lines
                }
            }
            lines.monitor += try await linesBeforeEnd(monitor)
            lines.watch += try await linesBeforeEnd(watch)
        }
        return (lines.monitor.sorted(), lines.watch.sorted())
    }
}
