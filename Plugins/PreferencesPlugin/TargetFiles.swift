import Foundation

/// The schemas of a target, and the other inputs of the generator.
struct TargetSchemas {
    let name: String
    let schemas: [SchemaFile]
    /// The files that the schemas can include.
    let includes: [URL]
    let hosts: HostOptions
    /// The schemas of the targets that the target depends on.
    let dependencies: [DependencySchemas]
    /// The folder of the target.
    let directory: URL
    let packageDirectory: URL
    private let files: [URL]

    /// Finds the schemas of a target.
    ///
    /// - Parameters:
    ///   - name: The name of the target in the manifest.
    ///   - files: The files of the target, without excluded ones.
    ///   - targetDirectory: The base of the paths in output names, and the default host directory.
    ///   - packageDirectory: The folder that contains `Schemas`.
    ///   - fixCommand: The command that messages suggest; `nil` for the generator itself.
    ///   - dependencies: The schemas of the targets that the target depends on.
    init(
        name: String,
        files: [URL],
        targetDirectory: URL,
        packageDirectory: URL,
        fixCommand: String? = HostOptions.fixCommand,
        dependencies: [DependencySchemas] = []
    ) throws {
        self.name = name
        self.dependencies = dependencies
        self.files = files
        directory = targetDirectory
        self.packageDirectory = packageDirectory
        schemas = try schemaFiles(of: name, files: files, in: targetDirectory, packageDirectory: packageDirectory)
        includes = try includeFiles(of: name, files: files, packageDirectory: packageDirectory)
        hosts = HostOptions(files: files, in: targetDirectory, fixCommand: fixCommand)
    }

    /// How to give a target without a schema one.
    var advice: String {
        let misnamed = misnamedSchemas(of: name, files: files, packageDirectory: packageDirectory).first
        return misnamed.map { "rename '\($0.path.printable)' to '\($0.name.printable)'" }
            ?? "add 'NAME\(schemaSuffix)' to the target's folder, "
            + "or '\(schemasFolder)/\(name)\(schemaSuffix)' to the package; "
            + "'swift run prefs schema import' makes one from the settings of other systems"
    }
}

// MARK: - Schemas

/// The suffix of the file names of schemas.
let schemaSuffix = ".preferences.json"

/// The folder of the package that contains schemas for its targets, in addition to those in the targets' folders.
let schemasFolder = "Schemas"

/// A schema of a target.
struct SchemaFile {
    let url: URL

    /// The name of the generated Swift file, which depends only on the path of the schema and is unique in the target.
    ///
    /// SwiftPM requires unique file names in a module, but schemas in two folders can have one name. Therefore the name
    /// contains the folders: `Radar/Range.preferences.json` generates `Radar+Range.preferences.swift`.
    let outputName: String
}

/// Finds the schemas of a target: among its files, and in the folder `Schemas` of the package.
///
/// The latter are `Schemas/TARGET.preferences.json`, and all files with the suffix `.preferences.json` in
/// `Schemas/TARGET`, at any depth. Links to folders are followed.
///
/// - Parameters:
///   - targetName: The name of the target in the manifest.
///   - files: The files of the target, without excluded ones.
///   - targetDirectory: The base of the paths in output names.
///   - packageDirectory: The folder that contains `Schemas`.
/// - Returns: The schemas, sorted by output name.
private func schemaFiles(
    of targetName: String,
    files: [URL],
    in targetDirectory: URL,
    packageDirectory: URL
) throws -> [SchemaFile] {
    let schemas = packageDirectory.appending(path: schemasFolder)
    var found: [[String]: SchemaFile] = [:]
    for url in try schemasOfPackage(for: targetName, packageDirectory: packageDirectory) {
        // Output names for files of the target never contain two consecutive separators.
        let outputName = "\(schemasFolder)++\(outputName(for: url.components(relativeTo: schemas)))"
        found[url.location] = SchemaFile(url: url, outputName: outputName)
    }
    for url in files where url.lastPathComponent.hasSuffix(schemaSuffix) {
        let location = url.location
        guard found[location] == nil else { continue }  // The target's folder contains `Schemas`, or a link to it.
        let components = url.standardizedFileURL.components(relativeTo: targetDirectory.standardizedFileURL)
        found[location] = SchemaFile(url: url, outputName: outputName(for: components))
    }
    return found.values.sorted { $0.outputName < $1.outputName }
}

/// Returns the schemas of a target in the folder `Schemas` of the package.
private func schemasOfPackage(for targetName: String, packageDirectory: URL) throws -> [URL] {
    let own = packageDirectory.appending(path: schemasFolder).appending(path: "\(targetName)\(schemaSuffix)")
    let entry = try DirectoryEntry(at: own, ancestors: [])
    return try (entry?.isFolder == false ? [own] : [])
        + findFiles(in: targetName, packageDirectory: packageDirectory, suffix: schemaSuffix)
}

/// Returns files that are probably schemas of a target, with the names that they should have: files of the target with
/// another suffix (`App.preference.json`), and files and folders of `Schemas` that are named like the target except for
/// case or for the suffix.
private func misnamedSchemas(
    of targetName: String,
    files: [URL],
    packageDirectory: URL
) -> [(path: String, name: String)] {
    /// Whether a file is probably neither a file that schemas include nor a configuration.
    func isCandidate(_ file: String) -> Bool {
        let name = file.lowercased()
        return name.hasSuffix(".json") && !name.contains("include") && name != configurationName
    }
    let ofTarget = files.map(\.lastPathComponent).sorted().compactMap { file -> (path: String, name: String)? in
        let stem = file.prefix { $0 != "." }
        guard !stem.isEmpty, isCandidate(file), file.lowercased().contains("pref") else { return nil }
        return (file, (stem.lowercased() == "preferences" ? targetName[...] : stem) + schemaSuffix)
    }
    let schemas = packageDirectory.appending(path: schemasFolder)
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: schemas.nativePath)) ?? []
    let inSchemas = entries.sorted().compactMap { entry -> (path: String, name: String)? in
        let stem = entry.prefix { $0 != "." }
        guard stem.lowercased() == targetName.lowercased(), entry == stem || isCandidate(entry) else { return nil }
        let name = targetName + (entry == stem ? "" : schemaSuffix)
        return entry == name ? nil : ("\(schemasFolder)/\(entry)", "\(schemasFolder)/\(name)")
    }
    return ofTarget + inSchemas
}

/// Joins path components with `+`, which is escaped in components, so that names are unique.
private func outputName(for components: some Sequence<some StringProtocol>) -> String {
    let path = components.map { component in
        component == ".."
            ? "%2E%2E"  // Build systems ignore hidden files, whose names begin with a dot.
            : component.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "+", with: "%2B")
    }
    return path.joined(separator: "+").dropLast(".json".count) + ".swift"
}

extension URL {
    /// The path without percent-encoding.
    var nativePath: String {
        path(percentEncoded: false)
    }

    /// The components of the real path of the folder, and the name of the file. They are equal for all paths through
    /// links.
    var location: [String] {
        deletingLastPathComponent().realPath + [lastPathComponent]
    }

    /// Returns the components of the path relative to a folder, with `..` for each parent.
    func components(relativeTo folder: URL) -> [String] {
        let own = pathComponents
        let base = folder.pathComponents
        let shared = zip(own, base).prefix { $0 == $1 }.count
        return Array(repeating: "..", count: base.count - shared) + own.dropFirst(shared)
    }
}

// MARK: - Includes

/// The suffix of the names of files that schemas can include.
let includeSuffix = ".preferences-include.json"

/// The folder in `Schemas` with files that schemas of all targets can include.
let sharedFolder = "Shared"

/// Finds the files that the schemas of a target can include: files of the target, and those in `Schemas/TARGET` and
/// `Schemas/Shared` of the package.
///
/// The plugin does not read schemas, so all of these files are inputs of the build. Other files cannot be included,
/// because the build system would not notice their changes.
///
/// - Parameters:
///   - targetName: The name of the target in the manifest.
///   - files: The files of the target.
///   - packageDirectory: The folder that contains `Schemas`.
/// - Returns: The files, sorted by path.
private func includeFiles(of targetName: String, files: [URL], packageDirectory: URL) throws -> [URL] {
    let inSchemas = try [targetName, sharedFolder].flatMap { folder in
        try findFiles(in: folder, packageDirectory: packageDirectory, suffix: includeSuffix)
    }
    let own = files.filter { $0.lastPathComponent.hasSuffix(includeSuffix) }
    let byLocation = Dictionary((inSchemas + own).map { ($0.location, $0) }) { first, _ in first }
    return byLocation.values.sorted { $0.nativePath < $1.nativePath }
}

/// Returns the arguments of the generator for files that can be included.
func includeArguments(_ includes: [URL]) -> [String] {
    ["--no-other-includes"] + includes.flatMap { ["--include", $0.nativePath] }
}

// MARK: - Host files

/// The name of the file that configures all schemas of a target.
let configurationName = "preferences-generator-config.json"

/// The arguments of the generator for the configuration and the host files of a target.
struct HostOptions {
    /// The command that updates the regions of host files in a package.
    static let fixCommand = "swift package --allow-writing-to-package-directory preferences update"

    /// The arguments for commands that use host files.
    let arguments: [String]

    /// The configuration of the target.
    let configuration: URL?

    /// The arguments for other commands.
    var configurationArguments: [String] { configuration.map { ["--config", $0.nativePath] } ?? [] }

    /// The files that affect the result of the generator: the configuration, and all Swift files.
    let inputFiles: [URL]

    /// - Parameters:
    ///   - files: The files of the target, including any configuration.
    ///   - folder: The host directory, unless there is a configuration.
    ///   - fixCommand: The command that messages suggest; `nil` for the generator itself.
    init(files: [URL], in folder: URL, fixCommand: String?) {
        // A configuration in a nested folder has no effect; SwiftPM warns about the unhandled file.
        configuration = files.first { file in
            file.lastPathComponent == configurationName
                && (fixCommand == nil || file.deletingLastPathComponent().path == folder.path)
        }
        // The default host directory is that of the configuration.
        let location = configuration.map { ["--config", $0.nativePath] } ?? ["--host-directory", folder.nativePath]
        // All schemas of the target are given, so a region of another schema is obsolete, or its marker is misspelled.
        arguments = location + ["--no-other-schemas"] + (fixCommand.map { ["--fix-command", $0] } ?? [])
        inputFiles = [configuration].compactMap(\.self) + files.filter { $0.pathExtension == "swift" }
    }
}
