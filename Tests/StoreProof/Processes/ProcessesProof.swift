import Foundation
import PreferencesRuntime

/// Checks that no change is lost when several processes write one file at the same time.
enum ProcessesProof {
    static func run(_ store: ProvenStore, in workspace: Workspace) throws -> [ProofResult] {
        try [2, 8].map { try run(store, processCount: $0, in: workspace) }
    }

    private static func run(_ store: ProvenStore, processCount: Int, in workspace: Workspace) throws -> ProofResult {
        let keyCount = workspace.options.keys ?? workspace.amount(100, long: 1_000)
        let name = "\(processCount) processes, \(Figures.text(keyCount)) keys each"
        var result = ProofResult(store: store, what: name, count: 1)
        _ = Progress("\(store.rawValue): \(name)")
        let folder = try workspace.makeFolder("processes-\(processCount)")
        let url = folder.appending(component: store.fileName)
        let children = try (0..<processCount).map { index in
            try ChildProcess(workspace, ["count", store.rawValue, url.path, "\(index)", "\(keyCount)"])
        }
        var found: [String] = []
        for (index, child) in children.enumerated() {
            do {
                if try child.nextLine(within: 7_200) != "done" { found.append("process \(index) failed") }
            } catch is ChildProcess.Hangs {
                found.append("process \(index) hangs")
                child.kill()
            }
            _ = child.waitForEnd()
        }
        found += violations(try store.plainContents(of: url), processCount: processCount, keyCount: keyCount)
        result.violations = found.map { violation in
            Violation(
                proof: "processes",
                store: store,
                seed: workspace.options.seed,
                round: name,
                found: violation,
                folder: workspace.keep(folder, of: store)
            )
        }
        result.remark = "\(Figures.text(processCount * keyCount)) added to one key"
        return result
    }

    /// Returns the changes that are missing in the file.
    static func violations(_ contents: PlainContents, processCount: Int, keyCount: Int) -> [String] {
        guard let numbers = contents.numbers else { return ["the file is not readable: \(contents)"] }
        var found: [String] = []
        for index in 0..<processCount {
            let lost = (0..<keyCount).count { numbers[CountingTask.name($0, of: index)] != Int64($0) }
            if lost > 0 { found.append("\(lost) of the \(keyCount) keys of process \(index) are lost") }
        }
        let count = numbers[CountingTask.counter] ?? 0
        let sum = processCount * keyCount
        if count != Int64(sum) { found.append("\(sum) increments were made, but the count is \(count)") }
        let others = numbers.count - sum - 1
        if others > 0 { found.append("there are \(others) unknown names") }
        return found
    }
}

/// The task of one of several processes that write a file at the same time: it sets its own keys, and increments a
/// shared key for each.
enum CountingTask {
    static let counter = "count"

    static func name(_ number: Int, of index: Int) -> String { "process-\(index)-\(number)" }

    static func run(_ store: ProvenStore, _ url: URL, index: Int, keyCount: Int) throws {
        let values = store.open(url)
        var pendingIncrements = 0
        for number in 0..<keyCount {
            try values.commit([name(number, of: index): .set(.int(Int64(number)))])
            pendingIncrements += 1
            // An increment writes the file. Several sets before it exercise coalesced writes.
            guard pendingIncrements == 5 || number == keyCount - 1 else { continue }
            for _ in 0..<pendingIncrements {
                try values.commit { current in
                    guard case .int(let count)? = try current(counter) else { return [counter: .set(1)] }
                    return [counter: .set(.int(count + 1))]
                }
            }
            pendingIncrements = 0
        }
        try values.flush()
        ChildOutput.writeLine("done")
    }
}
