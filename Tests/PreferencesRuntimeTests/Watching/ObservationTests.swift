import Observation
import TestSupport
import Testing

@testable import PreferencesRuntime
import StoreTestSupport

/// Reading inside of `withObservationTracking`.
struct ObservationTests {
    private let store = MemoryStore()
    private let preferences: Preferences

    init() {
        preferences = Preferences(store: store, isObserved: true)
    }

    /// Whether a body that reads is told of what another one changes.
    private func isTold(_ change: () throws -> Void, _ read: () -> Void) rethrows -> Bool {
        let told = Recorder<Void>()
        withObservationTracking(read) { told.add(()) }
        try change()
        return !told.all.isEmpty
    }

    @Test func aReaderIsToldWhenItsKeyChanges() {
        // The first read finds out, the second one remembers.
        for number in 1...2 {
            #expect(isTold({ preferences.launchCount = number }, { _ = preferences.launchCount }))
        }
        #expect(isTold({ preferences.reset(\.launchCount) }, { _ = preferences.launchCount }))
    }

    @Test func soIsWhoReadsInsideOfATransaction() {
        for number in 1...2 {
            let isTold = isTold({ preferences.launchCount = number }) {
                _ = try? preferences.transaction { $0.launchCount }
            }
            #expect(isTold)
        }
    }

    @Test func soIsWhoAsksForTheSource() {
        #expect(isTold({ preferences.launchCount = 1 }, { _ = preferences.source(of: \.launchCount) }))
    }

    @Test func andNotWhenAnotherDoesOrNothingChanges() {
        for _ in 1...2 {
            #expect(!isTold({ preferences.weather.temperature += 1 }, { _ = preferences.launchCount }))
        }
        preferences.launchCount = 1
        #expect(!isTold({ preferences.launchCount = 1 }, { _ = preferences.launchCount }))
    }

    @Test func soAreReadersOfTextsListsAndNamespaces() {
        let weather = preferences.weather
        for number in 1...2 {
            #expect(isTold({ weather.nickname = "\(number)" }, { _ = weather.nickname }))
            #expect(isTold({ weather.stations.append("Oslo") }, { _ = weather.stations.count }))
            #expect(isTold({ weather.radar.range = number }, { _ = preferences.weather.radar.range }))
            #expect(
                isTold(
                    { weather.temperature += 1 },
                    { _ = preferences.get(named: "weather-service:temperature", default: 0.0) }
                )
            )
            #expect(isTold({ weather.reset(\.radar.range) }, { _ = weather.isSet(\.radar.range) }))
        }
    }

    @Test func aTransactionTellsWhenItIsCommitted() throws {
        let transaction = {
            try preferences.transaction { preferences in
                preferences.launchCount = 5
                preferences.weather.temperature = 1
            }
        }
        let told = try isTold(transaction, { _ = preferences.launchCount })
        #expect(told)
        #expect(!isTold({ _ = try? preferences.transaction { $0.launchCount = 5 } }, { _ = preferences.launchCount }))
    }

    @Test func aChangeByOthersIsTold() {
        _ = preferences.launchCount
        #expect(isTold({ store.apply(["launchCount": .set(9)]) }, { _ = preferences.launchCount }))
        let other = Preferences(store: store)
        #expect(isTold({ other.launchCount = 10 }, { _ = preferences.launchCount }))
        #expect(!isTold({ other.weather.temperature = 10 }, { _ = preferences.launchCount }))
    }

    @Test func aKeyThatWasRenamedIsWatchedUnderBothNames() {
        func read() { _ = preferences.get("new", default: "", [.renamed(from: "old")]) }
        for number in 1...2 {
            #expect(isTold({ store.apply(["old": .set("\(number)")]) }, read))
        }
        #expect(isTold({ store.apply(["new": .set("c")]) }, read))
    }

    @Test func withoutObservationNobodyIsTold() {
        let preferences = Preferences.inMemory()
        #expect(!isTold({ preferences.launchCount = 5 }, { _ = preferences.launchCount }))
    }

    @Test func whoIsToldReadsTheNewValue() {
        let seen = Recorder<Int>()
        withObservationTracking {
            _ = preferences.launchCount
        } onChange: { [preferences] in
            // No lock is held: it may write, too.
            seen.add(preferences.launchCount)
            preferences.weather.temperature = 7
        }
        preferences.launchCount = 5
        #expect(seen.all == [5])
        #expect(preferences.weather.temperature == 7)
    }
}
