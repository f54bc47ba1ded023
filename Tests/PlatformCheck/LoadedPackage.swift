import Foundation
import TestSupport

/// A target of the package and its compiler settings.
struct PackageTarget: Sendable {
    let name: String
    let moduleName: String
    let isPlugin: Bool
    /// The source files that are in the repository.
    let sources: [URL]
    /// The accessors that the build plugin has generated.
    let generatedSources: [URL]
    /// The compiler's options for the features that the manifest enables.
    let featureOptions: [String]
    /// Whether apps link it.
    let isInLibraryProduct: Bool
    /// The path of its privacy manifest, which need not exist.
    let privacyManifest: URL

    /// Whether its file `main.swift` is the program.
    var hasTopLevelCode: Bool { sources.contains { $0.lastPathComponent == "main.swift" } }
}

/// The package as Swift Package Manager describes it.
struct LoadedPackage: Sendable {
    /// The libraries, the plugins, and the programs of the folder `Sources`, each after those that it depends on.
    let targets: [PackageTarget]
    /// The oldest version of each of Apple's systems, by the name that Swift Package Manager gives the system.
    let deploymentTargets: [String: String]
    /// The oldest version of Swift Package Manager that can read a manifest.
    let toolsVersion: String

    func targets(in scope: Platform.Scope) -> [PackageTarget] {
        targets.filter {
            switch scope {
            case .everything: !$0.isPlugin
            case .libraries: $0.isInLibraryProduct
            case .plugins: $0.isPlugin
            }
        }
    }
}

extension LoadedPackage {
    /// Loads the description from Swift Package Manager.
    ///
    /// - Parameter folder: The package's folder. Its plugins must have run.
    /// - Throws: A ``CheckFailure`` if the package has a setting that this check does not pass to the compiler.
    init(of folder: URL) async throws {
        let description = try await Description(of: folder)
        let manifest = try await PackageManifest(of: folder)

        let features = try Dictionary(
            uniqueKeysWithValues: manifest.targets.map { target in
                (
                    target.name,
                    try target.settings.flatMap(\.kind).flatMap { kind, setting -> [String] in
                        switch (kind, setting.values) {
                        case ("enableUpcomingFeature", let features):
                            features.flatMap { ["-enable-upcoming-feature", $0] }
                        case ("enableExperimentalFeature", let features):
                            features.flatMap { ["-enable-experimental-feature", $0] }
                        // Optimization does not concern type-checking.
                        case ("unsafeFlags", ["-Onone"]): []
                        default:
                            throw CheckFailure(
                                "The target \(target.name) has the setting '\(kind)'; teach PlatformCompiler to pass it."
                            )
                        }
                    }
                )
            }
        )
        let described = Dictionary(uniqueKeysWithValues: description.targets.map { ($0.name, $0) })

        let linked = manifest.linkedTargets

        var ordered: [String] = []
        func order(_ name: String) {
            guard let target = described[name], !ordered.contains(name) else { return }
            for dependency in target.targetDependencies ?? [] { order(dependency) }
            if target.type != "executable" || target.path.hasPrefix("Sources/"), target.type != "test" {
                ordered.append(name)
            }
        }
        for name in described.keys.sorted() { order(name) }

        toolsVersion = try Self.toolsVersion(of: folder)
        deploymentTargets = Dictionary(uniqueKeysWithValues: description.platforms.map { ($0.name, $0.version) })
        targets = try ordered.compactMap { described[$0] }.map { target in
            let root = folder.appending(path: target.path, directoryHint: .isDirectory)
            return PackageTarget(
                name: target.name,
                moduleName: target.c99name,
                isPlugin: target.type == "plugin",
                sources: target.sources.map { root.appending(path: $0) },
                generatedSources: try Self.generated(for: target, in: folder),
                featureOptions: features[target.name] ?? [],
                isInLibraryProduct: linked[target.name] != nil,
                privacyManifest: root.appending(path: PrivacyManifest.fileName)
            )
        }
    }

    /// Returns the tools version of `Package.swift`. Swift Package Manager may read the manifest for a newer version.
    private static func toolsVersion(of folder: URL) throws -> String {
        let text = try String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
        guard let version = text.firstMatch(of: /^\/\/ swift-tools-version: *([0-9.]+)/)?.1 else {
            throw CheckFailure("Package.swift does not begin with '// swift-tools-version: VERSION'.")
        }
        return String(version)
    }

    /// The accessors that the build plugin has generated for a target.
    private static func generated(for target: Description.Target, in folder: URL) throws -> [URL] {
        guard (target.targetDependencies ?? []).contains("PreferencesPlugin") else { return [] }
        // Swift Package Manager identifies a package by the name of its folder.
        let identity = folder.lastPathComponent.lowercased()
        let outputs = folder.appending(
            path: ".build/plugins/outputs/\(identity)/\(target.name)/destination/PreferencesPlugin"
        )
        guard FileManager.default.fileExists(atPath: outputs.path) else {
            throw CheckFailure("The accessors of \(target.name) are not generated yet: run 'swift build' first.")
        }
        return try FileManager.default.contentsOfDirectory(at: outputs, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
            .sorted { $0.path < $1.path }
    }
}

/// The part of the output of `swift package describe --type json` that is used.
private struct Description: Decodable {
    struct Target: Decodable {
        let name: String
        let c99name: String
        let type: String
        let path: String
        let sources: [String]
        let targetDependencies: [String]?
    }
    struct Platform: Decodable {
        let name: String
        let version: String
    }
    let targets: [Target]
    let platforms: [Platform]

    init(of folder: URL) async throws {
        let words = ["package", "describe", "--type", "json"]
        let run = try await CommandLineRun("swift", words, in: folder)
        guard run.succeeded else {
            throw CheckFailure("'swift \(words.joined(separator: " "))' failed:\n\(run.errors)")
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Self.self, from: run.outputBytes)
    }
}
