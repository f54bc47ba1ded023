import Foundation

extension TargetSchemas {
    /// The schemas in the target's folder that are not those of the target, such as those of excluded folders and of
    /// tests.
    var otherSchemas: [URL] {
        let own = Set(schemas.map(\.url.location))
        let options: FileManager.DirectoryEnumerationOptions = [.skipsHiddenFiles]
        let all = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil, options: options)
        return (all?.compactMap { $0 as? URL } ?? [])
            .filter { $0.lastPathComponent.hasSuffix(schemaSuffix) && !own.contains($0.location) }
            .sorted { $0.nativePath < $1.nativePath }
    }

    /// Returns the path of a file relative to the package.
    func path(of url: URL) -> String {
        let components = url.standardizedFileURL.components(relativeTo: packageDirectory.standardizedFileURL)
        return components.isEmpty ? "." : components.joined(separator: "/")
    }
}
