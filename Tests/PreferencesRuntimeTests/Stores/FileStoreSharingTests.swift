import Foundation
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PreferencesRuntime

/// Two stores over one file, in one process and in two.
struct FileStoreSharingTests {
    @Test("Two stores of one file lose no changes")
    func twoStoresOfOneFileLoseNothing() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let first = FileStore(url: url, durability: .immediate)
            let second = FileStore(url: url, durability: .immediate)
            try first.apply(["a": .set(1), "b": .set(1)])
            try second.apply(["b": .set(2), "c": .set(2)])
            try first.apply(["d": .set(3)])
            #expect(try first.value(for: "b") == 2)
            #expect(try FileStore(url: url, durability: .immediate).names() == ["a", "b", "c", "d"])
        }
    }

    @Test(
        "A text that equals the one before, but is spelled otherwise, is a change for all",
        arguments: [FileStore.Durability.immediate, .coalesced(milliseconds: 50)]
    )
    func spelling(durability: FileStore.Durability) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let stores = (0..<2).map { _ in FileStore(url: url, durability: durability) }
            let all = [stores[0], stores[0], stores[1]].map { Preferences(store: $0) }
            for text in ["\u{e9}", "e\u{301}"] {
                all[0].set(named: "text", to: text)
                for preferences in all {
                    #expect(Array(preferences.get(named: "text", default: "").utf8) == Array(text.utf8))
                }
            }
        }
    }

    /// Runs a body with two stores of one file, which notify only each other.
    private func withTwoStores(
        link: Bool = false,
        _ body: (_ first: FileStore, _ second: FileStore) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(components: "app", "preferences.json")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            let linkedFolder = folder.appending(component: "link")
            try FileManager.default.createSymbolicLink(
                at: linkedFolder,
                withDestinationURL: url.deletingLastPathComponent()
            )
            let other = link ? linkedFolder.appending(component: "preferences.json") : url
            try await body(
                FileStore(url: url, durability: .immediate, watching: .fake()),
                FileStore(url: other, durability: .immediate, watching: .fake())
            )
        }
    }

    @Test("A value that another store has written is read at once", arguments: [false, true])
    func aValueThatAnotherStoreHasWrittenIsReadAtOnce(link: Bool) async throws {
        try await withTwoStores(link: link) { first, second in
            let (first, second) = (Preferences(store: first), Preferences(store: second))
            #expect(first.weather.temperature == 0)
            #expect(second.weather.temperature == 0)
            first.weather.temperature = 5
            #expect(second.weather.temperature == 5)
            second.weather.reset(\.temperature)
            #expect(first.weather.temperature == 0)
            for _ in 0..<10 {
                first.launchCount += 1
                second.launchCount += 1
            }
            #expect(first.launchCount == 20)
            try first.transaction { $0.launchCount += 1 }
            #expect(second.launchCount == 21)
        }
    }

    @Test("Watchers of the other store are notified before the setter returns")
    func watchersOfTheOtherStoreAreNotifiedBeforeTheSetterReturns() async throws {
        try await withTwoStores { first, second in
            let (first, second) = (Preferences(store: first), Preferences(store: second))
            let seen = Recorder<Int>()
            second.watch(\.launchCount, options: .initial) { seen.add($0.new) }
            first.launchCount = 1
            #expect(seen.all == [0, 1])
            try first.transaction { first in
                first.launchCount = 2
                #expect(seen.all == [0, 1])
            }
            #expect(seen.all == [0, 1, 2])
        }
    }

    @Test("An observer of the other store may write back")
    func anObserverOfTheOtherStoreMayWriteBack() async throws {
        try await withTwoStores { first, second in
            let preferences = Preferences(store: first)
            #expect(preferences.launchCount == 0)
            _ = try second.value(for: "launchCount")
            let observation = second.observe { [second] _ in
                do {
                    if try second.value(for: "launchCount") == 1 { try second.apply(["launchCount": .set(7)]) }
                } catch {
                    Issue.record(error)
                }
            }
            let changes = preferences.changes(\.launchCount)
            preferences.launchCount = 1
            // The change is notified by this thread, or by the one that reads the file when watching begins.
            for await change in changes where change.new == 7 { break }
            #expect(preferences.launchCount == 7)
            observation.cancel()
        }
    }

    @Test("Two hundred stores of one file parse it once, and none parses it again after a set")
    func storesOfOneFileParseItOnce() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{\"a\": 1}")
            let stores = (0..<200).map { _ in
                FileStore(url: url, contents: CountingContents.self, durability: .immediate, watching: .fake())
            }
            let changes = stores.map { StoreChanges(of: $0) }
            try stores[0].apply(["a": .set(2)])
            for (store, changes) in zip(stores, changes) {
                #expect(try store.value(for: "a") == 2)
                #expect(changes.soFar == [.names(["a"])])
            }
            #expect(CountingContents.parseCount.load(ordering: .relaxed) == 1)
        }
    }

    @Test("A first read through another store does not wait for the body of an update", arguments: [false, true])
    func aFirstReadDoesNotWaitForAnUpdate(isLink: Bool) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let link = folder.appending(component: "link.json")
            try FileManager.default.createSymbolicLink(atPath: link.filePath, withDestinationPath: "preferences.json")
            try url.write("{\"b\": 1}")
            let store = FileStore.patient(url)
            try store.apply(["a": .set(1)])
            let (isRunning, isRead, isDone) = (
                DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
            )
            Thread {
                #expect(throws: Never.self) {
                    try store.update { _ in
                        isRunning.signal()
                        isRead.wait()
                        return ["b": .set(2)]
                    }
                }
                isDone.signal()
            }.start()
            isRunning.wait()
            let other = FileStore.patient(isLink ? link : url)
            #expect(try other.value(for: "b") == 1)
            isRead.signal()
            isDone.wait()
            #expect(try other.value(for: "b") == 2)
            #expect(try other.value(for: "a") == 1)
        }
    }

    @Test("Values that one store sets are written when the last store of the file is released")
    func whatIsSetIsWrittenWhenTheLastStoreIsReleased() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            var first: FileStore? = .patient(url)
            var second: FileStore? = .patient(url)
            try first?.apply(["a": .set(1)])
            first = nil
            #expect(try second?.value(for: "a") == 1)
            #expect(!FileManager.default.fileExists(atPath: url.filePath))
            second = nil
            #expect(try url.text() == "{\n  \"a\": 1\n}\n")
        }
    }

    @Test("A store that writes at once also writes the pending edits of another store of the file")
    func aStoreThatWritesAtOnceWritesPendingEditsToo() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let coalesced = FileStore.patient(url)
            let immediate = FileStore(url: url, durability: .immediate)
            try coalesced.apply(["a": .set(1), "b": .set(1)])
            try immediate.apply(["b": .set(2)])
            #expect(try url.text() == "{\n  \"a\": 1,\n  \"b\": 2\n}\n")
            #expect(coalesced.durability == .coalesced(milliseconds: 3_600_000))
            #expect(immediate.durability == .immediate)
        }
    }

    @Test("Stores with different formats of one file see each other's changes")
    func storesOfDifferentFormatsSeeEachOther() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.plist")
            let binary = FileStore(url: url, format: .binaryPropertyList, durability: .immediate, watching: .fake())
            let xml = FileStore(url: url, format: .xmlPropertyList, durability: .immediate, watching: .fake())
            try binary.apply(["a": .set(1)])
            #expect(try xml.value(for: "a") == 1)
            try xml.apply(["a": .set(2)])
            #expect(try binary.value(for: "a") == 2)
        }
    }

    @Test("An editor's changes survive the next write")
    func anEditorsChangesSurviveTheNextWrite() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let store = FileStore(url: url, durability: .immediate)
            try store.apply(["a": .set(1)])
            try url.write("{\"a\": 7, \"mine\": true}")
            try store.apply(["b": .set(2)])
            #expect(try url.text() == "{\"a\": 7, \"b\": 2, \"mine\": true}")
            #expect(try store.value(for: "a") == 7)
        }
    }

    @Test("A deleted file is created without the former entries")
    func aDeletedFileIsCreatedWithoutTheFormerEntries() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let store = FileStore(url: url, durability: .immediate)
            try store.apply(["a": .set(1)])
            try FileManager.default.removeItem(at: url)
            try store.apply(["b": .set(2)])
            #expect(try store.names() == ["b"])
        }
    }

    @Test("Removing a missing entry creates no folder")
    func removingAMissingEntryCreatesNoFolder() throws {
        try withTemporaryDirectory { folder in
            let preferences = Preferences(
                store: FileStore(url: folder.appending(components: "app", "preferences.json"), durability: .immediate)
            )
            preferences.weather.reset(\.temperature)
            preferences.weather.lastUpdate = nil
            let names = try folder.contentsOfFolder()
            #expect(names.isEmpty)
        }
    }

    @Test("A deleted folder is created again")
    func aDeletedFolderIsCreatedAgain() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(components: "app", "preferences.json")
            let store = FileStore(url: url, durability: .immediate)
            try store.apply(["a": .set(1)])
            try FileManager.default.removeItem(at: url.deletingLastPathComponent())
            try store.apply(["b": .set(2)])
            #expect(try FileStore(url: url, durability: .immediate).names() == ["b"])
        }
    }

    @Test("A batch that fails in part changes nothing")
    func aBatchThatFailsInPartChangesNothing() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.plist")
            let store = FileStore(url: url, durability: .immediate)
            try store.apply(["a": .set(1)])
            let bytes = try Data(contentsOf: url)
            #expect(throws: PreferenceProblem.self) { try store.apply(["a": .set(2), "\u{1}": .set(3), "c": .set(4)]) }
            #expect(try Data(contentsOf: url) == bytes)
            #expect(try store.value(for: "a") == 1)
            #expect(try store.value(for: "c") == nil)
        }
    }

    @Test("Processes that write at the same time lose nothing")
    func processesThatWriteAtTheSameTimeLoseNothing() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.appending(component: "preferences.json").filePath
            await withTaskGroup { group in
                for process in 0..<3 {
                    group.addTask {
                        await #expect(processExitsWith: .success) { [path = path as String, process = process as Int] in
                            let store = FileStore(url: URL(filePath: path), durability: .immediate)
                            for number in 0..<60 {
                                try store.apply(["\(process)-\(number)": .set(.int(Int64(number)))])
                            }
                        }
                    }
                }
            }
            let names = try FileStore(url: URL(filePath: path), durability: .immediate).names()
            #expect(names == Set((0..<3).flatMap { process in (0..<60).map { "\(process)-\($0)" } }))
        }
    }

    @Test("A killed process leaves no lock")
    func aKilledProcessLeavesNoLock() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.appending(component: "preferences.json").filePath
            await #expect(processExitsWith: .failure) { [path = path as String] in
                let store = FileStore(url: URL(filePath: path), durability: .immediate)
                try store.apply(["a": .set(1)])
                Thread { while true { try? store.apply(["b": .set(.double(.random(in: 0...1)))]) } }.start()
                while (try? store.value(for: "b")) == nil { sched_yield() }
                fatalError("killed while it writes")
            }
            let store = FileStore(url: URL(filePath: path), durability: .immediate)
            #expect(try store.value(for: "a") == 1)
            try store.apply(["c": .set(1)])
            #expect(try store.names() == ["a", "b", "c"])
        }
    }
}

/// JSON that counts how often it is parsed.
private struct CountingContents: StoreFileContents {
    static let parseCount = Atomic(0)
    private var contents = JSONFileContents<StrictJSON>()

    init() {}

    init(parsing bytes: [UInt8]) throws {
        Self.parseCount.add(1, ordering: .relaxed)
        contents = try JSONFileContents<StrictJSON>(parsing: bytes)
    }

    var names: Set<String> { contents.names }

    func value(for name: String) throws -> PreferenceValue? { try contents.value(for: name) }

    static func check(_ name: String, _ value: PreferenceValue) throws {
        try JSONFileContents<StrictJSON>.check(name, value)
    }

    mutating func apply(_ batch: [String: PreferenceEdit]) throws -> Bool { try contents.apply(batch) }

    func encoded() throws -> [UInt8] { contents.encoded() }
}
