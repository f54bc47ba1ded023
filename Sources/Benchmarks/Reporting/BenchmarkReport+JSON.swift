import Foundation

extension BenchmarkReport {
    /// The rows of some reports as one JSON array, for tools. What a row does not have is left out of its object.
    static func json(_ reports: [BenchmarkReport]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let entries = reports.flatMap { report in report.rows.map { Entry(report, $0) } }
        return String(decoding: try encoder.encode(entries), as: UTF8.self)
    }

    private struct Entry: Encodable {
        var benchmark: String
        var row: String
        var about: String
        var peer: String?
        /// Medians of times, of memory or of instructions, whichever the row has.
        var nanoseconds: Double?
        var peerNanoseconds: Double?
        var bytes: Double?
        var peerBytes: Double?
        var instructions: Double?
        var peerInstructions: Double?
        var allocations: Double?
        var ratio: Double?
        var ratioOfMinima: Double?
        /// The highest accepted ratio.
        var bar: Double?
        /// The highest accepted figure.
        var barNanoseconds: Double?
        var barBytes: Double?
        var isHeld: Bool?
        /// Why a figure is missing.
        var remedy: String?
        var repeats: Int

        init(_ report: BenchmarkReport, _ row: Row) {
            benchmark = report.benchmark
            self.row = row.name
            about = row.about.isEmpty ? report.summary : row.about
            peer = row.peer
            nanoseconds = row.figure?.median(as: .nanoseconds)
            peerNanoseconds = row.peerFigure?.median(as: .nanoseconds)
            bytes = row.figure?.median(as: .bytes)
            peerBytes = row.peerFigure?.median(as: .bytes)
            instructions = row.figure?.median(as: .instructions)
            peerInstructions = row.peerFigure?.median(as: .instructions)
            allocations = row.allocations
            ratio = row.ratio
            ratioOfMinima = row.ratioOfMinima
            switch row.bar {
            case .ratio(let limit): bar = limit
            case .nanoseconds(let limit): barNanoseconds = limit
            case .bytes(let limit): barBytes = limit
            case nil: break
            }
            isHeld = row.isHeld
            remedy = row.remedy
            repeats = report.repeats
        }
    }
}

extension Figure {
    fileprivate func median(as unit: Unit) -> Double? {
        self.unit == unit ? median : nil
    }
}
