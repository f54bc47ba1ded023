import PreferencesRuntime

extension StoreSubject {
    /// The same subject, of whose closures is noted what they throw.
    func noting(_ errors: ThrownErrors) -> StoreSubject {
        typealias Change = @Sendable () throws -> Void
        func noted(_ name: String, _ body: Change?) -> Change? {
            guard let body else { return nil }
            return { try errors.noting(from: "the StoreSubject's '\(name)'", body) }
        }
        var edit: OutsideChange?
        if let changeFromOutside {
            edit = { batch in
                try errors.noting(from: "the StoreSubject's 'changeFromOutside'") { try changeFromOutside(batch) }
            }
        }
        return StoreSubject(
            open: { [open] in try errors.noting(from: "the StoreSubject's 'open'", open) },
            changeFromOutside: edit,
            breakMedium: noted("breakMedium", breakMedium),
            mendMedium: noted("mendMedium", mendMedium),
            patience: patience
        )
    }
}
