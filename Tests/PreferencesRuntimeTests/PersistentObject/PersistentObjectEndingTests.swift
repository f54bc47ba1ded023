import Foundation
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem
import StoreTestSupport
@testable import PreferencesObjects

/// Unsaved changes when the program ends, in processes of their own.
struct PersistentObjectEndingTests {
    @Test(arguments: ["return", "exit"])
    func aProgramThatEndsByItselfHasSaved(_ end: String) async throws {
        try await withFile { url in
            let child = try await EndingChild(url, end: end)
            #expect(child.ending == .status(0))
            #expect(child.errors == "")
            #expect(try url.text() == "{\n  \"object\": 2\n}\n")
        }
    }

    @Test func aProgramThatIsTerminatedHasSavedWhereItAsksForThatAndDiesOfTheSignal() async throws {
        try await withFile { url in
            let child = try await EndingChild(url, end: "opt-in", signal: SIGTERM)
            #expect(child.ending == .signal(SIGTERM))
            #expect(child.errors == "")
            #expect(try url.text() == "{\n  \"object\": 2\n}\n")
        }
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func otherwiseTheUnsavedIsLostAndNothingElse(_ signal: Int32) async throws {
        try await withFile { url in
            let child = try await EndingChild(url, end: "wait", signal: signal)
            #expect(child.ending == .signal(signal))
            #expect(try url.text() == "{\n  \"object\": 1\n}\n")
        }
    }

    @Test func killingLosesTheUnsavedAlsoWhereTerminationSaves() async throws {
        try await withFile { url in
            let child = try await EndingChild(url, end: "opt-in", signal: SIGKILL)
            #expect(child.ending == .signal(SIGKILL))
            #expect(try url.text() == "{\n  \"object\": 1\n}\n")
        }
    }

    @Test func whatCannotBeSavedAtTheEndIsOnStandardError() async throws {
        let result = await #expect(
            processExitsWith: .exitCode(7),
            observing: [\.standardErrorContent]
        ) {
            let repository = LoggedRepository(1)
            let object = PersistentObject(repository)
            // Nobody reads it any more by then.
            let stream = object.problems
            object.reset(to: 2)
            repository.fail("save", with: LoggedRepository.Fault(description: "no room"))
            withExtendedLifetime((object, stream)) { exit(7) }
        }
        let errors = try #require(result).standardErrorContent
        let line = "preferences: logged: no room; the object was not saved, and what it was reset to is lost\n"
        #expect(String(decoding: errors, as: UTF8.self).contains(line))
    }

    /// Records the longest wait for a file's lock that it is saved with.
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

    @Test func theEndOfTheProgramDoesNotWaitForEver() async throws {
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
            + "what the object was reset to is lost if the program ends now\n"
        #expect(String(decoding: errors, as: UTF8.self).contains(line))
    }

    @Test func anObjectThatIsWaitedForInVainDoesNotKeepOthersFromBeingSaved() async throws {
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

    @Test func aForkedProcessLeavesItToItsParent() async throws {
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

    @Test func aForkedProcessSavesItsOwn() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                // Has the parent be one with objects.
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

    @Test func anObjectThatIsReleasedIsForgotten() {
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
