import Foundation
import TestSupport
import Testing

/// Examples of the pages, in the modules and files that readers put them into.
@Suite("Examples of the pages")
struct PageExampleTests {
    /// Returns the Swift examples of a page that contain a text.
    private func examples(of page: String, containing text: String) throws -> String {
        let url = Repository.folder.appending(path: "Sources/PreferencesRuntime/PreferencesRuntime.docc/\(page).md")
        let blocks = try String(contentsOf: url, encoding: .utf8).matches(of: /```swift\n([\s\S]*?)```/).map(\.1)
        let found = blocks.filter { $0.contains(text) }
        try #require(!found.isEmpty, "\(page) has no example with '\(text)'")
        return found.joined(separator: "\n")
    }

    /// Top-level code of `main.swift` is isolated to the main actor, and the handler runs on another thread. That is
    /// checked at run time only if the file itself imports Dispatch.
    @Test("The handler of SIGTERM ends a program whose main.swift contains it")
    func termination() async throws {
        let example = try examples(of: "FileFaults", containing: "makeSignalSource")
        // A signal that arrives before the registration is ignored.
        let program = """
            import Dispatch
            import Foundation
            \(example.replacing("source.activate()", with: "source.setRegistrationHandler(handler: sendSignal)"))
            source.activate()
            dispatchMain()
            """
        try await withTemporaryDirectory { folder in
            try Data(program.utf8).write(to: folder.appending(path: "main.swift"))
            try Data("import Foundation\nfunc sendSignal() { kill(getpid(), SIGTERM) }\n".utf8)
                .write(to: folder.appending(path: "Signal.swift"))
            let compiling = try await CommandLineRun(
                "swiftc",
                ["-swift-version", "6", "main.swift", "Signal.swift", "-o", "program"],
                in: folder,
                mergesErrors: true
            )
            try #require(compiling.output == "")
            let run = try await CommandLineRun(
                folder.appending(path: "program").path,
                environment: ["SWIFT_BACKTRACE": "enable=no"],
                mergesErrors: true,
                limit: .seconds(60)
            )
            #expect(!run.wasKilled)
            #expect(run.status == 0)
            #expect(run.output == "")
        }
    }

    @Test(
        "Accessors that are written by hand can be watched in modules with and without the main actor as default isolation",
        arguments: [
            (
                "Accessors", "var height",
                """
                nonisolated protocol WeatherPreferences: PreferenceAccessors {}
                final class Weather: WeatherPreferences { let preferences = Preferences.shared }
                func use(_ weather: Weather) { weather.watch(\\.height) { print($0.new) } }
                """
            ),
            (
                "Accessors", "var level",
                """
                nonisolated extension Preferences { var player: Player { Player(preferences: self) } }
                func use() { Preferences.shared.watch(\\.player.level) { print($0.new) } }
                """
            ),
            ("ComingFrom", "var level", "func use() { Preferences.shared.watch(\\.player.level) { print($0.new) } }"),
            (
                "ComingFrom", "var frame",
                """
                nonisolated protocol WindowPreferences: PreferenceAccessors {}
                final class Window: WindowPreferences { let preferences = Preferences.shared }
                func use(_ window: Window) { window.watch(\\.frame) { print($0.new) } }
                """
            ),
        ]
    )
    func handWrittenAccessors(page: String, accessor: String, use: String) async throws {
        let example = try examples(of: page, containing: accessor)
        let source = "import Foundation\nimport PreferencesRuntime\n\(example)\n\(use)\n"
        for options in [[], ["-default-isolation", "MainActor"]] {
            let run = try await Compiler.compile(
                ["Example.swift": source],
                importing: ["PreferencesRuntime"],
                options: options
            )
            #expect(run.output == "", "\(options)")
            #expect(run.succeeded)
        }
    }

    @Test(
        "The errors that pages quote are the compiler's, and the advised code compiles",
        arguments: [
            (
                "Sources/PreferencesRuntime/PreferencesRuntime.docc/Watching.md",
                "contextual type for closure argument list expects 1 argument, which cannot be implicitly ignored",
                "func f(_ volume: PreferenceReference<Int>) { volume.watch(\\.value) { print(1) } }",
                "func f(_ volume: PreferenceReference<Int>) { volume.watch(changesOf: \\.value) { print(1) } }"
            ),
            (
                "Sources/PreferencesRuntime/PreferencesRuntime.docc/Accessors.md",
                "'nonisolated' cannot be applied to mutable stored properties",
                "nonisolated struct Player { @Preference(\"volume\") var volume = 50 }",
                """
                struct Player { @Preference("volume") var volume = 50 }
                func f(_ player: Player) { player.$volume.watch { print($0.new) } }
                """
            ),
            (
                "Sources/PreferencesCompatibility/ReflectingStore.swift",
                "reference to captured var 'theme' in concurrently-executing code",
                "func f() { var theme = Theme(); let store = ReflectingStore { theme }; theme.age = 1; print(store) }",
                "func f() { @Reflected var theme = Theme(); let store = $theme; theme.age = 1; print(store) }"
            ),
        ]
    )
    func quotedErrors(page: String, error: String, wrong: String, advised: String) async throws {
        // Without the line breaks and comment marks of the page.
        let text = try String(contentsOf: Repository.folder.appending(path: page), encoding: .utf8)
            .split { $0.isWhitespace || $0 == "/" }.joined(separator: " ")
        #expect(text.contains(error))
        let modules = ["PreferencesRuntime", "PreferencesCompatibility"]
        let prelude = modules.map { "import \($0)\n" }.joined() + "struct Theme { var age = 0 }\n"
        for options in [[], ["-default-isolation", "MainActor"]] {
            let failure = try await Compiler.compile(
                ["Example.swift": prelude + wrong],
                importing: modules,
                options: options
            )
            #expect(failure.output.contains(": error: \(error)"), "\(failure.output)")
            let run = try await Compiler.compile(
                ["Example.swift": prelude + advised],
                importing: modules,
                options: options
            )
            #expect(run.output == "", "\(options)")
            #expect(run.succeeded)
        }
    }
}
