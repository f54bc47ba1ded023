public import PreferencesRuntime

extension RoamingStore {
    /// Returns the pending change of a shared name, or else the value of its shared store. Returns the local value of
    /// other names.
    ///
    /// A value that was set while the name was not shared is returned if the shared store has none, or cannot be read;
    /// or if it is the later value of this machine under the rule `last`.
    ///
    /// - Throws: An error if the local store cannot be read; or the shared store, if there is no pending change.
    public func value(for name: String) throws -> PreferenceValue? {
        try value(for: name, local.value) { sharing in try sharing.store.value(for: name) }
    }

    /// - Parameters:
    ///   - localValue: Returns a value of the local store.
    ///   - sharedValue: Returns the value of the name in its shared store.
    func value(
        for name: String,
        _ localValue: (_ name: String) throws -> PreferenceValue?,
        _ sharedValue: (Sharing) throws -> PreferenceValue?
    ) throws -> PreferenceValue? {
        guard !RoamingName.isReserved(name) else { return nil }
        // In this order: a value moves from its own name to the journal, and from there to the shared store.
        let own = try localValue(name)
        guard let sharing = sharing(of: name) else { return own }
        if let entry = try entry(of: name, localValue) { return entry.value(after: own) }
        do {
            let value = try sharedValue(sharing)
            guard let own else { return value }
            return try value == nil || isLater(thanSharedValueOf: name, sharing, localValue) ? own : value
        } catch {
            if let own { return own }
            throw PreferenceProblem(describing: error, or: .storeUnreadable, key: name, store: sharing.store.label)
        }
    }

    /// Whether the local value of a shared name, set while the name was not shared, is later than the shared value:
    /// that is this machine's own, and each change under `last` removes the earlier local value.
    func isLater(
        thanSharedValueOf name: String,
        _ sharing: Sharing,
        _ localValue: (_ name: String) throws -> PreferenceValue?
    ) throws -> Bool {
        guard sharing.rule == .last else { return false }
        let stamp = ClockStamp(try SharedRecord.entry(RoamingName.stamp(of: name), sharing.store.value))
        return try stamp.map { try MachineState(localValue(RoamingName.state))?.machine == $0.machine } ?? false
    }

    /// Returns the pending change of a name.
    ///
    /// - Throws: A problem if the journal has something else.
    func entry(
        of name: String,
        _ localValue: (_ name: String) throws -> PreferenceValue?
    ) throws -> JournalEntry? {
        guard let value = try withOwnNames({ try localValue(RoamingName.journal(of: name)) }) else { return nil }
        if let entry = JournalEntry(value) { return entry }
        let message =
            "the entry '\(RoamingName.journal(of: name))' of its change that is not shared yet was edited or is "
            + "damaged: set or reset the key, or remove the entry"
        throw PreferenceProblem(.storeMalformed, key: name, store: local.label, message: message)
    }

    /// Returns the source of a value: the local store for a pending change, with the shared store in the description.
    public func source(of name: String) throws -> PreferenceSource? {
        guard !RoamingName.isReserved(name) else { return nil }
        let own = try local.origin(of: name)
        guard let sharing = sharing(of: name) else { return own }
        func pendingSource() -> PreferenceSource {
            let description = "\(local.label), not shared with \(sharing.store.label) yet"
            return PreferenceSource(store: local.label, name: name, description: description)
        }
        if let entry = try entry(of: name, local.value) {
            return own != nil && entry.rule == .last || entry.value != nil ? pendingSource() : nil
        }
        do {
            if own != nil, try isLater(thanSharedValueOf: name, sharing, local.value) { return pendingSource() }
            return try sharing.store.origin(of: name) ?? own.map { _ in pendingSource() }
        } catch {
            if own != nil { return pendingSource() }
            throw PreferenceProblem(describing: error, or: .storeUnreadable, key: name, store: sharing.store.label)
        }
    }

    /// Returns the names of all values: those of the local store, and the declared ones of the shared stores.
    public func names() throws -> Set<String> {
        var names: Set<String> = []
        var removed: Set<String> = []
        let localNames = try local.names()
        for name in localNames {
            guard RoamingName.isReserved(name) else {
                names.insert(name)
                continue
            }
            guard let name = RoamingName.journaledName(name), sharing(of: name) != nil else { continue }
            // A damaged entry is a value that cannot be read.
            guard let entry = try? Optional(entry(of: name, local.value)) else {
                names.insert(name)
                continue
            }
            guard let entry, entry.rule != .last || !localNames.contains(name) else { continue }
            if entry.value == nil { removed.insert(name) } else { names.insert(name) }
        }
        // After the journal, from which names move to the shared stores.
        for (scope, store) in shared {
            let declared = declaredNames(in: scope)
            if !declared.isEmpty { names.formUnion(try store.names().intersection(declared)) }
        }
        return names.subtracting(removed)
    }

    /// Returns the names whose changes are not shared yet.
    ///
    /// They include names whose journal entry is damaged: the change cannot be shared, and is not forgotten before the
    /// name is set or reset, or the entry is removed.
    ///
    /// ```swift
    /// try roaming.pendingNames()    //=> ["weather:unit"], while the shared store cannot be reached
    /// ```
    ///
    /// - Throws: An error if the local store cannot be read.
    public func pendingNames() throws -> Set<String> {
        Set(try local.names().compactMap(RoamingName.journaledName))
    }

    /// Converts a value as the store of its name does.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        try (sharing(of: name)?.store ?? local).read(value, of: name, as: type)
    }

    /// Whether the local store decodes the value.
    public func decodes(_ value: PreferenceValue) -> Bool { local.isEncoded(value) }
}
