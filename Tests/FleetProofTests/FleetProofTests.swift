import Foundation
import TestSupport
import Testing

/// Each run continues until enough has happened, also on a busy machine.
@Suite("The proof of the store in etcd", .serialized)
struct FleetProofTests {
    private func prove(_ arguments: String...) async throws -> CommandLineRun {
        try await withTemporaryDirectory { folder in
            let program = try BuiltWithTests.executable("FleetProof").path
            return try await CommandLineRun(program, arguments + ["--folder", folder.path])
        }
    }

    @Test("Clients lose nothing, and end on the final values, while members, links and clients fail")
    func proof() async throws {
        let run = try await prove("--seconds", "8")
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.hasSuffix("seed 1: no violations\n"))
        #expect(run.output.contains(", 2 starts from the cache without a network\n"))
    }

    @Test("A client that acknowledges early loses acknowledged changes")
    func acknowledgesEarly() async throws {
        let run = try await prove("--seconds", "2", "--fault", "acknowledges-early")
        #expect(run.status == 1)
        #expect(run.output.contains(#/violation: no order of the calls for '\w+' explains /#), "\(run.output)")
    }

    @Test("A client that counts without 'update' loses increments")
    func countsByApplying() async throws {
        let run = try await prove("--seconds", "2", "--fault", "counts-by-applying")
        #expect(run.status == 1)
        let violation = #/violation: the counter 'visits' is \d+, but \d+ increments were acknowledged\n/#
        #expect(run.output.contains(violation), "\(run.output)")
    }

    @Test("A client that repeats calls counts twice")
    func repeatsCalls() async throws {
        let run = try await prove("--seconds", "2", "--fault", "repeats-calls")
        #expect(run.status == 1)
        let violation =
            #/violation: the counter 'visits' is \d+, but only \d+ increments were acknowledged, and \d+ may /#
        #expect(run.output.contains(violation), "\(run.output)")
    }

    @Test("A client that splits batches shows half of one")
    func splitsBatches() async throws {
        let run = try await prove("--seconds", "2", "--fault", "splits-batches")
        #expect(run.status == 1)
        #expect(run.output.contains(#/violation: .+ half of a batch/#), "\(run.output)")
    }

    @Test("Watchers that ignore changes do not end on the final values")
    func ignoresChanges() async throws {
        let run = try await prove("--seconds", "2", "--fault", "ignores-changes")
        #expect(run.status == 1)
        let violation = #/violation: client \d+ \(\w+\): the watchers did not end on the values of revision \d+: '/#
        #expect(run.output.contains(violation), "\(run.output)")
    }

    @Test("Invalid arguments print the usage", arguments: [["--seconds", "0"], ["--fault", "other"], ["--seed"]])
    func invalidArguments(arguments: [String]) async throws {
        let run = try await CommandLineRun(BuiltWithTests.executable("FleetProof").path, arguments)
        #expect(run.status == 2)
        #expect(run.errors.contains("usage: FleetProof [--seconds N]"))
    }
}
