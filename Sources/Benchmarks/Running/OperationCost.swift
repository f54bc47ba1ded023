import Foundation

/// The instructions and allocations of single operations. Unlike times, they do not depend on the machine's load.
enum OperationCost {
    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        guard let counter = InstructionCounter.installed else { throw Missing(remedy: InstructionCounter.remedy) }
        // Counts hardly change from run to run.
        report.repeats = 1
        report.summary += "\nInstructions: \(counter.about). Allocations: \(AllocationCounter.about)."
        // Random hashes would make two processes search differently in the same dictionary.
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        defer { unsetenv("SWIFT_DETERMINISTIC_HASHING") }

        let countsAllocations = AllocationCounter.isInstalled
        let program = CommandLine.arguments[0]
        var instructions: [Operation: Figure] = [:]
        for operation in Operation.allCases {
            let count = try each(of: operation) { try counter.count(of: program, $0, in: folder) }
            let figure = Figure(unit: .instructions, samples: [count])
            instructions[operation] = figure
            report.add(
                BenchmarkReport.Row(
                    name: operation.name,
                    about: operation.about,
                    figure: figure,
                    peer: operation.peer?.name,
                    peerFigure: operation.peer.flatMap { instructions[$0] },
                    allocations: countsAllocations
                        ? try each(of: operation) { try AllocationCounter.count(of: program, $0, in: folder) } : nil
                )
            )
        }
        if !countsAllocations { report.add(BenchmarkReport.Row(name: "allocations", remedy: AllocationCounter.remedy)) }
    }

    /// The count for one operation. Two counts with different repetitions differ only in those, so that their difference
    /// leaves out what the process does once.
    private static func each(
        of operation: Operation,
        count: @escaping (_ arguments: [String]) throws -> Double
    ) throws -> Double {
        let (few, many) = (1_000, 5_000)
        func repeated(_ repetitions: Int) -> Subject {
            Subject { try count([Options.operationOption, operation.rawValue, "\(repetitions)"]) }
        }
        return try Subject.each(of: many - few, with: repeated(many), without: repeated(few)).sample()
    }
}
