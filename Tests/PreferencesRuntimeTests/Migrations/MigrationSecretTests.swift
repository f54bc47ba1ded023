import PreferencesRuntime
import StoreTestSupport
import Testing

/// Migrations of values to the secrets store.
@Suite("Migrations of secrets")
struct MigrationSecretTests {
    private let store = MemoryStore(["password": "hunter2", "a": 1])
    private let secrets = MemoryStore()

    private func migrate(_ steps: PreferenceMigration.Step...) -> Preferences {
        let preferences = Preferences(store: store, secrets: secrets, migrations: [.init(version: 1, steps)])
        _ = preferences.get(named: "a", default: 0)
        return preferences
    }

    @Test("A value is moved to the secrets store")
    func aValueMovesToTheSecrets() {
        let preferences = migrate(.move("password", to: "token", isSecret: true))
        #expect(Account(preferences: preferences).token == "hunter2")
        #expect(secrets.contents == ["token": "hunter2"])
        #expect(store.contents == ["a": 1, "::version": 1])
    }

    @Test("A key that becomes secret keeps its name")
    func aKeyThatBecomesSecretKeepsItsName() {
        store.apply(["token": .set("plain")])
        let preferences = migrate(.move("token", to: "token", isSecret: true))
        #expect(Account(preferences: preferences).token == "plain")
        #expect(secrets.contents == ["token": "plain"])
        #expect(store.contents == ["password": "hunter2", "a": 1, "::version": 1])
    }

    @Test("A value of another store is moved to the secrets store")
    func aValueOfAnotherStoreMovesToTheSecrets() {
        let old: MemoryStore = ["password": "swordfish"]
        _ = migrate(.move("password", from: old, to: "token", isSecret: true) { (text: String) in text.uppercased() })
        #expect(secrets.contents == ["token": "SWORDFISH"])
        #expect(store.contents == ["password": "hunter2", "a": 1, "::version": 1])
        #expect(old.contents.isEmpty)
    }

    @Test("The secrets are written before the main store")
    func secretsAreWrittenFirst() {
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

    @Test("A secret that is set already is kept")
    func aSetSecretIsKept() {
        secrets.apply(["token": .set("newer")])
        _ = migrate(.move("password", to: "token", isSecret: true))
        #expect(secrets.contents == ["token": "newer"])
        #expect(store.contents == ["password": "hunter2", "a": 1, "::version": 1])
    }

    @Test("A secret can be renamed")
    func aSecretIsRenamed() {
        secrets.apply(["pin": .set(1)])
        _ = migrate(.move("pin", from: secrets, to: "code", isSecret: true) { (number: Int) in "\(number)" })
        #expect(secrets.contents == ["code": "1"])
    }

    @Test("A secret can be moved to the main store")
    func aSecretBecomesPublic() {
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

    @Test("A secret is not converted under its own name")
    func aSecretIsNotConvertedUnderItsOwnName() async {
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
        "The problem of a secret that cannot be converted does not quote it",
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

    @Test("Without a secrets store, the value stays until there is one")
    func aValueStaysWithoutASecretsStore() async {
        let migrations = [
            PreferenceMigration(version: 1, [.move("password", to: "token", isSecret: true), .move("a", to: "b")])
        ]
        let without = Preferences(store: store, secrets: nil, migrations: migrations)
        #expect(without.get(named: "b", default: 0) == 1)
        #expect(
            await without.reportedProblems() == [
                PreferenceProblem(
                    .noSecretsStore,
                    key: "token",
                    store: "memory",
                    message: "the key is secret, and these preferences have no store for secrets: "
                        + "create them with 'Preferences(store:secrets:)', and make them 'Preferences.shared' by "
                        + "'Preferences.bootstrap(_:)' when the program starts; its value was not moved there; "
                        + "this part of migration 1 is retried at the next launch"
                )
            ]
        )
        #expect(store.value(for: "password") == "hunter2")
        let with = Preferences(store: store, secrets: secrets, migrations: migrations)
        #expect(Account(preferences: with).token == "hunter2")
        #expect(store.contents == ["b": 1, "::version": 1])
    }

    @Test("A secrets store that cannot be written delays only its own steps")
    func unwritableSecretsDelayOnlyTheirSteps() async {
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
                        "its error (Fault) is not shown, as it may contain a secret; this part of migration 1 is retried at the next launch"
                )
            ]
        )
        locked.failWrites(nil)
        let next = Preferences(store: store, secrets: locked, migrations: migrations)
        #expect(Account(preferences: next).token == "hunter2")
        #expect(store.contents == ["b": 1, "::version": 1])
    }

    @Test("A secrets store that cannot be read delays only its own steps")
    func unreadableSecretsDelayOnlyTheirSteps() async {
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

/// An error whose description quotes a value.
private struct Quoting: Error, CustomStringConvertible {
    let description: String

    init(_ text: String) {
        description = "what is \(text)?"
    }
}
