import PreferencesCodeGen
import PreferencesCommandLine
import PreferencesSchema

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The changes to the host files of a run.
struct HostChanges {
    /// The host files with their new contents, including those that do not change.
    private(set) var files: [OutputFile] = []
    /// The errors in host files, with which nothing is written, and the warnings about other Swift files.
    private(set) var diagnostics: [Diagnostic] = []
    /// The errors in reading files. If there are any, nothing is written.
    private(set) var fileErrors: [FileError] = []
    private(set) var regionCount = 0

    /// Computes the changes.
    ///
    /// - Parameter directory: The host directory; `nil` if none is specified.
    init(
        of set: SchemaSet,
        in directory: String?,
        _ options: HostUpdateOptions
    ) {
        let regions = HostRegions.regions(of: set)
        regionCount = regions.count
        let sources = set.sources
        guard let directory else {
            diagnostics = Self.onePerHost(regions).map { region in
                Diagnostic(
                    rule: .hostDirectory,
                    at: region.place,
                    in: sources,
                    message: "the schema has a host file; specify '--host-directory DIR'"
                )
            }
            return
        }
        let folder = HostDirectory(path: directory)
        let schemas = Set(set.schemas.map(\.fileName))
        let swiftFiles = folder.swiftFiles
        fileErrors = swiftFiles.fileErrors
        guard folder.exists else { return }
        let types = ModuleTypes(of: set)
        let typeNames = types.names
        var hosts: Set<FileIdentity> = []
        for group in Self.groups(regions, in: folder) {
            hosts.insert(group.file)
            guard folder.contains(group.path) else {
                diagnostics += Self.onePerHost(group.regions).map {
                    Self.missing($0, in: folder, beside: swiftFiles.paths, sources)
                }
                continue
            }
            let faults =
                Self.duplicateMarkers(in: group.regions, sources) + Self.unrepresentableNames(group.regions, sources)
            diagnostics += faults
            guard faults.isEmpty else { continue }
            guard let contents = read(group.path, in: folder) else { continue }
            let file = HostFile(path: FilePath.join(directory, group.path), bytes: contents)
            let (bytes, found) = file.updated(
                with: group.regions,
                elsewhere: regions,
                of: schemas,
                options
            )
            diagnostics += found + types.clashes(with: file)
            files.append(OutputFile(path: file.path, bytes: bytes, previous: file.bytes))
        }
        for path in swiftFiles.paths where !hosts.contains(FileIdentity(FilePath.join(directory, path))) {
            // A pipe has no regions, and reading it may not end.
            guard !FilePath.isStream(FilePath.join(directory, path)), let contents = read(path, in: folder) else {
                continue
            }
            let hasMarkers = HostDirectory.mightContainMarkers(contents)
            let hasTypes = HostDirectory.mightDeclare(typeNames, contents)
            guard hasMarkers || hasTypes else { continue }
            let file = HostFile(path: FilePath.join(directory, path), bytes: contents)
            if hasMarkers {
                diagnostics += file.unwantedRegions(beside: [], elsewhere: regions, of: schemas, options)
            }
            if hasTypes { diagnostics += types.clashes(with: file) }
        }
        diagnostics = diagnostics.inOrder
    }

    private mutating func read(_ file: String, in folder: HostDirectory) -> [UInt8]? {
        do throws(FileError) {
            return try folder.read(file)
        } catch {
            fileErrors.append(error)
            return nil
        }
    }

    /// The regions of one host file.
    private struct Group {
        var path: String
        var file: FileIdentity
        var regions: [HostRegion]
    }

    /// Groups the regions by host file, regardless of the spelling of its path.
    private static func groups(_ regions: [HostRegion], in folder: HostDirectory) -> [Group] {
        var groups: [Group] = []
        for region in regions {
            let file = FileIdentity(FilePath.join(folder.path, region.host))
            if let index = groups.firstIndex(where: { $0.file == file }) {
                groups[index].regions.append(region)
            } else {
                groups.append(Group(path: region.host, file: file, regions: [region]))
            }
        }
        return groups
    }

    private static func missing(
        _ region: HostRegion,
        in folder: HostDirectory,
        beside files: [String],
        _ sources: [SchemaSource]
    ) -> Diagnostic {
        // A link that leads nowhere is found by its name.
        let isLink = files.contains(region.host)
        // A file with that name in another folder is a better suggestion than a file with a similar name.
        let name = region.host.split(separator: "/").last
        var suggestions = Suggestions()
        let nearest =
            files.first { $0.split(separator: "/").last == name } ?? suggestions.nearest(to: region.host, among: files)
        return Diagnostic(
            rule: .hostMissing,
            at: region.place,
            in: sources,
            message: "there is no host file \(FilePath.join(folder.path, region.host))",
            notes: [
                isLink
                    ? "it is a link that leads to no file; correct or remove it"
                    : nearest.map { "did you mean '\($0)'?" } ?? "create it, or correct 'host'"
            ]
        )
    }

    /// Returns one region for each 'host' field, which nested namespaces inherit.
    private static func onePerHost(_ regions: [HostRegion]) -> [HostRegion] {
        var seen: Set<Place> = []
        return regions.filter { seen.insert($0.place).inserted }
    }

    /// Reports schemas whose names begin or end with a space, which markers cannot represent.
    private static func unrepresentableNames(_ regions: [HostRegion], _ sources: [SchemaSource]) -> [Diagnostic] {
        onePerHost(regions).filter { $0.schema.hasPrefix(" ") || $0.schema.hasSuffix(" ") }.map { region in
            Diagnostic(
                rule: .hostMarkers,
                at: region.place,
                in: sources,
                message: "a schema whose name begins or ends with a space cannot have a host file",
                notes: ["rename '\(region.schema).preferences.json'"]
            )
        }
    }

    /// Reports regions with equal markers, which are those for the top-level keys of schemas with one name.
    private static func duplicateMarkers(in regions: [HostRegion], _ sources: [SchemaSource]) -> [Diagnostic] {
        var seen: Set<[String]> = []
        return regions.filter { !seen.insert([$0.schema, $0.namespace]).inserted }.map { region in
            Diagnostic(
                rule: .hostMarkers,
                at: region.place,
                in: sources,
                message: "another schema named '\(region.schema)' also has top-level keys in this file",
                notes: ["rename one of the two, or put its keys into a namespace"]
            )
        }
    }
}

/// The folder that contains the host files, at any depth.
struct HostDirectory {
    var path: String

    /// Whether the folder exists.
    var exists: Bool { FilePath.isFolder(path) }

    /// The Swift files of the folder, with relative paths.
    var swiftFiles: FileSearch { FileSearch(path, suffix: ".swift") }

    func contains(_ file: String) -> Bool {
        let place = FilePath.join(path, file)
        return FilePath.exists(place) && !FilePath.isFolder(place)
    }

    func read(_ file: String) throws(FileError) -> [UInt8] {
        let place = FilePath.join(path, file)
        guard !FilePath.isStream(place) else {
            throw FileError(operation: .read, path: place, reason: "a host file must be a regular file")
        }
        return try FileContents.read(place)
    }

    /// Whether a file may contain markers. Most files contain none and are not parsed.
    static func mightContainMarkers(_ contents: [UInt8]) -> Bool {
        let head = Array("preferences".utf8)
        return contents.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            let end = start + bytes.count
            var place = start
            // `memchr` is fast in debug builds too, which plugins use.
            while let found = memchr(place, Int32(UInt8(ascii: ":")), end - place) {
                let colon = UnsafeRawPointer(found)
                if colon - start >= head.count, memcmp(colon - head.count, head, head.count) == 0 { return true }
                place = colon + 1
            }
            return false
        }
    }

    /// Whether a hand-written file may declare a type of one of these names, at the beginning of a line. Most files
    /// declare none and are not parsed.
    static func mightDeclare(_ names: Set<String>, _ contents: [UInt8]) -> Bool {
        if names.isEmpty || contents.starts(with: SwiftGenerator.beginning.utf8) { return false }
        return contents.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            var line = 0
            while line < bytes.count {
                // `memchr` is fast in debug builds too, which plugins use.
                let found = memchr(start + line, Int32(UInt8(ascii: "\n")), bytes.count - line)
                let end = found.map { UnsafeRawPointer($0) - start } ?? bytes.count
                // A modifier, a keyword or an attribute.
                if bytes[line] >= UInt8(ascii: "@"), bytes[line] != UInt8(ascii: "}") {
                    let text = String(decoding: bytes[line..<end], as: UTF8.self)
                    let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
                    if words.contains(where: { names.contains(String($0)) }) { return true }
                }
                line = end + 1
            }
            return false
        }
    }
}
