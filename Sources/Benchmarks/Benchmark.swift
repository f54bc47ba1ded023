import Foundation

/// A named group of comparisons.
struct Benchmark: Sendable {
    var name: String
    /// A description of the measurements, for the help and the report's heading.
    var summary: String
    private let measure: @Sendable (_ report: inout BenchmarkReport, _ folder: URL) throws -> Void

    init(
        _ name: String,
        _ summary: String,
        measure: @escaping @Sendable (_ report: inout BenchmarkReport, _ folder: URL) throws -> Void
    ) {
        self.name = name
        self.summary = summary
        self.measure = measure
    }

    /// Runs the benchmark in a temporary folder.
    func run(repeats: Int) throws -> BenchmarkReport {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var report = BenchmarkReport(name, summary: summary, repeats: repeats)
        do {
            try measure(&report, folder)
        } catch let missing as MissingDependency {
            report.add(BenchmarkReport.Row(name: name, about: summary, remedy: missing.remedy))
        }
        return report
    }
}

extension Benchmark {
    static let all = [
        Benchmark(
            "reads",
            "A read of a cached key on one thread, against properties behind a lock and stores of named values."
        ) { try Reads.run(&$0, in: $1) },
        Benchmark(
            "parallel-reads",
            "A read while another thread reads the same key, against properties behind a lock."
        ) { report, _ in try ParallelReads.run(&report) },
        Benchmark(
            "writes",
            "A set of a key without watchers, against the same peers."
        ) { try Writes.run(&$0, in: $1) },
        Benchmark(
            "counted-writes",
            "The instructions and allocations of one set, and of some reads."
        ) { try OperationCost.run(&$0, in: $1) },
        Benchmark(
            "durable-sets",
            "A set that is on the disk when it returns, with 10 to 100,000 keys, against the same by hand."
        ) { try DurableSets.run(&$0, in: $1) },
        Benchmark(
            "notifications",
            "A set of a key that is watched, against other ways to notify observers."
        ) { try Notifications.run(&$0, in: $1) },
        Benchmark(
            "watchers",
            "100,000 watchers of 10,000 keys, each of their steps, against 1,000 of 100 keys."
        ) { report, _ in try Watchers.run(&report) },
        Benchmark(
            "observation",
            "A read of a key that Observation can track, against its bare registrar."
        ) { report, _ in try ObservationCost.run(&report) },
        Benchmark(
            "opening",
            "From a file of 10 to 10,000 keys to the first value, against other readers of such files."
        ) { try Opening.run(&$0, in: $1) },
        Benchmark(
            "memory",
            "Resident memory for each of 10,000 and 100,000 keys, against other collections of named values."
        ) { try MemoryCost.run(&$0, in: $1) },
        Benchmark(
            "fleet",
            "Writes to etcd, their notification in another process, and the memory of watching clients, against etcdctl."
        ) { try Fleet.run(&$0, in: $1) },
        Benchmark(
            "compile-cost",
            "The compiler's user time for 1,000 generated accessors, and their code, against empty bodies, and with a catalogue."
        ) { try CompileCost.run(&$0, in: $1) },
        Benchmark(
            "clean-builds",
            "Clean builds of the generator, of the runtime, and of a package with one schema, with and without a prebuilt generator."
        ) { try CleanBuildCost.run(&$0, in: $1) },
        Benchmark(
            "executable-size",
            "The size of a stripped executable with one preference, and what each further library product adds to it."
        ) { try ExecutableSize.run(&$0, in: $1) },
        Benchmark(
            "generator-scale",
            "Whole runs of the generator, for keys in two shapes, against generators of other projects for the same keys."
        ) { try GeneratorScale.run(&$0, in: $1) },
        Benchmark(
            "output-cost",
            "Whole runs of the compiler for 10,000 generated accessors, against 1,000. A ratio of ten is linear."
        ) { try OutputCost.run(&$0, in: $1) },
    ]
}
