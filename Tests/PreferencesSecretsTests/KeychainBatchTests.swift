import Foundation
import KeychainTestSupport
import PreferencesRuntime
import PreferencesSecrets
import StoreTestSupport
import Testing

@testable import PreferencesSystem

/// Batches of several items, which the keychain itself does not support.
struct KeychainBatchTests {
    private let keychain = KeychainDouble()
    private let query = KeychainQuery(service: "weather")
    private let label = "keychain 'weather'"

    private var store: KeychainItems { KeychainItems(keychain, service: "weather", options: KeychainOptions()) }

    private let batch: [String: PreferenceEdit] = [
        "added": .set("new"), "changed": .set("new"), "removed": .remove, "later": .remove,
    ]

    private func prepare() throws {
        try store.apply(["changed": .set(42), "removed": .set("old"), "later": .set("old")])
        keychain.forgetCalls()
    }

    @Test("A batch removes items last, and reads only items that it may have to restore")
    func batchRemovesLast() throws {
        try prepare()
        try store.apply(PreferenceBatch(batch))
        #expect(
            keychain.calls == [
                "read added", "update added", "add added", "read changed", "update changed", "read later",
                "delete later", "delete removed",
            ]
        )
    }

    @Test("A failed batch restores the items that it has changed")
    func failedBatchIsRolledBack() throws {
        try prepare()
        let old = try #require(keychain.item("later", of: query))
        keychain.fail("delete removed", .interactionNotAllowed)
        let store = store
        let changes = StoreChanges(of: store)
        let problem = #expect(throws: PreferenceProblem.self) { try store.apply(PreferenceBatch(batch)) }
        #expect(problem?.code == .keychainLocked)
        #expect(problem?.key == "removed")
        #expect(try store.names() == ["changed", "removed", "later"])
        #expect(try store.value(for: "changed") == 42)
        #expect(try store.value(for: "later") == "old")
        #expect(keychain.item("later", of: query)?.contents == old.contents)
        #expect(changes.soFar.isEmpty)
    }

    @Test("Items that cannot be restored are reported")
    func failedRollbackIsReported() throws {
        try prepare()
        keychain.fail("delete removed", KeychainStatus(rawValue: -25_291))
        keychain.fail("add later", .interactionNotAllowed)
        keychain.fail("delete added", .interactionNotAllowed)
        let message =
            "the keychain was not changed (status -25291); but 'added', 'later', changed before that, could not be restored"
        let store = store
        let changes = StoreChanges(of: store)
        // The writer is notified as well.
        let own = Locked<[PreferenceStoreChange]>([])
        let writer = store.observe { change in own.withLock { $0.append(change) } }
        let problem = PreferenceProblem(
            .storeUnwritable,
            key: "removed",
            store: label,
            message: message,
            status: -25_291
        )
        #expect(throws: problem) { try store.apply(PreferenceBatch(batch), by: writer) }
        #expect(own.withLock { $0 } == [.names(["added", "later"])])
        #expect(try store.value(for: "changed") == 42)
        #expect(changes.soFar == [.names(["added", "later"])])
    }

    @Test("A restored item of another program keeps its attributes")
    func restoredItemKeepsItsAttributes() throws {
        keychain.put("changed", KeychainContents(data: Data("42".utf8)), for: query)
        keychain.fail("add failing", .authenticationFailed)
        #expect(throws: PreferenceProblem.self) {
            try store.apply(["changed": .set(["json"]), "failing": .set("new")])
        }
        #expect(try store.value(for: "changed") == "42")
    }

    @Test("No problem contains a value", arguments: ["read a", "update a", "add a", "read b", "update b", "add c"])
    func problemsContainNoValues(call: String) throws {
        let secret = PreferenceValue.string("hunter2")
        try store.apply(["b": .set(secret)])
        keychain.fail(call, .authenticationFailed)
        let problem = #expect(throws: PreferenceProblem.self) {
            try store.apply(["a": .set(secret), "b": .set(secret), "c": .set(secret)])
        }
        #expect(problem.map { !"\($0)".contains("hunter2") } == true)
        #expect(try store.names() == ["b"])
    }
}
