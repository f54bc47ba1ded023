import Foundation

/// The file of a target's folder that says something of all its schemas.
let configurationName = "preferences-generator-config.json"

/// What the generator is told of a target's configuration and of its host files.
struct HostOptions {
    /// The command line that writes the regions of host files in a package.
    static let mendingCommand = "swift package --allow-writing-to-package-directory preferences update"

    /// What the commands are given that have to do with host files.
    let arguments: [String]

    /// What those are given that have not.
    let configurationArguments: [String]

    /// What can change what the generator says: the configuration, and all Swift files.
    let inputFiles: [URL]

    /// - Parameters:
    ///   - files: The files that belong to the target, its configuration among them.
    ///   - folder: Where host files are, unless there is a configuration.
    ///   - mendingCommand: What messages say to run; nil for the generator itself.
    init(files: [URL], in folder: URL, mendingCommand: String? = Self.mendingCommand) {
        // One that is deeper in the target is none, and SwiftPM warns that it belongs to nothing.
        let configuration = files.first { file in
            file.lastPathComponent == configurationName
                && (mendingCommand == nil || file.deletingLastPathComponent().path == folder.path)
        }
        configurationArguments = configuration.map { ["--config", $0.nativePath] } ?? []
        // Host files are in the configuration's folder, if it does not say otherwise.
        let place = configuration == nil ? ["--host-directory", folder.nativePath] : configurationArguments
        // All schemas of the target are given: a region of another is left over, or its marker misspelt.
        arguments = place + ["--no-other-schemas"] + (mendingCommand.map { ["--mend-with", $0] } ?? [])
        inputFiles = [configuration].compactMap(\.self) + files.filter { $0.pathExtension == "swift" }
    }
}
