import Dispatch
import Foundation
import StoreTestSupport
import Synchronization
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// The actors, queues and threads that the bodies of watchers run on.
@Suite("The contexts in which watchers run")
struct DeliveryContextTests {
    private actor Station {
        private let preferences: Preferences
        private var seen: [Int] = []
        private let log = NotSendable()
        private let (done, finish) = AsyncStream.makeStream(of: Void.self)

        init(_ preferences: Preferences) {
            self.preferences = preferences
        }

        func begin() {
            preferences.watch(\.launchCount) { change in
                // The body runs on this actor, and may use its state.
                self.assertIsolated()
                self.seen.append(change.new)
                self.log.lines.append("\(change.new)")
                if change.new == 100 { self.finish.finish() }
            }
        }

        func initial() -> [Int] {
            let watcher = preferences.watch(\.launchCount, options: .initial) { self.seen.append($0.new) }
            watcher.cancel()
            return seen
        }

        func all() async -> [Int] {
            for await _ in done {}
            #expect(log.lines == seen.map(String.init))
            return seen
        }
    }

    private final class NotSendable {
        var lines: [String] = []
    }

    @Test("A watcher that an actor registers runs on the actor, in order")
    func aWatcherOfAnActorRunsOnItAndInOrder() async {
        let preferences = Preferences(store: MemoryStore())
        let station = Station(preferences)
        await station.begin()
        for number in 1...100 { preferences.launchCount = number }
        #expect(await station.all() == Array(1...100))
    }

    /// An actor that conforms to an accessors protocol.
    private actor Service: WeatherPreferences {
        let preferences: Preferences
        private(set) var seen: [Double] = []
        private let log = NotSendable()
        private let (done, finish) = AsyncStream.makeStream(of: Void.self)

        init(_ preferences: Preferences) {
            self.preferences = preferences
            watch(\.temperature, with: self) { service, change in
                service.assertIsolated()
                service.seen.append(change.new)
                service.log.lines.append("\(change.new)")
                if change.new == 100 { service.finish.finish() }
            }
        }

        func all() async -> [Double] {
            for await _ in done {}
            return seen
        }

        func initial() -> [Double] {
            watch(\.temperature, with: self, options: .initial) { $0.seen.append($1.new) }.cancel()
            return seen
        }

        func summaries(_ change: @Sendable () throws -> Void) async rethrows -> [String] {
            let (values, continuation) = AsyncStream.makeStream(of: String.self)
            watch(anyOf: [\.temperature, \.unit], with: self, options: .initial) { service in
                service.assertIsolated()
                continuation.yield("\(service.temperature) \(service.unit)")
                if service.unit == .fahrenheit { continuation.finish() }
            }
            try change()
            return await values.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("A body that receives its actor runs on it, in order")
    func aBodyThatIsGivenItsActorRunsOnItAndInOrder() async {
        let preferences = Preferences.inMemory()
        let service = Service(preferences)
        for number in 1...100 { preferences.weather.temperature = Double(number) }
        #expect(await service.all() == (1...100).map(Double.init))
    }

    @Test("A body of several keys receives its actor")
    func aBodyOfSeveralKeysReceivesItsActor() async throws {
        let preferences = Preferences.inMemory()
        let service = Service(preferences)
        let summaries = try await service.summaries {
            try preferences.transaction { preferences in
                preferences.weather.temperature = 100
                preferences.weather.unit = .fahrenheit
            }
        }
        #expect(summaries == ["0.0 celsius", "100.0 fahrenheit"])
    }

    @Test("A watcher whose body receives its actor does not retain the actor")
    func aBodyDoesNotRetainItsActor() async {
        let preferences = Preferences.inMemory()
        weak var gone: Service?
        do {
            let service = Service(preferences)
            gone = service
            #expect(await service.initial() == [0])
        }
        #expect(gone == nil)
        preferences.weather.temperature = 1
        #expect(preferences.state.withLock { $0.records["weather-service:temperature"]?.watchedValues.isEmpty } == true)
    }

    @Test("On an actor, the initial value is delivered at once")
    func theInitialValueIsDeliveredAtOnceOnAnActor() async {
        let preferences = Preferences(store: ["launchCount": 7] as MemoryStore)
        #expect(await Station(preferences).initial() == [7])
    }

    @Test("An isolated body runs on its actor, wherever it is written")
    func anIsolatedBodyRunsOnItsActor() async {
        let preferences = Preferences(store: ["launchCount": 1] as MemoryStore)
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        // Not at once, since the caller is not on an actor.
        preferences.watch(\.launchCount, options: .initial) { @MainActor change in
            MainActor.assertIsolated()
            continuation.yield(change.new)
            if change.new == 2 { continuation.finish() }
        }
        preferences.launchCount = 2
        var seen: [Int] = []
        for await number in stream { seen.append(number) }
        #expect(seen == [1, 2])
    }

    @Test("An isolated body of several keys runs on its actor")
    func anIsolatedBodyOfSeveralKeysRunsOnItsActor() async {
        let preferences = Preferences(store: MemoryStore())
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        preferences.watch(anyOf: [\.launchCount, \.weather.temperature]) { @MainActor in
            MainActor.assertIsolated()
            continuation.finish()
        }
        preferences.weather.temperature = 2
        for await _ in stream {}
    }

    @MainActor @Test("A set on the main thread is delivered to the main actor before the setter returns")
    func setsOnTheMainThreadAreDeliveredAtOnce() {
        let preferences = Preferences(store: MemoryStore())
        var seen: [Int] = []
        preferences.watch(\.launchCount) { change in
            MainActor.assertIsolated()
            seen.append(change.new)
        }
        preferences.launchCount = 1
        #expect(seen == [1])
        preferences.launchCount = 2
        #expect(seen == [1, 2])
    }

    @MainActor @Test("Sets of other threads are delivered on the main actor in order")
    func setsOfOtherThreadsAreDeliveredOnTheMainActor() async {
        let preferences = Preferences(store: MemoryStore())
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        preferences.watch(\.launchCount) { change in
            MainActor.assertIsolated()
            continuation.yield(change.new)
            if change.new == 51 { continuation.finish() }
        }
        await Task.detached {
            for number in 1...50 { preferences.launchCount = number }
        }.value
        // Older changes come first.
        preferences.launchCount = 51
        var seen: [Int] = []
        for await number in stream { seen.append(number) }
        #expect(seen == Array(1...51))
    }

    @Test("A watcher with a queue runs on it, in order")
    func aWatcherWithAQueueRunsThereAndInOrder() async {
        let preferences = Preferences(store: MemoryStore())
        let queue = DispatchQueue(label: "watchers", attributes: .concurrent)
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        preferences.watch(\.launchCount, on: queue) { change in
            dispatchPrecondition(condition: .onQueue(queue))
            continuation.yield(change.new)
            if change.new == 100 { continuation.finish() }
        }
        for number in 1...100 { preferences.launchCount = number }
        var seen: [Int] = []
        for await number in stream { seen.append(number) }
        #expect(seen == Array(1...100))
    }

    @Test("Without an actor or a queue, a watcher runs on the writer's thread before the setter returns")
    func otherBodiesRunOnTheWritersThread() {
        let preferences = Preferences(store: MemoryStore())
        let threads = Recorder<UInt>()
        preferences.watch(\.launchCount) { _ in threads.add(ThreadIdentity.current) }
        preferences.launchCount = 1
        #expect(threads.all == [ThreadIdentity.current])
    }

    @Test("A change that is made while a body runs is delivered after it by the same thread")
    func changesDuringABodyAreDeliveredAfterIt() async {
        let preferences = Preferences(store: MemoryStore())
        let seen = Recorder<Int>()
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let goOn = DispatchSemaphore(value: 0)
        preferences.watch(\.launchCount) { change in
            seen.add(change.new)
            guard change.new == 1 else { return }
            start.finish()
            goOn.wait()
        }
        async let first: Void = withCheckedContinuation { continuation in
            Thread {
                preferences.launchCount = 1
                continuation.resume()
            }.start()
        }
        for await _ in started {}
        // The set neither waits for the body nor runs it concurrently.
        preferences.launchCount = 2
        #expect(seen.all == [1])
        goOn.signal()
        await first
        #expect(seen.all == [1, 2])
    }

    @Test("A body does not run with the task-local values of the writer")
    func aBodyDoesNotRunWithTheTaskLocalValuesOfTheWriter() async {
        let preferences = Preferences(store: MemoryStore())
        let reader = Reader(preferences)
        await reader.begin()
        Reader.$mark.withValue("of the writer") { preferences.launchCount = 1 }
        #expect(await reader.seen() == "none")
    }

    private actor Reader {
        @TaskLocal static var mark = "none"
        private let preferences: Preferences
        private let (stream, continuation) = AsyncStream.makeStream(of: String.self)

        init(_ preferences: Preferences) {
            self.preferences = preferences
        }

        func begin() {
            preferences.watch(\.launchCount) { _ in self.continuation.yield(Self.mark) }
        }

        func seen() async -> String? {
            for await mark in stream { return mark }
            return nil
        }
    }
}
