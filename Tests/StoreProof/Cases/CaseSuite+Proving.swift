import Foundation

extension CaseSuite {
    /// More are not worth waiting for: the first ones are to be mended first.
    private static let maximumViolations = 20

    /// Has children run all cases.
    func prove(_ store: ProvenStore, in workshop: Workshop) throws -> [ProofResult] {
        let progress = Progress("\(store.rawValue): \(rawValue)")
        let folder = try workshop.makeFolder("\(rawValue)-\(store.rawValue)")
        var environment: [String: String] = [:]
        if needsLayer {
            guard let layer = workshop.options.layer else {
                let found = "there is no library that makes system calls fail; run Tests/prove-stores, which builds it"
                return [
                    ProofResult(
                        store: store,
                        what: "system calls that fail",
                        violations: [violation(store, workshop, "all cases", found, kept: nil)]
                    )
                ]
            }
            environment["LD_PRELOAD"] = layer
        }
        var ledger = CaseLedger(store: store)
        var next = 0
        var total: Int?
        let deadline = workshop.makeDeadline()
        while total == nil || next < total ?? 0 {
            let form = workshop.options.isLong ? "1" : "0"
            let child = try ChildProcess(
                workshop,
                [
                    "cases", store.rawValue, folder.path, "\(workshop.options.seed)", form, "\(next)",
                    "\(isOneInAProcess ? 1 : Int.max)", rawValue,
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
                        ledger.begin(words[1])
                        progress.note(index, of: total ?? index)
                    } else if words[0] == "found" {
                        ledger.add(
                            violation(store, workshop, current ?? "", words[1], kept: isOneInAProcess ? folder : nil)
                        )
                    } else if words[0] == "done" {
                        if words.count > 1 { ledger.noteKept(words[1]) }
                        current = nil
                    } else if words[0].hasPrefix("all ") {
                        total = Int(words[0].dropFirst(4))
                    }
                    if ledger.violationCount >= Self.maximumViolations || (deadline.map { $0 < .now } ?? false) {
                        child.kill()
                        _ = child.waitForEnd()
                        return ledger.results
                    }
                }
            } catch is ChildProcess.Hangs {
                child.kill()
                ledger.add(violation(store, workshop, current ?? "before a case", "it hangs", kept: folder))
                current = nil
            }
            let ending = child.waitForEnd()
            if let current {
                ledger.add(violation(store, workshop, current, "it ended the process: \(ending)", kept: folder))
            } else if ending != .status(0), ending != .signal(SIGKILL) {
                ledger.begin(rawValue)
                ledger.add(violation(store, workshop, "between cases", "the process ended: \(ending)", kept: folder))
                break
            }
        }
        return ledger.results
    }

    private func violation(
        _ store: ProvenStore,
        _ workshop: Workshop,
        _ round: String,
        _ found: String,
        kept folder: URL?
    ) -> Violation {
        Violation(
            proof: rawValue,
            store: store,
            seed: workshop.options.seed,
            round: round,
            found: found,
            folder: folder.flatMap { workshop.keep($0, of: store) }
        )
    }
}
