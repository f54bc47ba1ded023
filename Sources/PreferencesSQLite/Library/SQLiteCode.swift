/// The numbers of SQLite that are used here. They are part of its file format and interface, and never change.
enum SQLiteCode {
    // Results, as https://www.sqlite.org/rescode.html has them.
    static let ok: CInt = 0
    static let error: CInt = 1
    static let busy: CInt = 5
    static let noMemory: CInt = 7
    static let readOnly: CInt = 8
    static let corrupt: CInt = 11
    /// Of a control: there is no such thing, as there is no file.
    static let notFound: CInt = 12
    static let tooBig: CInt = 18
    static let misuse: CInt = 21
    static let notADatabase: CInt = 26
    static let row: CInt = 100
    static let done: CInt = 101

    /// Of damage in the schema, and in the length of a row.
    static let unreadable: Set<CInt> = [error, tooBig]

    // How a database is opened.
    static let openReadOnly: CInt = 0x1
    static let openReadWrite: CInt = 0x2
    static let openFullMutex: CInt = 0x10000
    /// No part of the path may be a link.
    static let openNoFollow: CInt = 0x100_0000

    // What becomes of a database's bytes, as https://www.sqlite.org/c3ref/c_deserialize_freeonclose.html has them.
    static let freeOnClose: UInt32 = 1
    static let readOnlyImage: UInt32 = 4

    // What a column has.
    static let integer: CInt = 1
    static let real: CInt = 2
    static let text: CInt = 3
    static let blob: CInt = 4
    static let null: CInt = 5

    /// Text is UTF-8.
    static let utf8: UInt8 = 1

    // Controls of a file, as https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html has them.
    /// Gives SQLite's own object for the file.
    static let filePointer: CInt = 7
    /// Has the write-ahead log stay when the last connection closes.
    static let persistLog: CInt = 10
}
