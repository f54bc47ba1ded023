import Foundation
import TestSupport

/// Cases that a child runs one after the other. What crashes or hangs ends the child, and the next goes on behind it.
enum CaseSuite: String {
    /// Files that are not what the store has written.
    case damage
    /// System calls that fail.
    case calls
    /// Disks that are full, users that may not, and so on: each in a process of its own, as it changes that process.
    case conditions

    var isOneInAProcess: Bool { self == .conditions }

    /// Whether the library that makes system calls fail has to be there.
    var needsLayer: Bool { self != .damage }

    private func cases(for store: ProvenStore, _ form: CaseForm, in folder: URL) throws -> [ProofCase] {
        switch self {
        case .damage: try DamageCases(store, form).all(in: folder)
        case .calls: try CallCases(store, form).all(in: folder)
        case .conditions: ConditionCases(store).all
        }
    }

    // MARK: - In the child

    /// Runs cases, and says of each what it is, what does not hold, and that it is done.
    func run(_ store: ProvenStore, _ form: CaseForm, in folder: URL, from first: Int, count: Int) throws {
        let cases = try cases(for: store, form, in: folder)
        Speech.say("all \(cases.count)")
        for (index, item) in cases.enumerated().dropFirst(first).prefix(count) {
            Speech.say("case \(index)\t\(item.group)\t\(item.name)")
            let round = folder.appending(component: "case", directoryHint: .isDirectory)
            try Workshop.empty(round)
            var found: [String] = []
            do {
                found = try item.run(round)
            } catch {
                found = ["the check itself failed: \(error)"]
            }
            for complaint in found {
                Speech.say("found\t\(complaint.split(whereSeparator: \.isNewline).joined(separator: " "))")
            }
            let isKept = !found.isEmpty && !isOneInAProcess
            Speech.say(isKept ? "done\t\(try Self.keep(round, as: index))" : "done")
        }
    }

    private static func keep(_ folder: URL, as index: Int) throws -> String {
        let target = folder.deletingLastPathComponent().appending(component: "kept-\(index)")
        try removeDirectory(target)
        try FileManager.default.moveItem(at: folder, to: target)
        return target.path
    }
}
