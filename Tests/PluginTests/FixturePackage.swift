import Foundation
import TestSupport
import Testing

/// A copy of a package of `Tests/Fixtures/Packages` that tests can edit and build.
///
/// Copies are at the same depth of the repository as the originals, so that `../../../..` is the repository in both.
/// All packages are built in one folder per build system, so that dependencies are built once.
struct FixturePackage {
    let buildSystem: BuildSystem

    /// The folder of the copy.
    private let folder: URL

    /// The artifact bundle of the generator; nil to compile it.
    private let generatorBundle: URL?

    /// Creates a copy, or restores an existing copy to the state of the original.
    ///
    /// - Parameter isFresh: Whether to replace all files, including generated ones, so that the package is planned,
    ///   generated and compiled again.
    /// - Parameter generatorBundle: The artifact bundle of the generator. Default: nil, to compile it.
    init(_ name: String, _ buildSystem: BuildSystem, isFresh: Bool = false, generatorBundle: URL? = nil) throws {
        self.buildSystem = buildSystem
        self.generatorBundle = generatorBundle
        folder = Self.workFolder(buildSystem).appending(path: "Packages/\(name)")
        if isFresh {
            for old in [folder, buildFolder.appending(path: "plugins/outputs/\(name.lowercased())")]
            where FileManager.default.fileExists(atPath: old.path) { try FileManager.default.removeItem(at: old) }
        }
        let original = Repository.fixtures.appending(path: "Packages/\(name)")
        for path in try folder.nestedLinks() { try remove(path) }
        // Longer paths first, because removing a folder removes its contents.
        for path in try folder.nestedPaths().subtracting(original.nestedPaths()).sorted(by: >) { try remove(path) }
        for path in try original.nestedFiles() {
            let contents = try Data(contentsOf: original.appending(path: path))
            guard (try? Data(contentsOf: folder.appending(path: path))) != contents else { continue }
            try write(contents, to: path)
        }
    }

    /// A folder that Git ignores.
    private static func workFolder(_ buildSystem: BuildSystem) -> URL {
        Repository.folder.appending(path: ".build-fixtures/\(buildSystem.rawValue)")
    }
}

// MARK: - Files

extension FixturePackage {
    /// Returns the path of a file of the package, as printed by a build.
    func path(_ file: String) -> String {
        folder.appending(path: file).path
    }

    /// Returns the contents of a file.
    func contents(_ file: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: file))
    }

    /// Replaces text, which must be in the file.
    func replace(_ text: String, with replacement: String, in file: String) throws {
        let contents = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        try #require(contents.contains(text))
        try write(Data(contents.replacingOccurrences(of: text, with: replacement).utf8), to: file)
    }

    /// Writes a file, and creates its folder if necessary.
    func write(_ contents: Data, to file: String) throws {
        let url = folder.appending(path: file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try contents.write(to: url)
    }

    /// Creates a symbolic link.
    ///
    /// - Parameter destination: The destination, which need not exist.
    func link(_ file: String, to destination: String) throws {
        let url = folder.appending(path: file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: destination)
    }

    /// Moves a file or folder out of the package, and replaces it by a symbolic link.
    func replaceByLink(_ file: String, to destination: URL) throws {
        try FileManager.default.moveItem(at: folder.appending(path: file), to: destination)
        try link(file, to: destination.path)
    }

    /// Removes a file, a folder or a link.
    func remove(_ file: String) throws {
        try FileManager.default.removeItem(at: folder.appending(path: file))
    }
}

// MARK: - Building and running

extension FixturePackage {
    /// Builds the package.
    ///
    /// - Parameter isVerbose: Whether the output contains the commands. SwiftPM then prints some remarks as warnings,
    ///   and compiles the plugin again if the last build was not verbose.
    func build(isVerbose: Bool = false) async throws -> CommandLineRun {
        try await swiftBuild(isVerbose ? ["-v"] : [])
    }

    /// Builds the package until a further build does nothing.
    ///
    /// This takes two builds, because the native build system makes a new plan in the second one, links the generator
    /// again, and therefore runs it.
    ///
    /// - Parameter isVerbose: Whether the output contains the commands. Pass the value of the next build, since a
    ///   build with another one compiles the plugin again.
    func buildUntilSettled(isVerbose: Bool = false) async throws {
        for _ in 1...2 {
            let run = try await build(isVerbose: isVerbose)
            try #require(run.succeeded, "\(run.output)")
        }
    }

    /// Builds and runs an executable of the package in no desktop session, and returns the lines that it prints.
    func run(_ executable: String) async throws -> [String] {
        let built = try await build()
        try #require(built.succeeded, "\(built.output)")
        let session = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"]
        let environment = ProcessInfo.processInfo.environment.filter { !session.contains($0.key) }
        let path = try await path(ofExecutable: executable)
        let run = try await CommandLineRun(path, environment: environment, mergesErrors: true)
        try #require(run.succeeded, "\(run.output)")
        return run.output.split(separator: "\n").map(String.init)
    }

    /// Returns the contents of an executable of the package, which was built.
    func executable(_ name: String) async throws -> Data {
        try await Data(contentsOf: URL(filePath: path(ofExecutable: name)), options: .mappedIfSafe)
    }

    private func path(ofExecutable name: String) async throws -> String {
        let folder = try await swiftBuild(["--show-bin-path"]).output.split(separator: "\n").last
        return "\(try #require(folder))/\(name)"
    }

    /// Returns the products of the builds of all packages.
    func products() throws -> BuildProducts {
        try BuildProducts(in: buildFolder)
    }

    /// Returns the names of the folders in the build folder that contain compiled objects.
    func compiledFolders() throws -> Set<String> {
        let paths = try buildFolder.nestedFiles().filter { $0.hasSuffix(".o") }
        return Set(paths.compactMap { $0.split(separator: "/").dropLast().last.map(String.init) })
    }

    /// Runs `swift package preferences` with permission to write.
    func preferences(_ words: [String]) async throws -> CommandLineRun {
        try await swift("package", ["--allow-writing-to-package-directory"], ["preferences"] + words)
    }

    /// Runs `swift package preferences` with permission to write.
    func preferences(_ words: String...) async throws -> CommandLineRun {
        try await preferences(words)
    }

    private func swiftBuild(_ options: [String]) async throws -> CommandLineRun {
        try await swift("build", options)
    }

    /// Runs a command of SwiftPM.
    ///
    /// - Parameter words: The arguments after all options.
    private func swift(_ command: String, _ options: [String], _ words: [String] = []) async throws -> CommandLineRun {
        var options = options
        // The native build system caches its plan in the build folder, and would build the package of that plan.
        let planned = buildFolder.appendingPathExtension("planned")
        if (try? String(contentsOf: planned, encoding: .utf8)) != folder.path {
            // `swift package` does not have the option to ignore the cached plan.
            guard command == "build" else {
                _ = try await build()
                return try await swift(command, options, words)
            }
            options.append("--disable-build-manifest-caching")
            try folder.path.write(to: planned, atomically: true, encoding: .utf8)
        }
        let arguments =
            [
                "SWIFT_BACKTRACE=enable=no"
            ] + (generatorBundle.map { ["PREFERENCES_GENERATOR_BUNDLE=\($0.path)"] } ?? []) + [
                "swift", command,
                "--package-path", folder.path,
                "--scratch-path", buildFolder.path,
                "--build-system", buildSystem.rawValue,
            ] + options + words
        func runOnce(limit: Duration = .seconds(1_200)) async throws -> CommandLineRun {
            try await CommandLineRun("/usr/bin/env", arguments, mergesErrors: true, limit: limit)
        }
        // SwiftPM crashes once in some hundred builds, independent of the package, and may wait for ever instead.
        let run = try? await runOnce(limit: .seconds(600))
        guard let run, !run.wasKilled else { return try await runOnce() }
        return run
    }

    /// With a bundle, it contains nothing of the generator.
    private var buildFolder: URL {
        Self.workFolder(buildSystem).appending(path: generatorBundle == nil ? "Build" : "BuildWithBundle")
    }
}

/// The build systems of `swift build`.
enum BuildSystem: String, CaseIterable {
    case native
    case swiftbuild

    /// The build systems that the tests of both use: with `PREFERENCES_BUILD_SYSTEM=native`, only that one.
    static let tested = allCases.filter { name in
        let only = ProcessInfo.processInfo.environment["PREFERENCES_BUILD_SYSTEM"]
        return only == nil || only == name.rawValue
    }
}

extension CommandLineRun {
    /// Whether a verbose build ran the generator.
    var ranGenerator: Bool {
        output.contains(/preferences-generator(-tool)? generate\s/)
    }

    /// The warnings, without those that the toolchain prints for any package.
    var warnings: [Substring] {
        let noise = [
            // For any library: https://github.com/swiftlang/swift-build/issues/573
            "argument unused during compilation: '-rdynamic'",
            // Once for any file that a plugin no longer generates.
            "is located outside of the allowed root paths",
        ]
        return output.split(separator: "\n").filter { line in
            line.contains("warning:") && !noise.contains { line.contains($0) }
        }
    }
}
