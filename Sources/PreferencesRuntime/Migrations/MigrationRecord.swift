/// The migrations that have been applied to a store, as recorded in it.
struct MigrationRecord: Equatable {
    // These names do not belong to keys: see `PreferenceMigration.isBookkeeping(_:)`.
    static let versionName = "::version"
    static let unfinishedName = "::unfinished"

    /// The version of the last migration; 0 before the first.
    var version = 0
    /// The unfinished steps, sorted.
    private(set) var unfinished: [Unfinished] = []

    /// A step of a migration.
    struct StepID: Codable, Hashable, Comparable {
        var version: Int
        var step: Int

        static func < (first: Self, second: Self) -> Bool {
            (first.version, first.step) < (second.version, second.step)
        }
    }

    /// A step that has to be retried, or whose values still have to be removed from their old store.
    struct Unfinished: Codable, Hashable, PreferenceConvertible {
        var id: StepID
        /// The values to remove from another store; nil if the step has to be retried, because a store could not be
        /// used.
        var removals: Removals?
    }

    /// Values to remove from the store from which they were moved.
    struct Removals: Codable, Hashable {
        /// The label of the store. If the step has another store now, nothing must be removed from that.
        var store: String
        var names: Set<String>
    }

    init() {}

    /// Reads the record of a store.
    ///
    /// - Parameter latest: The last version of this program. Of a record with a newer version, only the version is
    ///   read.
    /// - Throws: The error of the store, or ``PreferenceProblem`` if the stored record is invalid.
    init(
        reading value: (_ name: String) throws -> PreferenceValue?,
        in store: any PreferenceStore,
        upTo latest: Int
    ) throws {
        func read<Value: PreferenceConvertible>(_ name: String, _ fallback: Value) throws -> Value {
            guard let stored = try value(name) else { return fallback }
            do {
                return try Value(preferenceValue: stored)
            } catch {
                throw PreferenceProblem(describing: error, or: .typeMismatch, key: name, store: store.label)
            }
        }
        version = try read(Self.versionName, 0)
        if version > latest { return }
        unfinished = try read(Self.unfinishedName, [])
    }

    subscript(id: StepID) -> Unfinished? {
        get { unfinished.first { $0.id == id } }
        set {
            unfinished.removeAll { $0.id == id }
            if let newValue { unfinished = (unfinished + [newValue]).sorted { $0.id < $1.id } }
        }
    }

    /// Returns the names to remove from the store of a step; nil if there are none, or if the step has another store
    /// now.
    func namesToRemove(by step: PreferenceMigration.Step, _ id: StepID) -> Set<String>? {
        guard let removals = self[id]?.removals, removals.store == step.source?.label else { return nil }
        return removals.names
    }

    /// Returns the edits that replace an older record with this one.
    func edits(from old: MigrationRecord) throws -> [String: PreferenceEdit] {
        var edits: [String: PreferenceEdit] = [:]
        if version != old.version { edits[Self.versionName] = .set(try version.preferenceValue()) }
        if unfinished != old.unfinished {
            edits[Self.unfinishedName] = unfinished.isEmpty ? .remove : .set(try unfinished.preferenceValue())
        }
        return edits
    }
}

extension PreferenceMigration {
    /// Returns whether a storage name is reserved by the package, as that of the migration record, and is not a key's.
    /// Schemas accept `::` itself as the name of a key, and no other name with this prefix.
    static func isBookkeeping(_ name: String) -> Bool {
        name.hasPrefix("::") && name != "::"
    }
}

/// The identity of a store: that of an object, or the label of a value; for an adapter, combined with the identity of
/// its base.
struct StoreIdentity: Hashable {
    private let objects: [ObjectIdentifier]
    private let labels: [String]

    init(_ store: any PreferenceStore) {
        let store = (store as? RedactingStore)?.base ?? store
        if type(of: store) is AnyClass {
            (objects, labels) = ([ObjectIdentifier(store as AnyObject)], [])
        } else if let adapter = store as? any PreferenceStoreAdapter {
            let base = StoreIdentity(adapter.base)
            (objects, labels) = (base.objects, base.labels + ["\(type(of: store)) \(store.label)"])
        } else {
            (objects, labels) = ([], [store.label])
        }
    }
}
