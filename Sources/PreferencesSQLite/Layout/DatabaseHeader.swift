/// The first hundred bytes of a database, which say how to read it: https://www.sqlite.org/fileformat.html
///
/// They are the same in each database that a store has made, but for counts that reading can do without. So they can be
/// put right.
enum DatabaseHeader {
    /// Of a database, in bytes. What is shorter is none, and has nothing in it.
    static let smallestLength = 512

    private static let length = 100
    private static let magic = "SQLite format 3\0".utf8
    private static let writeVersionPlace = 18
    private static let formatPlace = 44
    private static let applicationPlace = 68

    /// Refuses one that is for versions of SQLite that there are none of: SQLite finds nothing wrong there, and would never
    /// write to it, or never read it.
    ///
    /// - Throws: ``SQLiteError``, of damage where it is such a one.
    static func checkVersions(of connection: SQLiteConnection) throws(SQLiteError) {
        let bytes = try connection.bytes(length, at: 0)
        for (name, version, maximum) in [
            ("write version", Int(bytes[writeVersionPlace]), 2), ("format", number(bytes, formatPlace), 4),
        ] where version > maximum {
            throw SQLiteError(
                operation: "read",
                path: connection.path,
                extendedCode: SQLiteCode.corrupt,
                reason: "its \(name) is \(version), which there is none of"
            )
        }
    }

    /// Refuses another program's database, be the rest of it damaged or not.
    ///
    /// - Throws: ``SQLiteSchema/Foreign`` where it says that it is such a one; ``SQLiteError``.
    static func refuseOthers(_ files: DatabaseFiles, _ connection: SQLiteConnection) throws {
        guard try files.length() >= length else { return }
        let bytes = try connection.bytes(length, at: 0)
        let id = Int64(Int32(truncatingIfNeeded: number(bytes, applicationPlace)))
        guard bytes.starts(with: magic), id != 0, id != SQLiteSchema.applicationID else { return }
        throw SQLiteSchema.Foreign(applicationID: id)
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Puts right what is needed to read a database that has no write-ahead log.
    ///
    /// - Parameter bytes: Those of the whole file, ``smallestLength`` or more.
    static func mend(_ bytes: UnsafeMutableRawBufferPointer) {
        func put(_ values: some Collection<UInt8>, at place: Int) {
            for (index, value) in values.enumerated() { bytes[place + index] = value }
        }
        put(magic, at: 0)
        let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
        let isPageSize = pageSize == 1 || (512...32_768).contains(pageSize) && pageSize.nonzeroBitCount == 1
        if !isPageSize { put([UInt8(SQLiteSchema.pageSize >> 8), UInt8(SQLiteSchema.pageSize & 0xFF)], at: 16) }
        // Written and read without a log; no bytes left free in pages; how full a page may get.
        put([1, 1, 0, 64, 32, 32], at: writeVersionPlace)
        // As many pages as the file has.
        put([0, 0, 0, 0], at: 28)
        // The format of tables.
        put([0, 0, 0, 4], at: formatPlace)
        // No pages that say where others are.
        put([0, 0, 0, 0], at: 52)
        // UTF-8.
        put([0, 0, 0, 1], at: 56)
        put([0, 0, 0, 0], at: 64)
    }
}
