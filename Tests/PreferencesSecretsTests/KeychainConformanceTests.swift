import Foundation
import KeychainTestSupport
import PreferencesRuntime
import PreferencesSecrets
import PreferencesStoreTesting
import Testing

/// The conformance of keychain stores, over a double of the keychain.
struct KeychainConformanceTests {
    private static let options = [
        KeychainOptions(), KeychainOptions(accessGroup: "group", isSynchronizable: true, label: "Weather"),
        KeychainOptions(authentication: KeychainAuthentication(.userPresence, prompt: "read it")),
    ]

    @Test("A keychain store passes each check of the conformance kit", arguments: options, StoreCheck.all)
    func keychainStorePassesConformanceCheck(options: KeychainOptions, check: StoreCheck) {
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
