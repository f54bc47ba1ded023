import Foundation
import Testing

@testable import StoreProof

@Suite("The rules for durable writes")
struct SyncRulesTests {
    private func violations(_ lines: String..., store: ProvenStore = .fileImmediate) -> [String] {
        SyncRules.violations(
            in: CallJournal(lines.joined(separator: "\n").replacing(" ", with: "\t")),
            about: URL(filePath: "/f/file"),
            of: store
        )
    }

    @Test("A file that is synced and then renamed is durable")
    func syncedFile() {
        let found = violations(
            "write 0 /f/new ",
            "sync 0 /f/new ",
            "rename 0 /f/new /f/file",
            "sync 0 /f ",
            "acknowledged"
        )
        #expect(found == [])
    }

    @Test("A file that is not synced must not be renamed")
    func unsyncedFile() {
        let found = violations("write 0 /f/new ", "rename 0 /f/new /f/file")
        #expect(found == ["a file that was not synced was put in place"])
    }

    @Test("A sync does not cover a later write")
    func laterWrite() {
        let found = violations("write 0 /f/new ", "sync 0 /f/new ", "write 0 /f/new ", "rename 0 /f/new /f/file")
        #expect(found == ["a file that was not synced was put in place"])
    }

    @Test("A second sync does not repair a failed one")
    func failedSync() {
        let found = violations("write 0 /f/new ", "sync 5 /f/new ", "sync 0 /f/new ", "rename 0 /f/new /f/file")
        #expect(found == ["a file whose sync had failed was put in place"])
    }

    @Test("A sync of a synced file may fail")
    func syncOfSyncedFile() {
        #expect(violations("write 0 /f/file ", "sync 0 /f/file ", "sync 5 /f/file ", "acknowledged") == [])
        #expect(
            violations("write 0 /f/file ", "sync 5 /f/file ", "sync 5 /f/file ", "acknowledged") == [
                "a file was acknowledged whose sync had failed"
            ]
        )
    }

    @Test("A sync that a signal has interrupted may be repeated")
    func interruptedSync() {
        let lines = ["write 0 /f/new ", "sync \(EINTR) /f/new "]
        #expect(violations(lines[0], lines[1], "sync 0 /f/new ", "rename 0 /f/new /f/file") == [])
        #expect(
            violations(lines[0], lines[1], "rename 0 /f/new /f/file") == [
                "a file that was not synced was put in place"
            ]
        )
    }

    @Test("A file is not durable before its folder is synced")
    func unsyncedFolder() {
        let found = violations("rename 0 /f/new /f/file", "sync 5 /f ", "acknowledged")
        #expect(found == ["a file was acknowledged whose folder was not synced"])
    }

    @Test("A replaced file may be overwritten once the folder is synced")
    func replacedFile() {
        let lines = ["write 0 /f/new ", "sync 0 /f/new ", "exchange 0 /f/new /f/file"]
        #expect(violations(lines[0], lines[1], lines[2], "sync 0 /f ", "acknowledged", "write 0 /f/new ") == [])
        let tooEarly = "a file was overwritten that a power failure may restore"
        #expect(violations(lines[0], lines[1], lines[2], "write 0 /f/new ") == [tooEarly])
        #expect(violations(lines[0], lines[1], lines[2], "sync 5 /f ", "truncate 0 /f/new ") == [tooEarly])
        #expect(violations(lines[0], lines[1], lines[2], "sync 5 /f ", "sync 0 /f ", "write 0 /f/new ") == [tooEarly])
        #expect(violations(lines[0], lines[1], lines[2], "unlink 0 /f/new ", "write 0 /f/new ") == [])
    }

    @Test("A log is required until its database is synced")
    func log() {
        func found(_ lines: String...) -> [String] {
            SyncRules.violations(
                in: CallJournal(lines.joined(separator: "\n").replacing(" ", with: "\t")),
                about: URL(filePath: "/f/file"),
                of: .sqlite
            )
        }
        let tooEarly = ["the log was overwritten before the database was synced"]
        #expect(found("write 0 /f/file-wal 0", "sync 0 /f/file-wal ", "write 0 /f/file-wal 0") == [])
        #expect(found("write 0 /f/file 1024", "write 0 /f/file-wal 0") == tooEarly)
        #expect(found("write 0 /f/file 1024", "write 0 /f/file-wal 32") == [])
        #expect(found("write 0 /f/file 1024", "sync 0 /f/file ", "write 0 /f/file-wal 0") == [])
        #expect(found("write 0 /f/file 1024", "sync 5 /f/file ", "truncate 0 /f/file-wal ") == tooEarly)
        #expect(found("write 0 /f/file 1024", "unlink 0 /f/file-wal ") == tooEarly)
        #expect(found("write 0 /f/file 1024", "sync 0 /f/file ", "unlink 0 /f/file-wal ") == [])
    }

    @Test("An exchanged file must be synced, too")
    func exchange() {
        let found = violations("write 0 /f/new ", "exchange 0 /f/new /f/file", "acknowledged")
        #expect(
            found == [
                "a file that was not synced was put in place", "a file was acknowledged whose folder was not synced",
            ]
        )
    }

    @Test("Only another rename repairs a failed sync of a folder")
    func failedFolderSync() {
        let lines = ["rename 0 /f/new /f/file", "sync 5 /f ", "sync 0 /f ", "acknowledged"]
        let found = ["a file was acknowledged whose folder was not synced"]
        #expect(violations(lines[0], lines[1], lines[2], lines[3]) == found)
        #expect(violations(lines[0], lines[1], lines[0], lines[2], lines[3]) == [])
        #expect(violations(lines[0], lines[1], lines[2], lines[3], store: .sqlite) == [])
    }

    @Test("A database's log may be written again after a failed sync")
    func failedLogSync() {
        let lines = ["write 0 /f/file-wal ", "sync 5 /f/file-wal ", "write 0 /f/file-wal ", "sync 0 /f/file-wal "]
        #expect(violations(lines[0], lines[1], lines[2], lines[3], "acknowledged", store: .sqlite) == [])
        #expect(
            violations(lines[0], lines[1], lines[3], "acknowledged", store: .sqlite) == [
                "a file was acknowledged whose sync had failed"
            ]
        )
    }
}
