import Foundation

/// A prepared statement of a connection, which stays open for as long as this is used.
struct SQLiteStatement {
    private let pointer: OpaquePointer
    private let connection: SQLiteConnection
    private let operation: String

    private var library: SQLiteLibrary { connection.library }

    init(_ pointer: OpaquePointer, of connection: SQLiteConnection, for operation: String) {
        self.pointer = pointer
        self.connection = connection
        self.operation = operation
    }

    /// Goes on to the next row.
    ///
    /// - Returns: Whether there is one.
    func step() throws(SQLiteError) -> Bool {
        switch library.step(pointer) {
        case SQLiteCode.row: return true
        case SQLiteCode.done: return false
        case let code: throw connection.error(operation, code)
        }
    }

    /// Runs a statement that gives no rows.
    func run() throws(SQLiteError) {
        defer { reset() }
        _ = try step()
    }

    /// Ends what it is doing, and lets go of what it was given. What failed is known from ``step()``.
    func reset() {
        _ = library.reset(pointer)
        _ = library.clearBindings(pointer)
    }

    func bind(_ index: CInt, _ value: Int64) throws(SQLiteError) {
        try check(library.bindInteger(pointer, index, value))
    }

    func bind(_ index: CInt, _ value: Double) throws(SQLiteError) {
        try check(library.bindReal(pointer, index, value))
    }

    func bindNull(_ index: CInt) throws(SQLiteError) {
        try check(library.bindNull(pointer, index))
    }

    func bind(_ index: CInt, _ text: String) throws(SQLiteError) {
        var text = text
        let code = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                // Of no address it would make a null.
                guard let start = $0.baseAddress else {
                    return library.bindText(pointer, index, "", 0, Self.copying, SQLiteCode.utf8)
                }
                return library.bindText(pointer, index, start, UInt64($0.count), Self.copying, SQLiteCode.utf8)
            }
        }
        try check(code)
    }

    func bind(_ index: CInt, _ data: Data) throws(SQLiteError) {
        let code = data.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return library.bindZeros(pointer, index, 0) }
            return library.bindBlob(pointer, index, start, UInt64(bytes.count), Self.copying)
        }
        try check(code)
    }

    /// Binds what a column of another statement's row has, whatever it is.
    func bind(_ index: CInt, _ row: SQLiteStatement, column: CInt) throws(SQLiteError) {
        try check(library.bindValue(pointer, index, library.columnValue(row.pointer, column)))
    }

    /// What a column of the current row has, as one of the types of ``SQLiteCode``.
    func type(_ column: CInt) -> CInt { library.columnType(pointer, column) }

    func integer(_ column: CInt) -> Int64 { library.columnInteger(pointer, column) }

    func real(_ column: CInt) -> Double { library.columnReal(pointer, column) }

    /// Nil where the column has no text, or one that is not UTF-8.
    func text(_ column: CInt) -> String? {
        guard type(column) == SQLiteCode.text, let start = library.columnText(pointer, column) else { return nil }
        let bytes = UnsafeBufferPointer(start: start, count: Int(library.columnLength(pointer, column)))
        return String(validating: bytes, as: UTF8.self)
    }

    /// Nil where the column has no bytes.
    func data(_ column: CInt) -> Data? {
        guard type(column) == SQLiteCode.blob else { return nil }
        guard let start = library.columnBlob(pointer, column) else { return Data() }
        return Data(bytes: start, count: Int(library.columnLength(pointer, column)))
    }

    private func check(_ code: CInt) throws(SQLiteError) {
        try connection.check(operation, code)
    }

    /// Has SQLite copy what it is given, as it goes on to use it after the call.
    private static let copying = unsafeBitCast(-1, to: SQLiteLibrary.Destructor.self)
}
