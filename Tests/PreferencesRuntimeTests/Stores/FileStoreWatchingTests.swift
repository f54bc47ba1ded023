import Foundation
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// External changes of the file of an observed store.
struct FileStoreWatchingTests {
    /// Runs a body with an observed store whose file does not exist, and neither does its folder `app`.
    private func withObservedStore(
        _ body: (_ store: FileStore, _ changes: StoreChanges, _ url: URL) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(components: "app", "preferences.json")
            let store = FileStore(url: url, durability: .immediate)
            try await body(store, StoreChanges(of: store), url)
        }
    }

    private func makeFolder(of url: URL) throws {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
    }

    /// Replaces a file as editors do.
    private func replace(_ url: URL, with text: String) throws {
        let new = url.deletingLastPathComponent().appending(component: ".new~")
        try new.write(text)
        try #require(rename(new.filePath, url.filePath) == 0)
    }

    @Test("A file that appears together with its folder is read")
    func aFileThatAppearsTogetherWithItsFolderIsRead() async throws {
        try await withObservedStore { store, changes, url in
            #expect(try store.value(for: "a") == nil)
            try makeFolder(of: url)
            try url.write("{\"a\": 1}")
            #expect(await changes.next() == .names(["a"]))
            #expect(try store.value(for: "a") == 1)
        }
    }

    @Test("A store that has read nothing yet notifies")
    func aStoreThatHasReadNothingYetNotifies() async throws {
        try await withObservedStore { _, changes, url in
            try FileStore(url: url, durability: .immediate).apply(["a": .set(1)])
            #expect(await changes.next() == .names(["a"]))
        }
    }

    @Test("A change by another process is read, and only its names notify")
    func aChangeByAnotherProcessIsReadAndOnlyItsNamesNotify() async throws {
        try await withObservedStore { store, changes, url in
            try store.apply(["a": .set(1), "b": .set(1), "c": .set(1)])
            await #expect(processExitsWith: .success) { [path = url.filePath as String] in
                try FileStore(url: URL(filePath: path), durability: .immediate).apply([
                    "b": .set(2), "c": .remove, "d": .set(4),
                ])
            }
            #expect(await changes.next() == .names(["a", "b", "c"]))
            #expect(await changes.next() == .names(["b", "c", "d"]))
            #expect(try store.value(for: "d") == 4)
            #expect(try store.names() == ["a", "b", "d"])
        }
    }

    @Test("A file that an editor replaces is read")
    func aFileThatAnEditorReplacesIsRead() async throws {
        try await withObservedStore { store, changes, url in
            try store.apply(["a": .set(1)])
            for number in 2..<5 {
                try replace(url, with: "{\"a\": \(number)}")
                try await changes.wait { try store.value(for: "a") == .int(Int64(number)) }
            }
        }
    }

    @Test("A file that another one replaces in two steps is not taken for missing in between")
    func aFileThatIsGoneForAMoment() async throws {
        try await withObservedStore { store, changes, url in
            try store.apply(["a": .set(1), "b": .set(1)])
            store.waitUntilWatched()
            let old = url.appendingPathExtension("old")
            try #require(rename(url.filePath, old.filePath) == 0)
            // The watcher's thread finds no file.
            store.waitUntilWatched()
            #expect(try store.value(for: "a") == 1)
            try replace(url, with: "{\"a\": 1, \"b\": 2}")
            #expect(await changes.next() == .names(["a", "b"]))
            #expect(await changes.next() == .names(["b"]))
        }
    }

    @Test(
        "A write waits for a file that is gone for a moment, and keeps its values",
        .timeLimit(.minutes(1)),
        arguments: [true, false]
    )
    func aWriteOfAFileThatIsGoneForAMoment(isRemoval: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "a.json")
            let store = FileStore(url: url, durability: .immediate)
            try store.apply(["a": .set(1), "b": .set(1)])
            let engine = try #require(FileStoreEngine.all.first { $0.label == store.label })
            engine.state.withLock { $0.missingFileDelay = .seconds(30) }
            let old = url.appendingPathExtension("old")
            try #require(rename(url.filePath, old.filePath) == 0)
            let hasEnded = Locked(false)
            async let write: Void = onOwnThread {
                defer { hasEnded.withLock { $0 = true } }
                try store.apply(["b": isRemoval ? .remove : .set(2)])
            }
            while engine.state.withLock({ $0.missingSince == nil }), !hasEnded.withLock({ $0 }) { await Task.yield() }
            try? FileManager.default.moveItem(at: old, to: url)
            try await write
            #expect(try url.text() == (isRemoval ? "{\n  \"a\": 1\n}\n" : "{\n  \"a\": 1,\n  \"b\": 2\n}\n"))
        }
    }

    @Test("A file that stays missing has no values")
    func aFileThatStaysMissing() async throws {
        try await withObservedStore { store, changes, url in
            try store.apply(["a": .set(1)])
            store.waitUntilWatched()
            try FileManager.default.removeItem(at: url)
            #expect(await changes.next() == .names(["a"]))
            #expect(await changes.next() == .names(["a"]))
            #expect(try store.value(for: "a") == nil)
            // On request it is found to be missing at once.
            try store.apply(["a": .set(2)])
            try FileManager.default.removeItem(at: url)
            try store.reload()
            #expect(try store.value(for: "a") == nil)
        }
    }

    @Test("A file that is written in parts is read when it is complete")
    func aFileThatIsWrittenInPartsIsReadWhenItIsComplete() async throws {
        try await withObservedStore { store, changes, url in
            try store.apply(["a": .set(1), "b": .set(1)])
            let file = try FileHandle(forWritingTo: url)
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data("{\"a\": 2, ".utf8))
            // A reader that has read only a part of the file keeps the previous values.
            #expect(throws: PreferenceProblem.self) { try store.reload() }
            #expect(try store.value(for: "a") == 1)
            #expect(try store.value(for: "b") == 1)
            try file.write(contentsOf: Data("\"b\": 2}".utf8))
            #expect(await changes.next() == .names(["a", "b"]))
            #expect(await changes.next() == .names(["a", "b"]))
            #expect(try store.value(for: "b") == 2)
            try file.close()
        }
    }

    @Test("Writing the same bytes is not a change")
    func writingTheSameBytesIsNotAChange() async throws {
        try await withObservedStore { store, changes, url in
            try store.apply(["a": .set(1)])
            let text = try url.text()
            try url.write(text)
            try replace(url, with: text)
            // Equal values in another notation are not a change either.
            try replace(url, with: "{\"a\":1}")
            try replace(url, with: "{\"a\": 1, \"mark\": true}")
            #expect(await changes.next() == .names(["a"]))
            #expect(await changes.next() == .names(["mark"]))
        }
    }

    @Test("A file that is deleted and created again is noticed both times")
    func aFileThatIsDeletedAndCreatedAgainIsNoticedBothTimes() async throws {
        try await withObservedStore { store, changes, url in
            try store.apply(["a": .set(1)])
            for number in 2..<5 {
                try FileManager.default.removeItem(at: url)
                try await changes.wait { try store.value(for: "a") == nil }
                try url.write("{\"a\": \(number)}")
                try await changes.wait { try store.value(for: "a") == .int(Int64(number)) }
            }
        }
    }

    @Test("A folder that is deleted and created again is noticed both times")
    func aFolderThatIsDeletedAndCreatedAgainIsNoticedBothTimes() async throws {
        try await withObservedStore { store, changes, url in
            try store.apply(["a": .set(1)])
            for number in 2..<5 {
                try FileManager.default.removeItem(at: url.deletingLastPathComponent())
                try await changes.wait { try store.value(for: "a") == nil }
                try makeFolder(of: url)
                try url.write("{\"a\": \(number)}")
                try await changes.wait { try store.value(for: "a") == .int(Int64(number)) }
            }
        }
    }

    @Test("A folder that is moved away and replaced is noticed")
    func aFolderThatIsMovedAwayAndReplacedIsNoticed() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(components: "a", "b", "preferences.json")
            let upper = folder.appending(component: "a")
            let store = FileStore(url: url, durability: .immediate)
            try store.apply(["a": .set(1)])
            let changes = StoreChanges(of: store)
            let away = folder.appending(component: "away")
            try FileManager.default.moveItem(at: upper, to: away)
            try await changes.wait { try store.value(for: "a") == nil }
            // Changes of the moved file no longer concern the store.
            try away.appending(components: "b", "preferences.json").write("{\"a\": 2}")
            try FileStore(url: url, durability: .immediate).apply(["a": .set(3)])
            try await changes.wait { try store.value(for: "a") == 3 }
            try FileManager.default.removeItem(at: upper)
            try await changes.wait { try store.value(for: "a") == nil }
            try FileManager.default.moveItem(at: away, to: upper)
            try await changes.wait { try store.value(for: "a") == 2 }
        }
    }

    @Test("A damaged file is reported once, and its last values are read")
    func aDamagedFileIsReportedOnceAndItsLastValuesAreRead() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let store = FileStore(url: url, durability: .immediate)
            let preferences = Preferences(store: store)
            preferences.launchCount = 5
            var problems = preferences.problems.makeAsyncIterator()
            let fault = PreferenceProblem(
                .storeMalformed,
                store: url.filePath,
                message: "line 1, column 18: trailing comma"
            )
            // A file that is repaired and damaged in the same way again is reported again.
            for _ in 0..<2 {
                try replace(url, with: "{\"launchCount\": 6,\n}")
                let problem = await problems.next()
                #expect(problem?.code == .storeMalformed)
                let message = "line 1, column 18: trailing comma; using the values read before until it can be read"
                #expect(problem?.message == message)
                #expect(preferences.launchCount == 5)
                // Later observers are notified, too.
                let later = Preferences(store: store)
                #expect(later.launchCount == 5)
                #expect(await later.reportedProblems().map(\.message) == [message])
                let changes = StoreChanges(of: store)
                #expect(await changes.next() == .unreadable(fault))
                // A repeated fault is not notified again.
                try replace(url, with: "{\"launchCount\": 6,\n}")
                try replace(url, with: "{\"launchCount\": 5, \"mark\": 1}")
                #expect(await changes.next() == .names(["mark"]))
                try replace(url, with: "{\"launchCount\": 5}")
                #expect(await changes.next() == .names(["mark"]))
            }
            #expect(await preferences.reportedProblems().count == 2)
        }
    }

    @Test("A repaired file is read without a call")
    func aRepairedFileIsReadWithoutACall() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{\"a\": 1,}")
            let store = FileStore(url: url, durability: .immediate)
            #expect(throws: PreferenceProblem.self) { try store.value(for: "a") }
            let changes = StoreChanges(of: store)
            try url.write("{\"a\": 1}")
            #expect(await changes.next() == .names(["a"]))
            #expect(try store.value(for: "a") == 1)
        }
    }

    @Test("A file that becomes readable is read")
    func aFileThatBecomesReadableIsRead() async throws {
        await #expect(processExitsWith: .success) {
            // The superuser has all permissions.
            try becomeOrdinaryUser()
            try await withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                try url.write("{\"a\": 1}")
                try #require(chmod(url.filePath, 0) == 0)
                let store = FileStore(url: url, durability: .immediate)
                let changes = StoreChanges(of: store)
                #expect(throws: PreferenceProblem.self) { try store.value(for: "a") }
                try #require(chmod(url.filePath, 0o600) == 0)
                await changes.wait { (try? store.value(for: "a")) == 1 && store.notifiesAllChanges }
            }
        }
    }

    @Test("Observers that were cancelled are not notified")
    func observersThatWereCancelledAreNotNotified() async throws {
        try await withObservedStore { store, changes, url in
            try store.apply(["a": .set(1)])
            changes.cancel()
            let other = FileStore(url: url, durability: .immediate)
            let otherChanges = StoreChanges(of: other)
            try replace(url, with: "{\"a\": 2}")
            #expect(await otherChanges.next() == .names(["a"]))
            #expect(try other.value(for: "a") == 2)
            #expect(changes.soFar == [.names(["a"])])
        }
    }

    @Test("An observer that is added later is notified of changes since the last read")
    func anObserverThatIsAddedLaterIsNotifiedOfChangesSinceTheLastRead() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let store = FileStore(url: url, durability: .immediate)
            #expect(try store.value(for: "a") == nil)
            try url.write("{\"a\": 1}")
            let changes = StoreChanges(of: store)
            #expect(await changes.next() == .names(["a"]))
            #expect(try store.value(for: "a") == 1)
        }
    }
}
