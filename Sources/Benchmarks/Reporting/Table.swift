import Foundation

/// Rows of text in columns.
struct Table {
    /// A column's title, and to which side its cells are flush: text to the left, figures to the right.
    enum Column {
        case text(String)
        case figure(String)
    }

    private let columns: [Column]
    private var rows: [[String]]

    init(_ columns: Column...) {
        self.columns = columns
        rows = [
            columns.map { column in
                switch column {
                case .text(let title), .figure(let title): title
                }
            }
        ]
    }

    /// Adds a row of as many cells as there are columns.
    mutating func add(_ cells: String...) {
        precondition(cells.count == columns.count, "a row has \(cells.count) cells")
        rows.append(cells)
    }

    /// The rows underneath the titles. Columns without a cell that has text are left out.
    var text: String {
        let shown = columns.indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
        let widths = columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = shown.map { index in
                let space = String(repeating: " ", count: widths[index] - row[index].count)
                return switch columns[index] {
                case .text: row[index] + space
                case .figure: space + row[index]
                }
            }
            return ("  " + cells.joined(separator: "  ")).replacing(/\s+$/, with: "")
        }
        .joined(separator: "\n")
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
