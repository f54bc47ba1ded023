import Foundation

/// What compiling the generator's output takes, and whether ten times the keys take ten times as much.
enum OutputCost {
    private static let keyCounts = [1_000, 10_000]

    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        let generator = ScaleTool.generator
        let files = try keyCounts.map { keyCount in
            let home = folder.appending(path: "\(keyCount)")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            _ = try ProcessCost(of: generator.foundPath, try generator.write(.oneGroup(keyCount), home))
            return home.appending(path: "Scale.preferences.swift")
        }
        for mode in SwiftCompiler.Mode.allCases {
            var costs: [[ProcessCost]] = [[], []]
            for _ in 0..<report.repeats {
                for (index, file) in files.enumerated() {
                    costs[index].append(try SwiftCompiler.compile(file, mode, in: folder))
                }
            }
            func add(_ what: String, _ figure: ([ProcessCost]) -> Figure) {
                report.add(
                    BenchmarkReport.Row(
                        name: "\(mode.rawValue), \(what)",
                        figure: figure(costs[1]),
                        peer: "1,000 accessors",
                        peerFigure: figure(costs[0])
                    )
                )
            }
            add("user time") { $0.time(\.userSeconds) }
            add("peak memory") { $0.peakMemory }
        }
    }
}
