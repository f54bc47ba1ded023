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
    /// Gives the files that there are another name: `NAME.corrupt-20261121T190748Z`, or that with a number that is free.
    ///
    /// The log goes after the database: a log alone is set aside by the next writer, who would take a database without
    /// its log for whole.
    ///
    /// - Returns: The path of the first that there is.
    func setAside(at date: Date = Date()) throws(SystemError) -> String {
        let stem = "\(path).corrupt-\(Self.stamp(of: date))"
        var target = stem
        var number = 1
        while try Self.existsAny(of: target) {
            number += 1
            target = "\(stem)-\(number)"
        }
        var first: String?
        for ending in Self.endings where try Self.exists(path + ending) {
            try SystemError.check("set aside", path + ending) { rename(path + ending, target + ending) }
            first = first ?? target + ending
        }
        try synchronizeFolder()
        return first ?? target
    }

    /// Puts another database into the place, which has no log yet.
    ///
    /// A log of a database that has gone is in the way. One with something in it must have been set aside.
    func replace(with temporaryPath: String) throws(SystemError) {
        for path in [logPath, indexPath] where try Self.exists(path) {
            try SystemError.check("remove", path) { unlink(path) }
        }
        try SystemError.check("replace", path) { rename(temporaryPath, path) }
        try synchronizeFolder()
    }

    /// Removes a database that was not put into its place, and what SQLite has made for it.
    static func remove(_ path: String) {
        for ending in endings { unlink(path + ending) }
    }

    private static let endings = ["", "-wal", "-shm"]

    private func synchronizeFolder() throws(SystemError) {
        try OpenFile(place.folder, O_RDONLY | O_DIRECTORY).synchronizeFolder()
    }

    private static func exists(_ path: String) throws(SystemError) -> Bool {
        try status(of: path) != nil
    }

    private static func existsAny(of stem: String) throws(SystemError) -> Bool {
        for ending in endings where try exists(stem + ending) { return true }
        return false
    }

    private static func stamp(of date: Date) -> String {
        date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
    }
}
