/// The first hundred bytes of a database, which say how to read it: https://www.sqlite.org/fileformat.html
///
/// They are the same in each database of a store, but for counts that reading can do without. So they can be put right.
enum DatabaseHeader {
    /// Of a database, in bytes. What is shorter is none, and has nothing in it.
    static let smallestLength = 512

    private static let writeVersionPlace = 18

    /// 1 without a write-ahead log, 2 with one, and nothing else.
    static func writeVersion(of connection: SQLiteConnection) throws(SQLiteError) -> UInt8 {
        var version: UInt8 = 0
        let result = withUnsafeMutableBytes(of: &version) { byte in
            Result { () throws(SQLiteError) in try connection.read(into: byte, at: Int64(writeVersionPlace)) }
        }
        try result.get()
        return version
    }

    /// Puts right what is needed to read a database that has no write-ahead log.
    ///
    /// - Parameter bytes: Those of the whole file, ``smallestLength`` or more.
    static func mend(_ bytes: UnsafeMutableRawBufferPointer) {
        func put(_ values: some Collection<UInt8>, at place: Int) {
            for (index, value) in values.enumerated() { bytes[place + index] = value }
        }
        put("SQLite format 3\0".utf8, at: 0)
        let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
        let isPageSize = pageSize == 1 || (512...32_768).contains(pageSize) && pageSize.nonzeroBitCount == 1
        if !isPageSize { put([UInt8(SQLiteSchema.pageSize >> 8), UInt8(SQLiteSchema.pageSize & 0xFF)], at: 16) }
        // Written and read without a log; no bytes left free in pages; how full a page may get.
        put([1, 1, 0, 64, 32, 32], at: writeVersionPlace)
        // As many pages as the file has.
        put([0, 0, 0, 0], at: 28)
        // The format of tables.
        put([0, 0, 0, 4], at: 44)
        // No pages that say where others are.
        put([0, 0, 0, 0], at: 52)
        // UTF-8.
        put([0, 0, 0, 1], at: 56)
        put([0, 0, 0, 0], at: 64)
    }
}
