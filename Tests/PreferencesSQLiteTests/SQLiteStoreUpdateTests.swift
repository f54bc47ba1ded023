import Foundation
import PreferencesRuntime
import PreferencesSQLite
import TestSupport
import Testing

/// Updates that are made from current values.
struct SQLiteStoreUpdateTests {
    private struct Refusal: Error {}

    @Test("An update is made from the current values")
    func updateSeesCurrentValues() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            try store.apply(["a": .set(5)])
            try store.update { current in
                let a = try current("a")
                let b = try current("b")
                #expect(a == 5)
                #expect(b == nil)
                return ["b": .set(a ?? 0), "a": .remove]
            }
            #expect(try store.names() == ["b"])
        }
    }

    @Test("A lock that another process holds for longer than busyTimeout fails the call with storeBusy")
    func lockTimeoutThrowsStoreBusy() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.sqlite")
            let lock = folder.path(percentEncoded: false) + "/.preferences.sqlite.lock"
            let descriptor = open(lock, O_RDWR | O_CREAT, 0o600)
            defer { close(descriptor) }
            try #require(flock(descriptor, LOCK_EX) == 0)
            let store = SQLiteStore(url: url, busyTimeout: .milliseconds(1))
            let problem = #expect(throws: PreferenceProblem.self) { try store.apply(["a": .set(1)]) }
            #expect(problem?.code == .storeBusy)
            #expect(problem?.store == store.label)
            flock(descriptor, LOCK_UN)
            try store.apply(["a": .set(1)])
            #expect(try store.value(for: "a") == 1)
        }
    }

    @Test("An error of the closure is rethrown and changes nothing")
    func errorOfTheClosureChangesNothing() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            try store.apply(["a": .set(1)])
            #expect(throws: Refusal.self) { try store.update { _ in throw Refusal() } }
            try store.apply(["b": .set(2)])
            #expect(try store.names() == ["a", "b"])
        }
    }

    @Test("Writes within the closure remain if it throws")
    func writesWithinTheClosureRemain() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            #expect(throws: Refusal.self) {
                try store.update { current in
                    try store.apply(["a": .set(1)])
                    // Another store of the file shares the database.
                    try database.store().update { _ in ["b": .set(try current("a") ?? 0)] }
                    throw Refusal()
                }
            }
            #expect(try await database.shell("SELECT name, value FROM preferences") == "a|1\nb|1")
        }
    }

    @Test("An empty batch creates no database")
    func emptyBatchCreatesNoDatabase() async throws {
        try await withDatabase { database async throws in
            try database.store().update { _ in [:] }
            try database.store().update { _ in ["a": .remove] }
            #expect(try database.filesBeside() == [".preferences.sqlite.lock"])
        }
    }

    @Test("Other programs cannot write during an update")
    func otherProgramsCannotWriteDuringAnUpdate() async throws {
        try await withDatabase { database async throws in
            let store = database.store()
            try store.apply(["a": .set(1)])
            let errors = Pipe()
            try store.update { _ in
                let program = try ChildProcess(
                    "sqlite3",
                    [database.path, "UPDATE preferences SET value = 2"],
                    errors: .file(errors.fileHandleForWriting)
                )
                _ = program.waitForEnd()
                return ["b": .set(3)]
            }
            try errors.fileHandleForWriting.close()
            let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            #expect(text.contains("database is locked"))
            #expect(try store.value(for: "a") == 1)
        }
    }

    @Test("A nested update through another path of the database throws")
    func nestedUpdateThroughAnotherPathThrows() async throws {
        try await withDatabase { database async throws in
            let folder = database.folder
            let link = folder.appending(component: "link.sqlite")
            // The link led elsewhere at its first use, so it has another database.
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "elsewhere.sqlite")
            let other = SQLiteStore(url: link)
            #expect(try other.value(for: "a") == nil)
            try FileManager.default.removeItem(at: link)
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "preferences.sqlite")
            let store = database.store()
            try store.apply(["a": .set(1)])
            let problem = PreferenceProblem(
                .storeUnwritable,
                store: other.label,
                message: "this thread is updating the database through another SQLiteStore, and would wait for itself; "
                    + "use the same SQLiteStore for both"
            )
            try store.update { _ throws in
                #expect(throws: problem) { try other.apply(["a": .set(2)]) }
                #expect(try other.value(for: "a") == 1)
                return ["b": .set(2)]
            }
            #expect(try other.names() == ["a", "b"])
        }
    }
}
