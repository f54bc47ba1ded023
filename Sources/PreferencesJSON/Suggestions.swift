/// Finds the names that misspelled ones were meant to be.
package struct Suggestions {
    /// The number of candidates that may still be compared. Suggestions do not help with a file of thousands of
    /// misspelled names, for which comparing each with thousands of candidates would take minutes.
    private(set) var budget = 20_000

    package init() {}

    /// Returns the candidate nearest to a name, or nil if none is near enough.
    ///
    /// A candidate is near if it equals the name but for case and punctuation, or if at most a third of the letters
    /// are substituted, removed, added or transposed (the optimal string alignment distance: Boytsov, "Indexing
    /// methods for approximate dictionary searching", ACM JEA 16, 2011, §2.2). If there is none, the result is the
    /// only candidate of which the name is a prefix of at least half its length, or the other way round.
    ///
    /// - Parameter candidates: The candidates, evaluated only while the budget lasts.
    package mutating func nearest<Candidates: Collection<String>>(
        to name: String,
        among candidates: @autoclosure () -> Candidates
    ) -> String? {
        // Comparing names longer than anyone mistypes would cost more than it helps.
        guard name.utf8.count <= 64, budget > 0 else { return nil }
        let candidates = candidates().map { (name: $0, letters: Self.folded($0)) }
        budget -= candidates.count
        let wanted = Self.folded(name)
        let limit = max(1, wanted.count / 3)
        let nearest =
            candidates
            .compactMap { candidate -> (name: String, distance: Int)? in
                guard abs(candidate.letters.count - wanted.count) <= limit else { return nil }
                return (candidate.name, Self.distance(wanted, candidate.letters))
            }
            .filter { $0.distance <= limit && $0.distance < wanted.count }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return nearest?.name ?? Self.uniquePrefixMatch(in: candidates, for: wanted)
    }

    /// In letters. Shorter prefixes match too many words.
    private static let minimumPrefixLength = 3

    private static func uniquePrefixMatch(
        in candidates: [(name: String, letters: [Character])],
        for wanted: [Character]
    ) -> String? {
        let matches = candidates.filter { candidate in
            let isShorter = candidate.letters.count < wanted.count
            let (shorter, longer) = isShorter ? (candidate.letters, wanted) : (wanted, candidate.letters)
            return shorter.count >= max(minimumPrefixLength, (longer.count + 1) / 2) && longer.starts(with: shorter)
        }
        return matches.count == 1 ? matches.first?.name : nil
    }

    private static func folded(_ name: String) -> [Character] {
        name.lowercased().filter { $0.isLetter || $0.isNumber || "[]<>:?".contains($0) }
    }

    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
        var beforePrevious: [Int] = []
        var previous = Array(0...second.count)
        for row in 1...first.count {
            var current = [row]
            for column in 1...second.count {
                let substitution = previous[column - 1] + (first[row - 1] == second[column - 1] ? 0 : 1)
                var best = min(previous[column] + 1, current[column - 1] + 1, substitution)
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    best = min(best, beforePrevious[column - 2] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[second.count]
    }
}
