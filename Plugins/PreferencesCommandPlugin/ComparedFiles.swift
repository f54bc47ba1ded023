import Foundation

extension TargetSchemas {
    /// Returns the schemas in the target's folder that are not those of the target, because the manifest excludes them.
    func otherSchemas() throws -> [URL] {
        let own = Set(schemas.map(\.url.location))
        return try FileManager.default.subpathsOfDirectory(atPath: directory.nativePath)
            // The tool does not visit hidden folders, such as that of a build.
            .filter { $0.hasSuffix(schemaSuffix) && !"/\($0)".contains("/.") }.sorted()
            .map { directory.appending(path: $0) }
            .filter { !own.contains($0.location) }
    }

    /// Returns the path of a file relative to the package.
    func path(of url: URL) -> String {
        let components = url.standardizedFileURL.components(relativeTo: packageDirectory.standardizedFileURL)
        return components.isEmpty ? "." : components.joined(separator: "/")
    }
}
