import Foundation

/// The results of a benchmark: rows of one figure each, most of them compared with a peer's.
struct BenchmarkReport {
    /// The benchmark's name.
    var benchmark: String
    /// The benchmark's description.
    var summary: String
    /// The number of samples of each figure.
    var repeats: Int
    private(set) var rows: [Row] = []

    init(_ benchmark: String, summary: String, repeats: Int) {
        self.benchmark = benchmark
        self.summary = summary
        self.repeats = repeats
    }

    struct Row {
        var name: String
        /// A description of the measurement; empty if the name and the report's summary explain it.
        var about = ""
        /// The figure; nil if it could not be measured.
        var figure: Figure?
        var peer: String?
        /// A description of the peer's operation.
        var peerAbout = ""
        var peerFigure: Figure?
        /// The heap allocations of one operation, if they are counted.
        var allocations: Double?
        var target: Target?
        /// How to install a missing dependency.
        var remedy: String?

        /// The figure divided by the peer's.
        var ratio: Double? { ratio(of: \.median) }
        /// The ratio of the smallest samples. If it differs much from ``ratio``, the machine was busy. Nil for single
        /// samples.
        var ratioOfMinima: Double? { figure?.samples.count == 1 ? nil : ratio(of: \.minimum) }

        private func ratio(of value: KeyPath<Figure, Double>) -> Double? {
            guard let figure, let peerFigure else { return nil }
            return figure[keyPath: value] / peerFigure[keyPath: value]
        }

        /// Whether the figure does not exceed its target; nil without a target or a figure.
        var isMet: Bool? {
            switch target {
            case .ratio(let limit): ratio.map { $0 <= limit }
            case .nanoseconds(let limit), .bytes(let limit): figure.map { $0.median <= limit }
            case nil: nil
            }
        }
    }

    /// The highest accepted ratio, or the highest accepted figure itself.
    enum Target {
        case ratio(Double)
        case nanoseconds(Double)
        case bytes(Double)
    }

    mutating func add(_ row: Row) {
        rows.append(row)
    }

    /// Measures a subject and a peer alternately, so that changes of the machine's speed affect both.
    mutating func compare(
        _ name: String,
        _ subject: Subject,
        with peer: Subject? = nil,
        target: Target? = nil,
        about: String
    ) throws {
        let results = try measure([subject] + (peer.map { [$0] } ?? []))
        add(
            Row(
                name: name,
                about: about,
                figure: try? results[0].get(),
                peer: peer?.name,
                peerAbout: peer?.about ?? "",
                peerFigure: try? results.dropFirst().first?.get(),
                target: target,
                remedy: results.lazy.compactMap(\.missing?.remedy).first
            )
        )
    }

    private func measure(_ subjects: [Subject]) throws -> [Result<Figure, MissingDependency>] {
        var results = subjects.map { Result<Figure, MissingDependency>.success(Figure(unit: $0.unit)) }
        for _ in 0..<repeats {
            for (index, subject) in subjects.enumerated() {
                guard case .success(var figure) = results[index] else { continue }
                do {
                    figure.samples.append(try subject.sample())
                    results[index] = .success(figure)
                } catch let missing as MissingDependency {
                    results[index] = .failure(missing)
                }
            }
        }
        return results
    }
}

extension Result where Failure == MissingDependency {
    fileprivate var missing: MissingDependency? {
        if case .failure(let missing) = self { missing } else { nil }
    }
}

/// An error for something to measure that is not installed on this machine.
struct MissingDependency: Error {
    /// How to install it.
    var remedy: String
}

extension BenchmarkReport {
    /// The report as a table, followed by explanations of its rows.
    var text: String {
        var table = Table(
            .text(""),
            .figure("here"),
            .figure("allocations"),
            .text("against"),
            .figure("there"),
            .figure("ratio"),
            .figure("of minima"),
            .figure("target"),
            .text("met")
        )
        for row in rows {
            table.add(
                row.name,
                row.figure?.text ?? "-",
                row.allocations?.allocationText ?? "",
                row.peer ?? "",
                row.peerFigure?.text ?? (row.peer == nil ? "" : "-"),
                row.ratio?.ratioText ?? "",
                row.ratioOfMinima?.ratioText ?? "",
                row.target?.text ?? "",
                row.isMet.map { $0 ? "yes" : "NO" } ?? ""
            )
        }
        return """
            \(benchmark): \(summary)
            \(repeats == 1 ? "Each figure was taken once." : "Medians of \(repeats).")

            \(table.text)

            \(explanations)

            """
    }

    /// The descriptions of rows and peers, without repetitions, and how to install missing dependencies.
    private var explanations: String {
        var lines: [String] = []
        for row in rows where !row.about.isEmpty { lines.append("  \(row.name): \(row.about)") }
        for row in rows where !row.peerAbout.isEmpty { lines.append("  against \(row.peer ?? ""): \(row.peerAbout)") }
        for row in rows {
            if let remedy = row.remedy { lines.append("  not measured: \(row.peer ?? row.name); \(remedy)") }
        }
        var seen: Set<String> = []
        return lines.filter { seen.insert($0).inserted }.joined(separator: "\n")
    }
}

extension Double {
    /// The ratio with its significant digits.
    fileprivate var ratioText: String {
        text(self < 0.1 ? 3 : self < 100 ? 2 : 0)
    }

    /// The number, with two decimal places unless it is an integer.
    fileprivate var allocationText: String {
        let isWhole = (self - rounded()).magnitude < 0.005
        return text(isWhole ? 0 : 2)
    }
}

extension BenchmarkReport.Target {
    var text: String {
        switch self {
        case .ratio(let limit): "≤ \(limit.text(limit < 1 ? 2 : 1))"
        case .nanoseconds(let limit): "≤ \(limit.text(0)) ns"
        case .bytes(let limit): "≤ \(limit.text(0)) B"
        }
    }
}

extension BenchmarkReport {
    /// Returns the rows of reports as one JSON array. Objects omit what their row does not have.
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
        /// The medians. A row has times, sizes or instructions.
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
        var target: Double?
        /// The highest accepted figure.
        var targetNanoseconds: Double?
        var targetBytes: Double?
        var isMet: Bool?
        /// The reason why a figure is missing.
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
            switch row.target {
            case .ratio(let limit): target = limit
            case .nanoseconds(let limit): targetNanoseconds = limit
            case .bytes(let limit): targetBytes = limit
            case nil: break
            }
            isMet = row.isMet
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
