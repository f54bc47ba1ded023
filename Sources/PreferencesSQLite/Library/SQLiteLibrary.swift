import PreferencesRuntime
import PreferencesSystem

#if canImport(Darwin)
    import SQLite3
#endif

/// The functions of the system's SQLite.
///
/// On Apple platforms they are those of the SDK. On others, they are looked up when the first store is used, so that
/// the package builds without SQLite's headers.
struct SQLiteLibrary: Sendable {
    typealias Database = OpaquePointer
    typealias Statement = OpaquePointer
    typealias Text = UnsafePointer<CChar>
    typealias Destructor = @convention(c) (UnsafeMutableRawPointer?) -> Void
    typealias Deserialize =
        @convention(c) (Database?, Text?, UnsafeMutablePointer<UInt8>?, Int64, Int64, UInt32) -> CInt
    typealias RowHandler =
        @convention(c) (
            UnsafeMutableRawPointer?, CInt, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> CInt

    let version: @convention(c) () -> CInt
    let isThreadSafe: @convention(c) () -> CInt
    let open: @convention(c) (Text?, UnsafeMutablePointer<Database?>?, CInt, Text?) -> CInt
    let close: @convention(c) (Database?) -> CInt
    let execute:
        @convention(c) (
            Database?, Text?, RowHandler?, UnsafeMutableRawPointer?,
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> CInt
    let setBusyTimeout: @convention(c) (Database?, CInt) -> CInt
    let control: @convention(c) (Database?, Text?, CInt, UnsafeMutableRawPointer?) -> CInt
    let isOutsideTransaction: @convention(c) (Database?) -> CInt
    let changeCount: @convention(c) (Database?) -> CInt
    let extendedCode: @convention(c) (Database?) -> CInt
    let systemCode: @convention(c) (Database?) -> CInt
    let message: @convention(c) (Database?) -> Text?
    let codeMessage: @convention(c) (CInt) -> Text?
    let allocate: @convention(c) (UInt64) -> UnsafeMutableRawPointer?
    /// Nil if SQLite was built without it, as it was by default before version 3.36.
    let deserialize: Deserialize?

    let prepare:
        @convention(c) (
            Database?, Text?, CInt, UnsafeMutablePointer<Statement?>?, UnsafeMutablePointer<Text?>?
        ) -> CInt
    let finalize: @convention(c) (Statement?) -> CInt
    let step: @convention(c) (Statement?) -> CInt
    let reset: @convention(c) (Statement?) -> CInt
    let clearBindings: @convention(c) (Statement?) -> CInt
    let bindNull: @convention(c) (Statement?, CInt) -> CInt
    let bindInteger: @convention(c) (Statement?, CInt, Int64) -> CInt
    let bindReal: @convention(c) (Statement?, CInt, Double) -> CInt
    let bindText: @convention(c) (Statement?, CInt, Text?, UInt64, Destructor?, UInt8) -> CInt
    let bindBlob: @convention(c) (Statement?, CInt, UnsafeRawPointer?, UInt64, Destructor?) -> CInt
    let bindZeros: @convention(c) (Statement?, CInt, CInt) -> CInt
    let bindValue: @convention(c) (Statement?, CInt, OpaquePointer?) -> CInt
    let columnValue: @convention(c) (Statement?, CInt) -> OpaquePointer?
    let columnType: @convention(c) (Statement?, CInt) -> CInt
    let columnInteger: @convention(c) (Statement?, CInt) -> Int64
    let columnReal: @convention(c) (Statement?, CInt) -> Double
    let columnText: @convention(c) (Statement?, CInt) -> UnsafePointer<UInt8>?
    let columnBlob: @convention(c) (Statement?, CInt) -> UnsafeRawPointer?
    let columnLength: @convention(c) (Statement?, CInt) -> CInt

    /// The process that has loaded the library. A forked process inherits its connections without their locks.
    private static let process = getpid()

    /// Returns the system's library.
    ///
    /// - Throws: ``SQLiteUnavailableError`` if there is none, or in a process that was forked after the library was loaded.
    static func usable() throws(SQLiteUnavailableError) -> SQLiteLibrary {
        guard process == getpid() else {
            throw SQLiteUnavailableError(
                "this process was forked from one that uses SQLite, and cannot use SQLite itself",
                advice: "use stores only after forking, or run another program"
            )
        }
        return try system.get()
    }

    private static let system = LazyLibrary<SQLiteLibrary, SQLiteUnavailableError> {
        () throws(SQLiteUnavailableError) in try checked()
    }

    /// The oldest supported version: 3.31, of January 2020.
    private static let oldestVersion: CInt = 3_031_000

    private static func checked() throws(SQLiteUnavailableError) -> SQLiteLibrary {
        let library = try bound()
        let number = library.version()
        guard number >= oldestVersion else {
            let name = "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
            throw SQLiteUnavailableError("the system's SQLite is \(name), and 3.31 or later is required")
        }
        guard library.isThreadSafe() != 0 else {
            throw SQLiteUnavailableError("the system's SQLite was built without thread safety")
        }
        return library
    }
}

/// The reason that SQLite cannot be used, and what to do.
package struct SQLiteUnavailableError: Error, CustomStringConvertible {
    package let fault: String
    package let advice: String?

    init(_ fault: String, advice: String? = nil) {
        (self.fault, self.advice) = (fault, advice)
    }

    package var description: String { fault + (advice.map { "; \($0)" } ?? "") }
}
