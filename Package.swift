// swift-tools-version: 6.1
import PackageDescription

/// Every target has the same rules: Swift 6 mode, and features that later language modes enable.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The plugins' tools are not optimized in release builds either: optimizing takes four fifths of the time of compiling
/// them, and saves 60 ms per thousand keys. SwiftPM permits the flag in a dependency from tools version 6.2:
/// Package@swift-6.2.swift differs from Package.swift only in that version. `PREFERENCES_OPTIMIZED_TOOLS=1` is for
/// measurements, fuzzing and prebuilt tools.
var toolSettings: [SwiftSetting] = settings
#if compiler(>=6.2)
    if Context.environment["PREFERENCES_OPTIMIZED_TOOLS"] != "1" {
        toolSettings.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
    }
#endif

/// The privacy manifest of a target is a resource for Apple's platforms alone. On other hosts, a resource would add a
/// bundle to every program, and all of Foundation by the code that SwiftPM generates to find the bundle.
#if canImport(Darwin)
    let privacyManifest: (excluded: [String], resources: [Resource]) = ([], [.copy("PrivacyInfo.xcprivacy")])
#else
    let privacyManifest: (excluded: [String], resources: [Resource]) = (["PrivacyInfo.xcprivacy"], [])
#endif

/// The behavior of another library, restated as tests of this package.
func parityTests(_ library: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(library)ParityTests",
        dependencies: ["PreferencesRuntime", "PreferencesSystem", "StoreTestSupport", "TestSupport"] + dependencies,
        path: "Tests/ParityTests/\(library)",
        swiftSettings: settings
    )
}

let package = Package(
    name: "swift-preferences",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "PreferencesRuntime", targets: ["PreferencesRuntime"]),
        .library(name: "PreferencesApple", targets: ["PreferencesApple"]),
        .library(name: "PreferencesCatalogue", targets: ["PreferencesCatalogue"]),
        .library(name: "PreferencesCompatibility", targets: ["PreferencesCompatibility"]),
        .library(name: "PreferencesObjects", targets: ["PreferencesObjects"]),
        .library(name: "PreferencesRemote", targets: ["PreferencesRemote"]),
        .library(name: "PreferencesSecrets", targets: ["PreferencesSecrets"]),
        .library(name: "PreferencesSQLite", targets: ["PreferencesSQLite"]),
        .library(name: "PreferencesStoreTesting", targets: ["PreferencesStoreTesting"]),
        .library(name: "PreferencesTesting", targets: ["PreferencesTesting"]),
        .plugin(name: "PreferencesPlugin", targets: ["PreferencesPlugin"]),
        .plugin(name: "PreferencesCommandPlugin", targets: ["PreferencesCommandPlugin"]),
        .executable(name: "preferences-generator", targets: ["preferences-generator"]),
        .executable(name: "preferences-diff", targets: ["preferences-diff"]),
        .executable(name: "prefs", targets: ["prefs"]),
    ],
    targets: [
        // MARK: Libraries of apps

        // JSON with the position of each value, for schemas and for stores: their diagnostics name the same places.
        .target(name: "PreferencesJSON", swiftSettings: settings),
        // Locks, files and folder watching, which the stores of several modules share. Apps do not import it.
        .target(
            name: "PreferencesSystem",
            exclude: privacyManifest.excluded,
            resources: privacyManifest.resources,
            swiftSettings: settings
        ),
        // The module that generated code and apps import: `Preferences`, accessors, and the stores that most apps use.
        .target(
            name: "PreferencesRuntime",
            dependencies: ["PreferencesJSON", "PreferencesSystem"],
            exclude: privacyManifest.excluded,
            resources: privacyManifest.resources,
            // For the initializer of string literals.
            swiftSettings: settings + [.enableExperimentalFeature("BuiltinModule")]
        ),
        // Stores over frameworks that only Apple's platforms have, written against the public interface alone.
        .target(name: "PreferencesApple", dependencies: ["PreferencesRuntime"], swiftSettings: settings),
        // Descriptions of keys, for programs that show or check their settings. Generated code imports it if a schema
        // has a catalogue.
        .target(
            name: "PreferencesCatalogue",
            dependencies: ["PreferencesRuntime", "PreferencesJSON"],
            swiftSettings: settings
        ),
        // Values that other libraries have stored, and stores over other data, written against the public interface
        // alone, except for the file formats in KeyFiles: formats of FileStore are package symbols.
        .target(name: "PreferencesCompatibility", dependencies: ["PreferencesRuntime"], swiftSettings: settings),
        // Whole values that outlive the process. Their watchers use the runtime's delivery queues, which are package
        // symbols: if they were public, users would have a second way to watch keys.
        .target(
            name: "PreferencesObjects",
            dependencies: ["PreferencesRuntime", "PreferencesSystem"],
            swiftSettings: settings
        ),
        // Stores over HTTP: apart from the runtime, because they link FoundationNetworking.
        .target(
            name: "PreferencesRemote",
            dependencies: ["PreferencesRuntime", "PreferencesSystem"],
            swiftSettings: settings
        ),
        // Stores of secrets: apart from the runtime, because they load or link a cryptographic library.
        .target(
            name: "PreferencesSecrets",
            dependencies: ["PreferencesRuntime", "PreferencesSystem"],
            swiftSettings: settings
        ),
        // The store over SQLite, which it loads when it is first used.
        .target(
            name: "PreferencesSQLite",
            dependencies: ["PreferencesRuntime", "PreferencesJSON", "PreferencesSystem"],
            swiftSettings: settings
        ),

        // The conformance tests of stores, for this package and for the tests of other stores.
        .target(
            name: "PreferencesStoreTesting",
            dependencies: ["PreferencesRuntime", "PreferencesSystem"],
            swiftSettings: settings
        ),

        // Preferences of their own for tests of apps. It imports Testing, which apps do not link.
        .target(name: "PreferencesTesting", dependencies: ["PreferencesRuntime"], swiftSettings: settings),

        // MARK: Tools

        // The schema language: from JSON to a model, with every diagnostic. The tools share no target with what apps
        // link, because Xcode fails to archive such packages for Mac Catalyst: the folder JSON is a link to the sources
        // of PreferencesJSON.
        .target(name: "PreferencesSchema", swiftSettings: toolSettings),
        // From the model to Swift.
        .target(name: "PreferencesCodeGen", dependencies: ["PreferencesSchema"], swiftSettings: toolSettings),
        // What a change of schemas does to stored values and to code. Generating code does not need it.
        .target(name: "PreferencesComparison", dependencies: ["PreferencesSchema"], swiftSettings: toolSettings),
        // From the formats of other systems to schemas. Generating code does not need it.
        .target(name: "PreferencesImport", dependencies: ["PreferencesSchema"], swiftSettings: toolSettings),
        // Command lines, consoles and files, which the tools share.
        .target(name: "PreferencesCommandLine", dependencies: ["PreferencesSchema"], swiftSettings: toolSettings),
        // Completion scripts and the manual, from the same descriptions as the help. Generating code does not need them.
        .target(
            name: "PreferencesCommandReference",
            dependencies: ["PreferencesCommandLine"],
            swiftSettings: toolSettings
        ),
        // The commands over versions of schemas, which prefs and preferences-diff share.
        .target(
            name: "PreferencesSchemaCommands",
            dependencies: [
                "PreferencesCommandLine", "PreferencesComparison", "PreferencesImport", "PreferencesSchema",
            ],
            swiftSettings: toolSettings
        ),
        // What the build plugin runs. Every user compiles it, so that it contains nothing else.
        .executableTarget(
            name: "preferences-generator",
            dependencies: ["PreferencesCodeGen", "PreferencesCommandLine", "PreferencesSchema"],
            swiftSettings: toolSettings
        ),
        // What the command plugin runs to compare schemas: apart from the generator, which builds compile, and from prefs.
        .executableTarget(
            name: "preferences-diff",
            dependencies: ["PreferencesCommandLine", "PreferencesSchema", "PreferencesSchemaCommands"],
            swiftSettings: toolSettings
        ),
        // Settings from outside the program, and the schemas of other systems. It links what apps link, so that no plugin
        // may depend on it.
        .executableTarget(
            name: "prefs",
            dependencies: [
                "PreferencesCatalogue", "PreferencesCommandLine", "PreferencesCommandReference",
                "PreferencesCompatibility",
                "PreferencesImport", "PreferencesJSON", "PreferencesRemote", "PreferencesRuntime", "PreferencesSQLite",
                "PreferencesSchema", "PreferencesSchemaCommands", "PreferencesSecrets", "PreferencesSystem",
            ],
            swiftSettings: settings
        ),
        // Generates the accessors of a target's schemas at each build.
        .plugin(name: "PreferencesPlugin", capability: .buildTool(), dependencies: ["preferences-generator"]),
        // `swift package preferences`: writes and checks the regions of host files, which a build must not write, and
        // compares schemas with those of a release.
        .plugin(
            name: "PreferencesCommandPlugin",
            capability: .command(
                intent: .custom(
                    verb: "preferences",
                    description: "Write or check the regions of host files, or compare schemas with a release."
                ),
                permissions: [
                    .writeToPackageDirectory(reason: "The regions of host files are in your source files.")
                ]
            ),
            dependencies: ["preferences-diff", "preferences-generator"]
        ),

        // MARK: Examples and measurements

        // A small program with a schema, which shows the main features of the runtime.
        .executableTarget(
            name: "WeatherExample",
            dependencies: ["PreferencesRuntime"],
            swiftSettings: settings,
            plugins: ["PreferencesPlugin"]
        ),
        // Measures the figures in the documentation, as ratios to named peers.
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "preferences-generator", "PreferencesCatalogue", "PreferencesCodeGen", "PreferencesRemote",
                "PreferencesSchema", "PreferencesRuntime", "PreferencesSQLite",
            ],
            swiftSettings: settings,
            plugins: ["PreferencesPlugin"]
        ),

        // MARK: Tests

        // Processes, folders and compilers, for tests of every target.
        .target(
            name: "TestSupport",
            path: "Tests/TestSupport",
            exclude: ["desktop-session.py", "etcd-cluster.py", "validate-schemas.py"],
            swiftSettings: settings
        ),
        // Stores, accessors and values, for tests of targets that depend on the runtime.
        .target(
            name: "StoreTestSupport",
            dependencies: ["PreferencesRuntime", "PreferencesStoreTesting", "PreferencesSystem", "TestSupport"],
            path: "Tests/StoreTestSupport",
            swiftSettings: settings
        ),
        // Feeds damaged schemas to the generator, for .ci/run and Tests/fuzz.
        .executableTarget(
            name: "SchemaFuzzer",
            dependencies: ["PreferencesCodeGen", "PreferencesComparison", "PreferencesSchema", "TestSupport"],
            path: "Tests/Fuzzing",
            swiftSettings: settings
        ),
        // Generates code from random schemas, and checks that it compiles and behaves as they declare, for .ci/run.
        .executableTarget(
            name: "SchemaProperties",
            dependencies: [
                "PreferencesCatalogue", "PreferencesCodeGen", "PreferencesComparison", "PreferencesSchema",
                "PreferencesRuntime", "TestSupport",
            ],
            path: "Tests/SchemaProperties",
            swiftSettings: settings
        ),
        // Type-checks the sources for platforms whose SDKs are missing, for Tests/check-apple.
        .executableTarget(
            name: "PlatformCheck",
            dependencies: ["TestSupport"],
            path: "Tests/PlatformCheck",
            swiftSettings: settings
        ),
        // A child process for tests: it uses a file at the same time as the test, or dies during a write.
        .executableTarget(
            name: "StoreChild",
            dependencies: [
                "PreferencesRuntime", "PreferencesObjects", "PreferencesRemote", "PreferencesSecrets",
                "PreferencesSQLite", "PreferencesSystem", "TestSupport",
            ],
            path: "Tests/StoreChild",
            swiftSettings: settings
        ),
        // Kills writers, damages files and fails system calls, for Tests/prove-stores.
        .executableTarget(
            name: "StoreProof",
            dependencies: ["PreferencesRuntime", "PreferencesSystem", "PreferencesSQLite", "TestSupport"],
            path: "Tests/StoreProof",
            exclude: ["FaultLayer"],
            swiftSettings: settings
        ),
        // Clients of a cluster of etcd whose members, links and clients fail, for Tests/prove-fleet.
        .executableTarget(
            name: "FleetProof",
            dependencies: ["PreferencesRemote", "PreferencesRuntime", "TestSupport"],
            path: "Tests/FleetProof",
            swiftSettings: settings
        ),
        // The tests of each module: one target per module, so that each can be built and run alone.
        .testTarget(
            name: "PreferencesJSONTests",
            dependencies: ["PreferencesJSON", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesSchemaTests",
            dependencies: ["PreferencesSchema", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesComparisonTests",
            dependencies: ["PreferencesComparison", "PreferencesRuntime", "PreferencesSchema", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesCodeGenTests",
            dependencies: [
                "PreferencesCatalogue", "PreferencesCodeGen", "PreferencesSchema", "PreferencesRuntime", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesImportTests",
            dependencies: [
                "PreferencesImport", "PreferencesSchema", "PreferencesCodeGen", "PreferencesRuntime", "TestSupport",
            ],
            swiftSettings: settings
        ),
        // Also depends on modules above the runtime, for the chapter on other libraries and for what happens at exit.
        .testTarget(
            name: "PreferencesRuntimeTests",
            dependencies: [
                "PreferencesRuntime", "PreferencesObjects", "PreferencesCompatibility", "PreferencesSystem",
                "PreferencesStoreTesting",
                "StoreChild", "StoreTestSupport", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesObjectsTests",
            dependencies: [
                "PreferencesObjects", "PreferencesRuntime", "PreferencesSystem", "StoreChild", "StoreTestSupport",
                "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesAppleTests",
            dependencies: [
                "PreferencesApple", "PreferencesRuntime", "PreferencesSystem", "PreferencesStoreTesting",
                "AppleStoresTestSupport", "StoreTestSupport", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesCatalogueTests",
            dependencies: ["PreferencesCatalogue", "PreferencesRuntime", "StoreTestSupport", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesCompatibilityTests",
            dependencies: [
                "PreferencesCompatibility", "PreferencesImport", "PreferencesRuntime", "PreferencesSchema",
                "PreferencesSystem", "PreferencesStoreTesting", "StoreTestSupport", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesTestingTests",
            dependencies: ["PreferencesTesting", "PreferencesRuntime"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesStoreTestingTests",
            dependencies: ["PreferencesStoreTesting", "PreferencesRuntime", "TestSupport"],
            swiftSettings: settings
        ),
        // An app whose preferences follow its user. A test target cannot use the plugin itself: it would link the
        // generator twice.
        .target(
            name: "RoamingExample",
            dependencies: ["PreferencesRemote", "PreferencesRuntime"],
            path: "Tests/RoamingExample",
            swiftSettings: settings,
            plugins: ["PreferencesPlugin"]
        ),
        .testTarget(
            name: "PreferencesRemoteTests",
            dependencies: [
                "PreferencesRemote", "PreferencesRuntime", "PreferencesSystem", "PreferencesStoreTesting",
                "RoamingExample", "StoreChild", "StoreTestSupport",
                "TestSupport",
            ],
            exclude: ["Support/preference-server.py"],
            swiftSettings: settings
        ),
        // Doubles of iCloud, Core Data and Objective-C objects, which Linux does not have.
        .target(
            name: "AppleStoresTestSupport",
            dependencies: ["PreferencesApple", "PreferencesRuntime", "PreferencesSystem"],
            path: "Tests/AppleStoresTestSupport",
            swiftSettings: settings
        ),
        // A double of the keychain.
        .target(
            name: "KeychainTestSupport",
            dependencies: ["PreferencesSecrets"],
            path: "Tests/KeychainTestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesSecretsTests",
            dependencies: [
                "PreferencesSecrets", "PreferencesRuntime", "PreferencesSystem", "PreferencesSQLite",
                "PreferencesStoreTesting",
                "KeychainTestSupport", "StoreChild", "StoreTestSupport", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesSQLiteTests",
            dependencies: [
                "PreferencesSQLite", "PreferencesObjects", "PreferencesRuntime", "PreferencesSystem",
                "PreferencesStoreTesting", "StoreChild",
                "StoreTestSupport",
                "TestSupport",
            ],
            swiftSettings: settings
        ),
        // Tests that use one object from several threads. A target of their own, because .ci/run also builds them for
        // ThreadSanitizer.
        .testTarget(
            name: "ConcurrencyTests",
            dependencies: [
                "PreferencesRuntime", "PreferencesCompatibility", "PreferencesObjects", "PreferencesRemote",
                "PreferencesSQLite", "PreferencesSystem", "PreferencesStoreTesting", "StoreTestSupport", "TestSupport",
            ],
            swiftSettings: settings
        ),
        parityTests("PropertyKit", ["preferences-generator", "StoreChild"]),
        // The schema of the Storez tests. A test target cannot use the plugin itself: it would link the generator
        // twice.
        .target(
            name: "StorezSchema",
            dependencies: ["PreferencesRuntime"],
            path: "Tests/ParityTests/StorezSchema",
            swiftSettings: settings,
            plugins: ["PreferencesPlugin"]
        ),
        parityTests("Storez", ["StorezSchema", "PreferencesCompatibility"]),
        parityTests(
            "Prephirences",
            [
                "PreferencesApple", "PreferencesCompatibility", "PreferencesRemote", "PreferencesSecrets",
                "PreferencesSQLite", "PreferencesStoreTesting", "AppleStoresTestSupport", "KeychainTestSupport",
            ]
        ),
        parityTests(
            "PersistentObject",
            ["PreferencesObjects", "PreferencesApple", "PreferencesSQLite", "AppleStoresTestSupport", "StoreChild"]
        ),
        parityTests("EarlierGenerators", ["preferences-generator"]),
        .testTarget(
            name: "GeneratorTests",
            dependencies: ["preferences-generator", "PreferencesSchema", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PrefsTests",
            dependencies: [
                "prefs", "preferences-diff", "preferences-generator", "PreferencesCommandLine",
                "PreferencesCommandReference", "PreferencesRemote", "PreferencesRuntime",
                "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "PluginTests", dependencies: ["TestSupport"], swiftSettings: settings),
        .testTarget(name: "BenchmarksTests", dependencies: ["Benchmarks"], swiftSettings: settings),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: settings),
        .testTarget(name: "StoreProofTests", dependencies: ["StoreProof", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "FleetProofTests", dependencies: ["FleetProof", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "PlatformCheckTests",
            dependencies: ["PlatformCheck", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SchemaPropertiesTests",
            dependencies: [
                "PreferencesCodeGen", "PreferencesComparison", "PreferencesSchema", "SchemaProperties", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "FuzzingTests", dependencies: ["SchemaFuzzer", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "WeatherExampleTests",
            dependencies: ["WeatherExample", "TestSupport"],
            swiftSettings: settings
        ),
    ]
)

// A prebuilt generator, from Tests/build-artifact-bundle, takes the place of the target, for builds that only use it.
if let bundle = Context.environment["PREFERENCES_GENERATOR_BUNDLE"], !bundle.isEmpty {
    guard bundle.hasPrefix("/") else { fatalError("PREFERENCES_GENERATOR_BUNDLE: '\(bundle)' is not an absolute path") }
    let name = "preferences-generator"
    package.products.removeAll { $0.name == name }
    package.targets.removeAll { $0.name == name }
    // Paths of binary targets are relative to the package.
    let parents = Context.packageDirectory.split(separator: "/").map { _ in "../" }.joined()
    package.targets.append(.binaryTarget(name: name, path: parents + bundle.dropFirst()))
}

// The sanitizer's build contains only the targets in PREFERENCES_TEST_TARGETS and their dependencies: see .ci/run.
if let names = Context.environment["PREFERENCES_TEST_TARGETS"]?.split(separator: " ") {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var needed: Set<String> = []
    func require(_ name: String) {
        guard let target = targets[name] else { fatalError("PREFERENCES_TEST_TARGETS: no target is named '\(name)'") }
        guard needed.insert(name).inserted else { return }
        for case .byNameItem(let dependency, _) in target.dependencies { require(dependency) }
        for case .plugin(let plugin, _) in target.plugins ?? [] { require(plugin) }
    }
    for name in names { require(String(name)) }
    package.targets.removeAll { !needed.contains($0.name) }
    // Products name targets that are removed.
    package.products = []
}
