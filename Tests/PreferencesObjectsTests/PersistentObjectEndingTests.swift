import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesObjects
@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Unsaved changes when the program ends. Each test runs in its own process.
struct PersistentObjectEndingTests {
    @Test("A program that exits saves its objects", arguments: ["return", "exit"])
    func aProgramThatExitsSavesItsObjects(_ end: String) async throws {
        try await withFile { url in
            let child = try await EndingChild(url, end: end)
            #expect(child.ending == .status(0))
            #expect(child.errors == "")
            #expect(try url.text() == "{\n  \"object\": 2\n}\n")
        }
    }

    @Test("A program that is terminated saves its objects if it asked to, and ends by the signal")
    func aProgramThatIsTerminatedSavesItsObjectsIfItAskedToAndEndsByTheSignal() async throws {
        try await withFile { url in
            let child = try await EndingChild(url, end: "opt-in", signal: SIGTERM)
            #expect(child.ending == .signal(SIGTERM))
            #expect(child.errors == "")
            #expect(try url.text() == "{\n  \"object\": 2\n}\n")
        }
    }

    @Test("A program that is terminated otherwise loses unsaved changes only", arguments: [SIGTERM, SIGKILL])
    func aProgramThatIsTerminatedOtherwiseLosesUnsavedChangesOnly(_ signal: Int32) async throws {
        try await withFile { url in
            let child = try await EndingChild(url, end: "wait", signal: signal)
            #expect(child.ending == .signal(signal))
            #expect(try url.text() == "{\n  \"object\": 1\n}\n")
        }
    }

    @Test("A killed program loses unsaved changes, even if termination saves")
    func aKilledProgramLosesUnsavedChangesEvenIfTerminationSaves() async throws {
        try await withFile { url in
            let child = try await EndingChild(url, end: "opt-in", signal: SIGKILL)
            #expect(child.ending == .signal(SIGKILL))
            #expect(try url.text() == "{\n  \"object\": 1\n}\n")
        }
    }

    @Test("A failure to save at exit is printed to standard error")
    func aFailureToSaveAtExitIsPrintedToStandardError() async throws {
        let result = await #expect(
            processExitsWith: .exitCode(7),
            observing: [\.standardErrorContent]
        ) {
            let repository = LoggedRepository(1)
            let object = PersistentObject(repository)
            // The stream is not read when the program exits.
            let stream = object.problems
            object.reset(to: 2)
            repository.fail("save", with: LoggedRepository.Fault(description: "no room"))
            withExtendedLifetime((object, stream)) { exit(7) }
        }
        let errors = try #require(result).standardErrorContent
        let line = "preferences: logged: no room; the object was not saved, and its unsaved value is lost\n"
        #expect(String(decoding: errors, as: UTF8.self).contains(line))
    }

    /// Prints each save on standard error.
    private struct PrintingRepository: PersistentObjectRepository {
        func load() -> Int? { nil }
        func save(_ value: Int?) { StandardError.writeLine("saved \(value ?? -1)") }
    }

    @Test("A program that exits in an update saves the value before that update")
    func exitInUpdate() async throws {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent]) {
            let object = PersistentObject(PrintingRepository())
            object.update { $0 = 1 }
            object.update { value in
                value = 2
                exit(0)
            }
        }
        let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(errors == "saved 1\n")
    }

    @Test("An object that is released in a transaction or a hook of its preferences is saved after that")
    func releasedWhileWriting() throws {
        let preferences = Preferences.inMemory()
        var object: PersistentObject<Int>? = PersistentObject(named: "first", in: preferences)
        object?.reset(to: 1)
        try preferences.transaction { preferences in
            object = nil
            preferences.set(named: "other", to: 1)
        }
        #expect(preferences["first"] == 1)

        let second = Locked<PersistentObject<Int>?>(PersistentObject(named: "second", in: preferences))
        second.withLock { $0 }?.update { $0 = 2 }
        let hook = preferences.didCommit { _ in
            let released = second.withLock { $0.take() }
            withExtendedLifetime(released) {}
        }
        preferences.set(named: "other", to: 2)
        hook.cancel()
        #expect(preferences["second"] == 2)
    }

    /// Records the limit of the wait for a file's lock at each save.
    private struct RecordingRepository: PersistentObjectRepository {
        let limits = Recorder<Duration?>()

        func load() -> Int? { nil }
        func save(_ value: Int?) { limits.add(FileLockWait.limit) }
    }

    @Test("An object that is released waits for a file's lock as long as a store that is released")
    func waitsOfReleasedObjects() throws {
        let repository = RecordingRepository()
        do {
            let object = PersistentObject(repository)
            object.reset(to: 1)
            try object.save()
            object.reset(to: 2)
        }
        #expect(repository.limits.all == [nil, .seconds(5)])
        FileLockWait.$limit.withValue(.seconds(5)) {
            #expect(FileLockWait(timeout: .seconds(10)).timeout == .seconds(5))
            #expect(FileLockWait(timeout: .seconds(1)).timeout == .seconds(1))
        }
    }

    @Test("Saving at exit does not wait forever")
    func savingAtExitDoesNotWaitForever() async throws {
        let result = await #expect(
            processExitsWith: .exitCode(7),
            observing: [\.standardErrorContent]
        ) {
            struct Stuck: PersistentObjectRepository {
                func load() -> Int? { nil }
                func save(_ value: Int?) { DispatchSemaphore(value: 0).wait() }
            }
            let object = PersistentObject(Stuck())
            object.reset(to: 2)
            withExtendedLifetime(object) { exit(7) }
        }
        let errors = try #require(result).standardErrorContent
        let line =
            "preferences: Stuck: saving takes longer than 5 s, perhaps because another process holds the lock; "
            + "the unsaved value is lost if the program ends now\n"
        #expect(String(decoding: errors, as: UTF8.self).contains(line))
    }

    @Test("A blocked object does not keep other objects from being saved at exit")
    func aBlockedObjectDoesNotKeepOtherObjectsFromBeingSavedAtExit() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                struct Stuck: PersistentObjectRepository {
                    func load() -> Int? { nil }
                    func save(_ value: Int?) { DispatchSemaphore(value: 0).wait() }
                }
                let stuck = (0..<3).map { _ in PersistentObject(Stuck()) }
                for object in stuck { object.reset(to: 1) }
                let object = PersistentObject<Int>(file: URL(filePath: path))
                object.reset(to: 2)
                withExtendedLifetime((stuck, object)) { exit(7) }
            }
            let text = try url.text()
            #expect(text == "2\n")
        }
    }

    @Test("A forked process leaves its parent's unsaved changes to the parent")
    func aForkedProcessLeavesItsParentsUnsavedChangesToTheParent() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                let object = PersistentObject<Int>(file: URL(filePath: path))
                object.reset(to: 2)
                let child = try ForkedProcess { exit(0) }
                #expect(child.waitForEnd() == 0)
                let isSaved = FileManager.default.fileExists(atPath: path)
                #expect(!isSaved)
                withExtendedLifetime(object) { exit(7) }
            }
            let text = try url.text()
            #expect(text == "2\n")
        }
    }

    @Test("A forked process saves its own changes")
    func aForkedProcessSavesItsOwnChanges() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                // The parent must have objects, too.
                let other = PersistentObject<Int>(named: "other", in: MemoryStore())
                let child = try ForkedProcess {
                    let object = PersistentObject<Int>(file: URL(filePath: path))
                    object.reset(to: 2)
                    withExtendedLifetime(object) { exit(0) }
                }
                #expect(child.waitForEnd() == 0)
                withExtendedLifetime(other) { exit(7) }
            }
            let text = try url.text()
            #expect(text == "2\n")
        }
    }

    @Test("A released object is not saved at exit")
    func aReleasedObjectIsNotSavedAtExit() {
        weak var gone: PersistentObjectEngine<Int>?
        do {
            let object = PersistentObject(LoggedRepository(1))
            object.watch { _ in }
            object.reset(to: 2)
            gone = object.engine
        }
        #expect(gone == nil)
    }
}
