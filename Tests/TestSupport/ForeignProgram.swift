package import Foundation

/// A program of a Debian package: the installed one, or else the one extracted by `Tests/install-debian-inputs`.
package struct ForeignProgram: Sendable {
    package let name: String
    package var environment: [String: String]

    package init(name: String, environment: [String: String] = [:]) {
        self.name = name
        self.environment = environment
    }

    private struct Missing: Error, CustomStringConvertible {
        let name: String
        var description: String { "there is no program '\(name)'; run Tests/install-debian-inputs" }
    }

    /// Runs the program.
    ///
    /// - Throws: An error if the program is missing.
    package func run(_ arguments: [String], in folder: URL? = nil) async throws -> CommandLineRun {
        let (path, environment, _) = try located()
        return try await CommandLineRun(path, arguments, in: folder, environment: environment)
    }

    /// Returns the program's path and environment, and the folder with the extracted packages; `nil` if the program is
    /// installed.
    ///
    /// - Throws: An error if the program is missing.
    package func located() throws -> (path: String, environment: [String: String], packages: String?) {
        var environment = ProcessInfo.processInfo.environment.merging(self.environment) { $1 }
        let folders = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
        if let path = folders.first(where: FileManager.default.isExecutableFile) { return (path, environment, nil) }
        let inputs = Repository.folder.appending(path: ".build/debian-inputs").path
        let packages = ((try? FileManager.default.contentsOfDirectory(atPath: inputs)) ?? []).map { "\(inputs)/\($0)" }
        guard
            let path = packages.flatMap({ ["\($0)/usr/bin/\(name)", "\($0)/bin/\(name)"] })
                .first(where: FileManager.default.isExecutableFile)
        else { throw Missing(name: name) }
        let libraries = packages.flatMap { package in
            ["\(package)/usr/lib", "\(package)/lib"].flatMap { folder in
                ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
                    .filter { $0.hasSuffix("-linux-gnu") }.map { "\(folder)/\($0)" }
            }
        }
        environment["LD_LIBRARY_PATH"] = libraries.joined(separator: ":")
        return (path, environment, inputs)
    }
}
