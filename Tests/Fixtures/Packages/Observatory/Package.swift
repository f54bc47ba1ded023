// swift-tools-version: 6.1
import PackageDescription

/// A library with public preferences, whose schemas are in all the places where the plugin looks for them.
let package = Package(
    name: "Observatory",
    platforms: [.macOS(.v15)],
    products: [.library(name: "ObservatoryKit", targets: ["ObservatoryKit"])],
    dependencies: [.package(name: "swift-preferences", path: "../../../..")],
    targets: [
        .target(
            name: "ObservatoryKit",
            dependencies: [.product(name: "PreferencesRuntime", package: "swift-preferences")],
            exclude: ["Drafts"],
            plugins: [.plugin(name: "PreferencesPlugin", package: "swift-preferences")]
        ),

        // Uses the library's accessors, and has no schema of its own.
        .executableTarget(
            name: "observe",
            dependencies: [
                "Almanac", "ObservatoryKit",
                .product(name: "PreferencesRuntime", package: "swift-preferences"),
            ]
        ),

        // Depends on no schema.
        .target(name: "Almanac"),
    ]
)
