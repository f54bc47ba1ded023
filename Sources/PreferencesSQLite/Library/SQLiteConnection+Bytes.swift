/// The bytes of databases, past what SQLite makes of them.
extension SQLiteConnection {
    /// Reads bytes of the file, as the disk has them. SQLite does it: closing a file that was opened here would end the
    /// locks that SQLite has on it.
    ///
    /// - Parameter buffer: Is filled. What is beyond the file's end is an error.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) {
        var file: UnsafeMutableRawPointer?
        try check("read", library.control(handle, "main", SQLiteCode.filePointer, &file))
        // The object begins with the address of its methods, and these with a number, what closes it, and what reads:
        // https://www.sqlite.org/c3ref/io_methods.html
        typealias Read = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, CInt, Int64) -> CInt
        guard let file, let methods = file.load(as: UnsafeRawPointer?.self) else {
            throw error("read", SQLiteCode.misuse)
        }
        let read = methods.load(fromByteOffset: 2 * MemoryLayout<UnsafeRawPointer>.stride, as: Read.self)
        var start = 0
        while start < buffer.count {
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[start..<min(start + 1 << 20, buffer.count)])
            guard let address = piece.baseAddress else { return }
            let code = read(file, address, CInt(piece.count), offset + Int64(start))
            guard code == SQLiteCode.ok else { throw SQLiteError("read", path, code: code, of: nil, in: library) }
            start += piece.count
        }
    }

    /// As ``read(into:at:)``.
    func bytes(_ count: Int, at offset: Int64) throws(SQLiteError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(SQLiteError) in try read(into: buffer, at: offset) }
        }
        try result.get()
        return bytes
    }

    /// Reads all bytes of the file, to see whether the disk has them.
    ///
    /// - Parameter size: Of the file, in bytes.
    func readThrough(size: Int64) throws(SQLiteError) {
        let most: Int64 = 1 << 20
        for place in stride(from: 0, to: size, by: Int(most)) { _ = try bytes(Int(min(most, size - place)), at: place) }
    }

    /// A database in memory that has what a file has, as far as a body has not changed that; nil where SQLite was built
    /// without such.
    ///
    /// - Parameters:
    ///   - size: Of the file, in bytes.
    ///   - change: Changes bytes.
    func copyInMemory(
        size: Int,
        _ change: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(SQLiteError) -> SQLiteConnection? {
        guard let deserialize = library.deserialize else { return nil }
        let copy = try SQLiteConnection(":memory:", isReadOnly: false, library: library)
        guard let address = library.allocate(UInt64(size)) else { throw error("read", SQLiteCode.noMemory) }
        // From here on they are the copy's, which frees them.
        let start = address.assumingMemoryBound(to: UInt8.self)
        let flags = SQLiteCode.freeOnClose | SQLiteCode.readOnlyImage
        try copy.check("read", deserialize(copy.handle, "main", start, Int64(size), Int64(size), flags))
        let bytes = UnsafeMutableRawBufferPointer(start: address, count: size)
        try read(into: bytes, at: 0)
        change(bytes)
        return copy
    }
}
