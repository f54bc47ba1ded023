import Foundation
import PackagePlugin

/// Generates the typed accessors of a target from its schemas, as part of every build.
///
/// ``TargetSchemas`` finds the schemas.
@main
struct PreferencesPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SwiftSourceModuleTarget else {
            throw PreferencesPluginError.notSwift(targetName: target.name)
        }
        let schemas = try TargetSchemas(
            name: target.name,
            files: target.sourceFiles.map(\.url),
            targetDirectory: target.directoryURL,
            packageDirectory: context.package.directoryURL,
            dependencies: DependencySchemas.all(of: target, in: context.package)
        )
        let tool = try context.tool(named: "preferences-generator")
        let watching = try watchCommand(
            for: [target.directoryURL, context.package.directoryURL.appending(path: schemasFolder)],
            tool: tool.url,
            workDirectory: context.pluginWorkDirectoryURL
        )
        // Without the runtime, the compiler reports a missing module, or the linker each of its symbols.
        let generating =
            if !schemas.schemas.isEmpty, !dependsOnRuntime(target) {
                failingCommand(
                    "target '\(target.name)' uses PreferencesPlugin but does not depend on PreferencesRuntime; add "
                        + #"'.product(name: "PreferencesRuntime", package: "swift-preferences")' to its dependencies"#,
                    displayName: "Looking for PreferencesRuntime",
                    workDirectory: context.pluginWorkDirectoryURL
                )
            } else {
                generateCommand(for: schemas, tool: tool, workDirectory: context.pluginWorkDirectoryURL)
            }
        return [watching, generating].compactMap(\.self)
    }

    /// Returns whether a target depends on the module that generated code imports, directly or through others.
    private func dependsOnRuntime(_ target: SwiftSourceModuleTarget) -> Bool {
        target.recursiveTargetDependencies.contains { $0.name == "PreferencesRuntime" }
    }

    /// Returns one command for all schemas of a target, so that names that clash between them are reported.
    ///
    /// The command checks the regions of host files. All Swift files are inputs, because the plugin does not read
    /// schemas, and cannot tell which of them are host files.
    ///
    /// - Returns: A command that fails if there is no schema; `nil`, and an error of the plugin, if it cannot run.
    func generateCommand(for target: TargetSchemas, tool: PluginContext.Tool, workDirectory: URL) -> Command? {
        guard !target.schemas.isEmpty else {
            return failingCommand(
                "target '\(target.name)' uses PreferencesPlugin but has no schema; \(target.advice)",
                displayName: "Looking for schemas",
                workDirectory: workDirectory
            )
        }
        let inputs = target.schemas.map(\.url)
        let outputs = target.schemas.map { workDirectory.appending(path: $0.outputName) }
        let count = target.schemas.count == 1 ? "1 schema" : "\(target.schemas.count) schemas"
        return .buildCommand(
            displayName: "Generating preferences for \(target.name) from \(count)",
            executable: tool.url,
            arguments: ["generate"] + inputs.map(\.nativePath) + outputs.flatMap { ["--output", $0.nativePath] }
                + includeArguments(target.includes) + target.hosts.arguments + ["--check-hosts"]
                + target.dependencies.flatMap(\.arguments),
            inputFiles: inputs + target.includes + target.hosts.inputFiles + target.dependencies.flatMap(\.inputFiles),
            outputFiles: outputs
        )
    }
}

/// An error that prevents the plugin from creating commands.
enum PreferencesPluginError: Error, CustomStringConvertible {
    /// The target is a C, C++ or Objective-C target, which cannot contain Swift.
    case notSwift(targetName: String)

    var description: String {
        switch self {
        case .notSwift(let targetName):
            "PreferencesPlugin generates Swift, but target '\(targetName)' is not a Swift target"
        }
    }
}

/// Returns a command that prints an error and fails when its target is built.
///
/// An error of the plugin itself would also prevent all commands of `swift package`, such as the import of a schema.
///
/// The native build system would cache the plan with this command, and miss a schema that is added. Therefore it changes
/// a folder that ``watchCommand(for:tool:workDirectory:)`` makes the build system watch.
///
/// - Returns: `nil`, and an error of the plugin, if there is no shell.
func failingCommand(_ message: String, displayName: String, workDirectory: URL) -> Command? {
    guard FileManager.default.isExecutableFile(atPath: shell) else {
        Diagnostics.error(message)
        return nil
    }
    let failures = watchedFolder(workDirectory).appending(path: "failures.docc").nativePath
    return .buildCommand(
        displayName: displayName,
        executable: URL(filePath: shell),
        arguments: [
            // The build system considers names, not contents.
            "-c", #"printf 'error: %s\n' "$0" >&2; rm -rf "$1"; mkdir -p "$1/$$"; exit 1"#, message, failures,
        ],
        outputFiles: [workDirectory.appending(path: "Missing.preferences.swift")]
    )
}

private let shell = "/bin/sh"

/// The folder of links to the folders that the native build system is to watch.
private func watchedFolder(_ workDirectory: URL) -> URL { workDirectory.appending(path: "Watched") }

/// Returns a command that makes the native build system notice when schemas are added or removed.
///
/// The native build system caches its plan, including the commands of this plugin, until a file is added or removed in
/// a target of the root package. It ignores such changes in the folder `Schemas`, and in packages that the root package
/// depends on by path: an added schema would be missing, and after a schema is removed, every build would fail.
/// However, it also watches the output folder of a prebuild command, at any depth. Therefore this is a prebuild command
/// that does nothing, and its output folder contains links to the folders to watch.
///
/// - Parameters:
///   - folders: The folders to watch. A folder that does not exist gets no link, because the build system would cache
///     its absence. The README describes the workaround.
///   - tool: The generator.
///   - workDirectory: The work directory of the plugin.
/// - Returns: `nil` if the build system does not cache its plan.
func watchCommand(for folders: [URL], tool: URL, workDirectory: URL) throws -> Command? {
    // The API does not identify the build system, but only the native one adds a suffix to the names of tools. A prebuilt
    // tool, of PREFERENCES_GENERATOR_BUNDLE, has none; the command does no harm in the other build system.
    let isPrebuilt = tool.pathComponents.contains { $0.hasSuffix(".artifactbundle") }
    guard isPrebuilt || tool.deletingPathExtension().lastPathComponent.hasSuffix("-tool") else { return nil }
    guard FileManager.default.isExecutableFile(atPath: shell) else { return nil }

    let watched = watchedFolder(workDirectory)
    try FileManager.default.createDirectory(at: watched, withIntermediateDirectories: true)
    for (index, folder) in folders.enumerated() {
        // Documentation catalogs are the only outputs that are neither compiled nor copied as resources.
        let link = watched.appending(path: "\(index).docc").nativePath
        guard FileManager.default.fileExists(atPath: folder.nativePath) else {
            try? FileManager.default.removeItem(atPath: link)
            continue
        }
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == folder.nativePath { continue }
        try? FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.nativePath)
    }
    return .prebuildCommand(
        displayName: "Watching for added and removed schemas",
        executable: URL(filePath: shell),
        arguments: ["-c", ":"],
        outputFilesDirectory: watched
    )
}

// MARK: - Xcode

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    /// Supports targets of Xcode projects.
    ///
    /// Such a target has no folder, only files anywhere in the project. Therefore outputs are named after the paths of
    /// the schemas in the project.
    extension PreferencesPlugin: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            let schemas = try TargetSchemas(
                name: target.displayName,
                files: target.inputFiles.map(\.url),
                targetDirectory: context.xcodeProject.directoryURL,
                packageDirectory: context.xcodeProject.directoryURL,
                fixCommand: nil
            )
            let tool = try context.tool(named: "preferences-generator")
            // The API does not show the packages that the targets of a project depend on.
            let generating = generateCommand(
                for: schemas,
                tool: tool,
                workDirectory: context.pluginWorkDirectoryURL
            )
            return [generating].compactMap(\.self)
        }
    }
#endif
