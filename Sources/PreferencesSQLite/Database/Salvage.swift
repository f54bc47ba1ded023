import PreferencesRuntime

/// Takes what can still be read out of a damaged database.
enum Salvage {
    /// What can be read, in memory.
    static func entries(of files: DatabaseFiles) throws -> SQLiteConnection {
        let target = try SQLiteConnection(":memory:", isReadOnly: false, library: .usable())
        try target.execute("read", SQLiteSchema.creation)
        _ = try copy(from: files, to: target)
        return target
    }

    /// Copies rows until one cannot be read, and then from the other end.
    ///
    /// - Returns: How many.
    /// - Throws: Where the fault is another than the damage: the disk fails, or the target cannot be written.
    static func copy(from files: DatabaseFiles, to target: SQLiteConnection) throws -> Int {
        // Those that are known already are ignored, and those without a name: of a page that is all zeros.
        let copy = try target.statement("create", "INSERT OR IGNORE INTO preferences VALUES (?1, ?2, ?3)")
        var count = 0
        for order in ["ASC", "DESC"] {
            guard let rows = try untilDamage({ try rows(of: files, inOrder: order) }) ?? nil else { continue }
            // A tree may lead back into itself.
            var maximum = try maximumRowCount(in: files)
            while maximum > 0, try untilDamage(rows.step) == true {
                for column in 0..<3 as Range<CInt> { try copy.bind(column + 1, rows, column: column) }
                try copy.run()
                count += target.changeCount
                maximum -= 1
            }
        }
        return count
    }

    /// All rows; nil where there is nothing in the database.
    private static func rows(of files: DatabaseFiles, inOrder order: String) throws -> SQLiteStatement? {
        // SQLite removes the log of an empty file.
        guard case .present = try files.presence() else { return nil }
        var source = try SQLiteConnection(files.path, isReadOnly: true, library: .usable())
        // What is in a log belongs to the file as it is.
        if try !files.hasLog() {
            let length = try files.length()
            guard length >= DatabaseHeader.smallestLength else { return nil }
            source = try source.copyInMemory(size: Int(length), DatabaseHeader.mend) ?? source
        }
        // Has it read a file that is shorter than it says.
        try source.execute("read", "PRAGMA writable_schema = ON")
        // By where the columns are: their names may be what is damaged.
        return try source.statement("read", "SELECT * FROM preferences ORDER BY 1 \(order)")
    }

    /// How many rows there is room for: each has two bytes in its page that say where it is.
    private static func maximumRowCount(in files: DatabaseFiles) throws(SystemError) -> Int64 {
        try (files.length() + files.logLength()) / 2
    }

    /// Runs a body; nil where it meets the very damage that this is about.
    private static func untilDamage<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as SQLiteError where !error.isPassing {
            return nil
        }
    }
}
