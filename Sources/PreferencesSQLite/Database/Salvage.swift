import PreferencesRuntime

/// Takes what can still be read out of a damaged database.
enum Salvage {
    /// What can be read, in memory.
    static func entries(of files: DatabaseFiles) throws -> SQLiteConnection {
        let target = try SQLiteConnection(":memory:", isReadOnly: false, library: .usable())
        try target.execute("read", SQLiteSchema.creation)
        _ = copy(from: files, to: target)
        return target
    }

    /// Opens a damaged database for reading, as far as it can be; nil where there is nothing in it.
    private static func open(_ files: DatabaseFiles) throws -> SQLiteConnection? {
        // SQLite removes the log of an empty file.
        guard case .present = try files.presence() else { return nil }
        let source = try SQLiteConnection(files.path, isReadOnly: true, library: .usable())
        // Has it read a file that is shorter than it says.
        try source.execute("read", "PRAGMA writable_schema = ON")
        return source
    }

    /// Copies rows until one cannot be read, and then from the other end.
    ///
    /// - Returns: How many.
    static func copy(from files: DatabaseFiles, to target: SQLiteConnection) -> Int {
        // What fails from here on does so for the very damage that this is about.
        ["ASC", "DESC"].reduce(0) { $0 + copy(inOrder: $1, from: files, to: target) }
    }

    private static func copy(inOrder order: String, from files: DatabaseFiles, to target: SQLiteConnection) -> Int {
        var count = 0
        do {
            guard let source = try open(files) else { return 0 }
            // By where its columns are: their names may be what is damaged.
            let rows = try source.statement("read", "SELECT * FROM preferences ORDER BY 1 \(order)")
            // Those that are known already are ignored, and those without a name: of a page that is all zeros.
            let copy = try target.statement("create", "INSERT OR IGNORE INTO preferences VALUES (?1, ?2, ?3)")
            // A tree may lead back into itself.
            var maximum = try maximumRowCount(in: files)
            while maximum > 0, try rows.step() {
                for column in 0..<3 as Range<CInt> { try copy.bind(column + 1, rows, column: column) }
                try copy.run()
                count += target.changeCount
                maximum -= 1
            }
        } catch {
            return count
        }
        return count
    }

    /// How many rows there is room for: each has two bytes in its page that say where it is.
    private static func maximumRowCount(in files: DatabaseFiles) throws(SystemError) -> Int64 {
        try (files.length() + files.logLength()) / 2
    }
}
