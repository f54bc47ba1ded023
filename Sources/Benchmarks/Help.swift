/// What `--help` says.
enum Help {
    static let text = """
        Measures this package against its peers.

        USAGE: swift run -c release Benchmarks [--filter NAME] [--repeats N] [--json]

          --filter NAME    Run only the benchmarks that have NAME in theirs.
          --repeats N      How often each figure is taken; medians are shown. Default: 5.
          --json           Print one JSON array instead, with an object for each row of each table.

        BENCHMARKS:
        \(benchmarks)

        Each prints a table and, underneath, what each of its rows measures:

          here        This package's figure: what one operation takes, or how many bytes a key takes.
          there       The figure of the peer that it was measured in turn with.
          ratio       The first divided by the second: below 1, this package takes less.
          of minima   The ratio of the best that each did. Where it is another, the machine was busy.
          bar         What the ratio, or the figure itself, is to be at most; and whether it is.

        A peer that is not installed is left out, with what to install. Bars that are not held do not change the exit
        status: machines are shared, and a figure of one run is no verdict.
        """

    private static var benchmarks: String {
        Benchmark.all.map { benchmark in
            let space = String(repeating: " ", count: 17 - benchmark.name.count)
            return "  \(benchmark.name)\(space)\(benchmark.summary)"
        }
        .joined(separator: "\n")
    }
}
