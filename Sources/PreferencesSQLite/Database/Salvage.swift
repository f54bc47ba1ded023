import PreferencesRuntime
import PreferencesSystem

/// Recovers the readable entries of a damaged database.
enum Salvage {
    /// Returns the readable entries in a database in memory.
    static func entries(of files: DatabaseFiles, _ timeout: Duration) throws -> SQLiteConnection {
        let target = try SQLiteConnection(":memory:", isReadOnly: false, library: .usable())
        try target.execute("read", SQLiteSchema.creation)
        _ = try copy(from: files, to: target, timeout)
        return target
    }

    /// Copies rows in ascending order up to the first unreadable one, then in descending order; then again with a
    /// repaired header.
    ///
    /// - Returns: The number of copied rows.
    /// - Throws: An error other than damage: the disk fails, or the target cannot be written.
    static func copy(from files: DatabaseFiles, to target: SQLiteConnection, _ timeout: Duration) throws -> Int {
        // Ignores rows that were copied before, and rows without a name, as in a page of zeros.
        let copy = try target.statement("create", "INSERT OR IGNORE INTO preferences VALUES (?1, ?2, ?3)")
        var count = 0
        for repairsHeader in [false, true] {
            guard let source = try open(files, repairsHeader: repairsHeader, timeout) else { continue }
            for order in ["ASC", "DESC"] {
                // By position, because the column names may be damaged.
                let query = "SELECT * FROM preferences ORDER BY 1 \(order)"
                guard let rows = try untilDamage({ try source.statement("read", query) }) else { continue }
                // A damaged tree may contain a cycle.
                var maximum = try maximumRowCount(in: files)
                while maximum > 0, try untilDamage(rows.step) == true {
                    for column in 0..<3 as Range<CInt> { try copy.bind(column + 1, rows, column: column) }
                    try copy.run()
                    count += target.changeCount
                    maximum -= 1
                }
            }
        }
        return count
    }

    /// Opens a damaged database for reading. Returns nil if it has no readable contents.
    ///
    /// - Parameter repairsHeader: Whether to repair the header, in a copy. Not possible with a log, which belongs to
    ///   the original file.
    private static func open(_ files: DatabaseFiles, repairsHeader: Bool, _ timeout: Duration) throws
        -> SQLiteConnection?
    {
        // SQLite would remove the log of an empty file.
        guard case .present = try files.presence() else { return nil }
        let length = try files.length()
        if repairsHeader, try files.hasLog() || length < DatabaseHeader.smallestLength { return nil }
        var source = try SQLiteConnection(files.path, isReadOnly: true, library: .usable())
        if repairsHeader {
            guard let size = Int(exactly: length),
                let copy = try source.copyInMemory(size: size, DatabaseHeader.repair)
            else { return nil }
            source = copy
        }
        try source.setBusyTimeout(timeout)
        // Allows reading a file that is shorter than its header says.
        return try untilDamage {
            try source.execute("read", "PRAGMA writable_schema = ON")
            return try SQLiteSchema.isForeign(source) ? nil : source
        } ?? nil
    }

    /// Returns an upper limit of the number of rows: each occupies at least two bytes of its page's pointer array.
    private static func maximumRowCount(in files: DatabaseFiles) throws(SystemError) -> Int64 {
        // Halved first: the sum of two file sizes can exceed an `Int64`.
        try files.length() / 2 + files.logLength() / 2
    }

    /// Runs a body. Returns nil if it fails because of damage.
    private static func untilDamage<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as SQLiteError where error.isDamage || SQLiteCode.unreadable.contains(error.code) {
            return nil
        }
    }
}

/// The header of a database, its first hundred bytes: https://www.sqlite.org/fileformat.html
///
/// All databases of stores have the same header, except for counters that reading does not need. It can therefore be
/// repaired.
enum DatabaseHeader {
    /// The size of the smallest database in bytes.
    static let smallestLength = 512

    private static let length = 100
    private static let magic = "SQLite format 3\0".utf8
    private static let writeVersionOffset = 18
    private static let formatOffset = 44
    private static let applicationIDOffset = 68

    /// Rejects versions that no SQLite supports: SQLite does not report them as damage, and would never write to, or
    /// read, such a database.
    ///
    /// - Throws: ``SQLiteError`` of damage for such a version.
    static func checkVersions(of connection: SQLiteConnection) throws(SQLiteError) {
        let bytes = try connection.bytes(length, at: 0)
        for (name, version, maximum) in [
            ("write version", Int(bytes[writeVersionOffset]), 2), ("format", number(bytes, formatOffset), 4),
        ] where version > maximum {
            throw SQLiteError(
                operation: "read",
                path: connection.path,
                extendedCode: SQLiteCode.corrupt,
                reason: "its \(name) is \(version), which does not exist"
            )
        }
    }

    /// Rejects another program's database, whether or not it is damaged.
    ///
    /// - Throws: ``SQLiteSchema/ForeignDatabaseError`` for another program's application ID; ``SQLiteError``.
    static func rejectForeignDatabase(_ files: DatabaseFiles, _ connection: SQLiteConnection) throws {
        guard try files.length() >= length else { return }
        let bytes = try connection.bytes(length, at: 0)
        let id = Int64(Int32(truncatingIfNeeded: number(bytes, applicationIDOffset)))
        guard bytes.starts(with: magic), id != 0, id != SQLiteSchema.applicationID else { return }
        throw SQLiteSchema.ForeignDatabaseError(applicationID: id)
    }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Repairs the fields that are needed to read a database without a write-ahead log.
    ///
    /// - Parameter bytes: The whole file, of at least ``smallestLength``.
    static func repair(_ bytes: UnsafeMutableRawBufferPointer) {
        func put(_ values: some Collection<UInt8>, at offset: Int) {
            for (index, value) in values.enumerated() { bytes[offset + index] = value }
        }
        put(magic, at: 0)
        let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
        let isPageSize = pageSize == 1 || (512...32_768).contains(pageSize) && pageSize.nonzeroBitCount == 1
        if !isPageSize { put([UInt8(SQLiteSchema.pageSize >> 8), UInt8(SQLiteSchema.pageSize & 0xFF)], at: 16) }
        // Read and write versions without a log; no reserved bytes per page; the payload fractions.
        put([1, 1, 0, 64, 32, 32], at: writeVersionOffset)
        // The number of pages, to be computed from the file's size.
        put([0, 0, 0, 0], at: 28)
        // The schema format.
        put([0, 0, 0, 4], at: formatOffset)
        // No pointer-map pages.
        put([0, 0, 0, 0], at: 52)
        // The text encoding, UTF-8; then, no incremental vacuum.
        put([0, 0, 0, 1], at: 56)
        put([0, 0, 0, 0], at: 64)
    }
}
