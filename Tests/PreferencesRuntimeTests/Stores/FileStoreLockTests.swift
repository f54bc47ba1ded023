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
    /// - Parameter body: The closure to run. Its argument releases the lock.
    private func withLock(_ url: URL, _ body: (_ unlock: () -> Void) async throws -> Void) async throws {
        let path = FilePath(url.filePath).lockPath
        let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        defer { close(descriptor) }
        try await body { flock(descriptor, LOCK_UN) }
    }

    private func message(_ url: URL, _ limit: String) -> String {
        "another process holds the lock \(FilePath(url.filePath).lockPath), which was not released within \(limit): try again, "
            + "or find the process with fuser(1), and resume or end it"
    }

    @Test("Writing fails with storeBusy if the lock is not free within the limit, and changes nothing")
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

    @Test("Edits that cannot be written while the lock is held are reported, read, and written when the lock is free")
    func pendingEditsAreWrittenWhenTheLockIsFree() async throws {
        try await withFile { url in
            try await withLock(url) { unlock in
                let store = FileStore(
                    url: url,
                    durability: .coalesced(milliseconds: 0),
                    lockTimeout: .milliseconds(1)
                )
                let changes = StoreChanges(of: store)
                let file = FileObserver(url)
                try store.apply(["a": .set(1)])
                let cause = PreferenceProblem(.storeBusy, store: url.filePath, message: message(url, "0.001 seconds"))
                let problem = PreferenceProblem(pendingNames: ["a"], because: cause, isLost: false)
                await changes.wait { changes.soFar.contains(.problem(problem)) }
                #expect(throws: cause) { try store.flush() }
                #expect(try store.value(for: "a") == 1)
                unlock()
                await file.wait { (try? url.text()) == "{\n  \"a\": 1\n}\n" }
            }
        }
    }

    @Test("A store that is released while the lock is held reports the names of the lost edits")
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
                let problem = PreferenceProblem(pendingNames: ["a"], because: cause, isLost: true)
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

    @Test("The limit of a wait begins when the wait is created, and includes waiting for another thread")
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
                    // The remaining descriptor is the one that held the lock.
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
                // Waits until the child waits for the lock.
                _ = turn.fileHandleForReading.readData(ofLength: 1)
                flock(descriptor, LOCK_UN)
                #expect(child.waitForEnd() == 0)
                exit(7)
            }
        }
    }

    @Test("At the program's end, a locked file does not prevent writing other files")
    func aFileThatIsNotFreeDoesNotKeepOthersFromBeingWritten() async throws {
        try await withTemporaryDirectory { folder in
            let urls = ["held", "free"].map { folder.appending(component: "\($0).json") }
            let stores = urls.map { FileStore.patient($0) }
            for store in stores { try store.apply(["a": .set(1)]) }
            let engines = try stores.map { try #require($0.backend as? FileStoreEngine) }
            let isHeld = DispatchSemaphore(value: 0)
            let mayGoOn = DispatchSemaphore(value: 0)
            // A thread holds the lock, because a wait for another process has a limit, which a busy machine may reach.
            Thread {
                engines[0].writing.withLock {
                    isHeld.signal()
                    mayGoOn.wait()
                }
            }.start()
            onAnotherThread { isHeld.wait() }
            let free = FileObserver(urls[1])
            let ending = OwnThread { FileStoreEngine.end(engines, until: .distantFuture) }
            await free.wait { (try? urls[1].text()) == "{\n  \"a\": 1\n}\n" }
            mayGoOn.signal()
            try await ending.result
            #expect(try urls[0].text() == "{\n  \"a\": 1\n}\n")
        }
    }

    @Test("A store that is created while another store of the file is released keeps its pending edits")
    func aStoreThatIsCreatedWhileAnotherIsReleasedKeepsItsPendingEdits() async throws {
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
                // The first store waits for this lock before its last write.
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
                let problem = PreferenceProblem(pendingNames: ["a"], because: cause, isLost: false)
                #expect(changes.soFar.first { $0 != .problem(problem) } == nil)
                #expect(try second.value(for: "a") == 1)
                let file = FileObserver(url)
                unlock()
                await file.wait { (try? url.text()) == "{\n  \"a\": 1\n}\n" }
            }
        }
    }

    @Test("Locked files do not prevent writing another file")
    func manyLocks() async throws {
        try await withTemporaryDirectory { folder in
            // More files than a global queue has threads.
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
            let file = FileObserver(url)
            let store = FileStore(url: url, durability: .coalesced(milliseconds: 1))
            try store.apply(["a": .set(1)])
            await file.wait { (try? url.text()) == "{\n  \"a\": 1\n}\n" }
            for lock in locks { close(lock) }
            withExtendedLifetime((store, stores)) {}
        }
    }
}
