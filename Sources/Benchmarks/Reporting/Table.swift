import Foundation

/// The samples of a measurement.
struct Figure {
    enum Unit {
        case nanoseconds
        case bytes
        case instructions
    }

    var unit = Unit.nanoseconds
    var samples: [Double] = []

    var median: Double { samples.sorted()[samples.count / 2] }
    /// The smallest sample, which is the least disturbed one.
    var minimum: Double { samples.min() ?? .nan }

    /// The median, with its unit.
    var text: String { unit.text(median) }
}

extension Figure.Unit {
    /// Returns a number in the unit that makes it shortest. Instructions are written out below a million.
    func text(_ number: Double) -> String {
        if self == .instructions, number.magnitude < 1e6 { return Int(number.rounded()).text }
        let (step, names) =
            switch self {
            case .nanoseconds: (1000.0, ["ns", "µs", "ms", "s"])
            case .bytes: (1024.0, ["B", "KiB", "MiB", "GiB"])
            case .instructions: (1000.0, ["", "thousand", "million", "billion"])
            }
        var number = number
        var name = 0
        while number.magnitude >= step, name < names.count - 1 {
            number /= step
            name += 1
        }
        return "\(number.text(number.magnitude < 10 ? 2 : number.magnitude < 100 ? 1 : 0)) \(names[name])"
    }
}

/// A table of text.
struct Table {
    /// A column's title and alignment: text is aligned left, figures right.
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

    /// The titles and the rows. Empty columns are omitted.
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
    /// Returns the number with a number of decimal places.
    func text(_ digits: Int) -> String {
        formatted(.number.precision(.fractionLength(digits)).locale(.figures))
    }
}

extension Int {
    /// The number with thousands separators.
    var text: String { formatted(.number.locale(.figures)) }
}

extension Locale {
    fileprivate static let figures = Locale(identifier: "en_GB")
}
