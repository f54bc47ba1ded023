import Foundation

/// A program that counts the user-space instructions of another one. Unlike times, the counts hardly vary between runs,
/// even on a busy machine.
enum InstructionCounter: String, CaseIterable {
    /// Linux's `perf`, which reads the processor's counters. Virtual machines often have none.
    case perf
    /// Valgrind's `callgrind`, which emulates the processor.
    case callgrind

    static let remedy = "install linux-perf or valgrind"

    /// The first counter that works on this machine.
    static let installed = allCases.first { counter in
        (try? counter.count(of: "true", [], in: FileManager.default.temporaryDirectory)) != nil
    }

    var about: String {
        switch self {
        case .perf: "one run, counted by 'perf stat -e instructions:u'"
        case .callgrind: "one run, counted by 'valgrind --tool=callgrind'"
        }
    }

    /// Returns the number of instructions of a program, which must succeed.
    ///
    /// - Parameter folder: A folder for temporary files.
    func count(of program: String, _ arguments: [String], in folder: URL) throws -> Double {
        let output = try ProcessCost.file(in: folder) { path in
            switch self {
            case .perf: ["perf", "stat", "-x,", "-e", "instructions:u", "-o", path, program] + arguments
            case .callgrind:
                ["valgrind", "--tool=callgrind", "--callgrind-out-file=\(path)", "--log-file=/dev/null", program]
                    + arguments
            }
        }
        guard let count = count(in: output) else { throw MissingDependency(remedy: Self.remedy) }
        return count
    }

    /// Returns the count in an output file of this counter: `COUNT,,instructions:u,…` of perf, `totals: COUNT` of
    /// callgrind.
    func count(in output: String) -> Double? {
        let lines = output.split(separator: "\n")
        return switch self {
        case .perf: lines.first { $0.contains("instructions:u") }.flatMap { Double($0.prefix { $0 != "," }) }
        case .callgrind: lines.first { $0.hasPrefix("totals: ") }.flatMap { Double($0.dropFirst("totals: ".count)) }
        }
    }
}

/// Counts the heap allocations of a program with Valgrind's memcheck.
enum AllocationCounter {
    static let remedy = "install valgrind"
    static let about = "one run, counted by 'valgrind --tool=memcheck'"

    static let isInstalled = (try? count(of: "true", [], in: FileManager.default.temporaryDirectory)) != nil

    /// Returns the number of allocations of a program, which must succeed.
    ///
    /// - Parameter folder: A folder for temporary files.
    static func count(of program: String, _ arguments: [String], in folder: URL) throws -> Double {
        let log = try ProcessCost.file(in: folder) { path in
            [
                "valgrind", "--tool=memcheck", "--undef-value-errors=no", "--leak-check=no", "--log-file=\(path)",
                program,
            ] + arguments
        }
        guard let count = count(in: log) else { throw MissingDependency(remedy: remedy) }
        return count
    }

    /// Returns the count in a log: `total heap usage: 1,234 allocs, …`.
    static func count(in log: String) -> Double? {
        guard let match = log.firstMatch(of: /total heap usage: ([0-9,]+) allocs/) else { return nil }
        return Double(match.1.filter { $0 != "," })
    }
}
