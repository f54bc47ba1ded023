import Foundation
import Testing

/// The modules that were built together with the tests.
enum BuiltModules {
    /// The folder that has a module, to be given to the compiler with `-I`.
    static func folder(of module: String) throws -> URL {
        var folder = try binary().deletingLastPathComponent()
        for _ in 0..<5 {
            for candidate in [folder.appending(path: "Modules"), folder]
            where FileManager.default.fileExists(atPath: candidate.appending(path: "\(module).swiftmodule").path) {
                return candidate
            }
            folder.deleteLastPathComponent()
        }
        throw Missing(module: module)
    }

    /// The executable or bundle that the tests are in.
    private static func binary() throws -> URL {
        #if canImport(Darwin)
            final class Marker {}
            return Bundle(for: Marker.self).bundleURL.resolvingSymlinksInPath()
        #else
            return try #require(Bundle.main.executableURL).resolvingSymlinksInPath()
        #endif
    }

    struct Missing: Error, CustomStringConvertible {
        var module: String
        var description: String { "module \(module) is not beside the tests; build it together with them" }
    }
}
