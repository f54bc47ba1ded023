#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Folders that are given instead of schemas.
enum SchemaFolder {
    /// The paths, and in place of each folder those of all schemas in it and in its folders, sorted. A schema that is
    /// also given by itself is there once.
    static func expanding(_ paths: [String]) throws(FileFailure) -> [String] {
        var found: [String] = []
        var seen: Set<String> = []
        for path in paths {
            for schema in path != "-" && FilePath.isFolder(path) ? try schemas(in: path) : [path]
            where seen.insert(FilePath.canonical(schema)).inserted {
                found.append(schema)
            }
        }
        return found
    }

    /// Hidden folders, where build systems keep copies, are passed over.
    private static func schemas(in folder: String) throws(FileFailure) -> [String] {
        var found: [String] = []
        do {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            where !name.hasPrefix(".") {
                let path = FilePath.join(folder, name)
                let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
                if type == .typeDirectory {
                    found += try schemas(in: path)
                } else if name.hasSuffix(".preferences.json") {
                    found.append(path)
                }
            }
        } catch let failure as FileFailure {
            throw failure
        } catch {
            throw FileFailure(operation: "read", path: folder, error)
        }
        return found
    }
}
