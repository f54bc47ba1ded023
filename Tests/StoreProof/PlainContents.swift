import Foundation
import PreferencesRuntime
import TestSupport

/// The contents of a store's file, read independently of the store.
enum PlainContents {
    case missing
    case entries([String: Any])
    /// The contents cannot be read, for this reason.
    case unreadable(String)

    init(of url: URL) {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            let isThere = (try? FileManager.default.attributesOfItem(atPath: url.path)) != nil
            self = isThere ? .unreadable("the file cannot be read: \(error)") : .missing
            return
        }
        self.init(parsing: data)
    }

    init(parsing data: Data) {
        let isPropertyList = data.starts(with: Data("<".utf8)) || data.starts(with: Data("bplist".utf8))
        // Foundation on Linux crashes.
        if isPropertyList, containsPropertyListSet([UInt8](data)) {
            self = .unreadable("the property list has a set")
            return
        }
        do {
            let root =
                isPropertyList
                ? try PropertyListSerialization.propertyList(from: data, format: nil)
                : try JSONSerialization.jsonObject(with: data)
            guard let entries = root as? [String: Any] else {
                self = .unreadable("its root is no object")
                return
            }
            self = .entries(entries)
        } catch {
            self = .unreadable("the file of \(data.count) bytes does not parse")
        }
    }

    /// The numbers by name; nil if the file is missing or unreadable.
    var numbers: [String: Int64]? {
        guard case .entries(let entries) = self else { return nil }
        return entries.compactMapValues { ($0 as? NSNumber)?.int64Value }
    }
}

/// Reads a copy of a database with SQLite, because opening a database changes it.
enum PlainDatabase {
    private typealias Open = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> CInt
    private typealias Close = @convention(c) (OpaquePointer?) -> CInt
    private typealias Row =
        @convention(c) (
            UnsafeMutableRawPointer?, CInt, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> CInt
    private typealias Execute =
        @convention(c) (
            OpaquePointer?, UnsafePointer<CChar>, Row?, UnsafeMutableRawPointer?, OpaquePointer?
        ) -> CInt

    /// The rows of a result.
    private final class Rows {
        var rows: [[String]] = []
    }

    static func contents(of url: URL) throws -> PlainContents {
        try withCopy(of: url, or: .missing) { library, connection in
            contents(library, connection)
        }
    }

    /// Returns the readable rows from both ends of a possibly damaged database, by name, with the first row of each.
    static func rows(of url: URL) throws -> [String: [String]] {
        try withCopy(of: url, or: [:]) { library, connection in
            // Allows reading a truncated file.
            _ = library.rows(connection, "PRAGMA writable_schema = ON")
            let rows = ["ASC", "DESC"].flatMap {
                library.readableRows(connection, "SELECT * FROM preferences ORDER BY 1 \($0)").0
            }
            // Valid rows have a name and a type.
            .filter { $0.count == 3 && !$0[1].isEmpty }
            return Dictionary(rows.map { ($0[0], $0) }) { first, _ in first }
        }
    }

    private static func withCopy<Result>(
        of url: URL,
        or absent: Result,
        _ body: (Library, OpaquePointer?) throws -> Result
    ) throws -> Result {
        try withTemporaryDirectory { folder in
            let copy = folder.appending(component: "copy.sqlite")
            // The log is next to the link's target.
            let path = url.resolvingSymlinksInPath().path
            guard let (database, log) = try consistentFiles(path), !database.isEmpty else { return absent }
            try database.write(to: copy)
            try log?.write(to: URL(filePath: copy.path + "-wal"))
            let library = try Library()
            var connection: OpaquePointer?
            defer { _ = library.close(connection) }
            _ = library.open(copy.path, &connection)
            return try body(library, connection)
        }
    }

    /// Returns the database and its log as they were at one time; nil if there is no database.
    ///
    /// A background refresh of the store may close the last connection, which moves the log into the database and then
    /// empties it. If that happened between the two reads, the database has changed.
    private static func consistentFiles(_ path: String) throws -> (database: Data, log: Data?)? {
        func read(_ path: String) throws -> Data? {
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            return try Data(contentsOf: URL(filePath: path))
        }
        while let database = try read(path) {
            let log = try read(path + "-wal")
            if try read(path) == database { return (database, log) }
        }
        return nil
    }

    private static func contents(_ library: Library, _ connection: OpaquePointer?) -> PlainContents {
        let verdict = library.rows(connection, "PRAGMA integrity_check")
        guard let verdict, verdict == [["ok"]] else {
            return .unreadable("SQLite's integrity check fails: \(verdict?.first?.first ?? "it cannot be run")")
        }
        guard let rows = library.rows(connection, "SELECT name, typeof(value), value FROM preferences") else {
            return .unreadable("SQLite cannot read the table of preferences")
        }
        guard library.rows(connection, "BEGIN IMMEDIATE; ROLLBACK") != nil else {
            return .unreadable("SQLite cannot write the database")
        }
        var entries: [String: Any] = [:]
        for row in rows { entries[row[0]] = row[1] == "integer" ? Int64(row[2]).map { NSNumber(value: $0) } : row[2] }
        return .entries(entries)
    }

    private struct Library {
        let open: Open
        let close: Close
        private let execute: Execute

        struct Missing: Error, CustomStringConvertible {
            var description: String { "SQLite is not installed: there is no libsqlite3.so.0" }
        }

        init() throws {
            guard let handle = dlopen("libsqlite3.so.0", RTLD_NOW) else { throw Missing() }
            func find<Function>(_ name: String) throws -> Function {
                guard let symbol = dlsym(handle, "sqlite3_\(name)") else { throw Missing() }
                return unsafeBitCast(symbol, to: Function.self)
            }
            open = try find("open")
            close = try find("close")
            execute = try find("exec")
        }

        /// Returns the rows of a statement; nil if it fails.
        func rows(_ connection: OpaquePointer?, _ statement: String) -> [[String]]? {
            let (rows, isWhole) = readableRows(connection, statement)
            return isWhole ? rows : nil
        }

        /// Returns the rows of a statement until it fails, and whether it succeeded.
        func readableRows(_ connection: OpaquePointer?, _ statement: String) -> ([[String]], Bool) {
            let rows = Rows()
            let code = execute(
                connection,
                statement,
                { context, count, values, _ in
                    guard let context, let values else { return 1 }
                    let rows = Unmanaged<Rows>.fromOpaque(context).takeUnretainedValue()
                    rows.rows.append((0..<Int(count)).map { values[$0].map { String(cString: $0) } ?? "" })
                    return 0
                },
                Unmanaged.passUnretained(rows).toOpaque(),
                nil
            )
            return (rows.rows, code == 0)
        }
    }
}
