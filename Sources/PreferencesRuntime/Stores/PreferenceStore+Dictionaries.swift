/// All values of a store at once, except the record of migrations and the schema of a file, which are those of this
/// store alone.
extension PreferenceStore {
    /// Returns all values by name. They are read one after the other: a change in the meantime may be in some of them.
    ///
    /// - Throws: An error if the store, or one of its values, cannot be read.
    public func dictionary() throws -> [String: PreferenceValue] {
        try keyNames().reduce(into: [:]) { values, name in values[name] = try value(for: name) }
    }

    private func keyNames() throws -> Set<String> { try names().filter(Self.isKey) }

    private static func isKey(_ name: String) -> Bool { !PreferenceMigration.isBookkeeping(name) && name != "$schema" }

    /// Sets values together. Other names keep their values.
    ///
    /// ```swift
    /// try store.merge(["volume": 50, "theme": "dark"])
    /// ```
    ///
    /// For ``Preferences`` over the store this is an external change: their watchers receive it with the origin
    /// ``PreferenceChangeOrigin/external``, and their hooks do not run.
    ///
    /// - Parameter values: The new values by name. The names that ``dictionary()`` omits are ignored. A value `nil`
    ///   is stored as ``PreferenceValue/null``; ``remove(_:)-(Sequence<String>)`` removes names.
    /// - Throws: As ``commit(_:by:)``; nothing was set then, unless the problem is
    ///   ``PreferenceProblem/Code/notDurable``.
    public func merge(_ values: [String: PreferenceValue]) throws {
        try commit(PreferenceBatch(values.filter { Self.isKey($0.key) }.mapValues(PreferenceEdit.set)))
    }

    /// Sets values together, under names that are the strings of a type, such as an enumeration.
    ///
    /// - Parameter values: The new values by name.
    /// - Throws: As ``merge(_:)-([String:PreferenceValue])``.
    public func merge<Name: RawRepresentable<String>>(_ values: [Name: PreferenceValue]) throws {
        try merge(Dictionary(values.map { ($0.key.rawValue, $0.value) }) { _, last in last })
    }

    /// Sets all values of another store together, as that store returns them: a store of text, such as
    /// ``EnvironmentStore``, returns strings. Other names keep their values.
    ///
    /// - Parameter other: The store of the new values.
    /// - Throws: As ``dictionary()`` and ``merge(_:)-([String:PreferenceValue])``; nothing was set then.
    public func merge(_ other: some PreferenceStore) throws {
        try merge(other.dictionary())
    }

    /// Sets values together, and removes all other names.
    ///
    /// ```swift
    /// try FileStore(path: "export.plist").replaceAll(with: store.dictionary())   // writes a property list
    /// ```
    ///
    /// In a ``LayeredStore``, only the layers that it writes lose their other names; those of other layers remain.
    ///
    /// - Parameter values: The new values by name. The names that ``dictionary()`` omits are ignored, and keep their values.
    /// - Throws: As ``commit(by:_:)``; nothing was changed then, unless the problem is
    ///   ``PreferenceProblem/Code/notDurable``.
    public func replaceAll(with values: [String: PreferenceValue]) throws {
        try commit { _ in
            let removals = try keyNames().filter { values[$0] == nil }.map { ($0, PreferenceEdit.remove) }
            let edits = values.filter { Self.isKey($0.key) }.mapValues(PreferenceEdit.set)
            return PreferenceBatch(edits.merging(removals) { edit, _ in edit })
        }
    }

    /// Removes names together.
    ///
    /// ```swift
    /// try store.remove(["volume", "theme"])
    /// ```
    ///
    /// - Parameter names: The names. Those that are not set have no effect.
    /// - Throws: As ``commit(_:by:)``; nothing was removed then, unless the problem is
    ///   ``PreferenceProblem/Code/notDurable``.
    public func remove(_ names: some Sequence<String>) throws {
        try commit(PreferenceBatch(Dictionary(names.map { ($0, .remove) }) { edit, _ in edit }))
    }

    /// Removes names that are the strings of a type, such as an enumeration, together.
    ///
    /// - Parameter names: The names. Those that are not set have no effect.
    /// - Throws: As ``remove(_:)-(Sequence<String>)``.
    public func remove(_ names: some Sequence<some RawRepresentable<String>>) throws {
        try remove(names.map(\.rawValue))
    }
}
