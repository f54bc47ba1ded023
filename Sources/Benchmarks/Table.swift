import Foundation

/// Rows of text in columns: the first is flush left, the others, which are of figures, flush right.
struct Table {
    private var rows: [[String]]

    init(_ titles: String...) {
        rows = [titles]
    }

    /// Adds a row of as many cells as there are titles.
    mutating func add(_ cells: String...) {
        precondition(cells.count == rows[0].count, "a row has \(cells.count) cells")
        rows.append(cells)
    }

    func print() {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + space : space + cell
            }
            Swift.print("  " + cells.joined(separator: "  "))
        }
    }
}

extension Double {
    /// The number with so many digits behind its point.
    func text(_ digits: Int) -> String {
        formatted(.number.precision(.fractionLength(digits)).locale(.figures))
    }
}

extension Int {
    /// The number with its thousands apart.
    var text: String { formatted(.number.locale(.figures)) }
}

extension Locale {
    fileprivate static let figures = Locale(identifier: "en_GB")
}
