import Foundation

/// One comparison, by the name that it is chosen with.
struct Benchmark: Sendable {
    var name: String
    /// What it measures, for the help.
    var summary: String
    var run: @Sendable (_ repeats: Int, _ folder: URL) throws -> Void

    static let all = [
        Benchmark(
            name: "compile-cost",
            summary: """
                The compiler's user time for 1,000 generated accessors of mixed types, public, in one module,
                against the same accessors with empty bodies; without optimisation and with it.
                """
        ) { try CompileCost(repeats: $0).run(in: $1) },
        Benchmark(
            name: "generator-scale",
            summary: """
                The generator's time and memory for 1,000 to 100,000 keys, against kconfig_compiler,
                glib-compile-schemas and protoc.
                """
        ) { try GeneratorScale(repeats: $0).run(in: $1) },
        Benchmark(
            name: "output-cost",
            summary: """
                The compiler's time and memory for 1,000 and 10,000 generated accessors of one namespace.
                """
        ) { try OutputCost(repeats: $0).run(in: $1) },
    ]

    /// Runs the benchmark in a folder that is its own.
    func run(repeats: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try run(repeats, folder)
    }
}
