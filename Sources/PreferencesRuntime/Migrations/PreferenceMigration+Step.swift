extension PreferenceMigration {
    /// A part of a migration: what becomes of one value, or of all values of another store.
    ///
    /// A value is removed from where it was only when it is kept elsewhere. What is not moved, for whatever reason, stays.
    public struct Step: Sendable {
        /// Where the values are; nil for the store of the preferences.
        let source: (any PreferenceStore)?
        let selection: Selection
        /// Whether they go to the secrets store.
        let isSecret: Bool
        let overwrites: Bool
        /// Makes the new value of an old one, which is read as its store reads it; nil for one that is not to be moved.
        let convert:
            (@Sendable (_ old: PreferenceValue, _ name: String, any PreferenceStore) throws -> PreferenceValue?)?

        enum Selection: Sendable {
            /// One name, with its new one; nil to remove it.
            case one(String, newName: String?)
            /// All names, with their new ones, nil for those that stay.
            case all(newName: @Sendable (String) -> String?)
        }
    }
}

extension PreferenceMigration.Step {
    /// Whether problems leave out the names: those that were found in a secrets store may be secret.
    ///
    /// - Parameter secrets: The secrets store.
    func hidesNames(secrets: StoreIdentity?) -> Bool {
        guard case .all = selection else { return false }
        return isSecret || source.map(StoreIdentity.init) == secrets
    }
}

extension PreferenceMigration.Step {
    /// Moves a value to another name.
    ///
    /// ```swift
    /// .move("old-city-id", to: "weather:city-id")
    /// .move("token", from: UserDefaultsStore.standard, to: "account:token", isSecret: true)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name that it has now. Where it is not set, nothing is done.
    ///   - source: The store that it is in now; by default the one of the preferences. It is removed there after it is
    ///     durable in its new place.
    ///   - newName: The storage name that it gets. Where that is set already, nothing is done.
    ///   - isSecret: Whether it goes to the secrets store; false by default.
    ///   - overwrites: Whether it replaces what is set under the new name already; false by default.
    public static func move(
        _ name: String,
        from source: (any PreferenceStore)? = nil,
        to newName: String,
        isSecret: Bool = false,
        overwrites: Bool = false
    ) -> Self {
        Self(
            source: source,
            selection: .one(name, newName: newName),
            isSecret: isSecret,
            overwrites: overwrites,
            convert: nil
        )
    }

    /// Moves a value to another name, or keeps it under its own, and makes another value of it.
    ///
    /// ```swift
    /// .move("theme", to: "window:settings") { (text: String) in Settings(text) }
    /// .move("distance", to: "distance") { (miles: Double) in miles * 1.609 }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name that it has now. Where it is not set, nothing is done.
    ///   - source: The store that it is in now; by default the one of the preferences. It is removed there after it is
    ///     durable in its new place.
    ///   - newName: The storage name that it gets. Where that is set already, nothing is done. A secret cannot be
    ///     converted under its own name.
    ///   - isSecret: Whether it goes to the secrets store; false by default.
    ///   - overwrites: Whether it replaces what is set under the new name already; false by default.
    ///   - convert: Makes the new value; nil leaves the old one where it is. So does an error, and an old value of another
    ///     type, and these are reported. It must not use `Preferences`, and should do nothing else: where the
    ///     migration fails, it is called again at the next start.
    public static func move<Old: PreferenceConvertible, New: PreferenceConvertible>(
        _ name: String,
        from source: (any PreferenceStore)? = nil,
        to newName: String,
        isSecret: Bool = false,
        overwrites: Bool = false,
        _ convert: @escaping @Sendable (_ old: Old) throws -> New?
    ) -> Self {
        Self(source: source, selection: .one(name, newName: newName), isSecret: isSecret, overwrites: overwrites) {
            old,
            name,
            store in
            guard let new = try convert(store.read(old, of: name, as: Old.self)) else { return nil }
            do {
                return try new.preferenceValue()
            } catch {
                throw EncodingFailure(type: Preferences.named(New.self), cause: error)
            }
        }
    }

    /// Moves all values of another store here.
    ///
    /// ```swift
    /// .moveAll(from: UserDefaultsStore(suite: "old"))
    /// .moveAll(from: FileStore(url: oldURL)) { $0.hasPrefix("cache.") ? nil : "weather:\($0)" }
    /// ```
    ///
    /// Those that an earlier step has moved are no longer there, if it was given the same `PreferenceStore`.
    ///
    /// - Parameters:
    ///   - source: The store that they are in now. They are removed there after they are durable here.
    ///   - isSecret: Whether they go to the secrets store; false by default.
    ///   - overwrites: Whether they replace what is set here already; false by default.
    ///   - newName: The storage name that a name gets, nil for one that stays where it is. By default they keep theirs.
    public static func moveAll(
        from source: any PreferenceStore,
        isSecret: Bool = false,
        overwrites: Bool = false,
        _ newName: @escaping @Sendable (_ name: String) -> String? = { $0 }
    ) -> Self {
        Self(
            source: source,
            selection: .all(newName: newName),
            isSecret: isSecret,
            overwrites: overwrites,
            convert: nil
        )
    }

    /// Removes a value.
    ///
    /// - Parameters:
    ///   - name: The name that it has.
    ///   - source: The store that it is in; by default the one of the preferences.
    public static func remove(_ name: String, from source: (any PreferenceStore)? = nil) -> Self {
        Self(
            source: source,
            selection: .one(name, newName: nil),
            isSecret: false,
            overwrites: false,
            convert: nil
        )
    }
}

/// A converted value has no representation.
private struct EncodingFailure: Error, CustomStringConvertible {
    let type: Any.Type
    let cause: any Error

    var description: String { "this \(type) cannot be stored: \(ErrorText(cause))" }
}
