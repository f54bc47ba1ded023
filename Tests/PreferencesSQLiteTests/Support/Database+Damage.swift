import PreferencesRuntime
import PreferencesSQLite
import Testing

extension Database {
    /// Makes a database of many entries, whole in its file and used by nobody.
    func fill(count: Int = 2_000) async throws {
        try store().apply(
            PreferenceBatch(
                Dictionary(uniqueKeysWithValues: (0..<count).map { ("key-\($0 + 1_000)", .set(.int(Int64($0)))) })
            )
        )
        #expect(try await shell("PRAGMA wal_checkpoint(TRUNCATE)") == "0|0|0")
    }

    func problem(_ message: String) -> PreferenceProblem {
        PreferenceProblem(.storeMalformed, store: path, message: message)
    }

    /// What is said of a damaged database that was only read.
    func damage(_ reason: String) -> PreferenceProblem {
        let consequence = "it is left as it is until the next write, which sets it aside"
        return problem("the database is damaged: \(reason); \(consequence)")
    }

    /// What is said of one that was written.
    func setAside(as path: String, _ reason: String, saved: Int) -> PreferenceProblem {
        setAside(
            "the database was damaged: \(reason); it was set aside as \(path), "
                + "and \(saved) entries that could still be read were taken into a new one; "
                + "where that is not all, put a backup in its place, or look with the sqlite3 program for more"
        )
    }

    func setAside(_ message: String) -> PreferenceProblem {
        PreferenceProblem(.setAside, store: path, message: message)
    }
}
