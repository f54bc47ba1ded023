import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

@Suite("Several Preferences over one store, used by many threads")
struct SharedStoreConcurrencyTests {
    /// Sets a key from several threads, each through one of several preferences, to distinct values.
    ///
    /// - Parameter key: The storage name of the key in each of the preferences.
    private func checkThatEveryCommitIsNotifiedOnce(
        _ all: [(preferences: Preferences, key: String)],
        threadCount: Int = 4,
        setCount: Int = 300
    ) async {
        // A watcher ends with its reference. A watcher that retained the reference would retain the store forever.
        let references = all.map { PreferenceReference($0.key, default: -1, in: $0.preferences) }
        let logs = references.map { reference in
            let log = Recorder<PreferenceChange<Int>>()
            reference.watch(\.value, options: .old) { log.add($0) }
            return log
        }
        await withTaskGroup { group in
            for thread in 0..<threadCount {
                group.addTask {
                    let (preferences, key) = all[thread % all.count]
                    for number in 0..<setCount {
                        let value = thread * setCount + number
                        if number % 10 == 0 {
                            try? preferences.transaction { $0.set(named: key, to: value) }
                        } else {
                            preferences.set(named: key, to: value)
                        }
                    }
                }
            }
        }
        for log in logs {
            let seen = log.all
            #expect(seen.count == threadCount * setCount)
            #expect(Set(seen.map(\.new)).count == threadCount * setCount)
            #expect(seen.allSatisfy { $0.old != $0.new })
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.new == $1.old })
            #expect(seen.map(\.new) == logs[0].all.map(\.new), "one order for all")
            #expect(seen.last?.new == all[0].preferences.get(named: all[0].key, default: -1))
        }
        withExtendedLifetime(references) {}
    }

    @Test("Every commit is notified exactly once, in one order, over a store in memory", arguments: 1...10)
    func memory(round: Int) async {
        let store = MemoryStore()
        await checkThatEveryCommitIsNotifiedOnce((0..<3).map { _ in (Preferences(store: store), "number") })
    }

    @Test("Every commit is notified exactly once over a file's store", arguments: [false, true])
    func file(isImmediate: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let store = FileStore(url: url, durability: isImmediate ? .immediate : .coalesced(milliseconds: 1))
            await checkThatEveryCommitIsNotifiedOnce(
                (0..<2).map { _ in (Preferences(store: store), "number") },
                setCount: isImmediate ? 30 : 300
            )
            // A thread that notifies watchers may be the last to release the store, after the folder has been removed.
            try store.flush()
        }
    }

    @Test("Every commit is notified exactly once where one of the preferences is over a prefix of the store")
    func prefix() async {
        let store = MemoryStore()
        await checkThatEveryCommitIsNotifiedOnce([
            (Preferences(store: store), "account:number"),
            (Preferences(store: PrefixedStore(store, prefix: "account")), "number"),
        ])
    }

    @Test(
        "Every commit is notified exactly once over layers",
        arguments: [.firstWritable, .everyWritable] as [LayeredStore.Destination]
    )
    func layers(destination: LayeredStore.Destination) async {
        let environment = EnvironmentStore(prefix: "NONE_", environment: [:])
        let store = LayeredStore([environment, MemoryStore(), MemoryStore()], writingTo: destination)
        await checkThatEveryCommitIsNotifiedOnce((0..<2).map { _ in (Preferences(store: store), "number") })
    }

    @Test("A missed change is notified before the commit that replaces it")
    func missedChange() throws {
        let store = ExternallyChangedStore(isSilent: true)
        let preferences = Preferences(store: store)
        let seen = Recorder<PreferenceChange<Int>>()
        preferences.watch(\.launchCount, options: .old) { seen.add($0) }
        store.set("launchCount", 5)
        try preferences.transaction { $0.launchCount = 0 }
        #expect(seen.all == [PreferenceChange(old: 0, new: 5, origin: .external), PreferenceChange(old: 5, new: 0)])
    }

    @Test("An external change during the commit of another thread is notified by the committing thread")
    func waiters() throws {
        let store = MemoryStore()
        let (first, second) = (Preferences(store: store), Preferences(store: store))
        let seen = Recorder<Int>()
        second.watch(\.launchCount) { seen.add($0.new) }
        try first.transaction { _ in
            // An external change by another thread, while no thread holds the lock of `first`.
            onAnotherThread { second.handleExternalChange(of: ["launchCount"], isAmongSecrets: false) }
            first.launchCount = 3
        }
        #expect(seen.all == [3])
        store.apply(["launchCount": .set(4)])
        #expect(seen.all == [3, 4])
    }

    @Test(
        "An external change in one of two stores is notified once another thread has unlocked the other",
        arguments: [0, 1]
    )
    func partlyLocked(main: Int) throws {
        // Locks are taken in the order of addresses, so both orders are tried.
        let stores = [MemoryStore(), MemoryStore()].sorted { ObjectIdentifier($0) < ObjectIdentifier($1) }
        let preferences = Preferences(store: stores[main], secrets: stores[1 - main])
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount) { seen.add($0.new) }
        try Preferences(store: stores[1 - main]).transaction { _ in
            onAnotherThread { stores[main].apply(["launchCount": .set(5)]) }
            #expect(seen.all == [])
        }
        #expect(seen.all == [5])
        stores[main].apply(["launchCount": .set(6)])
        #expect(seen.all == [5, 6])
    }

    @Test("A watcher is notified of a change that another one has read when it began to watch the same key")
    func changeReadByAnother() throws {
        let store = ExternallyChangedStore(isSilent: true)
        let preferences = Preferences(store: store)
        preferences.launchCount = 1
        let (fixed, computed) = (Recorder<Int>(), Recorder<Double>())
        preferences.watch(\.launchCount) { fixed.add($0.new) }
        preferences.watch(\.countOrTemperature) { computed.add($0.new) }
        try preferences.transaction { preferences in
            store.set("launchCount", 5)
            onAnotherThread { [preferences] in
                preferences.handleExternalChange(of: ["launchCount"], isAmongSecrets: false)
            }
            preferences.weather.temperature = -1
        }
        #expect(fixed.all == [5])
        // One notification is for the transaction, the other one for the external change.
        #expect(computed.all == [1, 5])
    }
}

extension Preferences {
    /// Reads `launchCount` only if the temperature is negative.
    fileprivate var countOrTemperature: Double {
        weather.temperature < 0 ? Double(launchCount) : weather.temperature
    }
}
