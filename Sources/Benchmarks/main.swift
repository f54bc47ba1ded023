import Foundation

// Compares what this package does with its named peers. Every figure that matters is a ratio of two that were measured in
// one run, in turn, as machines differ and are shared.

let arguments = CommandLine.arguments.dropFirst()
if arguments.contains("--help") || arguments.contains("-h") {
    print(
        """
        Measures this package against its peers.

        USAGE: swift run -c release Benchmarks [--repeats N]

          --repeats N    How often each figure is taken; medians are shown. Default: 5.

        BENCHMARKS:
          compile-cost   The compiler's user time for 1,000 generated accessors of mixed types, public, in one module,
                         against the same accessors with empty bodies; without optimisation and with it.
        """
    )
    exit(0)
}
let repeats: Int
switch (arguments.first, arguments.dropFirst().first.flatMap(Int.init), arguments.count) {
case (nil, _, _): repeats = 5
case ("--repeats", let count?, 2) where count > 0: repeats = count
default:
    FileHandle.standardError.write(Data("Benchmarks: unknown arguments; see --help\n".utf8))
    exit(2)
}

try CompileCost(repeats: repeats).run()
