import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesSQLite
@testable import PreferencesSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Errors of the system that prevent access to an intact database.
struct SQLiteStoreFaultTests {
    @Test("A database that another program keeps locked fails writes, not reads")
    func lockedDatabaseFailsWritesOnly() async throws {
        try await withDatabase { database async throws in
            let store = database.store(busyTimeout: .milliseconds(20))
            try store.apply(["a": .set(1)])
            let program = try ChildProcess("sqlite3", [database.path], input: .pipe, output: .pipe)
            try program.input.write(contentsOf: Data("BEGIN IMMEDIATE; SELECT 'locked';\n".utf8))
            _ = try await onOwnThread { try program.output.readLine() }
            let problem = PreferenceProblem(
                .storeUnwritable,
                store: database.path,
                message: "cannot write \(database.path): database is locked; "
                    + "another program has locked it for too long, end that program's transaction"
            )
            #expect(throws: problem) { try store.apply(["a": .set(2)]) }
            #expect(throws: problem) { try store.update { _ in ["a": .set(2)] } }
            #expect(try store.value(for: "a") == 1)
            try program.input.close()
            _ = await program.ending
            try store.apply(["a": .set(3)])
            #expect(try store.value(for: "a") == 3)
        }
    }

    #if !canImport(Darwin)
        @Test("A store whose first use finds no free descriptor works once there is one")
        func storeWorksOnceADescriptorIsFree() async throws {
            // In another process, which has not loaded SQLite yet.
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                try await withDatabase { database async throws in
                    let store = database.store()
                    var limit = rlimit()
                    try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
                    // No descriptor is low enough, whatever other threads of the process close meanwhile.
                    var none = limit
                    none.rlim_cur = 0
                    try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none) == 0)
                    let uses: [() throws -> Void] = [
                        { _ = try store.value(for: "a") }, { try store.apply(["a": .set(1)]) },
                    ]
                    let problems = uses.map { use in
                        do {
                            try use()
                            return "none"
                        } catch {
                            let problem = error as? PreferenceProblem
                            return "problem: \(problem?.code as Any) \(problem?.message ?? "\(error)")"
                        }
                    }
                    try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
                    print(problems.joined(separator: "\n"))
                    try store.apply(["a": .set(1)])
                    #expect(try store.value(for: "a") == 1)
                }
            }
            let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
            let message =
                "SQLite cannot be loaded: libsqlite3.so.0: cannot open shared object file: Too many open files"
            let codes: [PreferenceProblem.Code?] = [.storeUnreadable, .storeUnwritable]
            #expect(
                output.split(separator: "\n").filter { $0.hasPrefix("problem: ") || $0 == "none" }
                    == codes.map { "problem: \($0 as Any) \(message)" }
            )
        }
    #endif

    #if os(Linux)
        @Test("While stores are suspended, the database is read, and no lock is left")
        func suspendedStoresHoldNoLock() async {
            // In another process, all of whose stores are suspended.
            await #expect(processExitsWith: .success) {
                try await withDatabase { database async throws in
                    let store = database.store()
                    let changes = StoreChanges(of: store)
                    try store.apply(["a": .set(1)])
                    #expect(try store.value(for: "a") == 1)
                    // The locks that SQLite holds while a database is open.
                    #expect(try ownLocks() != [])
                    StoreSuspension.suspend()
                    #expect(try ownLocks() == [])
                    #expect(try store.value(for: "a") == 1)
                    #expect(try ownLocks() == [])
                    let problem = PreferenceProblem(suspendedStore: database.path)
                    #expect(throws: problem) { try store.apply(["a": .set(2)]) }
                    #expect(throws: problem) { try store.update { _ in ["a": .set(2)] } }
                    try await database.child("set", "a", 3)
                    StoreSuspension.resume()
                    try await changes.wait { try store.value(for: "a") == 3 }
                    try store.apply(["a": .set(4)])
                    #expect(try store.value(for: "a") == 4)
                }
            }
        }
    #endif

    @Test("Before the first unlock of the device, a database that looks absent is neither read as empty nor created")
    func protectedDatabaseIsNotCreated() async throws {
        try await withDatabase { database async throws in
            let isLocked = Locked(true)
            let protection = DataProtection { isLocked.withLock { $0 } }
            let store = SQLiteDatabase(path: database.path, protection: protection)
            let message =
                "cannot read \(database.path): Operation not permitted; it may be protected until the device has been "
                + "unlocked for the first time after its start"
            #expect(throws: PreferenceProblem(.storeUnreadable, store: database.path, message: message)) {
                try store.value(for: "a", timeout: .seconds(10))
            }
            #expect(throws: PreferenceProblem(.storeUnwritable, store: database.path, message: message)) {
                try store.withLock(.seconds(10)) {
                    try store.write(.seconds(10), PendingNotifications()) { _ in ["a": .set(1)] }
                }
            }
            #expect(!FileManager.default.fileExists(atPath: database.path))
            let (changes, continuation) = AsyncStream.makeStream(of: PreferenceStoreChange.self)
            let observation = store.observers.add { continuation.yield($0) }
            try database.store().apply(["a": .set(1)])
            isLocked.withLock { $0 = false }
            #expect(!protection.isActive)
            _ = await changes.first { $0 == .everything }
            observation.cancel()
            #expect(try store.value(for: "a", timeout: .seconds(10)) == 1)
        }
    }

    @Test("A database that looks absent just before the unlock is opened again")
    func protectedDatabaseIsOpenedAgain() async throws {
        try await withDatabase { database throws in
            // The database appears after the first attempt to open it.
            let protection = DataProtection {
                #expect(throws: Never.self) { try database.store().apply(["a": .set(1)]) }
                return false
            }
            let store = SQLiteDatabase(path: database.path, protection: protection)
            #expect(try store.value(for: "a", timeout: .seconds(10)) == 1)
        }
    }

    @Test(
        "A file of another user in the place of the log or of a journal is not given to the database's owner",
        .enabled(if: geteuid() == 0, "only the superuser gives files away"),
        arguments: ["-wal", "-shm", "-journal"],
        [Data("secret".utf8), Data([0x37, 0x7F, 0x06, 0x82]) + Data(count: 32_764)]
    )
    func fileInThePlaceOfTheLogKeepsItsOwner(ending: String, contents: Data) async throws {
        try await withDatabase { database async throws in
            try database.store().apply(["a": .set(1)])
            for ending in ["", "-wal", "-shm"] {
                #expect(chown(database.path + ending, 12_345, 12_345) == 0)
            }
            #expect(chown(database.folder.path, 12_345, 12_345) == 0)
            #expect(try SQLiteStore(url: database.url).value(for: "a") == 1)
            let path = database.path + ending
            unlink(path)
            try contents.write(to: URL(filePath: path))
            let message =
                "cannot open the database with \(path): Operation not permitted; it does not belong to the database's "
                + "owner: move it away, or give it to that user"
            #expect(throws: PreferenceProblem(.storeUnreadable, store: database.path, message: message)) {
                try SQLiteStore(url: database.url).value(for: "a")
            }
            #expect(throws: PreferenceProblem(.storeUnwritable, store: database.path, message: message)) {
                try SQLiteStore(url: database.url).apply(["a": .set(2)])
            }
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect(status.st_uid == 0)
            #expect(try Data(contentsOf: URL(filePath: path)) == contents)
        }
    }

    @Test(
        "In a folder where everybody may add files, a database is not used with the log or the index of another user",
        .enabled(if: geteuid() == 0, "only the superuser gives files away"),
        arguments: ["-wal", "-shm", "-journal"],
        [true, false]
    )
    func logOfAnotherUserIsRejected(ending: String, isSuperuser: Bool) async throws {
        try await withDatabase { database async throws in
            try #require(chmod(database.folder.path, 0o1777) == 0)
            let user: uid_t = isSuperuser ? 0 : 65_534
            try database.store().apply(["a": .set(1)])
            for name in try database.filesBeside() {
                try #require(chown(database.folder.appending(component: name).path, user, user) == 0)
            }
            // Empty, like one that its owner keeps open to read later writes.
            let path = database.path + ending
            unlink(path)
            try Data().write(to: URL(filePath: path))
            try #require(chown(path, 12_345, 12_345) == 0)
            await #expect(processExitsWith: .success) {
                [path = path as String, store = database.path as String, user = user as uid_t] in
                try #require(setgid(user) == 0 && setuid(user) == 0)
                let message =
                    "cannot open the database with \(path): Operation not permitted; it does not belong to the database's "
                    + "owner: move it away, or give it to that user"
                #expect(throws: PreferenceProblem(.storeUnreadable, store: store, message: message)) {
                    try SQLiteStore(url: URL(filePath: store)).value(for: "a")
                }
                #expect(throws: PreferenceProblem(.storeUnwritable, store: store, message: message)) {
                    try SQLiteStore(url: URL(filePath: store)).apply(["a": .set(2)])
                }
            }
            #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
        }
    }

    @Test("In a folder where everybody may add files, the files beside a database are created for its owner alone")
    func filesInAPublicFolderAreCreatedForTheOwner() async throws {
        try await withDatabase { database async throws in
            try #require(chmod(database.folder.path, 0o1777) == 0)
            for number in 1...2 as ClosedRange<Int64> {
                let store = database.store()
                try store.apply(["a": .set(.int(number))])
                #expect(try store.value(for: "a") == .int(number))
                for ending in ["", "-wal", "-shm"] {
                    var status = stat()
                    try #require(stat(database.path + ending, &status) == 0)
                    #expect(status.st_mode & 0o777 == 0o600)
                    #expect(status.st_uid == geteuid())
                }
            }
            #expect(try database.store().value(for: "a") == 2)
        }
    }

    @Test("The time of a log is not given to a file that a link in its place leads to")
    func linksKeepTheirTime() throws {
        try withTemporaryDirectory { folder in
            let (file, link) = (folder.appending(component: "file"), folder.appending(component: "link"))
            try Data().write(to: file)
            let old = Date(timeIntervalSince1970: 1_000_000_000)
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file.path)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            #expect(FileTime.now()?.set(of: link.path) == true)
            let date = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
            #expect(date == old)
        }
    }

    @Test(
        "A link that another user has put into a folder is neither read nor written through",
        .enabled(if: geteuid() == 0, "only the superuser gives files away")
    )
    func linkOfAnotherUserIsRejected() async throws {
        try await withDatabase { database async throws in
            try database.store().apply(["a": .set(1)])
            let folder = database.url.deletingLastPathComponent().appending(component: "public")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            try #require(chmod(folder.path, 0o1777) == 0)
            let link = folder.appending(component: "link.sqlite")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: database.url)
            try #require(lchown(link.path, 12_345, 12_345) == 0)
            let message =
                "cannot follow the link \(link.path): Operation not permitted; another user owns this link, in a folder that other users "
                + "can write: replace it with your own link, or use the path of its target"
            let store = SQLiteStore(url: link)
            #expect(throws: PreferenceProblem(.storeUnreadable, store: link.path, message: message)) {
                try store.value(for: "a")
            }
            #expect(throws: PreferenceProblem(.storeUnwritable, store: link.path, message: message)) {
                try store.apply(["a": .set(2)])
            }
            try #require(lchown(link.path, 0, 0) == 0)
            try store.apply(["a": .set(2)])
            #expect(try database.store().value(for: "a") == 2)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["link.sqlite"])
        }
    }

    @Test("A database that was opened read-only is written once permissions allow it")
    func readOnlyDatabaseBecomesWritable() async throws {
        // An ordinary user runs the test, because the superuser has all permissions.
        await #expect(processExitsWith: .success) {
            if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
            try await withDatabase { database async throws in
                try database.store().apply(["a": .set(1)])
                for ending in ["", "-shm"] {
                    let path = database.path + ending
                    let store = database.store()
                    try #require(chmod(path, 0o400) == 0)
                    #expect(try store.value(for: "a") == 1)
                    let problem = #expect(throws: PreferenceProblem.self) { try store.apply(["a": .set(2)]) }
                    #expect(problem?.code == .storeUnwritable)
                    #expect(
                        problem?.message == "cannot write \(database.path): attempt to write a readonly database"
                    )
                    try #require(chmod(path, 0o600) == 0)
                    try store.apply(["a": .set(3)])
                    #expect(try store.value(for: "a") == 3)
                    try store.apply(["a": .set(1)])
                }
            }
        }
    }

    @Test("Temporary files of a process that was killed while it created a database are removed")
    func temporaryFilesOfAKilledProcessAreRemoved() async throws {
        try await withDatabase { database async throws in
            let folder = database.url.deletingLastPathComponent()
            let name = ".\(database.url.lastPathComponent).tmp-2208qjlf9fl0d"
            for ending in ["", "-wal", "-shm"] {
                try Data("half".utf8).write(to: folder.appending(component: name + ending))
            }
            try database.store().apply(["a": .set(1)])
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.filter { $0.hasPrefix(name) } == [])
        }
    }

    @Test("A folder in place of the database is reported as a problem")
    func folderInsteadOfADatabaseIsAProblem() async throws {
        try await withDatabase { database async throws in
            try FileManager.default.createDirectory(at: database.url, withIntermediateDirectories: false)
            let store = database.store()
            let message = "cannot read \(database.path): Is a directory"
            #expect(throws: PreferenceProblem(.storeUnreadable, store: database.path, message: message)) {
                try store.value(for: "a")
            }
            #expect(throws: PreferenceProblem(.storeUnwritable, store: database.path, message: message)) {
                try store.apply(["a": .set(1)])
            }
        }
    }

    @Test("A full disk changes nothing, and writing works again afterwards")
    func fullDiskChangesNothing() async throws {
        try await withDatabase { database async throws in
            let program = try BuiltWithTests.executable("StoreChild").path
            try await database.child("set", "a", 1)
            // With a file size limit of 64 KiB, writes fail as on a full disk.
            let command = "trap '' XFSZ; ulimit -f 64; exec \"$0\" fill \"$1\" a 200"
            let run = try await CommandLineRun("bash", ["-c", command, program, database.path], mergesErrors: true)
            #expect(run.succeeded, "\(run.output)")
            let acknowledged = run.output.split(separator: "\n").compactMap { Int64($0) }.last
            let problem = try #require(run.output.split(separator: "\n").last)
            #expect(problem.hasPrefix("storeUnwritable: cannot write \(database.path): "))
            let store = database.store()
            #expect(try store.value(for: "a") == .int(try #require(acknowledged)))
            try store.apply(["b": .set(2)])
            #expect(try await database.shell("PRAGMA integrity_check") == "ok")
        }
    }

    @Test("A forked process cannot use the stores of its parent")
    func forkedProcessIsRejected() async throws {
        try await withDatabase { database async throws in
            let program = try BuiltWithTests.executable("StoreChild").path
            let run = try await CommandLineRun(program, ["fork", database.path, "a", "1"], mergesErrors: true)
            #expect(run.succeeded)
            let message =
                "this process was forked from one that uses SQLite, and cannot use SQLite itself; "
                + "use stores only after forking, or run another program"
            #expect(run.output == "storeUnreadable: \(message)\nstoreUnwritable: \(message)\n")
            #expect(try database.store().value(for: "a") == 1)
        }
    }
}
