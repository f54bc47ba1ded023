import Foundation
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PreferencesRuntime

@Suite("Watchers")
struct WatchTests {
    private let preferences = Preferences(store: MemoryStore())

    @Test("A watcher receives each change with its new value")
    func aWatcherReceivesEachChange() {
        let seen = Recorder<Double>()
        preferences.weather.watch(\.temperature) { seen.add($0.new) }
        preferences.weather.temperature = 1
        preferences.weather.temperature = 2
        preferences.weather.reset(\.temperature)
        preferences.weather.unit = .fahrenheit
        #expect(seen.all == [1, 2, 0])
    }

    @Test("The old value is delivered if it is requested")
    func theOldValueIsDeliveredIfRequested() {
        let seen = Recorder<PreferenceChange<String?>>()
        preferences.weather.watch(\.nickname, options: [.old, .new]) { seen.add($0) }
        preferences.weather.nickname = "newValue"
        preferences.weather.nickname = nil
        preferences.weather.reset(\.nickname)
        #expect(
            seen.all == [
                PreferenceChange(old: "anonymous", new: "newValue"), PreferenceChange(old: "newValue", new: nil),
                PreferenceChange(old: .some(nil), new: "anonymous"),
            ]
        )
    }

    @Test("There is no old value by default")
    func thereIsNoOldValueByDefault() {
        let seen = Recorder<PreferenceChange<Int>>()
        preferences.watch(\.launchCount) { seen.add($0) }
        preferences.launchCount = 3
        #expect(seen.all == [PreferenceChange(old: nil, new: 3)])
    }

    @Test("The initial value is delivered at once if it is requested")
    func theInitialValueIsDeliveredIfRequested() {
        let seen = Recorder<PreferenceChange<Int>>()
        preferences.launchCount = 3
        preferences.watch(\.launchCount, options: [.initial, .old]) { seen.add($0) }
        #expect(seen.all == [PreferenceChange(old: nil, new: 3, origin: .initial)])
        preferences.launchCount = 4
        #expect(seen.all.last == PreferenceChange(old: 3, new: 4))
    }

    @Test("A body without a parameter is called")
    func aBodyWithoutParameterIsCalled() {
        let seen = Recorder<Int>()
        preferences.watch(anyOf: [\.launchCount], options: .initial) { [preferences] in
            seen.add(preferences.launchCount)
        }
        preferences.launchCount = 4
        #expect(seen.all == [0, 4])
    }

    @Test("Setting a key to its stored value notifies no watcher")
    func aSetToTheSameValueNotifiesNobody() {
        let seen = Recorder<Int>()
        preferences.launchCount = 1
        preferences.watch(\.launchCount) { seen.add($0.new) }
        preferences.launchCount = 1
        preferences.weather.temperature = 2
        preferences.reset(\.weather.unit)
        #expect(seen.all == [])
        preferences.launchCount = 2
        #expect(seen.all == [2])
    }

    @Test("Duplicates are not delivered if that is requested")
    func duplicatesAreRemovedIfRequested() {
        let (all, distinct) = (Recorder<Int>(), Recorder<Int>())
        preferences.watch(\.launchCount) { all.add($0.new) }
        preferences.watch(\.launchCount, options: .removeDuplicates) { distinct.add($0.new) }
        preferences.launchCount = 0  // the default
        preferences.launchCount = 1
        #expect(all.all == [0, 1])
        #expect(distinct.all == [1])
    }

    @Test("Duplicate optionals are not delivered, and values that are not Equatable always are")
    func duplicateOptionalsAreRemoved() {
        let (dates, pairs) = (Recorder<Bool>(), Recorder<Int>())
        let weather = preferences.weather
        weather.watch(\.lastUpdate, options: .removeDuplicates) { dates.add($0.new == nil) }
        weather.watch(\.pair, options: .removeDuplicates) { pairs.add($0.new.first) }
        // From not set to a stored nil.
        preferences.set(named: "weather-service:lastUpdate", to: nil as Date?, default: .distantPast)
        #expect(dates.all == [])
        weather.lastUpdate = .distantPast
        #expect(dates.all == [false])
        weather.stations = ["a"]
        weather.stations = ["b"]
        #expect(pairs.all == [1, 1])
    }

    @Test("Two watchers from one line are two")
    func twoWatchersFromOneLineAreTwo() {
        let seen = Recorder<String>()
        for name in ["first", "second"] { preferences.watch(\.launchCount) { _ in seen.add(name) } }
        preferences.launchCount = 1
        #expect(seen.all == ["first", "second"])
    }

    @Test("A watcher replaces an earlier one of the same key with the same id")
    func anIdReplacesTheEarlierWatcher() {
        let seen = Recorder<String>()
        let first = preferences.weather.watch(\.temperature, id: "a") { _ in seen.add("first") }
        preferences.weather.watch(\.temperature, id: "b") { _ in seen.add("other id") }
        preferences.weather.watch(\.unit, id: "a") { _ in seen.add("other key") }
        let second = preferences.weather.watch(\.temperature, id: "a") { _ in seen.add("second") }
        #expect(!first.isActive)
        #expect(second.isActive)
        #expect(second.id == "a")
        preferences.weather.temperature = 1
        preferences.weather.unit = .fahrenheit
        #expect(seen.all == ["other id", "second", "other key"])
    }

    @Test("A cancelled watcher is not called again")
    func aCancelledWatcherIsNotCalledAgain() {
        let seen = Recorder<Int>()
        let watcher = preferences.watch(\.launchCount) { seen.add($0.new) }
        preferences.launchCount = 1
        watcher.cancel()
        watcher.cancel()
        preferences.launchCount = 2
        #expect(seen.all == [1])
        #expect(!watcher.isActive)
    }

    @Test("A computed property is watched in all its keys")
    func aComputedPropertyIsWatchedInAllItsKeys() {
        let seen = Recorder<String>()
        preferences.weather.watch(\.summary) { seen.add($0.new) }
        preferences.weather.temperature = 3
        preferences.weather.unit = .fahrenheit
        preferences.weather.radar.range = 100
        preferences.weather.stations = ["Oslo"]
        #expect(seen.all == ["3.0 celsius", "3.0 fahrenheit", "3.0 fahrenheit 100"])
    }

    @Test("The keys of a computed property may depend on other keys")
    func theKeysOfAComputedPropertyMayDependOnOthers() {
        let seen = Recorder<String>()
        preferences.weather.watch(\.chosen) { seen.add($0.new) }
        preferences.weather.temperature = 1  // not read while the unit is Celsius
        preferences.weather.unit = .fahrenheit
        preferences.weather.temperature = 2
        preferences.weather.unit = .celsius
        preferences.weather.temperature = 3
        #expect(seen.all == ["1.0", "2.0", "none"])
    }

    @Test("Key paths into namespaces and values can be watched")
    func keyPathsIntoNamespacesAndValuesAreWatched() {
        let (ranges, counts) = (Recorder<Int>(), Recorder<Int>())
        preferences.watch(\.weather.radar.range) { ranges.add($0.new) }
        preferences.watch(\.weather.stations.count, options: .removeDuplicates) { counts.add($0.new) }
        preferences.weather.radar.range = 25
        preferences.weather.stations = ["Oslo"]
        preferences.weather.stations = ["Nairobi"]
        #expect(ranges.all == [25])
        #expect(counts.all == [1])
    }

    @Test("Several keys can be watched by one watcher")
    func severalKeysAreWatchedAtOnce() throws {
        let seen = Recorder<String>()
        let weather = preferences.weather
        weather.watch(anyOf: [\.temperature, \.unit, \.radar.range], options: .initial) {
            seen.add("\(weather.temperature) \(weather.unit)")
        }
        weather.unit = .fahrenheit
        try preferences.transaction { _ in
            weather.temperature = 9
            weather.unit = .celsius
            weather.radar.range = 100
        }
        weather.nickname = "a"
        #expect(seen.all == ["0.0 celsius", "0.0 fahrenheit", "9.0 celsius"])
    }

    @Test("In a transaction, the initial value is delivered after it")
    func theInitialCallFollowsATransaction() {
        struct Failure: Error {}
        let seen = Recorder<Int>()
        try? preferences.transaction { preferences in
            preferences.launchCount = 5
            preferences.watch(\.launchCount, options: .initial) { [preferences] change in
                seen.add(change.new)
                let isHeld = preferences.writing.isHeldByThisThread
                #expect(!isHeld)
                // Not part of a transaction that could be undone.
                preferences.weather.temperature = 9
            }
            #expect(seen.all == [])
            throw Failure()
        }
        #expect(seen.all == [0])
        #expect(preferences.weather.temperature == 9)
        try? preferences.transaction { preferences in
            preferences.launchCount = 6
            preferences.watch(\.launchCount, options: .initial) { seen.add($0.new + 100) }
        }
        #expect(seen.all == [0, 6, 100, 106])
    }

    @Test("A watcher may set its own key, and is then notified of that")
    func aWatcherMaySetItsKey() {
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount) { [preferences] change in
            if change.new < 3 { preferences.launchCount = change.new + 1 }
            seen.add(change.new)
        }
        preferences.launchCount = 1
        #expect(seen.all == [1, 2, 3])
        #expect(preferences.launchCount == 3)
    }

    @Test("Watchers that set each other's keys terminate")
    func watchersThatSetEachOthersKeysTerminate() {
        let seen = Recorder<String>()
        let weather = preferences.weather
        weather.watch(\.temperature) { change in
            seen.add("temperature \(change.new)")
            if change.new < 3 { weather.radar.range = Int(change.new) + 1 }
        }
        weather.watch(\.radar.range) { change in
            seen.add("range \(change.new)")
            weather.temperature = Double(change.new)
        }
        weather.temperature = 1
        #expect(seen.all == ["temperature 1.0", "range 2", "temperature 2.0", "range 3", "temperature 3.0"])
    }

    @Test("A watcher may register and cancel watchers in its body")
    func aWatcherMayWatchAndCancelInItsBody() {
        let seen = Recorder<String>()
        let watchers = Recorder<PreferenceWatcher>()
        watchers.add(
            preferences.watch(\.launchCount) { [preferences] change in
                seen.add("outer \(change.new)")
                watchers.all.first?.cancel()
                preferences.watch(\.launchCount, id: "inner") { seen.add("inner \($0.new)") }
            }
        )
        preferences.launchCount = 1
        preferences.launchCount = 2
        #expect(seen.all == ["outer 1", "inner 2"])
    }

    @Test("A watcher that another one cancels before its turn is not called")
    func aWatcherCancelledByAnotherIsNotCalled() {
        let seen = Recorder<String>()
        let second = Recorder<PreferenceWatcher>()
        preferences.watch(\.launchCount) { _ in
            seen.add("first")
            second.all.first?.cancel()
        }
        second.add(preferences.watch(\.launchCount) { _ in seen.add("second") })
        preferences.launchCount = 1
        #expect(seen.all == ["first"])
    }

    @Test("A body reads the committed value")
    func aBodyReadsWhatWasCommitted() {
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount) { [preferences] _ in seen.add(preferences.launchCount) }
        preferences.launchCount = 5
        #expect(seen.all == [5])
    }

    @Test("A refused value notifies no watcher")
    func aRefusedValueNotifiesNobody() async {
        let seen = Recorder<Double>()
        let store = FaultyStore()
        let preferences = Preferences(store: store)
        preferences.weather.watch(\.temperature) { seen.add($0.new) }
        preferences.weather.temperature = 1
        preferences.watch(\.volume) { _ in seen.add(-1) }
        preferences.volume = 11
        store.failWrites("the disk is full")
        preferences.weather.temperature = 2
        #expect(preferences.weather.temperature == 1)
        store.failWrites(nil)
        preferences.weather.temperature = 3
        #expect(seen.all == [1, 3])
    }

    @Test("A value that is refused in a watcher or a hook does not fail the setter that called it")
    func aRefusalInAWatcherDoesNotFailTheSetter() async throws {
        let preferences = preferences
        preferences.watch(\.launchCount) { preferences.height = Double($0.new) }
        preferences.willChange(of: \.launchCount) { preferences.height = Double($0.new) + 1 }
        try preferences.set(\.launchCount, to: 10_000)
        #expect(preferences.launchCount == 10_000)
        #expect(
            await preferences.reportedProblems().map(\.message)
                == [10_001, 10_000].map {
                    "\($0).0 is out of range 0.0...9000.0; it was not set"
                }
        )
        // A change by a hook before the commit of a transaction is part of it.
        #expect(throws: PreferenceProblem.self) { try preferences.transaction { $0.launchCount = 20_000 } }
        #expect(preferences.launchCount == 10_000)
    }

    @Test("A watcher retains neither its owner nor its preferences")
    func aWatcherRetainsNothing() {
        let seen = Recorder<Double>()
        weak var gone: Service?
        weak var preferences: Preferences?
        do {
            let all = Preferences(store: MemoryStore())
            preferences = all
            var service: Service? = Service(all)
            gone = service
            service?.watch(\.temperature) { seen.add($0.new) }
            all.weather.watch(\.temperature) { seen.add($0.new) }
            all.weather.temperature = 1
            service = nil
            #expect(gone == nil)
            all.weather.temperature = 2
        }
        #expect(seen.all == [1, 1, 2])
        #expect(preferences == nil)
    }

    @Test("A watcher's description contains its place of registration")
    func aWatcherDescribesItsRegistration() {
        let line = UInt(#line + 1)
        let watcher = preferences.watch(\.launchCount, id: "a") { _ in }
        #expect(
            watcher.description == "the watcher at PreferencesRuntimeTests/WatchTests.swift:\(line) with the id 'a'"
        )
    }
}

private final class Service: WeatherPreferences {
    let preferences: Preferences

    init(_ preferences: Preferences) {
        self.preferences = preferences
    }
}

extension Preferences {
    fileprivate var height: Double {
        get { get("height", default: 0, [.range(0...9_000)]) }
        set { set("height", to: newValue, [.range(0...9_000)]) }
    }
}

extension Preferences.Weather {
    fileprivate var summary: String {
        unit == .celsius
            ? "\(temperature) celsius" : "\(temperature) fahrenheit\(radar.range == 50 ? "" : " \(radar.range)")"
    }

    fileprivate var chosen: String { unit == .celsius ? "none" : "\(temperature)" }
}

/// A type that is not `Equatable`.
private struct Pair {
    var first: Int
}

extension Preferences.Weather {
    fileprivate var pair: Pair { Pair(first: stations.count) }
}

extension Preferences {
    fileprivate var volume: Int {
        get { get("volume", default: 0, [.range(0...10)]) }
        set { set("volume", to: newValue, [.range(0...10)]) }
    }
}
