import Foundation
import Testing

@testable import StoreProof

struct SyncRulesTests {
    private func violations(_ lines: String..., store: ProvenStore = .fileImmediate) -> [String] {
        SyncRules.violations(
            in: CallJournal(lines.joined(separator: "\n").replacing(" ", with: "\t")),
            about: URL(filePath: "/f/file"),
            of: store
        )
    }

    @Test func aFileThatIsSyncedAndThenPutInPlaceIsSafe() {
        let found = violations(
            "write 0 /f/new ",
            "sync 0 /f/new ",
            "rename 0 /f/new /f/file",
            "sync 0 /f ",
            "acknowledged"
        )
        #expect(found == [])
    }

    @Test func aFileThatIsNotSyncedIsNotToBePutInPlace() {
        let found = violations("write 0 /f/new ", "rename 0 /f/new /f/file")
        #expect(found == ["a file that was not synced was put in place"])
    }

    @Test func aSyncIsWorthNothingAfterAnotherWrite() {
        let found = violations("write 0 /f/new ", "sync 0 /f/new ", "write 0 /f/new ", "rename 0 /f/new /f/file")
        #expect(found == ["a file that was not synced was put in place"])
    }

    @Test func aSyncThatFailedIsNotMendedByAnother() {
        let found = violations("write 0 /f/new ", "sync 5 /f/new ", "sync 0 /f/new ", "rename 0 /f/new /f/file")
        #expect(found == ["a file whose sync had failed was put in place"])
    }

    @Test func aSyncOfWhatIsSyncedMayFail() {
        #expect(violations("write 0 /f/file ", "sync 0 /f/file ", "sync 5 /f/file ", "acknowledged") == [])
        #expect(
            violations("write 0 /f/file ", "sync 5 /f/file ", "sync 5 /f/file ", "acknowledged") == [
                "a file was called safe whose sync had failed"
            ]
        )
    }

    @Test func aSyncThatASignalHasInterruptedMayBeCalledAgain() {
        let lines = ["write 0 /f/new ", "sync \(EINTR) /f/new "]
        #expect(violations(lines[0], lines[1], "sync 0 /f/new ", "rename 0 /f/new /f/file") == [])
        #expect(
            violations(lines[0], lines[1], "rename 0 /f/new /f/file") == [
                "a file that was not synced was put in place"
            ]
        )
    }

    @Test func nothingIsSafeBeforeTheFolderIsSynced() {
        let found = violations("rename 0 /f/new /f/file", "sync 5 /f ", "acknowledged")
        #expect(found == ["a file was called safe whose folder was not synced"])
    }

    @Test func whatWasInPlaceMayBeWrittenOverOnceTheFolderIsSynced() {
        let lines = ["write 0 /f/new ", "sync 0 /f/new ", "exchange 0 /f/new /f/file"]
        #expect(violations(lines[0], lines[1], lines[2], "sync 0 /f ", "acknowledged", "write 0 /f/new ") == [])
        let tooEarly = "a file was written over that a power failure may put in place again"
        #expect(violations(lines[0], lines[1], lines[2], "write 0 /f/new ") == [tooEarly])
        #expect(violations(lines[0], lines[1], lines[2], "sync 5 /f ", "truncate 0 /f/new ") == [tooEarly])
        #expect(violations(lines[0], lines[1], lines[2], "sync 5 /f ", "sync 0 /f ", "write 0 /f/new ") == [tooEarly])
        #expect(violations(lines[0], lines[1], lines[2], "unlink 0 /f/new ", "write 0 /f/new ") == [])
    }

    @Test func aLogIsNeededUntilTheDatabaseIsSynced() {
        func found(_ lines: String...) -> [String] {
            SyncRules.violations(
                in: CallJournal(lines.joined(separator: "\n").replacing(" ", with: "\t")),
                about: URL(filePath: "/f/file"),
                of: .sqlite
            )
        }
        let tooEarly = ["the log was begun anew before the database that it was brought into was synced"]
        #expect(found("write 0 /f/file-wal 0", "sync 0 /f/file-wal ", "write 0 /f/file-wal 0") == [])
        #expect(found("write 0 /f/file 1024", "write 0 /f/file-wal 0") == tooEarly)
        #expect(found("write 0 /f/file 1024", "write 0 /f/file-wal 32") == [])
        #expect(found("write 0 /f/file 1024", "sync 0 /f/file ", "write 0 /f/file-wal 0") == [])
        #expect(found("write 0 /f/file 1024", "sync 5 /f/file ", "truncate 0 /f/file-wal ") == tooEarly)
        #expect(found("write 0 /f/file 1024", "unlink 0 /f/file-wal ") == tooEarly)
        #expect(found("write 0 /f/file 1024", "sync 0 /f/file ", "unlink 0 /f/file-wal ") == [])
    }

    @Test func whatTradesPlacesMustBeSyncedToo() {
        let found = violations("write 0 /f/new ", "exchange 0 /f/new /f/file", "acknowledged")
        #expect(
            found == [
                "a file that was not synced was put in place", "a file was called safe whose folder was not synced",
            ]
        )
    }

    @Test func aFoldersSyncThatFailedIsMendedByAnotherRenameAlone() {
        let lines = ["rename 0 /f/new /f/file", "sync 5 /f ", "sync 0 /f ", "acknowledged"]
        let found = ["a file was called safe whose folder was not synced"]
        #expect(violations(lines[0], lines[1], lines[2], lines[3]) == found)
        #expect(violations(lines[0], lines[1], lines[0], lines[2], lines[3]) == [])
        #expect(violations(lines[0], lines[1], lines[2], lines[3], store: .sqlite) == [])
    }

    @Test func aDatabasesLogMayBeWrittenAgainAfterItsSyncHasFailed() {
        let lines = ["write 0 /f/file-wal ", "sync 5 /f/file-wal ", "write 0 /f/file-wal ", "sync 0 /f/file-wal "]
        #expect(violations(lines[0], lines[1], lines[2], lines[3], "acknowledged", store: .sqlite) == [])
        #expect(
            violations(lines[0], lines[1], lines[3], "acknowledged", store: .sqlite) == [
                "a file was called safe whose sync had failed"
            ]
        )
    }
}
