// swift-tools-version: 6.1
import PackageDescription

/// An app that uses the public preferences of another package beside its own, of which it has a catalogue. It links the
/// stores of secrets without importing them.
let package = Package(
    name: "Dashboard",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-preferences", path: "../../../.."),
        .package(path: "../Observatory"),
    ],
    targets: [
        .executableTarget(
            name: "dashboard",
            dependencies: [
                .product(name: "ObservatoryKit", package: "Observatory"),
                .product(name: "PreferencesCatalogue", package: "swift-preferences"),
                .product(name: "PreferencesRuntime", package: "swift-preferences"),
                .product(name: "PreferencesSecrets", package: "swift-preferences"),
            ],
            plugins: [.plugin(name: "PreferencesPlugin", package: "swift-preferences")]
        )
    ]
)
