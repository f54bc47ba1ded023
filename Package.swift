// swift-tools-version: 6.1
import PackageDescription

/// Every target is held to the same rules: Swift 6 mode, and the features that Swift will switch on later.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The privacy manifest of a target is a resource for Apple's platforms alone. On other hosts, a resource would add a bundle
/// to every program, and all of Foundation by the code that SwiftPM generates to find the bundle.
#if canImport(Darwin)
    let privacyManifest: (excluded: [String], resources: [Resource]) = ([], [.copy("PrivacyInfo.xcprivacy")])
#else
    let privacyManifest: (excluded: [String], resources: [Resource]) = (["PrivacyInfo.xcprivacy"], [])
#endif

/// What another library does, restated as tests of this one.
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
        .library(name: "PreferencesCompatibility", targets: ["PreferencesCompatibility"]),
        .library(name: "PreferencesRemote", targets: ["PreferencesRemote"]),
        .library(name: "PreferencesSecrets", targets: ["PreferencesSecrets"]),
        .library(name: "PreferencesSQLite", targets: ["PreferencesSQLite"]),
        .library(name: "PreferencesStoreTesting", targets: ["PreferencesStoreTesting"]),
        .plugin(name: "PreferencesPlugin", targets: ["PreferencesPlugin"]),
        .plugin(name: "PreferencesCommandPlugin", targets: ["PreferencesCommandPlugin"]),
        .executable(name: "preferences-generator", targets: ["preferences-generator"]),
    ],
    targets: [
        // What an app links.
        .target(name: "PreferencesJSON", swiftSettings: settings),
        .target(name: "PreferencesSystem", swiftSettings: settings),
        .target(
            name: "PreferencesRuntime",
            dependencies: ["PreferencesJSON", "PreferencesSystem"],
            exclude: privacyManifest.excluded,
            resources: privacyManifest.resources,
            // For the initializer of string literals.
            swiftSettings: settings + [.enableExperimentalFeature("BuiltinModule")]
        ),
        .target(name: "PreferencesApple", dependencies: ["PreferencesRuntime"], swiftSettings: settings),
        .target(name: "PreferencesCompatibility", dependencies: ["PreferencesRuntime"], swiftSettings: settings),
        .target(
            name: "PreferencesRemote",
            dependencies: ["PreferencesRuntime", "PreferencesSystem"],
            swiftSettings: settings
        ),
        .target(
            name: "PreferencesSecrets",
            dependencies: ["PreferencesRuntime", "PreferencesSystem"],
            swiftSettings: settings
        ),
        .target(
            name: "PreferencesSQLite",
            dependencies: ["PreferencesRuntime", "PreferencesJSON", "PreferencesSystem"],
            swiftSettings: settings
        ),

        // What tests stores, of this package and of others.
        .target(
            name: "PreferencesStoreTesting",
            dependencies: ["PreferencesRuntime", "PreferencesSystem"],
            swiftSettings: settings
        ),

        // The code that turns schemas into Swift. It shares no target with what apps link, because Xcode fails to archive
        // such packages for Mac Catalyst: the folder JSON of PreferencesSchema is a link to the sources of PreferencesJSON.
        .target(name: "PreferencesSchema", swiftSettings: settings),
        .target(name: "PreferencesCodeGen", dependencies: ["PreferencesSchema"], swiftSettings: settings),
        .target(name: "PreferencesImport", dependencies: ["PreferencesSchema"], swiftSettings: settings),
        .executableTarget(
            name: "preferences-generator",
            dependencies: ["PreferencesCodeGen", "PreferencesImport", "PreferencesSchema"],
            swiftSettings: settings
        ),
        .plugin(name: "PreferencesPlugin", capability: .buildTool(), dependencies: ["preferences-generator"]),
        .plugin(
            name: "PreferencesCommandPlugin",
            capability: .command(
                intent: .custom(verb: "preferences", description: "Write the regions of host files, or check them."),
                permissions: [
                    .writeToPackageDirectory(reason: "The regions of host files are in your source files.")
                ]
            ),
            dependencies: ["preferences-generator"]
        ),

        // What shows it.
        .executableTarget(
            name: "WeatherExample",
            dependencies: ["PreferencesRuntime"],
            swiftSettings: settings,
            plugins: ["PreferencesPlugin"]
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "preferences-generator", "PreferencesCodeGen", "PreferencesSchema", "PreferencesRuntime",
                "PreferencesSQLite",
            ],
            swiftSettings: settings,
            plugins: ["PreferencesPlugin"]
        ),

        // What tests it.
        .target(
            name: "TestSupport",
            path: "Tests/TestSupport",
            exclude: ["validate-schemas.py"],
            swiftSettings: settings
        ),
        .target(
            name: "StoreTestSupport",
            dependencies: ["PreferencesRuntime", "PreferencesSystem"],
            path: "Tests/StoreTestSupport",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "SchemaFuzzer",
            dependencies: ["PreferencesCodeGen", "PreferencesSchema", "TestSupport"],
            path: "Tests/Fuzzing",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "SchemaProperties",
            dependencies: ["PreferencesCodeGen", "PreferencesSchema", "PreferencesRuntime", "TestSupport"],
            path: "Tests/SchemaProperties",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "PlatformCheck",
            dependencies: ["TestSupport"],
            path: "Tests/PlatformCheck",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "StoreChild",
            dependencies: [
                "PreferencesRuntime", "PreferencesSecrets", "PreferencesSQLite", "PreferencesSystem", "TestSupport",
            ],
            path: "Tests/StoreChild",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "StoreProof",
            dependencies: ["PreferencesRuntime", "PreferencesSystem", "PreferencesSQLite", "TestSupport"],
            path: "Tests/StoreProof",
            exclude: ["FaultLayer"],
            swiftSettings: settings
        ),
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
            name: "PreferencesCodeGenTests",
            dependencies: ["PreferencesCodeGen", "PreferencesSchema", "PreferencesRuntime", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesImportTests",
            dependencies: [
                "PreferencesImport", "PreferencesSchema", "PreferencesCodeGen", "PreferencesRuntime", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesRuntimeTests",
            dependencies: [
                "PreferencesRuntime", "PreferencesCompatibility", "PreferencesSystem", "PreferencesStoreTesting",
                "StoreChild", "StoreTestSupport", "TestSupport",
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
            name: "PreferencesCompatibilityTests",
            dependencies: [
                "PreferencesCompatibility", "PreferencesRuntime", "PreferencesSystem", "PreferencesStoreTesting",
                "StoreTestSupport", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesStoreTestingTests",
            dependencies: ["PreferencesStoreTesting", "PreferencesRuntime", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PreferencesRemoteTests",
            dependencies: [
                "PreferencesRemote", "PreferencesRuntime", "PreferencesSystem", "PreferencesStoreTesting",
                "StoreTestSupport",
                "TestSupport",
            ],
            exclude: ["Support/preference-server.py"],
            swiftSettings: settings
        ),
        // What stands in for iCloud and objects of Objective-C, which only Apple's systems have.
        .target(
            name: "AppleStoresTestSupport",
            dependencies: ["PreferencesApple", "PreferencesRuntime", "PreferencesSystem"],
            path: "Tests/AppleStoresTestSupport",
            swiftSettings: settings
        ),
        // And for the keychain.
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
                "PreferencesSQLite", "PreferencesRuntime", "PreferencesSystem", "PreferencesStoreTesting", "StoreChild",
                "StoreTestSupport",
                "TestSupport",
            ],
            swiftSettings: settings
        ),
        parityTests("PropertyKit", ["preferences-generator"]),
        // Apart from the tests, which would be linked with the generator twice.
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
                "PreferencesStoreTesting", "AppleStoresTestSupport", "KeychainTestSupport",
            ]
        ),
        parityTests(
            "PersistentObject",
            ["PreferencesApple", "PreferencesSQLite", "AppleStoresTestSupport", "StoreChild"]
        ),
        parityTests("EarlierGenerators", ["preferences-generator"]),
        .testTarget(
            name: "GeneratorTests",
            dependencies: ["preferences-generator", "PreferencesSchema", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(name: "PluginTests", dependencies: ["TestSupport"], swiftSettings: settings),
        .testTarget(name: "BenchmarksTests", dependencies: ["Benchmarks"], swiftSettings: settings),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: settings),
        .testTarget(name: "StoreProofTests", dependencies: ["StoreProof", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "PlatformCheckTests",
            dependencies: ["PlatformCheck", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SchemaPropertiesTests",
            dependencies: ["SchemaProperties", "TestSupport"],
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
