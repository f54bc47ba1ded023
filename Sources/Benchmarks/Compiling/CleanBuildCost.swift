import Foundation

/// The cost of clean builds: of the generator, of the runtime, and of a package with one schema, whose generator is either
/// compiled or prebuilt.
enum CleanBuildCost {
    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        let repository = try ExecutableSize.repository()
        let package = folder.appending(path: "package")
        try writePackage(in: package, dependingOn: repository)
        let making = "'\(repository.path)/Tests/build-artifact-bundle' '\(folder.path)' >/dev/null 2>&1"
        _ = try ProcessCost(of: "sh", ["-c", making])
        let bundle = folder.appending(path: "preferences-generator.artifactbundle").path

        let builds: [(name: String, variables: String, package: URL)] = [
            ("the generator", "PREFERENCES_TEST_TARGETS=preferences-generator", repository),
            ("the runtime", "PREFERENCES_TEST_TARGETS=PreferencesRuntime", repository),
            ("a package with one schema", "", package),
            ("the same with a prebuilt generator", "PREFERENCES_GENERATOR_BUNDLE='\(bundle)'", package),
        ]
        for configuration in ["debug", "release"] {
            for build in builds {
                let costs = try (0..<report.repeats).map { _ in
                    try clean(build.package, build.variables, configuration, in: folder)
                }
                report.add(
                    BenchmarkReport.Row(
                        name: "\(build.name), \(configuration)",
                        about: "the time of a clock for a clean build, against the processor time of all its processes",
                        figure: costs.time(\.wallSeconds),
                        peer: "processor time",
                        peerFigure: costs.time(\.processorSeconds)
                    )
                )
            }
        }
    }

    /// Returns the cost of a clean build, without that of reading the manifests.
    private static func clean(
        _ package: URL,
        _ variables: String,
        _ configuration: String,
        in folder: URL
    ) throws -> ProcessCost {
        let scratch = folder.appending(path: "clean")
        try? FileManager.default.removeItem(at: scratch)
        let build =
            "\(variables) swift build --build-system native --quiet -c \(configuration) "
            + "--package-path '\(package.path)' --scratch-path '\(scratch.path)'"
        _ = try ProcessCost(of: "sh", ["-c", "\(build) --show-bin-path"])
        // Standard output goes nowhere, and with --quiet SwiftPM prints errors alone.
        return try ProcessCost(of: "sh", ["-c", "\(build) >&2"])
    }

    private static func writePackage(in package: URL, dependingOn repository: URL) throws {
        // SwiftPM identifies a package by the name of its folder.
        let identity = repository.lastPathComponent
        let sources = package.appending(path: "Sources/CleanBuild")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        let files = [
            (
                package.appending(path: "Package.swift"),
                """
                // swift-tools-version: 6.1
                import PackageDescription

                let package = Package(
                    name: "CleanBuild",
                    platforms: [.macOS(.v15)],
                    dependencies: [.package(path: "\(repository.path)")],
                    targets: [
                        .executableTarget(
                            name: "CleanBuild",
                            dependencies: [.product(name: "PreferencesRuntime", package: "\(identity)")],
                            plugins: [.plugin(name: "PreferencesPlugin", package: "\(identity)")]
                        )
                    ]
                )

                """
            ),
            (
                sources.appending(path: "Weather.preferences.json"),
                """
                {
                  "formatVersion": 1,
                  "namespaces": { "weather": { "keys": { "temperature": { "type": "Double", "default": 21.5 } } } }
                }

                """
            ),
            (
                sources.appending(path: "main.swift"),
                """
                import PreferencesRuntime

                print(Preferences.shared.weather.temperature)

                """
            ),
        ]
        for (file, text) in files { try Data(text.utf8).write(to: file) }
    }
}
