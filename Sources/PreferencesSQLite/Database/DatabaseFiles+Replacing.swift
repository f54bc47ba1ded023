import PreferencesSystem
import Foundation
import PreferencesRuntime

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// With the database locked, so that no other store uses it.
extension DatabaseFiles {
    /// Puts another database into the place, and has what was there under another name. Where it throws, all is as it was.
    ///
    /// At no moment, should the process be killed, is there nothing in the place of something that nobody has been told
    /// of: until the new database takes its place there is the damaged one, which the next writer sets aside again.
    ///
    /// - Returns: The path of what was set aside; nil where there was nothing.
    func replace(with temporaryPath: String, at date: Date = Date()) throws(SystemError) -> String? {
        let names = try isNothing() ? nil : SecondNames(for: self, at: date)
        do throws(SystemError) {
            // The second names, before the first ones are another database's.
            if names != nil { try synchronizeFolder() }
            try clearLog()
            try SystemError.check("replace", path) { rename(temporaryPath, path) }
            return names?.path
        } catch {
            names?.restore()
            throw error
        }
    }

    /// Returns when the folder has on the disk which files it has.
    func synchronizeFolder() throws(SystemError) {
        try OpenFile(place.folder, O_RDONLY | O_DIRECTORY).synchronizeFolder()
    }

    /// Removes a database that was not put into its place, and what SQLite has made for it.
    static func remove(_ path: String) {
        for ending in endings { unlink(path + ending) }
    }

    static let endings = ["", "-wal", "-shm"]

    static func exists(_ path: String) throws(SystemError) -> Bool {
        try FileStatus.current(path) != nil
    }

    private func isNothing() throws(SystemError) -> Bool {
        if case .missing = try presence() { try !hasLog() } else { false }
    }

    /// Has the place have no log: SQLite would take it for that of the new database.
    ///
    /// Without it, an empty or missing database is no damaged one any more. So the log takes its place, which is no
    /// database.
    private func clearLog() throws(SystemError) {
        if case .present = try presence() {
            try Self.removeIfPresent(logPath)
        } else if try hasLog() {
            try SystemError.check("set aside", logPath) { rename(logPath, path) }
        } else {
            try Self.removeIfPresent(logPath)
        }
        try Self.removeIfPresent(indexPath)
    }

    private static func removeIfPresent(_ path: String) throws(SystemError) {
        if try exists(path) { try SystemError.check("remove", path) { unlink(path) } }
    }
}
