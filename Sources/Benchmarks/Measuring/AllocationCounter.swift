import Foundation

/// Valgrind's memcheck, as a counter of the heap allocations of a program.
enum AllocationCounter {
    static let remedy = "install valgrind"
    static let about = "one run, counted by 'valgrind --tool=memcheck'"

    static let isInstalled = (try? count(of: "true", [], in: FileManager.default.temporaryDirectory)) != nil

    /// The allocations of a program, which must succeed.
    ///
    /// - Parameter folder: Where the count may be written.
    static func count(of program: String, _ arguments: [String], in folder: URL) throws -> Double {
        let log = try ProcessCost.file(in: folder) { path in
            [
                "valgrind", "--tool=memcheck", "--undef-value-errors=no", "--leak-check=no", "--log-file=\(path)",
                program,
            ] + arguments
        }
        guard let count = count(in: log) else { throw Missing(remedy: remedy) }
        return count
    }

    /// The count in a log: `total heap usage: 1,234 allocs, …`.
    static func count(in log: String) -> Double? {
        guard let match = log.firstMatch(of: /total heap usage: ([0-9,]+) allocs/) else { return nil }
        return Double(match.1.filter { $0 != "," })
    }
}
