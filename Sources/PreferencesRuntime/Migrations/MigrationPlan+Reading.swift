/// What the stores hold, as the steps so far have changed it.
extension MigrationPlan {
    /// The names that a step is about, with their new ones.
    func names(of step: PreferenceMigration.Step) throws(StoreFailure) -> [(String, String?)] {
        let newName: @Sendable (String) -> String?
        switch step.selection {
        case .one(let name, let newName): return [(name, newName)]
        case .all(let closure): newName = closure
        }
        guard let source = step.source else { return [] }
        do {
            return try source.names().sorted().compactMap { name in
                guard !PreferenceMigration.isBookkeeping(name), let newName = newName(name) else { return nil }
                return (name, newName)
            }
        } catch {
            throw failure(error, of: source, isHidden: step.isSecret)
        }
    }

    func value(of name: String, in store: any PreferenceStore, isHidden: Bool) throws(StoreFailure) -> Found {
        switch changes[StoreIdentity(store)]?[name] {
        case .set(let value): return .value(value)
        case .remove: return .nothing
        case nil: break
        }
        do {
            let read = StoreIdentity(store) == main ? current ?? store.value : store.value
            return try read(name).map { .value($0) } ?? .nothing
        } catch {
            let failure = failure(error, of: store, isHidden: isHidden || StoreIdentity(store) == secrets, name: name)
            if Self.isOfOneValue(error) { return .unreadable(failure.problem) }
            throw failure
        }
    }

    /// - Parameter name: The name of the value that could not be read; nil if the error concerns the whole store.
    private func failure(
        _ error: any Error,
        of store: any PreferenceStore,
        isHidden: Bool,
        name: String? = nil
    ) -> StoreFailure {
        let error =
            isHidden
            ? RedactedError.redact(error, RedactedError.unreadableValue, in: store.label) { $0 == name } : error
        return StoreFailure(
            problem: PreferenceProblem(describing: error, or: .storeUnreadable, key: nil, store: store.label),
            isOfMainStore: StoreIdentity(store) == main
        )
    }
}
