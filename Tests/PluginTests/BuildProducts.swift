import Foundation

/// The products of builds: modules, objects, executables and generated source, with their modification dates.
///
/// The difference of two values shows what a build in between did.
struct BuildProducts {
    private let dates: [String: Date]

    /// Collects the products in a scratch folder of `swift build`.
    init(in folder: URL) throws {
        var dates: [String: Date] = [:]
        for path in try folder.nestedFiles() {
            let url = folder.appending(path: path)
            let isProduct = [".o", ".a", ".swiftmodule", ".swift"].contains { path.hasSuffix($0) }
            guard isProduct || FileManager.default.isExecutableFile(atPath: url.path) else { continue }
            dates[path] = try FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate] as? Date
        }
        self.dates = dates
    }

    /// Returns the paths of the products that were created or modified since.
    func modified(since earlier: BuildProducts) -> Set<String> {
        Set(dates.filter { earlier.dates[$0.key] != $0.value }.keys)
    }

    /// Returns the source files that were compiled since, as names with their module and without extension, for
    /// example, `ObservatoryKit/Weather.preferences`.
    func compiled(since earlier: BuildProducts) -> Set<String> {
        Set(modified(since: earlier).compactMap(Self.source))
    }

    /// Returns the names of the files that were generated, or changed by generation, since.
    func generated(since earlier: BuildProducts) -> Set<String> {
        let paths = modified(since: earlier).filter { $0.hasSuffix(".preferences.swift") }
        return Set(paths.compactMap { $0.split(separator: "/").last.map(String.init) })
    }

    /// Returns the source file of an object.
    private static func source(ofObject path: String) -> String? {
        let components = path.split(separator: "/")
        // `Modules` contains the products of whole modules.
        guard path.hasSuffix(".o"), !path.hasSuffix(".swiftmodule.o"), !components.contains("Modules"),
            let module = components.last(where: { $0.hasSuffix(".build") })?.dropLast(".build".count),
            let source = components.last?.replacing(/(\.swift)?\.o$/, with: "")
        else { return nil }
        // The new build system builds executables again for import by tests.
        return "\(module.replacing(/-[0-9A-F]+-testable$/, with: ""))/\(source)"
    }
}

extension URL {
    /// Returns the files in the folder, at any depth, as relative paths; none if the folder does not exist.
    func nestedFiles() throws -> Set<String> {
        try nestedPaths().filter { path in
            let values = try? appending(path: path).resourceValues(forKeys: [.isRegularFileKey])
            return values?.isRegularFile == true
        }
    }

    /// Returns the symbolic links in the folder, at any depth, as relative paths.
    func nestedLinks() throws -> Set<String> {
        try nestedPaths().filter { path in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: appending(path: path).path)) != nil
        }
    }

    /// Returns the files, links and folders in the folder, at any depth, as relative paths.
    func nestedPaths() throws -> Set<String> {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return Set(try FileManager.default.subpathsOfDirectory(atPath: path))
    }
}
