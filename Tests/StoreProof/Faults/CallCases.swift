import Foundation

/// Each system call that writing takes, made to fail in each way that it can, once and for good.
struct CallCases {
    private let store: ProvenStore
    private let form: CaseForm

    init(_ store: ProvenStore, _ form: CaseForm) {
        self.store = store
        self.form = form
    }

    func all(in folder: URL) throws -> [ProofCase] {
        let layer = try FaultLayer()
        return try CallScenario.all(for: store).flatMap { scenario in
            // What the calls are is seen where none fails.
            let rehearsal = folder.appending(component: "rehearsal", directoryHint: .isDirectory)
            try Workshop.empty(rehearsal)
            var check = CallCheck(store: store, scenario: scenario, layer: layer, fault: nil)
            let found = try check.run(in: rehearsal)
            let calls = check.journal.calls
            let sound = ProofCase(group: "no call fails", name: scenario.rawValue) { _ in found }
            return [sound]
                + faults(calls).map { fault in
                    ProofCase(
                        group: "\(fault.error.name), \(fault.isLasting ? "lasting" : "once")",
                        name: "\(fault.name), \(scenario.rawValue)"
                    ) { folder in
                        var check = CallCheck(store: store, scenario: scenario, layer: layer, fault: fault)
                        return try check.run(in: folder)
                    }
                }
        }
    }

    private func faults(_ calls: [FaultLayer.Call]) -> [CallFault] {
        let tried = places(calls)
        return CallError.all.flatMap { error in
            tried.filter { error.strikes(calls[$0]) }.flatMap { place in
                (error.isPassing ? [false] : [false, true]).map {
                    CallFault(index: place + 1, error: error, isLasting: $0)
                }
            }
        }
    }

    /// Which calls are to fail: all, but of a database, which makes many more than a file and the same ones over and over,
    /// so many of each kind, from its first to its last.
    private func places(_ calls: [FaultLayer.Call]) -> [Int] {
        guard store.isDatabase else { return Array(calls.indices) }
        let maximum = form.isLong ? 30 : 3
        return FaultLayer.Call.allCases.flatMap { kind in
            let all = calls.indices.filter { calls[$0] == kind }
            let step = max(1, Double(all.count) / Double(maximum))
            let offset = Double(form.seed % 16) / 16
            return (0..<min(all.count, maximum)).map { all[Int((Double($0) + offset) * step)] }
        }
    }
}
