#if canImport(XcodeProjectPlugin)
    import Foundation
    import PackagePlugin
    import XcodeProjectPlugin

    /// The same for the targets of an Xcode project.
    extension PreferencesCommandPlugin: XcodeCommandPlugin {
        func performCommand(context: XcodePluginContext, arguments: [String]) throws {
            let targets = context.xcodeProject.targets
            // Chosen from Xcode's menu, it is given the targets that are ticked there, and no action.
            try perform(
                arguments,
                defaultAction: .update,
                tool: context.tool(named: "preferences-generator"),
                among: targets.map(\.displayName)
            ) { name in
                guard let target = targets.first(where: { $0.displayName == name }) else { return nil }
                let files = target.inputFiles.map(\.url)
                return TargetSchemas(
                    name: name,
                    schemas: try schemaFiles(
                        of: name,
                        files: files,
                        in: context.xcodeProject.directoryURL,
                        packageDirectory: context.xcodeProject.directoryURL
                    ),
                    includes: try includeFiles(
                        of: name,
                        files: files,
                        packageDirectory: context.xcodeProject.directoryURL
                    ),
                    hosts: HostOptions(
                        files: files,
                        in: context.xcodeProject.directoryURL,
                        mendingCommand: nil
                    )
                )
            }
        }
    }
#endif
