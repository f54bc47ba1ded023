import Dispatch
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Watchers and hooks while many threads change keys.
@Suite("Watchers and hooks used by many threads")
struct WatcherConcurrencyTests {
    // MARK: Changes of all kinds

    /// The changes that one watcher has received.
    private struct Log {
        let seen = Recorder<PreferenceChange<String>>()
        let read: () -> String
    }

    private func watch(_ weather: Preferences.Weather) -> [Log] {
        let logs = [
            Log { "\(weather.temperature)" }, Log { "\(weather.stations)" }, Log { weather.summary },
        ]
        let seen = logs.map(\.seen)
        func text<Value>(_ change: PreferenceChange<Value>) -> PreferenceChange<String> {
            PreferenceChange(old: change.old.map { "\($0)" }, new: "\(change.new)", origin: change.origin)
        }
        weather.watch(\.temperature, options: [.initial, .old]) { [seen = seen[0]] in seen.add(text($0)) }
        weather.watch(\.stations, options: [.initial, .old]) { [seen = seen[1]] in seen.add(text($0)) }
        weather.watch(\.summary, options: [.initial, .old]) { [seen = seen[2]] in seen.add($0) }
        return logs
    }

    @Test(
        "Each change of a watcher starts at its previous value, and the last one ends at the final value",
        arguments: 1...60
    ) func watchersSeeConsecutiveValues(round: UInt64) async {
        let store = MemoryStore()
        let all = [Preferences(store: store), Preferences(store: store)]
        let logs = all.flatMap { watch($0.weather) }
        await runConcurrently(threads: 4) { thread in
            var random = SeededRandom(seed: round * 10 + UInt64(thread))
            for _ in 0..<60 {
                Self.change(all.randomElement(using: &random)!, store, &random)
            }
        }
        for log in logs {
            let seen = log.seen.all
            #expect(seen.last?.new == log.read())
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.new == $1.old })
        }
        #expect(all[0].weather.summary == all[1].weather.summary)
        #expect(all[0].weather.stations == all[1].weather.stations)
        #expect(Preferences(store: store).weather.summary == all[0].weather.summary)
    }

    private static func change(_ preferences: Preferences, _ store: MemoryStore, _ random: inout SeededRandom) {
        let weather = preferences.weather
        let number = Int.random(in: 0..<4, using: &random)
        let unit: TemperatureUnit = number.isMultiple(of: 2) ? .celsius : .fahrenheit
        switch Int.random(in: 0..<9, using: &random) {
        case 0: weather.temperature = Double(number)
        case 1: weather.stations = ["\(number)"]
        case 2:
            try? preferences.transaction { _ in
                weather.temperature = Double(number)
                weather.unit = unit
                weather.stations = ["\(number)"]
                // One of four transactions is cancelled.
                if number == 3 { throw CancellationError() }
            }
        case 3: weather.reset(\.temperature)
        case 4:
            store.apply([
                "weather-service:temperature": .set(.double(Double(number))),
                "weather-service:stations": .set(.array([.string("\(number)")])),
            ])
        case 5: try? weather.update(\.temperature) { $0 += 1 }
        case 6: weather.unit = unit
        case 7: try? weather.resetAll()
        default: weather.watch(\.temperature, options: .initial) { _ in _ = weather.stations }.cancel()
        }
    }

    // MARK: Delivery contexts

    private actor Station {
        private(set) var seen: [Int] = []
        private let (done, finish) = AsyncStream.makeStream(of: Void.self)

        func begin(_ preferences: Preferences, until last: Int) {
            preferences.watch(\.launchCount) { change in
                self.assertIsolated()
                self.seen.append(change.new)
                if change.new == last { self.finish.finish() }
            }
        }

        func all() async -> [Int] {
            for await _ in done {}
            return seen
        }
    }

    @Test("Watchers receive every change in order in each delivery context")
    func watchersSeeChangesInOrderInAnyContext() async {
        let preferences = Preferences.inMemory()
        let station = Station()
        await station.begin(preferences, until: 800)
        let (onMain, main) = AsyncStream.makeStream(of: Int.self)
        preferences.watch(\.launchCount) { @MainActor change in
            MainActor.assertIsolated()
            main.yield(change.new)
            if change.new == 800 { main.finish() }
        }
        let (onQueue, queued) = AsyncStream.makeStream(of: Int.self)
        let queue = DispatchQueue(label: "watchers", attributes: .concurrent)
        preferences.watch(\.launchCount, on: queue) { change in
            dispatchPrecondition(condition: .onQueue(queue))
            queued.yield(change.new)
            if change.new == 800 { queued.finish() }
        }
        await runConcurrently(threads: 4) { _ in
            for _ in 0..<200 {
                #expect(throws: Never.self) { try preferences.update(\.launchCount) { $0 += 1 } }
            }
        }
        let expected = Array(1...800)
        #expect(await station.all() == expected)
        #expect(await onMain.reduce(into: []) { $0.append($1) } == expected)
        #expect(await onQueue.reduce(into: []) { $0.append($1) } == expected)
    }

    // MARK: Owners

    /// An owner that cancels its watcher when it is released.
    private final class Owner: WeatherPreferences {
        let preferences: Preferences
        private let watcher = Locked<PreferenceWatcher?>(nil)

        init(_ preferences: Preferences) {
            self.preferences = preferences
            let new = watch(\.temperature) { _ in }
            watcher.withLock { $0 = new }
        }

        deinit {
            watcher.withLock { $0 }?.cancel()
        }
    }

    @Test("Owners can be released while other threads remove watchers of released owners")
    func ownersAreReleasedDuringSweeps() async {
        let preferences = Preferences.inMemory()
        await runConcurrently(threads: 4) { thread in
            var owners: [Owner] = []
            for number in 0..<2_000 {
                owners.append(Owner(preferences))
                if number % 100 == 99 { owners = [] }
            }
        }
        #expect(preferences.state.withLock { $0.watchers.all }.isEmpty)
    }

    // MARK: Hooks

    @Test("Hooks can be added and cancelled while keys change")
    func hooksComeAndGoWhileKeysChange() async {
        let preferences = Preferences.inMemory()
        let (changes, commits) = (Recorder<PreferenceChange<Int>>(), Recorder<Int>())
        preferences.didChange(of: \.launchCount) { changes.add($0) }
        await runConcurrently(threads: 4) { thread in
            for number in 0..<150 {
                switch thread % 2 {
                case 0:
                    let hook = preferences.didCommit { _ in commits.add(number) }
                    let processor = preferences.weather.processValues(of: \.temperature) { $0 }
                    preferences.weather.temperature = Double(number)
                    hook.cancel()
                    processor.cancel()
                default: try? preferences.update(\.launchCount) { $0 += 1 }
                }
            }
        }
        #expect(changes.all.map(\.new) == Array(1...300))
        #expect(changes.all.map(\.old) == (0..<300).map { $0 })
        let count = commits.all.count
        preferences.launchCount = -1
        #expect(commits.all.count == count)
    }
}

extension Preferences.Weather {
    fileprivate var summary: String { "\(temperature) \(unit)" }
}
