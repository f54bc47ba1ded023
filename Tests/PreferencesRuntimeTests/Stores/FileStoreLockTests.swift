import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Another process holds the lock of a store's file.
struct FileStoreLockTests {
    /// Runs a body while the lock of a file is held, as by another process.
    ///
    /// - Parameter body: Is given a closure that releases the lock.
    private func withLock(_ url: URL, _ body: (_ unlock: () -> Void) async throws -> Void) async throws {
        let path = FilePath(url.filePath).lockPath
        let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        defer { close(descriptor) }
        try await body { flock(descriptor, LOCK_UN) }
    }

    private func message(_ url: URL, _ limit: String) -> String {
        "another process holds the lock \(FilePath(url.filePath).lockPath), which was not free within \(limit): try again, "
            + "or find the process by fuser(1), and continue or end it"
    }

    @Test("Writing fails with storeBusy where the lock is not free within the limit, and changes nothing")
    func writingFailsWhereTheLockIsNotFree() async throws {
        try await withFile { url in
            try await withLock(url) { unlock in
                let store = FileStore(url: url, durability: .immediate, lockTimeout: .milliseconds(1))
                let problem = PreferenceProblem(.storeBusy, store: url.filePath, message: message(url, "0.001 seconds"))
                #expect(throws: problem) { try store.apply(["a": .set(1)]) }
                #expect(throws: problem) {
                    try store.update { _ in
                        Issue.record("the closure ran")
                        return ["a": .set(1)]
                    }
                }
                #expect(try store.value(for: "a") == nil)
                unlock()
                try store.apply(["a": .set(2)])
                #expect(try url.text() == "{\n  \"a\": 2\n}\n")
            }
        }
    }

    @Test("With a limit of zero, writing does not wait", arguments: [Duration.zero, .seconds(-1)])
    func aLimitOfZeroDoesNotWait(limit: Duration) async throws {
        try await withFile { url in
            try await withLock(url) { _ in
                let store = FileStore(url: url, durability: .immediate, lockTimeout: limit)
                let problem = PreferenceProblem(.storeBusy, store: url.filePath, message: message(url, "0.0 seconds"))
                #expect(throws: problem) { try store.apply(["a": .set(1)]) }
            }
        }
    }

    @Test("What cannot be written as the lock is held is reported, read, and written when the lock is free")
    func pendingEditsAreWrittenWhenTheLockIsFree() async throws {
        try await withFile { url in
            try await withLock(url) { unlock in
                let store = FileStore(
                    url: url,
                    durability: .coalesced(milliseconds: 0),
                    lockTimeout: .milliseconds(1)
                )
                let changes = StoreChanges(of: store)
                let file = FileLook(url)
                try store.apply(["a": .set(1)])
                let cause = PreferenceProblem(.storeBusy, store: url.filePath, message: message(url, "0.001 seconds"))
                let problem = PreferenceProblem(unwritten: ["a"], because: cause, isLost: false)
                await changes.wait { changes.soFar.contains(.problem(problem)) }
                #expect(throws: cause) { try store.flush() }
                #expect(try store.value(for: "a") == 1)
                unlock()
                await file.wait { (try? url.text()) == "{\n  \"a\": 1\n}\n" }
            }
        }
    }

    @Test("A store that is released while the lock is held reports by name what is lost")
    func aStoreThatIsReleasedReportsWhatIsLost() async throws {
        try await withFile { url in
            try await withLock(url) { _ in
                var store: FileStore? = FileStore(
                    url: url,
                    durability: .coalesced(milliseconds: 3_600_000),
                    lockTimeout: .milliseconds(1),
                    watching: .fake()
                )
                let seen = Recorder<PreferenceStoreChange>()
                let observation = store?.observe { seen.add($0) }
                try store?.apply(["a": .set(1)])
                store = nil
                let cause = PreferenceProblem(.storeBusy, store: url.filePath, message: message(url, "0.001 seconds"))
                let problem = PreferenceProblem(unwritten: ["a"], because: cause, isLost: true)
                #expect(seen.all == [.names(["a"]), .problem(problem)])
                observation?.cancel()
            }
        }
    }

    @Test("A wait that is cancelled ends, whatever its limit")
    func aWaitThatIsCancelledEnds() async throws {
        try await withFile { url in
            try await withLock(url) { _ in
                let path = FilePath(url.filePath).lockPath
                let error = #expect(throws: SystemError.self) {
                    let wait = FileLockWait(timeout: .seconds(Int64.max), isCancelled: { true })
                    _ = try FileLock(path, wait: wait)
                }
                #expect(error?.isLockTimeout == true)
            }
        }
    }

    @Test("The limit of a wait counts from when the wait is made, so that waiting for another thread counts as well")
    func theLimitCountsFromWhenTheWaitIsMade() {
        let wait = FileLockWait(timeout: .seconds(10))
        let deadline = wait.deadline
        #expect(wait.deadline == deadline)
    }

    @Test("A wait whose limit has passed gets a lock that is free")
    func aWaitWhoseLimitHasPassedGetsAFreeLock() async throws {
        try await withFile { url in
            let path = FilePath(url.filePath).lockPath
            let lock = try FileLock(path, wait: FileLockWait(timeout: .zero))
            #expect(try FileLock.isHeldByThisThread(path))
            _ = consume lock
        }
    }

    @Test("However many waits give up, they leave one thread, and the next wait gets the lock")
    func waitsThatGiveUpLeaveOneThread() async throws {
        try await withFile { url in
            try await withLock(url) { unlock in
                let path = FilePath(url.filePath).lockPath
                for _ in 0..<20 {
                    #expect(throws: SystemError.self) {
                        _ = try FileLock(path, wait: FileLockWait(timeout: .milliseconds(1)))
                    }
                }
                let identity = try #require(try FileIdentity.current(path))
                #expect(LockableFile.abandonedCount(of: identity) == 1)
                unlock()
                let lock = try FileLock(path, wait: .patient)
                #expect(try FileLock.isHeldByThisThread(path))
                _ = consume lock
            }
        }
    }

    #if os(Linux)
        @Test("A wait that was given up closes its file when the lock is free")
        func aWaitThatWasGivenUpClosesItsFile() async throws {
            try await withFile { url in
                try await withLock(url) { unlock in
                    let path = FilePath(url.filePath).lockPath
                    #expect(throws: SystemError.self) {
                        _ = try FileLock(path, wait: FileLockWait(timeout: .milliseconds(1)))
                    }
                    let identity = try #require(try FileIdentity.current(path))
                    func descriptorCount() throws -> Int {
                        try URL(filePath: "/proc/self/fd").contentsOfFolder().count {
                            (try? FileIdentity.current("/proc/self/fd/\($0)")) == identity
                        }
                    }
                    unlock()
                    // The one that is left is that which has held the lock.
                    while try descriptorCount() > 1 { await Task.yield() }
                }
            }
        }
    #endif

    @Test("A forked process waits itself for a lock that its parent has given up waiting for")
    func aForkedProcessWaitsItself() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = FilePath(url.filePath).lockPath as String] in
                let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
                try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
                #expect(throws: SystemError.self) {
                    _ = try FileLock(path, wait: FileLockWait(timeout: .milliseconds(1)))
                }
                let turn = Pipe()
                let child = try ForkedProcess {
                    let wait = FileLockWait(timeout: .seconds(60)) {
                        turn.fileHandleForWriting.write(Data([0]))
                        return false
                    }
                    do { _ = try FileLock(path, wait: wait) } catch { _exit(3) }
                }
                // Once it is waiting.
                _ = turn.fileHandleForReading.readData(ofLength: 1)
                flock(descriptor, LOCK_UN)
                #expect(child.waitForEnd() == 0)
                exit(7)
            }
        }
    }

    @Test("At the program's end, a file that is not free does not keep others from being written")
    func aFileThatIsNotFreeDoesNotKeepOthersFromBeingWritten() async throws {
        try await withTemporaryDirectory { folder in
            let urls = ["held", "free"].map { folder.appending(component: "\($0).json") }
            let stores = urls.map { FileStore.patient($0) }
            for store in stores { try store.apply(["a": .set(1)]) }
            let engines = try stores.map { try #require($0.backend as? FileStoreEngine) }
            let isHeld = DispatchSemaphore(value: 0)
            let mayGoOn = DispatchSemaphore(value: 0)
            // By another thread, as the wait for another process has a limit, which a busy machine reaches.
            Thread {
                engines[0].writing.withLock {
                    isHeld.signal()
                    mayGoOn.wait()
                }
            }.start()
            onAnotherThread { isHeld.wait() }
            let free = FileLook(urls[1])
            async let end: Void = onOwnThread { FileStoreEngine.end(engines, until: .distantFuture) }
            await free.wait { (try? urls[1].text()) == "{\n  \"a\": 1\n}\n" }
            mayGoOn.signal()
            try await end
            #expect(try urls[0].text() == "{\n  \"a\": 1\n}\n")
        }
    }

    @Test("A store that is made while another one of the file ends keeps what could not be written")
    func aStoreThatIsMadeWhileAnotherEndsKeepsWhatCouldNotBeWritten() async throws {
        try await withFile { url in
            try await withLock(url) { unlock in
                func makeStore() -> FileStore {
                    FileStore(
                        url: url,
                        durability: .coalesced(milliseconds: 3_600_000),
                        lockTimeout: .milliseconds(1),
                        watching: .fake()
                    )
                }
                let first = Locked<FileStore?>(makeStore())
                try first.withLock { $0 }?.apply(["a": .set(1)])
                let engine = try #require(first.withLock { $0 }?.backend as? FileStoreEngine)
                let isReleased = DispatchSemaphore(value: 0)
                // The first one waits for that before it writes for the last time.
                let (second, changes) = engine.writing.withLock {
                    Thread {
                        let store = first.withLock { $0.take() }
                        _ = consume store
                        isReleased.signal()
                    }.start()
                    while !engine.isEnding { sched_yield() }
                    let second = makeStore()
                    return (second, StoreChanges(of: second))
                }
                onAnotherThread { isReleased.wait() }
                let cause = PreferenceProblem(.storeBusy, store: url.filePath, message: message(url, "0.001 seconds"))
                let problem = PreferenceProblem(unwritten: ["a"], because: cause, isLost: false)
                #expect(changes.soFar.first { $0 != .problem(problem) } == nil)
                #expect(try second.value(for: "a") == 1)
                let file = FileLook(url)
                unlock()
                await file.wait { (try? url.text()) == "{\n  \"a\": 1\n}\n" }
            }
        }
    }

    @Test("Files whose locks are held do not keep another file from being written")
    func manyLocks() async throws {
        try await withTemporaryDirectory { folder in
            // More than the threads of a global queue.
            let urls = (0..<100).map { folder.appending(component: "\($0).json") }
            let locks = try urls.map { url in
                let descriptor = open(FilePath(url.filePath).lockPath, O_RDWR | O_CREAT, 0o600)
                try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
                return descriptor
            }
            let stores = urls.map {
                FileStore(url: $0, durability: .coalesced(milliseconds: 0), lockTimeout: .seconds(3_600))
            }
            for store in stores { try store.apply(["a": .set(1)]) }
            let url = folder.appending(component: "free.json")
            let file = FileLook(url)
            let store = FileStore(url: url, durability: .coalesced(milliseconds: 1))
            try store.apply(["a": .set(1)])
            await file.wait { (try? url.text()) == "{\n  \"a\": 1\n}\n" }
            for lock in locks { close(lock) }
            withExtendedLifetime((store, stores)) {}
        }
    }
}
