#if canImport(XcodeProjectPlugin)
    import Foundation
    import PackagePlugin
    import XcodeProjectPlugin

    /// The same for a target of an Xcode project.
    ///
    /// Such a target has no folder of its own, only member files anywhere in the project. So the outputs are named
    /// after the schemas' paths in the project.
    extension PreferencesPlugin: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            let schemas = try schemaFiles(
                of: target.displayName,
                files: target.inputFiles.map(\.url),
                in: context.xcodeProject.directoryURL,
                packageDirectory: context.xcodeProject.directoryURL
            )
            let generating = generateCommand(
                from: schemas,
                hosts: HostOptions(
                    files: target.inputFiles.map(\.url),
                    in: context.xcodeProject.directoryURL,
                    mendingCommand: nil
                ),
                targetName: target.displayName,
                tool: try context.tool(named: "preferences-generator"),
                workDirectory: context.pluginWorkDirectoryURL
            )
            return [generating].compactMap(\.self)
        }
    }
#endif
