#if !canImport(Security)
    import Foundation
    import PreferencesRuntime
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import PreferencesSecrets

    /// Secret keys in a keyring, and the key of an encrypted store.
    struct SecretServicePreferencesTests {
        private let options = SecretServiceOptions(unlocking: .fail, timeout: .seconds(120))

        @Test("Secret keys are set, read, watched and reset in the keyring, and other keys are not")
        func secretKeys() async throws {
            try await DesktopSession.run { session in
                let main = MemoryStore()
                let preferences = Preferences(store: main, secrets: session.store())
                let changes = Changes<String>()
                preferences.watch(\.radarToken, options: [.old, .new]) { changes.add($0) }
                #expect(preferences.radarToken == "none")
                preferences.radarToken = "hunter2"
                preferences.pin = 42
                preferences.unit = "K"
                #expect(preferences.radarToken == "hunter2")
                #expect(preferences.pin == 42)
                #expect(main.names() == ["unit"])
                #expect(try await session.lookup("radar:token") == Data("hunter2".utf8))
                #expect(try await session.lookup("radar:pin") == Data("42".utf8))
                let others = Preferences(store: MemoryStore(), secrets: session.store())
                #expect(others.radarToken == "hunter2")
                #expect(others.pin == 42)
                try preferences.transaction { preferences in
                    preferences.radarToken = "hunter3"
                    preferences.pin = nil
                }
                #expect(try await session.lookup("radar:token") == Data("hunter3".utf8))
                #expect(try await session.lookup("radar:pin") == nil)
                try preferences.update(\.radarToken) { $0 += "!" }
                try preferences.resetAll()
                #expect(preferences.radarToken == "none")
                #expect(try await session.items("service", "weather").count == 0)
                #expect(
                    changes.soFar == [
                        ["none", "hunter2"], ["hunter2", "hunter3"], ["hunter3", "hunter3!"], ["hunter3!", "none"],
                    ]
                )
                #expect(await preferences.reportedProblems() == [])
            }
        }

        @Test("Changes by secret-tool notify watchers once, with old and new values", .timeLimit(.minutes(5)))
        func changesByTool() async throws {
            try await DesktopSession.run { session in
                let preferences = Preferences(store: MemoryStore(), secrets: session.store())
                let changes = Changes<String>()
                preferences.watch(\.radarToken, options: [.old, .new]) { changes.add($0) }
                #expect(preferences.radarToken == "none")
                try await session.toolStore("first", "radar:token")
                #expect(await changes.next() == ["none", "first"])
                try await session.toolStore("second", "radar:token")
                #expect(await changes.next() == ["first", "second"])
                #expect(preferences.radarToken == "second")
                preferences.radarToken = "third"
                #expect(await changes.next() == ["second", "third"])
                try await session.toolClear("radar:token")
                #expect(await changes.next() == ["third", "none"])
                try await session.toolStore("third", "radar:token")
                #expect(await changes.next() == ["none", "third"])
                #expect(changes.soFar.count == 5)
            }
        }

        @Test("Observers are notified if another program sets the value of the store again", .timeLimit(.minutes(5)))
        func valueThatIsSetAgain() async throws {
            try await DesktopSession.run { session in
                let (store, other) = (session.store(), session.store())
                let changes = StoreChanges(of: store)
                // The signal of the last change follows those of the changes before it.
                func changesUntilEnd(of edits: PreferenceEdit...) async throws -> [PreferenceStoreChange] {
                    for edit in edits {
                        try other.apply(["token": edit])
                        // The store has handled the signals of each change.
                        let end = "end \(UUID())"
                        try other.apply([end: .set(1)])
                        await changes.wait { changes.soFar.contains { $0.contains(end) } }
                    }
                    return changes.soFar.filter { $0.contains("token") }
                }
                try store.apply(["token": .set("mine")])
                let own = changes.soFar.count { $0.contains("token") }
                #expect(try await changesUntilEnd(of: .set("theirs"), .set("mine")).count == own + 2)
                try store.apply(["token": .set("mine")])
                let before = changes.soFar.count { $0.contains("token") }
                #expect(try await changesUntilEnd(of: .remove, .set("mine")).count == before + 2)
            }
        }

        @Test("A store's own changes are not reported as those of others", .timeLimit(.minutes(5)))
        func ownChanges() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                let changes = StoreChanges(of: store)
                for number in 1...20 { try store.apply(["token": .set(.int(Int64(number))), "other": .set("text")]) }
                try store.apply(["token": .set("text"), "other": .remove])
                try session.store().apply(["end": .set(1)])
                await changes.wait { changes.soFar.contains(.names(["end"])) }
                #expect(changes.soFar.count == 22)
            }
        }

        // MARK: - The key of an encrypted store

        @Test("A file of secrets follows a keyring that is locked at the start", .timeLimit(.minutes(5)))
        func encryptedFile() async throws {
            try await DesktopSession.run { session in
                try await withTemporaryDirectory { folder async throws in
                    let url = folder.appending(component: "secrets.json")
                    func store() -> EncryptedStore {
                        EncryptedStore(FileStore(url: url), keyIn: session.store(options))
                    }
                    try store().apply(["radar:token": .set("hunter2")])
                    #expect(try await session.items("service", "weather").count == 1)
                    try await session.lock()
                    let preferences = Preferences(store: MemoryStore(), secrets: store())
                    let changes = Changes<String>()
                    preferences.watch(\.radarToken, options: [.old, .new]) { changes.add($0) }
                    #expect(preferences.radarToken == "none")
                    #expect(await Set(preferences.reportedProblems().map(\.code)) == [.keychainLocked])
                    #expect(changes.soFar == [])
                    try await session.unlock()
                    #expect(await changes.next() == ["none", "hunter2"])
                    #expect(preferences.radarToken == "hunter2")
                    preferences.radarToken = "hunter3"
                    #expect(try store().value(for: "radar:token") == "hunter3")
                    #expect(changes.soFar.count == 2)
                }
            }
        }
    }

    extension PreferenceStoreChange {
        fileprivate func contains(_ name: String) -> Bool {
            switch self {
            case .names(let names): names.contains(name)
            default: false
            }
        }
    }

    /// The old and new values of changes, in the order of the notifications.
    private final class Changes<Value: Sendable & Hashable>: Sendable {
        private let recorder = Recorder<[Value?]>()
        private let (stream, continuation) = AsyncStream.makeStream(of: [Value?].self)

        var soFar: [[Value?]] { recorder.all }

        func add(_ change: PreferenceChange<Value>) {
            recorder.add([change.old, change.new])
            continuation.yield([change.old, change.new])
        }

        /// Waits for the next change.
        func next() async -> [Value?]? {
            await stream.first { _ in true }
        }
    }

    // Accessors in the form that the generator writes.
    extension Preferences {
        fileprivate var radarToken: String {
            get { get("radar:token", default: "none", [.secret]) }
            set { set("radar:token", to: newValue, [.secret]) }
        }

        fileprivate var pin: Int? {
            get { get("radar:pin", default: nil, [.secret]) }
            set { set("radar:pin", to: newValue, [.secret]) }
        }

        fileprivate var unit: String {
            get { get("unit", default: "C") }
            set { set("unit", to: newValue) }
        }
    }
#endif
