import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

struct FileStoreWritingTests {
    @Test("The first write creates the file and its folders for the user only")
    func theFirstWriteCreatesTheFileAndItsFoldersForTheUserOnly() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(components: "a", "b", "preferences.json")
            try FileStore(url: url, durability: .immediate).apply(["x": .set(1)])
            #expect(try folder.appending(component: "a").mode() == 0o700)
            #expect(try folder.appending(components: "a", "b").mode() == 0o700)
            #expect(try url.mode() == 0o600)
        }
    }

    @Test("A file keeps its permissions", arguments: [0o644, 0o640, 0o600, 0o664])
    func aFileKeepsItsPermissions(mode: Int) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{}")
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.filePath)
            try FileStore(url: url, durability: .immediate).apply(["x": .set(1)])
            #expect(try url.mode() == mode)
            // A user who may read the file but not write it cannot lock it.
            #expect(try folder.appending(component: ".preferences.json.lock").mode() & 0o007 == 0)
            #expect(try url.text() == "{\n  \"x\": 1\n}\n")
        }
    }

    @Test("A file keeps its owner", .enabled(if: geteuid() == 0, "only the superuser gives files away"))
    func aFileKeepsItsOwner() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{}")
            try #require(chown(url.filePath, 12_345, 23_456) == 0)
            try FileStore(url: url, durability: .immediate).apply(["x": .set(1)])
            let attributes = try FileManager.default.attributesOfItem(atPath: url.filePath)
            #expect(attributes[.ownerAccountID] as? Int == 12_345)
            #expect(attributes[.groupOwnerAccountID] as? Int == 23_456)
        }
    }

    @Test("A write removes the temporary files of killed processes, and no other file")
    func aWriteRemovesTheTemporaryFilesOfKilledProcesses() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let left = ["0000000000000", "2208qjlf9fl0d", "3w5e11264sgsf"].map { ".preferences.json.tmp-\($0)" }
            let others = [
                // The lock of the store 'preferences.json.tmp-2', and one with a name of a temporary file's length.
                ".preferences.json.tmp-2.lock", ".preferences.json.tmp-0000.lock.bak",
                ".preferences.json.tmp-notes", ".preferences.json.tmp-9", ".preferences.json.tmp-",
                ".preferences.json.tmp-2208QJLF9FL0D",
                // The number exceeds 64 bits.
                ".preferences.json.tmp-3w5e11264sgsg", ".preferences.json.tmp-notes20261121",
                ".preferences.json.tmp-2208qjlf9fl0d2",
                ".preferences.json.tmp-2208qjlf9fl0", ".preferences.json.tmp-2208qjlf9fl0d-wal",
                ".preferences.json.tmp-2208qjlf9fl0\u{e9}", "preferences.json.tmp-2208qjlf9fl0d",
                ".other.json.tmp-2208qjlf9fl0d", "x.tmp-2208qjlf9fl0d",
            ]
            for name in left + others { try folder.appending(component: name).write("{") }
            let subfolder = ".preferences.json.tmp-afolder000000"
            try FileManager.default.createDirectory(
                at: folder.appending(component: subfolder),
                withIntermediateDirectories: false
            )
            let link = ".preferences.json.tmp-alink00000000"
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(component: link).filePath,
                withDestinationPath: "x.tmp-2208qjlf9fl0d"
            )
            let store = FileStore(url: url, durability: .immediate)
            #expect(try store.value(for: "a") == nil)
            #expect(try folder.contentsOfFolder().count == left.count + others.count + 2)
            try store.apply(["a": .set(1)])
            let remaining = others + [subfolder, link, ".preferences.json.lock", "preferences.json"]
            #expect(try Set(folder.contentsOfFolder()) == Set(remaining))
        }
    }

    @Test("The names of temporary files have one length and one alphabet")
    func theNamesOfTemporaryFilesHaveOneLength() throws {
        try withTemporaryDirectory { folder in
            let entry = try FolderEntry(following: folder.appending(component: "a").filePath)
            for _ in 0..<1_000 {
                let name = entry.makeTemporary().name
                #expect(name.wholeMatch(of: #/\.a\.tmp-[0-9a-z]{13}/#) != nil, "\(name)")
            }
        }
    }

    #if !canImport(Darwin)
        @Test("A file keeps its extended attributes")
        func aFileKeepsItsExtendedAttributes() throws {
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                try url.write("{}")
                let (get, set) = (LinuxSystemCalls.shared.fgetxattr, LinuxSystemCalls.shared.fsetxattr)
                func attribute(_ name: String) -> [UInt8]? {
                    let file = open(url.filePath, O_RDONLY)
                    defer { close(file) }
                    var bytes = [UInt8](repeating: 0, count: 100)
                    let count = get?(file, name, &bytes, bytes.count) ?? -1
                    return count < 0 ? nil : Array(bytes.prefix(count))
                }
                let file = open(url.filePath, O_RDONLY)
                defer { close(file) }
                try #require(set?(file, "user.tag", [1, 0, 2], 3, 0) == 0)
                try #require(set?(file, "user.empty", [], 0, 0) == 0)
                try FileStore(url: url, durability: .immediate).apply(["a": .set(1)])
                #expect(attribute("user.tag") == [1, 0, 2])
                #expect(attribute("user.empty") == [])
                #expect(attribute("user.other") == nil)
            }
        }
    #endif

    @Test("A file system without locks is named as the cause")
    func aFileSystemWithoutLocksIsNamedAsTheCause() {
        let error = SystemError(operation: .lock, path: "/mnt/.a.json.lock", code: ENOLCK)
        #expect(
            error.description == "cannot lock /mnt/.a.json.lock: No locks available; this file system has no locks, "
                + "without which programs undo each other's changes: keep the file on another one"
        )
    }

    @Test("A file that is a mount point is named as the cause")
    func aFileThatIsAMountPointIsNamedAsTheCause() {
        let error = SystemError(operation: .replace, path: "/mnt/a.json", code: EBUSY)
        #expect(
            error.description == "cannot replace /mnt/a.json: Device or resource busy; the file is mounted by itself, "
                + "and so cannot be replaced: mount its folder"
        )
    }

    @Test("Only the file and its lock file are left in the folder")
    func onlyTheFileAndItsLockFileAreLeftInTheFolder() throws {
        try withTemporaryDirectory { folder in
            do {
                let store = FileStore(url: folder.appending(component: "preferences.json"), durability: .immediate)
                for number in 0..<5 { try store.apply(["x": .set(.int(Int64(number)))]) }
            }
            #expect(try folder.contentsOfFolder() == [".preferences.json.lock", "preferences.json"])
        }
    }

    @Test("Symbolic links are kept, and lead to the new contents")
    func symbolicLinksAreKeptAndLeadToTheNewContents() throws {
        try withTemporaryDirectory { folder in
            let target = folder.appending(components: "dotfiles", "app.json")
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(),
                withIntermediateDirectories: false
            )
            try target.write("{\"a\": 1}")
            let link = folder.appending(component: "preferences.json")
            let other = folder.appending(component: "other.json")
            try FileManager.default.createSymbolicLink(atPath: link.filePath, withDestinationPath: "dotfiles/app.json")
            try FileManager.default.createSymbolicLink(atPath: other.filePath, withDestinationPath: link.filePath)

            try FileStore(url: other, durability: .immediate).apply(["b": .set(2)])

            let manager = FileManager.default
            #expect(try manager.destinationOfSymbolicLink(atPath: link.filePath) == "dotfiles/app.json")
            #expect(try manager.destinationOfSymbolicLink(atPath: other.filePath) == link.filePath)
            #expect(try target.text() == "{\"a\": 1, \"b\": 2}")
            #expect(try folder.contentsOfFolder() == ["dotfiles", "other.json", "preferences.json"])
        }
    }

    @Test("The destination of a dangling link is created")
    func theDestinationOfADanglingLinkIsCreated() throws {
        try withTemporaryDirectory { folder in
            let link = folder.appending(component: "preferences.json")
            try FileManager.default.createSymbolicLink(atPath: link.filePath, withDestinationPath: "new/app.json")
            let store = FileStore(url: link, durability: .immediate)
            #expect(try store.value(for: "a") == nil)
            try store.apply(["a": .set(1)])
            #expect(try folder.appending(components: "new", "app.json").text() == "{\n  \"a\": 1\n}\n")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.filePath) == "new/app.json")
        }
    }

    @Test("A loop of links is a problem")
    func aLoopOfLinksIsAProblem() throws {
        try withTemporaryDirectory { folder in
            let link = folder.appending(component: "preferences.json")
            try FileManager.default.createSymbolicLink(atPath: link.filePath, withDestinationPath: "preferences.json")
            let path = link.filePath
            #expect(
                throws: PreferenceProblem(
                    .storeUnwritable,
                    store: path,
                    message: "cannot follow the links of \(path): Too many levels of symbolic links"
                )
            ) {
                try FileStore(url: link, durability: .immediate).apply(["a": .set(1)])
            }
        }
    }

    @Test("A folder in the file's place is a problem and is kept")
    func aFolderInTheFilesPlaceIsAProblemAndIsKept() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let path = url.filePath
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            let store = FileStore(url: url, durability: .immediate)
            let problem = PreferenceProblem(
                .storeUnreadable,
                store: path,
                message: "cannot read \(path): Is a directory"
            )
            #expect(throws: problem) { try store.value(for: "a") }
            #expect(throws: problem) { try store.apply(["a": .set(1)]) }
            #expect(try folder.contentsOfFolder() == ["preferences.json"])
        }
    }

    @Test("A named pipe is a problem, and does not block")
    func aNamedPipeIsAProblemAndDoesNotBlock() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let path = url.filePath
            try #require(mkfifo(path, 0o600) == 0)
            let message = "cannot read as a file \(path): Invalid argument"
            #expect(throws: PreferenceProblem(.storeUnreadable, store: path, message: message)) {
                try FileStore(url: url, durability: .immediate).value(for: "a")
            }
        }
    }

    @Test("A file in the folder's place is a problem")
    func aFileInTheFoldersPlaceIsAProblem() throws {
        try withTemporaryDirectory { folder in
            let file = folder.appending(component: "app")
            try file.write("mine")
            let store = FileStore(url: file.appending(component: "preferences.json"), durability: .immediate)
            #expect(try store.value(for: "a") == nil)
            let problem = #expect(throws: PreferenceProblem.self) { try store.apply(["a": .set(1)]) }
            #expect(problem?.code == .storeUnwritable)
            #expect(problem?.message.hasSuffix(": Not a directory") == true)
            #expect(try file.text() == "mine")
        }
    }

    @Test("Contents whose folder could not be synchronized are in place")
    func contentsWhoseFolderCouldNotBeSynchronizedAreInPlace() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("old")
            let file = try StoreFile(path: url.filePath).lock(.patient)
            let failure = try file.replace(with: Array("new".utf8)) { folder throws(SystemError) in
                throw SystemError(operation: .sync, path: folder.path, code: EIO)
            }
            #expect(failure?.syncFailure?.code == EIO)
            #expect(try url.text() == "new")
        }
    }

    @Test("A change that may not be durable is not reported as failed")
    func aChangeThatMayNotBeDurableIsNotReportedAsFailed() {
        struct Fleeting: WritablePreferenceStore {
            let label = "fleeting"
            func value(for name: String) -> PreferenceValue? { nil }
            func names() -> Set<String> { [] }
            func apply(_ batch: PreferenceBatch) throws {
                throw PreferenceProblem(.notDurable, store: label, message: "cannot sync")
            }
        }
        let problem = PreferenceProblem(
            .notDurable,
            key: "launchCount",
            store: "fleeting",
            message: "cannot sync; the change was made, but may not survive a power failure"
        )
        #expect(throws: problem) { try Preferences(store: Fleeting()).set(\.launchCount, to: 1) }
    }

    #if !canImport(Darwin)
        @Test("A full disk is a problem, and the old file is kept")
        func aFullDiskIsAProblemAndTheOldFileIsKept() async throws {
            await #expect(processExitsWith: .success) {
                try withTemporaryDirectory { folder in
                    let url = folder.appending(component: "preferences.json")
                    let store = FileStore(url: url, durability: .immediate)
                    try store.apply(["a": .set(1)])
                    // A limit on the size of files simulates a full disk.
                    signal(SIGXFSZ, SIG_IGN)
                    var limit = rlimit(rlim_cur: 1_000, rlim_max: 1_000)
                    try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
                    do {
                        try store.apply(["b": .set(.string(String(repeating: "x", count: 5_000)))])
                        Issue.record("it was written")
                    } catch let problem as PreferenceProblem {
                        #expect(problem.code == .storeUnwritable)
                        #expect(problem.message.hasSuffix(": File too large"))
                    }
                    #expect(try url.text() == "{\n  \"a\": 1\n}\n")
                    #expect(try store.value(for: "a") == 1)
                    #expect(try store.value(for: "b") == nil)
                    #expect(try folder.contentsOfFolder() == [".preferences.json.lock", "preferences.json"])
                    try store.apply(["b": .set("short")])
                    #expect(try FileStore(url: url, durability: .immediate).names() == ["a", "b"])
                }
            }
        }
    #endif
}
