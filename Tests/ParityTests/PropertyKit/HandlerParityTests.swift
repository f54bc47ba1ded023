import Dispatch
import Foundation
import PreferencesRuntime
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

private final class Home: PropertyNamedAccessors, Sendable {
    let preferences: Preferences
    let seen = Mutex<[Int]>([])

    var level: Int {
        get { get(default: 0) }
        set { set(newValue) }
    }

    var label: String {
        get { get(default: "") }
        set { set(newValue) }
    }

    init(_ preferences: Preferences) { self.preferences = preferences }

    func listen() {
        watch(\.level, with: self) { home, change in home.seen.withLock { $0.append(change.new) } }
    }
}

/// An object that is not `Sendable`.
private final class Gauge {
    var seen: [Int] = []
}

@Suite("PropertyKit: handlers")
struct HandlerParityTests {
    private let home = Home(.inMemory())

    @Test("a handler without parameters; one given target and change: one call each, inferred without annotations")
    func oneCallEach() {
        let calls = Recorder<Void>()
        home.watch(changesOf: \.level) { calls.add(()) }
        home.watch(\.level, with: home) { home, change in home.seen.withLock { $0.append(change.new) } }
        home.watch(anyOf: [\.level, \.label], with: home) { home in home.seen.withLock { $0.append(-1) } }
        home.level = 1
        home.label = "a"
        #expect(calls.all.count == 1)
        #expect(home.seen.withLock { $0 } == [1, -1, -1])
    }

    @Test("A handler without parameters has the options, the ids and the contexts of others")
    func withoutParameters() async {
        let calls = Recorder<String>()
        home.watch(changesOf: \.level, id: "a", options: [.initial, .removeDuplicates]) { calls.add("first") }
        #expect(calls.all == ["first"])
        home.watch(changesOf: \.level, id: "a", options: .removeDuplicates) { calls.add("second") }
        home.level = 0
        #expect(calls.all == ["first"])
        home.level = 1
        #expect(calls.all == ["first", "second"])
        let queue = DispatchQueue(label: "handlers")
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        home.watch(changesOf: \.level, on: queue) {
            dispatchPrecondition(condition: .onQueue(queue))
            continuation.finish()
        }
        home.level = 2
        for await _ in stream {}
    }

    @Test("A handler that is given its target does not retain it, and ends with it")
    func targetIsNotRetained() {
        let preferences = Preferences.inMemory()
        weak var released: Home?
        do {
            let object = Home(preferences)
            released = object
            object.listen()
            object.level = 3
            #expect(object.seen.withLock { $0 } == [3])
        }
        #expect(released == nil)
        // A target that is not the object of the registration.
        let watcher: PreferenceWatcher
        do {
            let object = Home(preferences)
            released = object
            watcher = home.watch(\.level, with: object) { _, _ in Issue.record("called without its target") }
        }
        #expect(released == nil)
        #expect(watcher.isActive)
        home.level = 4
        #expect(!watcher.isActive)
    }

    @MainActor
    @Test("A handler of an object that is not Sendable runs on the actor of its registration")
    func notSendable() {
        let gauge = Gauge()
        home.watch(\.level, with: gauge) { gauge, change in gauge.seen.append(change.new) }
        home.watch(anyOf: [\.level], with: gauge) { $0.seen.append(-1) }
        home.level = 5
        #expect(gauge.seen == [5, -1])
    }

    @Test(
        "a handler of an object that is not Sendable, registered without an actor: the compiler's message says what to do",
        arguments: [
            "watch(\\.level, with: self) { $0.seen = $1.new }", "watch(anyOf: [\\.level], with: self) { $0.seen = 1 }",
        ]
    )
    func notSendableWithoutActor(_ call: String) async throws {
        func compile(_ attribute: String) async throws -> CommandLineRun {
            let source = """
                import PreferencesRuntime
                final class Gauge: PropertyNamedAccessors {
                    let preferences: Preferences
                    var seen = 0
                    var level: Int { get { get(default: 0) } }
                    init(_ preferences: Preferences) { self.preferences = preferences }
                    \(attribute)
                    func listen() { \(call) }
                }

                """
            return try await Compiler.compile(["Use.swift": source], importing: ["PreferencesRuntime"])
        }
        let refused = try await compile("")
        #expect(!refused.succeeded)
        let method =
            "call to actor-isolated instance method '\(call.hasPrefix("watch(\\") ? "watch(_:" : "watch(anyOf:")with:"
        #expect(refused.output.contains("Use.swift:8:21: error: \(method)"), "\(refused.output)")
        // The documentation of this name says what to do.
        let message = "error: 'nil' is not compatible with expected argument type 'ActorOfObjectThatIsNotSendable'"
        #expect(refused.output.contains(message), "\(refused.output)")
        let onActor = try await compile("@MainActor")
        #expect(onActor.succeeded, "\(onActor.output)")
        #expect(onActor.output == "")
    }
}
