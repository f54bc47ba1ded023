import Foundation
import PreferencesRuntime
import PreferencesSecrets
import Testing

/// Values that were changed in the medium.
struct EncryptedStoreDamageTests {
    private let medium = MemoryStore()
    private let store: EncryptedStore
    private let changed = PreferenceProblem(
        .notAuthentic,
        key: "token",
        store: "memory",
        message:
            "it was not encrypted with this key and under this name, or was changed since; "
            + "it stays until it is set or reset"
    )
    private let foreign = PreferenceProblem(
        .notAuthentic,
        key: "token",
        store: "memory",
        message: "it is not encrypted, or cut off, or by a later version of this package"
    )

    init() throws {
        store = EncryptedStore(medium, key: .random())
        try store.apply(["token": .set("hunter2"), "other": .set("kept")])
    }

    private func sealed(_ name: String) throws -> Data {
        guard case .data(let data)? = medium.value(for: name) else { throw Missing() }
        return data
    }

    private struct Missing: Error {}

    @Test func everyFlippedBitIsFoundOut() throws {
        let data = try sealed("token")
        for bit in 0..<data.count * 8 {
            var damaged = data
            damaged[bit / 8] ^= 1 << (bit % 8)
            medium.apply(["token": .set(.data(damaged))])
            #expect(throws: bit < 8 ? foreign : changed) { try store.value(for: "token") }
            #expect(try store.value(for: "other") == "kept")
            #expect(medium.value(for: "token") == .data(damaged))
        }
        medium.apply(["token": .set(.data(data))])
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test func everyTruncatedValueIsFoundOut() throws {
        let data = try sealed("token")
        for count in 0..<data.count {
            medium.apply(["token": .set(.data(data.prefix(count)))])
            #expect(throws: count < 1 + 12 + 16 ? foreign : changed) { try store.value(for: "token") }
        }
        medium.apply(["token": .set(.data(data + [0]))])
        #expect(throws: changed) { try store.value(for: "token") }
    }

    @Test func valuesUnderEachOthersNamesAreFoundOut() throws {
        let (token, other) = (try sealed("token"), try sealed("other"))
        medium.apply(["token": .set(.data(other)), "other": .set(.data(token))])
        #expect(throws: changed) { try store.value(for: "token") }
        let problem = #expect(throws: PreferenceProblem.self) { try store.value(for: "other") }
        #expect(problem?.code == .notAuthentic)
        #expect(problem?.key == "other")
    }

    @Test func theEntryForTheKeyIsNoValue() throws {
        medium.apply(["token": .set(.data(try sealed("::encryption")))])
        #expect(throws: changed) { try store.value(for: "token") }
    }

    @Test(arguments: [PreferenceValue.string("hunter3"), .int(1), .null, .data(Data()), .dictionary([:])])
    func whatWasPutThereUnencryptedIsNotBelieved(value: PreferenceValue) throws {
        medium.apply(["token": .set(value)])
        #expect(throws: foreign) { try store.value(for: "token") }
        #expect(try store.names() == ["token", "other"])
    }

    @Test func aDamagedValueStaysUntilItIsSetOrReset() throws {
        let damaged = PreferenceValue.data(try sealed("other"))
        medium.apply(["token": .set(damaged)])
        try store.apply(["other": .set("changed")])
        try store.update { current in ["other": try current("other").map(PreferenceEdit.set) ?? .remove] }
        #expect(throws: changed) {
            try store.update { current in ["other": try current("token").map { .set($0) } ?? .remove] }
        }
        #expect(medium.value(for: "token") == damaged)
        try store.apply(["token": .set("new")])
        #expect(try store.value(for: "token") == "new")
        medium.apply(["token": .set(damaged)])
        try store.apply(["token": .remove])
        #expect(try store.value(for: "token") == nil)
    }

    @Test func preferencesReadADefaultAndCanSetTheKeyAgain() async throws {
        let damaged = PreferenceValue.data(try sealed("other"))
        medium.apply(["token": .set(damaged)])
        let preferences = Preferences(store: MemoryStore(), secrets: store)
        #expect(preferences.get("token", default: "none", [.secret]) == "none")
        #expect(preferences.get("other", default: "none", [.secret]) == "kept")
        #expect(medium.value(for: "token") == damaged)
        let problem = await preferences.problems.first { _ in true }
        #expect(problem?.code == .notAuthentic)
        preferences.set("token", to: "new", [.secret])
        #expect(preferences.get("token", default: "none", [.secret]) == "new")
    }
}
