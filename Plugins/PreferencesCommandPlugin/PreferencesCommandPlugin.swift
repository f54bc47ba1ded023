import Foundation
import PackagePlugin

/// `swift package preferences …`: updates or checks the regions of host files, or compares schemas with a release.
@main
struct PreferencesCommandPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let targets = context.package.targets.compactMap { $0 as? SwiftSourceModuleTarget }.sorted { $0.name < $1.name }
        try perform(arguments, tool: context.tool(named:), among: targets.map(\.name)) { name in
            guard let target = targets.first(where: { $0.name == name }) else { return nil }
            return try TargetSchemas(
                name: name,
                files: target.sourceFiles.map(\.url),
                targetDirectory: target.directoryURL,
                packageDirectory: context.package.directoryURL,
                dependencies: DependencySchemas.all(of: target, in: context.package)
            )
        }
    }

    /// Performs the command.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the command line.
    ///   - defaultAction: The action of a command line without one.
    ///   - tool: Returns the tool with a name.
    ///   - names: The names of all targets that can have schemas.
    ///   - find: Returns the target with a name.
    func perform(
        _ arguments: [String],
        defaultAction: CommandRequest.Action? = nil,
        tool: (String) throws -> PluginContext.Tool,
        among names: [String],
        _ find: (String) throws -> TargetSchemas?
    ) throws {
        let request: CommandRequest
        switch try CommandRequest.parse(arguments, targetNames: names, defaultAction: defaultAction) {
        case .help:
            print(CommandRequest.help)
            return
        case .request(let parsed): request = parsed
        }
        let all = try request.targetNames(among: names).compactMap(find)
        if request.action == .diff {
            // Schemas of the release may have been removed since, so that targets without any are compared as well.
            guard let first = all.first else { throw CommandError.noSchemas }
            let arguments = try request.diffArguments(for: all)
            if try !run(tool("preferences-diff").url, arguments, in: first.packageDirectory) {
                throw CommandError.notAccepted
            }
            return
        }
        let targets = all.filter { !$0.schemas.isEmpty }
        if let bare = all.first(where: { $0.schemas.isEmpty }), !request.targetNames.isEmpty {
            throw CommandError.noSchema(targetName: bare.name, advice: bare.advice)
        }
        guard !targets.isEmpty else { throw CommandError.noSchemas }

        let generator = try tool("preferences-generator").url
        var failed: [String] = []
        for target in targets {
            // Unbuffered, because the tool writes to the same stream.
            try FileHandle.standardOutput.write(contentsOf: Data("\(target.name):\n".utf8))
            if try !run(generator, request.toolArguments(for: target)) { failed.append(target.name) }
        }
        if !failed.isEmpty { throw CommandError.failed(request.action, targetNames: failed) }
    }

    /// Runs a tool until it exits.
    ///
    /// - Parameter folder: The folder in which it runs. Default: that of the plugin.
    /// - Returns: Whether it succeeded.
    private func run(_ tool: URL, _ arguments: [String], in folder: URL? = nil) throws -> Bool {
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = folder }
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }
}

// MARK: - Xcode

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    /// Supports targets of Xcode projects.
    extension PreferencesCommandPlugin: XcodeCommandPlugin {
        func performCommand(context: XcodePluginContext, arguments: [String]) throws {
            let targets = context.xcodeProject.targets
            // Xcode's menu passes the selected targets, and no action.
            try perform(
                arguments,
                defaultAction: .update,
                tool: context.tool(named:),
                among: targets.map(\.displayName)
            ) { name in
                guard let target = targets.first(where: { $0.displayName == name }) else { return nil }
                return try TargetSchemas(
                    name: name,
                    files: target.inputFiles.map(\.url),
                    targetDirectory: context.xcodeProject.directoryURL,
                    packageDirectory: context.xcodeProject.directoryURL,
                    fixCommand: nil
                )
            }
        }
    }
#endif
