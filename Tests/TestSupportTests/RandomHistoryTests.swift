import TestSupport
import Testing

@Suite("Random histories of calls")
struct RandomHistoryTests {
    @Test("The search finds an order if and only if there is one", arguments: 0..<8 as Range<UInt64>)
    func orders(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var counts = [false: 0, true: 0]
        for _ in 0..<500 {
            let entries = (0..<7).map { HistoryEntry.random(call: $0, using: &random) }
            let expected = hasOrder(entries, value: nil)
            counts[expected, default: 0] += 1
            let isFound = History(entries).order() == .found
            #expect(isFound == expected, "\(entries)")
        }
        #expect(counts.values.allSatisfy { $0 > 25 }, "\(counts)")
    }

    /// Tries all orders of calls.
    private func hasOrder(_ entries: [HistoryEntry], value: String?) -> Bool {
        let acknowledged = entries.filter { $0.outcome == .ok }
        if acknowledged.isEmpty { return true }
        return entries.indices.contains { index in
            let entry = entries[index]
            if acknowledged.contains(where: { ($0.end ?? 0) < entry.start }) { return false }
            var others = entries
            others.remove(at: index)
            let number = value.map { Int($0) } ?? 0
            return switch entry.operation {
            case .sessionRead: hasOrder(others, value: value)
            case .read(let read): read == value && hasOrder(others, value: value)
            case .write(let value): hasOrder(others, value: value)
            case .increment(nil): number.map { hasOrder(others, value: "\($0 + 1)") } ?? false
            case .increment(let read?): read == number && hasOrder(others, value: "\(read + 1)")
            }
        }
    }

    @Test("A history of a correct store has no problems", arguments: 0..<60 as Range<UInt64>)
    func correctHistories(seed: UInt64) {
        let history = SimulatedStore.history(seed: seed, calls: 300)
        #expect(history.problems == [])
        #expect(history.entries.count == 300)
    }

    @Test("A history with a change that contradicts the others has problems", arguments: 0..<60 as Range<UInt64>)
    func brokenHistories(seed: UInt64) {
        let history = SimulatedStore.history(seed: seed, calls: 120)
        var random = SeededRandom(seed: ~seed)
        var count = 0
        for breakage in Breakage.allCases {
            guard let entries = breakage.applied(to: history.entries, using: &random) else { continue }
            count += 1
            let broken = History(entries)
            #expect(broken.revisionViolation != nil, "\(breakage)")
            if case .violation = broken.order() {
                #expect(breakage.changesValues, "\(breakage)")
            } else {
                #expect(!breakage.changesValues, "\(breakage)")
            }
        }
        #expect(count >= 4)
    }

    @Test("Twenty thousand calls of eight clients are checked")
    func longHistory() {
        let history = SimulatedStore.history(seed: 1, calls: 20_000)
        #expect(history.problems == [])
        #expect(Set(history.entries.map(\.key)).count == 10)
        var entries = history.entries
        guard
            let index = entries.lastIndex(where: { if case .read = $0.operation { $0.outcome == .ok } else { false } })
        else { return }
        entries[index].operation = .read("never")
        #expect(History(entries).problems.count == 2)
    }

    @Test("A search that would take too long says so")
    func undecided() {
        let writes = (0..<40).map { call in
            HistoryEntry(client: call, call: 0, key: "a", .write("\(call % 20)"), times: 0...100)
        }
        let reads = (0..<40).map { call in
            HistoryEntry(client: call, call: 1, key: "a", .read("\(call * 7 % 20)"), times: Int64(call)...Int64(call))
        }
        let entries = writes + reads + [HistoryEntry(client: 0, call: 2, key: "a", .read("20"), times: 101...102)]
        let stopped = "the search for an order of the calls for 'a' has stopped"
        #expect(
            History(entries).order(limit: 1_000)
                == .undecided(
                    """
                    \(stopped): there are more than 1000 configurations
                      client 0 read "20" from 'a', 0.000–0.000 ms
                    """
                )
        )
        let crowd = (0..<65).map { HistoryEntry(client: $0, call: 0, key: "a", .write("x"), times: 0...1) }
        #expect(
            History(crowd).order()
                == .undecided(
                    """
                    \(stopped): more than 64 calls overlap
                      client 64 wrote "x" to 'a', 0.000–0.000 ms
                    """
                )
        )
    }
}

extension HistoryEntry {
    /// Returns a call at any time between 0 and 20, with any of a few values.
    fileprivate static func random(call: Int, using random: inout SeededRandom) -> HistoryEntry {
        let values: [String?] = [nil, "0", "1", "2", "3"]
        let start = Int64.random(in: 0..<15, using: &random)
        let times = start...start + Int64.random(in: 0..<8, using: &random)
        let isUnknown = Int.random(in: 0..<4, using: &random) == 0
        let value = values.randomElement(using: &random) ?? nil
        let operation: Operation =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .write(value)
            case 1: .increment(from: isUnknown ? nil : Int.random(in: 0..<3, using: &random))
            default: isUnknown ? .write(value) : .read(value)
            }
        return HistoryEntry(client: call, call: 0, key: "a", operation, times: times, isUnknown ? .unknown : .ok)
    }
}

/// A correct store, each of whose calls takes effect at one moment.
private enum SimulatedStore {
    private static let clients = 8

    /// Returns a history of ten keys, of which half have values that are written once, and half have numbers that are
    /// only incremented. Some calls fail or are unknown.
    static func history(seed: UInt64, calls: Int) -> History {
        var random = SeededRandom(seed: seed)
        var times = Array(repeating: 0 as Int64, count: clients)
        /// The moment of each call's effect; nil if it has none.
        var planned: [(entry: HistoryEntry, moment: Int64?)] = []
        for call in 0..<calls {
            let client = call % clients
            let start = times[client] + .random(in: 1...2_000, using: &random)
            let moment = start + .random(in: 0...1_000, using: &random)
            let end = moment + .random(in: 0...1_000, using: &random)
            times[client] = end
            let operation = operation(call, using: &random)
            let (outcome, effect): (HistoryEntry.Outcome, Int64?) =
                switch (operation, Int.random(in: 0..<40, using: &random)) {
                case (.read, _), (.sessionRead, _): (.ok, moment)
                case (_, 0): (.failed, nil)
                case (_, 1): (.unknown, nil)
                case (_, 2): (.unknown, start + .random(in: 0...20_000, using: &random))
                default: (.ok, moment)
                }
            let key = "\(Int.random(in: 0..<5, using: &random))\(operation.isCount ? "n" : "v")"
            planned.append(
                (HistoryEntry(client: client, call: call, key: key, operation, times: start...end, outcome), effect)
            )
        }
        var store = State()
        let effective = planned.filter { $0.moment != nil }.sorted { ($0.moment ?? 0) < ($1.moment ?? 0) }
        return History(
            planned.filter { $0.moment == nil }.map(\.entry)
                + effective.map { store.perform($0.entry, using: &random) }
        )
    }

    private static func operation(_ call: Int, using random: inout SeededRandom) -> HistoryEntry.Operation {
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1, 2: .increment(from: nil)
        case 3, 4: .write("value \(call)")
        case 5: .write(nil)
        case 6, 7: .sessionRead(nil)
        default: .read(nil)
        }
    }

    private struct State {
        var revision: Int64 = 1
        /// The revisions and values of each key.
        var values: [String: [(revision: Int64, value: String?)]] = [:]
        /// The revisions of the clients' copies.
        var copies = Array(repeating: 1 as Int64, count: clients)

        func value(of key: String, at revision: Int64) -> String? {
            values[key]?.last { $0.revision <= revision }?.value
        }

        /// Returns the entry with what it has read, and its revision, if it is acknowledged.
        mutating func perform(_ entry: HistoryEntry, using random: inout SeededRandom) -> HistoryEntry {
            var entry = entry
            let current = value(of: entry.key, at: revision)
            var result: Int64? = revision
            switch entry.operation {
            case .read: entry.operation = .read(current)
            case .sessionRead:
                let copy = Int64.random(in: copies[entry.client]...revision, using: &random)
                (copies[entry.client], result) = (copy, copy)
                entry.operation = .sessionRead(value(of: entry.key, at: copy))
            case .write(nil) where current == nil: result = nil
            case .write(let value): result = change(entry.key, to: value)
            case .increment:
                let number = current.flatMap { Int($0) } ?? 0
                result = change(entry.key, to: "\(number + 1)")
                if entry.outcome == .ok { entry.operation = .increment(from: number) }
            }
            if entry.outcome == .ok { entry.revision = result }
            return entry
        }

        private mutating func change(_ key: String, to value: String?) -> Int64 {
            revision += 1
            values[key, default: []].append((revision, value))
            return revision
        }
    }
}

extension HistoryEntry.Operation {
    fileprivate var isCount: Bool {
        if case .increment = self { true } else { false }
    }
}

/// A change that certainly makes a correct history incorrect.
private enum Breakage: CaseIterable {
    /// A call reads a value that none has written.
    case inventedValue
    /// A call reads a value that was replaced before it began.
    case staleValue
    /// A call reads a value whose write began after it.
    case futureValue
    /// Two increments read the same number.
    case repeatedNumber
    /// A write that was read has failed.
    case failedWrite
    /// Two changes, one after the other, have each other's revision.
    case swappedRevisions
    /// Two changes have the same revision.
    case repeatedRevision
    /// A client's copy goes back.
    case earlierCopy

    /// Whether the values show it, without the revisions.
    var changesValues: Bool {
        switch self {
        case .inventedValue, .staleValue, .futureValue, .repeatedNumber, .failedWrite: true
        case .swappedRevisions, .repeatedRevision, .earlierCopy: false
        }
    }

    /// Returns the incorrect history; nil if the history has no calls that can be changed so.
    func applied(to entries: [HistoryEntry], using random: inout SeededRandom) -> [HistoryEntry]? {
        var entries = entries
        func pick(_ condition: (HistoryEntry) -> Bool) -> Int? {
            entries.indices.filter { entries[$0].outcome == .ok && condition(entries[$0]) }.randomElement(
                using: &random
            )
        }
        func isRead(_ entry: HistoryEntry) -> Bool {
            if case .read = entry.operation { true } else { false }
        }
        func isValueWrite(_ entry: HistoryEntry) -> Bool {
            if case .write(.some) = entry.operation { true } else { false }
        }
        func precedes(_ first: HistoryEntry, _ second: HistoryEntry) -> Bool { (first.end ?? 0) < second.start }
        func value(_ index: Int) -> String? {
            if case .write(let value) = entries[index].operation { value } else { nil }
        }
        switch self {
        case .inventedValue:
            guard let read = pick(isRead) else { return nil }
            entries[read].operation = .read("invented")
        case .staleValue:
            guard
                let write = pick({ first in
                    isValueWrite(first) && entries.contains { isRead($0) && isReplaced(first, before: $0) }
                }), let read = pick({ isRead($0) && isReplaced(entries[write], before: $0) })
            else { return nil }
            entries[read].operation = .read(value(write))
        case .futureValue:
            guard
                let read = pick({ read in
                    isRead(read) && entries.contains { isLater($0, than: read) }
                }), let write = pick({ isLater($0, than: entries[read]) })
            else { return nil }
            entries[read].operation = .read(value(write))
        case .repeatedNumber:
            guard let first = pick(\.operation.isCount),
                let second = pick({
                    $0.operation.isCount && $0.key == entries[first].key && $0.call != entries[first].call
                })
            else { return nil }
            entries[second].operation = entries[first].operation
        case .failedWrite:
            guard
                let write = pick({ write in
                    isValueWrite(write) && entries.contains { $0.operation == .read(written(by: write)) }
                })
            else { return nil }
            (entries[write].outcome, entries[write].revision) = (.failed, nil)
        case .swappedRevisions:
            guard let first = pick({ isChange($0) }),
                let second = pick({ isChange($0) && precedes(entries[first], $0) })
            else { return nil }
            (entries[first].revision, entries[second].revision) = (entries[second].revision, entries[first].revision)
        case .repeatedRevision:
            guard let first = pick({ isChange($0) }),
                let second = pick({ isChange($0) && $0.call != entries[first].call })
            else { return nil }
            entries[second].revision = entries[first].revision
        case .earlierCopy:
            guard let first = pick({ isCopyRead($0) && ($0.revision ?? 0) > 1 }),
                let second = pick({
                    isCopyRead($0) && $0.client == entries[first].client && precedes(entries[first], $0)
                })
            else { return nil }
            entries[second].revision = (entries[first].revision ?? 0) - 1
        }
        return entries

        func written(by entry: HistoryEntry) -> String? {
            if case .write(let value) = entry.operation { value } else { nil }
        }
        func isReplaced(_ first: HistoryEntry, before read: HistoryEntry) -> Bool {
            entries.contains {
                $0.outcome == .ok && isValueWrite($0) && $0.key == first.key && read.key == first.key
                    && precedes(first, $0) && precedes($0, read)
            }
        }
        func isLater(_ write: HistoryEntry, than read: HistoryEntry) -> Bool {
            write.outcome == .ok && isValueWrite(write) && write.key == read.key && precedes(read, write)
        }
        func isChange(_ entry: HistoryEntry) -> Bool {
            entry.revision != nil && (entry.operation.isCount || written(by: entry) != nil)
        }
        func isCopyRead(_ entry: HistoryEntry) -> Bool {
            if case .sessionRead = entry.operation { true } else { false }
        }
    }
}
