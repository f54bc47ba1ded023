import Foundation
import TestSupport

/// A program of a Debian package: the installed one, or else the one extracted by `Tests/install-debian-inputs`.
struct ForeignProgram {
    let name: String
    var environment: [String: String] = [:]

    private struct Missing: Error, CustomStringConvertible {
        let name: String
        var description: String { "there is no program '\(name)'; run Tests/install-debian-inputs" }
    }

    /// Runs the program.
    ///
    /// - Throws: An error if the program is missing.
    func run(_ arguments: [String]) async throws -> CommandLineRun {
        var environment = ProcessInfo.processInfo.environment.merging(self.environment) { $1 }
        let folders = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
        if let path = folders.first(where: FileManager.default.isExecutableFile) {
            return try await CommandLineRun(path, arguments, environment: environment)
        }
        let inputs = Repository.folder.appending(path: ".build/debian-inputs").path
        let packages = ((try? FileManager.default.contentsOfDirectory(atPath: inputs)) ?? []).map { "\(inputs)/\($0)" }
        guard
            let path = packages.map({ "\($0)/usr/bin/\(name)" }).first(where: FileManager.default.isExecutableFile)
        else { throw Missing(name: name) }
        let libraries = packages.flatMap { package in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(package)/usr/lib")) ?? [])
                .filter { $0.hasSuffix("-linux-gnu") }.map { "\(package)/usr/lib/\($0)" }
        }
        environment["LD_LIBRARY_PATH"] = libraries.joined(separator: ":")
        return try await CommandLineRun(path, arguments, environment: environment)
    }
}
