import PreferencesRuntime
import TestSupport
import Testing

@Suite("PropertyKit: two protocol extensions that declare one name")
struct ExtensionClashParityTests {
    @Test("two protocol extensions declare one name on one home: refused by the compiler without a storage name")
    func named() async throws {
        let source = """
            import PreferencesRuntime
            protocol First: PropertyNamedAccessors {}
            extension First {
                var level: Int { get { get(default: 1) } nonmutating set { set(newValue) } }
            }

            """
        let run = try await Compiler.compile(["Use.swift": source], importing: ["PreferencesRuntime"])
        #expect(!run.succeeded)
        #expect(run.output.contains("Use.swift:4:28: error: 'get(default:_:)' is unavailable: "), "\(run.output)")
    }

    @Test("two protocol extensions declare one name on one home: refused where it is used, and two values otherwise")
    func stored() async throws {
        func source(_ use: String) -> String {
            """
            import PreferencesRuntime
            protocol First: PreferenceAccessors {}
            extension First {
                var level: Int { get { get("first:level", default: 1) } nonmutating set { set("first:level", to: newValue) } }
            }
            protocol Second: PreferenceAccessors {}
            extension Second {
                var level: Int { get { get("second:level", default: 2) } nonmutating set { set("second:level", to: newValue) } }
            }
            struct Home: First, Second { let preferences: Preferences }
            func use(_ home: Home) -> Int { \(use) }

            """
        }
        let ambiguous = try await Compiler.compile(
            ["Use.swift": source("home.level")],
            importing: ["PreferencesRuntime"]
        )
        #expect(ambiguous.output.contains("Use.swift:11:38: error: ambiguous use of 'level'"), "\(ambiguous.output)")
        let chosen = try await Compiler.compile(
            ["Use.swift": source("(home as any First).level + (home as any Second).level")],
            importing: ["PreferencesRuntime"]
        )
        #expect(chosen.succeeded, "\(chosen.output)")
    }

    private struct Home: FirstLevel, SecondLevel {
        let preferences = Preferences.inMemory()
    }

    @Test("two protocol extensions declare one name on one home: never one shared value")
    func separate() {
        let home = Home()
        let (first, second) = (home as any FirstLevel, home as any SecondLevel)
        first.level = 3
        #expect(second.level == 2)
        second.level = 4
        #expect(first.level == 3)
    }
}

private protocol FirstLevel: PreferenceAccessors {}

extension FirstLevel {
    fileprivate var level: Int {
        get { get("first:level", default: 1) }
        nonmutating set { set("first:level", to: newValue) }
    }
}

private protocol SecondLevel: PreferenceAccessors {}

extension SecondLevel {
    fileprivate var level: Int {
        get { get("second:level", default: 2) }
        nonmutating set { set("second:level", to: newValue) }
    }
}
