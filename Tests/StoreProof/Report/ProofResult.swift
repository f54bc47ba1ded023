import Foundation

/// What became of one proof of one store: a row of the table.
struct ProofResult: Sendable {
    let store: ProvenStore
    /// What was done: `killed, 1,000 keys`.
    let what: String
    /// How often it was done.
    var count = 0
    /// What it met on the way, for people: `412 inside of a write`.
    var remark = ""
    var violations: [Violation] = []
}

extension [ProofResult] {
    private static let titles = ["what", "store", "times", "lost or broken", "remarks"]

    private var cells: [[String]] {
        map { result in
            [
                result.what, result.store.title, Figures.text(result.count), Figures.text(result.violations.count),
                result.remark,
            ]
        }
    }

    /// As it stands in the documentation.
    var markdown: String {
        ([Self.titles, Self.titles.map { _ in "---" }] + cells)
            .map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }

    /// In columns.
    var table: String {
        let rows = [Self.titles] + cells
        let widths = Self.titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let line = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
            return line.joined(separator: "  ").replacing(#/ +$/#, with: "") + "\n"
        }.joined()
    }
}
