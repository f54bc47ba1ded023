import Foundation

/// What really happens to disks and processes, with nothing made up: each in a process of its own.
struct ConditionCases {
    private let store: ProvenStore

    init(_ store: ProvenStore) {
        self.store = store
    }

    var all: [ProofCase] {
        let all: [(String, any StoreCondition)] = [
            (FullDisk.name, FullDisk()),
            ("no more file descriptors", NoDescriptors()),
            ("a folder that may not be written", Forbidden(.folder)),
            ("a file that may not be read", Forbidden(.file)),
            ("a file that may only be read", Forbidden(.writing)),
        ]
        let cases = all.map { name, condition in
            ProofCase(group: name, name: geteuid() == 0 ? "as the superuser or one of nobody's" : "as this user") {
                folder in
                try ConditionCheck(store: store, condition: condition).run(in: folder)
            }
        }
        guard store == .fileCoalesced else { return cases }
        return cases
            + HomelessCheck.Environment.allCases.map { environment in
                ProofCase(group: "no folder for configuration", name: environment.rawValue) { folder in
                    try HomelessCheck(environment: environment).run(in: folder)
                }
            }
    }
}
