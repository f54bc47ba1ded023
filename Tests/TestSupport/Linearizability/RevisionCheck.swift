extension History {
    /// The first contradiction between the revisions, times and values of acknowledged calls; nil if there is none.
    ///
    /// It searches nothing, and its time grows linearly with the history, and with the number of unknown calls for a
    /// key. It accepts each value that an unknown write, followed by unknown increments, could explain; only where a
    /// key has no unknown writes does it count each increment once.
    package var revisionViolation: HistoryViolation? {
        if let violation = timeViolation ?? claimViolation ?? orderViolation ?? sessionViolation { return violation }
        for (key, entries) in byKey {
            var values = RevisionValues(key: key, entries: entries, origin: origin)
            if let violation = values.violation() { return violation }
        }
        return nil
    }

    private func violation(_ message: String, _ entries: HistoryEntry...) -> HistoryViolation {
        HistoryViolation(message, entries, origin: origin)
    }

    /// An acknowledged call without an end, or with one before its start.
    private var timeViolation: HistoryViolation? {
        entries.first { $0.outcome == .ok && ($0.end ?? .min) < $0.start }.map {
            violation("an acknowledged call does not end after its start", $0)
        }
    }

    /// Two calls that claim to have made the same revision. One call makes one revision with all its keys.
    private var claimViolation: HistoryViolation? {
        var claims: [Int64: HistoryEntry] = [:]
        for entry in entries where entry.isAcknowledgedChange {
            guard let revision = entry.revision else { continue }
            guard let other = claims.updateValue(entry, forKey: revision) else { continue }
            if (other.client, other.call) != (entry.client, entry.call) || other.key == entry.key {
                return violation("two calls claim to have made revision \(revision)", other, entry)
            }
        }
        return nil
    }

    /// A call that began after another one had ended, and has an earlier revision.
    private var orderViolation: HistoryViolation? {
        let placed = entries.filter { entry in
            if case .sessionRead = entry.operation { return false }
            return entry.outcome == .ok && entry.revision != nil
        }
        return firstPair(in: placed) { earlier, later in
            let (before, after) = (earlier.revision ?? 0, later.revision ?? 0)
            if later.isAcknowledgedChange {
                return after > before ? nil : "a later change made revision \(after), which is not above \(before)"
            }
            return after >= before ? nil : "a later read was at revision \(after), which is below \(before)"
        }
    }

    /// A read of a client's own copy that went back, or that ended before the change that it read began.
    private var sessionViolation: HistoryViolation? {
        let reads = entries.filter { entry in
            guard case .sessionRead = entry.operation else { return false }
            return entry.outcome == .ok && entry.revision != nil
        }
        for (_, reads) in Dictionary(grouping: reads, by: \.client).sorted(by: { $0.key < $1.key }) {
            let violation = firstPair(in: reads) { earlier, later in
                let (before, after) = (earlier.revision ?? 0, later.revision ?? 0)
                return after >= before ? nil : "a client's copy went back from revision \(before) to \(after)"
            }
            if let violation { return violation }
        }
        // For each revision, the change up to it that began last.
        var changes = entries.filter { $0.isAcknowledgedChange && $0.revision != nil }
        changes.sort { ($0.revision ?? 0) < ($1.revision ?? 0) }
        var (last, next): (HistoryEntry?, Int) = (nil, 0)
        for read in reads.sorted(by: { ($0.revision ?? 0) < ($1.revision ?? 0) }) {
            while next < changes.count, (changes[next].revision ?? 0) <= (read.revision ?? 0) {
                if (last?.start ?? .min) < changes[next].start { last = changes[next] }
                next += 1
            }
            if let last, let end = read.end, end < last.start {
                let change = "the change at revision \(last.revision ?? 0)"
                return violation("a read at revision \(read.revision ?? 0) ended before \(change) began", read, last)
            }
        }
        return nil
    }

    /// Compares each entry with the one of the highest revision among those that had ended before it began.
    ///
    /// - Parameters:
    ///   - entries: Entries in the order of their starts, with ends and revisions.
    ///   - message: Returns a message if the two entries contradict each other.
    private func firstPair(
        in entries: [HistoryEntry],
        _ message: (HistoryEntry, HistoryEntry) -> String?
    ) -> HistoryViolation? {
        let ended = entries.sorted { ($0.end ?? 0) < ($1.end ?? 0) }
        var (highest, next): (HistoryEntry?, Int) = (nil, 0)
        for entry in entries {
            while next < ended.count, (ended[next].end ?? 0) < entry.start {
                if (highest?.revision ?? .min) < (ended[next].revision ?? 0) { highest = ended[next] }
                next += 1
            }
            if let highest, let message = message(highest, entry) { return violation(message, highest, entry) }
        }
        return nil
    }
}

/// The values of one key in the order of the revisions.
private struct RevisionValues {
    private let key: String
    private let entries: [HistoryEntry]
    private let origin: Int64
    /// The starts of increments without a known revision, sorted.
    private let increments: [Int64]
    /// The first start of the changes without a known revision that write a value.
    private var firstWrites: [String?: Int64] = [:]

    /// The last change with a known revision, and its value.
    private var last: HistoryEntry?
    private var value: String?
    /// The increments without a known revision since the last change, and before it, that were seen.
    private var increased = 0
    private var increasedBefore = 0

    init(key: String, entries: [HistoryEntry], origin: Int64) {
        (self.key, self.entries, self.origin) = (key, entries, origin)
        let unplaced = entries.filter { $0.change != nil && $0.revision == nil && $0.outcome != .failed }
        increments = unplaced.filter { if case .increment = $0.operation { true } else { false } }.map(\.start).sorted()
        for entry in unplaced {
            guard case .write(let value) = entry.operation else { continue }
            firstWrites[value] = min(entry.start, firstWrites[value] ?? .max)
        }
    }

    mutating func violation() -> HistoryViolation? {
        let placed = entries.filter { $0.outcome == .ok && $0.revision != nil }.sorted {
            // A change comes before the reads of its revision.
            ($0.revision ?? 0, $0.isAcknowledgedChange ? 0 : 1, $0.start)
                < ($1.revision ?? 0, $1.isAcknowledgedChange ? 0 : 1, $1.start)
        }
        var lastRead: HistoryEntry?
        for entry in placed {
            if let observation = entry.observation {
                if let lastRead, let other = lastRead.observation, lastRead.revision == entry.revision,
                    other != observation
                {
                    let values = "\(other.text) and \(observation.text)"
                    return violation(
                        "two reads of '\(key)' at revision \(entry.revision ?? 0) found \(values)",
                        lastRead,
                        entry
                    )
                }
                if !explains(observation, by: entry) { return contradiction(observation, entry) }
            }
            if entry.isAcknowledgedChange {
                (last, lastRead) = (entry, nil)
                if case .value(let value) = entry.change { self.value = value }
                (increasedBefore, increased) = (increasedBefore + increased, 0)
            } else {
                lastRead = entry
            }
        }
        return nil
    }

    /// Returns whether a call can have read a value after the last change, and takes note of the increments that it
    /// needs.
    private mutating func explains(_ observation: HistoryEntry.Observation, by entry: HistoryEntry) -> Bool {
        let count = observation.increments(after: value)
        // No other change has the revision of the last one.
        if !entry.isAcknowledgedChange, entry.revision == last?.revision, last != nil { return count == 0 }
        let end = entry.end ?? .max
        let available = increments.prefix { $0 <= end }.count
        if firstWrites.isEmpty {
            guard let count, count >= increased, increasedBefore + count <= available else { return false }
            increased = count
            return true
        }
        if let count, count <= available { return true }
        return firstWrites.contains { value, start in
            guard start <= end, let count = observation.increments(after: value) else { return false }
            return count <= available
        }
    }

    private func contradiction(_ observation: HistoryEntry.Observation, _ entry: HistoryEntry) -> HistoryViolation {
        let (reason, failed) = entries.origin(of: observation)
        let call = entry.isAcknowledgedChange ? "a change" : "a read"
        let current = increased == 0 ? value : value.number.map { String($0 + increased) }
        let unknown = entries.unknownChanges(before: entry)
        let involved = ([failed, last, entry].compactMap(\.self) + unknown).sorted { $0.start < $1.start }
        return HistoryViolation(
            "\(call) of '\(key)' at revision \(entry.revision ?? 0) found \(observation.text)\(reason); "
                + "the value was \(current.quoted)",
            involved,
            origin: origin
        )
    }

    private func violation(_ message: String, _ entries: HistoryEntry...) -> HistoryViolation {
        HistoryViolation(message, entries, origin: origin)
    }
}
