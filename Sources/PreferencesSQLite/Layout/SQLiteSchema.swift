import PreferencesRuntime

/// What makes a database one of a store: an application id, a version, and one table.
enum SQLiteSchema {
    /// The bytes of `Pref`, as `PRAGMA application_id` has them, and `file(1)` shows them.
    static let applicationID: Int64 = 0x5072_6566
    /// `PRAGMA user_version`.
    static let version: Int64 = 1

    /// Has an empty database's pages be small: setting a value writes a page, and one of 1 KiB is on the disk in four
    /// fifths of the time that SQLite's usual 4 KiB take.
    static let pageSize = 1_024

    static let table =
        "CREATE TABLE preferences (name TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, value) WITHOUT ROWID"

    /// Makes an empty database one of a store. It has the table's rows in the tree of its names, so that setting one
    /// writes one page.
    static let creation = """
        \(table);
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        """

    static let read = "SELECT type, value FROM preferences WHERE name = ?1"
    static let write = "REPLACE INTO preferences (name, type, value) VALUES (?1, ?2, ?3)"
    static let remove = "DELETE FROM preferences WHERE name = ?1"
    /// A name that is no text was put there by hand, and cannot be asked for.
    static let names = "SELECT name FROM preferences WHERE typeof(name) = 'text'"

    /// Why a database is none that the store may use, although nothing is wrong with it.
    struct Foreign: Error, CustomStringConvertible {
        let description: String

        init(description: String) {
            self.description = description
        }

        /// Of another program.
        init(applicationID: Int64) {
            description =
                "this is a database of another program (its application_id is \(applicationID), and that of preferences "
                + "\(SQLiteSchema.applicationID)); it was left as it is, give the store another file"
        }

        /// The schema could run SQL of the file.
        static let schema = Foreign(
            description:
                "the database has more in it than the table of a store, or another table: an index, a view, a trigger or a "
                + "constraint could run SQL of the file; it was left as it is, remove these or give the store another file"
        )

        /// Of what was never a database.
        static let file = Foreign(
            description:
                "this is a file of JSON or a property list, as a FileStore has, and no database; it was left as it "
                + "is, give the store another file"
        )
    }

    /// Why there can be no database with a write-ahead log.
    struct Unloggable: Error, CustomStringConvertible {
        let description =
            "the file system has no memory that processes share, which SQLite's write-ahead log needs; "
            + "have the file on a local disk, or use a FileStore"
    }

    /// Refuses a database of another program, and one of a version to come.
    ///
    /// - Throws: ``Foreign``; ``SQLiteError`` where it cannot be read.
    static func check(_ connection: SQLiteConnection) throws {
        let id = try connection.integer("read", "PRAGMA application_id") ?? 0
        guard id == applicationID else { throw Foreign(applicationID: id) }
        let version = try connection.integer("read", "PRAGMA user_version") ?? 0
        guard version >= Self.version else {
            throw damage(of: connection, "its layout is \(version), which there has never been")
        }
        guard version == Self.version else {
            let message =
                "the database has the layout \(version), and this version of the program knows \(Self.version) alone; "
                + "it was left as it is, use a newer version of the program"
            throw Foreign(description: message)
        }
    }

    /// Whether the schema has anything that a store does not create.
    ///
    /// Views, triggers, indexes and constraints run SQL of the file when the table is read or written, possibly without end,
    /// and `UNIQUE` would remove other rows. Only the statements are compared, as SQLite ignores the other columns of the
    /// schema. A statement with a few flipped bits counts as damage.
    static func isForeign(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        let statements = try statements(of: connection)
        guard let statement = statements.first, statements.count == 1 else { return statements.count > 1 }
        let expected = try tableStatement(of: connection)
        let pairs = zip(statement.utf8, expected.utf8)
        return statement.utf8.count != expected.utf8.count || pairs.count { $0 != $1 } > maximumDamage
    }

    /// The table's statement in hexadecimal, in the encoding of a database.
    private static func tableStatement(of connection: SQLiteConnection) throws(SQLiteError) -> String {
        try connection.text("read", "SELECT hex('\(table)')") ?? ""
    }

    /// The most hexadecimal digits of the table's statement that may be damaged: too few to write a constraint.
    private static let maximumDamage = 4

    /// Returns the statements of the schema, at most two of them and their first 1,000 characters, without the tables of
    /// `ANALYZE`. They are in hexadecimal, as damaged ones may not be valid text.
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

    /// Checks that the table is the one that a store creates. SQLite does not report a flipped bit in its statement as damage.
    ///
    /// - Throws: ``SQLiteError`` of damage.
    static func checkTable(of connection: SQLiteConnection) throws(SQLiteError) {
        do throws(SQLiteError) {
            for statement in [read, names] { _ = try connection.statement("read", statement) }
        } catch let error where error.code == SQLiteCode.error {
            let reason = "its table is not that of preferences: \(error.reason)"
            throw damage(of: connection, reason, isReasonPublic: error.isReasonPublic)
        }
        guard try statements(of: connection) == [tableStatement(of: connection)] else {
            throw damage(of: connection, "its table is not that of preferences")
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

    /// Has a database written by way of a write-ahead log, so that a reader waits for no writer.
    ///
    /// - Throws: ``Unloggable``; ``SQLiteError``.
    static func useLog(_ connection: SQLiteConnection) throws {
        let mode = try connection.text("open", "PRAGMA journal_mode = WAL")
        guard mode == "wal" else { throw Unloggable() }
    }

    /// Looks through the whole database for what is not as SQLite has written it.
    ///
    /// `quick_check` is not enough: it does not see that a table without row ids, where names are found by their order,
    /// has lost that order.
    ///
    /// Only `main` is checked: otherwise SQLite also opens its database of temporary tables, and each connection keeps a
    /// page cache of 90 KB for it.
    ///
    /// - Throws: ``SQLiteError`` where something was found.
    static func checkIntegrity(of connection: SQLiteConnection) throws(SQLiteError) {
        let word = try connection.text("read", "PRAGMA main.integrity_check(1)") ?? "it has no integrity"
        guard word != "ok" else { return }
        // The first line says where only, as in "*** in database main ***".
        let reason = word.split(separator: "\n").last.map(String.init) ?? word
        // Of a page that the disk does not give, it has the result. That page may be as it should, and given the next time.
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
