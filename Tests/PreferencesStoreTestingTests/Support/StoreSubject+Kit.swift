import PreferencesRuntime
import PreferencesStoreTesting
import Synchronization

extension StoreSubject {
    /// A correct store, which may declare capabilities unsupported.
    static func correct(unsupportedCapabilities: PreferenceStoreCapabilities = [], excludesWriters: Bool = true)
        -> StoreSubject
    {
        let backend = MemoryBackend()
        return StoreSubject(
            // Values of a store that cannot be written must come from the backend.
            open: {
                CorrectStore(
                    unsupportedCapabilities.intersection([.persistence, .writing]) == .persistence
                        ? MemoryBackend() : backend,
                    unsupportedCapabilities: unsupportedCapabilities,
                    excludesWriters: excludesWriters
                )
            },
            changeExternally: backend.edit,
            breakBackend: { backend.setBroken(true) },
            repairBackend: { backend.setBroken(false) }
        )
    }

    /// A store with a defect, for a check.
    static func defective(_ defect: Defect, for check: String) -> StoreSubject {
        let backend = MemoryBackend()
        // Only checks that find the defect have a short timeout, because other checks may be slow on a busy machine.
        let timeout: Duration = defect.causesTimeouts ? .seconds(1) : .seconds(10)
        return StoreSubject(
            open: { DefectiveStore(defect.reopen(backend), defect) },
            changeExternally: { try defect.changeExternally(backend, $0) },
            breakBackend: { backend.setBroken(true) },
            repairBackend: { backend.setBroken(false) },
            timeout: defect.failing.contains(check) ? timeout : .seconds(120)
        )
    }
}

extension StoreCheck {
    /// Returns the names of the checks that a subject fails.
    static func failing(_ subject: (StoreCheck) -> StoreSubject) throws -> Set<String> {
        try Set(
            all.filter { check in
                do {
                    try check.run(on: subject(check))
                    return false
                } catch is StoreCheckFailure {
                    return true
                }
            }.map(\.name)
        )
    }
}
