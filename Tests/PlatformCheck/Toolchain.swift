import Foundation
import TestSupport

/// The Swift compiler of this machine, and where its modules are.
struct Toolchain: Sendable {
    /// The folder that the compiler calls its resource directory: `lib/swift`.
    let resources: URL

    /// The target that the compiler builds for unless it is given another.
    let triple: String

    init() async throws {
        struct Info: Decodable {
            struct Target: Decodable { let triple: String }
            struct Paths: Decodable { let runtimeResourcePath: String }
            let target: Target
            let paths: Paths
        }
        let run = try await CommandLineRun("swiftc", ["-print-target-info"])
        guard run.succeeded else { throw CheckFailure("'swiftc -print-target-info' failed: \(run.errors)") }
        let info = try JSONDecoder().decode(Info.self, from: run.outputBytes)
        resources = URL(filePath: info.paths.runtimeResourcePath, directoryHint: .isDirectory)
        triple = info.target.triple
    }
}
