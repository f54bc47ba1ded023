import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

/// Pending edits that cannot be written yet.
struct FileStoreUnwritableTests {
    @Test("Edits that cannot be written are read, reported, and written when possible")
    func editsThatCannotBeWrittenAreReadReportedAndWrittenWhenPossible() async throws {
        try await withFile { url in
            // A folder is in the place of the file.
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            let store = FileStore(url: url, durability: .coalesced(milliseconds: 1))
            let changes = StoreChanges(of: store)
            try store.apply(["a": .set(1), "b": .remove])
            let cause = "cannot read \(url.filePath): Is a directory"
            let message = "\(cause); the changes are kept in memory, and written as soon as possible: 'a', 'b'"
            let problem = PreferenceProblem(.storeUnreadable, store: url.filePath, message: message)
            await changes.wait { changes.soFar.contains(.problem(problem)) }
            #expect(try store.value(for: "a") == 1)
            #expect(throws: PreferenceProblem(.storeUnreadable, store: url.filePath, message: cause)) {
                try store.flush()
            }

            let file = FileObserver(url)
            try FileManager.default.removeItem(at: url)
            // Nothing is set again: the store retries by itself.
            await file.wait { (try? url.text()) == "{\n  \"a\": 1\n}\n" }
            try store.flush()
            #expect(changes.soFar.filter { $0 == .problem(problem) }.count == 1)
        }
    }

    @Test("Edits that are still not written when the store is released are reported as lost")
    func editsThatAreNotWrittenInTheEndAreReportedAsLost() async throws {
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
            // The report includes the edits that were reported before, and later ones.
            let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
            let cause = "preferences: \(url.filePath): cannot read \(url.filePath): Is a directory; the changes are"
            #expect(text?.hasSuffix("\(cause) lost: 'a', 'b'\n") == true)
        }
    }

    @Test("A folder whose synchronization failed is synchronized by the next write")
    func aFolderWhoseSynchronizationFailedIsSynchronizedByTheNextWrite() throws {
        var pending = PendingEdits()
        pending.add(.set(1), for: "a")
        pending.markWritten(pending, isDurable: false)
        // The file has the edit, but only another write can make it durable.
        #expect(pending.edits.isEmpty)
        #expect(pending.needsRewrite && !pending.isEmpty)
        pending.markWritten(pending, isDurable: true)
        #expect(pending.isEmpty)
    }

    @Test("A file whose synchronization failed is written again, even if another thread had nothing to write")
    func aFileWhoseSynchronizationFailedIsWrittenAgainEvenIfAnotherThreadHadNothingToWrite() throws {
        var pending = PendingEdits()
        pending.add(.remove, for: "a")
        let removals = pending
        pending.add(.set(1), for: "b")
        pending.markWritten(pending, isDurable: false)
        pending.discardNeedless(removals)
        #expect(pending.needsRewrite && !pending.isEmpty)
    }

    @Test("A failed attempt does not cause the next one")
    func aFailedAttemptDoesNotCauseTheNextOne() {
        let second: UInt64 = 1_000_000_000
        var pending = PendingEdits()
        pending.add(.set(1), for: "a")
        #expect(pending.retryDelay(at: 9 * second) == nil)
        let problem = PreferenceProblem(.storeUnwritable, store: "a file", message: "the disk is full")
        _ = pending.recordFailure(problem, at: 9 * second)
        #expect(pending.retryDelay(at: 9 * second) == 100)
        #expect(pending.retryDelay(at: 9 * second + 60_000_000) == 40)
        #expect(pending.retryDelay(at: 10 * second) == 0)
        let written = pending
        pending.markWritten(written)
        #expect(pending.retryDelay(at: 10 * second) == nil)
    }
}
