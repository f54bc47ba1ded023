import Foundation
import TestSupport
import Testing

/// A copy of a package of `Tests/Fixtures/Packages`, which a test may edit and build.
///
/// Copies are as deep in the repository as the originals, so that `../../../..` is the repository in both. All packages
/// are built in one folder per build system, so that what they depend on is built once.
struct FixturePackage {
    /// What it is built with.
    let buildSystem: BuildSystem

    /// Where the copy is.
    private let folder: URL

    /// Makes a copy, or brings the one that is there back into the state of the original.
    ///
    /// - Parameter isFresh: Whether no file is to be as it was, be it written or generated, so that all of the package
    ///   is planned, generated and compiled again.
    init(_ name: String, _ buildSystem: BuildSystem, isFresh: Bool = false) throws {
        self.buildSystem = buildSystem
        folder = Self.workFolder(buildSystem).appending(path: "Packages/\(name)")
        if isFresh {
            for old in [folder, buildFolder.appending(path: "plugins/outputs/\(name.lowercased())")]
            where FileManager.default.fileExists(atPath: old.path) { try FileManager.default.removeItem(at: old) }
        }
        let original = Repository.fixtures.appending(path: "Packages/\(name)")
        for path in try folder.linksBelow() { try remove(path) }
        // Longer paths first, because a folder is removed with all that is in it.
        for path in try folder.pathsBelow().subtracting(original.pathsBelow()).sorted(by: >) { try remove(path) }
        for path in try original.filesBelow() {
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
    /// The path of a file of the package, as a build prints it.
    func path(_ file: String) -> String {
        folder.appending(path: file).path
    }

    /// What is in a file.
    func contents(_ file: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: file))
    }

    /// Replaces text, which must be in the file.
    func replace(_ text: String, with replacement: String, in file: String) throws {
        let contents = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        try #require(contents.contains(text))
        try write(Data(contents.replacingOccurrences(of: text, with: replacement).utf8), to: file)
    }

    /// Writes a file, and makes the folders that it is to be in.
    func write(_ contents: Data, to file: String) throws {
        let url = folder.appending(path: file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try contents.write(to: url)
    }

    /// Makes a symbolic link.
    ///
    /// - Parameter destination: The path that the link leads to, which need not exist.
    func link(_ file: String, to destination: String) throws {
        let url = folder.appending(path: file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: destination)
    }

    /// Moves a file or a folder out of the package, and puts a symbolic link in its place.
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
    /// - Parameter isVerbose: Whether the output is to contain the commands. SwiftPM then prints some remarks as if
    ///   they were warnings, and compiles the plugin again if the last build was silent.
    func build(isVerbose: Bool = false) async throws -> CommandLineRun {
        try await swiftBuild(isVerbose ? ["-v"] : [])
    }

    /// Builds the package verbosely until there is nothing left to do.
    ///
    /// One build should do, but the native build system makes its plan anew in the second, links the generator again
    /// for no reason, and then runs it because it looks new.
    func buildUntilSettled() async throws {
        for _ in 1...2 {
            let run = try await build(isVerbose: true)
            try #require(run.succeeded, "\(run.output)")
        }
    }

    /// Builds an executable of the package, runs it, and returns the lines that it prints.
    func run(_ executable: String) async throws -> [String] {
        let built = try await build()
        try #require(built.succeeded, "\(built.output)")
        let folder = try await swiftBuild(["--show-bin-path"]).output.split(separator: "\n").last
        let run = try await CommandLineRun("\(try #require(folder))/\(executable)", mergesErrors: true)
        try #require(run.succeeded, "\(run.output)")
        return run.output.split(separator: "\n").map(String.init)
    }

    /// What the builds of all packages have made so far.
    func products() throws -> BuildProducts {
        try BuildProducts(in: buildFolder)
    }

    /// Runs `swift package preferences`, with leave to write.
    func preferences(_ words: [String]) async throws -> CommandLineRun {
        try await swift("package", ["--allow-writing-to-package-directory"], ["preferences"] + words)
    }

    /// Runs `swift package preferences`, with leave to write.
    func preferences(_ words: String...) async throws -> CommandLineRun {
        try await preferences(words)
    }

    private func swiftBuild(_ options: [String]) async throws -> CommandLineRun {
        try await swift("build", options)
    }

    /// Runs a command of SwiftPM.
    ///
    /// - Parameter words: What stands behind all options.
    private func swift(_ command: String, _ options: [String], _ words: [String] = []) async throws -> CommandLineRun {
        var options = options
        // The native build system keeps its plan in this folder, and would go on to build the package that it is for.
        let planned = Self.workFolder(buildSystem).appending(path: "Planned")
        if (try? String(contentsOf: planned, encoding: .utf8)) != folder.path {
            // `swift package` has no such option.
            guard command == "build" else {
                _ = try await build()
                return try await swift(command, options, words)
            }
            options.append("--disable-build-manifest-caching")
            try folder.path.write(to: planned, atomically: true, encoding: .utf8)
        }
        let arguments =
            [
                "SWIFT_BACKTRACE=enable=no", "swift", command,
                "--package-path", folder.path,
                "--scratch-path", buildFolder.path,
                "--build-system", buildSystem.rawValue,
            ] + options + words
        func runOnce() async throws -> CommandLineRun {
            try await CommandLineRun("/usr/bin/env", arguments, mergesErrors: true)
        }
        let run = try await runOnce()
        // SwiftPM itself crashes once in some hundred builds, which says nothing about the package.
        return run.wasKilled ? try await runOnce() : run
    }

    private var buildFolder: URL { Self.workFolder(buildSystem).appending(path: "Build") }
}
