import Foundation
import TestSupport

/// A platform that the package is type-checked for, though the compiler runs on another.
struct Platform: Sendable {
    /// The targets of the package that are checked.
    enum Scope: Sendable {
        /// The libraries, and the programs of the folder `Sources`.
        case everything
        /// The libraries that apps link, and those that they depend on.
        case libraries
        /// The plugins.
        case plugins
    }

    let name: String
    let triple: String
    let standardLibrary: StandardLibrary
    /// The folder of `Tests/Fixtures/PlatformStubs` with the modules that this machine does not have.
    let stubs: String?
    let scope: Scope
    /// The compilation conditions that are set.
    var conditions: [String] = []

    /// Whether `.ci/run` also builds the package for the platform, for the tests or for ThreadSanitizer. Such a
    /// platform is checked only with `--platform` or `--prove`.
    var isBuiltForTests: Bool { stubs == nil }
}

extension Platform {
    /// Every platform for which the package has specific code.
    ///
    /// - Parameters:
    ///   - package: The package.
    ///   - linux: The target that the compiler of this machine builds for.
    /// - Throws: A ``CheckFailure`` if the package does not declare the minimum version of one of Apple's systems.
    static func all(for package: LoadedPackage, linux: String) throws -> [Platform] {
        func apple(_ name: String, _ system: String, _ triple: (String) -> String, folder: String) throws -> Platform {
            guard let version = package.deploymentTargets[system] else {
                throw CheckFailure("Package.swift states no minimum version of '\(system)'; add it to 'platforms'.")
            }
            return Platform(
                name: name,
                triple: triple(version),
                // For the target arm64-apple-macosx15.0, the compiler looks for arm64-apple-macos.swiftinterface.
                standardLibrary: .apple(folder: folder, interface: triple("").replacing("macosx", with: "macos")),
                stubs: "Apple",
                // The generator and the other programs run on Macs.
                scope: name == "macOS" ? .everything : .libraries
            )
        }
        return [
            try apple("macOS", "macos", { "arm64-apple-macosx\($0)" }, folder: "macosx"),
            // On an Intel Mac, for blocks with `arch`.
            try apple("Mac Catalyst", "ios", { "x86_64-apple-ios\($0)-macabi" }, folder: "maccatalyst"),
            try apple("iOS", "ios", { "arm64-apple-ios\($0)" }, folder: "iphoneos"),
            try apple("tvOS", "tvos", { "arm64-apple-tvos\($0)" }, folder: "appletvos"),
            try apple("watchOS", "watchos", { "arm64-apple-watchos\($0)" }, folder: "watchos"),
            try apple("visionOS", "visionos", { "arm64-apple-xros\($0)" }, folder: "xros"),
            Platform(name: "musl", triple: linux, standardLibrary: .musl, stubs: "Musl", scope: .everything),
            // Xcode's plugins, with the toolchain's own PackagePlugin.
            Platform(name: "plugins", triple: linux, standardLibrary: .toolchain, stubs: "Plugins", scope: .plugins),
            Platform(name: "Linux", triple: linux, standardLibrary: .toolchain, stubs: nil, scope: .everything),
            Platform(
                name: "Linux with ThreadSanitizer",
                triple: linux,
                standardLibrary: .toolchain,
                stubs: nil,
                scope: .libraries,
                conditions: ["PREFERENCES_PTHREAD_LOCK"]
            ),
        ]
    }
}

/// The Swift compiler of this machine, and the folder of its modules.
struct Toolchain: Sendable {
    /// The folder that the compiler calls its resource directory: `lib/swift`.
    let resources: URL

    /// The default target of the compiler.
    let triple: String

    init() async throws {
        struct Info: Decodable {
            struct Target: Decodable { let triple: String }
            struct Paths: Decodable { let runtimeResourcePath: String }
            let target: Target
            let paths: Paths
        }
        let run = try await CommandLineRun("swiftc", ["-print-target-info"])
        guard run.succeeded else { throw CheckFailure("'swiftc -print-target-info' failed: \(run.errors)") }
        let info = try JSONDecoder().decode(Info.self, from: run.outputBytes)
        resources = URL(filePath: info.paths.runtimeResourcePath, directoryHint: .isDirectory)
        triple = info.target.triple
    }
}
