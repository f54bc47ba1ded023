import Foundation
import TestSupport
import Testing

@Suite("prefs doctor: databases")
struct DoctorDatabaseTests {
    @Test("A database that a store has set aside is one finding, with its log")
    func setAsideDatabase() async throws {
        try await withStores { folder in
            try folder.write("bad", to: "a.sqlite.corrupt-20261121T190748Z")
            try folder.write("log", to: "a.sqlite.corrupt-20261121T190748Z-wal")
            let found = try await folder.doctor("-s", "sqlite:a.sqlite")
            #expect(
                found.lines == [
                    "DIR/a.sqlite.corrupt-20261121T190748Z: problem: is a damaged file that was set aside at "
                        + "2026-11-21 19:07:48 UTC (6 bytes); read it with 'sqlite3'; then remove it by 'rm "
                        + "DIR/a.sqlite.corrupt-20261121T190748Z DIR/a.sqlite.corrupt-20261121T190748Z-wal'",
                    "1 store: 1 problem",
                ]
            )
        }
    }

    @Test("A database of secrets is examined with its log, and nothing of it is shown")
    func secretDatabase() async throws {
        try await withStores { folder in
            let script = """
                sqlite3 a.sqlite "INSERT INTO preferences VALUES ('canary', 'int', 'canary')"
                touch a.sqlite-wal
                chmod 600 a.sqlite
                chmod 644 a.sqlite-wal
                prefs doctor --secrets sqlite:a.sqlite
                """
            let found = try await folder.doctor(shell: script)
            #expect(
                found.lines == [
                    "DIR/a.sqlite: problem: a value cannot be read: its value in the database is not of the type \"int\"; set "
                        + "another value, or reset it",
                    "DIR/a.sqlite-wal: problem: other users have access to the secrets in it: its permissions are 0644; run "
                        + "'chmod go= DIR/a.sqlite-wal', and replace secrets that they may have read",
                    "1 store: 2 problems; '--fix' fixes 1",
                ]
            )
        }
    }

    /// Runs SQL in a process that is killed afterwards.
    private static func killed(after sql: String, in database: String) -> String {
        """
        mkfifo input
        sqlite3 \(database) <input >/dev/null &
        exec 3>input
        echo "\(sql)" >&3
        echo ".shell touch done" >&3
        until [ -e done ]; do :; done
        kill -KILL $!
        wait $! 2>/dev/null
        """
    }

    @Test("The log that a killed process has left is a remark, and is not merged by the examination")
    func log() async throws {
        try await withStores { folder in
            let script = """
                \(Self.killed(after: "UPDATE preferences SET value = 'x';", in: "a.sqlite"))
                prefs doctor -s sqlite:a.sqlite
                """
            let found = try await folder.doctor(shell: script)
            #expect(
                found.lines == [
                    "DIR/a.sqlite-wal: remark: has changes of a program that has ended without merging them (1080 bytes); nothing is "
                        + "lost: the next program that writes merges them; copy both files together",
                    "1 store: no problems, 1 remark",
                ]
            )
            #expect(found.status == 0)
            #expect(try folder.size(of: "a.sqlite-wal") == 1_080)
            let missing = try await folder.doctor(shell: "mv a.sqlite other; prefs doctor -s sqlite:a.sqlite")
            #expect(
                missing.lines == [
                    "DIR/a.sqlite-wal: problem: is the log of a database that is missing; restore the database beside it; the "
                        + "next write sets it aside",
                    "1 store: 1 problem",
                ]
            )
        }
    }

    @Test("The journal that a killed process has left is reported, and the transaction is not rolled back")
    func journal() async throws {
        try await withStores { folder in
            let sql = """
                PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT \
                i + 1 FROM n LIMIT 300) INSERT INTO preferences SELECT 'name' || i, 'string', hex(zeroblob(300)) FROM n;
                """
            let script = """
                \(Self.killed(after: sql, in: "a.sqlite"))
                prefs doctor -s sqlite:a.sqlite
                """
            let found = try await folder.doctor(shell: script)
            #expect(
                found.lines == [
                    "DIR/a.sqlite-journal: problem: is the journal of a transaction that a killed process has left; keep it "
                        + "beside the database, and run 'sqlite3 DIR/a.sqlite .schema' to roll the transaction back",
                    "1 store: 1 problem",
                ]
            )
            #expect(try folder.size(of: "a.sqlite-journal") > 0)
        }
    }

    @Test("A SQLite that cannot be loaded is reported")
    func noSQLite() async throws {
        let script = """
            mkdir library
            : >library/libsqlite3.so.0
            LD_LIBRARY_PATH=$PWD/library prefs doctor -s sqlite:a.sqlite
            """
        let found = try await diagnosis(shell: script)
        #expect(
            found.lines == [
                "DIR/a.sqlite: problem: SQLite cannot be loaded: DIR/library/libsqlite3.so.0: file too short; install SQLite "
                    + "again, 3.31 or later",
                "1 store: 1 problem",
            ]
        )
    }

    @Test("A database that a later version has made is not called damaged")
    func laterDatabase() async throws {
        try await withStores { folder in
            let found = try await folder.doctor(
                shell: "sqlite3 a.sqlite 'PRAGMA user_version = 2'; prefs doctor -s sqlite:a.sqlite"
            )
            #expect(
                found.lines.first
                    == "DIR/a.sqlite: problem: the database has the layout version 2, and this version of the program "
                    + "supports only 1; it was left unchanged, use a newer version of the program"
            )
        }
    }
}
