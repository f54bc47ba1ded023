import Foundation
import PreferencesRuntime
import TestSupport
import Testing

@testable import PreferencesSQLite
@testable import PreferencesSystem

/// Replacing one database by another.
struct SQLiteStoreReplacingTests {
    private func write(_ contents: [String: String], beside database: Database) throws {
        for (ending, text) in contents { try Data(text.utf8).write(to: URL(filePath: database.path + ending)) }
    }

    private func contents(of path: String) throws -> [String: String] {
        var contents: [String: String] = [:]
        for ending in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + ending) {
            contents[ending] = try String(contentsOf: URL(filePath: path + ending), encoding: .utf8)
        }
        return contents
    }

    @Test(
        "Replaced files are set aside with their contents",
        arguments: [
            ["": "damaged", "-wal": "log", "-shm": "index"], ["": "damaged"], ["": "", "-wal": "log"], ["-wal": "log"],
        ]
    )
    func replacedFilesKeepTheirContents(old: [String: String]) async throws {
        try await withDatabase { database async throws in
            try write(old, beside: database)
            let new = database.folder.appending(component: "new").path
            try Data("new".utf8).write(to: URL(filePath: new))
            let files = try DatabaseFiles(following: database.path)
            let date = Date(timeIntervalSinceReferenceDate: 0)
            let stem = "\(database.path).corrupt-20010101T000000Z"
            #expect(try files.replace(with: new, at: date) == stem + (old[""] == nil ? "-wal" : ""))
            #expect(try contents(of: database.path) == ["": "new"])
            #expect(try contents(of: stem) == old)
        }
    }

    @Test(
        "A failed replacement changes nothing",
        arguments: [
            ["": "damaged", "-wal": "log", "-shm": "index"], ["": "damaged"], ["": "", "-wal": "log"], ["-wal": "log"],
            [:],
        ]
    )
    func failedReplacementChangesNothing(old: [String: String]) async throws {
        try await withDatabase { database async throws in
            try write(old, beside: database)
            let names = try database.filesBeside()
            let files = try DatabaseFiles(following: database.path)
            let problem = #expect(throws: SystemError.self) { try files.replace(with: database.path + "-missing") }
            #expect(problem?.description == "cannot replace \(database.path): No such file or directory")
            #expect(try contents(of: database.path) == old)
            #expect(try database.filesBeside() == names)
        }
    }
}

/// The state of the files after the last store was released.
struct SQLiteStoreEndingTests {
    @Test("Releasing the last store writes the log into the database")
    func lastStoreCheckpointsTheLog() async throws {
        try await withDatabase { database async throws in
            do {
                let store = database.store()
                try store.apply(["a": .set(1)])
                #expect(try store.value(for: "a") == 1)
            }
            #expect(try Data(contentsOf: URL(filePath: database.path + "-wal")) == Data())
        }
    }

    @Test("A copy restored after the last store was released is read unchanged")
    func restoredCopyIsReadUnchanged() async throws {
        try await withDatabase { database async throws in
            try database.store().apply(["a": .set(1)])
            let copy = try database.bytes()
            do {
                let store = database.store()
                for number in 2...5 { try store.apply(["a": .set(.int(Int64(number))), "b-\(number)": .set(1)]) }
                #expect(try store.value(for: "a") == 5)
            }
            try database.write(copy)
            let store = database.store()
            #expect(try store.value(for: "a") == 1)
            #expect(try store.names() == ["a"])
        }
    }
}
