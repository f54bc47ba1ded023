import Foundation
import TestSupport

/// Proves the promises of `EtcdStore` while members and clients of a cluster fail. `--help` explains the options.
@main
enum FleetProof {
    static func main() async throws {
        // A write to a process that has ended fails instead.
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        if words.first == "client" { return try Client.run(words.dropFirst().joined()) }
        if words.contains("--help") { return print(Options.usage, terminator: "") }
        guard let options = Options(words) else {
            FileHandle.standardError.write(Data(Options.usage.utf8))
            exit(2)
        }
        do {
            exit(try await prove(options) ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func prove(_ options: Options) async throws -> Bool {
        guard let program = Bundle.main.executableURL else { throw NoProgram() }
        let folder =
            options.folder.map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(component: "preferences-fleet-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let result = try await FleetRun(options, program: program, folder: folder).result()
        for violation in result.violations { print("violation: \(violation)\n") }
        print(result.summary)
        if result.violations.isEmpty {
            print("seed \(options.seed): no violations")
            if options.folder == nil { try removeDirectory(folder) }
        } else {
            print("seed \(options.seed): violations found; the logs of the clients are kept in \(folder.path)")
        }
        return result.violations.isEmpty
    }

    private struct NoProgram: Error, CustomStringConvertible {
        var description: String { "the path of the program is unknown" }
    }
}
