import Foundation

/// How the name of every file ends that schemas can include.
let includeSuffix = ".preferences-include.json"

/// The folder of `Schemas` with files that schemas of all targets can include.
let sharedFolder = "Shared"

/// Finds the files that a target's schemas can include: those of the target itself, and in the package's folder `Schemas`
/// those in `Schemas/TARGET` and in `Schemas/Shared`.
///
/// Which of them are included, schemas say that the plugin does not read. So all are inputs of the build, and others
/// cannot be included: nobody would notice that they change.
///
/// - Parameters:
///   - targetName: The target's name, as the manifest has it.
///   - files: The files that belong to the target.
///   - packageDirectory: The folder that `Schemas` is in.
/// - Returns: The files, sorted by their paths.
func includeFiles(of targetName: String, files: [URL], packageDirectory: URL) throws -> [URL] {
    let inSchemas = try [targetName, sharedFolder].flatMap { folder in
        try visibleFiles(below: folder, packageDirectory: packageDirectory, endingWith: includeSuffix)
    }
    let own = files.filter { $0.lastPathComponent.hasSuffix(includeSuffix) }
    let byPlace = Dictionary((inSchemas + own).map { ($0.place, $0) }) { first, _ in first }
    return byPlace.values.sorted { $0.nativePath < $1.nativePath }
}

/// The generator's arguments for files that can be included.
func includeArguments(_ includes: [URL]) -> [String] {
    ["--no-other-includes"] + includes.flatMap { ["--include", $0.nativePath] }
}
