import Foundation

/// Has many processes write one file at the same time, and looks whether something is lost.
enum ProcessesProof {
    static func run(_ store: ProvenStore, in workshop: Workshop) throws -> [ProofResult] {
        try [2, 8].map { try run(store, processCount: $0, in: workshop) }
    }

    private static func run(_ store: ProvenStore, processCount: Int, in workshop: Workshop) throws -> ProofResult {
        let keyCount = workshop.options.keys ?? workshop.amount(100, long: 1_000)
        let name = "\(processCount) processes, \(Figures.text(keyCount)) keys each"
        var result = ProofResult(store: store, what: name, count: 1)
        _ = Progress("\(store.rawValue): \(name)")
        let folder = try workshop.makeFolder("processes-\(processCount)")
        let url = folder.appending(component: store.fileName)
        let children = try (0..<processCount).map { index in
            try ChildProcess(workshop, ["count", store.rawValue, url.path, "\(index)", "\(keyCount)"])
        }
        var found: [String] = []
        for (index, child) in children.enumerated() {
            do {
                if try child.nextLine(within: 7_200) != "done" { found.append("process \(index) did not end well") }
            } catch is ChildProcess.Hangs {
                found.append("process \(index) hangs")
                child.kill()
            }
            _ = child.waitForEnd()
        }
        found += complaints(try store.plainContents(of: url), processCount: processCount, keyCount: keyCount)
        result.violations = found.map { complaint in
            Violation(
                proof: "processes",
                store: store,
                seed: workshop.options.seed,
                round: name,
                found: complaint,
                folder: workshop.keep(folder, of: store)
            )
        }
        result.remark = "\(Figures.text(processCount * keyCount)) added to one key"
        return result
    }

    /// What is not in the file that ought to be.
    static func complaints(_ contents: PlainContents, processCount: Int, keyCount: Int) -> [String] {
        guard let numbers = contents.numbers else { return ["the file is not readable: \(contents)"] }
        var found: [String] = []
        for index in 0..<processCount {
            let lost = (0..<keyCount).count { numbers[CountingTask.name($0, of: index)] != Int64($0) }
            if lost > 0 { found.append("\(lost) of the \(keyCount) keys of process \(index) are lost") }
        }
        let count = numbers[CountingTask.counter] ?? 0
        let sum = processCount * keyCount
        if count != Int64(sum) { found.append("\(sum) times one was added, and the count is \(count)") }
        let others = numbers.count - sum - 1
        if others > 0 { found.append("there are \(others) names that nobody has set") }
        return found
    }
}
