import PreferencesRuntime

/// The stores of one process that have one file use one database, so that what one of them sets the others read, and
/// their observers are told, before the setter returns.
extension SQLiteDatabase {
    private struct Listing {
        weak var database: SQLiteDatabase?
    }

    private static let all = Locked<[FileKey: Listing]>([:])

    /// The database of a path. Paths that lead to one file, when they are first used, have one.
    static func shared(path: String) -> SQLiteDatabase {
        let keys = FileKey.keys(of: path)
        return all.withLock { all in
            all = all.filter { $0.value.database != nil }
            // A link may lead elsewhere than when its database was listed.
            for key in keys where all[key]?.database?.isFound(by: key) == false { all[key] = nil }
            let database = keys.compactMap { all[$0]?.database }.first ?? SQLiteDatabase(path: path)
            for key in keys where all[key] == nil { all[key] = Listing(database: database) }
            return database
        }
    }

    private func isFound(by key: FileKey) -> Bool {
        FileKey.keys(of: path).contains(key)
    }
}
