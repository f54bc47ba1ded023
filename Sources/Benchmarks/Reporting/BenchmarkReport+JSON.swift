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
        /// Medians; of time, of memory or of instructions, whichever the row is about.
        var nanoseconds: Double?
        var peerNanoseconds: Double?
        var bytes: Double?
        var peerBytes: Double?
        var instructions: Double?
        var peerInstructions: Double?
        var ratio: Double?
        var ratioOfMinima: Double?
        /// What the ratio is to be at most.
        var bar: Double?
        /// What the figure itself is to be at most.
        var barNanoseconds: Double?
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
            ratio = row.ratio
            ratioOfMinima = row.ratioOfMinima
            switch row.bar {
            case .ratio(let limit): bar = limit
            case .nanoseconds(let limit): barNanoseconds = limit
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
