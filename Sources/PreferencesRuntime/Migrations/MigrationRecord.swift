/// What a store says of the migrations that it has been through.
struct MigrationRecord: Equatable {
    /// Storage names of keys have no empty part, so these are no key's.
    static let versionName = "::version"
    static let unfinishedName = "::unfinished"

    /// Of the last migration; 0 before the first.
    var version = 0
    /// Steps that something remains to be done of, sorted.
    private(set) var unfinished: [Unfinished] = []

    /// Which step of which migration.
    struct StepID: Codable, Hashable, Comparable {
        var version: Int
        var step: Int

        static func < (first: Self, second: Self) -> Bool {
            (first.version, first.step) < (second.version, second.step)
        }
    }

    struct Unfinished: Codable, Hashable, PreferenceConvertible {
        var id: StepID
        /// What was moved from another store and is to be removed there; nil where nothing was moved, as one of the
        /// stores could not be used.
        var removals: Removals?
    }

    struct Removals: Codable, Hashable {
        /// The store's label. Where the step has another one now, nothing must be removed there.
        var store: String
        var names: Set<String>
    }

    init() {}

    /// - Parameter latest: The last version that this program knows. Of a newer one only the version is read.
    /// - Throws: What the store throws, or ``PreferenceProblem`` where somebody else has written there.
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

    /// What a step has moved from its store and is to be removed there; nil where there is no such store.
    func namesToRemove(by step: PreferenceMigration.Step, _ id: StepID) -> Set<String>? {
        guard let removals = self[id]?.removals, removals.store == step.source?.label else { return nil }
        return removals.names
    }

    /// What has to be written where there is another record.
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
    /// Whether a storage name is no key's, but tells which migrations a store has been through.
    static func isBookkeeping(_ name: String) -> Bool {
        name == MigrationRecord.versionName || name == MigrationRecord.unfinishedName
    }
}

/// Tells stores apart: objects by which they are, others by their labels, and stores over others by those, too.
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
