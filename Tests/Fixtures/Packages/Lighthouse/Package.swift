// swift-tools-version: 6.1
import PackageDescription

/// A program whose fileprivate preferences are in host files, and whose target is configured.
let package = Package(
    name: "Lighthouse",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-preferences", path: "../../../..")],
    targets: [
        .target(
            name: "LighthouseKit",
            dependencies: [.product(name: "PreferencesRuntime", package: "swift-preferences")],
            plugins: [.plugin(name: "PreferencesPlugin", package: "swift-preferences")]
        ),

        // Uses what the library has that is public.
        .executableTarget(
            name: "lighthouse",
            dependencies: [
                "LighthouseKit",
                .product(name: "PreferencesRuntime", package: "swift-preferences"),
            ]
        ),
    ]
)
