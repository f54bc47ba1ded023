import Foundation
import TestSupport

/// Cases that a child process runs one after the other. If one crashes or hangs, another child continues with the next.
enum CaseSuite: String {
    /// Damaged files.
    case damage
    /// System calls that fail.
    case calls
    /// Full disks, missing permissions and similar conditions, each in its own process, which it changes.
    case conditions

    var needsOwnProcess: Bool { self == .conditions }

    /// Whether the library that makes system calls fail is required.
    var needsLayer: Bool { self != .damage }

    private func cases(for store: ProvenStore, _ form: CaseForm, in folder: URL) throws -> [ProofCase] {
        switch self {
        case .damage: try DamageCases(store, form).all(in: folder)
        case .calls: try CallCases(store, form).all(in: folder)
        case .conditions: ConditionCases(store).all
        }
    }

    // MARK: - In the child

    /// Runs cases, and writes the name, the violations and the end of each to standard output.
    func run(_ store: ProvenStore, _ form: CaseForm, in folder: URL, from first: Int, count: Int) throws {
        let cases = try cases(for: store, form, in: folder)
        ChildOutput.writeLine("all \(cases.count)")
        for (index, item) in cases.enumerated().dropFirst(first).prefix(count) {
            ChildOutput.writeLine("case \(index)\t\(item.group)\t\(item.name)")
            let round = folder.appending(component: "case", directoryHint: .isDirectory)
            try Workspace.empty(round)
            var found: [String] = []
            do {
                found = try item.run(round)
            } catch {
                found = ["the check itself failed: \(error)"]
            }
            for violation in found {
                ChildOutput.writeLine("found\t\(violation.split(whereSeparator: \.isNewline).joined(separator: " "))")
            }
            let isKept = !found.isEmpty && !needsOwnProcess
            ChildOutput.writeLine(isKept ? "done\t\(try Self.keep(round, as: index))" : "done")
        }
    }

    private static func keep(_ folder: URL, as index: Int) throws -> String {
        let target = folder.deletingLastPathComponent().appending(component: "kept-\(index)")
        try removeDirectory(target)
        try FileManager.default.moveItem(at: folder, to: target)
        return target.path
    }
}

extension CaseSuite {
    /// The number of violations after which the proof ends.
    private static let maximumViolations = 20

    /// Runs all cases in child processes.
    func prove(_ store: ProvenStore, in workspace: Workspace) throws -> [ProofResult] {
        let progress = Progress("\(store.rawValue): \(rawValue)")
        let folder = try workspace.makeFolder("\(rawValue)-\(store.rawValue)")
        var environment: [String: String] = [:]
        if needsLayer {
            guard let layer = workspace.options.layer else {
                let found = "there is no library that makes system calls fail; run Tests/prove-stores, which builds it"
                return [
                    ProofResult(
                        store: store,
                        what: "system calls that fail",
                        violations: [violation(store, workspace, "all cases", found, kept: nil)]
                    )
                ]
            }
            environment["LD_PRELOAD"] = layer
        }
        var results = CaseResults(store: store)
        var next = 0
        var total: Int?
        let deadline = workspace.makeDeadline()
        while total == nil || next < total ?? 0 {
            let form = workspace.options.isLong ? "1" : "0"
            let child = try ChildProcess(
                workspace,
                [
                    "cases", store.rawValue, folder.path, "\(workspace.options.seed)", form, "\(next)",
                    "\(needsOwnProcess ? 1 : Int.max)", rawValue,
                ],
                environment: environment
            )
            var current: String?
            do {
                while let line = try child.nextLine(within: 60) {
                    let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                    if words[0].hasPrefix("case "), let index = Int(words[0].dropFirst(5)) {
                        next = index + 1
                        current = "case \(index), \(words[1]), \(words[2])"
                        results.begin(words[1])
                        progress.note(index, of: total ?? index)
                    } else if words[0] == "found" {
                        results.add(
                            violation(store, workspace, current ?? "", words[1], kept: needsOwnProcess ? folder : nil)
                        )
                    } else if words[0] == "done" {
                        if words.count > 1 { results.setFolder(words[1]) }
                        current = nil
                    } else if words[0].hasPrefix("all ") {
                        total = Int(words[0].dropFirst(4))
                    }
                    if results.violationCount >= Self.maximumViolations || (deadline.map { $0 < .now } ?? false) {
                        child.kill()
                        _ = child.waitForEnd()
                        return results.all
                    }
                }
            } catch is ChildProcess.Hangs {
                child.kill()
                results.add(violation(store, workspace, current ?? "before a case", "it hangs", kept: folder))
                current = nil
            }
            let ending = child.waitForEnd()
            if let current {
                results.add(violation(store, workspace, current, "the process ended: \(ending)", kept: folder))
            } else if ending != .status(0), ending != .signal(SIGKILL) {
                results.begin(rawValue)
                results.add(violation(store, workspace, "between cases", "the process ended: \(ending)", kept: folder))
                break
            }
        }
        return results.all
    }

    private func violation(
        _ store: ProvenStore,
        _ workspace: Workspace,
        _ round: String,
        _ found: String,
        kept folder: URL?
    ) -> Violation {
        Violation(
            proof: rawValue,
            store: store,
            seed: workspace.options.seed,
            round: round,
            found: found,
            folder: folder.flatMap { workspace.keep($0, of: store) }
        )
    }
}

/// A fault, and the check of how a store handles it.
struct ProofCase {
    /// The row of the table: `bits flipped`.
    let group: String
    /// The name within the group: `bit 4 of byte 217`.
    let name: String
    /// Runs the case in an empty folder, and returns the violations.
    let run: (_ folder: URL) throws -> [String]
}

/// The extent of the proof.
struct CaseForm {
    let isLong: Bool
    let seed: UInt64
}

/// The results of cases, by their groups.
struct CaseResults {
    private(set) var all: [ProofResult] = []
    private let store: ProvenStore
    private var current = 0

    init(store: ProvenStore) {
        self.store = store
    }

    var violationCount: Int { all.reduce(0) { $0 + $1.violations.count } }

    /// Starts a case of a group.
    mutating func begin(_ group: String) {
        if let index = all.firstIndex(where: { $0.what == group }) {
            current = index
        } else {
            current = all.count
            all.append(ProofResult(store: store, what: group))
        }
        all[current].count += 1
    }

    /// Adds a violation to the current case.
    mutating func add(_ violation: Violation) {
        if all.isEmpty { all.append(ProofResult(store: store, what: violation.proof)) }
        all[current].violations.append(violation)
    }

    /// Sets the folder with the files of the current case.
    mutating func setFolder(_ folder: String) {
        for index in all[current].violations.indices.reversed() {
            guard all[current].violations[index].folder == nil else { break }
            all[current].violations[index].folder = folder
        }
    }
}
