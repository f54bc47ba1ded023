import Foundation

/// The result of a proof of a store, which is a row of the table.
struct ProofResult: Sendable {
    let store: ProvenStore
    /// The proof: `killed, 1,000 keys`.
    let what: String
    /// The number of rounds or cases.
    var count = 0
    /// A remark: `412 inside of a write`.
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

    /// The table of the documentation.
    var markdown: String {
        ([Self.titles, Self.titles.map { _ in "---" }] + cells)
            .map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }

    /// The table in columns.
    var table: String {
        let rows = [Self.titles] + cells
        let widths = Self.titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let line = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
            return line.joined(separator: "  ").replacing(#/ +$/#, with: "") + "\n"
        }.joined()
    }
}

/// A broken promise that a proof has found.
struct Violation: Sendable, CustomStringConvertible {
    let proof: String
    let store: ProvenStore
    let seed: UInt64
    /// The round or case: `round 12 with 1,000 keys`, `case 7, truncated to 31 bytes`.
    let round: String
    /// The found and the expected result.
    let found: String
    /// The path of the round's files.
    var folder: String?

    var description: String {
        let kept = folder.map { "; its files are kept in \($0)" } ?? ""
        return "\(store.rawValue), \(proof), seed \(seed), \(round): \(found)\(kept)"
    }
}

/// Reports progress on standard error: a line that is updated on a terminal, otherwise a line every ten seconds.
final class Progress {
    private let label: String
    private var last = ContinuousClock.now
    private static let isTerminal = isatty(2) == 1

    init(_ label: String) {
        self.label = label
        Self.write("\(label)\n")
    }

    func note(_ done: Int, of total: Int) {
        guard ContinuousClock.now - last > .seconds(Self.isTerminal ? 1 : 10) else { return }
        last = .now
        Self.write("  \(Figures.text(done)) of \(Figures.text(total))" + (Self.isTerminal ? "\r" : "\n"))
    }

    private static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}

/// Formats numbers.
enum Figures {
    /// `12,345`.
    static func text(_ number: Int) -> String {
        var digits = Array(String(number))
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return String(digits)
    }
}
