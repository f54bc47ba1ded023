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

        Each prints a table and, underneath, what each of its rows measures. Columns without figures are left out:

          here         This package's figure: the time of one operation, or the bytes of a key.
          allocations  The heap allocations of one operation.
          there        The figure of the peer, measured in turn with this package's.
          ratio        The first divided by the second: below 1, this package takes less.
          of minima    The ratio of the least samples. Where it differs much, the machine was busy.
          bar          The highest accepted ratio or figure.
          held         Whether it is at most that.

        A peer that is not installed is left out, with what to install. Bars that are not held do not change the exit
        status: machines are shared, and one run is no verdict.
        """

    private static var benchmarks: String {
        Benchmark.all.map { benchmark in
            let space = String(repeating: " ", count: 17 - benchmark.name.count)
            return "  \(benchmark.name)\(space)\(benchmark.summary)"
        }
        .joined(separator: "\n")
    }
}
