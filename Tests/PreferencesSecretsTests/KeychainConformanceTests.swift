import Foundation
import KeychainTestSupport
import PreferencesRuntime
import PreferencesSecrets
import PreferencesStoreTesting
import Testing

/// Keychain stores over a double of the keychain, held to every promise of a store.
struct KeychainConformanceTests {
    private static let options = [
        KeychainOptions(), KeychainOptions(accessGroup: "group", isSynchronizable: true, label: "Weather"),
        KeychainOptions(authentication: KeychainAuthentication(.userPresence, prompt: "read it")),
    ]

    @Test(arguments: options, StoreCheck.all)
    func aKeychainStoreKeepsItsPromises(options: KeychainOptions, check: StoreCheck) {
        let keychain = KeychainDouble(groups: ["group"])
        let subject = StoreSubject(
            open: { KeychainItems(keychain, service: "weather", options: options) },
            breakBackend: { keychain.failAll(.interactionNotAllowed) },
            repairBackend: { keychain.failAll(nil) }
        )
        #expect(throws: Never.self) { try check.run(on: subject) }
    }

    @Test("A keychain store excludes writers")
    func excludesWriters() {
        #expect(KeychainItems(KeychainDouble(), service: "weather", options: KeychainOptions()).excludesWriters)
    }
}
