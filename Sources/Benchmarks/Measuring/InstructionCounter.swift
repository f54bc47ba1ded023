import Foundation

/// A program that counts the instructions of another one, outside the kernel: unlike times, they hardly change from run to
/// run, however busy the machine is.
enum InstructionCounter: String, CaseIterable {
    /// Linux's own, which reads the processor's counters. Virtual machines often have none.
    case perf
    /// Valgrind's, which executes the instructions itself.
    case callgrind

    static let remedy = "install linux-perf or valgrind"

    /// The first of them that works here.
    static let installed = allCases.first { counter in
        (try? counter.count(of: "true", [], in: FileManager.default.temporaryDirectory)) != nil
    }

    var about: String {
        switch self {
        case .perf: "one run, counted by 'perf stat -e instructions:u'"
        case .callgrind: "one run, counted by 'valgrind --tool=callgrind'"
        }
    }

    /// The instructions of a program, which must succeed.
    ///
    /// - Parameter folder: Where the count may be written.
    func count(of program: String, _ arguments: [String], in folder: URL) throws -> Double {
        let output = try ProcessCost.file(in: folder) { path in
            switch self {
            case .perf: ["perf", "stat", "-x,", "-e", "instructions:u", "-o", path, program] + arguments
            case .callgrind:
                ["valgrind", "--tool=callgrind", "--callgrind-out-file=\(path)", "--log-file=/dev/null", program]
                    + arguments
            }
        }
        guard let count = count(in: output) else { throw Missing(remedy: Self.remedy) }
        return count
    }

    /// The count in a file of this counter: `COUNT,,instructions:u,…` of perf, `totals: COUNT` of callgrind.
    func count(in output: String) -> Double? {
        let lines = output.split(separator: "\n")
        return switch self {
        case .perf: lines.first { $0.contains("instructions:u") }.flatMap { Double($0.prefix { $0 != "," }) }
        case .callgrind: lines.first { $0.hasPrefix("totals: ") }.flatMap { Double($0.dropFirst("totals: ".count)) }
        }
    }
}
