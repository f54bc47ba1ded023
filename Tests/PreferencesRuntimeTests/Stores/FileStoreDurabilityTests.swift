import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// The time when set values become durable.
struct FileStoreDurabilityTests {
    @Test("A set value is read at once and written later")
    func aSetValueIsReadAtOnceAndWrittenLater() async throws {
        try await withFile { url in
            let store = FileStore.patient(url)
            try store.apply(["a": .set(1), "b": .set(2)])
            try store.apply(["a": .remove])
            #expect(try store.value(for: "a") == nil)
            #expect(try store.value(for: "b") == 2)
            #expect(try store.names() == ["b"])
            #expect(try FileIdentity.current(url.filePath) == nil)
            try store.flush()
            #expect(try url.text() == "{\n  \"b\": 2\n}\n")
        }
    }

    @Test("Pending edits are written after a delay")
    func pendingEditsAreWrittenAfterADelay() async throws {
        try await withFile { url in
            let store = FileStore(url: url, durability: .coalesced(milliseconds: 1))
            let file = FileObserver(url)
            try store.apply(["a": .set(1)])
            await file.wait { (try? url.text()) == "{\n  \"a\": 1\n}\n" }
        }
    }

    @Test("An equal value that another process has written is not reported as durable")
    func aValueThatAnotherProcessHasWrittenIsNotReportedAsDurableBecauseItIsEqual() async throws {
        try await withFile { url in
            let engine = FileStoreEngine.shared(
                path: url.filePath,
                format: .json,
                contents: JSONFileContents<StrictJSON>.self,
                durability: .immediate,
                editingTime: 0.5,
                watching: FileWatcher.Mechanism()
            )
            func isDurable() throws -> Bool {
                _ = try engine.readFile(FileChanges())
                return engine.state.withLock { $0.file.lastGood?.isDurable } == true
            }
            try engine.apply(["a": .set(1)], by: nil, durability: .immediate, lockTimeout: .seconds(10))
            #expect(try isDurable())
            // Simulates a writer that is killed before it syncs the folder.
            let other = url.deletingLastPathComponent().appending(component: "other")
            try other.write("{\n  \"a\": 1\n}\n")
            #expect(rename(other.filePath, url.filePath) == 0)
            #expect(try !isDurable())
            // Setting an equal value syncs the file.
            try engine.apply(["a": .set(1)], by: nil, durability: .immediate, lockTimeout: .seconds(10))
            #expect(try isDurable())
            engine.release()
        }
    }

    @Test("Many sets cause one write")
    func manySetsCauseOneWrite() async throws {
        try await withFile { url in
            let store = FileStore.patient(url)
            try store.apply(["a": .set(0)])
            try store.flush()
            let identity = try FileIdentity.current(url.filePath)
            for number in Int64(1)...100 { try store.apply(["a": .set(.int(number))]) }
            #expect(try FileIdentity.current(url.filePath) == identity)
            try store.flush()
            #expect(try url.text() == "{\n  \"a\": 100\n}\n")
        }
    }

    @Test("Setting an equal value does not write")
    func settingAnEqualValueDoesNotWrite() async throws {
        try await withFile { url in
            let store = FileStore.patient(url)
            try store.apply(["a": .set(1)])
            try store.flush()
            let identity = try FileIdentity.current(url.filePath)
            try store.apply(["a": .set(1), "b": .remove])
            try store.flush()
            #expect(try FileIdentity.current(url.filePath) == identity)
        }
    }

    @Test("Setting back a value that another process has changed writes it")
    func settingBackAValueThatAnotherProcessHasChangedWritesIt() async throws {
        try await withFile { url in
            let store = FileStore.patient(url)
            try url.write("{\"a\": 1}")
            #expect(try store.value(for: "a") == 1)
            try url.write("{\"a\": 5}")
            try store.apply(["a": .set(1)])
            try store.flush()
            #expect(try url.text() == "{\"a\": 1}")
            try url.write("{\"a\": 1, \"b\": 2}")
            try store.apply(["b": .remove])
            try store.flush()
            #expect(try url.text() == "{\"a\": 1}")
        }
    }

    @Test(
        "A string that differs in Unicode normalization is a change",
        arguments: [FileStore.Durability.immediate, .coalesced(milliseconds: 3_600_000)],
        FileStore.Format.allCases
    )
    func aStringThatDiffersInUnicodeNormalizationIsAChange(
        durability: FileStore.Durability,
        format: FileStore.Format
    ) async throws {
        try await withFile { url in
            let store = FileStore(url: url, format: format, durability: durability)
            for text in ["caf\u{E9}", "cafe\u{301}", "caf\u{E9}"] {
                let value: PreferenceValue = ["paths": [.string(text)]]
                try store.apply(["a": .set(value)])
                try store.flush()
                let read = try FileStore(url: url, format: format).value(for: "a")
                #expect(read?.isIdentical(to: value) == true)
            }
        }
    }

    @Test("Continuous sets do not postpone the write")
    func continuousSetsDoNotPostponeTheWrite() throws {
        var pending = PendingEdits()
        let first = pending.schedule(at: 100, within: 50)?.number
        let second = pending.schedule(at: 100, within: 50)?.number
        let later = pending.schedule(at: 101, within: 50)?.number
        let earlier = pending.schedule(at: 50, within: 50)?.number
        #expect((first, second, later, earlier) == (1, nil, nil, 2))
        let begun = [1, 2, 2].map { pending.begin($0) }
        #expect(begun == [false, true, false])
        let next = pending.schedule(at: 200, within: 50)?.number
        #expect(next == 3)
    }

    @Test("A set reschedules the write if its delay is shorter, or the pacing has changed")
    func aSetReschedulesTheWrite() {
        var pending = PendingEdits()
        #expect(!pending.isScheduled(within: 50))
        pending.pacing.recordWrite(taking: .milliseconds(100), at: 1_000)
        _ = pending.schedule(at: 2_000, within: 50)
        #expect(
            pending.isScheduled(within: 50) && pending.isScheduled(within: 51) && !pending.isScheduled(within: 49)
        )
        // The planned write was postponed because an expensive one preceded it. After a cheap one, it is due at once.
        pending.pacing.recordWrite(taking: .zero, at: 3_000)
        #expect(!pending.isScheduled(within: 50))
        let earlier = pending.schedule(at: 4_000, within: 50)
        #expect(earlier?.time == 4_000)
        #expect(pending.isScheduled(within: 50))
        _ = pending.begin(2)
        #expect(!pending.isScheduled(within: 50))
    }

    @Test("Only the first set after a change of the pacing reschedules the write")
    func onlyTheFirstSetAfterAChangeOfThePacingReschedulesTheWrite() {
        var pending = PendingEdits()
        _ = pending.schedule(at: 1_000, within: 50)
        pending.pacing.recordWrite(taking: .milliseconds(1), at: 900)
        #expect(!pending.isScheduled(within: 50))
        #expect(pending.schedule(at: 1_100, within: 50) == nil)
        #expect(pending.isScheduled(within: 50) && !pending.isScheduled(within: 49))
        #expect(pending.schedule(at: 1_050, within: 40) == nil)
        #expect(pending.schedule(at: 2_000, within: 60) == nil)
        #expect(pending.isScheduled(within: 40) && !pending.isScheduled(within: 39))
    }

    @Test("The pause after a write is 20 times its cost, and 2 s at most")
    func thePauseAfterAWriteIsATwentyfoldOfItsCost() {
        let costs: [Duration] = [
            .milliseconds(-1), .zero, .microseconds(100), .milliseconds(20), .milliseconds(107), .seconds(60),
        ]
        let delays: [Duration] = [.zero, .zero, .milliseconds(2), .milliseconds(400), .seconds(2), .seconds(2)]
        #expect(costs.map { WritePacing.delay(afterWriteTaking: $0) } == delays)
    }

    @Test("A write that is scheduled soon after an expensive write is postponed")
    func aWriteSoonAfterAnExpensiveWriteIsPostponed() {
        var pending = PendingEdits()
        pending.pacing.recordWrite(taking: .milliseconds(20), at: 1_000)
        let first = pending.schedule(at: 2_000, within: 50)?.time
        #expect(first == 400_001_000)
        let begun = pending.begin(1)
        #expect(begun)
        let second = pending.schedule(at: 500_000_000, within: 50)?.time
        #expect(second == 500_000_000)
    }

    @Test("A store records the cost of its writes, and flushes without a pause")
    func aStoreRecordsTheCostOfItsWrites() async throws {
        try await withFile { url in
            let engine = FileStoreEngine.shared(
                path: url.filePath,
                format: .json,
                contents: JSONFileContents<StrictJSON>.self,
                durability: .immediate,
                editingTime: 0.5,
                watching: .fake()
            )
            defer { engine.release() }
            let store = FileStore.patient(url)
            try store.apply(["a": .set(1)])
            try store.flush()
            // Some processor time has passed, so that a write that is scheduled for now is postponed.
            let now = DispatchTime.now().uptimeNanoseconds
            #expect(engine.state.withLock { $0.pendingEdits.pacing.time(notBefore: 0) } > 0)
            engine.state.withLock { $0.pendingEdits.pacing.recordWrite(taking: .seconds(1), at: now) }
            try store.apply(["a": .set(2)])
            try store.flush()
            #expect(try url.text() == "{\n  \"a\": 2\n}\n")
        }
    }

    @Test("A store that is created while another store of the file is released reads and writes its pending edits")
    func aStoreThatIsCreatedWhileAnotherIsReleasedLosesNothing() async throws {
        try await withFile { url in
            let lock = open(FilePath(url.filePath).lockPath, O_RDWR | O_CREAT, 0o600)
            defer { close(lock) }
            try #require(flock(lock, LOCK_EX) == 0)
            let first = Locked<FileStore?>(.patient(url))
            try first.withLock { $0 }?.apply(["a": .set(1)])
            let engine = try #require(FileStoreEngine.all.first { $0.label == url.filePath })
            let isReleased = DispatchSemaphore(value: 0)
            Thread {
                let store = first.withLock { $0.take() }
                _ = consume store
                isReleased.signal()
            }.start()
            while !engine.isEnding { sched_yield() }
            let second = FileStore.patient(url)
            #expect(try second.value(for: "a") == 1)
            flock(lock, LOCK_UN)
            onAnotherThread { isReleased.wait() }
            try second.flush()
            #expect(try url.text() == "{\n  \"a\": 1\n}\n")
        }
    }

    @Test("A setter does not wait for a process that has locked the file")
    func aSetterDoesNotWaitForAProcessThatHasLockedTheFile() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let store = FileStore.patient(url)
            try store.apply(["a": .set(1)])
            try store.flush()
            let (isLocked, isSet, isUpdated) = (
                DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
            )
            Thread {
                let lock = try? FileLock(FilePath(url.filePath).lockPath, wait: .patient)
                isLocked.signal()
                isSet.wait()
                _ = consume lock
            }.start()
            isLocked.wait()
            Thread {
                #expect(throws: Never.self) { try store.update { _ in ["b": .set(2)] } }
                isUpdated.signal()
            }.start()
            for number in Int64(1)...100 { try store.apply(["a": .set(.int(number))]) }
            isSet.signal()
            isUpdated.wait()
            let values = [try store.value(for: "a"), try store.value(for: "b")]
            #expect(values == [100, 2])
        }
    }

    @Test(
        "An entry that is removed from a deleted file does not come back",
        arguments: [FileStore.Durability.immediate, .coalesced(milliseconds: 3_600_000)]
    )
    func anEntryThatIsRemovedFromADeletedFileDoesNotComeBack(durability: FileStore.Durability) async throws {
        try await withFile { url in
            let store = FileStore(url: url, durability: durability)
            try store.apply(["a": .set(1), "b": .set(1)])
            try store.flush()
            try FileManager.default.removeItem(at: url)
            try store.apply(["a": .remove])
            try store.flush()
            #expect(try store.names() == [])
            #expect(try FileIdentity.current(url.filePath) == nil)
        }
    }

    @Test("Removing from a missing file does not create it")
    func removingFromAMissingFileDoesNotCreateIt() async throws {
        try await withFile { url in
            let store = FileStore.patient(url)
            try store.apply(["a": .remove])
            try store.flush()
            #expect(try FileIdentity.current(url.filePath) == nil)
        }
    }

    @Test("An update writes at once, together with pending edits")
    func anUpdateWritesAtOnceTogetherWithPendingEdits() async throws {
        try await withFile { url in
            let store = FileStore.patient(url)
            try store.apply(["a": .set(1)])
            try store.update { current in
                let value = try current("a")
                #expect(value == 1)
                return ["b": .set(2)]
            }
            #expect(try url.text() == "{\n  \"a\": 1,\n  \"b\": 2\n}\n")
        }
    }

    @Test("Entries that another process has written are kept")
    func entriesThatAnotherProcessHasWrittenAreKept() async throws {
        try await withFile { url in
            let store = FileStore.patient(url)
            try store.apply(["a": .set(1), "b": .set(1)])
            try url.write("{\"b\": 2, \"c\": 2}")
            try store.reload()
            #expect(try store.names() == ["a", "b", "c"])
            #expect(try store.value(for: "b") == 1)
            try store.flush()
            #expect(try url.text() == "{\"a\": 1, \"b\": 1, \"c\": 2}")
        }
    }

    @Test("Observers are notified once, by the set")
    func observersAreNotifiedOnceByTheSet() async throws {
        try await withFile { url in
            let store = FileStore(
                url: url,
                durability: .coalesced(milliseconds: 3_600_000),
                editingTime: 0,
                watching: .fake()
            )
            let changes = StoreChanges(of: store)
            try store.apply(["a": .set(1), "b": .set(1)])
            try store.apply(["a": .set(2), "b": .set(1)])
            try store.flush()
            #expect(changes.soFar == [.names(["a", "b"]), .names(["a"])])
        }
    }

    @Test("A value without a representation is rejected at once")
    func aValueWithoutARepresentationIsRejectedAtOnce() async throws {
        try await withFile { url in
            let store = FileStore.patient(url)
            let deep = (0..<200).reduce(PreferenceValue.int(1)) { value, _ in [value] }
            let message = "the value is nested more than 128 levels deep"
            let problem = PreferenceProblem(.unsupportedValue, key: "a", store: url.filePath, message: message)
            #expect(throws: problem) { try store.apply(["a": .set(deep), "b": .set(1)]) }
            let names = try store.names()
            #expect(names == [])
        }
    }

    // MARK: - Stores of one file

    @Test("Another store of the process reads pending edits")
    func anotherStoreOfTheProcessReadsPendingEdits() async throws {
        try await withFile { url in
            let store = FileStore.patient(url)
            try store.apply(["a": .set(1)])
            let other = FileStore.patient(url)
            #expect(try other.value(for: "a") == 1)
            try store.apply(["a": .set(2)])
            #expect(try other.value(for: "a") == 2)
            withExtendedLifetime(store) {}
        }
    }

    @Test("Another store's update begins from pending edits")
    func anotherStoresUpdateBeginsFromPendingEdits() async throws {
        try await withFile { url in
            let store = FileStore.patient(url)
            try store.apply(["a": .set(1)])
            try FileStore.patient(url).update { current in
                let value = try current("a")
                #expect(value == 1)
                return ["a": .set(2)]
            }
            #expect(try store.value(for: "a") == 2)
            #expect(try url.text() == "{\n  \"a\": 2\n}\n")
        }
    }

    @Test("Two paths to a folder that was missing are one file")
    func twoPathsToAFolderThatWasMissingAreOneFile() throws {
        try withTemporaryDirectory { folder in
            let link = folder.appending(component: "link")
            let parent = folder.appending(component: "parent")
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: parent)
            let store = FileStore.patient(parent.appending(components: "app", "preferences.json"))
            let other = FileStore.patient(link.appending(components: "app", "preferences.json"))
            #expect(try other.value(for: "a") == nil)
            try store.apply(["a": .set(1)])
            try store.flush()
            try store.apply(["a": .set(2)])
            try other.apply(["a": .set(3)])
            try store.flush()
            try other.flush()
            let text = try store.url.text()
            #expect(text == "{\n  \"a\": 3\n}\n")
            #expect(try store.value(for: "a") == 3)
        }
    }
}
