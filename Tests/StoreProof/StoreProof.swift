import Foundation
import TestSupport

/// Proves the durable stores' promises about crashes and faults. `--help` explains the options, and `StoreProofs.md`
/// has the results.
@main
enum StoreProof {
    static func main() throws {
        // A write to a parent that has ended fails instead.
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        if words.first == "child" { return try Child.run(Array(words.dropFirst())) }
        if words.contains("--help") { return print(Options.usage, terminator: "") }
        guard let options = Options(words) else {
            FileHandle.standardError.write(Data(Options.usage.utf8))
            exit(2)
        }
        exit(try prove(options) ? 0 : 1)
    }

    private static func prove(_ options: Options) throws -> Bool {
        guard let program = Bundle.main.executableURL else { throw NoProgram() }
        let folder =
            options.folder.map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(component: "preferences-proof-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let workspace = Workspace(options: options, program: program, folder: folder)
        var results: [ProofResult] = []
        for proof in options.proofs {
            for store in options.stores { results += try prove(proof, of: store, in: workspace) }
        }
        let violations = results.flatMap(\.violations)
        for violation in violations { print(violation) }
        print(options.isMarkdown ? results.markdown : results.table, terminator: "")
        print(
            violations.isEmpty ? "seed \(options.seed): no violations" : "seed \(options.seed): violations found"
        )
        if violations.isEmpty, options.folder == nil { try removeDirectory(folder) }
        return violations.isEmpty
    }

    private static func prove(
        _ proof: Options.Proof,
        of store: ProvenStore,
        in workspace: Workspace
    ) throws -> [ProofResult] {
        switch proof {
        case .kill: try KillProof(store, in: workspace).run()
        case .processes: try ProcessesProof.run(store, in: workspace)
        case .damage: try CaseSuite.damage.prove(store, in: workspace)
        case .faults: try CaseSuite.calls.prove(store, in: workspace) + CaseSuite.conditions.prove(store, in: workspace)
        }
    }

    private struct NoProgram: Error, CustomStringConvertible {
        var description: String { "the path of the program is unknown" }
    }
}
