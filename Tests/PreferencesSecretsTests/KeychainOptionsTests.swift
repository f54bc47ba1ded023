import Foundation
import KeychainTestSupport
import PreferencesRuntime
import PreferencesSecrets
import StoreTestSupport
import Testing

/// The location and protection of items.
struct KeychainOptionsTests {
    private let keychain = KeychainDouble(groups: ["group"])

    private func store(_ options: KeychainOptions) -> KeychainItems {
        KeychainItems(keychain, service: "weather", options: options)
    }

    private func query(_ change: (inout KeychainQuery) -> Void) -> KeychainQuery {
        var query = KeychainQuery(service: "weather")
        change(&query)
        return query
    }

    @Test("An item has the requested accessibility", arguments: KeychainAccessibility.allCases)
    func itemHasTheRequestedAccessibility(accessibility: KeychainAccessibility) throws {
        try store(KeychainOptions(accessibility: accessibility)).apply(["token": .set("hunter2")])
        let item = keychain.item("token", of: query { _ in })
        #expect(item?.contents.protection == KeychainProtection(accessibility: accessibility, constraint: nil))
    }

    @Test("Setting an item changes its accessibility")
    func settingAnItemChangesItsAccessibility() throws {
        try store(KeychainOptions()).apply(["token": .set("hunter2")])
        try store(KeychainOptions(accessibility: .afterFirstUnlock)).apply(["token": .set("hunter2")])
        keychain.setLocked(true)
        #expect(try store(KeychainOptions()).value(for: "token") == "hunter2")
    }

    @Test("A locked device reads items with the accessibility afterFirstUnlock")
    func lockedDeviceReadsItemsForAfterFirstUnlock() throws {
        try store(KeychainOptions()).apply(["locked": .set("hunter2")])
        let store = store(KeychainOptions(accessibility: .afterFirstUnlock))
        try store.apply(["free": .set("hunter2")])
        keychain.setLocked(true)
        #expect(try store.value(for: "free") == "hunter2")
        let problem = #expect(throws: PreferenceProblem.self) { try store.value(for: "locked") }
        #expect(problem?.code == .keychainLocked)
        #expect(try store.names() == ["locked", "free"])
    }

    @Test("An access group has its own items")
    func accessGroupsAreSeparate() throws {
        try store(KeychainOptions(accessGroup: "group")).apply(["token": .set("shared")])
        #expect(keychain.item("token", of: query { $0.accessGroup = "group" }) != nil)
        #expect(try store(KeychainOptions()).value(for: "token") == nil)
    }

    @Test("An access group that the program is not signed for is rejected")
    func foreignAccessGroupIsRejected() throws {
        let problem = #expect(throws: PreferenceProblem.self) {
            try store(KeychainOptions(accessGroup: "other")).value(for: "token")
        }
        #expect(problem?.code == .missingEntitlement)
    }

    @Test("Items in iCloud Keychain are separate")
    func synchronizableItemsAreSeparate() throws {
        try store(KeychainOptions(isSynchronizable: true)).apply(["token": .set("everywhere")])
        try store(KeychainOptions()).apply(["token": .set("here")])
        #expect(try store(KeychainOptions(isSynchronizable: true)).value(for: "token") == "everywhere")
        #expect(try store(KeychainOptions()).value(for: "token") == "here")
    }

    @Test("Items in iCloud Keychain cannot be for this device only")
    func synchronizableItemsCannotBeForThisDeviceOnly() throws {
        let options = KeychainOptions(accessibility: .afterFirstUnlockThisDeviceOnly, isSynchronizable: true)
        let message =
            "the keychain was not changed (status -50: One or more parameters passed to a function were not valid); "
            + "the options exclude each other: values in iCloud Keychain cannot be for this device only, nor require "
            + "authentication"
        let label = "iCloud keychain 'weather'"
        let problem = PreferenceProblem(.storeUnwritable, key: "token", store: label, message: message, status: -50)
        #expect(throws: problem) { try store(options).apply(["token": .set("hunter2")]) }
    }

    @Test("The login keychain is separate")
    func loginKeychainIsSeparate() throws {
        try store(KeychainOptions(usesDataProtectionKeychain: false)).apply(["token": .set("login")])
        #expect(try store(KeychainOptions()).value(for: "token") == nil)
        #expect(keychain.item("token", of: query { $0.usesDataProtectionKeychain = false }) != nil)
    }

    @Test("The prompt is shown only when a value is read")
    func promptIsShownForValuesOnly() throws {
        let store = store(KeychainOptions(authentication: KeychainAuthentication(.biometryAny, prompt: "log in")))
        try store.apply(["token": .set("hunter2")])
        #expect(try store.names() == ["token"])
        #expect(try store.source(of: "token")?.description == "keychain 'weather'")
        try store.apply(["token": .set("hunter3")])
        #expect(keychain.prompts == [])
        #expect(try store.value(for: "token") == "hunter3")
        #expect(keychain.prompts == ["log in"])
        keychain.answer(.userCanceled)
        let problem = #expect(throws: PreferenceProblem.self) { try store.value(for: "token") }
        #expect(problem?.code == .authenticationCancelled)
    }

    // Migrations compare stores by their labels.
    @Test("Stores of different items have different labels")
    func labelsDifferByItems() {
        let labels = [
            KeychainOptions(), KeychainOptions(usesDataProtectionKeychain: false),
            KeychainOptions(accessGroup: "group"), KeychainOptions(isSynchronizable: true),
            KeychainOptions(accessGroup: "group", isSynchronizable: true),
        ].map { store($0).label }
        #expect(
            labels == [
                "keychain 'weather'", "login keychain 'weather'", "keychain 'weather' of the group 'group'",
                "iCloud keychain 'weather'", "iCloud keychain 'weather' of the group 'group'",
            ]
        )
    }

    @Test("Items have the label and the comment of the options")
    func itemsHaveLabelAndComment() throws {
        try store(KeychainOptions(label: "Weather", comment: "Made by Weather")).apply(["token": .set("hunter2")])
        let contents = keychain.item("token", of: query { _ in })?.contents
        #expect(contents?.label == "Weather")
        #expect(contents?.comment == "Made by Weather")
    }

    @Test("Changes and reloads are observed")
    func changesAndReloadsAreObserved() throws {
        let store = store(KeychainOptions())
        let changes = StoreChanges(of: store)
        try store.apply(["token": .set("hunter2")])
        try store.update { _ in ["token": .remove] }
        store.reload()
        #expect(changes.soFar == [.names(["token"]), .names(["token"]), .everything])
        #expect(!store.notifiesAllChanges)
    }
}
