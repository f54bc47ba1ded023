/// Keys that an administrator has fixed.
extension PreferenceAccessors {
    /// Returns whether an administrator has fixed the value of a key.
    ///
    /// Only keys that are declared with `"managed": true`, or the trait ``PreferenceTrait/managed``, can be fixed. Use it
    /// to disable the control of a key:
    ///
    /// ```swift
    /// Toggle("Send statistics", isOn: …)
    ///     .disabled(preferences.isManaged(\.sendsStatistics))
    /// ```
    ///
    /// Watchers of a computed property that calls it, and views that do, are notified when the answer changes, even if the
    /// value of the key does not.
    ///
    /// - Parameter key: The key. If it is a computed property, any key that the property reads counts.
    public func isManaged<Value>(_ key: KeyPath<Self, Value>) -> Bool {
        let preferences = preferences
        // The value is not needed: that it cannot be read, such as a secret without a store of secrets, is no problem.
        let entries = preferences.returningProblems { self.entries(of: key) }
        preferences.reportInvalidKeyPaths(
            [key],
            leadToKeys: !entries.isEmpty,
            consequence: "isManaged returned false",
            adviceForNamespace: "pass the key path of one of its keys"
        )
        return entries.contains { preferences.isManaged($0) }
    }
}

extension PreferenceReference {
    /// Whether an administrator has fixed the value of the key. See ``PreferenceAccessors/isManaged(_:)``.
    public var isManaged: Bool { isManaged(\.value) }
}

extension Preferences {
    /// Returns whether an administrator has fixed the value of a key, which an accessor or
    /// ``ManageableStore/declareManaged(_:formerNames:)`` has declared as manageable.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - others: Those of further keys. The result is then whether any of the keys is fixed.
    public func isManaged(named name: String, _ others: String...) -> Bool {
        isManaged(PreferenceEntry(name)) || others.contains { isManaged(PreferenceEntry($0)) }
    }

    /// Returns whether an administrator has fixed the value of any of some keys.
    ///
    /// - Parameters:
    ///   - name: The storage name of a key.
    ///   - others: Those of further keys, also of other types.
    public func isManaged(named name: some RawRepresentable<String>, _ others: any RawRepresentable<String>...) -> Bool
    {
        isManaged(named: name.rawValue) || others.contains { isManaged(named: $0.rawValue) }
    }

    func isManaged(_ entry: PreferenceEntry) -> Bool {
        prepare()
        guard let fixedStates, !entry.isSecret else { return false }
        let record = fixedStateRecord(of: entry.name)
        switch noteManagedRead(of: entry, record) {
        case .default: return false
        case .stored, .transaction, .lastNotified, nil: break
        }
        let location = Location(store: fixedStates, record: record, isSecret: false)
        // Does not throw: the store does not.
        return (try? value(at: location)) == .some(.bool(true))
    }

    /// Declares that an administrator may fix a key. Secrets cannot be fixed: all users can read a policy.
    func declareManaged(_ entry: PreferenceEntry) {
        guard let manageable, !entry.isSecret else { return }
        manageable.declareManaged(entry.name, formerNames: entry.formerNames)
    }

    /// Returns the fixed value of a name; nil if it is not fixed.
    func managedValue(of record: KeyRecord) -> ManagedValue? {
        guard let manageable, !record.isAmongSecrets else { return nil }
        // The problems of policies are reported to observers.
        prepare()
        return manageable.managedValue(of: record.name)
    }

    /// Returns the records of an entry that are read. Only the present name of a fixed key is: its value under a former
    /// name is the user's.
    func readRecords(_ records: [KeyRecord]) -> [KeyRecord] {
        records.count > 1 && managedValue(of: records[0]) != nil ? [records[0]] : records
    }
}

/// Whether the names of a store are fixed: true for those that are, and no value for others.
struct FixedStates: PreferenceStore {
    private let store: any ManageableStore

    init(_ store: any ManageableStore) {
        self.store = store
    }

    var label: String { store.label }
    var notifiesAllChanges: Bool { store.notifiesAllChanges }

    func value(for name: String) -> PreferenceValue? {
        store.managedValue(of: name) == nil ? nil : .bool(true)
    }

    func names() -> Set<String> { [] }
}
