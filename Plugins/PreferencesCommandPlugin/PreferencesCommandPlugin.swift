import Foundation
import PackagePlugin

/// `swift package preferences …`: writes the regions of host files, or checks them, in all targets with schemas.
@main
struct PreferencesCommandPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let targets = context.package.targets.compactMap { $0 as? SwiftSourceModuleTarget }.sorted { $0.name < $1.name }
        try perform(arguments, tool: context.tool(named: "preferences-generator"), among: targets.map(\.name)) { name in
            guard let target = targets.first(where: { $0.name == name }) else { return nil }
            let files = target.sourceFiles.map(\.url)
            return TargetSchemas(
                name: name,
                schemas: try schemaFiles(
                    of: name,
                    files: files,
                    in: target.directoryURL,
                    packageDirectory: context.package.directoryURL
                ),
                includes: try includeFiles(
                    of: name,
                    files: files,
                    packageDirectory: context.package.directoryURL
                ),
                hosts: HostOptions(files: files, in: target.directoryURL)
            )
        }
    }

    /// Does what the words say.
    ///
    /// - Parameters:
    ///   - defaultAction: What is done where the words name no action.
    ///   - tool: The generator.
    ///   - names: All targets that could have schemas.
    ///   - find: What the plugin knows of a target.
    func perform(
        _ arguments: [String],
        defaultAction: CommandRequest.Action? = nil,
        tool: PluginContext.Tool,
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
        let targets = all.filter { !$0.schemas.isEmpty }
        if let bare = all.first(where: { $0.schemas.isEmpty }), !request.targetNames.isEmpty {
            throw CommandFailure.noSchema(targetName: bare.name)
        }
        guard !targets.isEmpty else { throw CommandFailure.noSchemas }

        var failed: [String] = []
        for target in targets {
            // The tool writes to the same stream, and editors look for its messages at the beginning of a line.
            try FileHandle.standardOutput.write(contentsOf: Data("\(target.name):\n".utf8))
            if try !run(tool.url, request.toolArguments(for: target)) { failed.append(target.name) }
        }
        if !failed.isEmpty { throw CommandFailure.failed(request.action, targetNames: failed) }
    }

    /// Runs the generator, which prints what it has to say, to its end.
    ///
    /// - Returns: Whether it found everything in order.
    private func run(_ tool: URL, _ arguments: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }
}

/// A target with what the generator needs to know of it.
struct TargetSchemas {
    let name: String
    let schemas: [SchemaFile]
    let includes: [URL]
    let hosts: HostOptions
}
