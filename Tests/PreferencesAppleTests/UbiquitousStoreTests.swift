import AppleStoresTestSupport
import Foundation
import PreferencesStoreTesting
import StoreTestSupport
import Testing

@testable import PreferencesApple
@testable import PreferencesRuntime

@Suite("iCloud store")
struct UbiquitousStoreTests {
    private let cloud = CloudDouble()
    private let store: UbiquitousKeyValues
    private let preferences: Preferences
    private let temperature = "weather-service:temperature"

    init() {
        store = UbiquitousKeyValues(cloud)
        preferences = Preferences(store: store)
        cloud.forgetCalls()
    }

    @Test(
        "The store keeps the promises of stores",
        arguments: StoreCheck.all
    )
    func keepsThePromisesOfStores(check: StoreCheck) throws {
        let cloud = CloudDouble()
        try check.run(
            on: StoreSubject(
                open: { UbiquitousKeyValues(cloud) },
                changeExternally: { try cloud.change($0, names: Array($0.keys)) },
                breakBackend: { cloud.setEntitled(false) },
                repairBackend: { cloud.setEntitled(true) }
            )
        )
    }

    // MARK: External changes

    @Test("The store observes iCloud before it fetches values, and until it is released")
    func observesBeforeItFetches() {
        let cloud = CloudDouble()
        do {
            let store = UbiquitousKeyValues(cloud)
            withExtendedLifetime(store) { #expect(cloud.calls == ["observe", "synchronize"]) }
        }
        #expect(cloud.observerCount == 0)
    }

    @Test(
        "Watchers of the changed names observe a change from the server",
        arguments: [0, 1]
    )
    func serverChangesReachWatchers(reason: Int) throws {
        let changes = StoreChanges(of: store)
        let seen = Recorder<PreferenceChange<Double>>()
        preferences.weather.watch(\.temperature, options: .old) { seen.add($0) }
        try cloud.change([temperature: .set(21.5)], reason: reason, names: [temperature])
        let origin: PreferenceChangeOrigin = reason == 0 ? .iCloudServerChange : .iCloudInitialSync
        #expect(seen.all == [PreferenceChange(old: 0, new: 21.5, origin: origin)])
        #expect(preferences.weather.temperature == 21.5)
        #expect(changes.soFar == [.reported([temperature], origin)])
    }

    @Test("After a change of account, any value may have changed")
    func accountChangesReplaceEverything() throws {
        preferences.weather.temperature = 1
        preferences.weather.stations = ["Oslo"]
        let changes = StoreChanges(of: store)
        let seen = Recorder<String>()
        preferences.weather.watch(\.temperature) { seen.add("\($0.new)") }
        preferences.weather.watch(\.stations) { seen.add("\($0.new)") }
        // The reported names are not reliable.
        try cloud.change(
            [temperature: .set(2), "weather-service:stations": .remove],
            reason: 3,
            names: ["weather-service:stations"]
        )
        #expect(seen.all.sorted() == ["2.0", "[]"])
        #expect(changes.soFar == [.reported(nil, .iCloudAccountChange)])
    }

    @Test(
        "A change without a known reason or without names may be of any value",
        arguments: [(nil, ["a"]), (0, nil), (0, []), (7, ["a"])] as [(Int?, [String]?)]
    )
    func unspecificChangesAreOfEverything(reason: Int?, names: [String]?) throws {
        let changes = StoreChanges(of: store)
        try cloud.change(["b": .set(1)], reason: reason, names: names)
        #expect(changes.soFar == [reason == 0 ? .reported(nil, .iCloudServerChange) : .everything])
    }

    @Test("Each stream of changes has all changes with their reasons")
    func streamsHaveReasons() async throws {
        let store = store
        let streams = [store.streams.stream(), store.streams.stream()]
        try cloud.change([:], reason: 0, names: ["a"])
        try cloud.change([:], reason: 1, names: ["b", "c"])
        try cloud.change([:], reason: 2, names: nil)
        try cloud.change([:], reason: 3, names: ["d"])
        try cloud.change([:], reason: nil, names: nil)
        for stream in streams {
            var all: [String] = []
            for await change in stream.prefix(5) {
                let reason = change.reason.map { "\($0)" } ?? "no reason"
                all.append("\(reason): \(change.names?.sorted().joined(separator: " ") ?? "anything")")
            }
            let expected = [
                "serverChange: a", "initialSync: b c", "quotaViolation: anything", "accountChange: anything",
                "no reason: anything",
            ]
            #expect(all == expected)
        }
    }

    @Test("Streams end when their store is released")
    func streamsEndWithTheirStore() async {
        var store: UbiquitousKeyValues? = UbiquitousKeyValues(CloudDouble())
        let stream = store?.streams.stream()
        store = nil
        for await change in stream ?? .init(unfolding: { nil }) { Issue.record("\(change)") }
    }

    // MARK: Limits

    @Test("A value that iCloud drops is reported, and the remaining value is read")
    func droppedValuesAreReported() async throws {
        // Below the counted limit, but above it as property lists.
        let values = (1...1_020).map {
            ("name \($0)", PreferenceEdit.set(.string(String(repeating: "a", count: 1_000))))
        }
        try store.apply(PreferenceBatch(Dictionary(uniqueKeysWithValues: values)))
        #expect(await preferences.reportedProblems().isEmpty)
        let seen = Recorder<[String]>()
        preferences.weather.watch(\.stations) { seen.add($0.new) }
        preferences.weather.stations = [String(repeating: "b", count: 20_000)]
        #expect(preferences.weather.stations == [])
        let message =
            "iCloud has not kept 'weather-service:stations': its limits are 1,024 names, and 1 MB for one value and for "
            + "all; remove values, or keep large ones in another store, and set them again"
        let problem = PreferenceProblem(
            .quotaExceeded,
            key: "weather-service:stations",
            store: "iCloud key-value store",
            message: message
        )
        #expect(await preferences.reportedProblems() == [problem])
        #expect(seen.all == [])
    }

    @Test("An exceeded quota without names is reported")
    func quotaViolationsWithoutNamesAreReported() async throws {
        // Starts the observation.
        _ = preferences.weather.temperature
        try cloud.change([:], reason: 2, names: nil)
        let message =
            "iCloud has not kept some of the last changes: its limits are 1,024 names, and 1 MB for one value and for "
            + "all; remove values, or keep large ones in another store, and set them again"
        let problem = PreferenceProblem(.quotaExceeded, store: "iCloud key-value store", message: message)
        #expect(await preferences.reportedProblems() == [problem])
    }

    @Test("Observers are notified of a change that iCloud reports within a call once the store is unlocked")
    func changesWithinACallAreNotifiedLater() throws {
        let full = (1...1_020).map { ("\($0)", PreferenceEdit.set(.string(String(repeating: "a", count: 1_000)))) }
        try store.apply(PreferenceBatch(Dictionary(uniqueKeysWithValues: full)))
        let seen = Recorder<Bool>()
        let store = store
        let observation = store.observe { _ in
            let isHeld = store.access.isHeldByThisThread
            seen.add(isHeld)
            onAnotherThread { _ = try? store.value(for: "1") }
        }
        defer { observation.cancel() }
        try store.apply(["large": .set(.string(String(repeating: "b", count: 20_000)))])
        // The names that are not kept, the problem, and the batch.
        #expect(seen.all == [false, false, false])
    }

    @Test(
        "A name that iCloud does not accept is refused, and is never passed to it",
        arguments: [
            (String(repeating: "n", count: 65), "the name has 65 bytes, but iCloud accepts at most 64"),
            (String(repeating: "é", count: 33), "the name has 66 bytes, but iCloud accepts at most 64"),
            ("", "iCloud does not accept the empty name"),
        ]
    )
    func invalidNamesAreRefused(name: String, message: String) throws {
        let problem = PreferenceProblem(
            .unsupportedValue,
            key: name,
            store: "iCloud key-value store",
            message: message
        )
        #expect(throws: problem) { try store.apply(["a": .set(1), name: .set(1)]) }
        #expect(throws: problem) { try store.update { _ in ["a": .set(1), name: .set(1)] } }
        try store.apply([name: .remove])
        #expect(try store.value(for: name) == nil)
        #expect(cloud.calls == [])
    }

    @Test("A name of 64 bytes is accepted")
    func longestNamesAreAccepted() throws {
        let name = String(repeating: "n", count: 64)
        try store.apply([name: .set(1)])
        #expect(try store.value(for: name) == 1)
        // Decomposed, this name has 96 bytes.
        let accented = String(repeating: "\u{E9}", count: 32)
        try store.apply([accented: .set(2)])
        #expect(try store.value(for: accented.decomposedStringWithCanonicalMapping) == 2)
    }

    @Test("A value that is too large is refused with its batch")
    func largeValuesAreRefused() throws {
        let problem = PreferenceProblem(
            .unsupportedValue,
            key: "large",
            store: "iCloud key-value store",
            message: "the value has at least 1048577 bytes, but iCloud accepts less than 1 MB for one value"
        )
        let large = PreferenceValue.array([.data(Data(count: 1 << 20))])
        #expect(throws: problem) { try store.apply(["a": .set(1), "large": .set(large)]) }
        #expect(cloud.calls == [])
    }

    @Test("A batch that exceeds the number of names is refused, unless it removes as many")
    func tooManyNamesAreRefused() throws {
        let values = (1...1_024).map { ("name \($0)", PreferenceEdit.set(1)) }
        try store.apply(PreferenceBatch(Dictionary(uniqueKeysWithValues: values)))
        cloud.forgetCalls()
        let problem = PreferenceProblem(
            .quotaExceeded,
            store: "iCloud key-value store",
            message: "there would be 1026 names, but iCloud accepts at most 1024"
        )
        #expect(throws: problem) { try store.apply(["name 1": .set(2), "a": .set(1), "b": .set(1)]) }
        #expect(cloud.calls == [])
        try store.apply(["name 1": .set(2), "name 2": .remove, "a": .set(1)])
        #expect(store.names().count == 1_024)
        #expect(try store.value(for: "a") == 1)
    }

    @Test("A batch that exceeds the total size is refused")
    func tooLargeTotalsAreRefused() throws {
        try store.apply(["a": .set(.data(Data(count: 600_000))), "b": .set(.data(Data(count: 300_000)))])
        let problem = PreferenceProblem(
            .quotaExceeded,
            store: "iCloud key-value store",
            message: "the values would have at least 1400000 bytes, but iCloud accepts less than 1 MB in total"
        )
        #expect(throws: problem) { try store.apply(["c": .set(.data(Data(count: 500_000)))]) }
        // In an order that fits.
        try store.apply(["a": .set(1), "c": .set(.data(Data(count: 500_000)))])
        #expect(store.names() == ["a", "b", "c"])
    }

    @Test("A setter reports a value that is refused")
    func settersReportRefusedValues() async throws {
        preferences.weather.nickname = String(repeating: "n", count: 1 << 20)
        let problem = PreferenceProblem(
            .unsupportedValue,
            key: "weather-service:nickname",
            store: "iCloud key-value store",
            message:
                "the value has at least 1048576 bytes, but iCloud accepts less than 1 MB for one value; it was not set"
        )
        #expect(await preferences.reportedProblems() == [problem])
        #expect(preferences.weather.nickname == "anonymous")
    }

    // MARK: Failures

    @Test("Flushing and reloading throw a problem in an app without the entitlement")
    func missingEntitlementsAreReported() throws {
        cloud.setEntitled(false)
        let reason = "the app may lack the entitlement for iCloud's key-value storage"
        let label = "iCloud key-value store"
        #expect(
            throws: PreferenceProblem(.storeUnwritable, store: label, message: "it cannot be saved: \(reason)")
        ) { try store.flush() }
        let changes = StoreChanges(of: store)
        #expect(
            throws: PreferenceProblem(.storeUnreadable, store: label, message: "it cannot be fetched: \(reason)")
        ) { try store.reload() }
        #expect(changes.soFar == [.everything])
    }

    @Test("Reading an object that is not a value throws a problem of its key")
    func unsupportedObjectsAreReported() throws {
        cloud.set(["$data": 1, "$null": 2] as [String: Any], for: "a")
        cloud.set(["$date": [1]] as [String: Any], for: "b")
        #expect(try store.value(for: "a") == ["$data": 1, "$null": 2])
        #expect(
            throws: PreferenceProblem(
                .unsupportedValue,
                key: "b",
                store: "iCloud key-value store",
                message: "this is not valid content for \"$date\""
            )
        ) { try store.value(for: "b") }
    }
}
