import Foundation
import PreferencesRuntime
import PreferencesSecrets
import Testing

/// Values that were changed in the base store.
struct EncryptedStoreDamageTests {
    private let base = MemoryStore()
    private let store: EncryptedStore
    private let changed = PreferenceProblem(
        .notAuthentic,
        key: "token",
        store: "memory",
        message:
            "it was not encrypted with this key for this name, or was changed since; "
            + "it remains until it is set or reset"
    )
    private let foreign = PreferenceProblem(
        .notAuthentic,
        key: "token",
        store: "memory",
        message: "it is not encrypted, is truncated, or was written by a later version of this package"
    )

    init() throws {
        store = EncryptedStore(base, key: .random())
        try store.apply(["token": .set("hunter2"), "other": .set("kept")])
    }

    private func sealed(_ name: String) throws -> Data {
        guard case .data(let data)? = base.value(for: name) else { throw Missing() }
        return data
    }

    private struct Missing: Error {}

    @Test("Every flipped bit is detected")
    func flippedBitsAreDetected() throws {
        let data = try sealed("token")
        for bit in 0..<data.count * 8 {
            var damaged = data
            damaged[bit / 8] ^= 1 << (bit % 8)
            base.apply(["token": .set(.data(damaged))])
            #expect(throws: bit < 8 ? foreign : changed) { try store.value(for: "token") }
            #expect(try store.value(for: "other") == "kept")
            #expect(base.value(for: "token") == .data(damaged))
        }
        base.apply(["token": .set(.data(data))])
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test("Every truncated value is detected")
    func truncatedValuesAreDetected() throws {
        let data = try sealed("token")
        for count in 0..<data.count {
            base.apply(["token": .set(.data(data.prefix(count)))])
            #expect(throws: count < 1 + 12 + 16 ? foreign : changed) { try store.value(for: "token") }
        }
        base.apply(["token": .set(.data(data + [0]))])
        #expect(throws: changed) { try store.value(for: "token") }
    }

    @Test("Swapped values are detected")
    func swappedValuesAreDetected() throws {
        let (token, other) = (try sealed("token"), try sealed("other"))
        base.apply(["token": .set(.data(other)), "other": .set(.data(token))])
        #expect(throws: changed) { try store.value(for: "token") }
        let problem = #expect(throws: PreferenceProblem.self) { try store.value(for: "other") }
        #expect(problem?.code == .notAuthentic)
        #expect(problem?.key == "other")
    }

    @Test("The key entry is not a value")
    func keyEntryIsNotAValue() throws {
        base.apply(["token": .set(.data(try sealed("::encryption")))])
        #expect(throws: changed) { try store.value(for: "token") }
    }

    @Test(
        "Unencrypted values are rejected",
        arguments: [PreferenceValue.string("hunter3"), .int(1), .null, .data(Data()), .dictionary([:])]
    )
    func unencryptedValuesAreRejected(value: PreferenceValue) throws {
        base.apply(["token": .set(value)])
        #expect(throws: foreign) { try store.value(for: "token") }
        #expect(try store.names() == ["token", "other"])
    }

    @Test("A damaged value remains until it is set or reset")
    func damagedValueRemainsUntilSetOrReset() throws {
        let damaged = PreferenceValue.data(try sealed("other"))
        base.apply(["token": .set(damaged)])
        try store.apply(["other": .set("changed")])
        try store.update { current in ["other": try current("other").map(PreferenceEdit.set) ?? .remove] }
        #expect(throws: changed) {
            try store.update { current in ["other": try current("token").map { .set($0) } ?? .remove] }
        }
        #expect(base.value(for: "token") == damaged)
        try store.apply(["token": .set("new")])
        #expect(try store.value(for: "token") == "new")
        base.apply(["token": .set(damaged)])
        try store.apply(["token": .remove])
        #expect(try store.value(for: "token") == nil)
    }

    @Test("A damaged value reads as its default, and can be set again")
    func damagedValueReadsAsTheDefault() async throws {
        let damaged = PreferenceValue.data(try sealed("other"))
        base.apply(["token": .set(damaged)])
        let preferences = Preferences(store: MemoryStore(), secrets: store)
        #expect(preferences.get("token", default: "none", [.secret]) == "none")
        #expect(preferences.get("other", default: "none", [.secret]) == "kept")
        #expect(base.value(for: "token") == damaged)
        let problem = await preferences.problems.first { _ in true }
        #expect(problem?.code == .notAuthentic)
        preferences.set("token", to: "new", [.secret])
        #expect(preferences.get("token", default: "none", [.secret]) == "new")
    }
}
