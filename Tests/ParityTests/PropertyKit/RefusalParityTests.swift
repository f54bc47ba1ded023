import Foundation
import PreferencesRuntime
import TestSupport
import Testing

@Suite("PropertyKit: compile-time errors")
struct RefusalParityTests {
    private let schema = """
        {
          "formatVersion": 1,
          "keys": {
            "count": { "type": "Int", "default": 1 },
            "other": { "type": "Int", "default": 1, "id": "count" },
            "count": { "type": "Int", "default": 2 }
          }
        }

        """

    @Test("The generator rejects a key that is declared twice, and names both locations")
    func declaredTwice() async throws {
        let generator = try BuiltWithTests.executable("preferences-generator")
        func check(_ text: String) async throws -> CommandLineRun {
            try await withTemporaryDirectory { folder in
                try Data(text.utf8).write(to: folder.appending(path: "App.preferences.json"))
                return try await CommandLineRun(
                    generator.path,
                    ["lint", "App.preferences.json"],
                    in: folder,
                    mergesErrors: true
                )
            }
        }
        let twice = try await check(schema)
        #expect(twice.status == 1)
        #expect(twice.output.contains("App.preferences.json:6:5: error: "), "\(twice.output)")
        #expect(twice.output.contains("App.preferences.json:4:5: note: "), "\(twice.output)")
        let lines = schema.split(separator: "\n", omittingEmptySubsequences: false)
        let clash = try await check((lines[..<4] + ["\(lines[4].dropLast())"] + lines[6...]).joined(separator: "\n"))
        #expect(clash.status == 1)
        #expect(clash.output.contains("App.preferences.json:5:"), "\(clash.output)")
        #expect(clash.output.contains("App.preferences.json:4:"), "\(clash.output)")
    }

    @Test("The compiler rejects a value of a function without a name")
    func valueOfFunctionWithoutName() async throws {
        let source = """
            import PreferencesRuntime
            func visits() -> PreferenceReference<Int> { Preferences.shared.functionLocal(default: 0) }

            """
        let run = try await Compiler.compile(["Use.swift": source], importing: ["PreferencesRuntime"])
        #expect(!run.succeeded)
        let message = "Use.swift:2:78: error: missing argument for parameter #1 in call"
        #expect(run.output.contains(message), "\(run.output)")
    }

    @Test("The compiler rejects two accessors with one name in a type")
    func accessorTwice() async throws {
        let accessor = "var count: Int { get { get(default: 1) } nonmutating set { set(newValue) } }"
        func compile(_ accessors: String) async throws -> CommandLineRun {
            let source = """
                import PreferencesRuntime
                struct Counting: PropertyNamedAccessors {
                    let preferences: Preferences
                    \(accessors)
                }

                """
            return try await Compiler.compile(["Use.swift": source], importing: ["PreferencesRuntime"])
        }
        let once = try await compile(accessor)
        #expect(once.succeeded, "\(once.output)")
        let twice = try await compile("\(accessor)\n    \(accessor)")
        #expect(!twice.succeeded)
        #expect(twice.output.contains("Use.swift:5:9: error: invalid redeclaration of 'count'"), "\(twice.output)")
    }

    @Test("A fileprivate accessor is accessible only in its file")
    func filePrivate() async throws {
        let home = """
            import PreferencesRuntime
            final class Counter: PropertyNamedAccessors {
                let preferences = Preferences.shared
                fileprivate var count: Int { get { get(default: 1) } set { set(newValue) } }
                func add() { count += 1 }
            }

            """
        let alone = try await Compiler.compile(["Home.swift": home], importing: ["PreferencesRuntime"])
        #expect(alone.succeeded, "\(alone.output)")
        let both = try await Compiler.compile(
            ["Home.swift": home, "Other.swift": "func add(_ counter: Counter) { counter.count += 1 }\n"],
            importing: ["PreferencesRuntime"]
        )
        #expect(!both.succeeded)
        #expect(
            both.output.contains(
                "Other.swift:1:40: error: 'count' is inaccessible due to 'fileprivate' protection level"
            ),
            "\(both.output)"
        )
    }
}
