import Foundation
import PreferencesRuntime

/// The instructions and allocations of single operations. Unlike times, they do not depend on the machine's load.
enum OperationCost {
    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        guard let counter = InstructionCounter.installed else {
            throw MissingDependency(remedy: InstructionCounter.remedy)
        }
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

    /// Returns the count for one operation. The difference between two counts with different numbers of repetitions
    /// excludes what the process does once.
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

/// An operation that a process repeats, so that its instructions and allocations can be counted.
enum Operation: String, CaseIterable {
    case dictionarySet
    case set
    case setText
    case setNamed
    case setOneOfHundred
    case setInFile
    case setWatched
    case setWatchedByTen
    case update
    case dictionaryRead
    case readText
    case readNamed
    case parseFile
    case openFile

    var name: String {
        switch self {
        case .dictionarySet: "dictionary set"
        case .set: "set"
        case .setText: "set of a text"
        case .setNamed: "set by name"
        case .setOneOfHundred: "set, one of 100"
        case .setInFile: "set in a file"
        case .setWatched: "set, watched"
        case .setWatchedByTen: "set, watched by ten"
        case .update: "update"
        case .dictionaryRead: "dictionary read"
        case .readText: "read of a text"
        case .readNamed: "read by name"
        case .openFile: "open a file"
        case .parseFile: "parse a file"
        }
    }

    var about: String {
        switch self {
        case .dictionarySet: "an Int, in a Mutex<[String: any Sendable]>"
        case .set: "sample.count, to another value each time, in a MemoryStore"
        case .setText: "sample.path, to one of two texts of 48 bytes"
        case .setNamed: "set(named:to:) of the same Int"
        case .setOneOfHundred: "one key of a transaction that sets the same 100 keys each time, by name"
        case .setInFile: "sample.count, in a FileStore of 1,000 keys, which does not write its file meanwhile"
        case .setWatched: "sample.count, with a watcher that is given the new value"
        case .setWatchedByTen: "the same with ten watchers"
        case .update: "update(_:_:) of sample.count"
        case .dictionaryRead: "the Int of the dictionary, and a cast"
        case .readText: "sample.code, of 4 bytes"
        case .readNamed: "get(named:default:) of sample.count"
        case .openFile: "a FileStore of 10 keys, and a read of one, as in the benchmark `opening`"
        case .parseFile: "JSONSerialization of the same file"
        }
    }

    /// The operation to compare with.
    var peer: Operation? {
        switch self {
        case .dictionarySet, .dictionaryRead, .readText, .parseFile: nil
        case .set, .setText, .setNamed, .setOneOfHundred: .dictionarySet
        case .setInFile, .setWatched, .setWatchedByTen, .update: .set
        case .readNamed: .dictionaryRead
        case .openFile: .parseFile
        }
    }

    /// Repeats the operation.
    func run(count: Int) throws {
        let preferences = Samples.makePreferences()
        let sample = preferences.sample
        let dictionary = MutexDictionary()
        dictionary[Peers.count] = 1
        switch self {
        case .dictionarySet: for number in 0..<count { dictionary[Peers.count] = number }
        case .openFile, .parseFile:
            let folder = FileManager.default.temporaryDirectory.appending(path: "operation-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Opening.repeatFirstValue(count: count, isPeer: self == .parseFile, in: folder)
        case .set: for number in 0..<count { sample.count = number }
        case .setText: for number in 0..<count { sample.path = Samples.alternatingPath(number) }
        case .setNamed: for number in 0..<count { preferences.set(named: Peers.count, to: number) }
        case .setOneOfHundred:
            for number in 0..<count / 100 {
                try preferences.transaction { preferences in
                    for name in Writes.namesOfTransaction { preferences.set(named: name, to: number) }
                }
            }
        case .setInFile:
            let file = FileManager.default.temporaryDirectory.appending(path: "operation-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            let store = FileStore(url: file, durability: .coalesced(milliseconds: 1_000_000))
            try store.apply(PreferenceBatch(Samples.otherKeys))
            let sample = Preferences(store: store).sample
            for number in 0..<count { sample.count = number }
            try store.flush()
        case .setWatched, .setWatchedByTen:
            let values = ValueSum()
            for _ in 0..<(self == .setWatched ? 1 : 10) { sample.watch(\.count) { values.sum &+= $0.new } }
            for number in 0..<count { sample.count = number }
        case .update: for _ in 0..<count { try sample.update(\.count) { $0 &+= 1 } }
        case .dictionaryRead: blackHole(sum(of: count) { dictionary[Peers.count, Int.self] ?? 0 })
        case .readText: blackHole(sum(of: count) { sample.code.utf8.count })
        case .readNamed: blackHole(sum(of: count) { preferences.get(named: Peers.count, default: 0) })
        }
    }
}
