import Foundation
import TestSupport
import Testing

/// Generated source compiles without a warning in every kind of module that it may be put into.
@Suite("Compiling generated source")
struct CompilationTests {
    /// What a module is compiled with.
    struct Settings: CustomTestStringConvertible {
        var languageMode: Int
        var isMainActorByDefault: Bool
        var importsAreInternalByDefault: Bool

        static let all = [5, 6].flatMap { mode in
            [false, true].flatMap { mainActor in
                [false, true].map { imports in
                    Settings(languageMode: mode, isMainActorByDefault: mainActor, importsAreInternalByDefault: imports)
                }
            }
        }

        var arguments: [String] {
            ["-swift-version", "\(languageMode)"]
                + (isMainActorByDefault ? ["-default-isolation", "MainActor"] : [])
                + (importsAreInternalByDefault ? ["-enable-upcoming-feature", "InternalImportsByDefault"] : [])
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test("All schemas compile as one module, beside files with imports of their own", arguments: Settings.all)
    func module(_ settings: Settings) async throws {
        try await withTemporaryDirectory { folder in
            let module = try GeneratedModule(in: folder)
            let use = folder.appending(path: "Use.swift")
            try Data(Self.use.utf8).write(to: use)
            let run = try await CommandLineRun(
                "swiftc",
                [
                    "-c", "-whole-module-optimization", "-Onone", "-parse-as-library", "-module-name",
                    "Generated",
                    "-package-name", "generated", "-warnings-as-errors", "-o",
                    folder.appending(path: "generated.o").path,
                    "-enable-upcoming-feature", "MemberImportVisibility", "-enable-upcoming-feature", "ExistentialAny",
                    "-I", try BuiltWithTests.folder(ofModule: "PreferencesRuntime").path,
                ] + settings.arguments + (module.files + [use]).map(\.path),
                in: folder,
                mergesErrors: true
            )
            #expect(run.succeeded)
            #expect(run.output == "")
        }
    }

    /// Imports plainly what generated files import publicly, and uses accessors on and off the main actor.
    private static let use = """
        import Foundation
        import PreferencesRuntime

        nonisolated func useAnywhere(_ preferences: Preferences) {
            preferences.launchCount += 1
            preferences.animals.cats.big.lion = preferences.animals.cats.big.lion + "!"
            preferences.optionals.date = Date()
            let sendable: any Sendable = preferences.animals
            _ = sendable
            _ = EnumOfStrings.allCases.map(\\.rawValue)
            Task.detached { preferences.onlyPackage.date = nil }
        }

        @MainActor func useOnMainActor(_ preferences: Preferences) {
            preferences.keywordKeys.`default` = preferences.keywordKeys.`self`
        }

        final class Keeper: AnimalsCatsBigPreferences {
            let preferences: Preferences

            init(preferences: Preferences) { self.preferences = preferences }

            func rename() { lion = lion.uppercased() }
        }

        actor Guard: RootKeysPreferences {
            nonisolated let preferences: Preferences

            init(preferences: Preferences) { self.preferences = preferences }

            func count() { launchCount += 1 }
        }

        """
}
