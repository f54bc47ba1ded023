import PreferencesRuntime
import PreferencesStoreTesting
import Synchronization

extension StoreSubject {
    /// A store that is right, and lacks something.
    static func right(unsupportedCapabilities: PreferenceStoreCapabilities = [], excludesWriters: Bool = true)
        -> StoreSubject
    {
        let medium = Medium()
        return StoreSubject(
            // What cannot be written through the store has to be in its medium.
            open: {
                RightStore(
                    unsupportedCapabilities.intersection([.persistence, .writing]) == .persistence ? Medium() : medium,
                    unsupportedCapabilities: unsupportedCapabilities,
                    excludesWriters: excludesWriters
                )
            },
            changeExternally: medium.edit,
            breakBackend: { medium.setBroken(true) },
            repairBackend: { medium.setBroken(false) }
        )
    }

    /// A store with a defect, for one check.
    static func defective(_ defect: Defect, for check: String) -> StoreSubject {
        let medium = Medium()
        // Only a check that finds the defect may give up soon: on a busy machine the others take their time.
        let foundIn: Duration = defect.makesChecksWait ? .seconds(1) : .seconds(10)
        return StoreSubject(
            open: { DefectiveStore(defect.reopen(medium), defect) },
            changeExternally: { try defect.changeExternally(medium, $0) },
            breakBackend: { medium.setBroken(true) },
            repairBackend: { medium.setBroken(false) },
            timeout: defect.failing.contains(check) ? foundIn : .seconds(120)
        )
    }
}

extension StoreCheck {
    /// The names of the checks that a subject fails.
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
