import PreferencesRuntime

/// The layout of a store's database: an application ID, a version and one table.
enum SQLiteSchema {
    /// `PRAGMA application_id`, the bytes of `Pref`. The command `file(1)` shows it.
    static let applicationID: Int64 = 0x5072_6566
    /// `PRAGMA user_version`.
    static let version: Int64 = 1

    /// The page size of new databases, in bytes. Setting a value writes one page; synchronizing 1 KiB takes four fifths
    /// of the time of SQLite's default, 4 KiB.
    static let pageSize = 1_024

    static let table =
        "CREATE TABLE preferences (name TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, value) WITHOUT ROWID"

    /// The statements that initialize an empty database. `WITHOUT ROWID` stores rows in the index of names, so that
    /// setting a value writes one page.
    static let creation = """
        \(table);
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        """

    static let read = "SELECT type, value FROM preferences WHERE name = ?1"
    static let write = "REPLACE INTO preferences (name, type, value) VALUES (?1, ?2, ?3)"
    static let remove = "DELETE FROM preferences WHERE name = ?1"
    /// Leaves out names of other types, which a user may have inserted and which no key can have.
    static let names = "SELECT name FROM preferences WHERE typeof(name) = 'text'"

    /// The reason that an intact database must not be used by a store.
    struct ForeignDatabaseError: Error, CustomStringConvertible {
        let description: String

        init(description: String) {
            self.description = description
        }

        /// A database of another program.
        init(applicationID: Int64) {
            description =
                "this is a database of another program (its application_id is \(applicationID), and that of preferences "
                + "\(SQLiteSchema.applicationID)); it was left unchanged, give the store another file"
        }

        /// A schema that could run SQL from the file.
        static let schema = ForeignDatabaseError(
            description:
                "the database contains more than a store's table, or a different table: an index, a view, a trigger or a "
                + "constraint could run SQL of the file; it was left unchanged, remove these or give the store another file"
        )

        /// A file of a `FileStore`.
        static let file = ForeignDatabaseError(
            description:
                "this is a file of JSON or a property list, as a FileStore has, and no database; it was left "
                + "unchanged, give the store another file"
        )
    }

    /// The error of a file system that does not support write-ahead logs.
    struct UnsupportedFileSystemError: Error, CustomStringConvertible {
        let description =
            "the file system does not support shared memory, which SQLite's write-ahead log needs; "
            + "move the file to a local disk, or use a FileStore"
    }

    /// Rejects a database of another program or a later version.
    ///
    /// - Throws: ``ForeignDatabaseError``; ``SQLiteError`` if the database cannot be read.
    static func check(_ connection: SQLiteConnection) throws {
        let id = try connection.integer("read", "PRAGMA application_id") ?? 0
        guard id == applicationID else { throw ForeignDatabaseError(applicationID: id) }
        let version = try connection.integer("read", "PRAGMA user_version") ?? 0
        guard version >= Self.version else {
            throw damage(of: connection, "its layout version is \(version), which does not exist")
        }
        guard version == Self.version else {
            let message =
                "the database has the layout version \(version), and this version of the program supports only \(Self.version); "
                + "it was left unchanged, use a newer version of the program"
            throw ForeignDatabaseError(description: message)
        }
    }

    /// Returns whether the schema has anything that a store does not create.
    ///
    /// Views, triggers, indexes and constraints run SQL of the file when the table is read or written, possibly without
    /// end, and `UNIQUE` would remove other rows. Only the statements are compared, as SQLite ignores the other columns
    /// of the schema. A statement with a few flipped bits counts as damage.
    static func isForeign(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        let statements = try statements(of: connection)
        guard let statement = statements.first, statements.count == 1 else { return statements.count > 1 }
        let expected = try tableStatement(of: connection)
        let pairs = zip(statement.utf8, expected.utf8)
        return statement.utf8.count != expected.utf8.count || pairs.count { $0 != $1 } > maximumDamage
    }

    /// Returns the table's statement in hexadecimal, in the encoding of the database.
    private static func tableStatement(of connection: SQLiteConnection) throws(SQLiteError) -> String {
        try connection.text("read", "SELECT hex('\(table)')") ?? ""
    }

    /// The largest number of damaged hexadecimal digits in the table's statement: too few to write a constraint.
    private static let maximumDamage = 4

    /// Returns the first 1,000 characters of at most two statements of the schema, without the tables of `ANALYZE`.
    /// They are in hexadecimal, as damaged ones may not be valid text.
    private static func statements(of connection: SQLiteConnection) throws(SQLiteError) -> [String] {
        let statement = try connection.statement(
            "read",
            """
            SELECT hex(substr(CAST(sql AS TEXT), 1, 1000)) FROM sqlite_master WHERE sql IS NOT NULL AND CAST(sql AS TEXT) NOT IN
            ('CREATE TABLE sqlite_stat1(tbl,idx,stat)', 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)') LIMIT 2
            """
        )
        defer { statement.reset() }
        var statements: [String] = []
        while try statement.step() { statements.append(statement.text(0) ?? "") }
        return statements
    }

    /// Checks that the table is the one that a store creates. SQLite does not report a flipped bit in its statement as
    /// damage.
    ///
    /// - Throws: ``SQLiteError`` of damage.
    static func checkTable(of connection: SQLiteConnection) throws(SQLiteError) {
        do throws(SQLiteError) {
            for statement in [read, names] { _ = try connection.statement("read", statement) }
        } catch let error where error.code == SQLiteCode.error {
            let reason = "its table is not a store's: \(error.reason)"
            throw damage(of: connection, reason, isReasonPublic: error.isReasonPublic)
        }
        guard try statements(of: connection) == [tableStatement(of: connection)] else {
            throw damage(of: connection, "its table is not a store's")
        }
    }

    private static func damage(
        of connection: SQLiteConnection,
        _ reason: String,
        isReasonPublic: Bool = true
    ) -> SQLiteError {
        SQLiteError(
            operation: "read",
            path: connection.path,
            extendedCode: SQLiteCode.corrupt,
            reason: reason,
            isReasonPublic: isReasonPublic
        )
    }

    /// Enables the write-ahead log, so that readers do not wait for writers.
    ///
    /// - Throws: ``UnsupportedFileSystemError``; ``SQLiteError``.
    static func useLog(_ connection: SQLiteConnection) throws {
        let mode = try connection.text("open", "PRAGMA journal_mode = WAL")
        guard mode == "wal" else { throw UnsupportedFileSystemError() }
    }

    /// Checks the integrity of the whole database.
    ///
    /// `quick_check` is not enough: it does not find that the rows of a table without row IDs, which are searched by
    /// their order, are out of order.
    ///
    /// Only `main` is checked: otherwise SQLite also opens its database of temporary tables, and each connection keeps
    /// a page cache of 90 KB for it.
    ///
    /// - Throws: ``SQLiteError`` of the first fault.
    static func checkIntegrity(of connection: SQLiteConnection) throws(SQLiteError) {
        let word = try connection.text("read", "PRAGMA main.integrity_check(1)") ?? "it has no integrity"
        guard word != "ok" else { return }
        // The first line is a heading, as in "*** in database main ***".
        let reason = word.split(separator: "\n").last.map(String.init) ?? word
        // After an I/O error, the message contains its code. The page may be intact and readable the next time.
        let code = reason.firstMatch(of: #/error code=(\d+)/#).flatMap { CInt($0.1) } ?? SQLiteCode.corrupt
        throw SQLiteError(
            operation: "read",
            path: connection.path,
            extendedCode: code,
            reason: reason,
            isReasonPublic: false
        )
    }
}
