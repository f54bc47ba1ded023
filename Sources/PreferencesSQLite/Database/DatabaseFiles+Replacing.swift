import Foundation
import PreferencesRuntime
import PreferencesSystem

/// Replaces a database file. The caller holds the store lock, so no other store uses the database.
extension DatabaseFiles {
    /// Moves a new database into place and keeps the old files under another name. If this throws, all files are
    /// unchanged.
    ///
    /// If the process is killed midway, the damaged database is still in place, and the next writer sets it aside
    /// again.
    ///
    /// - Returns: The path of the old files; nil if there were none.
    func replace(with temporaryPath: String, at date: Date = Date()) throws(SystemError) -> String? {
        let names = try isAbsent() ? nil : QuarantineLinks(for: self, at: date)
        do throws(SystemError) {
            // The links must be durable before the original names refer to another database.
            if names != nil { try synchronizeFolder() }
            try removeLog()
            try SystemError.check(.replace, path) { rename(temporaryPath, path) }
            return names?.path
        } catch {
            names?.restore()
            throw error
        }
    }

    /// Makes the folder's entries durable.
    func synchronizeFolder() throws(SystemError) {
        try OpenFile(location.folder, O_RDONLY | O_DIRECTORY).synchronizeFolder()
    }

    /// Removes a temporary database and the files that SQLite made beside it.
    static func remove(_ path: String) {
        for suffix in suffixes { unlink(path + suffix) }
    }

    static let suffixes = ["", "-wal", "-shm"]

    static func exists(_ path: String) throws(SystemError) -> Bool {
        try FileStatus.current(path) != nil
    }

    private func isAbsent() throws(SystemError) -> Bool {
        if case .missing = try presence() { try !hasLog() } else { false }
    }

    /// Removes the old log, which SQLite would apply to the new database.
    ///
    /// If the database is missing or empty, its log is the only evidence of damage. The log then takes the database's
    /// name, under which it fails to open.
    private func removeLog() throws(SystemError) {
        if case .present = try presence() {
            try Self.removeIfPresent(logPath)
        } else if try hasLog() {
            try SystemError.check(.setAside, logPath) { rename(logPath, path) }
        } else {
            try Self.removeIfPresent(logPath)
        }
        try Self.removeIfPresent(indexPath)
    }

    private static func removeIfPresent(_ path: String) throws(SystemError) {
        if try exists(path) { try SystemError.check(.remove, path) { unlink(path) } }
    }
}

/// Hard links to the files of a damaged database, named `NAME.corrupt-20261121T190748Z`, with a number appended if that
/// name is taken.
struct QuarantineLinks {
    private let files: DatabaseFiles
    private let stem: String
    private var suffixes: [String] = []

    /// The path of the first link.
    var path: String { stem + (suffixes.first ?? "") }

    /// Links all existing files. The caller has exclusive access to the database.
    init(for files: DatabaseFiles, at date: Date) throws(SystemError) {
        self.files = files
        stem = try Self.freeStem("\(files.path).corrupt-\(Self.stamp(of: date))")
        do throws(SystemError) {
            for suffix in DatabaseFiles.suffixes where try DatabaseFiles.exists(files.path + suffix) {
                try Self.createLink(stem + suffix, to: files.path + suffix)
                suffixes.append(suffix)
            }
        } catch {
            remove()
            throw error
        }
    }

    /// Restores the original names and removes the links.
    func restore() {
        for suffix in suffixes {
            let (name, path) = (stem + suffix, files.path + suffix)
            // A file that cannot be renamed keeps its link, so that nothing is lost.
            if isSameFile(name, path) { unlink(name) } else { rename(name, path) }
        }
        // `removeLog()` may have renamed the log to the missing database.
        if suffixes.first != "", (try? files.hasLog()) == true { unlink(files.path) }
    }

    private func isSameFile(_ first: String, _ second: String) -> Bool {
        guard let identity = try? FileIdentity.current(first) else { return false }
        return (try? FileIdentity.current(second)) == identity
    }

    private func remove() {
        for suffix in suffixes { unlink(stem + suffix) }
    }

    private static func freeStem(_ stem: String) throws(SystemError) -> String {
        var free = stem
        var number = 1
        while try existsAny(of: free) {
            number += 1
            free = "\(stem)-\(number)"
        }
        return free
    }

    private static func existsAny(of stem: String) throws(SystemError) -> Bool {
        for suffix in DatabaseFiles.suffixes where try DatabaseFiles.exists(stem + suffix) { return true }
        return false
    }

    private static func stamp(of date: Date) -> String {
        date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
    }

    private static func createLink(_ name: String, to path: String) throws(SystemError) {
        do throws(SystemError) {
            try SystemError.check(.setAside, path) { link(path, name) }
        } catch {
            // Some file systems have no hard links, and not every user may create them.
            guard [EPERM, EACCES, EMLINK, ENOTSUP, ENOSYS].contains(error.code) else { throw error }
            try copy(path, to: name)
        }
    }

    private static func copy(_ path: String, to name: String) throws(SystemError) {
        do {
            try FileManager.default.copyItem(atPath: path, toPath: name)
            try OpenFile(name, O_RDONLY).synchronize()
        } catch {
            unlink(name)
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError
            throw error as? SystemError
                ?? SystemError(operation: .setAside, path: path, code: cause?.code.rawValue ?? EIO)
        }
    }
}
