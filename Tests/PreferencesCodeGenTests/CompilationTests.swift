import Foundation
import TestSupport
import Testing

/// Generated source compiles without a warning in every kind of module that it may be put into.
@Suite("Compiling generated source")
struct CompilationTests {
    /// The compiler options of a module.
    struct Settings: CustomTestStringConvertible {
        var languageMode: Int
        var isMainActorByDefault: Bool
        var importsAreInternalByDefault: Bool
        var isRelease = false

        /// Every combination in debug builds, and only the two extremes in release builds.
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
            // Type errors and warnings are reported before machine code is generated, which the release builds include.
            ["-swift-version", "\(languageMode)"] + (isRelease ? ["-O", "-c"] : ["-Onone", "-emit-sil"])
                + (isMainActorByDefault ? ["-default-isolation", "MainActor"] : [])
                + (importsAreInternalByDefault ? ["-enable-upcoming-feature", "InternalImportsByDefault"] : [])
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test("All schemas compile as one module, together with files that have imports", arguments: Settings.all)
    func module(_ settings: Settings) async throws {
        try await withTemporaryDirectory { folder in
            let module = try GeneratedModule(in: folder)
            let use = folder.appending(path: "Use.swift")
            try Data(Self.use.utf8).write(to: use)
            let runtime = try BuiltWithTests.folder(ofModule: "PreferencesRuntime").path
            let run = try await Self.compile(
                module.files + [use],
                as: "Generated",
                ["-warnings-as-errors", "-o", "generated", "-I", runtime] + settings.arguments,
                in: folder
            )
            #expect(run.succeeded)
            #expect(run.output == "")
        }
    }

    @Test(
        "An actor that conforms in an extension can be created by a file that is compiled before its own",
        arguments: [5, 6]
    )
    func actors(languageMode: Int) async throws {
        try await withTemporaryDirectory { folder in
            let files = [
                "Before":
                    "func use(_ preferences: Preferences) async { await Guard(preferences: preferences).count() }",
                "Guard": """
                extension Guard: RootKeysPreferences {}

                actor Guard {
                    let preferences: Preferences

                    init(preferences: Preferences) { self.preferences = preferences }

                    func start() {
                        watch(\\.launchCount, with: self) { guardian, _ in guardian.count() }
                    }

                    func count() { launchCount += 1 }
                }
                """,
            ].sorted { $0.key < $1.key }.map { name, text in
                (folder.appending(path: "\(name).swift"), "import PreferencesRuntime\n\n\(text)\n")
            }
            for (file, text) in files { try Data(text.utf8).write(to: file) }
            let module = try GeneratedModule(in: folder)
            let run = try await Self.compile(
                files.map(\.0) + module.files,
                as: "Generated",
                [
                    "-typecheck", "-warnings-as-errors", "-swift-version", "\(languageMode)", "-I",
                    try BuiltWithTests.folder(ofModule: "PreferencesRuntime").path,
                ],
                in: folder
            )
            #expect(run.succeeded, "\(run.output)")
        }
    }

    @Test("All schemas compile with library evolution, with no warning other than that Foundation was built without it")
    func libraryEvolution() async throws {
        try await withTemporaryDirectory { folder in
            let module = try GeneratedModule(in: folder)
            let sources = Repository.folder.appending(path: "Sources")
            let evolution = [
                "-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault",
                "-enable-library-evolution", "-I", folder.path,
            ]
            for name in ["PreferencesJSON", "PreferencesSystem", "PreferencesRuntime", "PreferencesCatalogue"] {
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

    /// A source file that imports without `public` what generated files import publicly, and uses accessors on and off
    /// the main actor.
    private static let use = """
        import Foundation
        import PreferencesCatalogue
        import PreferencesRuntime

        nonisolated func useAnywhere(_ preferences: Preferences) {
            preferences.launchCount += 1
            preferences.animals.cats.big.lion = preferences.animals.cats.big.lion + "!"
            preferences.optionals.date = Date()
            let sendable: any Sendable = preferences.animals
            _ = sendable
            _ = EnumOfStrings.allCases.map(\\.rawValue)
            _ = preferences.validate() + preferences.catalogueWeather.validate()
            _ = preferences.explain().keys + preferences.explain(.catalogueSecond).keys
            _ = Preferences.catalogue + Preferences.CatalogueWeatherRadar.catalogue
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
