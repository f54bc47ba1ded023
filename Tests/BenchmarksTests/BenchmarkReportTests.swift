import Foundation
import Testing

@testable import Benchmarks

@Suite("Benchmark reports")
struct BenchmarkReportTests {
    @Test("The ratio is that of the medians, and a target includes its limit")
    func ratios() throws {
        let report = try report(repeats: 3, samples: [40, 10, 90], peer: [10, 20, 5], target: .ratio(4))
        let row = try #require(report.rows.first)
        #expect(row.ratio == 4)
        #expect(row.ratioOfMinima == 2)
        #expect(row.isMet == true)
    }

    @Test(
        "A target without a peer limits the figure itself",
        arguments: [(BenchmarkReport.Target.nanoseconds(100), true), (.nanoseconds(99), false), (.bytes(100), true)]
    )
    func limits(target: BenchmarkReport.Target, isMet: Bool) throws {
        let row = try #require(try report(repeats: 1, samples: [100], target: target).rows.first)
        #expect(row.isMet == isMet)
        #expect(row.ratio == nil)
    }

    @Test("A row with a missing peer has no ratio, and reports how to install the peer")
    func missingPeer() throws {
        var report = BenchmarkReport("reads", summary: "Reads.", repeats: 2)
        let peer = Subject(name: "GSettings") { throw MissingDependency(remedy: "install libglib2.0-0") }
        try report.compare("Int", Self.subject([1, 3]), with: peer, target: .ratio(1), about: "a count")
        let row = try #require(report.rows.first)
        #expect(row.figure?.median == 3)
        #expect(row.isMet == nil)
        #expect(report.text.contains("not measured: GSettings; install libglib2.0-0"))
    }

    @Test("A table omits empty columns")
    func columns() throws {
        let text = try report(repeats: 2, samples: [150, 150], target: .nanoseconds(200)).text
        #expect(
            text == """
                writes: Sets.
                Medians of 2.

                         here    target  met
                  Int  150 ns  ≤ 200 ns  yes

                  Int: a count

                """
        )
    }

    @Test("Instructions and allocations are shown per operation")
    func counts() throws {
        var report = BenchmarkReport("counted-writes", summary: "Sets.", repeats: 1)
        report.add(BenchmarkReport.Row(name: "set", figure: Self.instructions(1234.4), allocations: 2.0004))
        report.add(
            BenchmarkReport.Row(
                name: "update",
                figure: Self.instructions(2468.8),
                peer: "set",
                peerFigure: Self.instructions(1234.4),
                allocations: 2.25
            )
        )
        #expect(
            report.text == """
                counted-writes: Sets.
                Each figure was taken once.

                           here  allocations  against  there  ratio
                  set     1,234            2
                  update  2,469         2.25  set      1,234   2.00



                """
        )
    }

    @Test("JSON contains the target in its unit, and the counts of a row")
    func json() throws {
        var report = try report(repeats: 1, samples: [100], target: .nanoseconds(100))
        report.add(
            BenchmarkReport.Row(name: "set", figure: Self.instructions(1234), allocations: 2, target: .bytes(250))
        )
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(BenchmarkReport.json([report]).utf8)) as? [[String: Any]]
        )
        #expect(json.count == 2)
        #expect(json.first?["targetNanoseconds"] as? Double == 100)
        #expect(json.first?["isMet"] as? Bool == true)
        #expect(json.last?["instructions"] as? Double == 1234)
        #expect(json.last?["allocations"] as? Double == 2)
        #expect(json.last?["targetBytes"] as? Double == 250)
    }

    /// Returns a report of one row.
    private func report(
        repeats: Int,
        samples: [Double],
        peer: [Double]? = nil,
        target: BenchmarkReport.Target
    ) throws -> BenchmarkReport {
        var report = BenchmarkReport("writes", summary: "Sets.", repeats: repeats)
        try report.compare("Int", Self.subject(samples), with: peer.map(Self.subject), target: target, about: "a count")
        return report
    }

    /// Returns a subject with these samples.
    private static func subject(_ samples: [Double]) -> Subject {
        var rest = samples.makeIterator()
        return Subject { rest.next() ?? .nan }
    }

    private static func instructions(_ count: Double) -> Figure { Figure(unit: .instructions, samples: [count]) }
}
