#if os(Linux)
    import Foundation
    import Glibc
    import PreferencesRuntime
    import PreferencesSQLite
    import Synchronization
    import TestSupport
    import Testing

    /// A database that is replaced while it is being opened. Only Linux reports the opening.
    struct SQLiteStoreOpeningTests {
        /// A read on another thread.
        private final class Reading: Sendable {
            private let result = Mutex<Result<PreferenceValue?, any Error>?>(nil)
            private let ending = DispatchSemaphore(value: 0)

            init(_ store: SQLiteStore) {
                Thread {
                    let result = Result { try store.value(for: "which") }
                    self.result.withLock { $0 = result }
                    self.ending.signal()
                }.start()
            }

            var hasEnded: Bool { result.withLock { $0 != nil } }

            func wait() throws -> PreferenceValue? {
                ending.wait()
                return try result.withLock { $0 }!.get()
            }
        }

        private func isOpen(_ path: String) throws -> Bool {
            let folder = "/proc/self/fd"
            return try FileManager.default.contentsOfDirectory(atPath: folder).contains {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
            }
        }

        @Test("A database that replaces another while that is being opened is the one that is read")
        func databaseReplacedDuringOpeningIsRead() async throws {
            try await withDatabase { database async throws in
                try database.store().apply(["which": .set("old")])
                let other = Database(url: database.folder.appending(component: "other.sqlite"))
                try other.store().apply(["which": .set("new")])

                // Opening it has to wait.
                let program = try ChildProcess("sqlite3", [database.path], input: .pipe, output: .pipe)
                let sql =
                    "PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; DELETE FROM preferences; SELECT 'locked';\n"
                try program.input.write(contentsOf: Data(sql.utf8))
                _ = try await onOwnThread {
                    while let line = try program.output.readLine(), !line.contains("locked") {}
                }

                // Without a task, because all threads of tasks may be blocked.
                let reading = Reading(database.store(busyTimeout: .seconds(60)))
                while try !isOpen(database.path), !reading.hasEnded { sched_yield() }
                #expect(rename(other.path, database.path) == 0)
                try program.input.close()
                _ = await program.ending
                let value = try reading.wait()
                #expect(value == "new")
            }
        }
    }
#endif
