import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRemote
import PreferencesRuntime
import PreferencesSQLite

/// The local store of an app's `RoamingStore`: it has the values of this machine, and the changes of shared keys that
/// are not shared yet.
///
/// Shared keys read as these changes. They are not set: the app would merge a value with the shared one, which is not
/// known here.
struct RoamingFile: PreferenceStoreAdapter {
    private let roaming: RoamingStore

    var base: any PreferenceStore { roaming }

    /// The shared store of the app, which the command does not know.
    private struct UnknownStore: PreferenceStoreAdapter {
        let base: any PreferenceStore = MemoryStore()
        let label = "the app's other machines"
    }

    /// Returns nil if the store is not the local one of a `RoamingStore`, or if the schema has no shared keys.
    init?(_ store: any PreferenceStore, _ catalogue: PreferenceCatalogue) {
        let shared = catalogue.filter { $0.scope != .machine }
        let isFile = store is FileStore || store is SQLiteStore || store is UserDefaultsStore
        guard isFile, !shared.isEmpty, RoamingStore.isUsed(over: store) else { return nil }
        let unknown = UnknownStore()
        roaming = RoamingStore(
            local: store,
            shared: [.user: unknown, .fleet: unknown],
            synchronizesAutomatically: false
        )
        for key in shared {
            roaming.declareShared(
                key.storageName,
                formerNames: key.formerNames,
                scope: key.scope,
                mergeRule: key.mergeRule
            )
        }
    }

    var label: String { roaming.local.label }

    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try update(by: writer) { _ in batch }
    }

    /// Applies a batch.
    ///
    /// - Throws: A problem for a key that is shared, unless a key is reset that is not set here.
    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try roaming.update(by: writer?.parts.first) { current in
            let batch = try withoutActuallyEscaping(current) { try makeBatch($0) }
            for (name, edit) in batch {
                guard roaming.isShared(name), try edit != .remove || current(name) != nil else { continue }
                throw PreferenceProblem(
                    .storeUnwritable,
                    key: name,
                    store: label,
                    message:
                        "it is shared with other machines, and is not set in the local file of its app; set it in the "
                        + "app, or in the app's shared store, for example with '-s etcd:URL/PREFIX'"
                )
            }
            return batch
        }
    }
}

extension Session {
    /// Reports how many keys have values in a shared store that is not read, and how to read them.
    func reportShared(_ keys: [PreferenceKeyDescription]) {
        guard let file = layers.first(where: { $0 is RoamingFile }), !layers.contains(where: { $0 is EtcdStore }) else {
            return
        }
        let count = keys.count { $0.scope != .machine }
        if count == 0 { return }
        Console.printError(
            "\(counted(count, "key")) \(count == 1 ? "is" : "are") shared with other machines; \(file.label) has only changes that are not shared "
                + "yet: specify the app's shared store after it, for example '-s etcd:URL/PREFIX'"
        )
    }
}
