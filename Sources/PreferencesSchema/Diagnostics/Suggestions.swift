/// Finds what misspelt names may have been meant to be.
package struct Suggestions {
    /// How many more candidates are compared. A file with thousands of misspelt names is not corrected one suggestion at a
    /// time, and comparing each with thousands of candidates would take minutes.
    private(set) var budget = 20_000

    package init() {}

    /// The candidate nearest to `name`, or nil where none is near enough to be worth naming.
    ///
    /// Near is: the same but for case and punctuation, or at most a third of the letters changed, dropped, added or
    /// swapped with their neighbour (the optimal string alignment distance: Boytsov, "Indexing methods for approximate
    /// dictionary searching", ACM JEA 16, 2011, §2.2). Where there is none, it is the only one of which `name` is the
    /// first half or more, or the other way round.
    ///
    /// - Parameter candidates: These are not even listed once the budget is spent.
    package mutating func nearest<Candidates: Collection<String>>(
        to name: String,
        among candidates: @autoclosure () -> Candidates
    ) -> String? {
        // Longer than anything that a person mistypes: comparing would cost more than it helps.
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
        return nearest?.name ?? Self.onlyOne(of: candidates, beginningLike: wanted)
    }

    /// In letters: shorter ones are those of too many words.
    private static let leastBeginning = 3

    private static func onlyOne(
        of candidates: [(name: String, letters: [Character])],
        beginningLike wanted: [Character]
    ) -> String? {
        let alike = candidates.filter { candidate in
            let isShorter = candidate.letters.count < wanted.count
            let (shorter, longer) = isShorter ? (candidate.letters, wanted) : (wanted, candidate.letters)
            return shorter.count >= max(leastBeginning, (longer.count + 1) / 2) && longer.starts(with: shorter)
        }
        return alike.count == 1 ? alike.first?.name : nil
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
