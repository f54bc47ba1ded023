import Observation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

/// Reads inside `withObservationTracking`.
@Suite("Observation")
struct ObservationTests {
    private let store = MemoryStore()
    private let preferences: Preferences

    init() {
        preferences = Preferences(store: store, isObserved: true)
    }

    /// Returns whether a body that reads is notified of the changes of another one.
    private func isNotified(_ change: () throws -> Void, _ read: () -> Void) rethrows -> Bool {
        let notified = Recorder<Void>()
        withObservationTracking(read) { notified.add(()) }
        try change()
        return !notified.all.isEmpty
    }

    @Test("A reader is notified when its key changes")
    func aReaderIsNotified() {
        // The first read takes the slow path, and the second one uses the cache.
        for number in 1...2 {
            #expect(isNotified({ preferences.launchCount = number }, { _ = preferences.launchCount }))
        }
        #expect(isNotified({ preferences.reset(\.launchCount) }, { _ = preferences.launchCount }))
    }

    @Test("A tracked read of preferences that are not observed is reported once")
    func aTrackedReadInVainIsReported() async {
        let preferences = Preferences(store: store)
        _ = preferences.launchCount
        withObservationTracking {
            _ = preferences.weather.temperature
            _ = preferences.weather.unit
        } onChange: {
        }
        withObservationTracking {
            _ = preferences.weather.nickname
        } onChange: {
        }
        let message =
            "it is read where Observation tracks reads, such as in the body of a view, which is not notified of changes: "
            + "create the Preferences with isObserved: true, or watch the key"
        let problem = PreferenceProblem(
            .notObserved,
            key: "weather-service:temperature",
            store: store.label,
            message: message
        )
        #expect(await preferences.reportedProblems() == [problem])
    }

    @Test("Tracked reads are not reported if the key is watched, or the preferences are observed")
    func otherTrackedReadsAreNotReported() async {
        let watched = Preferences(store: store)
        let watcher = watched.watch(\.launchCount) { _ in }
        defer { watcher.cancel() }
        for preferences in [watched, self.preferences] {
            withObservationTracking {
                _ = preferences.launchCount
            } onChange: {
            }
            #expect(await preferences.reportedProblems() == [])
        }
    }

    @Test("A read inside a transaction is observed")
    func readsInATransactionAreObserved() {
        for number in 1...2 {
            let isNotified = isNotified({ preferences.launchCount = number }) {
                _ = try? preferences.transaction { $0.launchCount }
            }
            #expect(isNotified)
        }
    }

    @Test("A read of the source of a key is observed")
    func readsOfTheSourceAreObserved() {
        #expect(isNotified({ preferences.launchCount = 1 }, { _ = preferences.source(of: \.launchCount) }))
    }

    @Test("A reader is not notified when another key changes, or when its key is set to the same value")
    func otherKeysDoNotNotify() {
        for _ in 1...2 {
            #expect(!isNotified({ preferences.weather.temperature += 1 }, { _ = preferences.launchCount }))
        }
        preferences.launchCount = 1
        #expect(!isNotified({ preferences.launchCount = 1 }, { _ = preferences.launchCount }))
    }

    @Test("Reads of strings, lists, namespaces, names and set keys are observed")
    func readsOfAllKindsAreObserved() {
        let weather = preferences.weather
        for number in 1...2 {
            #expect(isNotified({ weather.nickname = "\(number)" }, { _ = weather.nickname }))
            #expect(isNotified({ weather.stations.append("Oslo") }, { _ = weather.stations.count }))
            #expect(isNotified({ weather.radar.range = number }, { _ = preferences.weather.radar.range }))
            #expect(
                isNotified(
                    { weather.temperature += 1 },
                    { _ = preferences.get(named: "weather-service:temperature", default: 0.0) }
                )
            )
            #expect(isNotified({ weather.reset(\.radar.range) }, { _ = weather.isSet(\.radar.range) }))
        }
    }

    @Test("A transaction notifies readers when it is committed")
    func aTransactionNotifiesAtItsCommit() throws {
        let transaction = {
            try preferences.transaction { preferences in
                preferences.launchCount = 5
                preferences.weather.temperature = 1
            }
        }
        let notified = try isNotified(transaction, { _ = preferences.launchCount })
        #expect(notified)
        #expect(
            !isNotified({ _ = try? preferences.transaction { $0.launchCount = 5 } }, { _ = preferences.launchCount })
        )
    }

    @Test("An external change is observed")
    func externalChangesAreObserved() {
        _ = preferences.launchCount
        #expect(isNotified({ store.apply(["launchCount": .set(9)]) }, { _ = preferences.launchCount }))
        let other = Preferences(store: store)
        #expect(isNotified({ other.launchCount = 10 }, { _ = preferences.launchCount }))
        #expect(!isNotified({ other.weather.temperature = 10 }, { _ = preferences.launchCount }))
    }

    @Test("A renamed key is observed under both names")
    func aKeyThatWasRenamedIsWatchedUnderBothNames() {
        func read() { _ = preferences.get("new", default: "", [.renamed(from: "old")]) }
        for number in 1...2 {
            #expect(isNotified({ store.apply(["old": .set("\(number)")]) }, read))
        }
        #expect(isNotified({ store.apply(["new": .set("c")]) }, read))
    }

    @Test("Without the option, nothing is observed")
    func nothingIsObservedByDefault() {
        let preferences = Preferences.inMemory()
        #expect(!isNotified({ preferences.launchCount = 5 }, { _ = preferences.launchCount }))
    }

    @Test("A notified reader reads the new value, and may set keys")
    func aNotifiedReaderReadsTheNewValue() {
        let seen = Recorder<Int>()
        withObservationTracking {
            _ = preferences.launchCount
        } onChange: { [preferences] in
            // No lock is held, so it may also write.
            seen.add(preferences.launchCount)
            preferences.weather.temperature = 7
        }
        preferences.launchCount = 5
        #expect(seen.all == [5])
        #expect(preferences.weather.temperature == 7)
    }
}
