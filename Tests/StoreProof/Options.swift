/// The program's command line.
struct Options: Sendable {
    /// What is proved, or all of it.
    enum Proof: String, CaseIterable {
        case kill, processes, damage, faults
    }

    var proofs = Proof.allCases
    var stores = ProvenStore.sound
    var seed: UInt64 = 1
    /// Of `kill`, for each number of keys; nil for as many as the form has.
    var rounds: Int?
    /// Of `kill`: how many keys the store has; of `processes`: how many each process sets. Nil for those of the form.
    var keys: Int?
    /// After so many seconds a proof begins nothing more; nil for as long as it takes.
    var seconds: Double?
    var isLong = false
    /// Whether the table is printed as it stands in the documentation.
    var isMarkdown = false
    /// The library that makes system calls fail; nil where there is none.
    var layer: String?
    /// Where the files are; nil for a folder of their own, which is removed unless something is to be seen there.
    var folder: String?

    static let usage = """
        StoreProof kills, crowds, damages and starves the stores that keep preferences, and checks what is left.

        usage: StoreProof kill        kill -9 at random moments: what was acknowledged is there, and batches are whole
               StoreProof processes   many processes write one file: nothing is lost
               StoreProof damage      files cut, flipped and replaced: no crash, and the user's bytes are kept
               StoreProof faults      system calls that fail, one after the other, and disks that are full: no crash,
                                      and what was set is written once the fault is gone
               StoreProof all         all of these

          --store NAME     one store, may be repeated; by default all that are sound:
                           \(ProvenStore.sound.map(\.rawValue).joined(separator: ", "))
                           Others are at fault, each in its own way, to see that it is found:
                           \(ProvenStore.faulty.prefix(3).map(\.rawValue).joined(separator: ", ")),
                           \(ProvenStore.faulty.dropFirst(3).map(\.rawValue).joined(separator: ", "))
          --seed N         other random numbers; 1 by default. What is found is found again with the same seed, except
                           that moments of kill -9 depend on the machine
          --rounds N       how often is killed, for each number of keys and each store
          --keys N         how many keys the store has that is killed, or how many each process sets
          --seconds N      begin nothing more after so many seconds, in each proof
          --long           the long form: 500 rounds, all lengths and 2,000 flipped bits; an hour
          --layer FILE     the library that makes system calls fail; Tests/prove-stores builds it. Without, that part of
                           faults is a violation, not left out
          --folder FOLDER  where the files are made; by default a temporary folder
          --markdown       print the table as it stands in the documentation

        Ends with 0 where everything held, with 1 where something did not, and with 2 for arguments that make no sense.
        What did not hold is printed with the seed and the round, and the files of that round are kept.

        """

    /// Nil where the arguments make no sense.
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
