import Foundation

// Compares this package with named peers. Because machines differ and are shared, the important figures are ratios of
// two measurements that alternate in one run.

do {
    let options = try Options(CommandLine.arguments.dropFirst())
    if let (holder, keyCount) = options.memory {
        print(holder.bytesPerKey(keyCount).map { "\($0)" } ?? "")
        exit(0)
    }
    if let (operation, count) = options.operation {
        try operation.run(count: count)
        exit(0)
    }
    if let (endpoint, prefix, storeCount) = options.watcher {
        try Fleet.watch(endpoint: endpoint, prefix: prefix, storeCount: storeCount)
    }
    if options.wantsHelp {
        print(Help.text)
        exit(0)
    }
    let chosen = Benchmark.all.filter { options.filter.isEmpty || $0.name.contains(options.filter) }
    guard !chosen.isEmpty else { throw Options.Fault(message: "no benchmark has '\(options.filter)' in its name") }
    var reports: [BenchmarkReport] = []
    for benchmark in chosen {
        let report = try benchmark.run(repeats: options.repeats)
        if !options.wantsJSON { print(report.text) }
        reports.append(report)
    }
    if options.wantsJSON { print(try BenchmarkReport.json(reports)) }
} catch let fault as Options.Fault {
    FileHandle.standardError.write(Data("Benchmarks: \(fault.message); see --help\n".utf8))
    exit(2)
} catch {
    FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
    exit(1)
}
