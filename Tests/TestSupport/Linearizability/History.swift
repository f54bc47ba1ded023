package import Foundation

/// The calls of the clients of a store, with two checks of whether the store is correct: by the revisions that it
/// reported, and without them, by a search for an order that explains all values.
///
/// The first check also sees what several keys, or stale reads, have to do with each other. The second one does not
/// believe the store's revisions.
package struct History: Sendable {
    /// The result of the search for an order.
    package enum Order: Hashable, Sendable {
        case found
        case violation(HistoryViolation)
        /// The search has reached its limit, for a reason.
        case undecided(String)
    }

    /// The entries in the order of their starts.
    package let entries: [HistoryEntry]

    package init(_ entries: [HistoryEntry]) {
        self.entries = entries.sorted { ($0.start, $0.client, $0.call) < ($1.start, $1.client, $1.call) }
    }

    /// Creates a history from logs, each of which has a line for each ``HistoryEntry/line``.
    ///
    /// A later line for a call replaces an earlier one. An incomplete last line is ignored: its writer was killed.
    package init(lines logs: [Data]) throws {
        struct Identity: Hashable {
            let client: Int
            let call: Int
            let key: String
        }
        var entries: [Identity: HistoryEntry] = [:]
        let decoder = JSONDecoder()
        for log in logs {
            var lines = log.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            lines.removeLast()
            for line in lines {
                let entry = try decoder.decode(HistoryEntry.self, from: line)
                entries[Identity(client: entry.client, call: entry.call, key: entry.key)] = entry
            }
        }
        self.init(Array(entries.values))
    }

    /// The descriptions of what both checks have found; empty if the history is correct.
    package var problems: [String] {
        let order: String? =
            switch order() {
            case .found: nil
            case .violation(let violation): violation.description
            case .undecided(let reason): reason
            }
        return [revisionViolation?.description, order].compactMap(\.self)
    }

    /// Searches for an order of the calls for each key in which each one takes effect between its start and its end,
    /// and reads the value of the last one before it. Reads of the clients' own copies are ignored.
    ///
    /// - Parameter limit: The number of configurations after which the search for one key ends. Default: a million,
    ///   which is reached only if very many calls for one key overlap, or if very many unknown calls write equal
    ///   values.
    package func order(limit: Int = 1_000_000) -> Order {
        for (key, entries) in byKey {
            let result = OrderSearch(key: key, entries: entries, origin: origin).run(limit: limit)
            if result != .found { return result }
        }
        return .found
    }

    /// The entries for each key, in the order of the keys.
    var byKey: [(key: String, entries: [HistoryEntry])] {
        Dictionary(grouping: entries, by: \.key).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    var origin: Int64 { entries.first?.start ?? 0 }
}

/// A proof that a history is not correct.
package struct HistoryViolation: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    /// The calls that contradict each other, or those around the first one that no order explains.
    package let entries: [HistoryEntry]
    private let origin: Int64

    init(_ message: String, _ entries: [HistoryEntry], origin: Int64) {
        (self.message, self.entries, self.origin) = (message, entries, origin)
    }

    package var description: String {
        ([message] + entries.map { "  " + $0.description(since: origin) }).joined(separator: "\n")
    }
}

extension [HistoryEntry] {
    /// Returns the reason why no call can have read a value, and the failed call that would have written it, if any.
    ///
    /// - Parameter entries: All entries for the key.
    func origin(of observation: HistoryEntry.Observation) -> (reason: String, failed: HistoryEntry?) {
        func writes(_ entry: HistoryEntry) -> Bool {
            switch entry.change {
            case .value(let value): observation.increments(after: value) == 0
            case .increment: observation.increments(after: "0") != nil
            case nil: false
            }
        }
        let writers = filter(writes)
        if writers.contains(where: { $0.outcome != .failed }) || observation.increments(after: nil) == 0 {
            return ("", nil)
        }
        guard let failed = writers.first else { return (", which no call wrote", nil) }
        return (", which only a failed call wrote", failed)
    }

    /// The last three changes that may have taken effect before a call without being acknowledged.
    func unknownChanges(before call: HistoryEntry) -> [HistoryEntry] {
        filter { $0.outcome == .unknown && $0.change != nil && $0.start <= call.end ?? .max }.suffix(3)
    }
}
