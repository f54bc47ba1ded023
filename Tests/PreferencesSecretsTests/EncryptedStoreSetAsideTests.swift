import Foundation
import PreferencesRuntime
import PreferencesSQLite
import PreferencesSecrets
import StoreTestSupport
import TestSupport
import Testing

/// An encrypted store over a file or a database that is damaged as a whole.
struct EncryptedStoreSetAsideTests {
    private let key = EncryptionKey.random()

    /// Runs a body with a damaged file that was not changed recently.
    private func withDamagedFile(
        _ text: String = #"{"sec": "canary1" canary2"#,
        mode: Int = 0o600,
        _ body: (_ url: URL, _ folder: URL) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder async throws in
            let url = folder.appending(component: "secrets.json")
            try Data(text.utf8).write(to: url)
            let attributes: [FileAttributeKey: Any] = [
                .modificationDate: Date.now.addingTimeInterval(-3_600), .posixPermissions: mode,
            ]
            try FileManager.default.setAttributes(attributes, ofItemAtPath: url.path)
            try await body(url, folder)
        }
    }

    private func filesSetAside(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.contains(".corrupt-") }
    }

    @Test("The first write over a damaged file sets it aside, whole, and reports that")
    func firstWriteSetsADamagedFileAside() async throws {
        try await withDamagedFile { url, folder async throws in
            let store = EncryptedStore(FileStore(url: url), key: key)
            let changes = StoreChanges(of: store)
            let damage = PreferenceProblem(
                .storeMalformed,
                store: url.path,
                message: "line 1, column 19: expected ',' or '}', found other text"
            )
            #expect(throws: damage) { try store.value(for: "token") }
            #expect(throws: damage) { try store.names() }
            try store.apply(["token": .set("new")])
            #expect(try store.value(for: "token") == "new")
            #expect(try store.names() == ["token"])
            try store.flush()
            let aside = try filesSetAside(in: folder)
            #expect(try aside.map { try String(contentsOf: $0, encoding: .utf8) } == [#"{"sec": "canary1" canary2"#])
            let problems = changes.soFar.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
            #expect(problems.map(\.code) == [.setAside])
            #expect(problems.first?.message.contains(aside.first?.path ?? "-") == true)
            #expect(try EncryptedStore(FileStore(url: url), key: key).value(for: "token") == "new")
        }
    }

    @Test("An update over a damaged file sets it aside as well, and reads nothing")
    func updateSetsADamagedFileAside() async throws {
        try await withDamagedFile { url, folder async throws in
            let store = EncryptedStore(FileStore(url: url), key: key)
            try store.update { current throws in
                #expect(try current("token") == nil)
                return ["token": .set(1)]
            }
            #expect(try store.value(for: "token") == 1)
            #expect(try filesSetAside(in: folder).count == 1)
        }
    }

    @Test("The first write sets a damaged database aside, and the report contains nothing of it")
    func firstWriteSetsADamagedDatabaseAside() async throws {
        try await withTemporaryDirectory { folder async throws in
            let url = folder.appending(component: "secrets.sqlite")
            try EncryptedStore(SQLiteStore(url: url), key: key).apply(["token": .set("old")])
            var bytes = try Data(contentsOf: url)
            let canaries = String(repeating: "canary", count: bytes.count).utf8.prefix(bytes.count - 100)
            bytes.replaceSubrange(100..., with: canaries)
            try bytes.write(to: url)
            let store = EncryptedStore(SQLiteStore(url: url), key: key)
            let changes = StoreChanges(of: store)
            let reads: [() throws -> Void] = [{ _ = try store.value(for: "token") }, { _ = try store.names() }]
            for read in reads {
                let problem = #expect(throws: PreferenceProblem.self) { try read() }
                #expect(problem?.code == .storeMalformed)
                #expect(!"\(problem as Any)".contains("canary"))
            }
            try store.apply(["token": .set("new")])
            #expect(try store.value(for: "token") == "new")
            #expect(try store.names() == ["token"])
            let problems = changes.soFar.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
            #expect(problems.map(\.code) == [.setAside])
            #expect(!"\(problems)".contains("canary"))
            let aside = try #require(try filesSetAside(in: folder).first { $0.path.hasSuffix("Z") })
            #expect(try Data(contentsOf: aside) == bytes)
        }
    }

    @Test("Preferences over a damaged file read defaults, and set keys, with two reports that show nothing of the file")
    func preferencesReadDefaultsOverADamagedFile() async throws {
        try await withDamagedFile(mode: 0o644) { url, folder async throws in
            let store = EncryptedStore(FileStore(url: url), key: key)
            let preferences = Preferences(store: MemoryStore(), secrets: store)
            let problems = preferences.problems
            #expect(preferences.get("token", default: "none", [.secret]) == "none")
            preferences.set("token", to: "new", [.secret])
            #expect(preferences.get("token", default: "none", [.secret]) == "new")
            try preferences.flush()
            let codes: [PreferenceProblem.Code] = [.secretsExposed, .storeMalformed, .setAside]
            var found: [PreferenceProblem] = []
            for await problem in problems {
                found.append(problem)
                if found.count == codes.count { break }
            }
            #expect(found.map(\.code) == codes)
            #expect(!found.contains { "\($0)".contains("canary") })
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let path = folder.appending(component: name).path
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
                #expect(mode?.intValue == 0o600, "\(name)")
            }
        }
    }

    @Test("A wrong key changes nothing after the damaged file was set aside by the right one")
    func wrongKeyChangesNothing() async throws {
        try await withDamagedFile { url, _ async throws in
            try EncryptedStore(FileStore(url: url), key: key).apply(["token": .set("new")])
            let other = EncryptedStore(FileStore(url: url), key: .random())
            let problem = #expect(throws: PreferenceProblem.self) { try other.apply(["token": .set("other")]) }
            #expect(problem?.code == .wrongKey)
            #expect(try EncryptedStore(FileStore(url: url), key: key).value(for: "token") == "new")
        }
    }

    @Test("A file that was damaged recently is not set aside, as an editor may be writing it")
    func recentlyDamagedFileIsNotSetAside() async throws {
        try await withDamagedFile { url, folder async throws in
            let soon = Date.now.addingTimeInterval(0.4)
            try FileManager.default.setAttributes([.modificationDate: soon], ofItemAtPath: url.path)
            let store = EncryptedStore(FileStore(url: url), key: key)
            let problem = #expect(throws: PreferenceProblem.self) { try store.apply(["token": .set("new")]) }
            #expect(problem?.code == .storeMalformed)
            #expect(problem?.message.hasSuffix("try again in half a second") == true)
            #expect(try filesSetAside(in: folder).isEmpty)
        }
    }

    @Test("A SQLite database is never set aside by a store of another format")
    func databaseIsNotSetAsideByOtherFormats() async throws {
        try await withDamagedFile("SQLite format 3\0 and more") { url, folder async throws in
            let store = EncryptedStore(FileStore(url: url), key: key)
            let problem = #expect(throws: PreferenceProblem.self) { try store.apply(["token": .set("new")]) }
            #expect(problem?.code == .storeMalformed)
            #expect(try filesSetAside(in: folder).isEmpty)
        }
    }

    @Test("A damaged store that cannot be set aside fails each write")
    func damagedBaseThatCannotBeSetAsideFailsWrites() throws {
        let store = EncryptedStore(DamagedStore(), key: key)
        #expect(throws: DamagedStore.problem) { try store.apply(["token": .set("new")]) }
    }

    @Test("A decrypted value of another type is not shown")
    func valueOfAnotherTypeIsNotShown() async throws {
        let store = EncryptedStore(MemoryStore(), key: key)
        try store.apply(["token": .set("canary"), "list": .set(["canary"]), "map": .set(["canary": "canary"])])
        for secrets in [true, false] {
            let main: any PreferenceStore = secrets ? MemoryStore() : store
            let preferences = Preferences(store: main, secrets: secrets ? store : nil)
            let problems = preferences.problems
            for name in ["token", "list", "map"] {
                let traits: [PreferenceTrait<Int>] = secrets ? [.secret] : []
                _ = PreferenceReference(name, default: 0, traits, in: preferences).value
            }
            var iterator = problems.makeAsyncIterator()
            for _ in 0..<3 {
                let problem = await iterator.next()
                #expect(
                    problem?.message == "expected Int, found something else; "
                        + "using its default"
                )
            }
            var dumped = ""
            dump(store, to: &dumped)
            dump(preferences, to: &dumped)
            #expect(!"\(dumped) \(store) \(String(reflecting: store))".contains("canary"))
        }
    }

    private struct DamagedStore: WritablePreferenceStore {
        static let problem = PreferenceProblem(.storeMalformed, store: "damaged", message: "damaged")
        let label = "damaged"

        func value(for name: String) throws -> PreferenceValue? { throw Self.problem }
        func names() throws -> Set<String> { throw Self.problem }
        func apply(_ batch: PreferenceBatch) throws { Issue.record("it was written") }
    }
}
