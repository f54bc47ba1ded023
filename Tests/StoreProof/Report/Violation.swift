/// Something that a proof found not to hold.
struct Violation: Sendable, CustomStringConvertible {
    let proof: String
    let store: ProvenStore
    let seed: UInt64
    /// Which round or case: `round 12 with 1,000 keys`, `case 7, truncated to 31 bytes`.
    let round: String
    /// What was found, and what was to be expected.
    let found: String
    /// Where the files of that round are now.
    var folder: String?

    var description: String {
        let kept = folder.map { "; its files are kept in \($0)" } ?? ""
        return "\(store.rawValue), \(proof), seed \(seed), \(round): \(found)\(kept)"
    }
}
