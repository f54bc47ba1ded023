import Foundation
import KeychainTestSupport
import PreferencesRuntime
import PreferencesSecrets
import Testing

/// Items of this package and of other programs.
struct KeychainItemTests {
    private let keychain = KeychainDouble()
    private let store: KeychainItems
    private let query = KeychainQuery(service: "weather")

    init() {
        store = KeychainItems(keychain, service: "weather", options: KeychainOptions())
    }

    private func putByOthers(_ account: String, _ data: Data) {
        keychain.put(account, KeychainContents(data: data, label: "theirs"), for: query)
    }

    @Test("Text is stored as UTF-8 and read as text")
    func textIsStoredAsUTF8() throws {
        try store.apply(["token": .set("hünter2")])
        #expect(keychain.item("token", of: query)?.contents.data == Data("hünter2".utf8))
        #expect(try store.value(for: "token") == "hünter2")
    }

    @Test("Data is stored unchanged and read as data, even if it is valid UTF-8")
    func dataIsStoredUnchanged() throws {
        try store.apply(["token": .set(.data(Data("hunter2".utf8)))])
        #expect(keychain.item("token", of: query)?.contents.data == Data("hunter2".utf8))
        #expect(try store.value(for: "token") == .data(Data("hunter2".utf8)))
    }

    @Test("Other values are stored as JSON")
    func otherValuesAreStoredAsJSON() throws {
        try store.apply(["pin": .set(["digits": [1, 2]])])
        let data = try #require(keychain.item("pin", of: query)?.contents.data)
        #expect(PreferenceValue(jsonText: String(decoding: data, as: UTF8.self)) == ["digits": [1, 2]])
        #expect(try store.value(for: "pin") == ["digits": [1, 2]])
    }

    @Test("Text that looks like JSON is read as text")
    func textThatLooksLikeJSONIsText() throws {
        try store.apply(["pin": .set(42)])
        try store.apply(["pin": .set("42")])
        #expect(try store.value(for: "pin") == "42")
    }

    @Test("Items of other programs are read as text if they are UTF-8, and as data otherwise")
    func itemsOfOtherProgramsAreTextOrData() throws {
        putByOthers("text", Data("hunter2".utf8))
        putByOthers("data", Data([0xFF, 0x00]))
        putByOthers("number", Data("42".utf8))
        #expect(try store.value(for: "text") == "hunter2")
        #expect(try store.value(for: "data") == .data(Data([0xFF, 0x00])))
        #expect(try store.value(for: "number") == "42")
        #expect(try store.names() == ["text", "data", "number"])
    }

    @Test("An item changed by another program is read without its marker if they no longer match")
    func changedItemsIgnoreTheirMarker() throws {
        try store.apply(["json": .set(42), "text": .set("hunter2")])
        for (account, data) in [("json", Data("{hunter".utf8)), ("text", Data([0xFF]))] {
            var item = try #require(keychain.item(account, of: query))
            item.contents.data = data
            keychain.put(account, item.contents, for: query)
        }
        #expect(try store.value(for: "json") == "{hunter")
        #expect(try store.value(for: "text") == .data(Data([0xFF])))
    }

    @Test("An item of another program is updated in place")
    func itemOfAnotherProgramIsUpdatedInPlace() throws {
        putByOthers("token", Data("old".utf8))
        try store.apply(["token": .set("new")])
        #expect(keychain.calls == ["update token"])
        #expect(keychain.item("token", of: query)?.contents.data == Data("new".utf8))
        #expect(keychain.item("token", of: query)?.contents.label == "theirs")
    }

    @Test("An item is added only if it is missing")
    func itemIsAddedOnlyIfMissing() throws {
        try store.apply(["token": .set("new")])
        #expect(keychain.calls == ["update token", "add token"])
    }

    @Test("An item in another Unicode form is read, updated and removed")
    func equivalentAccountsAreOneItem() throws {
        putByOthers("cafe\u{301}", Data("old".utf8))
        #expect(try store.value(for: "caf\u{E9}") == "old")
        try store.apply(["caf\u{E9}": .set("new")])
        #expect(keychain.item("cafe\u{301}", of: query)?.contents.data == Data("new".utf8))
        #expect(keychain.item("caf\u{E9}", of: query) == nil)
        try store.apply(["caf\u{E9}": .remove])
        #expect(keychain.item("cafe\u{301}", of: query) == nil)
    }

    @Test("Items of other services are left unchanged")
    func otherServicesAreUnchanged() throws {
        keychain.put("token", KeychainContents(data: Data("theirs".utf8)), for: KeychainQuery(service: "Weather"))
        #expect(try store.value(for: "token") == nil)
        #expect(try store.names().isEmpty)
        try store.apply(["token": .remove])
        #expect(keychain.item("token", of: KeychainQuery(service: "Weather")) != nil)
    }

    @Test("Names that the keychain does not support are rejected")
    func unsupportedNamesAreRejected() throws {
        for (name, reason) in [
            ("", "the keychain takes no empty name"), ("a\u{0}", "the keychain takes no name with the character NUL"),
        ] {
            #expect(
                throws: PreferenceProblem(.unsupportedValue, key: name, store: "keychain 'weather'", message: reason)
            ) {
                try store.apply([name: .set("hunter2"), "token": .set("hunter2")])
            }
        }
        #expect(keychain.calls.isEmpty)
    }

    @Test("Preferences store their secrets in the keychain")
    func preferencesStoreSecretsInTheKeychain() throws {
        let preferences = Preferences(store: MemoryStore(), secrets: store)
        preferences.set("token", to: "hunter2", [.secret])
        #expect(preferences.get("token", default: "", [.secret]) == "hunter2")
        #expect(keychain.item("token", of: query)?.contents.data == Data("hunter2".utf8))
        putByOthers("token", Data("changed".utf8))
        #expect(preferences.get("token", default: "", [.secret]) == "changed")
    }
}
