import Observation
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// An object that is no home of preferences.
@Observable
@MainActor
private final class Meter: PropertyWatchable {
    var level = 0
    var name = ""
    var isHigh: Bool { level > 10 }
    var label: String { "\(name) \(level)" }
}

/// An object that is neither isolated nor `Sendable`.
@Observable
private final class Gauge: PropertyWatchable {
    var level = 0
}

/// An object with a property that depends on another object.
@Observable
@MainActor
private final class Part: PropertyWatchable {
    private let model: Meter
    var level = 1
    var total: Int { level + model.level }
    @ObservationIgnored var probes: [Weak<Probe>] = []
    /// A new object at each read.
    var probe: Probe {
        let probe = Probe()
        if model.level >= 0 { probes.append(Weak(object: probe)) }
        return probe
    }

    init(_ model: Meter) {
        self.model = model
    }
}

private final class Probe: Sendable {}

/// An actor that watches a property of an object.
private actor Host {
    func watch(_ counter: SharedCounter, _ probe: Probe) {
        counter.watch(\.value) { _ in withExtendedLifetime(probe) {} }
    }
}

/// An object with a property that changes while it is read for the first time.
@Observable
@MainActor
private final class Settling: PropertyWatchable {
    private var level = 0
    var value: Int {
        let value = level
        if value == 0 { level = 1 }
        return value
    }
}

private struct Weak<Object: AnyObject & Sendable>: Sendable {
    weak var object: Object?
}

/// An object that any thread may change.
///
/// The conformance to `Sendable` is unchecked because the macro adds members that the compiler cannot check. The value is
/// behind a lock, and the registrar of the macro is thread-safe.
@Observable
private final class SharedCounter: PropertyWatchable, @unchecked Sendable {
    @ObservationIgnored private let lock = Locked(0)

    var value: Int {
        get {
            access(keyPath: \.value)
            return lock.withLock { $0 }
        }
        set { withMutation(keyPath: \.value) { lock.withLock { $0 = newValue } } }
    }
}

@Suite("PropertyKit: watching a property of any object")
@MainActor
struct PropertyWatchingParityTests {
    @Test("Watching a plain property of any object through its key path, where the object is observable")
    func plainProperty() async {
        let meter = Meter()
        let (changes, continuation) = AsyncStream.makeStream(of: PreferenceChange<Int>.self)
        let watcher = meter.watch(\.level, options: [.initial, .old]) { continuation.yield($0) }
        var received = changes.makeAsyncIterator()
        #expect(await received.next() == PreferenceChange(old: nil, new: 0, origin: .initial))
        meter.level = 3
        #expect(await received.next() == PreferenceChange(old: 0, new: 3))
        // Changes before the call are one.
        meter.level = 4
        meter.level = 5
        #expect(await received.next() == PreferenceChange(old: 3, new: 5))
        // Also for the change whose call is due.
        let (calls, call) = AsyncStream.makeStream(of: Int.self)
        meter.watch(\.level) { call.yield($0.new) }
        var called = calls.makeAsyncIterator()
        meter.level = 6
        watcher.cancel()
        #expect(!watcher.isActive)
        #expect(await called.next() == 6)
        meter.level = 7
        #expect(await called.next() == 7)
        continuation.yield(PreferenceChange(old: nil, new: -1))
        #expect(await received.next()?.new == -1)
    }

    @Test("A computed property, a handler without parameters, and removed duplicates")
    func forms() async {
        let meter = Meter()
        let (changes, continuation) = AsyncStream.makeStream(of: String.self)
        meter.watch(\.label) { continuation.yield($0.new) }
        meter.watch(\.isHigh, options: .removeDuplicates) { continuation.yield("\($0.new)") }
        let (calls, call) = AsyncStream.makeStream(of: Void.self)
        meter.watch(changesOf: \.level) { call.yield() }
        var (received, called) = (changes.makeAsyncIterator(), calls.makeAsyncIterator())
        meter.name = "a"
        #expect(await received.next() == "a 0")
        meter.level = 1
        #expect(await received.next() == "a 1")
        await called.next()
        meter.level = 11
        await called.next()
        #expect(Set([await received.next(), await received.next()]) == ["a 11", "true"])
    }

    @Test("Watchers are replaced by their ids, and ended by property, by ids and all together")
    func unwatching() async {
        let meter = Meter()
        let (calls, call) = AsyncStream.makeStream(of: String.self)
        let first = meter.watch(\.level, id: "a") { _ in call.yield("first") }
        let second = meter.watch(\.level, id: "a") { _ in call.yield("second") }
        let named = meter.watch(changesOf: \.name, id: "a") { call.yield("named") }
        #expect([first, second, named].map(\.isActive) == [false, true, true])
        meter.level = 1
        var called = calls.makeAsyncIterator()
        #expect(await called.next() == "second")

        let third = meter.watch(\.level, id: "b") { _ in }
        #expect(meter.unwatch(\.level, ids: ["b", "c"]).map(\.id) == ["b"])
        #expect(!third.isActive && second.isActive)
        #expect(meter.unwatch(\.level).map(\.id) == ["a"])
        #expect(!second.isActive && named.isActive)
        #expect(Meter().unwatchAll().isEmpty)
        #expect(meter.unwatchAll().map(\.id) == ["a"])
        #expect(!named.isActive && meter.unwatchAll().isEmpty)
    }

    @Test("Watchers that are added while another thread changes the property are called once for each later change")
    func addedDuringChanges() async throws {
        let counter = SharedCounter()
        let isDone = Locked(false)
        let changing = OwnThread {
            while !isDone.withLock({ $0 }) { counter.value += 1 }
        }
        for _ in 0..<2_000 {
            counter.watch(\.value) { _ in }.cancel()
            await Task.yield()
        }
        isDone.withLock { $0 = true }
        try await changing.result
        let (calls, call) = AsyncStream.makeStream(of: Int.self)
        counter.watch(\.value) { call.yield($0.new) }
        var called = calls.makeAsyncIterator()
        for value in -3 ... -1 {
            counter.value = value
            #expect(await called.next() == value)
        }
        counter.unwatchAll()
        call.finish()
        #expect(await called.next() == nil)
    }

    @Test("Old values for watchers of released objects that have read another object are released")
    func valuesOfOrphans() {
        let model = Meter()
        var probes: [Weak<Probe>] = []
        for _ in 0..<1_000 {
            let part = Part(model)
            part.watch(\.probe, options: .old) { _ in }
            probes += part.probes
        }
        #expect(probes.count { $0.object != nil } <= 200)
        withExtendedLifetime(model) {}
    }

    @Test("Bodies of released objects that have read another object are released, although that never changes")
    func orphans() {
        let model = Meter()
        let probes = Locked<[Weak<Probe>]>([])
        for _ in 0..<1_000 {
            let (part, probe) = (Part(model), Probe())
            part.watch(\.total) { _ in withExtendedLifetime(probe) {} }
            probes.withLock { $0.append(Weak(object: probe)) }
        }
        #expect(probes.withLock { $0.count { $0.object != nil } } <= 200)
        withExtendedLifetime(model) {}
    }

    @Test("Bodies on released actors are released, although the object never changes")
    func orphansOfActors() async {
        let counter = SharedCounter()
        var probes: [Weak<Probe>] = []
        for _ in 0..<1_000 {
            let probe = Probe()
            await Host().watch(counter, probe)
            probes.append(Weak(object: probe))
        }
        #expect(probes.count { $0.object != nil } <= 200)
    }

    @Test("A change during the first read, before the property is tracked, is not missed")
    func changeDuringRead() {
        var values: [Int] = []
        let settling = Settling()
        settling.watch(\.value, options: .initial) { values.append($0.new) }
        #expect(values == [1])
    }

    @Test("Watchers of one property share its tracking, so that those that have ended use no memory")
    func sharedTracking() async {
        let meter = Meter()
        let (calls, call) = AsyncStream.makeStream(of: Int.self)
        for _ in 0..<1_000 { meter.watch(\.level) { _ in }.cancel() }
        #expect(PropertyTrackings.of(meter).count == 1)
        for number in 1...3 { meter.watch(\.level) { call.yield(number * $0.new) } }
        #expect(PropertyTrackings.of(meter).count == 1)
        meter.level = 7
        // A watcher after the change is not called for it.
        meter.watch(\.level, options: .old) { change in call.yield((change.old ?? 0) * 100 + change.new) }
        var called = calls.makeAsyncIterator()
        for expected in [7, 14, 21] { #expect(await called.next() == expected) }
        meter.level = 8
        var second: [Int] = []
        for _ in 1...4 { await second.append(called.next() ?? 0) }
        #expect(second.sorted() == [8, 16, 24, 708])
        weak let released = PropertyTrackings.of(meter).first
        #expect(released != nil)
        meter.unwatchAll()
        meter.level = 9
        #expect(released == nil)
    }

    @Test(
        "The watcher of an object that is not Sendable runs on the actor of its registration, and ends with the object"
    )
    func notSendable() async {
        let watcher: PropertyWatcher
        do {
            let gauge = Gauge()
            let (changes, continuation) = AsyncStream.makeStream(of: Int.self)
            watcher = gauge.watch(\.level) { change in
                MainActor.assertIsolated()
                continuation.yield(change.new)
            }
            gauge.level = 1
            for await value in changes {
                #expect(value == 1)
                break
            }
            #expect(watcher.isActive)
        }
        #expect(!watcher.isActive)
    }

    @Test("The compiler refuses to watch a property of an object that is not observable")
    func notObservable() async throws {
        func compile(_ attribute: String) async throws -> CommandLineRun {
            let source = """
                import Observation
                import PreferencesRuntime
                \(attribute)
                final class Meter: PropertyWatchable { var level = 0 }
                @MainActor func listen(_ meter: Meter) { meter.watch(\\.level) { print($0.new) } }

                """
            return try await Compiler.compile(["Use.swift": source], importing: ["PreferencesRuntime"])
        }
        let refused = try await compile("")
        #expect(!refused.succeeded)
        let message =
            "Use.swift:5:48: error: referencing instance method 'watch(_:id:options:isolation:_:)' on 'PropertyWatchable' "
            + "requires that 'Meter' conform to 'Observable'"
        #expect(refused.output.contains(message), "\(refused.output)")
        let observable = try await compile("@Observable")
        #expect(observable.succeeded, "\(observable.output)")
    }
}
