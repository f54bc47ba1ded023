import AppleStoresTestSupport
import Foundation
import PreferencesStoreTesting
import StoreTestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesApple

/// What preferences in iCloud do, over a double of its key-value store.
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

    @Test(arguments: StoreCheck.all) func itKeepsThePromisesOfAStore(check: StoreCheck) throws {
        let cloud = CloudDouble()
        try check.run(
            on: StoreSubject(
                open: { UbiquitousKeyValues(cloud) },
                changeFromOutside: { try cloud.change($0, names: Array($0.keys)) },
                breakMedium: { cloud.setEntitled(false) },
                mendMedium: { cloud.setEntitled(true) }
            )
        )
    }

    // MARK: Changes from outside

    @Test func itListensBeforeItFetchesAndUntilItIsGone() {
        let cloud = CloudDouble()
        do {
            let store = UbiquitousKeyValues(cloud)
            withExtendedLifetime(store) { #expect(cloud.calls == ["observe", "synchronize"]) }
        }
        #expect(cloud.listenerCount == 0)
    }

    @Test(arguments: [0, 1]) func aChangeFromTheServerReachesWatchersOfItsNames(reason: Int) throws {
        let changes = StoreChanges(of: store)
        let seen = Recorder<PreferenceChange<Double>>()
        preferences.weather.watch(\.temperature, options: .old) { seen.add($0) }
        try cloud.change([temperature: .set(21.5)], reason: reason, names: [temperature])
        #expect(seen.all == [PreferenceChange(old: 0, new: 21.5)])
        #expect(preferences.weather.temperature == 21.5)
        #expect(changes.soFar == [.names([temperature])])
    }

    @Test func anotherAccountReplacesEverything() throws {
        preferences.weather.temperature = 1
        preferences.weather.stations = ["Oslo"]
        let changes = StoreChanges(of: store)
        let seen = Recorder<String>()
        preferences.weather.watch(\.temperature) { seen.add("\($0.new)") }
        preferences.weather.watch(\.stations) { seen.add("\($0.new)") }
        // The names are not to be relied on.
        try cloud.change(
            [temperature: .set(2), "weather-service:stations": .remove],
            reason: 3,
            names: ["weather-service:stations"]
        )
        #expect(seen.all.sorted() == ["2.0", "[]"])
        #expect(changes.soFar == [.everything])
    }

    @Test(arguments: [(nil, ["a"]), (0, nil), (0, []), (7, ["a"])] as [(Int?, [String]?)])
    func aChangeThatSaysTooLittleMayBeOfAnything(reason: Int?, names: [String]?) throws {
        let changes = StoreChanges(of: store)
        try cloud.change(["b": .set(1)], reason: reason, names: names)
        #expect(changes.soFar == [.everything])
    }

    @Test func theReasonsOfChangesAreTold() async throws {
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

    @Test func streamsEndWithTheirStore() async {
        var store: UbiquitousKeyValues? = UbiquitousKeyValues(CloudDouble())
        let stream = store?.streams.stream()
        store = nil
        for await change in stream ?? .init(unfolding: { nil }) { Issue.record("\(change)") }
    }

    // MARK: Limits

    @Test func whatICloudDoesNotKeepIsReportedAndReadAsItIs() async throws {
        // Few bytes each, but more as property lists than they have in any case.
        let values = (1...1_020).map {
            ("name \($0)", PreferenceEdit.set(.string(String(repeating: "a", count: 1_000))))
        }
        try store.apply(Dictionary(uniqueKeysWithValues: values))
        #expect(await preferences.reportedProblems().isEmpty)
        let seen = Recorder<[String]>()
        preferences.weather.watch(\.stations) { seen.add($0.new) }
        preferences.weather.stations = [String(repeating: "b", count: 20_000)]
        #expect(preferences.weather.stations == [])
        let message =
            "iCloud has not kept 'weather-service:stations': it takes 1,024 names at most, and 1 MB of values, in one as in "
            + "all; remove values, or have large ones in another store, and set it again"
        let problem = PreferenceProblem(
            .quotaExceeded,
            key: "weather-service:stations",
            store: "iCloud key-value store",
            message: message
        )
        #expect(await preferences.reportedProblems() == [problem])
        #expect(seen.all == [])
    }

    @Test func aQuotaExceededByNobodyKnowsWhatIsReported() async throws {
        // From their first use they listen.
        _ = preferences.weather.temperature
        try cloud.change([:], reason: 2, names: nil)
        let message =
            "iCloud has not kept some of what was set last: it takes 1,024 names at most, and 1 MB of values, in one as in "
            + "all; remove values, or have large ones in another store, and set it again"
        let problem = PreferenceProblem(.quotaExceeded, store: "iCloud key-value store", message: message)
        #expect(await preferences.reportedProblems() == [problem])
    }

    @Test func whatICloudSaysWithinACallIsToldWhenTheStoreIsFree() throws {
        let full = (1...1_020).map { ("\($0)", PreferenceEdit.set(.string(String(repeating: "a", count: 1_000)))) }
        try store.apply(Dictionary(uniqueKeysWithValues: full))
        let seen = Recorder<Bool>()
        let store = store
        let observation = store.observe { _ in
            let isHeld = store.access.isHeldByThisThread
            seen.add(isHeld)
            onAnotherThread { _ = try? store.value(for: "1") }
        }
        defer { observation.cancel() }
        try store.apply(["large": .set(.string(String(repeating: "b", count: 20_000)))])
        // The names that are not kept, the problem, and what was to be set.
        #expect(seen.all == [false, false, false])
    }

    @Test(arguments: [
        (String(repeating: "n", count: 65), "the name has 65 bytes, and iCloud takes 64 at most"),
        (String(repeating: "é", count: 33), "the name has 66 bytes, and iCloud takes 64 at most"),
        ("", "iCloud takes no empty name"),
    ])
    func aNameThatICloudDoesNotTakeNeverReachesIt(name: String, message: String) throws {
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

    @Test func namesOfTheLimitAreTaken() throws {
        let name = String(repeating: "n", count: 64)
        try store.apply([name: .set(1)])
        #expect(try store.value(for: name) == 1)
        // Taken apart this one would have 96 bytes.
        let accented = String(repeating: "\u{E9}", count: 32)
        try store.apply([accented: .set(2)])
        #expect(try store.value(for: accented.decomposedStringWithCanonicalMapping) == 2)
    }

    @Test func aValueThatIsTooLargeIsRefusedWithItsBatch() throws {
        let problem = PreferenceProblem(
            .unsupportedValue,
            key: "large",
            store: "iCloud key-value store",
            message: "the value has 1048577 bytes at least, and iCloud takes less than 1 MB in one"
        )
        let large = PreferenceValue.array([.data(Data(count: 1 << 20))])
        #expect(throws: problem) { try store.apply(["a": .set(1), "large": .set(large)]) }
        #expect(cloud.calls == [])
    }

    @Test func aNameTooManyIsRefusedAndNoneIsWhereOthersGo() throws {
        let values = (1...1_024).map { ("name \($0)", PreferenceEdit.set(1)) }
        try store.apply(Dictionary(uniqueKeysWithValues: values))
        cloud.forgetCalls()
        let problem = PreferenceProblem(
            .quotaExceeded,
            store: "iCloud key-value store",
            message: "there would be 1026 names, and iCloud takes 1024 at most"
        )
        #expect(throws: problem) { try store.apply(["name 1": .set(2), "a": .set(1), "b": .set(1)]) }
        #expect(cloud.calls == [])
        try store.apply(["name 1": .set(2), "name 2": .remove, "a": .set(1)])
        #expect(store.names().count == 1_024)
        #expect(try store.value(for: "a") == 1)
    }

    @Test func valuesThatAreTooLargeTogetherAreRefused() throws {
        try store.apply(["a": .set(.data(Data(count: 600_000))), "b": .set(.data(Data(count: 300_000)))])
        let problem = PreferenceProblem(
            .quotaExceeded,
            store: "iCloud key-value store",
            message: "the values would have 1400000 bytes at least, and iCloud takes less than 1 MB in all"
        )
        #expect(throws: problem) { try store.apply(["c": .set(.data(Data(count: 500_000)))]) }
        // In an order that fits.
        try store.apply(["a": .set(1), "c": .set(.data(Data(count: 500_000)))])
        #expect(store.names() == ["a", "b", "c"])
    }

    @Test func aRefusedValueIsToldByTheSetter() async throws {
        preferences.weather.nickname = String(repeating: "n", count: 1 << 20)
        let problem = PreferenceProblem(
            .unsupportedValue,
            key: "weather-service:nickname",
            store: "iCloud key-value store",
            message: "the value has 1048576 bytes at least, and iCloud takes less than 1 MB in one; it was not set"
        )
        #expect(await preferences.reportedProblems() == [problem])
        #expect(preferences.weather.nickname == "anonymous")
    }

    // MARK: Faults

    @Test func anAppWithoutTheEntitlementIsToldSo() throws {
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

    @Test func whatOthersHaveStoredThatIsNoValueIsAProblemOfItsKey() throws {
        cloud.set(["$data": 1, "$null": 2] as [String: Any], for: "a")
        cloud.set(["$date": [1]] as [String: Any], for: "b")
        #expect(try store.value(for: "a") == ["$data": 1, "$null": 2])
        #expect(
            throws: PreferenceProblem(
                .unsupportedValue,
                key: "b",
                store: "iCloud key-value store",
                message: "this is no content for \"$date\""
            )
        ) { try store.value(for: "b") }
    }
}
