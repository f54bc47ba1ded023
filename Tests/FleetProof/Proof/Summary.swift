import Foundation
import TestSupport

/// The figures of a run.
struct Summary: CustomStringConvertible {
    private let calls: [HistoryEntry]
    private let journal: Journal
    private let duration: Duration
    private let revision: Int64

    /// - Parameter entries: The entries of the history. A call for two keys has two.
    init(_ entries: [HistoryEntry], _ journal: Journal, _ duration: Duration, revision: Int64) {
        var seen: Set<[Int]> = []
        calls = entries.filter { seen.insert([$0.client, $0.call]).inserted }
        (self.journal, self.duration, self.revision) = (journal, duration, revision)
    }

    var description: String {
        let seconds = (duration / .seconds(1)).formatted(.number.precision(.fractionLength(0)))
        return """
            \(seconds) s, final revision \(revision), \(journal.offlineStarts) starts from the cache without a network

            \(table(callRows))

            \(table(disturbanceRows))

            \(latency)
            \(gaps)
            """
    }

    private var callRows: [[String]] {
        let kinds = ["read of the copy", "read of etcd", "write", "removal", "increment"]
        return [["calls", "acknowledged", "nothing changed", "unknown"]]
            + kinds.map { kind in
                let calls = calls.filter { $0.kind == kind }
                return [kind]
                    + [.ok, .failed, .unknown].map { outcome in String(calls.count { $0.outcome == outcome }) }
            }
    }

    private var disturbanceRows: [[String]] {
        [["disturbances", "times"]]
            + Disturbance.allCases.compactMap { kind in
                journal.disturbances[kind].map { [kind.rawValue, String($0)] }
            }
    }

    private func table(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// The slowest calls. Each includes the time in which it waited for other threads.
    private var latency: String {
        func slowest(_ outcome: HistoryEntry.Outcome) -> String {
            let times = calls.filter { $0.outcome == outcome }.compactMap { call in call.end.map { $0 - call.start } }
            return times.max().map(Self.seconds) ?? "none"
        }
        return "slowest call: \(slowest(.ok)) acknowledged, \(slowest(.failed)) with nothing changed, "
            + "\(slowest(.unknown)) unknown"
    }

    /// The times without an acknowledged change.
    private var gaps: String {
        let ends = calls.filter { $0.isChange && $0.outcome == .ok }.compactMap(\.end).sorted()
        let gaps = zip(ends, ends.dropFirst()).map { $1 - $0 }.filter { $0 > 1_000_000_000 }
        return "more than a second without an acknowledged change: \(gaps.count) times, "
            + "\(Self.seconds(gaps.reduce(0, +))) together, \(Self.seconds(gaps.max() ?? 0)) at most"
    }

    private static func seconds(_ nanoseconds: Int64) -> String {
        (Double(nanoseconds) / 1e9).formatted(.number.precision(.fractionLength(2))) + " s"
    }
}

extension HistoryEntry {
    fileprivate var kind: String {
        switch operation {
        case .sessionRead: "read of the copy"
        case .read: "read of etcd"
        case .write(nil): "removal"
        case .write: "write"
        case .increment: "increment"
        }
    }

    fileprivate var isChange: Bool {
        switch operation {
        case .read, .sessionRead: false
        case .write, .increment: true
        }
    }
}
