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
        var isRelease = false

        /// Everything together in debug; that generated source compiles in release too needs no more than the extremes.
        static let all =
            [5, 6].flatMap { mode in
                [false, true].flatMap { mainActor in
                    [false, true].map { imports in
                        Settings(
                            languageMode: mode,
                            isMainActorByDefault: mainActor,
                            importsAreInternalByDefault: imports
                        )
                    }
                }
            } + [
                Settings(
                    languageMode: 5,
                    isMainActorByDefault: false,
                    importsAreInternalByDefault: false,
                    isRelease: true
                ),
                Settings(
                    languageMode: 6,
                    isMainActorByDefault: true,
                    importsAreInternalByDefault: true,
                    isRelease: true
                ),
            ]

        var arguments: [String] {
            ["-swift-version", "\(languageMode)", isRelease ? "-O" : "-Onone"]
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
            let runtime = try BuiltWithTests.folder(ofModule: "PreferencesRuntime").path
            let run = try await Self.compile(
                module.files + [use],
                as: "Generated",
                ["-c", "-warnings-as-errors", "-o", "generated.o", "-I", runtime] + settings.arguments,
                in: folder
            )
            #expect(run.succeeded)
            #expect(run.output == "")
        }
    }

    @Test("They compile with library evolution, without another warning than that Foundation was built without it")
    func libraryEvolution() async throws {
        try await withTemporaryDirectory { folder in
            let module = try GeneratedModule(in: folder)
            let sources = Repository.folder.appending(path: "Sources")
            let evolution = [
                "-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault",
                "-enable-library-evolution", "-I", folder.path,
            ]
            for name in ["PreferencesJSON", "PreferencesSystem", "PreferencesRuntime"] {
                let files = try FileManager.default.subpathsOfDirectory(atPath: sources.appending(path: name).path)
                    .filter { $0.hasSuffix(".swift") }.map { sources.appending(path: "\(name)/\($0)") }
                let run = try await Self.compile(
                    files,
                    as: name,
                    ["-emit-module", "-enable-experimental-feature", "BuiltinModule"] + evolution,
                    in: folder
                )
                #expect(run.succeeded, "\(run.output)")
            }
            let run = try await Self.compile(
                module.files,
                as: "Generated",
                ["-c", "-O", "-o", "generated.o"] + evolution,
                in: folder
            )
            #expect(run.succeeded, "\(run.output)")
            let warnings = run.output.split(separator: "\n").filter { $0.contains(": warning: ") }
            #expect(
                warnings.filter { !$0.contains("module 'Foundation' was not compiled with library evolution") } == []
            )
        }
    }

    private static func compile(
        _ files: [URL],
        as module: String,
        _ arguments: [String],
        in folder: URL
    ) async throws -> CommandLineRun {
        try await CommandLineRun(
            "swiftc",
            [
                "-whole-module-optimization", "-parse-as-library", "-module-name", module, "-package-name", "generated",
                "-enable-upcoming-feature", "MemberImportVisibility", "-enable-upcoming-feature", "ExistentialAny",
            ] + arguments + files.map(\.path),
            in: folder,
            mergesErrors: true
        )
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
