import AppleStoresTestSupport
import Foundation
import PreferencesStoreTesting
import StoreTestSupport
import Testing

@testable import PreferencesApple
@testable import PreferencesRuntime
@testable import PreferencesSystem

@Suite("Managed object store")
struct ManagedObjectStoreTests {
    private static let attributes: [String: (UInt, Bool, Bool)] = [
        "small": (100, true, false), "medium": (200, true, false), "launchCount": (300, true, false),
        "price": (400, true, false), "scale": (500, true, false), "ratio": (600, true, false),
        "theme": (700, true, false), "isOn": (800, true, false), "opened": (900, true, false),
        "image": (1_000, true, false), "id": (1_100, true, false), "page": (1_200, true, false),
        "extra": (1_800, true, false), "reference": (2_000, true, false), "name": (700, false, false),
        "total": (300, true, true),
    ]
    private let object: ManagedDouble
    private let store: ManagedAttributes

    init() {
        object = ManagedDouble(Self.attributes, row: ManagedRowDouble(["name": "first"])) { values in
            var errors: [ManagedValidationError] = []
            if values["theme"] as? String == "ugly" {
                errors.append(ManagedValidationError(attribute: "theme", message: "no"))
            }
            if values["scale"] as? Double == 13 {
                errors.append(ManagedValidationError(attribute: "name", message: "too short"))
            }
            if values["scale"] as? Double == 14 {
                errors.append(ManagedValidationError(attribute: nil, message: "unlucky"))
            }
            return errors
        }
        store = ManagedAttributes(object)
    }

    private func problem(_ key: String?, _ message: String) -> PreferenceProblem {
        problem(.unsupportedValue, key, message)
    }

    private func problem(_ code: PreferenceProblem.Code, _ key: String?, _ message: String) -> PreferenceProblem {
        PreferenceProblem(code, key: key, store: "managed object of entity Settings", message: message)
    }

    @Test(
        "The store keeps the promises of stores",
        arguments: StoreCheck.all
    )
    func keepsThePromisesOfStores(check: StoreCheck) throws {
        let row = ManagedRowDouble()
        try check.run(
            on: StoreSubject(
                open: { ManagedAttributes(ManagedDouble(nil, row: row)) },
                changeExternally: { batch in
                    let other = ManagedAttributes(ManagedDouble(nil, row: row))
                    try other.apply(PreferenceBatch(batch))
                    try other.flush()
                },
                breakBackend: { row.failSaving("the disk is full") },
                repairBackend: { row.failSaving(nil) }
            )
        )
    }

    // MARK: Values

    @Test(
        "An attribute keeps any value of its type",
        arguments: [
            ("small", -32_768), ("medium", 2_147_483_647), ("launchCount", .int(.min)), ("price", 0.1),
            ("price", .unsignedInt(.max)),
            ("scale", 0.1), ("ratio", 123.1), ("theme", "dark"), ("isOn", true),
            ("opened", .date(Date(timeIntervalSinceReferenceDate: 0.1))), ("image", .data(Data([0, 255]))),
            ("id", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), ("page", "https://example.org"),
            ("extra", ["a": [1, true]]),
        ] as [(String, PreferenceValue)]
    )
    func attributeKeepsValuesOfItsType(name: String, value: PreferenceValue) throws {
        try store.apply([name: .set(value)])
        #expect(try store.value(for: name) == value)
        try store.flush()
        let other = ManagedAttributes(ManagedDouble(Self.attributes, row: object.row))
        #expect(try other.value(for: name) == value)
        #expect(try other.names() == ["name", name])
        try store.apply([name: .remove])
        #expect(try store.value(for: name) == nil)
    }

    @Test(
        "A value that an attribute cannot hold is refused with its batch, before the object is used",
        arguments: [
            ("small", 40_000, "expected Int16, found the integer 40000"),
            ("medium", 2_147_483_648, "expected Int32, found the integer 2147483648"),
            ("launchCount", 0.5, "expected Int64, found the number 0.5"),
            ("price", "1", "expected a decimal number, found the string \"1\""),
            ("scale", true, "expected Double, found the boolean true"),
            ("ratio", 1e39, "expected Float, found the number 1e+39"),
            ("theme", 1, "expected String, found the integer 1"),
            ("isOn", "yes", "expected Bool, found the string \"yes\""),
            ("opened", 1, "expected Date, found the integer 1"),
            ("image", "AAAA", "expected Data, found the string \"AAAA\""),
            ("id", "1", "expected UUID, found the string \"1\""),
            ("page", "a b", "expected URL, found the string \"a b\""),
            ("extra", .null, "expected a value other than null, found null"),
            ("total", 1, "this attribute of Settings is derived from other attributes"),
            ("reference", 1, "Settings has no attribute of this name with a supported type"),
            ("none", 1, "Settings has no attribute of this name with a supported type"),
        ] as [(String, PreferenceValue, String)]
    )
    func valuesOfOtherTypesAreRefused(
        name: String,
        value: PreferenceValue,
        message: String
    ) throws {
        let batch: [String: PreferenceEdit] = ["name": .set("second"), name: .set(value)]
        #expect(throws: problem(name, message)) { try store.apply(PreferenceBatch(batch)) }
        #expect(throws: problem(name, message)) { try store.update { _ in PreferenceBatch(batch) } }
        #expect(object.calls == [])
    }

    @Test(
        "A name without a supported attribute is not set, and is never passed to the object",
        arguments: ["reference", "none", "", "theme.length"]
    )
    func unsupportedNamesAreNotSet(name: String) throws {
        #expect(try store.value(for: name) == nil)
        try store.apply([name: .remove])
        #expect(!object.calls.contains { $0.hasSuffix(" \(name)") })
    }

    @Test("Removing an attribute that is not optional is refused")
    func requiredAttributesCannotBeRemoved() throws {
        let message = "this attribute of Settings is not optional, and cannot be removed"
        #expect(throws: problem("name", message)) { try store.apply(["theme": .set("a"), "name": .remove]) }
        #expect(object.calls == [])
        try store.apply(["name": .set("second")])
        #expect(try store.value(for: "name") == "second")
    }

    // MARK: Validation and saving

    @Test("Validation errors that existed before do not prevent changes of other attributes")
    func earlierValidationErrorsAreIgnored() throws {
        object.inContext { $0.setValue("ugly", of: "theme") }
        try store.apply(["name": .set("second")])
        #expect(try store.value(for: "name") == "second")
        #expect(throws: PreferenceProblem.self) { try store.apply(["scale": .set(14)]) }
        #expect(throws: problem("theme", "the model does not allow it: no")) {
            try store.apply(["theme": .set("ugly")])
        }
        try store.apply(["theme": .set("dark")])
        #expect(throws: problem("theme", "the model does not allow it: no")) {
            try store.apply(["theme": .set("ugly")])
        }
    }

    @Test(
        "A batch that fails the model's validation is undone and refused",
        arguments: [
            (["theme": "ugly", "scale": 2], "theme", "the model does not allow it: no"),
            (["theme": "b", "scale": 13], nil, "the model does not allow the resulting object: 'name': too short"),
            (["theme": "b", "scale": 14], nil, "the model does not allow the resulting object: unlucky"),
        ] as [([String: PreferenceValue], String?, String)]
    )
    func batchesThatFailValidationAreUndone(
        values: [String: PreferenceValue],
        key: String?,
        message: String
    ) throws {
        try store.apply(["theme": .set("a"), "scale": .set(1)])
        let changes = StoreChanges(of: store)
        let batch = values.mapValues(PreferenceEdit.set)
        #expect(throws: problem(key, message)) { try store.apply(PreferenceBatch(batch)) }
        #expect(throws: problem(key, message)) { try store.update { _ in PreferenceBatch(batch) } }
        #expect(try store.value(for: "theme") == "a" && store.value(for: "scale") == 1.0)
        #expect(changes.soFar == [])
        try store.flush()
        #expect(object.row.values?["theme"] as? String == "a")
    }

    @Test("Flushing saves the context, or throws the reason why it cannot")
    func flushingSavesTheContext() throws {
        try store.apply(["theme": .set("dark")])
        #expect(object.row.values?["theme"] == nil)
        object.row.failSaving("the disk is full")
        let message = "its context cannot be saved: the disk is full"
        #expect(throws: problem(.storeUnwritable, nil, message)) { try store.flush() }
        #expect(try store.value(for: "theme") == "dark")
        object.row.failSaving(nil)
        try store.flush()
        #expect(object.row.values?["theme"] as? String == "dark")
    }

    // MARK: Deleted objects, other threads

    @Test("Reading or writing a deleted object throws a problem")
    func deletedObjectsAreReported() throws {
        object.delete()
        let message = "the object is deleted, or no longer in its context"
        let unreadable = problem(.storeUnreadable, nil, message)
        let unwritable = problem(.storeUnwritable, nil, message)
        #expect(throws: unreadable) { try store.value(for: "name") }
        #expect(throws: unreadable) { try store.names() }
        #expect(throws: unreadable) { try store.origin(of: "name") }
        #expect(throws: unreadable) { try store.reload() }
        #expect(throws: unwritable) { try store.apply(["name": .set("a")]) }
        #expect(throws: unwritable) { try store.update { _ in ["name": .set("a")] } }
        #expect(throws: unwritable) { try store.flush() }
        #expect(object.calls == [])
    }

    @Test("Reading detects that another context has deleted the object")
    func readingDetectsDeletedObjects() throws {
        object.row.delete()
        let problem = problem(.storeUnreadable, nil, "the object is deleted, or no longer in its context")
        #expect(throws: problem) { try store.value(for: "theme") }
        #expect(throws: problem) { try store.names() }
    }

    @Test("A context of the main thread is refused on any other thread")
    func contextsOfTheMainThreadAreRefusedOnOtherThreads() throws {
        let store = ManagedAttributes(ManagedDouble(Self.attributes, row: ManagedRowDouble(), isOnWrongThread: true))
        let message =
            "its context belongs to the main thread, and another thread could wait for it forever: use the store on "
            + "the main thread, or an object from a context with a private queue"
        let unwritable = problem(.storeUnwritable, nil, message)
        #expect(throws: problem(.storeUnreadable, nil, message)) { try store.value(for: "name") }
        #expect(throws: unwritable) { try store.apply(["name": .set("a")]) }
        #expect(throws: unwritable) { try store.flush() }
    }

    // MARK: Changes

    @Test("Watchers observe changes that other code makes in the context, once its queue is free")
    func externalChangesReachWatchersWhenTheQueueIsFree() async throws {
        let preferences = Preferences(store: store)
        let (seen, continuation) = AsyncStream.makeStream(of: PreferenceChange<Int>.self)
        preferences.watch(\.launchCount, options: .old) { continuation.yield($0) }
        let (store, object) = (store, object)
        let (notifications, notificationContinuation) = AsyncStream.makeStream(of: String.self)
        let observation = store.observe { change in
            let isHeld = object.queue.isHeldByThisThread
            // An observer may wait for another thread that reads.
            onAnotherThread { _ = try? store.value(for: "theme") }
            notificationContinuation.yield("\(change), the queue is \(isHeld ? "held" : "free")")
        }
        defer { observation.cancel() }
        object.inContext { $0.setValue(NSNumber(value: 3), of: "launchCount") }
        #expect(await seen.first { _ in true } == PreferenceChange(old: 0, new: 3, origin: .external))
        #expect(await notifications.first { _ in true } == "names(Set([\"launchCount\"])), the queue is free")
    }

    @Test("Observers are notified of each change of the store once, before the call returns")
    func ownChangesAreNotifiedOnce() throws {
        let changes = StoreChanges(of: store)
        try store.apply(["theme": .set("dark"), "scale": .set(2)])
        #expect(changes.soFar == [.names(["theme", "scale"])])
        try store.update { _ in ["theme": .remove] }
        #expect(changes.soFar == [.names(["theme", "scale"]), .names(["theme"])])
    }

    @Test("Reloading reads the values that other contexts have saved")
    func reloadingReadsSavedValues() throws {
        try store.apply(["theme": .set("dark")])
        let other = ManagedAttributes(ManagedDouble(Self.attributes, row: object.row))
        try other.apply(["scale": .set(3)])
        try other.flush()
        #expect(try store.value(for: "scale") == nil)
        let changes = StoreChanges(of: store)
        try store.reload()
        #expect(try store.value(for: "scale") == 3.0)
        #expect(try store.value(for: "theme") == "dark")
        #expect(changes.soFar.first == .everything)
    }

    @Test("The store observes the context as long as it has observers itself")
    func observesTheContextWhileObserved() {
        #expect(object.observerCount == 0)
        let observation = store.observe { _ in }
        #expect(object.observerCount == 1)
        observation.cancel()
        #expect(object.observerCount == 0)
    }
}
