/// A migration of values that earlier versions of the program have stored. It runs once for each store.
///
/// ```swift
/// let preferences = Preferences(
///     store: FileStore.default,
///     migrations: [
///         PreferenceMigration(version: 1, [
///             .moveAll(from: UserDefaultsStore(suite: "old")),
///             .move("old-city-id", to: "weather:city-id"),
///         ]),
///         PreferenceMigration(version: 2, [
///             .move("theme", to: "window:theme") { (text: String) in Theme(text) }
///         ]),
///     ]
/// )
/// ```
///
/// Migrations that have not been applied to a store run in one atomic change, which also stores the version, before the
/// first value is read or set. See <doc:Migrations> for the guarantees if that fails, or if the program ends during
/// a migration.
///
/// For a key that was only renamed, `renamedFrom` in the schema is enough.
public struct PreferenceMigration: Sendable {
    /// The version of the stored values after this migration. Before the first migration, it is 0.
    public let version: Int
    /// The steps, in the order in which they run.
    public let steps: [Step]

    /// Creates a migration.
    ///
    /// - Parameters:
    ///   - version: The version of the stored values after the migration; at least 1, and greater than that of the
    ///     migration before. Do not change a migration that has been released; add another one instead.
    ///   - steps: The steps, in the order in which they run. Each sees the results of the earlier ones, including those
    ///     of earlier migrations.
    public init(version: Int, _ steps: [Step]) {
        self.version = version
        self.steps = steps
    }

    /// Ends the program if the versions do not ascend, since some users would skip migrations.
    static func check(_ migrations: [PreferenceMigration]) {
        let versions = migrations.map(\.version)
        guard zip([0] + versions, versions).allSatisfy({ $0 < $1 }) else {
            let list = versions.map(String.init).joined(separator: ", ")
            fatalError("Preferences needs migrations with versions that ascend from 1, not \(list)")
        }
    }
}

extension [PreferenceMigration] {
    /// Calls a body with each step, in order.
    func forEachStep<Failure: Error>(
        _ body: (MigrationRecord.StepID, PreferenceMigration.Step) throws(Failure) -> Void
    ) throws(Failure) {
        for migration in self {
            for (index, step) in migration.steps.enumerated() {
                try body(MigrationRecord.StepID(version: migration.version, step: index), step)
            }
        }
    }
}

extension PreferenceMigration {
    /// A step of a migration, which moves, converts or removes one value, or moves all values of another store.
    ///
    /// A value is removed from its old place only when it is stored in its new one. A value that is not moved, for any
    /// reason, stays.
    public struct Step: Sendable {
        /// The store of the values; nil for the store of the preferences.
        let source: (any PreferenceStore)?
        let selection: Selection
        /// Whether the values are moved to the secrets store.
        let isSecret: Bool
        let overwrites: Bool
        /// Returns the conversion of a value that gets a new name; nil if the value is moved as it is.
        let conversion: @Sendable (_ newName: String) -> Conversion?

        /// Converts a value, which is read as its store reads it; returns nil for a value that is not to be moved.
        typealias Conversion =
            @Sendable (_ old: PreferenceValue, _ name: String, any PreferenceStore) throws -> PreferenceValue?

        enum Selection: Sendable {
            /// One name with its new name; nil to remove the value.
            case one(String, newName: String?)
            /// All names with their new names; nil for those that stay.
            case all(newName: @Sendable (String) -> String?)
        }
    }
}

extension PreferenceMigration.Step {
    /// Returns whether problems must not contain the names, because names found in a secrets store may be secret.
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
    ///   - name: The current name of the value. If it is not set, nothing is done.
    ///   - source: The current store of the value; by default the store of the preferences. The value is removed from
    ///     it after it is durable in its new place.
    ///   - newName: The new storage name. If it is set already, nothing is done.
    ///   - isSecret: Whether to move the value to the secrets store; false by default.
    ///   - overwrites: Whether to replace a value that is set under the new name already; false by default.
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
            conversion: { _ in nil }
        )
    }

    /// Converts a value, and moves it to another name or keeps its name.
    ///
    /// ```swift
    /// .move("theme", to: "window:settings") { (text: String) in Settings(text) }
    /// .move("distance", to: "distance") { (miles: Double) in miles * 1.609 }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The current name of the value. If it is not set, nothing is done.
    ///   - source: The current store of the value; by default the store of the preferences. The value is removed from
    ///     it after it is durable in its new place.
    ///   - newName: The new storage name. If it is set already, nothing is done. A secret cannot be converted under its
    ///     own name.
    ///   - isSecret: Whether to move the value to the secrets store; false by default.
    ///   - overwrites: Whether to replace a value that is set under the new name already; false by default.
    ///   - convert: Returns the new value; nil to leave the old one unchanged. An error, or an old value of another
    ///     type, also leaves it unchanged and is reported. The closure must not use `Preferences`, and should have no
    ///     side effects: if the migration fails, it is called again at the next launch.
    public static func move<Old: PreferenceConvertible, New: PreferenceConvertible>(
        _ name: String,
        from source: (any PreferenceStore)? = nil,
        to newName: String,
        isSecret: Bool = false,
        overwrites: Bool = false,
        _ convert: @escaping @Sendable (_ old: Old) throws -> New?
    ) -> Self {
        let conversion: Conversion = { old, name, store in
            guard let new = try convert(store.read(old, of: name, as: Old.self)) else { return nil }
            return try encode(new)
        }
        return Self(
            source: source,
            selection: .one(name, newName: newName),
            isSecret: isSecret,
            overwrites: overwrites,
            conversion: { _ in conversion }
        )
    }

    private static func encode<Value: PreferenceConvertible>(_ value: Value) throws -> PreferenceValue {
        do {
            return try value.preferenceValue()
        } catch {
            throw EncodingFailure(type: Preferences.declaredType(Value.self), cause: error)
        }
    }

    /// Moves all values of another store to the store of the preferences.
    ///
    /// ```swift
    /// .moveAll(from: UserDefaultsStore(suite: "old"))
    /// .moveAll(from: FileStore(url: oldURL)) { $0.hasPrefix("cache.") ? nil : "weather:\($0)" }
    /// ```
    ///
    /// Values that an earlier step has moved from the same `PreferenceStore` are not moved again.
    ///
    /// A value moves as it is stored, so that the new store needs the adapter that decodes it. To do without that, list
    /// the types of the keys whose values are encoded:
    ///
    /// ```swift
    /// .moveAll(from: LegacyStore(suite, decoding: .storez), reencoding: ["station": Station.self, "opened": Date.self])
    /// ```
    ///
    /// - Parameters:
    ///   - source: The store of the values. They are removed from it after they are durable in the new store.
    ///   - isSecret: Whether to move the values to the secrets store; false by default.
    ///   - overwrites: Whether to replace values that are set here already; false by default.
    ///   - types: The types, by new name, of values that are read as their store decodes them, and stored in this
    ///     package's encoding; by default none. With the store of the preferences as the source, their encoding
    ///     changes in place. A value of another type stays where it is, and is reported.
    ///   - newName: Returns the new storage name for a name; nil for a value that is not moved. By default, names do
    ///     not change.
    public static func moveAll(
        from source: some PreferenceStore,
        isSecret: Bool = false,
        overwrites: Bool = false,
        reencoding types: [String: any PreferenceConvertible.Type] = [:],
        _ newName: @escaping @Sendable (_ name: String) -> String? = { $0 }
    ) -> Self {
        Self(
            source: source,
            selection: .all(newName: newName),
            isSecret: isSecret,
            overwrites: overwrites,
            conversion: { newName in types[newName].map { reencoding($0) } }
        )
    }

    private static func reencoding<Value: PreferenceConvertible>(_ type: Value.Type) -> Conversion {
        { old, name, store in try encode(store.read(old, of: name, as: type)) }
    }

    /// Removes a value.
    ///
    /// - Parameters:
    ///   - name: The name of the value.
    ///   - source: The store of the value; by default the store of the preferences.
    public static func remove(_ name: String, from source: (any PreferenceStore)? = nil) -> Self {
        Self(
            source: source,
            selection: .one(name, newName: nil),
            isSecret: false,
            overwrites: false,
            conversion: { _ in nil }
        )
    }
}

/// The error of a converted value that cannot be encoded.
private struct EncodingFailure: Error, CustomStringConvertible {
    let type: Any.Type
    let cause: any Error

    var description: String { "this \(type) cannot be stored: \(ErrorText(cause))" }
}
