import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

/// What was set, and cannot be written yet.
struct FileStoreUnwritableTests {
    @Test func whatCannotBeWrittenIsReadReportedAndWrittenWhenItCanBe() async throws {
        try await withFile { url in
            // A folder in its place.
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
            let cause = "preferences: \(url.filePath): cannot read \(url.filePath): Is a directory; the changes are"
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

    @Test func aFileThatIsNotSyncedIsWrittenAgainThoughAnotherThreadHasFoundNone() throws {
        var unwritten = UnwrittenEdits()
        unwritten.add(.remove, for: "a")
        let removals = unwritten
        unwritten.add(.set(1), for: "b")
        unwritten.noteWritten(unwritten, isDurable: false)
        unwritten.noteNeedless(removals)
        #expect(unwritten.needsRewrite && !unwritten.isEmpty)
    }

    @Test func anAttemptThatFailsIsNoReasonForTheNext() {
        let second: UInt64 = 1_000_000_000
        var unwritten = UnwrittenEdits()
        unwritten.add(.set(1), for: "a")
        #expect(unwritten.pauseBeforeRetry(at: 9 * second) == nil)
        let problem = PreferenceProblem(.storeUnwritable, store: "a file", message: "the disk is full")
        _ = unwritten.noteFailure(problem, at: 9 * second)
        #expect(unwritten.pauseBeforeRetry(at: 9 * second) == 100)
        #expect(unwritten.pauseBeforeRetry(at: 9 * second + 60_000_000) == 40)
        #expect(unwritten.pauseBeforeRetry(at: 10 * second) == 0)
        let written = unwritten
        unwritten.noteWritten(written)
        #expect(unwritten.pauseBeforeRetry(at: 10 * second) == nil)
    }
}
