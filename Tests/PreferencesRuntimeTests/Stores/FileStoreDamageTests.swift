import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

/// Damaged files whose contents are set aside when a store writes them.
struct FileStoreDamageTests {
    private func withDamagedFile(
        _ text: String = "{\"a\": 1,\n \"b\" 2}",
        _ body: (_ url: URL, _ folder: URL) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write(text)
            try await body(url, folder)
        }
    }

    /// The files of a folder that were set aside.
    private func setAside(in folder: URL) throws -> [URL] {
        try folder.contentsOfFolder().filter { $0.contains(".corrupt-") }.map { folder.appending(component: $0) }
    }

    @Test(
        "A damaged file is set aside",
        arguments: ["{\"a\": 1,\n \"b\" 2}", "", "[1]", "\u{0}\u{0}\u{0}"]
    )
    func aDamagedFileIsKeptUnderAnotherName(text: String) async throws {
        try await withDamagedFile(text) { url, folder in
            let store = FileStore(url: url, durability: .immediate, editingTime: 0)
            try store.apply(["c": .set(3)])
            #expect(try url.text() == "{\n  \"c\": 3\n}\n")
            let aside = try setAside(in: folder)
            #expect(try aside.map { try $0.text() } == [text])
            let digits = "0123456789"
            let suffix = aside[0].lastPathComponent.dropFirst("preferences.json".count)
            #expect(suffix.map { digits.contains($0) ? "0" : String($0) }.joined() == ".corrupt-00000000T000000Z")
        }
    }

    @Test("The report names the file and its new name")
    func theReportNamesTheFileAndItsNewName() async throws {
        try await withDamagedFile { url, folder in
            let store = FileStore(url: url, durability: .immediate, editingTime: 0)
            let changes = StoreChanges(of: store)
            try store.apply(["c": .set(3)])
            let aside = try setAside(in: folder)[0].filePath
            let message =
                "it does not parse (line 2, column 6: expected ':', found other text), and was set aside as \(aside); "
                + "nothing had been read from it, so all its keys read as defaults now: repair it, and put it back"
            let problem = PreferenceProblem(.setAside, store: url.filePath, message: message)
            #expect(changes.soFar == [.names(["c"]), .problem(problem)])
        }
    }

    @Test(
        "A store that is to leave a damaged file in place writes nothing until it is repaired",
        arguments: [FileStore.Format.json, .jsonWithComments]
    )
    func aDamagedFileStaysInPlace(format: FileStore.Format) async throws {
        try await withDamagedFile { url, folder in
            func store(_ durability: FileStore.Durability) -> FileStore {
                // The default for files with comments.
                let damageHandling = format == .json ? FileStore.DamageHandling.refuse : nil
                return FileStore(
                    url: url,
                    format: format,
                    durability: durability,
                    damageHandling: damageHandling,
                    editingTime: 0,
                    watching: .fake()
                )
            }
            let (immediate, coalescing) = (store(.immediate), store(.coalesced(milliseconds: 3_600_000)))
            let problem = PreferenceProblem(
                .storeMalformed,
                store: url.filePath,
                message:
                    "line 2, column 6: expected ':', found other text; the file is not written until it is repaired"
            )
            #expect(throws: problem) { try immediate.apply(["c": .set(3)]) }
            #expect(throws: problem) { try immediate.update { _ in ["c": .set(3)] } }
            try coalescing.apply(["d": .set(4)])
            #expect(throws: problem) { try coalescing.flush() }
            #expect(try folder.contentsOfFolder().filter { !$0.hasPrefix(".") } == ["preferences.json"])
            #expect(try url.text() == "{\"a\": 1,\n \"b\" 2}")
            try url.write("{\"a\": 1, \"b\": 2}")
            try coalescing.flush()
            #expect(try url.text() == "{\"a\": 1, \"b\": 2, \"d\": 4}")
        }
    }

    @Test("Edits that wait for the repair of a file are reported if it stays damaged")
    func editsThatWaitForARepairAreReported() async throws {
        try await withDamagedFile { url, _ in
            let store = FileStore(
                url: url,
                durability: .coalesced(milliseconds: 1),
                damageHandling: .refuse,
                editingTime: 0,
                watching: .fake()
            )
            let changes = StoreChanges(of: store)
            try store.apply(["c": .set(3)])
            let problem = PreferenceProblem(
                .storeMalformed,
                store: url.filePath,
                message:
                    "line 2, column 6: expected ':', found other text; the file is not written until it is repaired; the "
                    + "changes are kept in memory, and written as soon as possible: 'c'"
            )
            await changes.wait { changes.soFar.contains(.problem(problem)) }
            try url.write("{}")
            try store.flush()
        }
    }

    @Test("Edits that a program could not write because a damaged file stays in place are reported when it ends")
    func editsOfADamagedFileThatStaysAreReportedAtTheEnd() async throws {
        try await withDamagedFile { url, _ in
            let output = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                [path = url.filePath as String] in
                let store = FileStore(url: URL(filePath: path), damageHandling: .refuse)
                try store.apply(["c": .set(3)])
            }
            let report = String(decoding: output?.standardErrorContent ?? [], as: UTF8.self)
            let message =
                "\(url.filePath): line 2, column 6: expected ':', found other text; the file is not written until it is "
                + "repaired; the changes are lost: 'c'\n"
            #expect(report.hasSuffix(message), "\(report)")
            let text = try url.text()
            #expect(text == "{\"a\": 1,\n \"b\" 2}")
        }
    }

    @Test("A database in the file's place is not set aside", arguments: FileStore.Format.allCases)
    func aDatabaseInTheFilesPlaceIsNotSetAside(format: FileStore.Format) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            let bytes = Data("SQLite format 3\0 and more".utf8)
            try bytes.write(to: url)
            let store = FileStore(url: url, format: format, durability: .immediate, editingTime: 0)
            let problem = PreferenceProblem(
                .storeMalformed,
                store: url.filePath,
                message: "this is a SQLite database, and is left as it is: give the store another file"
            )
            #expect(throws: problem) { try store.value(for: "a") }
            #expect(throws: problem) { try store.apply(["a": .set(1)]) }
            #expect(try Data(contentsOf: url) == bytes)
        }
    }

    @Test("An edit that is not written over a database is reported")
    func anEditThatIsNotWrittenOverADatabaseIsReported() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("SQLite format 3\0 and more")
            let store = FileStore(url: url, durability: .coalesced(milliseconds: 0))
            let changes = StoreChanges(of: store)
            try store.apply(["a": .set(1)])
            #expect(await changes.next() == .names(["a"]))
            let problem = PreferenceProblem(
                .storeMalformed,
                store: url.filePath,
                message: "this is a SQLite database, and is left as it is: give the store another file; "
                    + "the changes are kept in memory, and written as soon as possible: 'a'"
            )
            #expect(await changes.next() == .problem(problem))
            #expect(try url.text() == "SQLite format 3\0 and more")
        }
    }

    @Test("Preferences report the damage, too")
    func preferencesReportTheDamageToo() async throws {
        try await withDamagedFile { url, folder in
            let preferences = Preferences(store: FileStore(url: url, durability: .immediate, editingTime: 0))
            preferences.weather.temperature = 5
            #expect(preferences.weather.temperature == 5)
            #expect(await preferences.reportedProblems().map(\.code) == [.setAside])
        }
    }

    @Test("The last values that were read replace the damaged file")
    func theLastValuesThatWereReadReplaceTheDamagedFile() async throws {
        try await withDamagedFile("{\"a\": 1, \"b\": 2}") { url, folder in
            let store = FileStore(url: url, durability: .immediate, editingTime: 0)
            let changes = StoreChanges(of: store)
            #expect(try store.value(for: "a") == 1)
            try url.write("{\"a\": 1, \"b\"")
            try store.apply(["c": .set(3)])
            let messages = changes.soFar.compactMap { change in
                if case .problem(let problem) = change, problem.code == .setAside { problem.message } else { nil }
            }
            let consequence = "; it was replaced by the values last read from it and the changes since"
            #expect(messages.count == 1 && messages[0].hasSuffix(consequence))
            #expect(try url.text() == "{\"a\": 1, \"b\": 2, \"c\": 3}")
            #expect(try setAside(in: folder).map { try $0.text() } == ["{\"a\": 1, \"b\""])
        }
    }

    @Test("A second damaged file gets a name of its own")
    func aSecondDamagedFileGetsANameOfItsOwn() async throws {
        try await withDamagedFile("first") { url, folder in
            let store = FileStore(url: url, durability: .immediate, editingTime: 0)
            try store.apply(["a": .set(1)])
            try url.write("second")
            try store.apply(["a": .set(2)])
            let texts = try setAside(in: folder).map { try $0.text() }
            #expect(Set(texts) == ["first", "second"])
        }
    }

    @Test("An update of a damaged file begins without values")
    func anUpdateOfADamagedFileBeginsWithoutValues() async throws {
        try await withDamagedFile { url, folder in
            let store = FileStore(url: url, durability: .immediate, editingTime: 0)
            try store.update { current in
                let value = try current("a")
                #expect(value == nil)
                return ["a": .set(5)]
            }
            #expect(try url.text() == "{\n  \"a\": 5\n}\n")
            #expect(try setAside(in: folder).count == 1)
        }
    }

    @Test("An update that changes nothing leaves a damaged file as it is")
    func anUpdateThatChangesNothingLeavesADamagedFileAsItIs() async throws {
        try await withDamagedFile { url, folder in
            let store = FileStore(url: url, durability: .immediate, editingTime: 0)
            try store.update { _ in [:] }
            #expect(try url.text() == "{\"a\": 1,\n \"b\" 2}")
            #expect(try setAside(in: folder) == [])
        }
    }

    @Test("Edits are kept while an editor may be writing the file")
    func editsAreKeptWhileAnEditorMayBeWritingTheFile() async throws {
        try await withDamagedFile { url, folder in
            let store = FileStore(
                url: url,
                durability: .coalesced(milliseconds: 3_600_000),
                editingTime: 3_600
            )
            try store.apply(["c": .set(3)])
            let fault =
                "line 2, column 6: expected ':', found other text; the file was changed just now, perhaps by an editor: "
                + "try again in half a second"
            #expect(throws: PreferenceProblem(.storeMalformed, store: url.filePath, message: fault)) {
                try store.flush()
            }
            #expect(try store.value(for: "c") == 3)
            #expect(try setAside(in: folder) == [])
            try url.write("{\"a\": 1,\n \"b\": 2}")
            try store.flush()
            #expect(try url.text() == "{\"a\": 1,\n \"b\": 2,\n \"c\": 3}")
        }
    }

    @Test("A store that is released does not wait for an editor")
    func aStoreThatIsReleasedDoesNotWaitForAnEditor() async throws {
        try await withDamagedFile { url, folder in
            do {
                let store = FileStore(
                    url: url,
                    durability: .coalesced(milliseconds: 3_600_000),
                    editingTime: 3_600
                )
                try store.apply(["c": .set(3)])
            }
            #expect(try url.text() == "{\n  \"c\": 3\n}\n")
            #expect(try setAside(in: folder).count == 1)
        }
    }

    @Test("A damaged file that cannot be set aside is kept")
    func aDamagedFileThatCannotBeSetAsideIsKept() async throws {
        await #expect(processExitsWith: .success) {
            try becomeOrdinaryUser()
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                try url.write("damaged")
                let store = FileStore(url: url, durability: .immediate, editingTime: 0)
                try folder.appending(component: ".preferences.json.lock").write("")
                try #require(chmod(folder.filePath, 0o500) == 0)
                defer { chmod(folder.filePath, 0o700) }
                let problem = #expect(throws: PreferenceProblem.self) { try store.apply(["a": .set(1)]) }
                #expect(problem?.code == .storeUnwritable)
                #expect(problem?.message.hasSuffix(": Permission denied") == true)
                #expect(try url.text() == "damaged")
                #expect(try folder.contentsOfFolder() == [".preferences.json.lock", "preferences.json"])
            }
        }
    }

    @Test("Migrations run in the new file")
    func migrationsRunInTheNewFile() async throws {
        try await withDamagedFile { url, folder in
            let store = FileStore(url: url, durability: .immediate, editingTime: 0)
            let migrations = [PreferenceMigration(version: 1, [.move("city", to: "town")])]
            let preferences = Preferences(store: store, migrations: migrations)
            #expect(preferences.get(named: "town", default: "") == "")
            let text = try url.text()
            #expect(text == "{\"a\": 1,\n \"b\" 2}")
            preferences.set(named: "town", to: "Oslo")
            let newText = try url.text()
            #expect(newText == "{\n  \"::version\": 1,\n  \"town\": \"Oslo\"\n}\n")
            let count = try setAside(in: folder).count
            #expect(count == 1)
        }
    }
}
