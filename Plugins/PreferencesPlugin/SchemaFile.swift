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
/// These are `Schemas/TARGET.preferences.json` and everything that ends in `.preferences.json` below `Schemas/TARGET`.
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
    var found: [String: SchemaFile] = [:]
    for path in try schemaPaths(for: targetName, in: schemas) {
        // No file of the target's own folder gets a name with two separators in a row, whatever its folders are called.
        let url = schemas.appending(path: path)
        let outputName = "\(schemasFolder)++\(outputName(for: path.split(separator: "/")))"
        found[url.standardizedFileURL.path] = SchemaFile(url: url, outputName: outputName)
    }
    for url in files where url.lastPathComponent.hasSuffix(schemaSuffix) {
        let path = url.standardizedFileURL.path
        guard found[path] == nil else { continue }  // The package's folder is inside the target's.
        let components = url.standardizedFileURL.components(relativeTo: targetDirectory.standardizedFileURL)
        found[path] = SchemaFile(url: url, outputName: outputName(for: components))
    }
    return found.values.sorted { $0.outputName < $1.outputName }
}

/// The schemas that the package's folder `Schemas` holds for a target, as paths below that folder.
private func schemaPaths(for targetName: String, in schemas: URL) throws -> [String] {
    let below = try visibleFiles(below: schemas.appending(path: targetName), endingWith: schemaSuffix)
    let candidates = ["\(targetName)\(schemaSuffix)"] + below.map { "\(targetName)/\($0)" }
    return candidates.filter { path in
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(
            atPath: schemas.appending(path: path).nativePath,
            isDirectory: &isDirectory
        )
        return exists && !isDirectory.boolValue
    }
}

/// What is below a folder and not hidden, by how its name ends: nothing when there is no such folder, an error when it
/// cannot be read.
func visibleFiles(below folder: URL, endingWith suffix: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder.nativePath) else { return [] }
    return try FileManager.default.subpathsOfDirectory(atPath: folder.nativePath).filter { path in
        let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
        return path.hasSuffix(suffix) && !isHidden
    }
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

    /// The way from a folder to this file, with `..` for each step up.
    fileprivate func components(relativeTo folder: URL) -> [String] {
        let own = pathComponents
        let base = folder.pathComponents
        let shared = zip(own, base).prefix { $0 == $1 }.count
        return Array(repeating: "..", count: base.count - shared) + own.dropFirst(shared)
    }
}
