import Foundation
import TestSupport
import Testing

/// A proof ends after ten violations. On a busy machine, fewer kills hit the critical moments.
@Suite("The proofs find faulty stores")
struct CounterexampleTests {
    private func prove(_ arguments: String...) async throws -> CommandLineRun {
        try await withTemporaryDirectory { folder in
            let program = try BuiltWithTests.executable("StoreProof").path
            return try await CommandLineRun(program, arguments + ["--folder", folder.path])
        }
    }

    @Test("A store that writes in place leaves an incomplete file")
    func writesInPlace() async throws {
        let run = try await prove("kill", "--store", "writes-in-place", "--keys", "500", "--rounds", "150")
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                #/writes-in-place, kill, seed 1, round \d+ with 500 keys: the file of \d+ bytes does not parse; its files are kept in /#
            )
        )
        #expect(run.output.hasSuffix("seed 1: violations found\n"))
    }

    @Test("A store that splits batches leaves an incomplete batch")
    func splitsBatches() async throws {
        let run = try await prove("kill", "--store", "splits-batches", "--keys", "10", "--rounds", "150")
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                #/round \d+ with 10 keys: (a batch is incomplete: a, b and c are \[|\d+ of 10 other keys are gone)/#
            )
        )
    }

    @Test("A store that acknowledges early loses acknowledged changes")
    func acknowledgesEarly() async throws {
        let run = try await prove("kill", "--store", "acknowledges-early", "--keys", "10", "--rounds", "150")
        #expect(run.status == 1)
        let violation = #/an acknowledged change is lost: found .+, the last acknowledged, the state was /#
        #expect(run.output.contains(violation))
    }

    @Test("A store that ignores locks loses changes of other processes")
    func ignoresLocks() async throws {
        let run = try await prove("processes", "--store", "ignores-locks", "--keys", "200")
        #expect(run.status == 1)
        #expect(run.output.contains(#/(\d+ increments were made, but the count is \d+|process \d failed)/#))
        #expect(run.output.contains(#/of the 200 keys of process \d are lost/#))
    }

    @Test("A store that overwrites damaged files loses the user's bytes")
    func overwritesDamage() async throws {
        let run = try await prove("damage", "--store", "overwrites-damage")
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                "overwrites-damage, damage, seed 1, case 0, a JSON file cut short, to 0 bytes, a JSON file, "
            )
        )
        #expect(run.output.contains("a file that does not parse is read as a valid one"))
    }

    @Test("A correct store has no violations", arguments: ["file-immediate", "file-coalesced", "sqlite"])
    func correctStores(store: String) async throws {
        for proof in ["kill", "processes"] {
            let run = try await prove(proof, "--store", store, "--keys", "20", "--rounds", "3")
            #expect(run.status == 0, "\(run.output)")
            #expect(run.output.hasSuffix("seed 1: no violations\n"))
        }
    }

    #if os(Linux)
        @Test("A store that retries a failed sync is found")
        func retriesSync() async throws {
            let output = try await proveFaults("retries-sync")
            #expect(output.contains("a file whose sync had failed was put in place"))
        }

        @Test("A store that never syncs is found")
        func neverSyncs() async throws {
            let output = try await proveFaults("never-syncs")
            #expect(output.contains("no call fails"))
            #expect(output.contains("a file that was not synced was put in place"))
            #expect(output.contains("a file was acknowledged whose folder was not synced"))
        }

        private func proveFaults(_ store: String) async throws -> String {
            try await withTemporaryDirectory { folder in
                let layer = try await FaultLayerTests.buildLayer(in: folder).path
                let run = try await prove("faults", "--store", store, "--layer", layer)
                #expect(run.status == 1)
                return run.output
            }
        }
    #endif

    @Test("Without the library, the proof of faults fails")
    func missingLibrary() async throws {
        let run = try await prove("faults", "--store", "never-syncs")
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                "there is no library that makes system calls fail; run Tests/prove-stores, which builds it"
            )
        )
    }

    @Test(
        "Invalid arguments print the usage",
        arguments: [[], ["crash"], ["kill", "--rounds", "0"], ["kill", "--store", "other"], ["kill", "--seed"]]
    )
    func invalidArguments(arguments: [String]) async throws {
        let run = try await CommandLineRun(BuiltWithTests.executable("StoreProof").path, arguments)
        #expect(run.status == 2)
        #expect(run.errors.contains("usage: StoreProof kill "))
    }
}
