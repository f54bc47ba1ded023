/// The options of the command line.
struct Options: Sendable {
    /// A proof.
    enum Proof: String, CaseIterable {
        case kill, processes, damage, faults
    }

    var proofs = Proof.allCases
    var stores = ProvenStore.sound
    var seed: UInt64 = 1
    /// The rounds of `kill` for each number of keys; nil for the default.
    var rounds: Int?
    /// The number of keys of the store in `kill`, or of each process in `processes`; nil for the default.
    var keys: Int?
    /// The time limit of each proof in seconds; nil for none.
    var seconds: Double?
    var isLong = false
    /// Whether the table is printed in the documentation's format.
    var isMarkdown = false
    /// The path of the library that makes system calls fail; nil for none.
    var layer: String?
    /// The folder for files; nil for a temporary folder, which is removed unless there are violations.
    var folder: String?

    static let usage = """
        StoreProof proves that stores survive kills, concurrent writers, damaged files and failing system calls.

        usage: StoreProof kill        kills writers at random moments: acknowledged changes survive, batches are complete
               StoreProof processes   several processes write one file: no change is lost
               StoreProof damage      truncated, changed and replaced files: no crash, and the user's bytes are kept
               StoreProof faults      every system call fails, and disks are full: no crash, and changes are written
                                      after the fault
               StoreProof all         all of these

          --store NAME     a store; repeatable. Default: all correct stores:
                           \(ProvenStore.sound.map(\.rawValue).joined(separator: ", "))
                           Faulty stores verify the proofs:
                           \(ProvenStore.faulty.prefix(3).map(\.rawValue).joined(separator: ", ")),
                           \(ProvenStore.faulty.dropFirst(3).map(\.rawValue).joined(separator: ", "))
          --seed N         the seed of random numbers. Default: 1. Results are reproducible, except that the moments of
                           kills depend on the machine
          --rounds N       the number of kills for each number of keys and each store
          --keys N         the number of keys of a store in 'kill', or of each process in 'processes'
          --seconds N      the time limit of each proof
          --long           the long form: 500 rounds, all lengths and 2,000 flipped bits; an hour
          --layer FILE     the library that makes system calls fail, which Tests/prove-stores builds. Without it, 'faults'
                           reports a violation
          --folder FOLDER  the folder for files. Default: a temporary folder
          --markdown       print the table in the documentation's format

        Exit status: 0 no violations, 1 violations, 2 invalid arguments. Violations are printed with the seed and the
        round, whose files are kept.

        """

    /// Returns nil for invalid arguments.
    init?(_ arguments: some Sequence<String>) {
        var arguments = arguments.makeIterator()
        switch arguments.next() {
        case "all": break
        case let word?:
            guard let proof = Proof(rawValue: word) else { return nil }
            proofs = [proof]
        case nil: return nil
        }
        func number(atLeast minimum: Int = 1) -> Int? {
            arguments.next().flatMap { Int($0) }.flatMap { $0 >= minimum ? $0 : nil }
        }
        var chosen: [ProvenStore] = []
        while let argument = arguments.next() {
            switch argument {
            case "--long": isLong = true
            case "--markdown": isMarkdown = true
            case "--store":
                guard let store = arguments.next().flatMap(ProvenStore.init) else { return nil }
                chosen.append(store)
            case "--seed":
                guard let value = arguments.next().flatMap({ UInt64($0) }) else { return nil }
                seed = value
            case "--rounds", "--keys":
                guard let value = number() else { return nil }
                if argument == "--rounds" { rounds = value } else { keys = value }
            case "--seconds":
                guard let value = number() else { return nil }
                seconds = Double(value)
            case "--layer", "--folder":
                guard let value = arguments.next() else { return nil }
                if argument == "--layer" { layer = value } else { folder = value }
            default: return nil
            }
        }
        if !chosen.isEmpty { stores = chosen }
    }
}
