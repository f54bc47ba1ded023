import Foundation

/// The options of the command line.
struct Options {
    var repeats = 5
    /// A part of the names of the benchmarks to run.
    var filter = ""
    var wantsJSON = false
    var wantsHelp = false
    /// The values to create in this process, if a benchmark has started it to measure their memory.
    var memory: (holder: MemoryHolder, keyCount: Int)?

    /// The operation to repeat in this process, if a benchmark has started it to count instructions and allocations.
    var operation: (operation: Operation, count: Int)?
    /// The stores to create in this process, if a benchmark has started it to watch etcd.
    var watcher: (endpoint: URL, prefix: String, storeCount: Int)?

    /// Internal options, with which benchmarks start this program.
    static let memoryOption = "--fill-memory"
    static let operationOption = "--repeat-operation"
    static let watcherOption = "--watch-etcd"

    struct Fault: Error {
        var message: String
    }

    init(_ arguments: some Sequence<String>) throws(Fault) {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--help", "-h":
                wantsHelp = true
            case "--json":
                wantsJSON = true
            case "--repeats":
                guard let count = rest.next().flatMap(Int.init), count > 0 else {
                    throw Fault(message: "'--repeats' requires a number above 0")
                }
                repeats = count
            case "--filter":
                guard let text = rest.next() else { throw Fault(message: "'--filter' requires a name") }
                filter = text
            case Self.memoryOption:
                guard let holder = rest.next().flatMap(MemoryHolder.init), let count = rest.next().flatMap(Int.init)
                else { throw Fault(message: "'\(Self.memoryOption)' requires a holder and a number of keys") }
                memory = (holder, count)
            case Self.operationOption:
                guard let operation = rest.next().flatMap(Operation.init), let count = rest.next().flatMap(Int.init)
                else { throw Fault(message: "'\(Self.operationOption)' requires an operation and a count") }
                self.operation = (operation, count)
            case Self.watcherOption:
                guard let endpoint = rest.next().flatMap({ URL(string: $0) }), let prefix = rest.next()
                else { throw Fault(message: "'\(Self.watcherOption)' requires an endpoint and a prefix") }
                watcher = (endpoint, prefix, rest.next().flatMap(Int.init) ?? 1)
            default:
                throw Fault(message: "unknown argument '\(argument)'")
            }
        }
    }
}

/// The output of `--help`.
enum Help {
    static let text = """
        Measures this package against its peers.

        USAGE: swift run -c release Benchmarks [--filter NAME] [--repeats N] [--json]

          --filter NAME    Run only the benchmarks whose names contain NAME.
          --repeats N      The number of samples of each figure; medians are shown. Default: 5.
          --json           Print one JSON array instead, with an object for each row of each table.

        BENCHMARKS:
        \(benchmarks)

        Each benchmark prints a table, followed by what each row measures. Columns without figures are omitted:

          here         This package's figure: the time of one operation, or the bytes of a key.
          allocations  The heap allocations of one operation.
          there        The figure of the peer, measured in turn with this package's.
          ratio        The first divided by the second: below 1, this package takes less.
          of minima    The ratio of the smallest samples. If it differs much, the machine was busy.
          target       The highest accepted ratio or figure.
          met          Whether the ratio or figure does not exceed the target.

        For a peer that is not installed, the report names the package to install. Missed targets do not change the exit
        status, because one run on a shared machine proves little.
        """

    private static var benchmarks: String {
        Benchmark.all.map { benchmark in
            let space = String(repeating: " ", count: 17 - benchmark.name.count)
            return "  \(benchmark.name)\(space)\(benchmark.summary)"
        }
        .joined(separator: "\n")
    }
}
