import Foundation
import TestSupport
import Testing

/// Builds packages that use the plugin, with each build system.
///
/// The tests are serialized, because all builds of a build system share a folder.
@Suite("PreferencesPlugin", .serialized)
struct PreferencesPluginTests {
    private static let weather = "Sources/ObservatoryKit/Weather.preferences.json"
    private static let forecast = "Sources/ObservatoryKit/Forecast/Weather.preferences.json"
    private static let dome = "Schemas/ObservatoryKit/Dome.preferences.json"

    // MARK: - Generated accessors

    @Test(
        "Public preferences of a library can be used in another target of its package",
        arguments: BuildSystem.tested
    )
    func usesFromAnotherTarget(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Observatory", buildSystem)
        let lines = try await package.run("observe")
        let secrets = Self.secretsProblem(
            ": add the product PreferencesSecrets to the target, whose default is the system's store, or create them "
                + "with 'Preferences(store:secrets:)'"
        )
        #expect(
            lines == [
                "observer: nobody",
                "observer: Caroline",
                "aperture: 0.2 then 0.4",
                #"mount: altazimuth filters: ["luminance", "red"]"#,
                "dome: true 180",
                "weather: roof 12.5",
                "forecast: 48 0.5",
                #"planets: ["Jupiter", "Saturn"]"#,
            ] + secrets
        )
        #expect(try await !Self.containsCatalogue(package.executable("observe")))
    }

    /// Returns the line about a secret that cannot be set. On Darwin, it would be set in the user's keychain.
    ///
    /// - Parameter cause: The part of the message that shows whether the program links the stores of secrets.
    private static func secretsProblem(_ cause: String) -> [String] {
        #if canImport(Darwin)
            []
        #else
            [
                "secrets: the key is secret, and these preferences have no store for secrets\(cause), and make them "
                    + "'Preferences.shared' by 'Preferences.bootstrap(_:)' when the program starts; it was not set"
            ]
        #endif
    }

    /// Returns whether a program contains the name of the module PreferencesCatalogue or of its main type, as all its
    /// symbols do.
    private static func containsCatalogue(_ program: Data) -> Bool {
        ["PreferencesCatalogue", "PreferenceCatalogue", "_KeyDescriptions"].contains {
            program.range(of: Data($0.utf8)) != nil
        }
    }

    @Test(
        "Public preferences of a library can be used in another package, whose own have a catalogue",
        arguments: BuildSystem.tested
    )
    func usesFromAnotherPackage(buildSystem: BuildSystem) async throws {
        _ = try FixturePackage("Observatory", buildSystem)
        let package = try FixturePackage("Dashboard", buildSystem)
        let lines = try await package.run("dashboard")
        let problem = "memory: 'panel:columns': expected Int, found the string \"two\"; using its default"
        let secrets = Self.secretsProblem(
            ", as this process has no session bus: run it in a desktop session, which sets "
                + "DBUS_SESSION_BUS_ADDRESS, or with dbus-run-session(1); or create them with "
                + "'Preferences(store:secrets:)' and an 'EncryptedStore'"
        )
        #expect(
            lines == [
                "Tonight in 3 columns",
                "wind: 8.0 gain: 200",
                #"keys: ["panel.title", "panel.columns"]"#,
                "problem: \(problem)",
                "panel",
                #"    title = "Today"    memory"#,
                "    columns = 2        default",
                "        problem        \(problem)",
            ] + secrets
        )
        #expect(try await Self.containsCatalogue(package.executable("dashboard")))
    }

    @Test(
        "Names that clash with those of a library in another package are errors, and a change of its schema is noticed",
        arguments: BuildSystem.tested
    )
    func clashesWithAnotherPackage(buildSystem: BuildSystem) async throws {
        let library = try FixturePackage("Observatory", buildSystem)
        let package = try FixturePackage("Dashboard", buildSystem)
        try await package.buildUntilSettled()
        try library.replace(#""wind": {"#, with: #""panel": { "id": "wind","#, in: Self.weather)
        let run = try await package.build()
        #expect(!run.succeeded)
        #expect(
            run.output.contains(
                "error: namespace 'panel' would have the same accessor as namespace 'panel' of module "
                    + "'ObservatoryKit' [accessor-clash]"
            ),
            "\(run.output)"
        )
    }

    @Test("Two schemas with one file name in different folders are generated", arguments: BuildSystem.tested)
    func sameFileName(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Observatory", buildSystem)
        try package.replace("roof", with: "tower", in: Self.weather)
        try package.replace("48", with: "72", in: Self.forecast)
        let lines = try await package.run("observe")
        #expect(lines.contains("weather: tower 12.5"))
        #expect(lines.contains("forecast: 72 0.5"))
    }

    @Test("Each schema that is not excluded generates one file, named after its path", arguments: BuildSystem.tested)
    func outputNames(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Observatory", buildSystem, isFresh: true)
        let before = try package.products()
        try await package.buildUntilSettled()
        let after = try package.products()
        #expect(
            after.generated(since: before) == [
                "Forecast+Weather.preferences.swift",
                "Schemas++ObservatoryKit+Dome.preferences.swift",
                "Schemas++ObservatoryKit.preferences.swift",
                "Weather.preferences.swift",
            ]
        )
    }

    // MARK: - Incremental builds

    @Test("A build with nothing to do runs neither the generator nor the compiler", arguments: BuildSystem.tested)
    func nothingChanged(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Observatory", buildSystem)
        try await package.buildUntilSettled(isVerbose: true)
        let before = try package.products()
        let run = try await package.build(isVerbose: true)
        #expect(run.succeeded)
        #expect(!run.ranGenerator)
        let after = try package.products()
        #expect(after.modified(since: before) == [])
    }

    @Test("A second build compiles nothing, even if it makes a new plan", arguments: BuildSystem.tested)
    func secondBuild(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Observatory", buildSystem, isFresh: true)
        let first = try await package.build()
        try #require(first.succeeded, "\(first.output)")
        let before = try package.products()
        let second = try await package.build()
        #expect(second.succeeded)
        let after = try package.products()
        #expect(after.compiled(since: before) == [])
        #expect(after.generated(since: before) == [])
    }

    @Test("Editing a schema rebuilds only what depends on it", arguments: BuildSystem.tested)
    func schemaEdited(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Observatory", buildSystem)
        try await package.buildUntilSettled(isVerbose: true)
        let before = try package.products()
        try package.replace(#""limit": { "type": "Double""#, with: #""limit": { "type": "Float""#, in: Self.weather)
        let run = try await package.build(isVerbose: true)
        #expect(run.succeeded)
        #expect(run.ranGenerator)
        let after = try package.products()
        #expect(after.generated(since: before) == ["Weather.preferences.swift"])
        #expect(after.compiled(since: before) == ["ObservatoryKit/Weather.preferences", "observe/main"])
    }

    @Test("Editing only the format of a schema compiles nothing", arguments: BuildSystem.tested)
    func schemaReformatted(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Observatory", buildSystem)
        try await package.buildUntilSettled(isVerbose: true)
        let before = try package.products()
        try package.replace("  ", with: "    ", in: Self.weather)
        let run = try await package.build(isVerbose: true)
        #expect(run.succeeded)
        #expect(run.ranGenerator)
        let after = try package.products()
        #expect(after.modified(since: before) == [])
    }

    @Test(
        "A schema that is added or removed in any folder is noticed",
        arguments: BuildSystem.tested,
        [
            "Sources/ObservatoryKit/Optics/Mirror.preferences.json",
            "Schemas/ObservatoryKit/Optics/Mirror.preferences.json",
        ]
    )
    func schemaAddedAndRemoved(buildSystem: BuildSystem, path: String) async throws {
        let package = try FixturePackage("Observatory", buildSystem)
        try await package.buildUntilSettled()

        let before = try package.products()
        try package.write(Data(#"{ "formatVersion": 1, "keys": { "mirror": { "type": "Int?" } } }"#.utf8), to: path)
        let added = try await package.build()
        #expect(added.succeeded, "\(added.output)")
        let after = try package.products()
        #expect(after.generated(since: before).count == 1)

        try package.remove(path)
        let removed = try await package.build()
        #expect(removed.succeeded, "\(removed.output)")
    }

    @Test("A folder of schemas that is created later is watched after the manifest is touched")
    func schemasFolderAddedLater() async throws {
        _ = try FixturePackage("Observatory", .native)
        let package = try FixturePackage("Dashboard", .native, isFresh: true)
        let schema = try package.contents("Schemas/dashboard.preferences.json")
        try package.remove("Schemas")
        try package.write(schema, to: "Sources/dashboard/dashboard.preferences.json")
        try await package.buildUntilSettled()

        try package.write(
            Data(#"{ "formatVersion": 1, "keys": { "late": { "type": "Int?" } } }"#.utf8),
            to: "Schemas/dashboard/Late.preferences.json"
        )
        try package.write(try package.contents("Package.swift") + Data("\n".utf8), to: "Package.swift")
        try await package.buildUntilSettled()

        let path = "Schemas/dashboard/Bad.preferences.json"
        try package.write(Data("{ bad".utf8), to: path)
        let added = try await package.build()
        #expect(!added.succeeded)
        #expect(added.output.contains("\(package.path(path)):1:3: error: "))
        try package.remove(path)
        let removed = try await package.build()
        #expect(removed.succeeded, "\(removed.output)")
    }

    @Test("A schema that is added to a local dependency is noticed", arguments: BuildSystem.tested)
    func schemaAddedToDependency(buildSystem: BuildSystem) async throws {
        // An earlier run may have generated the file.
        let library = try FixturePackage("Observatory", buildSystem, isFresh: true)
        let package = try FixturePackage("Dashboard", buildSystem)
        try await package.buildUntilSettled()
        let before = try package.products()
        let path = "Sources/ObservatoryKit/Optics/Lens.preferences.json"
        try library.write(Data(#"{ "formatVersion": 1, "keys": { "lens": { "type": "Int?" } } }"#.utf8), to: path)
        let run = try await package.build()
        #expect(run.succeeded, "\(run.output)")
        let after = try package.products()
        #expect(after.generated(since: before) == ["Optics+Lens.preferences.swift"])
    }

    // MARK: - Diagnostics

    @Test("A fault in a schema is an error at its location, and fails the build", arguments: BuildSystem.tested)
    func fault(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Observatory", buildSystem)
        try package.replace(#""isOpen": { "type": "Bool""#, with: #""isOpen": { "type": "Boolean""#, in: Self.dome)
        let run = try await package.build()
        #expect(!run.succeeded)
        let place = "\(package.path(Self.dome)):9:30: error: "
        let error = run.output.split(separator: "\n").first { $0.hasPrefix(place) }
        #expect(try #require(error, "\(run.output)").hasSuffix(" [unknown-type]"))
    }

    @Test("One build reports the faults of all schemas of a target", arguments: BuildSystem.tested)
    func faultsOfAllSchemas(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Observatory", buildSystem)
        try package.replace(#""Bool""#, with: #""Boolean""#, in: Self.dome)
        try package.replace(#""Double""#, with: #""Real""#, in: Self.forecast)
        let run = try await package.build()
        #expect(run.output.contains("\(package.path(Self.dome)):9:"))
        #expect(run.output.contains("\(package.path(Self.forecast)):11:"))
    }

    @Test("A package with schemas in all locations builds without warnings", arguments: BuildSystem.tested)
    func noWarnings(buildSystem: BuildSystem) async throws {
        let library = try FixturePackage("Observatory", buildSystem, isFresh: true)
        let package = try FixturePackage("Dashboard", buildSystem, isFresh: true)
        for run in [try await library.build(), try await package.build()] {
            #expect(run.succeeded)
            #expect(run.warnings == [])
        }
    }

    /// SwiftPM says so before it runs plugins. `GettingStarted.md` quotes the errors.
    @Test("A target of schemas alone is empty for SwiftPM, and an empty Swift file makes it a target")
    func noSwiftFile() async throws {
        let package = try FixturePackage("Observatory", .native)
        try package.replace(#"["ObservatoryKit"])]"#, with: #"["ObservatoryKit", "Settings"])]"#, in: "Package.swift")
        try package.replace(
            #".target(name: "Almanac"),"#,
            with: """
                .target(name: "Almanac"),
                .target(
                    name: "Settings",
                    dependencies: [.product(name: "PreferencesRuntime", package: "swift-preferences")],
                    plugins: [.plugin(name: "PreferencesPlugin", package: "swift-preferences")]
                ),
                """,
            in: "Package.swift"
        )
        let schema = #"{ "formatVersion": 1, "namespaces": { "own": { "keys": { "on": { "type": "Bool?" } } } } }"#
        try package.write(Data(schema.utf8), to: "Sources/Settings/Settings.preferences.json")
        let empty = try await package.build()
        #expect(!empty.succeeded)
        #expect(
            empty.output.contains(
                "error: 'observatory': target 'Settings' referenced in product 'ObservatoryKit' is empty"
            ),
            "\(empty.output)"
        )
        try package.replace(#", "Settings"])]"#, with: "])]", in: "Package.swift")
        let missing = try await package.build()
        #expect(missing.output.contains("Source files for target Settings should be located under 'Sources/Settings'"))
        try package.write(Data(), to: "Sources/Settings/Settings.swift")
        let run = try await package.build()
        #expect(run.succeeded, "\(run.output)")
        #expect(!run.output.contains("Source files for target Settings"))
    }

    @Test("A target without a schema is an error that states where to add one")
    func noSchema() async throws {
        // The new build system prints the errors of plugins, and fails later at the uses of accessors.
        _ = try FixturePackage("Observatory", .native)
        let package = try FixturePackage("Dashboard", .native)
        try await package.buildUntilSettled()
        try package.remove("Schemas")
        let run = try await package.build()
        #expect(!run.succeeded)
        #expect(
            run.output.contains(
                """
                error: target 'dashboard' uses PreferencesPlugin but has no schema; \
                add 'NAME.preferences.json' to the target's folder, \
                or 'Schemas/dashboard.preferences.json' to the package; \
                'swift run prefs schema import' makes one from the settings of other systems
                """
            )
        )
        // Building again fails again, and a schema that is added is found.
        #expect(try await !package.build().succeeded)
        let again = try FixturePackage("Dashboard", .native)
        #expect(try await again.run("dashboard").first == "Tonight in 3 columns")
    }

    @Test("A target that does not depend on the runtime is an error that states what to add")
    func noRuntime() async throws {
        let package = try FixturePackage("Observatory", .native)
        let product = #".product(name: "PreferencesRuntime", package: "swift-preferences")"#
        try package.replace("dependencies: [\(product)],", with: "dependencies: [],", in: "Package.swift")
        let run = try await package.build()
        #expect(!run.succeeded)
        #expect(
            run.output.contains(
                "error: target 'ObservatoryKit' uses PreferencesPlugin but does not depend on PreferencesRuntime; add "
                    + "'\(product)' to its dependencies\n"
            ),
            "\(run.output)"
        )
        #expect(!run.output.contains("no such module"))
        #expect(!run.output.contains("undefined reference"))
        // A dependency through another target is enough.
        try package.replace("dependencies: [],", with: #"dependencies: ["Almanac"],"#, in: "Package.swift")
        try package.replace(
            #".target(name: "Almanac")"#,
            with: #".target(name: "Almanac", dependencies: [\#(product)])"#,
            in: "Package.swift"
        )
        let indirect = try await package.build()
        #expect(indirect.succeeded, "\(indirect.output)")
    }

    @Test(
        "The error about a misnamed schema names it, and the right name",
        arguments: [
            ("Schemas/Dashboard.preferences.json", "Schemas/dashboard.preferences.json"),
            ("Schemas/dashboard.prefs.json", "Schemas/dashboard.preferences.json"),
            ("Schemas/Dashboard/App.preferences.json", "Schemas/dashboard"),
            ("Sources/dashboard/App.preference.json", "App.preferences.json"),
            ("Sources/dashboard/App.Preferences.json", "App.preferences.json"),
            ("Sources/dashboard/AppPreferences.json", "AppPreferences.preferences.json"),
            ("Sources/dashboard/preferences.json", "dashboard.preferences.json"),
        ]
    )
    func misnamedSchema(path: String, name: String) async throws {
        _ = try FixturePackage("Observatory", .native)
        let package = try FixturePackage("Dashboard", .native)
        let schema = try package.contents("Schemas/dashboard.preferences.json")
        try package.remove("Schemas/dashboard.preferences.json")
        try package.write(schema, to: path)
        let run = try await package.build()
        #expect(!run.succeeded)
        let misnamed =
            path.hasPrefix("Sources")
            ? path.split(separator: "/")[2] : path.split(separator: "/").prefix(2).joined(separator: "/")[...]
        #expect(
            run.output.contains(
                "error: target 'dashboard' uses PreferencesPlugin but has no schema; rename '\(misnamed)' to '\(name)'"
            ),
            "\(run.output)"
        )
    }
}
