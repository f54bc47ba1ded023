import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// The default of `Preferences.secrets`, with a store in memory in place of the system's.
struct SystemSecretsTests {
    private let store = FaultyStore(["name": "Anna", "password": "hunter2"])
    private let lookups = Lookups()

    /// Creates preferences whose secrets are looked up.
    private func preferences(
        over store: FaultyStore? = nil,
        migrations: [PreferenceMigration] = []
    ) -> Preferences {
        let source = SecretsSource.lookedUp { [lookups] _ in lookups.find() }
        return Preferences(store: store ?? self.store, source, Preparation(migrations), isObserved: false)
    }

    // MARK: The moment

    @Test("Nothing but the use of a secret looks up the system's store")
    func otherUsesLookUpNothing() throws {
        let migrations = [PreferenceMigration(version: 1, [.move("old", from: MemoryStore(["old": 1]), to: "new")])]
        let preferences = preferences(migrations: migrations)
        let account = Account(preferences: preferences)
        let watcher = account.watch(\.name) { _ in }
        #expect(account.name == "Anna")
        account.name = "Berta"
        try preferences.transaction { _ in account.name = "Carla" }
        #expect(preferences.get(named: "new", default: 0) == 1)
        try store.apply(["name": .set("Dora")])
        try preferences.flush()
        try preferences.reload()
        account.reset(\.name)
        #expect(Mirror(reflecting: preferences).children.map(\.label) == ["store"])
        #expect(preferences.prefixed("a:").get(named: "name", default: "") == "")
        watcher.cancel()
        #expect(lookups.count == 0)
    }

    @Test(
        "The first use of a secret looks up the system's store, and later ones use it",
        arguments: [
            { _ = $0.token }, { $0.token = nil }, { _ = $0.isSet(\.pin) }, { $0.reset(\.pin) },
            { _ = $0.watch(\.token) { _ in } }, { _ = $0.preferences.secrets },
            { account in try? account.preferences.transaction { _ in account.pin = 1 } },
            { try? $0.preferences.resetAll() },
            { account in
                let part = Account(preferences: account.preferences.prefixed(""))
                part.pin = 1
            },
        ] as [@Sendable (Account) -> Void]
    )
    func firstUseLooksUp(use: @Sendable (Account) -> Void) throws {
        let account = Account(preferences: preferences())
        use(account)
        #expect(lookups.count == 1)
        account.token = "hunter2"
        #expect(account.token == "hunter2")
        #expect(lookups.store.value(for: "token") == "hunter2")
        #expect(store.batches.allSatisfy { $0["token"] == nil })
        try account.preferences.flush()
        try account.preferences.reload()
        #expect(lookups.count == 1)
        #expect(Mirror(reflecting: account.preferences).children.map(\.label) == ["store", "secrets"])
    }

    @Test("Threads that use the first secret at the same time look it up once")
    func threadsLookUpOnce() {
        let account = Account(preferences: preferences())
        DispatchQueue.concurrentPerform(iterations: 8) { _ in #expect(account.token == nil) }
        #expect(lookups.count == 1)
    }

    @Test("A migration that moves a secret looks up the system's store")
    func migratedSecret() {
        let preferences = preferences(migrations: [.init(version: 1, [.move("password", to: "token", isSecret: true)])])
        #expect(Account(preferences: preferences).name == "Anna")
        #expect(lookups.store.value(for: "token") == "hunter2")
        #expect(lookups.count == 1)
    }

    // MARK: The store

    @Test("Preferences over a part have the part of the same secrets")
    func part() {
        let preferences = preferences()
        Account(preferences: preferences.prefixed("work:")).token = "hunter2"
        #expect(lookups.store.value(for: "work:token") == "hunter2")
        #expect(preferences.secrets as? MemoryStore === lookups.store)
        #expect(lookups.count == 1)
    }

    @Test("Watchers are notified of changes by other preferences with other stores, and of external changes")
    func observation() {
        let account = Account(preferences: preferences())
        let other = Account(preferences: preferences(over: FaultyStore()))
        let seen = Recorder<String?>()
        account.watch(\.token) { seen.add($0.new) }
        other.token = "a"
        lookups.store.apply(["token": .set("b")])
        account.token = "c"
        other.reset(\.token)
        #expect(seen.all == ["a", "b", "c", nil])
    }

    @Test("A file of secrets that others can access is reported and narrowed when the first secret is used")
    func exposed() async throws {
        try await withTemporaryDirectory { folder async throws in
            let url = folder.appending(component: "secrets.json")
            try Data(#"{"token": "hunter2"}"#.utf8).write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
            let source = SecretsSource.lookedUp { _ in .store(FileStore(url: url)) }
            let preferences = Preferences(store: store, source, Preparation([]), isObserved: false)
            #expect(Account(preferences: preferences).name == "Anna")
            #expect(await preferences.reportedProblems().isEmpty)
            #expect(Account(preferences: preferences).token == "hunter2")
            #expect(await preferences.reportedProblems().map(\.code) == [.secretsExposed])
        }
    }

    // MARK: Without a store

    @Test("A system without a store is a problem, which is reported once")
    func missing() async {
        lookups.isMissing = true
        let account = Account(preferences: preferences())
        for _ in 0..<3 { #expect(account.hint == "none") }
        account.token = "hunter2"
        #expect(
            await account.preferences.reportedProblems() == [
                missing("hint", "using its default"), missing("token", "it was not set"),
            ]
        )
        #expect(throws: missing("token", "it was not set")) { try account.set(\.token, to: "x") }
        #expect(store.batches.isEmpty)
    }

    private func missing(_ key: String, _ consequence: String) -> PreferenceProblem {
        PreferenceProblem(
            .noSecretsStore,
            key: key,
            store: "faulty",
            message: "the key is secret, and the tests have none; \(consequence)"
        )
    }

    @Test("A store that is available later is used from then on")
    func laterAvailable() {
        lookups.isMissing = true
        let account = Account(preferences: preferences())
        #expect(account.token == nil)
        lookups.isMissing = false
        account.token = "hunter2"
        #expect(account.token == "hunter2")
        #expect(lookups.store.value(for: "token") == "hunter2")
    }

    @Test("A process that runs tests does not use the system's store")
    func tests() async {
        let preferences = Preferences(store: store)
        #expect(Account(preferences: preferences).hint == "none")
        #expect(preferences.secrets == nil)
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "the key is secret, and these preferences do not use the system's store for secrets, as this process "
                    + "runs tests: create them with 'Preferences.inMemory()' or 'Preferences(store:secrets:)'; "
                    + "using its default"
            ]
        )
    }

    @Test(
        "Preferences over a store without persistence do not use the system's store",
        arguments: [
            MemoryStore(), MemoryStore().prefixed("a:"), LayeredStore([MemoryStore()]), EnvironmentStore(prefix: "A_"),
        ] as [any PreferenceStore]
    )
    func inMemory(store: any PreferenceStore) throws {
        guard case .missing(let reason) = AvailableSecrets.ofSystem(for: store, isTest: false) else {
            Issue.record("there is a store")
            return
        }
        #expect(
            reason == "these preferences, which are in memory, do not use the system's store for secrets: create them "
                + "with 'Preferences.inMemory()' or 'Preferences(store:secrets:)'"
        )
    }
}

/// Looks up a store in memory, and counts that.
private final class Lookups: Sendable {
    let store = MemoryStore()
    private let state = Locked((count: 0, isMissing: false))

    var count: Int { state.withLock { $0.count } }
    var isMissing: Bool {
        get { state.withLock { $0.isMissing } }
        set { state.withLock { $0.isMissing = newValue } }
    }

    func find() -> AvailableSecrets {
        state.withLock { state in
            state.count += 1
            return state.isMissing ? .missing(reason: "the tests have none") : .store(store)
        }
    }
}
