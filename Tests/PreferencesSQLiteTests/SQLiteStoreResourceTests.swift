#if os(Linux)
    import Foundation
    import PreferencesRuntime
    import Synchronization
    import TestSupport
    import Testing

    @testable import PreferencesSQLite

    /// The resources that a store uses.
    struct SQLiteStoreResourceTests {
        /// The number of descriptors of the database in this process: one per connection.
        private func connectionCount(_ database: Database) throws -> Int {
            let folder = "/proc/self/fd"
            return try FileManager.default.contentsOfDirectory(atPath: folder).count {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == database.path
            }
        }

        @Test("A store that is read while it is not written has one connection")
        func readingUsesOneConnection() async throws {
            try await withDatabase { database async throws in
                let store = database.store()
                for number in 0..<10 as Range<Int64> {
                    try store.apply(["a": .set(.int(number))])
                    #expect(try store.value(for: "a") == .int(number))
                    #expect(try store.names() == ["a"])
                }
                #expect(try connectionCount(database) == 1)
            }
        }

        @Test("A read does not wait for an update, and does not see its uncommitted changes")
        func readsDoNotWaitForUpdates() async throws {
            try await withDatabase { database async throws in
                let store = database.store()
                try store.apply(["a": .set(1)])
                try store.update { current in
                    try store.apply(["a": .set(2)])
                    #expect(try store.value(for: "a") == 2)
                    let read = Mutex<PreferenceValue?>(nil)
                    let end = DispatchSemaphore(value: 0)
                    Thread {
                        read.withLock { $0 = try? store.value(for: "a") }
                        end.signal()
                    }.start()
                    end.wait()
                    #expect(read.withLock { $0 } == 2)
                    return ["a": .set(3)]
                }
                #expect(try store.value(for: "a") == 3)
                #expect(try connectionCount(database) == 2)
            }
        }

        @Test("A value that cannot be read does not open a second connection")
        func unreadableValueUsesOneConnection() async throws {
            try await withDatabase { database async throws in
                try database.store().apply(["a": .set(1)])
                try await database.shell("UPDATE preferences SET type = 'other'")
                let store = database.store()
                try store.apply(["b": .set(1)])
                let problem = PreferenceProblem(
                    .unsupportedValue,
                    key: "a",
                    store: database.path,
                    message: "its type in the database is unknown"
                )
                #expect(throws: problem) { try store.value(for: "a") }
                #expect(try connectionCount(database) == 1)
            }
        }

        @Test("A connection has a small cache of its own")
        func connectionCacheIsSmall() async throws {
            try await withDatabase { database async throws in
                try database.store().apply(["a": .set(1)])
                let open = try OpenDatabase(at: database.path, isReadOnly: true, timeout: .seconds(10))
                #expect(try open?.connection.integer("read", "PRAGMA cache_size") == -256)
            }
        }

        @Test("Checking a database opens none for temporary tables, which would have a page cache of its own")
        func checksOpenNoTemporaryDatabase() async throws {
            try await withDatabase { database async throws in
                try database.store().apply(["a": .set(1)])
                let connection = try #require(
                    try OpenDatabase(at: database.path, isReadOnly: true, timeout: .seconds(10))
                ).connection
                let databases = try connection.statement("read", "SELECT name FROM pragma_database_list")
                defer { databases.reset() }
                #expect(try databases.step())
                #expect(databases.text(0) == "main")
                #expect(try !databases.step())
            }
        }

        @Test("Stores of one file share its connection and its watching")
        func storesOfOneFileShareConnections() async throws {
            try await withDatabase { database async throws in
                let stores = (0..<200).map { _ in database.store() }
                let observations = stores.map { $0.observe { _ in } }
                for (number, store) in stores.enumerated() {
                    try store.apply(["a": .set(.int(Int64(number)))])
                    #expect(try stores[0].value(for: "a") == .int(Int64(number)))
                }
                #expect(Set(stores.map { ObjectIdentifier($0.backend) }).count == 1)
                // A read while the watcher refreshes opens a second connection.
                #expect(try connectionCount(database) <= 2)
                withExtendedLifetime(observations) {}
            }
        }

        /// Otherwise each refresh would cause the event that leads to the next one, as closing a file that was open for
        /// writing does.
        @Test("A database that was found damaged is not opened again before it changes", arguments: [0, 1_024])
        func damagedDatabaseIsNotOpenedAgain(offset: Int) async throws {
            try await withDatabase { database async throws in
                try await database.fill()
                var bytes = try database.bytes()
                bytes.replaceSubrange(offset..<offset + 16, with: Data(repeating: 0xFF, count: 16))
                try database.write(bytes)

                let store = database.store()
                let problem = try #require(#expect(throws: PreferenceProblem.self) { try store.reload() })
                // Once more, as SQLite has created a log the first time.
                #expect(throws: problem) { try store.reload() }

                let opens = try OpenCounter(database.path)
                for _ in 0..<3 { #expect(throws: problem) { try store.reload() } }
                #expect(opens.next() == 0)
                try database.write(bytes + Data(count: 1_024))
                _ = opens.next()
                #expect(throws: PreferenceProblem.self) { try store.reload() }
                #expect(opens.next() > 0)
            }
        }

        /// Counts the openings of a file.
        private final class OpenCounter {
            private let descriptor: CInt

            init(_ path: String) throws {
                descriptor = inotify_init1(O_NONBLOCK)
                try #require(inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) >= 0)
            }

            deinit { close(descriptor) }

            /// The number since the last call.
            func next() -> Int {
                var buffer = [UInt8](repeating: 0, count: 1 << 14)
                return max(0, read(descriptor, &buffer, buffer.count)) / MemoryLayout<inotify_event>.size
            }
        }

        @Test("The registry does not keep released databases")
        func registryDropsReleasedDatabases() throws {
            try withTemporaryDirectory { folder in
                for number in 0..<1_000 {
                    let path = folder.appending(component: "\(number).sqlite").path(percentEncoded: false)
                    _ = SQLiteDatabase.shared(path: path)
                }
                // Two keys per database, as many of released ones, and those of concurrent tests.
                #expect(SQLiteDatabase.listingCount < 1_000)
            }
        }
    }
#endif
