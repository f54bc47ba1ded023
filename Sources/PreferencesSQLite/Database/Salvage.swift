import PreferencesSystem
import PreferencesRuntime

/// Takes what can still be read out of a damaged database.
enum Salvage {
    /// What can be read, in memory.
    static func entries(of files: DatabaseFiles, _ timeout: Duration) throws -> SQLiteConnection {
        let target = try SQLiteConnection(":memory:", isReadOnly: false, library: .usable())
        try target.execute("read", SQLiteSchema.creation)
        _ = try copy(from: files, to: target, timeout)
        return target
    }

    /// Copies rows until one cannot be read, and then from the other end; and all that once more with the header put
    /// right, which may be what is damaged.
    ///
    /// - Returns: How many.
    /// - Throws: Where the fault is another than the damage: the disk fails, or the target cannot be written.
    static func copy(from files: DatabaseFiles, to target: SQLiteConnection, _ timeout: Duration) throws -> Int {
        // Those that are known already are ignored, and those without a name: of a page that is all zeros.
        let copy = try target.statement("create", "INSERT OR IGNORE INTO preferences VALUES (?1, ?2, ?3)")
        var count = 0
        for isMended in [false, true] {
            guard let source = try open(files, isMended: isMended, timeout) else { continue }
            for order in ["ASC", "DESC"] {
                // By where the columns are: their names may be what is damaged.
                let query = "SELECT * FROM preferences ORDER BY 1 \(order)"
                guard let rows = try untilDamage({ try source.statement("read", query) }) else { continue }
                // A tree may lead back into itself.
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

    /// Opens a damaged database for reading; nil where there is nothing in it.
    ///
    /// - Parameter isMended: Whether its header is to be put right: in a copy, and not where there is a log, as that is of
    ///   the file as it is.
    private static func open(_ files: DatabaseFiles, isMended: Bool, _ timeout: Duration) throws -> SQLiteConnection? {
        // SQLite removes the log of an empty file.
        guard case .present = try files.presence() else { return nil }
        let length = try files.length()
        if isMended, try files.hasLog() || length < DatabaseHeader.smallestLength { return nil }
        var source = try SQLiteConnection(files.path, isReadOnly: true, library: .usable())
        if isMended {
            guard let size = Int(exactly: length),
                let copy = try source.copyInMemory(size: size, DatabaseHeader.mend)
            else { return nil }
            source = copy
        }
        try source.setBusyTimeout(timeout)
        // Has it read a file that is shorter than it says.
        return try untilDamage {
            try source.execute("read", "PRAGMA writable_schema = ON")
            return try SQLiteSchema.isForeign(source) ? nil : source
        } ?? nil
    }

    /// How many rows there is room for: each has two bytes in its page that say where it is.
    private static func maximumRowCount(in files: DatabaseFiles) throws(SystemError) -> Int64 {
        // Halved first: the sum of two lengths that a file system gives can exceed an `Int64`.
        try files.length() / 2 + files.logLength() / 2
    }

    /// Runs a body; nil where it meets the very damage that this is about.
    private static func untilDamage<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as SQLiteError where error.isDamage || SQLiteCode.unreadable.contains(error.code) {
            return nil
        }
    }
}
