import Foundation
import Observation
import StoreTestSupport
import Synchronization
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// The guarantees of the read and write paths under many threads.
@Suite("The read and write paths used by many threads")
struct EngineConcurrencyTests {
    /// Reads a key as an accessor with an invented literal address.
    private static func read<Value: PreferenceConvertible>(
        _ preferences: Preferences,
        _ number: Int,
        _ fallback: Value
    ) -> Value {
        let key = CellKey(name: UInt(number + 1) * 16)
        switch preferences.cachedValue(key, as: Value.self) {
        case .value(let value): return value
        case .unset: return fallback
        case .uncached:
            let found: Value? = preferences.read(
                key,
                { PreferenceEntry("key-\(number)") },
                violation: { _ in nil },
                default: { nil }
            )
            return found ?? fallback
        }
    }

    @Test("A string is never read in part, while short and long ones take turns")
    func stringsAreReadWhole() async {
        let preferences = Preferences(store: MemoryStore())
        let texts = [
            "", "short", "fifteen letters", "a text of more than fifteen letters", "another one of these texts",
        ]
        let isDone = Atomic(false)
        await runConcurrently(threads: 6) { thread in
            if thread == 0 {
                for number in 0..<2_000 {
                    let text = texts[number % texts.count]
                    preferences.write(CellKey(name: 16), PreferenceEntry("key-0"), text, violation: { _ in nil })
                }
                isDone.store(true, ordering: .releasing)
            } else {
                while !isDone.load(ordering: .acquiring) {
                    #expect(texts.contains(Self.read(preferences, 0, "")))
                    #expect(texts.contains(preferences.get(named: "key-0", default: "")))
                }
            }
        }
        #expect(Self.read(preferences, 0, "") == texts[1_999 % texts.count])
    }

    @Test("Reads never return older values while cells are added and invalidated")
    func valuesNeverGoBackWhileCellsChange() async {
        let store = MemoryStore()
        let preferences = Preferences(store: store)
        let keyCount = 300
        let rounds = 8
        // Two threads write their own keys, alternately by the preferences and directly to the store. Four others read.
        await runConcurrently(threads: 6) { thread in
            if thread < 2 {
                for round in 1...rounds {
                    for number in stride(from: thread, to: keyCount, by: 2) {
                        if (number + round) % 3 == 0 {
                            store.apply(["key-\(number)": .set(.int(Int64(round)))])
                        } else {
                            preferences.write(
                                CellKey(name: UInt(number + 1) * 16),
                                PreferenceEntry("key-\(number)"),
                                round,
                                violation: { _ in nil }
                            )
                        }
                        #expect(Self.read(preferences, number, 0) == round)
                    }
                }
            } else {
                var last = [Int](repeating: 0, count: keyCount)
                var lastText = [Int](repeating: 0, count: keyCount)
                while last[keyCount - 1] < rounds || last[keyCount - 2] < rounds {
                    for number in 0..<keyCount {
                        let value = Self.read(preferences, number, 0)
                        #expect(value >= last[number])
                        last[number] = value
                        // The same name as another type, which has another kind of cell.
                        let wide = Self.read(preferences, number, Wide(number: 0)).number
                        #expect(wide >= lastText[number])
                        lastText[number] = wide
                    }
                }
            }
        }
        for number in 0..<keyCount { #expect(Self.read(preferences, number, 0) == rounds) }
    }

    /// A type that does not fit into the words of a cell.
    private struct Wide: PreferenceConvertible {
        var number: Int
        var rest = (0, 0)

        init(number: Int) { self.number = number }
        init(preferenceValue: PreferenceValue) throws { number = try Int(preferenceValue: preferenceValue) }
        func preferenceValue() throws -> PreferenceValue { try number.preferenceValue() }
    }

    @Test("The words of two values are never mixed")
    func wordsOfTwoValuesAreNeverMixed() async {
        let preferences = Preferences(store: MemoryStore())
        await runConcurrently(threads: 4) { thread in
            for number in 0..<3_000 {
                if thread == 0 {
                    // Seconds and attoseconds have the same number in them.
                    preferences.span = Duration(secondsComponent: Int64(number), attosecondsComponent: Int64(number))
                } else {
                    let (seconds, attoseconds) = preferences.span.components
                    #expect(seconds == attoseconds)
                }
            }
        }
    }

    @Test("A reader that sees one change of a transaction sees all of them")
    func transactionsAreSeenWhole() async {
        let preferences = Preferences(store: MemoryStore())
        await runConcurrently(threads: 6) { thread in
            if thread < 2 {
                for _ in 0..<300 {
                    do {
                        try preferences.transaction { preferences in
                            let next = preferences.launchCount + 1
                            preferences.launchCount = next
                            preferences.weather.temperature = Double(next)
                            preferences.weather.stations = ["\(next)"]
                        }
                    } catch {
                        Issue.record(error)
                    }
                }
            } else {
                var last = 0
                while last < 600 {
                    let first = preferences.launchCount
                    let second = Int(preferences.weather.temperature)
                    let third = Int(preferences.weather.stations.first ?? "0") ?? -1
                    #expect(last <= first && first <= second && second <= third)
                    let reversed = Int(preferences.weather.temperature)
                    #expect(preferences.launchCount >= reversed)
                    last = first
                }
            }
        }
        #expect(preferences.launchCount == 600)
    }

    @Test("No update is lost among many threads")
    func updatesOfManyThreadsAreAllMade() async {
        let store = MemoryStore()
        // Two `Preferences` over one store.
        let all = [Preferences(store: store), Preferences(store: store)]
        await runConcurrently(threads: 6) { thread in
            for _ in 0..<200 {
                #expect(throws: Never.self) { try all[thread % 2].update(\.launchCount) { $0 += 1 } }
            }
        }
        #expect(all.map(\.launchCount) == [1_200, 1_200])
    }

    @Test("A watcher receives every change once and in order")
    func aWatcherSeesEveryChangeOnceAndInOrder() async {
        let preferences = Preferences(store: MemoryStore())
        let seen = Recorder<PreferenceChange<Int>>()
        preferences.watch(\.launchCount, options: .old) { seen.add($0) }
        await runConcurrently(threads: 6) { _ in
            for _ in 0..<200 {
                #expect(throws: Never.self) { try preferences.update(\.launchCount) { $0 += 1 } }
            }
        }
        // The last change may be delivered by another thread; all threads have ended.
        #expect(seen.all.map(\.new) == Array(1...1_200))
        #expect(seen.all.map(\.old) == (0..<1_200).map { $0 })
    }

    @Test("A sequence of changes receives every change, including those of other Preferences")
    func sequencesReceiveChangesOfOtherPreferences() async {
        let store = MemoryStore()
        let (writer, reader) = (Preferences(store: store), Preferences(store: store))
        let changes = reader.changes(\.launchCount)
        async let last: Int = {
            var last = 0
            for await change in changes {
                #expect(change.new > last)
                last = change.new
                if last == 1_000 { break }
            }
            return last
        }()
        for number in 1...1_000 { writer.launchCount = number }
        #expect(await last == 1_000)
    }

    @Test("No body is called after another thread has cancelled its watcher")
    func noBodyStartsAfterItsWatcherWasCancelledByAnotherThread() {
        let preferences = Preferences.inMemory()
        let isStopped = Atomic(false)
        let setsDone = Atomic(0)
        let ended = DispatchSemaphore(value: 0)
        Thread {
            while !isStopped.load(ordering: .relaxed) {
                preferences.launchCount += 1
                setsDone.add(1, ordering: .releasing)
            }
            ended.signal()
        }.start()
        func awaitSets(_ count: Int) {
            let goal = setsDone.load(ordering: .acquiring) + count
            while setsDone.load(ordering: .acquiring) < goal { sched_yield() }
        }
        for _ in 0..<200 {
            let starts = Recorder<Int>()
            let watcher = preferences.watch(\.launchCount) { starts.add($0.new) }
            awaitSets(2)
            watcher.cancel()
            // A call that has started may still be running during a set.
            awaitSets(1)
            let seen = starts.all
            #expect(!seen.isEmpty)
            awaitSets(4)
            #expect(starts.all == seen)
        }
        isStopped.store(true, ordering: .relaxed)
        ended.wait()
    }

    @Test("Watchers can be added and cancelled while keys change")
    func watchersComeAndGoWhileKeysChange() async {
        let preferences = Preferences(store: MemoryStore())
        let calls = Recorder<Int>()
        await runConcurrently(threads: 6) { thread in
            for number in 0..<150 {
                switch thread % 3 {
                case 0: preferences.launchCount = number * 10 + thread
                case 1:
                    let watcher = preferences.watch(\.launchCount) { calls.add($0.new) }
                    preferences.weather.watch(\.temperature, id: "\(number % 5)") { _ in }
                    watcher.cancel()
                default:
                    preferences.weather.temperature = Double(number)
                    preferences.weather.unwatch(ids: ["\(number % 5)"])
                }
            }
        }
        preferences.unwatchAll()
        let count = calls.all.count
        preferences.launchCount = -1
        #expect(calls.all.count == count)
    }

    @Test("Preferences over one store may set and watch the same keys")
    func preferencesOverOneStoreMayWriteAndWatchEachOthersKeys() async {
        let store = MemoryStore()
        let all = [Preferences(store: store), Preferences(store: store)]
        let sums = [LastNumber(), LastNumber()]
        for (preferences, sum) in zip(all, sums) {
            preferences.watch(\.launchCount) { sum.note($0.new) }
            preferences.willChange(of: \.launchCount) { _ in _ = preferences.weather.temperature }
        }
        await runConcurrently(threads: 4) { thread in
            for number in 1...200 { all[thread % 2].launchCount = number * 4 + thread }
        }
        let last = all[0].launchCount
        #expect(all[1].launchCount == last)
        #expect(sums.map(\.last) == [last, last])
    }

    private final class LastNumber: Sendable {
        private let value = Locked(0)
        var last: Int { value.withLock { $0 } }
        func note(_ number: Int) { value.withLock { $0 = number } }
    }

    @Test("Observation tracks reads while keys change")
    func readsAreTrackedWhileKeysChange() async {
        let preferences = Preferences(store: MemoryStore(), isObserved: true)
        let (reads, notified) = (Recorder<Int>(), Recorder<Int>())
        await runConcurrently(threads: 4) { thread in
            for number in 0..<200 {
                if thread % 2 == 0 {
                    preferences.launchCount = thread * 1_000 + number
                } else {
                    let id = thread * 1_000 + number
                    withObservationTracking {
                        _ = preferences.launchCount
                    } onChange: {
                        notified.add(id)
                    }
                    reads.add(id)
                }
            }
        }
        preferences.launchCount = -1
        // Changes between a read and the end of its closure are not notified, but the last change comes after all of
        // them. Observation may notify only one of two simultaneous changes.
        #expect(Set(notified.all) == Set(reads.all))
    }
}

extension Preferences {
    fileprivate var span: Duration {
        get { get("span", default: .zero) }
        set { set("span", to: newValue) }
    }
}
