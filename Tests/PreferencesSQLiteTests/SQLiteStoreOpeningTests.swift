#if os(Linux)
    import Foundation
    import Glibc
    import PreferencesRuntime
    import PreferencesSQLite
    import TestSupport
    import Testing

    /// A database that takes the place of another just then. That it is being opened only Linux tells.
    @Suite(.timeLimit(.minutes(5)))
    struct SQLiteStoreOpeningTests {
        private func isOpen(_ path: String) throws -> Bool {
            let folder = "/proc/self/fd"
            return try FileManager.default.contentsOfDirectory(atPath: folder).contains {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
            }
        }

        @Test func whatComesWhileTheOneBeforeItIsOpenedIsRead() async throws {
            try await withDatabase { database async throws in
                try database.store().apply(["which": .set("old")])
                let other = Database(url: database.folder.appending(component: "other.sqlite"))
                try other.store().apply(["which": .set("new")])

                // Whoever opens it has to wait.
                let program = Process()
                program.executableURL = URL(filePath: "/usr/bin/env")
                program.arguments = ["sqlite3", database.path]
                let (input, output) = (Pipe(), Pipe())
                program.standardInput = input
                program.standardOutput = output
                try program.run()
                let sql =
                    "PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; DELETE FROM preferences; SELECT 'locked';\n"
                try input.fileHandleForWriting.write(contentsOf: Data(sql.utf8))
                var words = ""
                while !words.contains("locked") {
                    words += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
                }

                let (values, continuation) = AsyncStream.makeStream(of: Result<PreferenceValue?, any Error>.self)
                // On a thread of its own: those of tasks may all be waiting for something.
                Thread { continuation.yield(Result { try database.store().value(for: "which") }) }.start()
                while try !isOpen(database.path) { await Task.yield() }
                #expect(rename(other.path, database.path) == 0)
                try input.fileHandleForWriting.close()
                program.waitUntilExit()
                let value = await values.first { _ in true }
                #expect(try value?.get() == "new")
            }
        }
    }
#endif
