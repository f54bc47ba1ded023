import Foundation
import TestSupport
import Testing

/// Errors of the compiler about key paths that lead to no key.
@Suite("Compiling key paths")
struct KeyPathCompilationTests {
    @Test(
        "The compiler names the type whose keys a method sets when a key path leads to none of them",
        arguments: [
            // A key of a namespace at the wrong root, and one of the root in a namespace.
            ("try preferences.set(\\.temperature, to: 3)", "Preferences"),
            ("try preferences.weather.set(\\.launchCount, to: 3)", "Weather"),
            // Misspelled.
            ("try preferences.weather.set(\\.temprature, to: 3)", "Weather"),
            ("try preferences.set(\\.weather.temprature, to: 3)", "Preferences"),
            ("preferences.unwatch(\\.temperature)", "Preferences"),
            ("preferences.weather.unwatch(\\.temprature)", "Weather"),
        ]
    )
    func anUnknownKeyOfAnOverloadedMethod(_ statement: String, _ type: String) async throws {
        #expect(
            try await Self.errors(in: statement) == [
                "cannot convert value of type 'KeyPath<Root, Value>' to expected argument type 'KeyPathToKeyOf<\(type)>'",
                "cannot infer key path type from context; consider explicitly specifying a root type",
            ]
        )
    }

    @Test(
        "The compiler names the missing property of a key path that has a root, or whose method is not overloaded",
        arguments: [
            "try preferences.set(\\Preferences.temperature, to: 3)", "preferences.reset(\\.temperature)",
            "_ = preferences.isSet(\\.temperature)", "_ = preferences.resolution(of: \\.temperature)",
            "_ = preferences.changes(\\.temperature)", "_ = preferences.defaultValue(\\.temperature)",
            "preferences.watch(\\.temperature) { print($0.new) }", "try preferences.update(\\.temperature) { $0 += 1 }",
            "preferences.processValues(of: \\.temperature) { $0 }",
            "preferences.didChange(of: \\.temperature) { _ in }",
        ]
    )
    func anUnknownKey(_ statement: String) async throws {
        #expect(try await Self.errors(in: statement) == ["value of type 'Preferences' has no member 'temperature'"])
    }

    @Test(
        "The compiler says that a property has no setter",
        arguments: [
            ("try preferences.weather.set(\\.readings, to: 3)", "set(_:to:)"),
            ("try preferences.set(\\.weather, to: preferences.weather)", "set(_:to:)"),
            ("try preferences.weather.update(\\.readings) { $0 += 1 }", "update"),
            ("preferences.weather.processValues(of: \\.readings) { $0 }", "processValues(of:_:)"),
        ]
    )
    func aPropertyWithoutASetter(_ statement: String, _ method: String) async throws {
        #expect(
            try await Self.errors(in: statement) == [
                "'\(method)' is unavailable: the key path leads to a property without a setter: a read-only key or a "
                    + "namespace"
            ]
        )
    }

    @Test(
        "The compiler names the types of a value that does not fit",
        arguments: [
            ("try preferences.weather.set(\\.temperature, to: \"warm\")", "String", "Double"),
            ("try preferences.set(\\.weather.temperature, to: \"warm\")", "String", "Double"),
        ]
    )
    func aValueOfAnotherType(_ statement: String, _ found: String, _ expected: String) async throws {
        #expect(
            try await Self.errors(in: statement) == [
                "cannot convert value of type '\(found)' to expected argument type '\(expected)'"
            ]
        )
    }

    @Test("The compiler corrects changes(of:)")
    func changesOf() async throws {
        #expect(
            try await Self.errors(in: "_ = preferences.weather.changes(of: \\.temperature)") == [
                "'changes(of:options:buffering:)' has been renamed to 'changes(_:options:buffering:)'"
            ]
        )
    }

    @Test("The compiler accepts key paths and storage names")
    func correctCalls() async throws {
        let statements = """
            try preferences.set(\\.weather.temperature, to: 3); try preferences.weather.set(\\.temperature, to: 3)
            try preferences.set(\\.launchCount, to: 3); preferences.set("launchCount", to: 3)
            preferences.set("launchCount", to: Int?.none); preferences.unwatch(\\.launchCount)
            """
        #expect(try await Self.errors(in: statements) == [])
    }

    /// Returns the messages of the compiler about statements, without their places.
    private static func errors(in statements: String) async throws -> [String] {
        let run = try await Compiler.compile(
            ["Use.swift": prelude + "func use() throws {\n\(statements)\n}\n"],
            importing: ["PreferencesRuntime"]
        )
        return run.output.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("Use.swift:"), let start = line.firstRange(of: ": error: ") else { return nil }
            return String(line[start.upperBound...])
        }
    }

    private static let prelude = """
        import PreferencesRuntime

        protocol MainPreferences: PreferenceAccessors {}
        extension MainPreferences {
            var launchCount: Int {
                get { get("launchCount", default: 0) }
                nonmutating set { set("launchCount", to: newValue) }
            }
        }
        extension Preferences: MainPreferences {
            var weather: Weather { Weather(preferences: self) }
        }
        protocol WeatherPreferences: PreferenceAccessors {}
        extension WeatherPreferences {
            var temperature: Double {
                get { get("weather:temperature", default: 0) }
                nonmutating set { set("weather:temperature", to: newValue) }
            }
            var readings: Int { get { get("weather:readings", default: 0) } }
        }
        struct Weather: WeatherPreferences, PreferenceNamespace {
            static let storageName = "weather"
            let preferences: Preferences
        }
        let preferences = Preferences.shared

        """
}
