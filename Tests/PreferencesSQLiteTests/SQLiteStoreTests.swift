import Foundation
import PreferencesRuntime
import PreferencesSQLite
import StoreTestSupport
import TestSupport
import Testing

/// The general promises of a store.
struct SQLiteStoreTests {
    @Test("Every value is read as it was set")
    func valuesSurviveARoundTrip() async throws {
        try await withDatabase { database async throws in
            let batch = Dictionary(
                uniqueKeysWithValues: SampleValues.values.enumerated().map { ("\($0)", PreferenceEdit.set($1)) }
            )
            try database.store().apply(PreferenceBatch(batch))
            // All earlier stores were released, so the values come from the disk.
            let store = database.store()
            for (name, edit) in batch {
                let value = try #require(try store.value(for: name))
                #expect(edit == .set(value), "\(name)")
            }
            #expect(try store.names() == Set(batch.keys))
        }
    }

    @Test(
        "Any duration is a timeout",
        arguments: [
            .seconds(Int64.max), .seconds(Int64.min), .seconds(9_223_372_036_854_775) + .milliseconds(900),
            .seconds(-9_223_372_036_854_775) - .milliseconds(900), .zero,
        ] as [Duration]
    )
    func extremeTimeoutsAreAccepted(timeout: Duration) async throws {
        try await withDatabase { database async throws in
            let store = database.store(busyTimeout: timeout)
            try store.apply(["a": .set(1)])
            #expect(try store.value(for: "a") == 1)
        }
    }

    @Test("Names can be any strings")
    func namesCanBeAnyStrings() async throws {
        try await withDatabase { database async throws in
            try database.store().apply(
                PreferenceBatch(
                    Dictionary(
                        uniqueKeysWithValues: SampleValues.names.enumerated().map { ($1, .set(.int(Int64($0)))) }
                    )
                )
            )
            let store = database.store()
            for (number, name) in SampleValues.names.enumerated() {
                #expect(try store.value(for: name) == .int(Int64(number)))
            }
            #expect(try store.names() == Set(SampleValues.names))
        }
    }

    @Test("Canonically equivalent names denote one value")
    func canonicallyEquivalentNamesAreOne() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            try store.apply(["e\u{301}": .set(1)])
            try store.apply(["\u{e9}": .set(2)])
            #expect(try store.value(for: "e\u{301}") == 2)
            #expect(try store.names().count == 1)
            #expect(try await database.shell("SELECT hex(name) FROM preferences") == "C3A9")
        }
    }

    @Test("Reading creates no file")
    func readingCreatesNoFile() async throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(components: "app", "preferences.sqlite")
            let store = SQLiteStore(url: url)
            #expect(try store.value(for: "a") == nil)
            #expect(try store.names() == [])
            try store.apply(["a": .remove])
            try store.reload()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    @Test("The first write creates the folder and the files for their user alone")
    func firstWriteCreatesPrivateFiles() async throws {
        try withTemporaryDirectory { folder in
            let app = folder.appending(component: "app")
            let store = SQLiteStore(url: app.appending(component: "preferences.sqlite"))
            try store.apply(["a": .set(1)])
            func mode(_ url: URL) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
            }
            #expect(try mode(app) == 0o700)
            let names = try FileManager.default.contentsOfDirectory(atPath: app.path).sorted()
            let database = ["preferences.sqlite", "preferences.sqlite-shm", "preferences.sqlite-wal"]
            #expect(names == [".preferences.sqlite.lock"] + database)
            for name in names { #expect(try mode(app.appending(component: name)) == 0o600, "\(name)") }
            #expect(try store.value(for: "a") == 1)
        }
    }

    @Test("A batch is applied completely or not at all")
    func batchIsAtomic() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            try store.apply(["a": .set(1)])
            let tooDeep = (0..<200).reduce(1 as PreferenceValue) { value, _ in [value] }
            let problem = PreferenceProblem(
                .unsupportedValue,
                key: "deep",
                store: database.path,
                message: "the value is nested more than 128 levels deep"
            )
            #expect(throws: problem) { try store.apply(["a": .set(2), "b": .set(3), "deep": .set(tooDeep)]) }
            #expect(try store.value(for: "a") == 1)
            #expect(try store.names() == ["a"])
        }
    }

    @Test("A batch that changes nothing writes nothing")
    func unchangedValuesAreNotWritten() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            let batch: [String: PreferenceEdit] = ["a": .set(.double(.nan)), "b": .set("é")]
            try store.apply(PreferenceBatch(batch))
            let changes = StoreChanges(of: store)
            let log = try Data(contentsOf: URL(filePath: database.path + "-wal"))
            try store.apply(PreferenceBatch(batch))
            try store.apply(["c": .remove])
            try store.update { _ in ["b": .set("é")] }
            #expect(try Data(contentsOf: URL(filePath: database.path + "-wal")) == log)
            #expect(changes.soFar == [])
        }
    }

    @Test(
        "Canonically equivalent text keeps the form in which it was set",
        arguments: [{ $0 }, { [$0] }, { ["a": $0] }] as [@Sendable (PreferenceValue) -> PreferenceValue]
    )
    func textKeepsItsUnicodeForm(
        within wrap: @Sendable (PreferenceValue) -> PreferenceValue
    ) async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            try store.apply(["a": .set(wrap("\u{e9}"))])
            try store.apply(["a": .set(wrap("e\u{301}"))])
            #expect(try await database.shell("SELECT value = replace(value, char(0x301), '') FROM preferences") == "0")
        }
    }

    @Test("A link to the database is kept and followed")
    func linkToTheDatabaseIsFollowed() async throws {
        try await withDatabase { database async throws in
            let link = database.folder.appending(component: "link.sqlite")
            try FileManager.default.createSymbolicLink(
                atPath: link.path,
                withDestinationPath: "inner/preferences.sqlite"
            )
            let store = SQLiteStore(url: link)
            #expect(try store.value(for: "a") == nil)
            try store.apply(["a": .set(1)])
            #expect(try store.value(for: "a") == 1)
            #expect(try database.filesBeside() == ["inner", "link.sqlite"])
            let inner = SQLiteStore(url: database.folder.appending(components: "inner", "preferences.sqlite"))
            #expect(try inner.value(for: "a") == 1)
        }
    }

    @Test("After a link has changed, it and its old target lead to different databases")
    func changedLinkLeadsToAnotherStore() async throws {
        try await withDatabase { database async throws in
            let link = database.folder.appending(component: "link.sqlite")
            let first = SQLiteStore(url: database.folder.appending(component: "first.sqlite"))
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "first.sqlite")
            let linked = SQLiteStore(url: link)
            try linked.apply(["who": .set("first")])
            try FileManager.default.removeItem(at: link)
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "second.sqlite")
            try linked.apply(["who": .set("second")])
            #expect(try first.value(for: "who") == "first")
            #expect(try linked.value(for: "who") == "second")
        }
    }
}
