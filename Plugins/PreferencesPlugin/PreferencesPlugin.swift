import Foundation
import PackagePlugin

/// Generates the typed accessors of a target from its schemas, as part of every build.
///
/// A target uses it by naming it in the manifest. Which files are its schemas,
/// ``schemaFiles(of:files:in:packageDirectory:)`` says.
@main
struct PreferencesPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SwiftSourceModuleTarget else {
            throw PreferencesPluginError.notSwift(targetName: target.name)
        }
        let schemas = try schemaFiles(
            of: target.name,
            files: target.sourceFiles.map(\.url),
            in: target.directoryURL,
            packageDirectory: context.package.directoryURL
        )
        let tool = try context.tool(named: "preferences-generator")
        let watching = try watchCommand(
            for: [target.directoryURL, context.package.directoryURL.appending(path: schemasFolder)],
            tool: tool.url,
            workDirectory: context.pluginWorkDirectoryURL
        )
        let generating = generateCommand(
            from: schemas,
            hosts: HostOptions(files: target.sourceFiles.map(\.url), in: target.directoryURL),
            targetName: target.name,
            tool: tool,
            workDirectory: context.pluginWorkDirectoryURL
        )
        return [watching, generating].compactMap(\.self)
    }

    /// One command for all schemas of a target, so that names which clash between them are found too.
    ///
    /// - Parameter hosts: Where regions of host files are to be, which the command checks. All Swift files there are
    ///   inputs: which of them are host files, schemas say that the plugin does not read.
    /// - Returns: `nil`, and an error in the build, when there is no schema. It is an error because after one the native
    ///   build system asks again, whereas it would keep an answer and not see the schema that is then added.
    func generateCommand(
        from schemas: [SchemaFile],
        hosts: HostOptions,
        targetName: String,
        tool: PluginContext.Tool,
        workDirectory: URL
    ) -> Command? {
        guard !schemas.isEmpty else {
            Diagnostics.error(
                """
                target '\(targetName)' uses PreferencesPlugin but has no schema; \
                add 'NAME.preferences.json' to the target's folder, \
                or '\(schemasFolder)/\(targetName)\(schemaSuffix)' to the package
                """
            )
            return nil
        }
        let inputs = schemas.map(\.url)
        let outputs = schemas.map { workDirectory.appending(path: $0.outputName) }
        let count = schemas.count == 1 ? "1 schema" : "\(schemas.count) schemas"
        return .buildCommand(
            displayName: "Generating preferences for \(targetName) from \(count)",
            executable: tool.url,
            arguments: ["generate"] + inputs.map(\.nativePath) + outputs.flatMap { ["--output", $0.nativePath] }
                + hosts.arguments + ["--check-hosts"],
            inputFiles: inputs + hosts.inputFiles,
            outputFiles: outputs
        )
    }
}

/// What keeps the plugin from giving an answer.
enum PreferencesPluginError: Error, CustomStringConvertible {
    /// The target is of C, C++ or Objective-C, where generated Swift could not be compiled.
    case notSwift(targetName: String)

    var description: String {
        switch self {
        case .notSwift(let targetName):
            "PreferencesPlugin generates Swift, and target '\(targetName)' is not a Swift target"
        }
    }
}
