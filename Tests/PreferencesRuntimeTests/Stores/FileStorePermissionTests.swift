import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files, folders and locks with restricted permissions. The tests run as an ordinary user, because the superuser has
/// all permissions.
struct FileStorePermissionTests {
    @Test("A transaction that only reads does not need a writable folder")
    func aTransactionThatOnlyReadsDoesNotNeedAWritableFolder() async throws {
        await #expect(processExitsWith: .success) {
            try becomeOrdinaryUser()
            try withTemporaryDirectory { folder throws in
                let url = folder.appending(component: "preferences.json")
                try url.write("{ \"launchCount\": 3 }")
                try #require(chmod(folder.filePath, 0o500) == 0)
                defer { chmod(folder.filePath, 0o700) }
                let preferences = Preferences(store: FileStore(url: url, durability: .immediate))

                #expect(try preferences.transaction { $0.launchCount } == 3)

                let problem = #expect(throws: PreferenceProblem.self) {
                    try preferences.update(\.launchCount) { $0 += 1 }
                }
                #expect(problem?.code == .storeUnwritable)
                #expect(preferences.launchCount == 3)
                #expect(try folder.contentsOfFolder() == ["preferences.json"])
            }
        }
    }

    @Test("A folder that is not writable is a problem, and the file is kept")
    func aFolderThatIsNotWritableIsAProblemAndTheFileIsKept() async throws {
        // An ordinary user runs the test, because the superuser has all permissions.
        await #expect(processExitsWith: .success) {
            try becomeOrdinaryUser()
            try await withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                let preferences = Preferences(store: FileStore(url: url, durability: .immediate))
                preferences.weather.temperature = 1
                let text = try url.text()
                try #require(chmod(folder.filePath, 0o500) == 0)
                defer { chmod(folder.filePath, 0o700) }

                preferences.weather.temperature = 2

                let problems = await preferences.reportedProblems()
                try #require(problems.count == 1)
                #expect(problems[0].code == .storeUnwritable)
                #expect(problems[0].key == "weather-service:temperature")
                let cause = "cannot create a file beside \(url.filePath): Permission denied"
                #expect(problems[0].message == "\(cause); it was not set")
                #expect(try url.text() == text)
                #expect(preferences.weather.temperature == 1)
                #expect(try folder.contentsOfFolder() == [".preferences.json.lock", "preferences.json"])
            }
        }
    }

    @Test("A folder that cannot be synchronized is a problem before anything changes")
    func aFolderThatCannotBeSynchronizedIsAProblemBeforeAnythingChanges() async throws {
        await #expect(processExitsWith: .success) {
            try becomeOrdinaryUser()
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                let store = FileStore(url: url, durability: .immediate)
                try store.apply(["a": .set(1)])
                let text = try url.text()
                // The folder can be written, but only a readable folder can be opened for synchronization.
                try #require(chmod(folder.filePath, 0o300) == 0)
                defer { chmod(folder.filePath, 0o700) }
                #expect(throws: PreferenceProblem.self) { try store.apply(["a": .set(2)]) }
                #expect(try url.text() == text)
                #expect(try store.value(for: "a") == 1)
                try #require(chmod(folder.filePath, 0o700) == 0)
                #expect(try folder.contentsOfFolder() == [".preferences.json.lock", "preferences.json"])
            }
        }
    }

    @Test("A folder is created in one that cannot be read")
    func aFolderIsCreatedInOneThatCannotBeRead() async throws {
        await #expect(processExitsWith: .success) {
            try becomeOrdinaryUser()
            try withTemporaryDirectory { folder in
                try #require(chmod(folder.filePath, 0o300) == 0)
                defer { chmod(folder.filePath, 0o700) }
                let url = folder.appending(components: "app", "preferences.json")
                try FileStore(url: url, durability: .immediate).apply(["a": .set(1)])
                #expect(try FileStore(url: url, durability: .immediate).value(for: "a") == 1)
            }
        }
    }

    @Test("A file that cannot be read is a problem and is kept")
    func aFileThatCannotBeReadIsAProblemAndIsKept() async throws {
        await #expect(processExitsWith: .success) {
            try becomeOrdinaryUser()
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                let store = FileStore(url: url, durability: .immediate)
                try store.apply(["a": .set(1)])
                try #require(chmod(url.filePath, 0) == 0)
                do {
                    try FileStore(url: url, durability: .immediate).apply(["a": .set(2)])
                    Issue.record("it was written")
                } catch let problem as PreferenceProblem {
                    #expect(problem.code == .storeUnreadable)
                    #expect(problem.message == "cannot open \(url.filePath): Permission denied")
                }
                try #require(chmod(url.filePath, 0o600) == 0)
                #expect(try url.text() == "{\n  \"a\": 1\n}\n")
            }
        }
    }

    @Test(
        "A privileged writer leaves the lock file to the file's owner",
        .enabled(if: geteuid() == 0, "only the superuser gives files away")
    )
    func aPrivilegedWriterLeavesTheLockFileToTheFilesOwner() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let lock = folder.appending(component: ".preferences.json.lock").filePath
            func users() throws -> [Int] {
                let attributes = try FileManager.default.attributesOfItem(atPath: lock)
                return [.ownerAccountID, .groupOwnerAccountID, .posixPermissions].compactMap { attributes[$0] as? Int }
            }
            try FileStore(url: url, durability: .immediate).apply(["a": .set(1)])
            #expect(try users() == [0, 0, 0o600])
            // The file is given to another user and group.
            try #require(chown(url.filePath, 12_345, 23_456) == 0 && chmod(url.filePath, 0o660) == 0)
            try FileStore(url: url, durability: .immediate).apply(["a": .set(2)])
            #expect(try users() == [12_345, 23_456, 0o660])
        }
    }

    @Test("A lock file that cannot be opened is named as the cause")
    func aLockFileThatCannotBeOpenedIsNamedAsTheCause() async throws {
        await #expect(processExitsWith: .success) {
            try becomeOrdinaryUser()
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                let lock = folder.appending(component: ".preferences.json.lock")
                try lock.write("")
                try #require(chmod(lock.filePath, 0) == 0)
                let message =
                    "cannot lock \(lock.filePath): Permission denied; it is another user's: give it the owner and "
                    + "permissions of the file beside it, or remove it"
                #expect(throws: PreferenceProblem(.storeUnwritable, store: url.filePath, message: message)) {
                    try FileStore(url: url, durability: .immediate).apply(["a": .set(1)])
                }
            }
        }
    }

    @Test("A file without write permission is kept as it is")
    func aFileWithoutWritePermissionIsKeptAsItIs() async throws {
        await #expect(processExitsWith: .success) {
            try becomeOrdinaryUser()
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                try url.write("{\"a\": 1}")
                try #require(chmod(url.filePath, 0o444) == 0)
                let store = FileStore(url: url, durability: .immediate)
                let message = "cannot write \(url.filePath): Permission denied"
                #expect(throws: PreferenceProblem(.storeUnwritable, store: url.filePath, message: message)) {
                    try store.apply(["a": .set(2)])
                }
                #expect(try url.text() == "{\"a\": 1}")
                try #require(chmod(url.filePath, 0o644) == 0)
                try store.apply(["a": .set(2)])
                #expect(try store.value(for: "a") == 2)
            }
        }
    }

    #if os(Linux)
        @Test("Access control lists are kept")
        func accessControlListsAreKept() throws {
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                try url.write("{\"a\": 1}")
                let list = try AccessControlList.letRead(65_534, url)
                for durability in [FileStore.Durability.immediate, .coalesced(milliseconds: 0)] {
                    let store = FileStore(url: url, durability: durability)
                    for number in 2...5 {
                        try store.apply(["a": .set(.int(Int64(number)))])
                        try store.flush()
                        #expect(AccessControlList.of(url) == list)
                        #expect(try url.mode() == 0o640)
                    }
                }
            }
        }
    #endif
}
