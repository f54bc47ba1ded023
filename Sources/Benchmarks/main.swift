import Foundation

// Compares what this package does with its named peers. Every figure that matters is a ratio of two that were measured in
// one run, in turn, as machines differ and are shared.

do {
    let options = try Options(CommandLine.arguments.dropFirst())
    if options.wantsHelp {
        let benchmarks = Benchmark.all.map { benchmark in
            let name = benchmark.name.padding(toLength: 17, withPad: " ", startingAt: 0)
            let lines = benchmark.summary.split(separator: "\n")
            return "  \(name)\(lines.joined(separator: "\n" + String(repeating: " ", count: 19)))"
        }
        print(
            """
            Measures this package against its peers.

            USAGE: swift run -c release Benchmarks [--filter NAME] [--repeats N]

              --filter NAME    Run only the benchmarks that have NAME in theirs.
              --repeats N      How often each figure is taken; medians are shown. Default: 5.

            BENCHMARKS:
            \(benchmarks.joined(separator: "\n"))
            """
        )
        exit(0)
    }
    let chosen = Benchmark.all.filter { options.filter.isEmpty || $0.name.contains(options.filter) }
    guard !chosen.isEmpty else { throw Options.Fault(message: "no benchmark has '\(options.filter)' in its name") }
    for benchmark in chosen { try benchmark.run(repeats: options.repeats) }
} catch let fault as Options.Fault {
    FileHandle.standardError.write(Data("Benchmarks: \(fault.message); see --help\n".utf8))
    exit(2)
} catch {
    FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
    exit(1)
}
