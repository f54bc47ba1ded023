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
        let file = folder.appending(path: "instructions-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let own =
            switch self {
            case .perf: ["perf", "stat", "-x,", "-e", "instructions:u", "-o", file.path]
            case .callgrind:
                ["valgrind", "--tool=callgrind", "--callgrind-out-file=\(file.path)", "--log-file=/dev/null"]
            }
        _ = try ProcessCost(of: own[0], own.dropFirst() + [program] + arguments)
        for line in String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n") {
            // `COUNT,,instructions:u,…` and `totals: COUNT`.
            let count = self == .perf ? line.prefix { $0 != "," } : line.drop { $0 != " " }.dropFirst()
            guard self == .perf ? line.contains("instructions:u") : line.hasPrefix("totals: ") else { continue }
            if let count = Double(count) { return count }
        }
        throw Missing(remedy: Self.remedy)
    }
}
