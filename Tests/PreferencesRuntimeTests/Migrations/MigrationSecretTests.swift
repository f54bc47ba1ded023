import PreferencesRuntime
import Testing
import StoreTestSupport

/// Values that become secrets.
struct MigrationSecretTests {
    private let store = MemoryStore(["password": "hunter2", "a": 1])
    private let secrets = MemoryStore()

    private func migrate(_ steps: PreferenceMigration.Step...) -> Preferences {
        let preferences = Preferences(store: store, secrets: secrets, migrations: [.init(version: 1, steps)])
        _ = preferences.get(named: "a", default: 0)
        return preferences
    }

    @Test func aValueMovesToTheSecrets() {
        let preferences = migrate(.move("password", to: "token", isSecret: true))
        #expect(Account(preferences: preferences).token == "hunter2")
        #expect(secrets.contents == ["token": "hunter2"])
        #expect(store.contents == ["a": 1, "::version": 1])
    }

    @Test func aKeyThatBecomesSecretKeepsItsName() {
        store.apply(["token": .set("plain")])
        let preferences = migrate(.move("token", to: "token", isSecret: true))
        #expect(Account(preferences: preferences).token == "plain")
        #expect(secrets.contents == ["token": "plain"])
        #expect(store.contents == ["password": "hunter2", "a": 1, "::version": 1])
    }

    @Test func aValueOfAnotherStoreMovesToTheSecrets() {
        let old: MemoryStore = ["password": "swordfish"]
        _ = migrate(.move("password", from: old, to: "token", isSecret: true) { (text: String) in text.uppercased() })
        #expect(secrets.contents == ["token": "SWORDFISH"])
        #expect(store.contents == ["password": "hunter2", "a": 1, "::version": 1])
        #expect(old.contents.isEmpty)
    }

    @Test func theSecretsComeFirst() {
        let probe = StoreProbe()
        let old = ProbedStore("old", ["pin": 1], probe)
        let preferences = Preferences(
            store: ProbedStore("here", store, probe),
            secrets: ProbedStore("secrets", secrets, probe),
            migrations: [
                .init(
                    version: 1,
                    [.move("password", to: "token", isSecret: true), .moveAll(from: old, isSecret: true)]
                )
            ]
        )
        _ = preferences.get(named: "a", default: 0)
        #expect(
            probe.operations == [
                "secrets: set 'pin', set 'token'",
                "secrets: flush",
                "here: set '::unfinished', set '::version', remove 'password'",
                "here: flush",
                "old: remove 'pin'",
                "old: flush",
                "here: remove '::unfinished'",
            ]
        )
    }

    @Test func aSecretThatIsSetIsKept() {
        secrets.apply(["token": .set("newer")])
        _ = migrate(.move("password", to: "token", isSecret: true))
        #expect(secrets.contents == ["token": "newer"])
        #expect(store.contents == ["password": "hunter2", "a": 1, "::version": 1])
    }

    @Test func aSecretGetsAnotherName() {
        secrets.apply(["pin": .set(1)])
        _ = migrate(.move("pin", from: secrets, to: "code", isSecret: true) { (number: Int) in "\(number)" })
        #expect(secrets.contents == ["code": "1"])
    }

    @Test func aSecretBecomesNone() {
        let probe = StoreProbe()
        secrets.apply(["nickname": .set("x")])
        let secretStore = ProbedStore("secrets", secrets, probe)
        let preferences = Preferences(
            store: ProbedStore("here", store, probe),
            secrets: secretStore,
            migrations: [.init(version: 1, [.move("nickname", from: secretStore, to: "nickname")])]
        )
        #expect(preferences.get(named: "nickname", default: "") == "x")
        #expect(secrets.contents.isEmpty)
        #expect(
            probe.operations == [
                "here: set '::unfinished', set '::version', set 'nickname'",
                "here: flush",
                "secrets: remove 'nickname'",
                "secrets: flush",
                "here: remove '::unfinished'",
            ]
        )
    }

    @Test func aSecretIsNotConvertedUnderItsOwnName() async {
        secrets.apply(["pin": .set(1)])
        let preferences = migrate(.move("pin", from: secrets, to: "pin", isSecret: true) { (pin: Int) in pin + 1 })
        #expect(secrets.contents == ["pin": 1])
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .migrationFailed,
                    key: "pin",
                    store: "memory",
                    message: "a secret cannot be converted under its own name; it was left as it is"
                )
            ]
        )
    }

    // MARK: Faults

    @Test(
        arguments: [
            .move("password", to: "pin", isSecret: true) { (number: Int) in number },
            .move("password", to: "pin", isSecret: true) { (_: String) in Stubborn() },
            .move("password", to: "pin", isSecret: true) { (text: String) -> String? in throw Quoting(text) },
        ] as [PreferenceMigration.Step]
    )
    func aSecretThatCannotBeConvertedIsNotQuoted(step: PreferenceMigration.Step) async {
        let preferences = migrate(step)
        #expect(secrets.contents.isEmpty)
        #expect(store.contents == ["password": "hunter2", "a": 1, "::version": 1])
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .migrationFailed,
                    key: "password",
                    store: "memory",
                    message: "its value, which is secret, cannot be converted; it was not moved to 'pin'"
                )
            ]
        )
    }

    @Test func withoutASecretsStoreTheValueStaysUntilThereIsOne() async {
        let migrations = [
            PreferenceMigration(version: 1, [.move("password", to: "token", isSecret: true), .move("a", to: "b")])
        ]
        let without = Preferences(store: store, migrations: migrations)
        #expect(without.get(named: "b", default: 0) == 1)
        #expect(
            await without.reportedProblems() == [
                PreferenceProblem(
                    .noSecretsStore,
                    key: "token",
                    store: "memory",
                    message: "the key is secret, and these preferences have no store for secrets: "
                        + "make them with 'Preferences(store:secrets:)', and hand 'Preferences.shared' such ones with "
                        + "'Preferences.bootstrap(_:)' where the program starts; its value was not moved there; "
                        + "this part of migration 1 is tried again at the next start"
                )
            ]
        )
        #expect(store.value(for: "password") == "hunter2")
        let with = Preferences(store: store, secrets: secrets, migrations: migrations)
        #expect(Account(preferences: with).token == "hunter2")
        #expect(store.contents == ["b": 1, "::version": 1])
    }

    @Test func secretsThatCannotBeWrittenHoldNothingElseUp() async {
        let locked = FaultyStore()
        locked.failWrites("the keychain is locked")
        let migrations = [
            PreferenceMigration(version: 1, [.move("password", to: "token", isSecret: true), .move("a", to: "b")])
        ]
        let preferences = Preferences(store: store, secrets: locked, migrations: migrations)
        #expect(preferences.get(named: "b", default: 0) == 1)
        #expect(store.value(for: "password") == "hunter2")
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .storeUnwritable,
                    store: "faulty",
                    message:
                        "its error (Fault) is not shown, as it may contain a secret; this part of migration 1 is tried again at the next start"
                )
            ]
        )
        locked.failWrites(nil)
        let next = Preferences(store: store, secrets: locked, migrations: migrations)
        #expect(Account(preferences: next).token == "hunter2")
        #expect(store.contents == ["b": 1, "::version": 1])
    }

    @Test func secretsThatCannotBeReadHoldNothingElseUp() async {
        let locked = FaultyStore()
        locked.failReads("the keychain is locked")
        let migrations = [
            PreferenceMigration(version: 1, [.move("password", to: "token", isSecret: true), .move("a", to: "b")])
        ]
        let preferences = Preferences(store: store, secrets: locked, migrations: migrations)
        #expect(preferences.get(named: "b", default: 0) == 1)
        #expect(store.value(for: "password") == "hunter2")
        #expect(await preferences.reportedProblems().map(\.code) == [.storeUnreadable])
    }
}

/// Has what it is about in its words.
private struct Quoting: Error, CustomStringConvertible {
    let description: String

    init(_ text: String) {
        description = "what is \(text)?"
    }
}
