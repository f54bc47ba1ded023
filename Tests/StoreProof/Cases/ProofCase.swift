import Foundation

/// One fault, and the check of what a store makes of it.
struct ProofCase {
    /// What it counts as in the table: `bits flipped`.
    let group: String
    /// What tells it from the others: `bit 4 of byte 217`.
    let name: String
    /// Is given an empty folder, and gives what does not hold, in words.
    let run: (_ folder: URL) throws -> [String]
}

/// How much is tried.
struct CaseForm {
    let isLong: Bool
    let seed: UInt64
}
