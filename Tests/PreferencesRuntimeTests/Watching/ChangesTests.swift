import StoreTestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Changes as asynchronous sequences.
@Suite("Sequences of changes")
struct ChangesTests {
    private let preferences = Preferences(store: MemoryStore())

    @Test("All changes are buffered by default")
    func changesAreBuffered() async {
        let changes = preferences.changes(\.launchCount, options: [.initial, .old])
        for number in 1...3 { preferences.launchCount = number }
        var seen: [PreferenceChange<Int>] = []
        for await change in changes {
            seen.append(change)
            if change.new == 3 { break }
        }
        #expect(
            seen == [
                PreferenceChange(old: nil, new: 0, origin: .initial), PreferenceChange(old: 0, new: 1),
                PreferenceChange(old: 1, new: 2),
                PreferenceChange(old: 2, new: 3),
            ]
        )
    }

    @Test("Only the latest change is buffered with the option 'newest'")
    func onlyTheNewestChangeIsBuffered() async {
        let changes = preferences.changes(\.launchCount, buffering: .newest)
        for number in 1...3 { preferences.launchCount = number }
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next(isolation: #isolation)?.new == 3)
        preferences.launchCount = 4
        #expect(await iterator.next(isolation: #isolation)?.new == 4)
    }

    @Test("A sequence of several keys has one element for each commit")
    func severalKeysHaveOneElementPerCommit() async throws {
        var own: Preferences? = Preferences.inMemory()
        let changes = try watched(own!)
        own = nil
        var count = 0
        for await _ in changes { count += 1 }
        #expect(count == 3)
    }

    private func watched(_ preferences: Preferences) throws -> some AsyncSequence<Void, Never> {
        let weather = preferences.weather
        let changes = weather.changes(anyOf: [\.temperature, \.radar.range], options: .initial)
        weather.temperature = 1
        try preferences.transaction { _ in
            weather.temperature = 2
            weather.radar.range = 3
        }
        weather.nickname = "not watched"
        return changes
    }

    @Test("A sequence ends with its preferences")
    func sequencesEndWithTheirPreferences() async {
        var own: Preferences? = Preferences(store: MemoryStore())
        let changes = own!.changes(\.launchCount)
        own?.launchCount = 1
        own = nil
        var seen: [Int] = []
        for await change in changes { seen.append(change.new) }
        #expect(seen == [1])
    }

    @Test("A sequence of a property that reads no key ends with its preferences")
    func sequencesOfNoKeyEndToo() async {
        var own: Preferences? = Preferences.inMemory()
        let changes = own!.changes(\.isObserved)
        own = nil
        for await _ in changes { Issue.record("there are no changes") }
    }

    @Test("A sequence ends when the task that iterates over it is cancelled")
    func sequencesEndWithTheirTask() async {
        let preferences = preferences
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var count = 0
            for await _ in preferences.changes(\.launchCount, options: .initial) {
                count += 1
                start.finish()
            }
            return count
        }
        for await _ in started {}
        task.cancel()
        #expect(await task.value == 1)
        #expect(preferences.watcherCount == 0)
    }

    @Test("The watcher of a sequence ends when its iterator is released")
    func anAbandonedSequenceIsRemoved() async {
        preferences.launchCount = 1
        do {
            let changes = preferences.changes(\.launchCount, options: .initial)
            #expect(preferences.watcherCount == 1)
            for await _ in changes { break }
        }
        #expect(preferences.watcherCount == 0)
    }

    @Test("Ending watchers does not end sequences")
    func unwatchingKeepsSequences() async {
        let changes = preferences.changes(\.launchCount)
        preferences.unwatchAll()
        preferences.unwatch(\.launchCount)
        preferences.launchCount = 1
        for await change in changes {
            #expect(change.new == 1)
            break
        }
    }
}

extension Preferences {
    fileprivate var watcherCount: Int {
        state.withLock { $0.watchers.all.count }
    }
}
