/// The options of the command line.
struct Options: Sendable {
    var seconds = 240
    var seed: UInt64 = 1
    var fault: ClientFault?
    /// The folder for files; nil for a temporary folder, which is removed unless there are violations.
    var folder: String?

    /// Whether the run is long enough for each kind of disturbance.
    var isLong: Bool { seconds >= 60 }

    static let usage = """
        FleetProof proves that the clients of a store in etcd lose nothing, whatever fails.

        usage: FleetProof [--seconds N] [--seed N] [--fault NAME] [--folder FOLDER]

        A cluster of three members runs on this machine. Two client processes write, remove, count by 'update', write two
        keys in one batch, read and watch, with several threads over one store each, and a second store that only watches.
        In the meantime,
          - members are suspended (SIGSTOP), or killed and restarted: followers and the leader, mostly one at a time,
            sometimes two, so that the rest has no majority, and sometimes all three
          - the links of clients are cut, so that connections are closed, or silently, so that nothing gets through
          - the history is compacted while a client is cut off, which must then read everything again
          - each client is killed once, and starts again without a network, with the values of its cache
        At the end everything works again. No acknowledged write may be lost, no increment lost or made twice, and no copy
        may go back in time; each store, observer and watcher must end on the values that etcdctl prints, and an order of
        the calls must explain what each of them read.

          --seconds N      the duration, from 1. Default: 240. Shorter runs than a minute have shorter disturbances, and
                           not all kinds of them. A run continues until enough has happened
          --seed N         the seed of random numbers. Default: 1. It determines the calls and disturbances, not their
                           moments
          --fault NAME     a fault of the clients, to verify that the proof finds it:
                           \(ClientFault.allCases.map(\.rawValue).joined(separator: ", "))
          --folder FOLDER  the folder for the logs of the clients and their caches. Default: a temporary folder, which is
                           kept if there are violations

        Requires Linux with etcd and etcdctl (Debian: etcd-server, etcd-client; Tests/install-etcd) and python3.
        Exit status: 0 no violations, 1 violations, 2 invalid arguments.

        """

    /// Returns nil for invalid arguments.
    init?(_ arguments: some Sequence<String>) {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            guard let value = arguments.next() else { return nil }
            switch argument {
            case "--seconds":
                guard let number = Int(value), number > 0 else { return nil }
                seconds = number
            case "--seed":
                guard let number = UInt64(value) else { return nil }
                seed = number
            case "--fault":
                guard let fault = ClientFault(rawValue: value) else { return nil }
                self.fault = fault
            case "--folder": folder = value
            default: return nil
            }
        }
    }
}

/// A fault of a client, which the proof must find.
enum ClientFault: String, CaseIterable, Codable {
    /// Some changes are acknowledged, and made later.
    case acknowledgesEarly = "acknowledges-early"
    /// Counters are read and then set, without `update`.
    case countsByApplying = "counts-by-applying"
    /// The two keys of a batch are set one after the other.
    case splitsBatches = "splits-batches"
    /// Some increments are repeated, as if an answer had been lost.
    case repeatsCalls = "repeats-calls"
    /// Observers and watchers ignore the changes after the first ones.
    case ignoresChanges = "ignores-changes"
}
