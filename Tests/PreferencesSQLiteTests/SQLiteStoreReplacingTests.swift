import Foundation
import PreferencesRuntime
import TestSupport
import Testing

@testable import PreferencesSQLite
@testable import PreferencesSystem

/// One database in the place of another, and what there is when that fails.
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
        arguments: [
            ["": "damaged", "-wal": "log", "-shm": "index"], ["": "damaged"], ["": "", "-wal": "log"], ["-wal": "log"],
        ]
    )
    func whatWasThereHasAnotherName(old: [String: String]) async throws {
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
        arguments: [
            ["": "damaged", "-wal": "log", "-shm": "index"], ["": "damaged"], ["": "", "-wal": "log"], ["-wal": "log"],
            [:],
        ]
    )
    func whereThatFailsEverythingIsAsBefore(old: [String: String]) async throws {
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
