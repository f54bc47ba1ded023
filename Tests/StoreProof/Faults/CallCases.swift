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
        return try CallScenario.allCases.flatMap { scenario in
            // What the calls are is seen where none fails.
            let rehearsal = folder.appending(component: "rehearsal", directoryHint: .isDirectory)
            try? FileManager.default.removeItem(at: rehearsal)
            try FileManager.default.createDirectory(at: rehearsal, withIntermediateDirectories: true)
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
        // A database makes many more calls than a file, and the same ones over and over: of them some, all over.
        let step = store.isDatabase ? max(1, calls.count / (form.isLong ? 200 : 30)) : 1
        return CallError.all.flatMap { error in
            calls.enumerated().filter { error.strikes($0.element) && $0.offset % step == Int(form.seed % UInt64(step)) }
                .flatMap { offset, _ in
                    (error.isPassing ? [false] : [false, true]).map {
                        CallFault(index: offset + 1, error: error, isLasting: $0)
                    }
                }
        }
    }
}
