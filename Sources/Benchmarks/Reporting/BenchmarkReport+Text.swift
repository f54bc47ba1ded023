extension BenchmarkReport {
    /// The report as a table with explanations of its rows underneath.
    var text: String {
        var table = Table(
            .text(""),
            .figure("here"),
            .figure("allocations"),
            .text("against"),
            .figure("there"),
            .figure("ratio"),
            .figure("of minima"),
            .figure("bar"),
            .text("held")
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
                row.bar?.text ?? "",
                row.isHeld.map { $0 ? "yes" : "NO" } ?? ""
            )
        }
        return """
            \(benchmark): \(summary)
            \(repeats == 1 ? "Each figure was taken once." : "Medians of \(repeats).")

            \(table.text)

            \(explanations)

            """
    }

    /// What each row measures and each peer does, said once for all rows that share it; and how to get what is missing.
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
    /// The number with about as many digits as it is good for.
    fileprivate var ratioText: String {
        text(self < 0.1 ? 3 : self < 100 ? 2 : 0)
    }

    /// The number, with digits behind its point where an operation allocates less or more than a whole number on average.
    fileprivate var allocationText: String {
        let isWhole = (self - rounded()).magnitude < 0.005
        return text(isWhole ? 0 : 2)
    }
}

extension BenchmarkReport.Bar {
    var text: String {
        switch self {
        case .ratio(let limit): "≤ \(limit.text(limit < 1 ? 2 : 1))"
        case .nanoseconds(let limit): "≤ \(limit.text(0)) ns"
        case .bytes(let limit): "≤ \(limit.text(0)) B"
        }
    }
}
