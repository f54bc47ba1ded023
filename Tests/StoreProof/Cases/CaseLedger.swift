/// What has become of cases, by what they count as.
struct CaseLedger {
    private(set) var results: [ProofResult] = []
    private let store: ProvenStore
    private var current = 0

    init(store: ProvenStore) {
        self.store = store
    }

    var violationCount: Int { results.reduce(0) { $0 + $1.violations.count } }

    /// Counts a case.
    mutating func begin(_ group: String) {
        if let index = results.firstIndex(where: { $0.what == group }) {
            current = index
        } else {
            current = results.count
            results.append(ProofResult(store: store, what: group))
        }
        results[current].count += 1
    }

    /// Adds what does not hold of the case that was begun last.
    mutating func add(_ violation: Violation) {
        if results.isEmpty { results.append(ProofResult(store: store, what: violation.proof)) }
        results[current].violations.append(violation)
    }

    /// Notes where the files are of that case.
    mutating func noteKept(_ folder: String) {
        for index in results[current].violations.indices.reversed() {
            guard results[current].violations[index].folder == nil else { break }
            results[current].violations[index].folder = folder
        }
    }
}
