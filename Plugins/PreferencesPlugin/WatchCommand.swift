import Foundation
import PackagePlugin

/// Makes a schema that comes or goes known to the next build.
///
/// The native build system keeps its plan, and with it this plugin's answer, until a file comes or goes in a target of
/// the root package. It would not notice one in the package's folder `Schemas`, nor in a package that the root depends
/// on by its path: a new schema would be missing, and once one is removed, no build would succeed again. What it also
/// watches is the output folder of a prebuild command, with everything below. So this is a prebuild command that does
/// nothing, and its output folder holds links to the folders that matter.
///
/// - Parameters:
///   - folders: The folders to watch. One that does not exist cannot be, and gets no link: the build system would
///     remember that as no folder, whatever comes of it later. The README says what helps then.
///   - tool: The generator.
///   - workDirectory: The plugin's own folder.
/// - Returns: `nil` where the plan is made anew for every build.
func watchCommand(for folders: [URL], tool: URL, workDirectory: URL) throws -> Command? {
    // Nothing tells a plugin which build system asks, but only the native one builds tools under names of their own.
    guard tool.deletingPathExtension().lastPathComponent.hasSuffix("-tool") else { return nil }
    let shell = "/bin/sh"
    guard FileManager.default.isExecutableFile(atPath: shell) else { return nil }

    let watched = workDirectory.appending(path: "Watched")
    try FileManager.default.createDirectory(at: watched, withIntermediateDirectories: true)
    for (index, folder) in folders.enumerated() {
        // Documentation catalogs are the one kind of output that is neither compiled nor copied as a resource.
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
        displayName: "Watching for schemas that come or go",
        executable: URL(filePath: shell),
        arguments: ["-c", ":"],
        outputFilesDirectory: watched
    )
}
