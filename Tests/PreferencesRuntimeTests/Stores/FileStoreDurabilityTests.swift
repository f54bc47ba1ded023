import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

/// When what was set is on the disk.
struct FileStoreDurabilityTests {
    /// A store that writes when it is told to, or ends.
    private func patientStore(_ url: URL) -> FileStore {
        FileStore(url: url, durability: .coalesced(milliseconds: 3_600_000))
    }

    private func withFile(_ body: (URL) async throws -> Void) async throws {
        try await withTemporaryDirectory { folder in
            try await body(folder.appending(component: "preferences.json"))
        }
    }

    @Test func whatWasSetIsReadAtOnceAndWrittenLater() async throws {
        try await withFile { url in
            let store = patientStore(url)
            try store.apply(["a": .set(1), "b": .set(2)])
            try store.apply(["a": .remove])
            #expect(try store.value(for: "a") == nil)
            #expect(try store.value(for: "b") == 2)
            #expect(try store.names() == ["b"])
            #expect(!url.exists)
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

    @Test func manyChangesAreOneWrite() async throws {
        try await withFile { url in
            let store = patientStore(url)
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
            let store = patientStore(url)
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
            let store = patientStore(url)
            try url.write("{\"a\": 1}")
            #expect(try store.value(for: "a") == 1)
            try url.write("{\"a\": 5}")
            try store.apply(["a": .set(1)])
            try store.flush()
            #expect(try url.text() == "{\n  \"a\": 1\n}\n")
            try url.write("{\"a\": 1, \"b\": 2}")
            try store.apply(["b": .remove])
            try store.flush()
            #expect(try url.text() == "{\n  \"a\": 1\n}\n")
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
        let first = unwritten.plan(at: 100)
        let second = unwritten.plan(at: 100)
        let later = unwritten.plan(at: 101)
        let earlier = unwritten.plan(at: 50)
        #expect((first, second, later, earlier) == (1, nil, nil, 2))
        let begun = [1, 2, 2].map { unwritten.begin($0) }
        #expect(begun == [false, true, false])
        let next = unwritten.plan(at: 200)
        #expect(next == 3)
    }

    @Test(.timeLimit(.minutes(5)))
    func aSetterDoesNotWaitForThoseWhoHaveTheFileLocked() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let store = patientStore(url)
            try store.apply(["a": .set(1)])
            try store.flush()
            let (isLocked, isSet, isUpdated) = (
                DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
            )
            Thread {
                let lock = try? FileLock(FilePath(url.filePath).lockPath)
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
            #expect(!url.exists)
        }
    }

    @Test func removingFromAFileThatIsMissingMakesNone() async throws {
        try await withFile { url in
            let store = patientStore(url)
            try store.apply(["a": .remove])
            try store.flush()
            #expect(!url.exists)
        }
    }

    @Test func aStoreThatIsReleasedHasWritten() async throws {
        try await withFile { url in
            do {
                let store = patientStore(url)
                try store.apply(["a": .set(1)])
            }
            #expect(try url.text() == "{\n  \"a\": 1\n}\n")
        }
    }

    @Test func preferencesThatAreReleasedHaveWritten() async throws {
        try await withFile { url in
            do {
                let preferences = Preferences(store: patientStore(url))
                preferences.weather.temperature = 5
            }
            let text = try url.text()
            #expect(text == "{\n  \"weather-service:temperature\": 5.0\n}\n")
        }
    }

    @Test func aProgramThatExitsHasWritten() async throws {
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

    @Test func aProgramThatExitsInTheClosureOfAnUpdateHasWrittenWhatWasSetBefore() async throws {
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

    @Test func whatAProgramsOwnExitHandlerSetsIsWritten() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                // A handler is given nothing. It runs after the stores' own, as it was there before.
                setenv("PREFERENCES_TEST_FILE", path, 1)
                atexit { try? LateStore.shared.apply(["late": .set(1)]) }
                try LateStore.shared.apply(["early": .set(1)])
                exit(7)
            }
            let text = try url.text()
            #expect(text == "{\n  \"early\": 1,\n  \"late\": 1\n}\n")
        }
    }

    @Test func aForkedProcessThatEndsLeavesItToItsParent() async throws {
        try await withFile { url in
            await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                let store = FileStore(url: URL(filePath: path), durability: .coalesced(milliseconds: 3_600_000))
                try store.apply(["a": .set(1)])
                let fork = try #require(dlsym(nil, "fork"))
                let child = unsafeBitCast(fork, to: (@convention(c) () -> pid_t).self)()
                if child == 0 { exit(0) }
                var status: CInt = 0
                waitpid(child, &status, 0)
                try #require(status == 0)
                let isWritten = FileManager.default.fileExists(atPath: path)
                #expect(!isWritten)
                withExtendedLifetime(store) { exit(7) }
            }
            let text = try url.text()
            #expect(text == "{\n  \"a\": 1\n}\n")
        }
    }

    @Test func anUpdateWritesAtOnceAndWithItWhatWasSetBefore() async throws {
        try await withFile { url in
            let store = patientStore(url)
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
            let store = patientStore(url)
            try store.apply(["a": .set(1), "b": .set(1)])
            try url.write("{\"b\": 2, \"c\": 2}")
            try store.reload()
            #expect(try store.names() == ["a", "b", "c"])
            #expect(try store.value(for: "b") == 1)
            try store.flush()
            #expect(try url.text() == "{\n  \"a\": 1,\n  \"b\": 1,\n  \"c\": 2\n}\n")
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
            let store = patientStore(url)
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
            let store = patientStore(url)
            try store.apply(["a": .set(1)])
            let other = patientStore(url)
            #expect(try other.value(for: "a") == 1)
            try store.apply(["a": .set(2)])
            #expect(try other.value(for: "a") == 2)
            withExtendedLifetime(store) {}
        }
    }

    @Test func anotherStoresUpdateIsMadeFromWhatIsUnwritten() async throws {
        try await withFile { url in
            let store = patientStore(url)
            try store.apply(["a": .set(1)])
            try patientStore(url).update { current in
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
            let store = patientStore(parent.appending(components: "app", "preferences.json"))
            let other = patientStore(link.appending(components: "app", "preferences.json"))
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

    // MARK: - What cannot be written

    @Test func whatCannotBeWrittenIsReadReportedAndWrittenWhenItCanBe() async throws {
        try await withFile { url in
            // A folder in its place.
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            let store = FileStore(url: url, durability: .coalesced(milliseconds: 1))
            let changes = StoreChanges(of: store)
            try store.apply(["a": .set(1), "b": .remove])
            let cause = "cannot read \(url.filePath): Is a directory"
            let message = "\(cause); what was set is kept in memory, and written as soon as it can be: 'a', 'b'"
            let problem = PreferenceProblem(.storeUnreadable, store: url.filePath, message: message)
            await changes.wait { changes.soFar.contains(.problem(problem)) }
            #expect(try store.value(for: "a") == 1)
            #expect(throws: PreferenceProblem(.storeUnreadable, store: url.filePath, message: cause)) {
                try store.flush()
            }

            let file = FileLook(url)
            try FileManager.default.removeItem(at: url)
            // Nothing is set anew: it is tried again by itself.
            await file.wait { (try? url.text()) == "{\n  \"a\": 1\n}\n" }
            try store.flush()
            #expect(changes.soFar.filter { $0 == .problem(problem) }.count == 1)
        }
    }

    @Test func whatIsNotWrittenInTheEndIsReportedAsLost() async throws {
        try await withFile { url in
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                [path = url.filePath as String] in
                let store = FileStore(url: URL(filePath: path), durability: .coalesced(milliseconds: 0))
                let changes = StoreChanges(of: store)
                try store.apply(["a": .set(1)])
                await changes.wait { changes.soFar.contains { if case .problem = $0 { true } else { false } } }
                changes.cancel()
                try store.apply(["b": .set(1)])
            }
            // Also what was told before, and what has joined it.
            let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
            let cause = "preferences: \(url.filePath): cannot read \(url.filePath): Is a directory; what was set is"
            #expect(text?.hasSuffix("\(cause) lost: 'a', 'b'\n") == true)
        }
    }

    @Test func aFolderThatIsNotSyncedIsNotCalledSyncedTheNextTime() throws {
        var unwritten = UnwrittenEdits()
        unwritten.add(.set(1), for: "a")
        unwritten.noteWritten(unwritten, isDurable: false)
        // The file has it. To say that it is on the disk takes another write, not another question.
        #expect(unwritten.edits.isEmpty)
        #expect(unwritten.needsRewrite && !unwritten.isEmpty)
        unwritten.noteWritten(unwritten, isDurable: true)
        #expect(unwritten.isEmpty)
    }
}

/// A store that an exit handler can get at.
private enum LateStore {
    static let shared = FileStore(
        url: URL(filePath: ProcessInfo.processInfo.environment["PREFERENCES_TEST_FILE"] ?? "/"),
        durability: .coalesced(milliseconds: 3_600_000)
    )
}

extension URL {
    fileprivate var exists: Bool { FileManager.default.fileExists(atPath: filePath) }
}

/// Looks at a file whenever it changes.
private final class FileLook {
    private let stream: AsyncStream<Void>
    private let watcher: FileWatcher

    init(_ url: URL) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        self.stream = stream
        watcher = FileWatcher(path: url.filePath)
        watcher.startOrStop(isNeeded: { true }) { _ in continuation.yield() }
    }

    func wait(until isTrue: () -> Bool) async {
        while !isTrue() { _ = await stream.first { _ in true } }
    }
}
