import Dispatch
import Foundation
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// The registration and the end of watchers.
@Suite("The lifetime of watchers")
struct WatchLifetimeTests {
    private final class Body: Sendable {}

    private actor Owner: WeatherPreferences {
        nonisolated let preferences: Preferences

        init(_ preferences: Preferences) {
            self.preferences = preferences
        }

        func begin(_ seen: Recorder<Double>) {
            watch(\.temperature) { seen.add($0.new) }
        }
    }

    @Test("A watcher does not retain the actor that has registered it")
    func aWatchingActorIsNotRetained() async {
        weak var releasedOwner: Owner?
        weak var gonePreferences: Preferences?
        do {
            let preferences = Preferences.inMemory()
            gonePreferences = preferences
            do {
                let owner = Owner(preferences)
                releasedOwner = owner
                await owner.begin(Recorder())
            }
            #expect(releasedOwner == nil)
            preferences.weather.temperature = 1
            #expect(
                preferences.state.withLock { $0.records["weather-service:temperature"]?.watchedValues.isEmpty } == true
            )
        }
        #expect(gonePreferences == nil)
    }

    @Test("The bodies of watchers are released with their preferences, and sequences end")
    func bodiesAreReleasedWithTheirPreferences() async {
        weak var gone: Body?
        weak var goneToo: Body?
        let changes: any AsyncSequence<PreferenceChange<Int>, Never> & Sendable
        do {
            let preferences = Preferences.inMemory()
            let (first, second) = (Body(), Body())
            gone = first
            goneToo = second
            preferences.watch(\.launchCount) { [first] _ in _ = first }
            preferences.watch(anyOf: [\.launchCount, \.weather.unit], id: "a") { [second] in _ = second }
            changes = preferences.changes(\.launchCount)
        }
        #expect(gone == nil && goneToo == nil)
        for await _ in changes { Issue.record("there are no changes") }
    }

    /// An actor on which a watcher of other preferences runs.
    private actor Place {
        func begin(_ preferences: Preferences) -> PreferenceWatcher {
            preferences.watch(\.launchCount) {
                self.assertIsolated()
                _ = $0.new
            }
        }

        func beginWeakly(_ preferences: Preferences) -> PreferenceWatcher {
            preferences.watch(\.launchCount) { [weak self] _ in _ = self }
        }
    }

    @Test("A watcher ends when the actor on which it runs is released")
    func aWatcherEndsWithItsActor() async {
        let preferences = Preferences.inMemory()
        var place: Place? = Place()
        let watcher = await place!.beginWeakly(preferences)
        preferences.launchCount = 1
        #expect(watcher.isActive)
        // The task that delivers the change may retain the actor for a moment.
        weak let gone = place
        place = nil
        while gone != nil { await Task.yield() }
        preferences.launchCount = 2
        #expect(!watcher.isActive)
        #expect(preferences.state.withLock { $0.watchers.all }.isEmpty)
    }

    @Test("Watchers of released owners are removed when others are registered")
    func watchersOfReleasedOwnersAreRemoved() {
        let preferences = Preferences.inMemory()
        for _ in 0..<1_000 {
            Service(preferences).watch(\.temperature) { _ in }
        }
        #expect(preferences.state.withLock { $0.watchers.all }.count <= 65)
    }

    private final class Service: WeatherPreferences {
        let preferences: Preferences

        init(_ preferences: Preferences) {
            self.preferences = preferences
        }
    }

    @Test("The initial value is delivered on the queue of a watcher")
    func theInitialValueIsDeliveredOnTheQueue() {
        let preferences = Preferences.inMemory()
        let queue = DispatchQueue(label: "watchers")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let seen = Recorder<Bool>()
        preferences.watch(anyOf: [\.launchCount], options: .initial, on: queue) {
            seen.add(DispatchQueue.getSpecific(key: key) == true)
        }
        queue.sync {}
        #expect(seen.all == [true])
    }

    @Test("The registering thread delivers the initial value, even if other threads make changes")
    func theRegisteringThreadDeliversTheInitialValue() async {
        let preferences = Preferences.inMemory()
        let isStopped = Atomic(false)
        let done = DispatchSemaphore(value: 0)
        Thread {
            while !isStopped.load(ordering: .relaxed) { preferences.launchCount += 1 }
            done.signal()
        }.start()
        for _ in 0..<500 {
            let threads = Recorder<UInt>()
            let watcher = preferences.watch(\.launchCount, options: .initial) { _ in
                threads.add(ThreadIdentity.current)
            }
            #expect(threads.all.first == ThreadIdentity.current)
            watcher.cancel()
        }
        isStopped.store(true, ordering: .relaxed)
        done.wait()
    }

    @Test("A committed change is delivered on its queue even if the preferences are released")
    func committedChangesAreDeliveredAfterRelease() {
        let queue = DispatchQueue(label: "watchers")
        let seen = Recorder<Int>()
        queue.suspend()
        do {
            let preferences = Preferences.inMemory()
            preferences.watch(\.launchCount, on: queue) { seen.add($0.new) }
            preferences.launchCount = 1
        }
        queue.resume()
        queue.sync {}
        #expect(seen.all == [1])
    }

    @Test("A cancelled watcher releases its body")
    func aCancelledWatcherReleasesItsBody() {
        let preferences = Preferences.inMemory()
        weak var gone: Body?
        let watcher: PreferenceWatcher
        do {
            let body = Body()
            gone = body
            watcher = preferences.watch(\.launchCount) { _ in withExtendedLifetime(body) {} }
        }
        #expect(gone != nil)
        watcher.cancel()
        #expect(gone == nil)
    }

    @Test("A watcher of a key that cannot be read is notified when it can be")
    func anUnreadableKeyIsNotifiedWhenReadable() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{ \"launchCount\": ")
            let preferences = Preferences(store: FileStore(url: url))
            let changes = preferences.changes(\.launchCount)
            try url.write("{ \"launchCount\": 7 }")
            // Notified by this call, or by the system's file notification.
            try preferences.reload()
            for await change in changes {
                #expect(change.new == 7)
                break
            }
            #expect(preferences.launchCount == 7)
        }
    }

    @Test("A change between the first evaluation and the registration is notified")
    func aChangeDuringRegistrationIsNotified() {
        let store = MemoryStore()
        let preferences = Preferences(store: store)
        let seen = Recorder<Int>()
        let disturber = Disturber(preferences: preferences) {
            store.apply(["launchCount": .set(5)])
            // A read on another thread.
            let done = DispatchSemaphore(value: 0)
            Thread {
                _ = preferences.launchCount
                done.signal()
            }.start()
            done.wait()
        }
        disturber.watch(\.disturbed, options: .initial) { seen.add($0.new) }
        #expect(seen.all == [0, 5])
    }
}

/// An owner whose property runs a body when it is first read.
private final class Disturber: PreferenceAccessors {
    let preferences: Preferences
    private let disturb = Locked<(@Sendable () -> Void)?>(nil)

    init(preferences: Preferences, _ body: @escaping @Sendable () -> Void) {
        self.preferences = preferences
        disturb.withLock { $0 = body }
    }

    var disturbed: Int {
        let value = preferences.launchCount
        let body = disturb.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
        return value
    }
}
