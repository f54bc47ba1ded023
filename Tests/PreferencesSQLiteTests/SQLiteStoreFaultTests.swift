import Foundation
import PreferencesRuntime
import PreferencesSQLite
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What keeps the store from reading or writing, although nothing is wrong with the database.
struct SQLiteStoreFaultTests {
    @Test func aProgramThatKeepsTheDatabaseLockedIsAProblemOfTheWriterAlone() async throws {
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
                    + "another program has kept it locked for too long, end that program's transaction"
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

    @Test func whatCouldOnlyBeReadAtFirstIsWrittenOnceThatIsAllowed() async throws {
        // As an ordinary user: nothing is forbidden to the superuser.
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

    @Test func whatAProcessHasLeftThatWasKilledWhileItMadeTheDatabaseIsRemoved() async throws {
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

    @Test func aFolderInTheFilesPlaceIsAProblem() async throws {
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

    @Test func afterADiskThatIsFullNothingHasChangedAndWritingGoesOn() async throws {
        try await withDatabase { database async throws in
            let program = try BuiltWithTests.executable("StoreChild").path
            try await database.child("set", "a", 1)
            // No file may grow beyond 64 KiB: what is written there fails as on a full disk.
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

    @Test func aProcessThatWasForkedIsRefused() async throws {
        try await withDatabase { database async throws in
            let program = try BuiltWithTests.executable("StoreChild").path
            let run = try await CommandLineRun(program, ["fork", database.path, "a", "1"], mergesErrors: true)
            #expect(run.succeeded)
            let message =
                "this process was forked from one that uses SQLite, and cannot do so itself; "
                + "use stores after forking alone, or run another program"
            #expect(run.output == "storeUnreadable: \(message)\nstoreUnwritable: \(message)\n")
            #expect(try database.store().value(for: "a") == 1)
        }
    }
}
