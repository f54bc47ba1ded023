import Foundation
import PreferencesRuntime
import PreferencesSQLite
import PreferencesStoreTesting
import TestSupport
import Testing

@testable import PreferencesSystem

/// The conformance of ``SQLiteStore``.
struct SQLiteStoreConformanceTests {
    @Test("A SQLite store passes each check of the conformance kit", arguments: StoreCheck.all)
    func storePassesConformanceCheck(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            try check.run(on: .sqliteStore(folder.appending(component: "preferences.sqlite")))
        }
    }

    @Test("A writer is notified of the changes of other stores of the database, and not of its own")
    func writersAreNotNotifiedOfTheirChanges() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.sqlite")
            let (store, other) = (SQLiteStore(url: url), SQLiteStore(url: url))
            let own = Locked<[PreferenceStoreChange]>([])
            let writer = store.observe { change in own.withLock { $0.append(change) } }
            #expect(store.excludesWriters)
            try store.apply(["a": .set(1)], by: writer)
            #expect(own.withLock { $0 } == [])
            try other.apply(["a": .set(2)])
            #expect(own.withLock { $0 } == [.names(["a"])])
        }
    }
}

extension StoreSubject {
    fileprivate static func sqliteStore(_ url: URL) -> StoreSubject {
        let aside = url.appendingPathExtension("aside")
        return StoreSubject(
            open: { SQLiteStore(url: url) },
            changeExternally: { batch in try edit(url, batch) },
            breakBackend: {
                try FileManager.default.moveItem(at: url, to: aside)
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            },
            repairBackend: {
                try FileManager.default.removeItem(at: url)
                try FileManager.default.moveItem(at: aside, to: url)
            }
        )
    }

    /// Changes rows with the `sqlite3` program, as a user does.
    private static func edit(_ url: URL, _ batch: [String: PreferenceEdit]) throws {
        let statements = batch.map { name, edit in
            guard case .set(let value) = edit else { return "DELETE FROM preferences WHERE name = '\(name)';" }
            return "REPLACE INTO preferences VALUES ('\(name)', \(columns(of: value)));"
        }
        let sql = ".bail on\nBEGIN;\n\(statements.joined(separator: "\n"))\nCOMMIT;"
        let script = url.appendingPathExtension("sql")
        try Data(sql.utf8).write(to: script)
        let input = try FileHandle(forReadingFrom: script)
        let shell = try ChildProcess(
            "sqlite3",
            ["-batch", url.path(percentEncoded: false)],
            input: .file(input)
        )
        try #require(shell.waitForEnd() == .status(0))
    }

    private static func columns(of value: PreferenceValue) -> String {
        switch value {
        case .string(let text): "'string', '\(text)'"
        case .int(let number): "'int', \(number)"
        default: fatalError("the checks make no such external change: \(value)")
        }
    }
}
