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

/// The names that the files of a database have beside their own, once it is to be set aside:
/// `NAME.corrupt-20261121T190748Z`, or that with a number that is free.
struct SecondNames {
    private let files: DatabaseFiles
    private let stem: String
    private var endings: [String] = []

    /// The first that there is.
    var path: String { stem + (endings.first ?? "") }

    /// Gives all files that there are a second name. Nobody else uses the database.
    init(for files: DatabaseFiles, at date: Date) throws(SystemError) {
        self.files = files
        stem = try Self.freeStem("\(files.path).corrupt-\(Self.stamp(of: date))")
        do throws(SystemError) {
            for ending in DatabaseFiles.endings where try DatabaseFiles.exists(files.path + ending) {
                try Self.give(stem + ending, to: files.path + ending)
                endings.append(ending)
            }
        } catch {
            remove()
            throw error
        }
    }

    /// Has the files be where they were, and nowhere else.
    func restore() {
        for ending in endings {
            let (name, path) = (stem + ending, files.path + ending)
            // What cannot be renamed keeps its second name, so that nothing is lost.
            if isOneFile(name, path) { unlink(name) } else { rename(name, path) }
        }
        // Where there was none, the log may have taken the database's place.
        if endings.first != "", (try? files.hasLog()) == true { unlink(files.path) }
    }

    private func isOneFile(_ first: String, _ second: String) -> Bool {
        guard let identity = try? FileIdentity.current(first) else { return false }
        return (try? FileIdentity.current(second)) == identity
    }

    private func remove() {
        for ending in endings { unlink(stem + ending) }
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
        for ending in DatabaseFiles.endings where try DatabaseFiles.exists(stem + ending) { return true }
        return false
    }

    private static func stamp(of date: Date) -> String {
        date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
    }

    private static func give(_ name: String, to path: String) throws(SystemError) {
        do throws(SystemError) {
            try SystemError.check("set aside", path) { link(path, name) }
        } catch {
            // Not every file system has links, nor has everyone the right to make one.
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
                ?? SystemError(operation: "set aside", path: path, code: cause?.code.rawValue ?? EIO)
        }
    }
}
