import Foundation
import PreferencesRuntime

/// Every system call of a write, which fails in every possible way, once and permanently.
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
            // A run without faults lists the calls.
            let rehearsal = folder.appending(component: "rehearsal", directoryHint: .isDirectory)
            try Workspace.empty(rehearsal)
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

    /// The indices of the calls that fail: all calls for a file, and a sample of each kind for a database, which makes
    /// many similar calls.
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

/// The situation in which calls fail.
enum CallScenario: String, CaseIterable {
    case existing = "a file that is there"
    case first = "a file and a folder that are missing"
    case damaged = "a damaged file"
    case observed = "a file that is watched"
    case linked = "a link"
    case outgrown = "a log that is brought into its database"

    /// The scenarios of a store.
    static func all(for store: ProvenStore) -> [CallScenario] {
        allCases.filter { $0 != .outgrown || store.isDatabase }
    }

    /// Whether the file is readable.
    var hasContents: Bool { self != .first && self != .damaged }

    /// Whether the store has an observer.
    var isObserved: Bool { self == .observed || self == .damaged }

    /// The URL that the store is opened with.
    func url(in folder: URL, _ store: ProvenStore) -> URL {
        self == .first
            ? folder.appending(components: "app", "inner", store.fileName) : folder.appending(component: store.fileName)
    }

    /// The URL of the file, to which a link may lead.
    func target(of url: URL) -> URL {
        self == .linked ? url.deletingLastPathComponent().appending(component: "target.json") : url
    }

    /// Creates the file or the link.
    func prepare(_ url: URL, _ store: ProvenStore) throws {
        if self == .first { return }
        let target = target(of: url)
        do {
            let values = store.open(target, isExclusive: true)
            try values.commit(["a": .set(0), "b": .set(0), "c": .set(0), "kept": .set(7)])
            if store.isDatabase { try values.commit(PreferenceBatch(Self.manyPages)) }
            try values.flush()
        }
        try FileAttributes.mark(target.path)
        switch self {
        case .existing, .observed, .first, .outgrown: break
        case .damaged: try Data(Data(contentsOf: url).dropLast(30)).write(to: url)
        case .linked:
            try FileManager.default.createSymbolicLink(
                atPath: url.path,
                withDestinationPath: target.lastPathComponent
            )
        }
        FileAge.makeOld(url)
    }

    /// Additional edits of the first batch: enough for SQLite to move its log into the database.
    var addition: PreferenceBatch {
        self == .outgrown ? ["large": .set(.string(String(repeating: "x", count: 1_200_000)))] : [:]
    }

    /// Rows that fill several pages of a database, some with only the rest of a row.
    private static let manyPages = Dictionary(
        uniqueKeysWithValues: (0..<20).map {
            ("page-\($0)", PreferenceEdit.set(.string(String(repeating: "x", count: 600))))
        }
    )
}
