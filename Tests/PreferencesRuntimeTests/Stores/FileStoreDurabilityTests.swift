import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// When what was set is on the disk.
struct FileStoreDurabilityTests {
    @Test func whatWasSetIsReadAtOnceAndWrittenLater() async throws {
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

    @Test func itIsWrittenByItselfAfterAWhile() async throws {
        try await withFile { url in
            let store = FileStore(url: url, durability: .coalesced(milliseconds: 1))
            let file = FileLook(url)
            try store.apply(["a": .set(1)])
            await file.wait { (try? url.text()) == "{\n  \"a\": 1\n}\n" }
        }
    }

    @Test func whatOthersHavePutThereIsNotCalledSafeForBeingTheSame() async throws {
        try await withFile { url in
            let engine = FileStoreEngine.shared(
                path: url.filePath,
                format: .json,
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
            // As by one that is killed before it has synced its folder.
            let other = url.deletingLastPathComponent().appending(component: "other")
            try other.write("{\n  \"a\": 1\n}\n")
            #expect(rename(other.filePath, url.filePath) == 0)
            #expect(try !isDurable())
            // Setting what is there already syncs it.
            try engine.apply(["a": .set(1)], by: nil, durability: .immediate, lockTimeout: .seconds(10))
            #expect(try isDurable())
            engine.release()
        }
    }

    @Test func manyChangesAreOneWrite() async throws {
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

    @Test func whatIsNoChangeIsNotWritten() async throws {
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

    @Test func whatOthersHaveChangedIsSetBackToWhatWasRead() async throws {
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

    @Test(arguments: [FileStore.Durability.immediate, .coalesced(milliseconds: 3_600_000)], FileStore.Format.allCases)
    func anAccentThatIsSpelledOtherwiseIsAChange(
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

    @Test func whoGoesOnSettingDoesNotPutOffWriting() throws {
        var unwritten = UnwrittenEdits()
        let first = unwritten.plan(at: 100, within: 50)?.number
        let second = unwritten.plan(at: 100, within: 50)?.number
        let later = unwritten.plan(at: 101, within: 50)?.number
        let earlier = unwritten.plan(at: 50, within: 50)?.number
        #expect((first, second, later, earlier) == (1, nil, nil, 2))
        let begun = [1, 2, 2].map { unwritten.begin($0) }
        #expect(begun == [false, true, false])
        let next = unwritten.plan(at: 200, within: 50)?.number
        #expect(next == 3)
    }

    @Test(
        "A set asks for a plan of its own if its delay is shorter than the planned one, or a write has changed the pacing"
    )
    func aSetAsksForAPlanOfItsOwn() {
        var unwritten = UnwrittenEdits()
        #expect(!unwritten.isPlanned(within: 50))
        unwritten.pacing.noteWrite(taking: .milliseconds(100), at: 1_000)
        _ = unwritten.plan(at: 2_000, within: 50)
        #expect(unwritten.isPlanned(within: 50) && unwritten.isPlanned(within: 51) && !unwritten.isPlanned(within: 49))
        // The plan was put off after a dear write, and now need not be.
        unwritten.pacing.noteWrite(taking: .zero, at: 3_000)
        #expect(!unwritten.isPlanned(within: 50))
        let earlier = unwritten.plan(at: 4_000, within: 50)
        #expect(earlier?.time == 4_000)
        #expect(unwritten.isPlanned(within: 50))
        _ = unwritten.begin(2)
        #expect(!unwritten.isPlanned(within: 50))
    }

    @Test("One set asks for a plan after a write that has changed the pacing, and the next ones do not")
    func aPlanThatIsKeptIsNotAskedForAgain() {
        var unwritten = UnwrittenEdits()
        _ = unwritten.plan(at: 1_000, within: 50)
        unwritten.pacing.noteWrite(taking: .milliseconds(1), at: 900)
        #expect(!unwritten.isPlanned(within: 50))
        #expect(unwritten.plan(at: 1_100, within: 50) == nil)
        #expect(unwritten.isPlanned(within: 50) && !unwritten.isPlanned(within: 49))
        #expect(unwritten.plan(at: 1_050, within: 40) == nil)
        #expect(unwritten.plan(at: 2_000, within: 60) == nil)
        #expect(unwritten.isPlanned(within: 40) && !unwritten.isPlanned(within: 39))
    }

    @Test("The pause after a write is 20 times its cost, and 2 s at most")
    func thePauseAfterAWriteIsATwentyfoldOfItsCost() {
        let costs: [Duration] = [
            .milliseconds(-1), .zero, .microseconds(100), .milliseconds(20), .milliseconds(107), .seconds(60),
        ]
        let delays: [Duration] = [.zero, .zero, .milliseconds(2), .milliseconds(400), .seconds(2), .seconds(2)]
        #expect(costs.map { WritePacing.delay(afterWriteTaking: $0) } == delays)
    }

    @Test("What is planned after a dear write is put off, and what is planned later than that is not")
    func aPlanAfterADearWriteIsPutOff() {
        var unwritten = UnwrittenEdits()
        unwritten.pacing.noteWrite(taking: .milliseconds(20), at: 1_000)
        let first = unwritten.plan(at: 2_000, within: 50)?.time
        #expect(first == 400_001_000)
        let begun = unwritten.begin(1)
        #expect(begun)
        let second = unwritten.plan(at: 500_000_000, within: 50)?.time
        #expect(second == 500_000_000)
    }

    @Test("A store notes what its writes cost, and flushes without a pause")
    func aStoreNotesWhatItsWritesCost() async throws {
        try await withFile { url in
            let engine = FileStoreEngine.shared(
                path: url.filePath,
                format: .json,
                durability: .immediate,
                editingTime: 0.5,
                watching: .fake()
            )
            defer { engine.release() }
            let store = FileStore.patient(url)
            try store.apply(["a": .set(1)])
            try store.flush()
            // Some processor time has passed, so that a write that is planned for now is put off.
            let now = DispatchTime.now().uptimeNanoseconds
            #expect(engine.state.withLock { $0.unwritten.pacing.time(notBefore: 0) } > 0)
            engine.state.withLock { $0.unwritten.pacing.noteWrite(taking: .seconds(1), at: now) }
            try store.apply(["a": .set(2)])
            try store.flush()
            #expect(try url.text() == "{\n  \"a\": 2\n}\n")
        }
    }

    @Test("A store that is made while another one of the file ends reads what that has set, and it is written")
    func aStoreThatIsMadeWhileAnotherEndsLosesNothing() async throws {
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

    @Test
    func aSetterDoesNotWaitForThoseWhoHaveTheFileLocked() throws {
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

    @Test(arguments: [FileStore.Durability.immediate, .coalesced(milliseconds: 3_600_000)])
    func whatIsRemovedFromAFileThatHasGoneDoesNotComeBack(durability: FileStore.Durability) async throws {
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

    @Test func removingFromAFileThatIsMissingMakesNone() async throws {
        try await withFile { url in
            let store = FileStore.patient(url)
            try store.apply(["a": .remove])
            try store.flush()
            #expect(try FileIdentity.current(url.filePath) == nil)
        }
    }

    @Test func anUpdateWritesAtOnceAndWithItWhatWasSetBefore() async throws {
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

    @Test func whatOthersHaveWrittenStays() async throws {
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

    @Test func observersAreToldOnceWhenItIsSet() async throws {
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

    @Test func aValueWithoutARepresentationIsRefusedAtOnce() async throws {
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

    @Test func anotherStoreOfThisProcessReadsWhatIsUnwritten() async throws {
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

    @Test func anotherStoresUpdateIsMadeFromWhatIsUnwritten() async throws {
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

    @Test func twoWaysToAFolderThatWasMissingLeadToOneFile() throws {
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
