import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

@Suite("Transactions")
struct TransactionTests {
    private struct Refusal: Error, Equatable {}

    private let store = FaultyStore()
    private let preferences: Preferences

    init() {
        preferences = Preferences(store: store)
    }

    private var weather: Preferences.Weather { preferences.weather }

    // MARK: Stores that cannot be read

    private let noDisk = PreferenceProblem(.storeUnreadable, store: "faulty", message: "no disk; nothing was changed")

    @Test("A transaction that has read an unreadable store throws if it changes anything")
    func unreadableValuesAreNotWrittenBack() throws {
        try store.apply(["launchCount": .set(3)])
        #expect(preferences.launchCount == 3)
        store.failReads("no disk")
        #expect(throws: noDisk) { try preferences.update(\.launchCount) { $0 += 1 } }
        // A transaction that changes nothing reads the last value.
        #expect(try preferences.transaction { $0.launchCount } == 3)
        // A transaction that reads nothing may change values.
        try preferences.transaction { $0.weather.temperature = 1 }
        store.failReads(nil)
        #expect(preferences.launchCount == 3)
        #expect(weather.temperature == 1)
        #expect(store.batches.count == 2)
    }

    @Test("An inner transaction that cannot read the store fails without the outer one")
    func anInnerTransactionFailsByItself() throws {
        store.failReads("no disk")
        try preferences.transaction { preferences in
            preferences.weather.temperature = 1
            #expect(throws: noDisk) { try preferences.update(\.launchCount) { $0 += 1 } }
        }
        store.failReads(nil)
        #expect(weather.temperature == 1)
        #expect(!preferences.isSet(\.launchCount))
    }

    @Test("An outer transaction that uses an unreadable value of an inner one throws")
    func anInnerReadFailureFailsTheOuterTransaction() {
        store.failReads("no disk")
        #expect(throws: noDisk) {
            try preferences.transaction { preferences in
                let count = try preferences.transaction { $0.launchCount }
                preferences.launchCount = count + 1
            }
        }
        #expect(store.batches.isEmpty)
    }

    @Test("A transaction throws if one of its hooks cannot read the store")
    func aHookThatCannotReadFailsTheTransaction() {
        preferences.willCommit { [weather] _ in weather.stations.append("Oslo") }
        store.failReads("no disk")
        #expect(throws: noDisk) { try preferences.transaction { $0.launchCount = 1 } }
        #expect(store.batches.isEmpty)
    }

    @Test("A renamed key notifies of a change, whatever its value under the former name")
    func aRenamedKeyNotifiesOfEachChange() throws {
        let seen = Recorder<Int>()
        for _ in 0..<50 {
            let preferences = Preferences.inMemory(["renamed": 5, "former": 3])
            preferences.watch(\.renamed) { seen.add($0.new) }
            try preferences.transaction { $0.renamed = 3 }
        }
        #expect(seen.all == Array(repeating: 3, count: 50))
    }

    @Test("Readers see the changes of two stores only when both are committed")
    func changesOfTwoStoresAppearAtOnce() throws {
        let seen = Recorder<String>()
        let box = Locked<Preferences?>(nil)
        @Sendable func read() {
            guard let preferences = box.withLock({ $0 }) else { return }
            // The main key last, since it changes last.
            for _ in 0..<2 {
                let token = preferences.get("token", default: "", [.secret])
                seen.add("\(token) \(preferences.launchCount)")
            }
        }
        let store = InterruptedStore(MemoryStore()) { onAnotherThread { read() } }
        let preferences = Preferences(store: store, secrets: MemoryStore())
        box.withLock { $0 = preferences }
        try preferences.transaction { preferences in
            preferences.set("token", to: "new", [.secret])
            preferences.launchCount = 1
        }
        read()
        #expect(seen.all == [" 0", " 0", "new 1", "new 1"])
        box.withLock { $0 = nil }
    }

    @Test("All changes of a transaction are one batch")
    func allChangesAreOneBatch() throws {
        let result = try preferences.transaction { preferences in
            preferences.launchCount = 1
            preferences.weather.temperature = 2
            preferences.weather.unit = .fahrenheit
            preferences.launchCount = 3
            return "done"
        }
        #expect(result == "done")
        #expect(
            store.batches == [
                [
                    "launchCount": .set(3), "weather-service:temperature": .set(2.0),
                    "weather-service:unit": .set("fahrenheit"),
                ]
            ]
        )
        #expect(preferences.launchCount == 3)
    }

    @Test("A transaction whose body throws changes nothing")
    func aBodyThatThrowsChangesNothing() {
        weather.temperature = 1
        let count = store.batches.count
        #expect(throws: Refusal()) {
            try preferences.transaction { _ in
                weather.temperature = 2
                preferences.launchCount = 3
                throw Refusal()
            }
        }
        #expect(store.batches.count == count)
        #expect(weather.temperature == 1)
        #expect(preferences.launchCount == 0)
        #expect(!preferences.isSet(\.launchCount))
    }

    @Test("The body of a transaction reads its own changes, and other threads do not")
    func onlyTheBodyReadsItsChanges() async throws {
        weather.temperature = 1
        let preferences = preferences
        try preferences.transaction { _ in
            weather.temperature = 2
            weather.stations.append("Oslo")
            weather.reset(\.nickname)
            #expect(weather.temperature == 2)
            #expect(weather.stations == ["Oslo"])
            #expect(weather.isSet(\.stations))
            #expect(!weather.isSet(\.nickname))
            #expect(preferences.get(named: "weather-service:temperature", default: 0.0) == 2)
            let other = onAnotherThread { (preferences.weather.temperature, preferences.weather.isSet(\.stations)) }
            #expect(other == (1, false))
            weather.reset(\.temperature)
            #expect(weather.temperature == 0)
            #expect(!weather.isSet(\.temperature))
            weather.temperature = 3
        }
        #expect(weather.temperature == 3)
    }

    @Test("Watchers are notified once for each key after the commit of a transaction")
    func watchersAreNotifiedOnceForEachKey() throws {
        let seen = Recorder<String>()
        let weather = weather
        let preferences = preferences
        weather.watch(\.temperature, options: .old) { change in
            seen.add("temperature \(change.old ?? -1) → \(change.new), \(weather.unit), \(preferences.launchCount)")
        }
        preferences.watch(\.launchCount) { seen.add("launchCount \($0.new)") }
        weather.watch(\.nickname) { _ in seen.add("nickname") }
        try preferences.transaction { _ in
            preferences.launchCount = 1
            weather.temperature = 5
            weather.temperature = 6
            weather.unit = .fahrenheit
            weather.nickname = "a"
            weather.reset(\.nickname)
            #expect(seen.all == [])
        }
        #expect(seen.all == ["temperature 0.0 → 6.0, fahrenheit, 1", "launchCount 1"])
    }

    @Test("An inner transaction joins the outer one")
    func anInnerTransactionJoinsTheOuterOne() throws {
        try preferences.transaction { _ in
            preferences.launchCount = 1
            try preferences.transaction { _ in weather.temperature = 2 }
            #expect(store.batches.isEmpty)
        }
        #expect(store.batches.count == 1)
        #expect(store.batches[0].count == 2)
    }

    @Test("An inner transaction that throws undoes only its own changes")
    func anInnerTransactionThatThrowsUndoesItsChanges() throws {
        try preferences.transaction { _ in
            preferences.launchCount = 1
            weather.temperature = 1
            #expect(throws: Refusal()) {
                try preferences.transaction { _ in
                    weather.temperature = 2
                    weather.unit = .fahrenheit
                    throw Refusal()
                }
            }
            #expect(weather.temperature == 1)
        }
        #expect(preferences.launchCount == 1)
        #expect(weather.temperature == 1)
        #expect(weather.unit == .celsius)
    }

    @Test("A refused value makes the transaction throw and change nothing")
    func aRefusedValueFailsTheTransaction() async {
        let problem = #expect(throws: PreferenceProblem.self) {
            try preferences.transaction { preferences in
                preferences.launchCount = 1
                preferences.set("height", to: 9_001.0, [.range(0...9_000)])
                preferences.launchCount = 2
            }
        }
        #expect(problem?.code == .constraintViolation)
        #expect(
            problem?.description
                == "faulty: 'height': 9001.0 is out of range 0.0...9000.0; it was not set"
        )
        #expect(store.batches.isEmpty)
        #expect(preferences.launchCount == 0)
        #expect(await preferences.reportedProblems().isEmpty)
    }

    @Test("A refusal that the body catches does not fail the transaction")
    func aCaughtRefusalDoesNotFailTheTransaction() throws {
        try preferences.transaction { _ in
            preferences.launchCount = 1
            #expect(throws: PreferenceProblem.self) { try preferences.set(\.height, to: 9_001) }
            _ = try? preferences.transaction { preferences in
                preferences.set("height", to: 9_001.0, [.range(0...9_000)])
            }
        }
        #expect(preferences.launchCount == 1)
    }

    @Test("A transaction over a store that cannot be written changes nothing")
    func aFailedStoreChangesNothing() {
        let seen = Recorder<Int>()
        preferences.launchCount = 1
        preferences.watch(\.launchCount) { seen.add($0.new) }
        store.failWrites("the disk is full")
        let problem = #expect(throws: PreferenceProblem.self) {
            try preferences.transaction { _ in
                preferences.launchCount = 2
                weather.temperature = 3
            }
        }
        #expect(
            problem?.description
                == "faulty: the disk is full; none of these was changed: 'launchCount', 'weather-service:temperature'"
        )
        #expect(preferences.launchCount == 1)
        #expect(weather.temperature == 0)
        #expect(seen.all == [])
    }

    @Test("A transaction without changes writes nothing")
    func aTransactionWithoutChangesWritesNothing() throws {
        #expect(try preferences.transaction { $0.launchCount } == 0)
        #expect(store.batches.isEmpty)
    }

    @Test("Secrets are part of a transaction")
    func secretsArePartOfATransaction() throws {
        let secrets = MemoryStore()
        let preferences = Preferences(store: store, secrets: secrets)
        try preferences.transaction { preferences in
            preferences.set("token", to: "hidden", [.secret])
            preferences.launchCount = 1
            #expect(preferences.get("token", default: "", [.secret]) == "hidden")
            #expect(secrets.names().isEmpty)
        }
        #expect(secrets.value(for: "token") == "hidden")
        #expect(preferences.get("token", default: "", [.secret]) == "hidden")
        #expect(store.batches == [["launchCount": .set(1)]])
    }

    @Test("A transaction that sets a renamed key removes its former name")
    func aFormerNameIsRemoved() throws {
        let store: MemoryStore = ["old": "a"]
        let preferences = Preferences(store: store)
        func renamed() -> String { preferences.get("new", default: "", [.renamed(from: "old")]) }
        #expect(renamed() == "a")
        try preferences.transaction { preferences in
            preferences.set("new", to: renamed() + "b", [.renamed(from: "old")])
            #expect(renamed() == "ab")
            #expect(!preferences.isSet(named: "old"))
        }
        #expect(renamed() == "ab")
        #expect(store.names() == ["new"])
    }

    @Test("A watcher that is registered in a transaction is notified of its commit")
    func aWatcherReceivesTheCommitOfItsTransaction() throws {
        let seen = Recorder<PreferenceChange<Int>>()
        try preferences.transaction { preferences in
            preferences.launchCount = 1
            preferences.watch(\.launchCount, options: .old) { seen.add($0) }
            preferences.launchCount = 2
        }
        #expect(seen.all == [PreferenceChange(old: 0, new: 2)])
    }

    @Test("A transaction writes a file once")
    func aFileIsWrittenOnce() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let preferences = Preferences(store: FileStore(url: url))
            try preferences.transaction { preferences in
                preferences.launchCount = 1
                preferences.weather.temperature = 2
                #expect(!FileManager.default.fileExists(atPath: url.filePath))
            }
            #expect(
                try url.text() == """
                    {
                      "launchCount": 1,
                      "weather-service:temperature": 2.0
                    }

                    """
            )
        }
    }

    @Test("A transaction whose only change of a secret was undone does not write secrets")
    func undoneSecret() throws {
        let secrets = FaultyStore()
        let preferences = Preferences(store: store, secrets: secrets)
        secrets.failWrites("locked")
        try preferences.transaction { preferences in
            try? preferences.transaction { preferences in
                preferences.set("token", to: "hidden", [.secret])
                throw CancellationError()
            }
            preferences.launchCount = 1
        }
        #expect(preferences.launchCount == 1)
        #expect(secrets.batches.isEmpty && secrets.flushCount == 0)
    }

    @Test("A transaction that is refused throws, even if its store catches the error of the update")
    func storeThatCatchesErrors() {
        /// Catches errors of the closures of updates.
        final class CatchingStore: WritablePreferenceStore {
            let label = "catching"
            private let memory = MemoryStore()

            func value(for name: String) -> PreferenceValue? { memory.value(for: name) }
            func names() -> Set<String> { memory.names() }
            func apply(_ batch: PreferenceBatch) { memory.apply(batch) }

            func update(
                _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
            ) {
                try? memory.update(makeBatch)
            }
        }
        let store = CatchingStore()
        let preferences = Preferences(store: store)
        #expect(throws: PreferenceProblem.self) {
            try preferences.transaction { preferences in
                preferences.launchCount = 1
                preferences.height = -1
            }
        }
        #expect(store.names().isEmpty && preferences.launchCount == 0)
        preferences.launchCount = 2
        #expect(preferences.launchCount == 2)
    }

    private func onAnotherThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
        let result = Recorder<Result>()
        let done = DispatchSemaphore(value: 0)
        Thread {
            result.add(body())
            done.signal()
        }.start()
        done.wait()
        return result.all[0]
    }
}

extension Preferences {
    fileprivate var height: Double {
        get { get("height", default: 0, [.range(0...9_000)]) }
        set { set("height", to: newValue, [.range(0...9_000)]) }
    }
}

extension Preferences {
    fileprivate var renamed: Int {
        get { get("renamed", default: 0, [.renamed(from: "former")]) }
        set { set("renamed", to: newValue, [.renamed(from: "former")]) }
    }
}
