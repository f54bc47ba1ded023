import Foundation

/// What compiling the generator's output takes, and whether ten times the keys take ten times as much.
struct OutputCost {
    var repeats: Int

    private static let keyCounts = [1_000, 10_000]

    func run(in folder: URL) throws {
        let generator = ScaleTool.generator
        guard let path = generator.path else {
            return print("output-cost: no generator beside the benchmarks; \(generator.remedy)")
        }
        let files = try Self.keyCounts.map { keyCount in
            let home = folder.appending(path: "\(keyCount)")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            _ = try ProcessCost(of: path, try generator.writeInput(keyCount, home))
            return home.appending(path: "Scale.preferences.swift")
        }
        print("output-cost: the compiler on public accessors of one namespace, median of \(repeats)")
        var table = Table("", "keys", "wall, s", "user, s", "user ms a key", "of that at 1,000", "peak MiB")
        for mode in SwiftCompiler.Mode.allCases {
            var costs: [[ProcessCost]] = [[], []]
            for _ in 0..<repeats {
                for (index, file) in files.enumerated() {
                    costs[index].append(try SwiftCompiler.compile(file, mode, in: folder))
                }
            }
            let thousand = costs[0].median(of: \.userSeconds) / Double(Self.keyCounts[0])
            for (keyCount, costs) in zip(Self.keyCounts, costs) {
                let seconds = costs.median(of: \.userSeconds)
                table.add(
                    mode.rawValue,
                    keyCount.text,
                    costs.median(of: \.wallSeconds).text(2),
                    seconds.text(2),
                    (seconds * 1000 / Double(keyCount)).text(2),
                    (seconds / Double(keyCount) / thousand).text(2),
                    costs.median(of: \.peakMebibytes).text(0)
                )
            }
        }
        table.print()
    }
}
