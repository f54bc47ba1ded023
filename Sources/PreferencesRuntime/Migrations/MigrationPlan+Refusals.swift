extension MigrationPlan {
    /// What stores have refused before, so that this is another attempt.
    struct Refusals {
        /// Values that a store cannot keep, by their new names.
        private var values: [StoreIdentity: [String: any Error]] = [:]
        /// Why the secrets store could not be written at all.
        var secrets: (any Error)?

        /// Why a store cannot keep the value that a name was to have.
        func reason(for name: String, in store: any PreferenceStore) -> (any Error)? {
            values[StoreIdentity(store)]?[name]
        }

        /// Notes an error that is of one value of a batch.
        ///
        /// - Returns: Whether it is, and is news: another attempt may come further.
        mutating func add(
            _ error: any Error,
            by store: any PreferenceStore,
            of batch: [String: PreferenceEdit]
        ) -> Bool {
            guard MigrationPlan.isOfOneValue(error), let name = (error as? PreferenceProblem)?.key,
                case .set = batch[name], reason(for: name, in: store) == nil
            else { return false }
            values[StoreIdentity(store), default: [:]][name] = error
            return true
        }
    }

    /// Whether a store says that one value is at fault, and not the store: that lasts, and is no reason to wait.
    static func isOfOneValue(_ error: any Error) -> Bool {
        (error as? PreferenceProblem)?.code == .unsupportedValue
    }
}
