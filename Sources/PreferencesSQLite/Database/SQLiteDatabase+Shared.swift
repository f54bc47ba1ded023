import PreferencesSystem
import Dispatch
import PreferencesRuntime

/// The stores of one process that have one file use one database, so that what one of them sets the others read, and
/// their observers are told, before the setter returns.
extension SQLiteDatabase {
    private struct Listing {
        weak var database: SQLiteDatabase?
    }

    private struct Registry {
        var listings: [FileKey: Listing] = [:]
        /// How many listings there may be before those of databases that are gone are removed.
        private var limit = 64

        /// Removes the listings of databases that are gone, at times that make it a constant share of adding them.
        mutating func prune() {
            guard listings.count >= limit else { return }
            listings = listings.filter { $0.value.database != nil }
            limit = max(64, listings.count * 2)
        }
    }

    private static let registry = Locked(Registry())

    private static let participation: Void = StoreSuspension.add(
        StoreSuspension.Participant(
            closings: {
                all.filter { !$0.writing.isHeldByThisThread }.map { database in { database.closeConnections() } }
            },
            resume: {
                for database in all where !database.observers.isEmpty {
                    DispatchQueue.global().async { try? database.look(SQLiteStore.defaultBusyTimeout) }
                }
            }
        )
    )

    private static var all: [SQLiteDatabase] {
        registry.withLock { registry in
            let databases = registry.listings.values.compactMap(\.database)
            return Array(Dictionary(databases.map { (ObjectIdentifier($0), $0) }) { first, _ in first }.values)
        }
    }

    /// How many paths and places are listed, those of databases that are gone included.
    static var listingCount: Int { registry.withLock { $0.listings.count } }

    /// The database of a path. Paths that lead to one file, when they are first used, have one.
    static func shared(path: String) -> SQLiteDatabase {
        _ = participation
        // All that asks the system, which may wait for a network, is done with no lock held.
        let keys = FileKey.keys(of: path)
        let listed = registry.withLock { registry in
            keys.compactMap { key in registry.listings[key]?.database.map { (key, $0) } }
        }
        // A link may lead elsewhere than when its database was listed.
        let moved = listed.filter { key, database in !database.isFound(by: key) }
        let new = listed.count > moved.count ? nil : SQLiteDatabase(path: path)
        // What is found is returned with the rest, so that none of it ends with the lock held.
        let (database, _) = registry.withLock { registry in
            registry.prune()
            let found = keys.compactMap { key in registry.listings[key]?.database.map { (key, $0) } }
            let current = found.filter { key, database in !moved.contains { $0.0 == key && $0.1 === database } }
            let database = current.first?.1 ?? new ?? SQLiteDatabase(path: path)
            for key in keys where !current.contains(where: { $0.0 == key }) {
                registry.listings[key] = Listing(database: database)
            }
            return (database, found)
        }
        return database
    }

    private func isFound(by key: FileKey) -> Bool {
        FileKey.keys(of: path).contains(key)
    }
}
