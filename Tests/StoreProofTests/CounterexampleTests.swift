import Foundation
import TestSupport
import Testing

/// Each proof finds what it looks for, in a store that does just that wrong.
///
/// It ends when it has found it ten times; on a busy machine fewer kills fall into the moments that count.
struct CounterexampleTests {
    private func prove(_ arguments: String...) async throws -> CommandLineRun {
        try await withTemporaryDirectory { folder in
            let program = try BuiltWithTests.executable("StoreProof").path
            return try await CommandLineRun(program, arguments + ["--folder", folder.path])
        }
    }

    @Test func aStoreThatWritesInPlaceTearsItsFile() async throws {
        let run = try await prove("kill", "--store", "writes-in-place", "--keys", "500", "--rounds", "150")
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                #/writes-in-place, kill, seed 1, round \d+ with 500 keys: the file of \d+ bytes does not parse; its files are kept in /#
            )
        )
        #expect(run.output.hasSuffix("seed 1: something is broken\n"))
    }

    @Test func aStoreThatSplitsBatchesLeavesOneInHalf() async throws {
        let run = try await prove("kill", "--store", "splits-batches", "--keys", "10", "--rounds", "150")
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                #/round \d+ with 10 keys: (a batch is not whole: a, b and c are \[|\d+ of 10 other keys are gone)/#
            )
        )
    }

    @Test func aStoreThatAcknowledgesEarlyLosesWhatItSaidWasSafe() async throws {
        let run = try await prove("kill", "--store", "acknowledges-early", "--keys", "10", "--rounds", "150")
        #expect(run.status == 1)
        #expect(run.output.contains(#/what was acknowledged is lost: there is .+, the last acknowledged, there was /#))
    }

    @Test func aStoreThatIgnoresLocksLosesWhatOthersSet() async throws {
        let run = try await prove("processes", "--store", "ignores-locks", "--keys", "200")
        #expect(run.status == 1)
        #expect(run.output.contains(#/(\d+ times one was added, and the count is \d+|process \d did not end well)/#))
        #expect(run.output.contains(#/of the 200 keys of process \d are lost/#))
    }

    @Test func aStoreThatOverwritesDamagedFilesLosesTheUsersBytes() async throws {
        let run = try await prove("damage", "--store", "overwrites-damage")
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                "overwrites-damage, damage, seed 1, case 0, a JSON file cut short, to 0 bytes, a JSON file, "
            )
        )
        #expect(run.output.contains("a file that does not parse is read as one that does"))
    }

    @Test(arguments: ["file-immediate", "file-coalesced", "sqlite"])
    func aSoundStoreIsFoundSound(store: String) async throws {
        for proof in ["kill", "processes"] {
            let run = try await prove(proof, "--store", store, "--keys", "20", "--rounds", "3")
            #expect(run.status == 0, "\(run.output)")
            #expect(run.output.hasSuffix("seed 1: everything held\n"))
        }
    }

    #if os(Linux)
        @Test func aStoreThatRetriesAFailedSyncIsFound() async throws {
            let output = try await proveFaults("retries-sync")
            #expect(output.contains("a file whose sync had failed was put in place"))
        }

        @Test func aStoreThatNeverSyncsIsFound() async throws {
            let output = try await proveFaults("never-syncs")
            #expect(output.contains("no call fails"))
            #expect(output.contains("a file that was not synced was put in place"))
            #expect(output.contains("a file was called safe whose folder was not synced"))
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

    @Test func faultsWithoutTheLibraryAreNoProof() async throws {
        let run = try await prove("faults", "--store", "never-syncs")
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                "there is no library that makes system calls fail; run Tests/prove-stores, which builds it"
            )
        )
    }

    @Test(arguments: [[], ["crash"], ["kill", "--rounds", "0"], ["kill", "--store", "other"], ["kill", "--seed"]])
    func argumentsThatMakeNoSenseGetTheUsage(arguments: [String]) async throws {
        let run = try await CommandLineRun(BuiltWithTests.executable("StoreProof").path, arguments)
        #expect(run.status == 2)
        #expect(run.errors.contains("usage: StoreProof kill "))
    }
}
