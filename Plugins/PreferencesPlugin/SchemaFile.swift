import Foundation

/// How the name of every schema ends.
let schemaSuffix = ".preferences.json"

/// The folder of the package that holds schemas for its targets, beside those in the targets' own folders.
let schemasFolder = "Schemas"

/// A schema, and the name of the Swift file that is generated from it.
struct SchemaFile {
    let url: URL

    /// Follows from the schema's path alone, and differs from that of every other schema of the target.
    ///
    /// SwiftPM wants file names to be unique within a module, and schemas in two folders may share theirs. So the
    /// folders go into the name: `Radar/Range.preferences.json` gives `Radar+Range.preferences.swift`.
    let outputName: String
}

/// Finds the schemas of a target: its own files, and those that the package keeps for it in its folder `Schemas`.
///
/// These are `Schemas/TARGET.preferences.json` and everything that ends in `.preferences.json` below `Schemas/TARGET`,
/// links to folders followed.
///
/// - Parameters:
///   - targetName: The target's name, as the manifest has it.
///   - files: The files that belong to the target; an excluded one is no schema.
///   - targetDirectory: What the names of the outputs are relative to.
///   - packageDirectory: The folder that `Schemas` is in.
/// - Returns: The schemas, in the order of their output names, which never changes.
func schemaFiles(
    of targetName: String,
    files: [URL],
    in targetDirectory: URL,
    packageDirectory: URL
) throws -> [SchemaFile] {
    let schemas = packageDirectory.appending(path: schemasFolder)
    var found: [[String]: SchemaFile] = [:]
    for url in try schemasOfPackage(for: targetName, packageDirectory: packageDirectory) {
        // No file of the target's own folder gets a name with two separators in a row, whatever its folders are called.
        let outputName = "\(schemasFolder)++\(outputName(for: url.components(relativeTo: schemas)))"
        found[url.place] = SchemaFile(url: url, outputName: outputName)
    }
    for url in files where url.lastPathComponent.hasSuffix(schemaSuffix) {
        let place = url.place
        guard found[place] == nil else { continue }  // The package's folder is inside the target's, or links to it.
        let components = url.standardizedFileURL.components(relativeTo: targetDirectory.standardizedFileURL)
        found[place] = SchemaFile(url: url, outputName: outputName(for: components))
    }
    return found.values.sorted { $0.outputName < $1.outputName }
}

/// The schemas that the package's folder `Schemas` holds for a target.
private func schemasOfPackage(for targetName: String, packageDirectory: URL) throws -> [URL] {
    let own = packageDirectory.appending(path: schemasFolder).appending(path: "\(targetName)\(schemaSuffix)")
    let entry = try DirectoryEntry(at: own, ancestors: [])
    return try (entry?.isFolder == false ? [own] : [])
        + visibleFiles(below: targetName, packageDirectory: packageDirectory, endingWith: schemaSuffix)
}

/// Joins the components with `+`, which is escaped inside of them, so that two paths never give one name.
private func outputName(for components: some Sequence<some StringProtocol>) -> String {
    let path = components.map { component in
        component == ".."
            ? "%2E%2E"  // Files whose names begin with a dot are hidden, and build systems pass over them.
            : component.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "+", with: "%2B")
    }
    return path.joined(separator: "+").dropLast(".json".count) + ".swift"
}

extension URL {
    /// The path as the file system and other programs want it, free of percent-encoding.
    var nativePath: String {
        path(percentEncoded: false)
    }

    /// The real path of the folder that the file is in, and the file's name: one for all ways to it by links to folders.
    var place: [String] {
        deletingLastPathComponent().realPath + [lastPathComponent]
    }

    /// The way from a folder to this file, with `..` for each step up.
    fileprivate func components(relativeTo folder: URL) -> [String] {
        let own = pathComponents
        let base = folder.pathComponents
        let shared = zip(own, base).prefix { $0 == $1 }.count
        return Array(repeating: "..", count: base.count - shared) + own.dropFirst(shared)
    }
}
