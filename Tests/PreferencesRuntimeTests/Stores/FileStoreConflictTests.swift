import Foundation
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Another program that does not use the lock, such as an editor, saves the file while a store writes it.
struct FileStoreConflictTests {
    /// Runs a body with a locked file that has the contents `old`.
    private func withLockedFile(_ body: (LockedStoreFile, URL, _ read: ReadContents) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("old")
            let store = StoreFile(path: url.filePath)
            let read = try #require(try store.read())
            let file = try store.lock(.patient)
            try body(file, url, ReadContents(bytes: read.bytes, version: read.version))
            let left = try folder.contentsOfFolder().filter { $0.contains(".tmp-") }
            #expect(left == [])
        }
    }

    @Test("A file that was saved since it was read is not replaced")
    func aFileThatWasSavedIsNotReplaced() throws {
        try withLockedFile { file, url, read in
            try Data("edited".utf8).write(to: url, options: .atomic)
            #expect(try file.replace(with: Array("new".utf8), basedOn: read) == nil)
            #expect(try url.text() == "edited")
        }
    }

    // Without a version, the check before the exchange passes, as if the file were saved just after the check.
    @Test("A file that was saved just before the exchange gets its place back", arguments: [true, false])
    func aFileThatWasSavedJustBeforeTheExchangeGetsItsPlaceBack(isRenamed: Bool) throws {
        try withLockedFile { file, url, read in
            try Data("edited".utf8).write(to: url, options: isRenamed ? .atomic : [])
            let identity = try FileIdentity.current(url.filePath)
            #expect(try file.replace(with: Array("new".utf8), basedOn: ReadContents(bytes: read.bytes)) == nil)
            #expect(try url.text() == "edited")
            #expect(try FileIdentity.current(url.filePath) == identity)
        }
    }

    @Test("A file that is written in place after the exchange gets its place back")
    func aFileThatIsWrittenAfterTheExchangeGetsItsPlaceBack() throws {
        try withLockedFile { file, url, read in
            let editor = open(url.filePath, O_WRONLY)
            defer { close(editor) }
            let replacement = try file.replace(
                with: Array("new".utf8),
                synchronizeFolder: { _ throws(SystemError) in
                    #expect((try? url.text()) == "new")
                    #expect(write(editor, "edited", 6) == 6)
                },
                basedOn: read
            )
            #expect(replacement == nil)
            #expect(try url.text() == "edited")
            // Further writes of the editor go to the file.
            #expect(pwrite(editor, "EDIT", 4, 0) == 4)
            #expect(try url.text() == "EDITed")
        }
    }

    @Test("If the file is saved twice during the exchange, the last contents stay in the file")
    func theContentsThatWereSavedLastStay() throws {
        try withLockedFile { file, url, _ in
            let saved = url.deletingLastPathComponent().appending(component: "saved")
            try saved.write("first save")
            try url.write("second save")
            #expect(try file.restore(file.entry.sibling(saved.lastPathComponent), Array("new".utf8)))
            #expect(try url.text() == "second save")
            #expect(!FileManager.default.fileExists(atPath: saved.filePath))
        }
    }

    @Test("Contents that are overwritten during a conflict are set aside")
    func overwrittenContentsAreKept() throws {
        try withLockedFile { file, url, read in
            try url.write("edited")
            let replacement = try #require(
                try file.replace(with: Array("new".utf8), basedOn: read, keepingConflictsAs: ".replaced")
            )
            #expect(try url.text() == "new")
            let path = url.filePath + ".replaced"
            #expect(replacement.conflictPath == path)
            #expect(try URL(filePath: path).text() == "edited")
        }
    }

    @Test("Overwritten contents are set aside if the file system cannot exchange files")
    func overwrittenContentsAreKeptWithoutAnExchange() throws {
        try withLockedFile { file, url, read in
            func replace(_ text: String, basedOn read: ReadContents) throws -> LockedStoreFile.Replacement {
                try #require(
                    try file.replace(
                        with: Array(text.utf8),
                        basedOn: read,
                        keepingConflictsAs: ".replaced-\(text)",
                        exchange: { _, _ in .unsupported }
                    )
                )
            }
            // The last two are those of a damaged file, and of a missing one.
            let reads = [read, ReadContents(bytes: read.bytes), ReadContents()]
            for (number, read) in reads.enumerated() {
                try Data("edited \(number)".utf8).write(to: url, options: .atomic)
                let replacement = try replace("new \(number)", basedOn: read)
                #expect(try url.text() == "new \(number)")
                let path = url.filePath + ".replaced-new \(number)"
                #expect(replacement.conflictPath == path)
                #expect(try URL(filePath: path).text() == "edited \(number)")
            }
            // Contents that were read are not kept, even from another version.
            for read in [read, ReadContents(bytes: read.bytes)] {
                try url.write("old")
                #expect(try replace("new", basedOn: read).conflictPath == nil)
            }
        }
    }

    @Test("Unreadable contents saved during the exchange are set aside", arguments: [true, false])
    func unreadableContentsAreKept(isFirst: Bool) throws {
        try withLockedFile { file, url, _ in
            let folder = url.deletingLastPathComponent()
            let saved = folder.appending(component: "saved")
            try saved.write("first save")
            try url.write("second save")
            // A file of this size is not read.
            try #require(truncate((isFirst ? saved : url).filePath, off_t(OpenFile.maximumSize) + 1) == 0)
            let error = #expect(throws: SystemError.self) {
                try file.restore(file.entry.sibling(saved.lastPathComponent), Array("new".utf8))
            }
            #expect(try url.text() == (isFirst ? "second save" : "first save"))
            let kept = try #require(try folder.contentsOfFolder().first { $0.contains(".replaced-") })
            let keptURL = folder.appending(component: kept)
            #expect(try FileHandle(forReadingFrom: keptURL).seekToEnd() == UInt64(OpenFile.maximumSize) + 1)
            #expect(error?.path == keptURL.filePath)
            #expect(error?.code == EFBIG)
        }
    }

    @Test("A file that was created after none was found is not replaced")
    func aFileThatWasCreatedIsNotReplaced() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let new = folder.appending(component: "new")
            try url.write("made")
            try new.write("new")
            let entry = try FolderEntry(following: new.filePath)
            #expect(entry.move(toFreeName: entry.sibling("preferences.json")) == .taken)
            #expect(try url.text() == "made")
            #expect(entry.exchange(with: entry.sibling("none")) == .missing)
        }
    }

    @Test("Contents that an editor saves during a write are merged")
    func contentsThatAnEditorSavesAreMerged() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{\"a\": 1}")
            EditsOnce.url.withLock { $0 = url }
            let store = FileStore(
                url: url,
                contents: EditedContents<EditsOnce>.self,
                durability: .immediate,
                watching: .fake()
            )
            let changes = StoreChanges(of: store)
            try store.apply(["b": .set(2)])
            #expect(try url.text() == "{\"a\": 1, \"b\": 2, \"edited\": 1}")
            // The watcher may notify of the editor's change before the store's own.
            let names = changes.soFar.map { if case .names(let names) = $0 { names } else { [] as Set<String> } }
            #expect(names.reduce([]) { $0.union($1) } == ["edited", "b"])
        }
    }

    @Test("If an editor keeps saving, its contents are set aside, and reported")
    func contentsOfAnEditorThatKeepsSavingAreSetAside() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{\"a\": 1}")
            EditsAlways.url.withLock { $0 = url }
            let store = FileStore(
                url: url,
                contents: EditedContents<EditsAlways>.self,
                durability: .immediate,
                watching: .fake()
            )
            let changes = StoreChanges(of: store)
            try store.apply(["b": .set(2)])
            let aside = try #require(try folder.contentsOfFolder().first { $0.contains(".replaced-") })
            let path = folder.appending(component: aside)
            #expect(try path.text() == "{\"edited\": 10}")
            #expect(try url.text() == "{\"b\": 2, \"edited\": 9}")
            let message =
                "another program kept saving the file while it was being written; its last version was set aside as "
                + "\(path.filePath): save it once more"
            #expect(changes.soFar.last == .problem(PreferenceProblem(.setAside, store: url.filePath, message: message)))
        }
    }
}

/// JSON whose file an editor saves whenever the next contents are encoded.
private struct EditedContents<Editor: ContentsEditor>: StoreFileContents {
    private var contents = JSONFileContents<StrictJSON>()

    init() {}

    init(parsing bytes: [UInt8]) throws { contents = try JSONFileContents<StrictJSON>(parsing: bytes) }

    var names: Set<String> { contents.names }

    func value(for name: String) throws -> PreferenceValue? { try contents.value(for: name) }

    static func check(_ name: String, _ value: PreferenceValue) throws {
        try JSONFileContents<StrictJSON>.check(name, value)
    }

    mutating func apply(_ batch: [String: PreferenceEdit]) throws -> Bool { try contents.apply(batch) }

    func encoded() throws -> [UInt8] {
        try Editor.save()
        return contents.encoded()
    }
}

private protocol ContentsEditor {
    static func save() throws
}

private enum EditsOnce: ContentsEditor {
    static let url = Mutex<URL?>(nil)

    static func save() throws {
        try url.withLock { $0.take() }?.write("{\"a\": 1, \"edited\": 1}")
    }
}

private enum EditsAlways: ContentsEditor {
    static let url = Mutex<URL?>(nil)
    static let saveCount = Atomic(0)

    static func save() throws {
        let number = saveCount.add(1, ordering: .relaxed).newValue
        try url.withLock { $0 }?.write("{\"edited\": \(number)}")
    }
}
