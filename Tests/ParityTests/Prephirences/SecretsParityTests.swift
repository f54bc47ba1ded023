import Foundation
import KeychainTestSupport
import PreferencesRuntime
import PreferencesSecrets
import PreferencesStoreTesting
import TestSupport
import Testing

@Suite("Prephirences: secrets")
struct SecretsParityTests {
    @Test(
        "keychain: string and data, accessibility, access group, prompt, attributes, status of the last call: typed errors thrown with the status; string comes back as string; updated in place"
    )
    func keychain() throws {
        let keychain = KeychainDouble(groups: ["group"])
        let options = KeychainOptions(
            accessGroup: "group",
            accessibility: .afterFirstUnlock,
            authentication: KeychainAuthentication(.userPresence, prompt: "log in"),
            label: "Weather",
            comment: "Made by Weather"
        )
        let store = KeychainItems(keychain, service: "weather", options: options)
        let archived: PreferenceValue = ["colors": ["red", 1]]
        try store.apply(["token": .set("hunter2"), "seal": .set(.data(Data([1, 255]))), "archive": .set(archived)])
        #expect(try store.value(for: "token") == "hunter2")
        #expect(try store.value(for: "seal") == .data(Data([1, 255])))
        // The original returned nil for every archived value.
        #expect(try store.value(for: "archive") == archived)
        #expect(keychain.prompts.contains("log in"))
        var query = KeychainQuery(service: "weather")
        query.accessGroup = "group"
        let contents = try #require(keychain.item("token", of: query)?.contents)
        #expect(contents.protection == KeychainProtection(accessibility: .afterFirstUnlock, constraint: .userPresence))
        #expect(contents.label == "Weather")
        #expect(contents.comment == "Made by Weather")

        // The original deleted the item first, and lost the value if it could not be added again.
        keychain.forgetCalls()
        keychain.fail("update token", .interactionNotAllowed)
        let problem = #expect(throws: PreferenceProblem.self) { try store.apply(["token": .set("hunter3")]) }
        #expect(problem?.code == .keychainLocked)
        #expect(problem?.status == -25_308)
        #expect(keychain.calls == ["update token"])
        #expect(try store.value(for: "token") == "hunter2")
        try store.apply(["token": .set("hunter3")])
        #expect(!keychain.calls.contains("delete token"))
        #expect(try store.value(for: "token") == "hunter3")
    }

    @Test("the keychain by default: the bundle identifier's service; the status as a typed field")
    func defaultKeychain() async throws {
        let keychain = KeychainDouble()
        let store = KeychainItems(keychain)
        try store.apply(["token": .set("hunter2")])
        // A test program has no bundle identifier on Linux, and therefore its name.
        let service = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        #expect(keychain.item("token", of: KeychainQuery(service: service))?.contents.data == Data("hunter2".utf8))
        #expect(store.label == "keychain '\(service)'")

        // Thrown by the store, thrown by preferences, and reported.
        let preferences = Preferences(store: store)
        keychain.fail("update token", .interactionNotAllowed)
        let thrown = #expect(throws: PreferenceProblem.self) { try store.apply(["token": .set("hunter3")]) }
        #expect(thrown?.status == KeychainStatus.interactionNotAllowed.rawValue)
        keychain.fail("update token", .authenticationFailed)
        let token = PreferenceReference("token", default: "", in: preferences)
        let failure = #expect(throws: PreferenceProblem.self) { try token.set(\.value, to: "hunter3") }
        #expect(failure?.status == KeychainStatus.authenticationFailed.rawValue)
        keychain.fail("update token", .userCanceled)
        token.value = "hunter3"
        var problems = preferences.problems.makeAsyncIterator()
        #expect(await problems.next()?.status == KeychainStatus.userCanceled.rawValue)
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test(
        "encrypted preferences, encrypted file: AES-GCM, authenticated; wrong key or a flipped bit is a typed error, nothing is overwritten"
    )
    func encrypted() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "secrets.json")
            let key = EncryptionKey.random()
            func store(_ key: EncryptionKey) -> EncryptedStore {
                EncryptedStore(FileStore(url: url, durability: .immediate), key: key)
            }
            try store(key).apply(["token": .set("hunter2"), "pin": .set(1234)])
            #expect(try store(key).value(for: "token") == "hunter2")
            #expect(try !String(contentsOf: url, encoding: .utf8).contains("hunter2"))

            let before = try Data(contentsOf: url)
            let other = store(.random())
            let writing = #expect(throws: PreferenceProblem.self) { try other.apply(["token": .set("mine")]) }
            let reading = #expect(throws: PreferenceProblem.self) { try other.value(for: "token") }
            #expect(writing?.code == .wrongKey)
            #expect(reading?.code == .wrongKey)
            #expect(try Data(contentsOf: url) == before)

            let file = FileStore(url: url, durability: .immediate)
            guard case .data(var sealed)? = try file.value(for: "token") else {
                Issue.record("the value is not there as data")
                return
            }
            sealed[20] ^= 1
            try file.apply(["token": .set(.data(sealed))])
            let damage = #expect(throws: PreferenceProblem.self) { try store(key).value(for: "token") }
            #expect(damage?.code == .notAuthentic)
            try store(key).apply(["pin": .set(4321)])
            #expect(try FileStore(url: url).value(for: "token") == .data(sealed))
        }
    }
}
