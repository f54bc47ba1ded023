import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Files of secrets that other users can access.
struct SecretsPermissionTests {
    private func mode(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    private func setMode(_ mode: Int, of url: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    private func withSecrets(
        _ mode: Int,
        _ text: String = #"{"token": "hunter2"}"#,
        _ body: (_ url: URL, _ folder: URL) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder async throws in
            let url = folder.appending(component: "secrets.json")
            try Data(text.utf8).write(to: url)
            try setMode(mode, of: url)
            try await body(url, folder)
        }
    }

    private func report(_ url: URL, _ mode: String, narrowedTo narrow: String) -> PreferenceProblem {
        PreferenceProblem(
            .secretsExposed,
            store: url.path,
            message: "other users have access to the secrets in \(url.path), whose permissions are \(mode); "
                + "they were narrowed to \(narrow); replace secrets that other users may have read"
        )
    }

    @Test(
        "A secrets file that others can access is reported once, and narrowed",
        arguments: [(0o644, "0644", "0600"), (0o666, "0666", "0600"), (0o640, "0640", "0600"), (0o604, "0604", "0600")]
    )
    func exposed(bits: Int, text: String, narrow: String) async throws {
        try await withSecrets(bits) { url, _ async throws in
            let preferences = Preferences(store: MemoryStore(), secrets: FileStore(url: url))
            let account = Account(preferences: preferences)
            #expect(account.token == "hunter2")
            #expect(try mode(url) == 0o600)
            account.token = "new"
            try preferences.flush()
            #expect(try mode(url) == 0o600)
            #expect(await preferences.reportedProblems() == [report(url, text, narrowedTo: narrow)])
        }
    }

    @Test("A secrets file of its owner alone is neither changed nor reported", arguments: [0o600, 0o400, 0o700])
    func narrow(bits: Int) async throws {
        try await withSecrets(bits) { url, _ async throws in
            let preferences = Preferences(store: MemoryStore(), secrets: FileStore(url: url))
            #expect(Account(preferences: preferences).token == "hunter2")
            #expect(try mode(url) == bits)
            #expect(await preferences.reportedProblems().isEmpty)
        }
    }

    @Test("A file of other values keeps its permissions")
    func mainStore() async throws {
        try await withSecrets(0o644) { url, _ async throws in
            let preferences = Preferences(store: FileStore(url: url), secrets: MemoryStore())
            preferences.set(named: "a", to: 1)
            try preferences.flush()
            #expect(try mode(url) == 0o644)
            #expect(await preferences.reportedProblems().isEmpty)
        }
    }

    @Test("Adapters and layers hand the protection on to their files")
    func adapters() async throws {
        for wrap in [
            { ReadOnlyStore($0) }, { PrefixedStore($0, prefix: "p") }, { LayeredStore([MemoryStore(), $0]) },
            { TransformedStore($0, read: { value, _ in value }, write: { value, _ in value }) },
        ] as [(any PreferenceStore) -> any PreferenceStore] {
            try await withSecrets(0o644) { url, _ async throws in
                let preferences = Preferences(store: MemoryStore(), secrets: wrap(FileStore(url: url)))
                _ = Account(preferences: preferences).token
                #expect(try mode(url) == 0o600)
                #expect(await preferences.reportedProblems().first == report(url, "0644", narrowedTo: "0600"))
            }
        }
    }

    @Test("A secrets file that is exposed later is narrowed by the next write and the next reading, and reported again")
    func exposedLater() async throws {
        try await withSecrets(0o600) { url, _ async throws in
            let store = FileStore(url: url, durability: .immediate)
            let preferences = Preferences(store: MemoryStore(), secrets: store)
            let account = Account(preferences: preferences)
            account.token = "a"
            try setMode(0o644, of: url)
            account.token = "b"
            #expect(try mode(url) == 0o600)
            try setMode(0o606, of: url)
            try preferences.reload()
            #expect(try mode(url) == 0o600)
            #expect(
                Set(await preferences.reportedProblems()) == [
                    report(url, "0644", narrowedTo: "0600"), report(url, "0606", narrowedTo: "0600"),
                ]
            )
        }
    }

    @Test("A damaged secrets file that is set aside is accessible to its owner only, and so are the files beside it")
    func setAside() async throws {
        try await withSecrets(0o644, "{hunter2") { url, folder in
            let store = FileStore(url: url, durability: .immediate, editingTime: 0)
            let account = Account(preferences: Preferences(store: MemoryStore(), secrets: store))
            account.token = "new"
            #expect(account.token == "new")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.contains { $0.contains(".corrupt-") })
            for name in names { #expect(try mode(folder.appending(component: name)) == 0o600, "\(name)") }
        }
    }

    @Test("A link of the user is followed to the file")
    func link() async throws {
        try await withSecrets(0o644) { url, folder async throws in
            let link = folder.appending(component: "link.json")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
            let preferences = Preferences(store: MemoryStore(), secrets: FileStore(url: link))
            #expect(Account(preferences: preferences).token == "hunter2")
            #expect(try mode(url) == 0o600)
            #expect(await preferences.reportedProblems() == [report(link, "0644", narrowedTo: "0600")])
        }
    }

    @Test(
        "A file of another user is reported, and its new contents are accessible to that user only",
        .enabled(if: geteuid() == 0)
    )
    func anotherOwner() async throws {
        try await withSecrets(0o666) { url, folder async throws in
            #expect(chown(url.path, 12_345, 12_345) == 0)
            let store = FileStore(url: url, durability: .immediate)
            let preferences = Preferences(store: MemoryStore(), secrets: store)
            let account = Account(preferences: preferences)
            #expect(account.token == "hunter2")
            #expect(try mode(url) == 0o666)
            account.token = "a"
            account.token = "b"
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                #expect(try mode(folder.appending(component: name)) == 0o600, "\(name)")
            }
            #expect(
                await preferences.reportedProblems()
                    == ["0666", "0600"].map { mode in
                        PreferenceProblem(
                            .secretsExposed,
                            store: url.path,
                            message:
                                "other users have access to the secrets in \(url.path), whose permissions are \(mode); "
                                + "the file belongs to user 12345: give it to the process's user by "
                                + "'chown \(geteuid()) \(url.path)', and run 'chmod go= \(url.path)'"
                        )
                    }
            )
        }
    }

    #if os(Linux)
        @Test("New secrets are never in a file that other users can read, not even briefly")
        func neverExposed() throws {
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "secrets.json")
                try Data("{}".utf8).write(to: url)
                try setMode(0o666, of: url)
                let file = StoreFile(path: url.path)
                let read = try #require(try file.read())
                let contents = ReadContents(bytes: read.bytes, version: read.version, source: read.version)
                let exposures = Recorder<Int>()
                _ = try file.lock(.patient, isPrivate: true).replace(
                    with: Array("{\"a\": 1}".utf8),
                    basedOn: contents,
                    exchange: { new, old in
                        // Records the permissions of the new file just before it replaces the old one.
                        if let status = try? new.status() { exposures.add(Int(status.st_mode & 0o777)) }
                        return new.exchange(with: old)
                    }
                )
                #expect(exposures.all == [0o600])
                #expect(try mode(url) == 0o600)
                #expect(try mode(folder.appending(component: ".secrets.json.lock")) == 0o600)
            }
        }
    #endif

    @Test("A file that belongs to another user alone is reported", .enabled(if: geteuid() == 0))
    func anotherOwnerAlone() async throws {
        try await withSecrets(0o600) { url, _ async throws in
            #expect(chown(url.path, 12_345, 12_345) == 0)
            let preferences = Preferences(store: MemoryStore(), secrets: FileStore(url: url))
            #expect(Account(preferences: preferences).token == "hunter2")
            #expect(await preferences.reportedProblems().map(\.code) == [.secretsExposed])
        }
    }

    @Test(
        "The permissions of a file that a link of another user leads to are not changed",
        .enabled(if: geteuid() == 0),
        arguments: [true, false],
        [true, false]
    )
    func linkOfAnother(isFolder: Bool, isOpenable: Bool) async throws {
        try await withSecrets(0o644) { url, folder async throws in
            let shared = folder.appending(component: "public")
            try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: false)
            #expect(chmod(shared.path, 0o1777) == 0)
            let link = shared.appending(component: "link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: isFolder ? folder : url)
            #expect(lchown(link.path, 12_345, 12_345) == 0)
            let path = isFolder ? link.appending(component: url.lastPathComponent).path : link.path
            #expect(FileExposure(endingAt: path, isOpenable: isOpenable) == nil)
            #expect(try mode(url) == 0o644)
            #expect(FileExposure(endingAt: url.path, isOpenable: isOpenable)?.isEnded == true)
            #expect(try mode(url) == 0o600)
        }
    }
}
