import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

/// Pending edits when a store, or the program, ends.
struct FileStoreEndingTests {
    @Test("A store writes its pending edits when it is released")
    func aStoreWritesItsPendingEditsWhenItIsReleased() async throws {
        try await withFile { url in
            do {
                let store = FileStore.patient(url)
                try store.apply(["a": .set(1)])
            }
            #expect(try url.text() == "{\n  \"a\": 1\n}\n")
        }
    }

    @Test("Preferences write their pending edits when they are released")
    func preferencesWriteTheirPendingEditsWhenTheyAreReleased() async throws {
        try await withFile { url in
            do {
                let preferences = Preferences(store: FileStore.patient(url))
                preferences.weather.temperature = 5
            }
            let text = try url.text()
            #expect(text == "{\n  \"weather-service:temperature\": 5.0\n}\n")
        }
    }

    @Test("A program writes its pending edits when it exits")
    func aProgramWritesItsPendingEditsWhenItExits() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                let store = FileStore(url: URL(filePath: path), durability: .coalesced(milliseconds: 3_600_000))
                try store.apply(["a": .set(1)])
                withExtendedLifetime(store) { exit(7) }
            }
            let text = try url.text()
            #expect(text == "{\n  \"a\": 1\n}\n")
        }
    }

    @Test("A program that exits in an update writes the edits before it")
    func aProgramThatExitsInAnUpdateWritesTheEditsBeforeIt() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                let store = FileStore(url: URL(filePath: path), durability: .coalesced(milliseconds: 3_600_000))
                try store.apply(["a": .set(1)])
                try store.update { _ in exit(7) }
            }
            let text = try url.text()
            #expect(text == "{\n  \"a\": 1\n}\n")
        }
    }

    @Test("Edits by a program's own exit handler are written")
    func editsByAProgramsOwnExitHandlerAreWritten() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                // A handler of `atexit` has no arguments. It runs after the stores' handler, because it was registered
                // earlier.
                setenv("PREFERENCES_TEST_FILE", path, 1)
                atexit { try? LateStore.shared.apply(["late": .set(1)]) }
                try LateStore.shared.apply(["early": .set(1)])
                exit(7)
            }
            let text = try url.text()
            #expect(text == "{\n  \"early\": 1,\n  \"late\": 1\n}\n")
        }
    }

    @Test("A forked process that exits leaves the parent's pending edits to the parent")
    func aForkedProcessThatExitsLeavesTheParentsPendingEditsToTheParent() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                let store = FileStore(url: URL(filePath: path), durability: .coalesced(milliseconds: 3_600_000))
                try store.apply(["a": .set(1)])
                let child = try ForkedProcess { exit(0) }
                #expect(child.waitForEnd() == 0)
                let isWritten = FileManager.default.fileExists(atPath: path)
                #expect(!isWritten)
                withExtendedLifetime(store) { exit(7) }
            }
            let text = try url.text()
            #expect(text == "{\n  \"a\": 1\n}\n")
        }
    }

    @Test("Edits by a forked process are written")
    func editsByAForkedProcessAreWritten() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                // The parent must have a store that writes later, too.
                let other = FileStore(
                    url: URL(filePath: path + "-other"),
                    durability: .coalesced(milliseconds: 3_600_000)
                )
                try other.apply(["a": .set(1)])
                let child = try ForkedProcess {
                    let store = FileStore(url: URL(filePath: path), durability: .coalesced(milliseconds: 3_600_000))
                    try store.apply(["b": .set(2)])
                }
                #expect(child.waitForEnd() == 0)
                withExtendedLifetime(other) { exit(7) }
            }
            let text = try url.text()
            #expect(text == "{\n  \"b\": 2\n}\n")
        }
    }

    @Test("A forked process discards the pending edits of its parent")
    func aForkedProcessDiscardsThePendingEditsOfItsParent() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                let store = FileStore(url: URL(filePath: path), durability: .coalesced(milliseconds: 3_600_000))
                try store.apply(["a": .set(1)])
                let turn = Pipe()
                let child = try ForkedProcess {
                    // Waits until the parent has set the value again.
                    _ = turn.fileHandleForReading.readData(ofLength: 1)
                    try store.apply(["b": .set(2)])
                    exit(0)
                }
                try store.apply(["a": .set(3)])
                try store.flush()
                turn.fileHandleForWriting.write(Data([0]))
                #expect(child.waitForEnd() == 0)
                withExtendedLifetime(store) { exit(7) }
            }
            let text = try url.text()
            #expect(text == "{\n  \"a\": 3,\n  \"b\": 2\n}\n")
        }
    }

    @Test("A process that is forked in an update does not inherit the lock")
    func aProcessThatIsForkedInAnUpdateDoesNotInheritTheLock() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                let url = URL(filePath: path)
                let store = FileStore(url: url, durability: .immediate)
                var child: ForkedProcess?
                try store.update { _ in
                    child = try ForkedProcess { pause() }
                    return ["a": .set(1)]
                }
                let lock = url.deletingLastPathComponent().appending(component: ".preferences.json.lock")
                let descriptor = open(lock.filePath, O_RDONLY)
                let isFree = flock(descriptor, LOCK_EX | LOCK_NB) == 0
                #expect(isFree)
                child?.kill()
                exit(7)
            }
        }
    }

    @Test("A forked process that leaves an update does not unlock the file for its parent")
    func aForkedProcessThatLeavesAnUpdateDoesNotUnlockTheFileForItsParent() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                let url = URL(filePath: path)
                let store = FileStore(url: url, durability: .immediate)
                do {
                    try store.update { _ in
                        let child = try ForkedProcess { throw CancellationError() }
                        #expect(child.waitForEnd() == 3)
                        let lock = url.deletingLastPathComponent().appending(component: ".preferences.json.lock")
                        let descriptor = open(lock.filePath, O_RDONLY)
                        let isFree = flock(descriptor, LOCK_EX | LOCK_NB) == 0
                        #expect(!isFree)
                        exit(7)
                    }
                } catch is CancellationError {
                    // The forked process, which has left the update.
                    _exit(3)
                }
            }
        }
    }
}
