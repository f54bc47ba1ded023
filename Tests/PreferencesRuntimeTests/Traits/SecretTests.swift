import Foundation
import PreferencesRuntime
import StoreTestSupport
import Testing

struct SecretTests {
    private let store = FaultyStore()
    private let secrets = FaultyStore()
    private let preferences: Preferences
    private var account: Account { Account(preferences: preferences) }

    init() {
        preferences = Preferences(store: store, secrets: secrets)
    }

    // MARK: Location

    @Test("A secret is stored only in the secrets store")
    func aSecretIsStoredOnlyInTheSecretsStore() throws {
        account.token = "hunter2"
        account.locale = Locale(identifier: "nb_NO")
        #expect(account.token == "hunter2")
        #expect(account.locale == Locale(identifier: "nb_NO"))
        #expect(secrets.names() == ["token", "locale"])
        #expect(store.batches.isEmpty)
    }

    @Test("Other values are not stored in the secrets store")
    func otherValuesAreNotInTheSecretsStore() {
        account.name = "Anna"
        #expect(store.names() == ["name"])
        #expect(secrets.batches.isEmpty)
    }

    @Test("A value of the same name in the main store is not read")
    func aValueOfTheSameNameInTheMainStoreIsNotRead() throws {
        try store.apply(["token": .set("public")])
        #expect(account.token == nil)
        #expect(!account.isSet(\.token))
    }

    @Test("Operations on key paths use the secrets store")
    func keyPathOperationsUseTheSecretsStore() {
        #expect(!account.isSet(\.token))
        account.token = "hunter2"
        #expect(account.isSet(\.token))
        #expect(account.defaultValue(\.token) == nil)
        #expect(account.defaultValue(\.hint) == "none")
        account.reset(\.token)
        #expect(!account.isSet(\.token))
        #expect(secrets.names().isEmpty)
        #expect(store.batches.isEmpty)
    }

    @Test("Resetting a property over a secret and another key changes both stores")
    func resettingAPropertyOverASecretChangesBothStores() {
        account.name = "Anna"
        account.token = "hunter2"
        account.reset(\.summary)
        #expect(store.names().isEmpty && secrets.names().isEmpty)
    }

    @Test("Nil is stored in the secrets store if the default is not nil")
    func nilIsStoredInTheSecretsStore() throws {
        account.hint = nil
        #expect(account.hint == nil)
        #expect(try secrets.value(for: "hint") == .null)
        account.token = "hunter2"
        account.token = nil
        #expect(!account.isSet(\.token))
    }

    @Test("flush() and reload() apply to both stores")
    func flushAndReloadApplyToBothStores() throws {
        let hidden = "its error (Fault) is not shown, as it may contain a secret"
        secrets.failWrites("locked")
        #expect(throws: PreferenceProblem(.storeUnwritable, store: "faulty", message: hidden)) {
            try preferences.flush()
        }
        secrets.failReads("locked")
        #expect(throws: PreferenceProblem(.storeUnreadable, store: "faulty", message: hidden)) {
            try preferences.reload()
        }
    }

    // MARK: Without a secrets store

    @Test("Without a secrets store, a secret reads as its default, which is reported once")
    func withoutASecretsStoreASecretReadsAsItsDefaultWhichIsReportedOnce() async throws {
        try store.apply(["token": .set("public")])
        let preferences = Preferences(store: store, secrets: nil)
        for _ in 0..<3 { #expect(Account(preferences: preferences).hint == "none") }
        #expect(!Account(preferences: preferences).isSet(\.token))
        #expect(
            await preferences.reportedProblems().filter { $0.key == "hint" } == [
                missingStore("hint", "using its default")
            ]
        )
    }

    @Test("Without a secrets store, a secret is not set", arguments: ["hunter2", nil])
    func withoutASecretsStoreASecretIsNotSet(to token: String?) async throws {
        let preferences = Preferences(store: store, secrets: nil)
        Account(preferences: preferences).token = token
        #expect(await preferences.reportedProblems() == [missingStore("token", "it was not set")])
        #expect(throws: missingStore("token", "it was not set")) {
            try Account(preferences: preferences).set(\.token, to: token)
        }
        #expect(store.batches.isEmpty)
    }

    @Test("Without a secrets store, a secret is not reset")
    func withoutASecretsStoreASecretIsNotReset() async {
        let preferences = Preferences(store: store, secrets: nil)
        let account = Account(preferences: preferences)
        account.name = "Anna"
        account.reset(\.summary)
        #expect(account.name == "Anna")
        #expect(await preferences.reportedProblems().contains(missingStore("token", "it was not reset")))
    }

    private func missingStore(_ key: String, _ consequence: String) -> PreferenceProblem {
        PreferenceProblem(
            .noSecretsStore,
            key: key,
            store: "faulty",
            message: "the key is secret, and these preferences have no store for secrets: create them with "
                + "'Preferences(store:secrets:)', and make them 'Preferences.shared' by "
                + "'Preferences.bootstrap(_:)' when the program starts; \(consequence)"
        )
    }
}
