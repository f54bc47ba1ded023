@testable import PreferencesSystem

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import PreferencesRuntime
    import StoreTestSupport

    /// The spare file beside a file that is written often.
    struct FileStoreRecyclingTests {
        private func withStore(_ body: (FileStore, URL) throws -> Void) throws {
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                try body(FileStore(url: url, durability: .immediate), url)
            }
        }

        private func spares(beside url: URL) throws -> [URL] {
            let folder = url.deletingLastPathComponent()
            return try folder.contentsOfFolder().filter { $0.hasPrefix(".preferences.json.tmp-") }
                .map { folder.appending(component: $0) }
        }

        private func identity(of url: URL) throws -> FileIdentity {
            try #require(try FileIdentity.current(url.filePath))
        }

        // In a separate process that starts no other: a new child briefly inherits all open files.
        @Test("The replaced file is recycled for the next write")
        func theReplacedFileIsRecycledForTheNextWrite() async {
            await #expect(processExitsWith: .success) {
                try FileStoreRecyclingTests().writeOverAFile()
            }
        }

        private func writeOverAFile() throws {
            try withStore { store, url in
                try store.apply(["a": .set("long enough to be cut off")])
                let first = try identity(of: url)
                try store.apply(["a": .set("long enough, too")])
                let spare = try #require(try spares(beside: url).first)
                #expect(try identity(of: spare) == first)
                #expect(try spare.text().contains("cut off"))
                try store.apply(["a": .set(1)])
                #expect(try identity(of: url) == first)
                #expect(try url.text() == "{\n  \"a\": 1\n}\n")
                #expect(try spares(beside: url) == [spare])
                #expect(try spare.text().contains("too"))
            }
        }

        @Test("A process that has the file open continues to read it")
        func aProcessThatHasTheFileOpenContinuesToReadIt() throws {
            try withStore { store, url in
                try store.apply(["a": .set(1)])
                let file = try FileHandle(forReadingFrom: url)
                for number in 2...5 { try store.apply(["a": .set(.int(Int64(number)))]) }
                #expect(try file.readToEnd() == Data("{\n  \"a\": 1\n}\n".utf8))
                #expect(try url.text() == "{\n  \"a\": 5\n}\n")
            }
        }

        @Test("A process that has mapped the file continues to read it")
        func aProcessThatHasMappedTheFileContinuesToReadIt() throws {
            try withStore { store, url in
                try store.apply(["a": .set(1)])
                let file = open(url.filePath, O_RDONLY)
                let memory = try #require(mmap(nil, 13, PROT_READ, MAP_SHARED, file, 0))
                try #require(memory != MAP_FAILED)
                defer { munmap(memory, 13) }
                close(file)
                for number in 2...5 { try store.apply(["a": .set(.int(Int64(number)))]) }
                #expect(Data(bytes: memory, count: 13) == Data("{\n  \"a\": 1\n}\n".utf8))
            }
        }

        @Test("A file with another hard link keeps its contents")
        func aFileWithAnotherHardLinkKeepsItsContents() throws {
            try withStore { store, url in
                try store.apply(["a": .set(1)])
                try store.apply(["a": .set(2)])
                let copy = url.deletingLastPathComponent().appending(component: "copy.json")
                try FileManager.default.linkItem(at: url, to: copy)
                for number in 3...6 { try store.apply(["a": .set(.int(Int64(number)))]) }
                #expect(try copy.text() == "{\n  \"a\": 2\n}\n")
                #expect(try url.text() == "{\n  \"a\": 6\n}\n")
            }
        }

        @Test("Permissions that change in the meantime are kept")
        func permissionsThatChangeInTheMeantimeAreKept() throws {
            try withStore { store, url in
                for number in 1...3 { try store.apply(["a": .set(.int(Int64(number)))]) }
                #expect(chmod(url.filePath, 0o640) == 0)
                for number in 4...6 {
                    try store.apply(["a": .set(.int(Int64(number)))])
                    #expect(try url.mode() == 0o640)
                }
                #expect(try url.text() == "{\n  \"a\": 6\n}\n")
            }
        }

        @Test("Extended attributes that change in the meantime are kept")
        func extendedAttributesThatChangeInTheMeantimeAreKept() throws {
            try withStore { store, url in
                for number in 1...3 { try store.apply(["a": .set(.int(Int64(number)))]) }
                for value: [UInt8] in [[1], [2]] {
                    let file = open(url.filePath, O_RDONLY)
                    defer { close(file) }
                    try #require(LinuxSystemCalls.shared.fsetxattr?(file, "user.tag", value, 1, 0) == 0)
                    for number in 4...6 {
                        try store.apply(["a": .set(.int(Int64(number)))])
                        let new = open(url.filePath, O_RDONLY)
                        defer { close(new) }
                        var bytes: [UInt8] = [0, 0]
                        #expect(LinuxSystemCalls.shared.fgetxattr?(new, "user.tag", &bytes, 2) == 1)
                        #expect(bytes == value + [0])
                    }
                }
            }
        }

        /// Runs a body while a descriptor with `O_PATH` keeps the identity of a file from being reused, even after its
        /// removal. Such a descriptor does not count as having the file open.
        private func holding(_ url: URL, _ body: (FileIdentity) throws -> Void) throws {
            let path: CInt = 0o10_000_000  // O_PATH of asm-generic/fcntl.h
            let file = open(url.filePath, path)
            defer { close(file) }
            try body(identity(of: url))
        }

        @Test("A temporary file of another process is removed, not recycled")
        func aTemporaryFileOfAnotherProcessIsRemovedNotRecycled() throws {
            try withStore { store, url in
                try store.apply(["a": .set(1)])
                let left = url.deletingLastPathComponent().appending(component: ".preferences.json.tmp-1left00000000")
                try left.write("left")
                try holding(left) { identity in
                    try store.apply(["a": .set(2)])
                    #expect(try self.identity(of: url) != identity)
                }
                #expect(!FileManager.default.fileExists(atPath: left.filePath))
            }
        }

        @Test("Another file in the place of the temporary one is not overwritten")
        func anotherFileInThePlaceOfTheTemporaryOneIsNotOverwritten() throws {
            try withStore { store, url in
                for number in 1...2 { try store.apply(["a": .set(.int(Int64(number)))]) }
                let other = url.deletingLastPathComponent().appending(component: "other")
                try other.write("other")
                #expect(chmod(other.filePath, 0o600) == 0)
                let spare = try #require(try spares(beside: url).first)
                try holding(other) { identity in
                    #expect(rename(other.filePath, spare.filePath) == 0)
                    try store.apply(["a": .set(3)])
                    #expect(try self.identity(of: url) != identity)
                }
                #expect(try url.text() == "{\n  \"a\": 3\n}\n")
            }
        }

        @Test("A link that leads elsewhere leaves no temporary file")
        func aLinkThatLeadsElsewhereLeavesNoTemporaryFile() throws {
            try withTemporaryDirectory { folder in
                let link = folder.appending(component: "link.json")
                let targets = ["a", "b"].map { folder.appending(components: $0, "preferences.json") }
                let store = FileStore(url: link, durability: .immediate)
                for target in targets {
                    try FileManager.default.createDirectory(
                        at: target.deletingLastPathComponent(),
                        withIntermediateDirectories: false
                    )
                    unlink(link.filePath)
                    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
                    for number in 1...3 { try store.apply(["a": .set(.int(Int64(number)))]) }
                }
                #expect(try spares(beside: targets[0]) == [])
                #expect(try spares(beside: targets[1]).count == 1)
                #expect(try targets.map { try $0.text() } == Array(repeating: "{\n  \"a\": 3\n}\n", count: 2))
            }
        }

        @Test("A link to another file in its folder does not recycle a file")
        func aLinkToAnotherFileInItsFolderDoesNotRecycleAFile() throws {
            try withTemporaryDirectory { folder in
                let link = folder.appending(component: "link.json")
                let targets = ["v1.json", "v2.json"].map { folder.appending(component: $0) }
                let store = FileStore(url: link, durability: .immediate)
                try targets[1].write("{\n  \"b\": 0\n}\n")
                #expect(chmod(targets[1].filePath, 0o600) == 0)
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: targets[0])
                for number in 1...3 { try store.apply(["a": .set(.int(Int64(number)))]) }
                unlink(link.filePath)
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: targets[1])
                // The next writer of the first file removes this spare file.
                let left = try folder.contentsOfFolder().filter { $0.hasPrefix(".v1.json.tmp-") }
                try #require(left.count == 1)
                try holding(folder.appending(component: left[0])) { identity in
                    try store.apply(["a": .set(4)])
                    #expect(try self.identity(of: targets[1]) != identity)
                }
                #expect(try targets[0].text() == "{\n  \"a\": 3\n}\n")
                #expect(try targets[1].text() == "{\n  \"a\": 4,\n  \"b\": 0\n}\n")
                #expect(try folder.contentsOfFolder().filter { $0.hasPrefix(".v1.json.tmp-") } == [])
            }
        }

        @Test("Permissions that a write would remove are kept")
        func permissionsThatAWriteWouldRemoveAreKept() async throws {
            await #expect(processExitsWith: .success) {
                // A write by the superuser removes no permissions.
                try becomeOrdinaryUser()
                try withTemporaryDirectory { folder in
                    let url = folder.appending(component: "preferences.json")
                    let store = FileStore(url: url, durability: .immediate)
                    try store.apply(["a": .set(0)])
                    try #require(chmod(url.filePath, 0o2770) == 0)
                    for number in 1...5 {
                        try store.apply(["a": .set(.int(Int64(number)))])
                        #expect(try url.mode() == 0o2770)
                    }
                }
            }
        }

        @Test("A link that has just replaced the file is kept")
        func aLinkThatHasJustReplacedTheFileIsKept() throws {
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                let file = try StoreFile(path: url.filePath).lock(.patient, recycling: RecycledTemporaryFile())
                let target = folder.appending(component: "mine.json")
                try target.write("mine")
                try FileManager.default.createSymbolicLink(at: url, withDestinationURL: target)
                let error = #expect(throws: SystemError.self) { try file.replace(with: [0x61]) }
                #expect(error?.code == EEXIST)
                #expect(try FileManager.default.destinationOfSymbolicLink(atPath: url.filePath) == target.filePath)
                #expect(try target.text() == "mine")
                #expect(
                    try folder.contentsOfFolder() == [".preferences.json.lock", "mine.json", "preferences.json"]
                )
            }
        }

        @Test("A folder that has just replaced the file is kept")
        func aFolderThatHasJustReplacedTheFileIsKept() throws {
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                let file = try StoreFile(path: url.filePath).lock(.patient, recycling: RecycledTemporaryFile())
                try FileManager.default.createDirectory(
                    at: url.appending(component: "mine"),
                    withIntermediateDirectories: true
                )
                let error = #expect(throws: SystemError.self) { try file.replace(with: [0x61]) }
                #expect(error?.code == EISDIR)
                #expect(try folder.contentsOfFolder() == [".preferences.json.lock", "preferences.json"])
                #expect(try url.contentsOfFolder() == ["mine"])
            }
        }

        // In a separate process, as above.
        @Test("A process that opens the file during a write waits")
        func aProcessThatOpensTheFileDuringAWriteWaits() async {
            await #expect(processExitsWith: .success) {
                try await withTemporaryDirectory { folder in
                    let url = folder.appending(component: "preferences.json")
                    try url.write("half")
                    let file = try OpenFile(url.filePath, O_WRONLY)
                    let isLeased = file.lease()
                    #expect(isLeased)
                    let refused = open(url.filePath, O_RDONLY | O_NONBLOCK)
                    let code = errno
                    #expect(refused == -1)
                    #expect(code == EWOULDBLOCK)
                    let (texts, continuation) = AsyncStream.makeStream(of: Result<[UInt8]?, any Error>.self)
                    Thread { continuation.yield(Result { try StoreFile(path: url.filePath).read()?.bytes }) }.start()
                    try file.writeAll(Array("whole".utf8))
                    file.endLease()
                    let text = try await texts.first { _ in true }?.get()
                    #expect(text == Array("whole".utf8))
                }
            }
        }

        @Test("No file is recycled if it is unknown which processes have it open")
        func noFileIsRecycledIfItIsUnknownWhichProcessesHaveItOpen() {
            #expect(RecycledTemporaryFile.isSupported(in: FileManager.default.temporaryDirectory.filePath))
            #expect(!RecycledTemporaryFile.isSupported(in: "/nowhere"))
        }

        @Test("Stores of one file do not recycle each other's files")
        func storesOfOneFileDoNotRecycleEachOthersFiles() throws {
            try withStore { store, url in
                let other = FileStore(url: url, durability: .immediate)
                for number in 0..<6 {
                    try (number.isMultiple(of: 2) ? store : other).apply(["\(number)": .set(.int(Int64(number)))])
                    #expect(try spares(beside: url).count <= 1)
                }
                #expect(try FileStore(url: url).names() == ["0", "1", "2", "3", "4", "5"])
            }
        }

        @Test("A store that is created while another store of the file is released keeps a spare file")
        func aStoreThatIsMadeWhileAnotherEndsKeepsOne() throws {
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                let first = Locked<FileStore?>(.patient(url))
                try first.withLock { $0 }?.apply(["a": .set(1)])
                let engine = try #require(first.withLock { $0 }?.backend as? FileStoreEngine)
                let isReleased = DispatchSemaphore(value: 0)
                // The first store waits for this lock before its last write.
                let second = engine.writing.withLock {
                    Thread {
                        let store = first.withLock { $0.take() }
                        _ = consume store
                        isReleased.signal()
                    }.start()
                    while !engine.isEnding { sched_yield() }
                    return FileStore(url: url, durability: .immediate)
                }
                isReleased.wait()
                for number in Int64(2)...3 { try second.apply(["a": .set(.int(number))]) }
                #expect(try spares(beside: url).count == 1)
            }
        }

        @Test("A folder that is not synchronized keeps no temporary file")
        func aFolderThatIsNotSynchronizedKeepsNoTemporaryFile() throws {
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                let spare = RecycledTemporaryFile()
                func replace(_ text: String, isSynced: Bool) throws {
                    let failure = isSynced ? nil : SystemError(operation: .sync, path: url.filePath, code: EIO)
                    _ = try StoreFile(path: url.filePath).lock(.patient, recycling: spare)
                        .replace(with: Array(text.utf8)) { _ throws(SystemError) in
                            if let failure { throw failure }
                        }
                }
                try replace("1", isSynced: true)
                try replace("2", isSynced: true)
                #expect(try spares(beside: url).count == 1)
                try replace("3", isSynced: false)
                #expect(try spares(beside: url) == [])
                #expect(try url.text() == "3")
            }
        }

        @Test("A temporary file that is not used for a while is removed")
        func aTemporaryFileThatIsNotUsedForAWhileIsRemoved() throws {
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                let planned = Recorder<@Sendable () -> Void>()
                let spare = RecycledTemporaryFile { planned.add($0) }
                func replace() throws {
                    _ = try StoreFile(path: url.filePath).lock(.patient, recycling: spare).replace(with: [0x61])
                }
                try replace()
                #expect(planned.all.count == 0)
                for _ in 0..<3 { try replace() }
                #expect(planned.all.count == 1)
                planned.all[0]()
                #expect(try spares(beside: url).count == 1)
                try replace()
                #expect(planned.all.count == 2)
                planned.all[1]()
                planned.all[2]()
                #expect(try spares(beside: url) == [])
                #expect(planned.all.count == 3)
                // A file that is kept later is removed in the same way.
                try replace()
                #expect(try spares(beside: url).count == 1)
                #expect(planned.all.count == 4)
            }
        }

        @Test("A store that coalesces writes keeps no temporary file")
        func aStoreThatCoalescesWritesKeepsNoTemporaryFile() throws {
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                let store = FileStore.patient(url)
                for number in 1...3 {
                    try store.apply(["a": .set(.int(Int64(number)))])
                    try store.flush()
                    #expect(try spares(beside: url) == [])
                }
            }
        }

        @Test("A program that exits leaves no temporary file")
        func aProgramThatExitsLeavesNoTemporaryFile() async throws {
            try await withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                    // A handler of `atexit` has no arguments. It runs after the stores' handler, because it was
                    // registered earlier.
                    setenv("PREFERENCES_TEST_FILE", path, 1)
                    atexit { for number in 4...6 { try? LateStore.immediate.apply(["a": .set(.int(Int64(number)))]) } }
                    for number in 1...3 { try LateStore.immediate.apply(["a": .set(.int(Int64(number)))]) }
                    exit(7)
                }
                let (text, left) = (try url.text(), try spares(beside: url))
                #expect(text == "{\n  \"a\": 6\n}\n")
                #expect(left == [])
            }
        }

        @Test("A forked process keeps no temporary file, and leaves its parent's")
        func aForkedProcessKeepsNoTemporaryFileAndLeavesItsParentS() async throws {
            try await withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                await #expect(processExitsWith: .exitCode(7)) { [path = url.filePath as String] in
                    let store = FileStore(url: URL(filePath: path), durability: .immediate)
                    for number in 1...3 { try store.apply(["a": .set(.int(Int64(number)))]) }
                    let fork = try #require(dlsym(nil, "fork"))
                    let child = unsafeBitCast(fork, to: (@convention(c) () -> pid_t).self)()
                    if child == 0 {
                        for number in 4...6 { try store.apply(["a": .set(.int(Int64(number)))]) }
                        let names = try FileManager.default.contentsOfDirectory(atPath: FilePath(path).folder)
                        exit(CInt(names.count))
                    }
                    var status: CInt = 0
                    waitpid(child, &status, 0)
                    // Only the file and its lock are left.
                    try #require(status >> 8 == 2)
                    for number in 7...9 { try store.apply(["a": .set(.int(Int64(number)))]) }
                    withExtendedLifetime(store) { exit(7) }
                }
                let (text, left) = (try url.text(), try spares(beside: url))
                #expect(text == "{\n  \"a\": 9\n}\n")
                #expect(left == [])
            }
        }
    }
#endif
