import PreferencesCodeGen
import PreferencesSchema

/// The changes to the host files of a run.
struct HostChanges {
    /// All host files with the bytes that they are to have; those that they have already among them.
    private(set) var files: [OutputFile] = []
    /// The faults of the host files. If there are any, nothing is written.
    private(set) var diagnostics: [Diagnostic] = []
    /// The files that cannot be read. If there are any, nothing is written.
    private(set) var failures: [FileFailure] = []
    private(set) var regionCount = 0

    /// - Parameter directory: Where host files are; nil where nothing says so.
    init(
        of set: SchemaSet,
        in directory: String?,
        _ mending: HostMending
    ) {
        let regions = HostRegions.regions(of: set)
        regionCount = regions.count
        let sources = set.sources
        guard let directory else {
            diagnostics = Self.hosts(of: regions).map { region in
                Diagnostic(
                    rule: .hostDirectory,
                    at: region.place,
                    in: sources,
                    message: "there is a host file here, and no '--host-directory DIR' that says where it is"
                )
            }
            return
        }
        let folder = HostDirectory(path: directory)
        let schemas = Set(set.schemas.map(\.fileName))
        let swiftFiles = folder.swiftFiles
        failures = swiftFiles.failures
        guard folder.isThere else { return }
        var hosts: Set<FileIdentity> = []
        for group in Self.groups(regions, in: folder) {
            hosts.insert(group.file)
            guard folder.exists(group.path) else {
                diagnostics += Self.hosts(of: group.regions).map {
                    Self.missing($0, in: folder, beside: swiftFiles.paths, sources)
                }
                continue
            }
            let faults = Self.doubles(in: group.regions, sources) + Self.unmarkable(group.regions, sources)
            diagnostics += faults
            guard faults.isEmpty else { continue }
            guard let contents = read(group.path, in: folder) else { continue }
            let file = HostFile(path: FilePath.join(directory, group.path), bytes: contents)
            let (bytes, found) = file.updated(
                with: group.regions,
                elsewhere: regions,
                of: schemas,
                mending
            )
            diagnostics += found
            files.append(OutputFile(path: file.path, bytes: bytes, former: file.bytes))
        }
        for path in swiftFiles.paths where !hosts.contains(FileIdentity(FilePath.join(directory, path))) {
            guard let contents = read(path, in: folder), HostDirectory.mayHaveMarkers(contents) else { continue }
            let file = HostFile(path: FilePath.join(directory, path), bytes: contents)
            diagnostics += file.unwantedRegions(beside: [], elsewhere: regions, of: schemas, mending)
        }
        diagnostics = diagnostics.inOrder
    }

    private mutating func read(_ file: String, in folder: HostDirectory) -> [UInt8]? {
        do throws(FileFailure) {
            return try folder.read(file)
        } catch {
            failures.append(error)
            return nil
        }
    }

    /// The regions of one host file.
    private struct Group {
        var path: String
        var file: FileIdentity
        var regions: [HostRegion]
    }

    /// The regions by host file, however their schemas spell its path.
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
        // A file of that name in another folder is nearer than any of another name.
        let name = region.host.split(separator: "/").last
        var suggestions = Suggestions()
        let nearest =
            files.first { $0.split(separator: "/").last == name } ?? suggestions.nearest(to: region.host, among: files)
        return Diagnostic(
            rule: .hostMissing,
            at: region.place,
            in: sources,
            message: "there is no host file \(FilePath.join(folder.path, region.host))",
            notes: [nearest.map { "did you mean '\($0)'?" } ?? "create it, or correct 'host'"]
        )
    }

    /// One region for each 'host': namespaces inside others have theirs.
    private static func hosts(of regions: [HostRegion]) -> [HostRegion] {
        var seen: Set<Place> = []
        return regions.filter { seen.insert($0.place).inserted }
    }

    /// The words of a marker are one space apart, so that a misspelt one is noticed.
    private static func unmarkable(_ regions: [HostRegion], _ sources: [SchemaSource]) -> [Diagnostic] {
        hosts(of: regions).filter { $0.schema.hasPrefix(" ") || $0.schema.hasSuffix(" ") }.map { region in
            Diagnostic(
                rule: .hostMarkers,
                at: region.place,
                in: sources,
                message: "a schema whose name begins or ends with a space cannot have a host file",
                notes: ["rename '\(region.schema).preferences.json'"]
            )
        }
    }

    /// Schemas of one name have the same markers for their files' own keys.
    private static func doubles(in regions: [HostRegion], _ sources: [SchemaSource]) -> [Diagnostic] {
        var seen: Set<[String]> = []
        return regions.filter { !seen.insert([$0.schema, $0.namespace]).inserted }.map { region in
            Diagnostic(
                rule: .hostMarkers,
                at: region.place,
                in: sources,
                message: "another schema named '\(region.schema)' puts keys of its own into this file too",
                notes: ["rename one of the two, or put its keys into a namespace"]
            )
        }
    }
}
