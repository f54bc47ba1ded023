@testable import PreferencesObjects
@testable import PreferencesSystem

#if os(Linux)
    import Foundation
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import PreferencesRuntime

    /// Stores of an app that enters the background. Each test runs in its own process, since it suspends all stores.
    struct StoreSuspensionTests {
        private static func post(_ name: String) {
            NotificationCenter.default.post(name: .init(name), object: nil)
        }

        @Test("An app that enters the background writes pending changes, and holds no lock until it returns")
        func anAppInTheBackgroundHasWrittenAndHoldsNoLock() async {
            await #expect(processExitsWith: .success) {
                try await withFile { url in
                    StoreSuspension.isAutomatic = true
                    let store = FileStore(url: url, durability: .coalesced(milliseconds: 3_600_000))
                    let immediate = FileStore(url: url, durability: .immediate)
                    let problem = PreferenceProblem(suspendedStore: url.filePath)
                    for (number, name) in AppLifecycle.suspending.enumerated() {
                        try store.apply(["a": .set(.int(Int64(number)))])
                        Self.post(name)
                        let text = "{\n  \"a\": \(number)\n}\n"
                        #expect(try url.text() == text)
                        #expect(StoreSuspension.isSuspended)
                        // A new value is readable, and pending.
                        try store.apply(["a": .set(100)])
                        #expect(try store.value(for: "a") == 100)
                        #expect(throws: problem) { try store.flush() }
                        #expect(throws: problem) { try immediate.apply(["b": .set(1)]) }
                        #expect(throws: problem) { try immediate.update { _ in ["b": .set(1)] } }
                        #expect(try url.text() == text)
                        #expect(try ownLocks() == [])
                        Self.post(AppLifecycle.resuming[number])
                        #expect(!StoreSuspension.isSuspended)
                        try store.flush()
                        #expect(try url.text() == "{\n  \"a\": 100\n}\n")
                        try immediate.apply(["b": .set(1)])
                        try immediate.apply(["b": .remove])
                    }
                }
            }
        }

        @Test("Changes made in the background are written when the app returns")
        func changesInTheBackgroundAreWrittenOnReturn() async {
            await #expect(processExitsWith: .success) {
                try await withFile { url in
                    let store = FileStore(url: url)
                    try store.apply(["a": .set(1)])
                    StoreSuspension.suspend()
                    try store.apply(["a": .set(2)])
                    let changes = StoreChanges(of: store)
                    let file = FileObserver(url)
                    StoreSuspension.resume()
                    await file.wait { (try? url.text()) == "{\n  \"a\": 2\n}\n" }
                    // No pending changes were reported.
                    #expect(changes.soFar == [])
                }
            }
        }

        @Test("Changes made in the background are written when the app returns, even if the store was released")
        func changesOfAReleasedStoreAreWritten() async {
            await #expect(processExitsWith: .success) {
                try await withFile { url in
                    StoreSuspension.suspend()
                    var store: FileStore? = FileStore(url: url)
                    try store?.apply(["a": .set(1)])
                    store = nil
                    #expect(!FileManager.default.fileExists(atPath: url.filePath))
                    let file = FileObserver(url)
                    StoreSuspension.resume()
                    await file.wait { (try? url.text()) == "{\n  \"a\": 1\n}\n" }
                }
            }
        }

        @Test("A program that exits in the background writes its changes")
        func aProgramThatExitsInTheBackgroundWrites() async throws {
            try await withFile { url in
                await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                    StoreSuspension.suspend()
                    let store = FileStore(url: URL(filePath: path))
                    try store.apply(["a": .set(1)])
                    withExtendedLifetime(store) { exit(7) }
                }
                let text = try url.text()
                #expect(text == "{\n  \"a\": 1\n}\n")
            }
        }

        @Test("Suspending waits for a transaction that has begun")
        func suspendingWaitsForATransaction() async {
            await #expect(processExitsWith: .success) {
                try await withFile { url in
                    let store = FileStore(url: url, durability: .immediate)
                    let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                    Thread {
                        #expect(throws: Never.self) {
                            try store.update { _ in
                                hasBegun.signal()
                                mayEnd.wait()
                                return ["a": .set(1)]
                            }
                        }
                    }.start()
                    onAnotherThread { hasBegun.wait() }
                    let suspending = OwnThread { StoreSuspension.suspend(until: .distantFuture) }
                    while !StoreSuspension.isSuspended { sched_yield() }
                    #expect(try ownLocks().count == 1)
                    mayEnd.signal()
                    try await suspending.result
                    #expect(try ownLocks() == [])
                    #expect(try url.text() == "{\n  \"a\": 1\n}\n")
                }
            }
        }

        @Test("A transaction that outlasts the deadline is reported, and still commits")
        func aTransactionThatLastsTooLongIsReported() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try await withFile { url in
                    let store = FileStore(url: url, durability: .immediate)
                    let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                    let updating = OwnThread {
                        try? store.update { _ in
                            hasBegun.signal()
                            mayEnd.wait()
                            return ["a": .set(1)]
                        }
                    }
                    onAnotherThread { hasBegun.wait() }
                    StoreSuspension.suspend(until: .now())
                    #expect(StoreSuspension.isSuspended)
                    #expect(try ownLocks().count == 1)
                    mayEnd.signal()
                    try await updating.result
                    #expect(try url.text() == "{\n  \"a\": 1\n}\n")
                    #expect(try ownLocks() == [])
                }
            }
            let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(errors.contains("a write or a transaction had not ended when the app entered the background: "))
        }

        @Test("A write that waits for another process fails, and does not acquire the lock later")
        func aWriteThatWaitsForAnotherProcessFails() async {
            await #expect(processExitsWith: .success) {
                try await withFile { url in
                    StoreSuspension.isAutomatic = true
                    let lock = open(FilePath(url.filePath).lockPath, O_RDWR | O_CREAT, 0o600)
                    #expect(flock(lock, LOCK_EX) == 0)
                    let store = FileStore(url: url, durability: .immediate, lockTimeout: .seconds(3_600))
                    let writing = OwnThread { Result { try store.apply(["a": .set(1)]) } }
                    while !LockGate.shared.isInUse { sched_yield() }
                    StoreSuspension.suspend()
                    let result = try await writing.result
                    #expect(throws: PreferenceProblem(suspendedStore: url.filePath)) { try result.get() }
                    close(lock)
                    #expect(try ownLocks() == [])
                }
            }
        }

        @Test("A transaction that suspends stores finishes, and other stores do not wait for it")
        func aTransactionThatSuspendsStoresFinishes() async {
            await #expect(processExitsWith: .success) {
                try await withFile { url in
                    let store = FileStore(url: url, durability: .immediate)
                    try store.update { _ in
                        StoreSuspension.suspend()
                        #expect(StoreSuspension.isSuspended)
                        return ["a": .set(1)]
                    }
                    #expect(try url.text() == "{\n  \"a\": 1\n}\n")
                    #expect(try ownLocks() == [])
                }
            }
        }

        @Test("Stores are not suspended if 'isAutomatic' is false")
        func storesAreNotSuspended() async {
            await #expect(processExitsWith: .success) {
                try await withFile { url in
                    StoreSuspension.isAutomatic = false
                    let store = FileStore(url: url, durability: .immediate)
                    for name in AppLifecycle.suspending { Self.post(name) }
                    #expect(!StoreSuspension.isSuspended)
                    try store.apply(["a": .set(1)])
                }
            }
        }

        @Test("A program that SIGTERM terminates in the background saves its objects")
        func objectsAreSavedOnTermination() async throws {
            try await withFile { url async throws in
                await #expect(processExitsWith: .signal(SIGTERM)) { [path = url.filePath as String] in
                    PersistentObjects.saveOnTermination()
                    let store = FileStore(url: URL(filePath: path), durability: .immediate)
                    let object = PersistentObject<Int>(named: "object", in: store)
                    StoreSuspension.suspend()
                    object.reset(to: 5)
                    kill(getpid(), SIGTERM)
                    while true { pause() }
                }
                #expect(try url.text() == "{\n  \"object\": 5\n}\n")
            }
        }

        @Test("Objects are saved before the stores are suspended")
        func objectsAreSavedBeforeTheStoresAreSuspended() async {
            await #expect(processExitsWith: .success) {
                try await withFile { url async throws in
                    StoreSuspension.isAutomatic = true
                    let object = PersistentObject<Int>(named: "object", in: FileStore(url: url, durability: .immediate))
                    object.reset(to: 5)
                    Self.post(AppLifecycle.suspending[0])
                    #expect(try url.text() == "{\n  \"object\": 5\n}\n")
                    withExtendedLifetime(object) {}
                }
            }
        }
    }
#endif
