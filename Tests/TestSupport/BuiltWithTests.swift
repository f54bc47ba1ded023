package import Foundation

/// Products that were built together with the tests.
package enum BuiltWithTests {
    /// Returns the path of an executable of this package.
    package static func executable(_ name: String) throws -> URL {
        for folder in try folders() {
            let executable = folder.appending(path: name, directoryHint: .notDirectory)
            let values = try? executable.resourceValues(forKeys: [.isRegularFileKey])
            if values?.isRegularFile == true { return executable }
        }
        throw Missing(product: name)
    }

    /// Returns the folder of a module, for the compiler's option `-I`.
    package static func folder(ofModule module: String) throws -> URL {
        for folder in try folders() {
            for candidate in [folder.appending(path: "Modules"), folder]
            where FileManager.default.fileExists(atPath: candidate.appending(path: "\(module).swiftmodule").path) {
                return candidate
            }
        }
        throw Missing(product: "module \(module)")
    }

    /// Returns the paths of the object files of modules, to link them. SwiftPM leaves those of source files that were
    /// removed or renamed.
    package static func objects(ofModules names: [String]) throws -> [String] {
        try names.flatMap { name in
            let modules = try folder(ofModule: name)
            let products = modules.lastPathComponent == "Modules" ? modules.deletingLastPathComponent() : modules
            let folder = products.appending(path: "\(name).build")
            let sources = Repository.folder.appending(path: "Sources/\(name)")
            let objects = try FileManager.default.subpathsOfDirectory(atPath: sources.path).map {
                "\(URL(filePath: $0).lastPathComponent).o"
            }
            return try Set(objects).intersection(FileManager.default.contentsOfDirectory(atPath: folder.path)).sorted()
                .map { folder.appending(path: $0).path }
        }
    }

    /// Returns the parent folders of the tests' binary, the innermost first. Which of them contains the products
    /// depends on the platform and the build system.
    private static func folders() throws -> [URL] {
        var folder = try binary()
        return (0..<5).map { _ in
            folder.deleteLastPathComponent()
            return folder
        }
    }

    /// Returns the executable or bundle of the tests.
    private static func binary() throws -> URL {
        #if canImport(Darwin)
            final class Marker {}
            return Bundle(for: Marker.self).bundleURL.resolvingSymlinksInPath()
        #else
            guard let url = Bundle.main.executableURL else { throw Missing(product: "the executable of the tests") }
            return url.resolvingSymlinksInPath()
        #endif
    }

    private struct Missing: Error, CustomStringConvertible {
        var product: String
        var description: String {
            "\(product) is missing in the build folder of the tests; build it together with them"
        }
    }
}
