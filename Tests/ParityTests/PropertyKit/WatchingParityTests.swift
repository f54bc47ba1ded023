import Dispatch
import Foundation
import PreferencesRuntime
import Synchronization
import TestSupport
import Testing

private final class Home: PropertyNamedAccessors {
    let preferences: Preferences

    var watched: String? {
        get { get() }
        set { set(newValue) }
    }

    var other: Int {
        get { get(default: 0) }
        set { set(newValue) }
    }

    init(_ preferences: Preferences) {
        self.preferences = preferences
    }
}

@Suite("PropertyKit: watching")
struct WatchingParityTests {
    private let home = Home(.inMemory())

    @Test("watch a key path; set \"newValue\", seen; set nil, seen; unwatch, not called again")
    func watchAndUnwatch() {
        let seen = Counter()
        home.watch(\.watched) { seen.add("\($0.new ?? "nil")") }
        home.watched = "newValue"
        #expect(seen.all == ["newValue"])
        home.watched = nil
        #expect(seen.all == ["newValue", "nil"])
        #expect(home.unwatch(\.watched).count == 1)
        home.watched = "unseen"
        #expect(seen.all == ["newValue", "nil"])
    }

    @Test("options initial / new / old; handler with and without parameters")
    func options() {
        home.watched = "a"
        let seen = Counter()
        home.watch(\.watched, options: [.initial, .new, .old]) { change in
            // The outer nil: there is no old value, as nothing has changed yet.
            let old = change.old.map { $0 ?? "nil" } ?? "-"
            seen.add("\(old)→\(change.new ?? "nil")")
        }
        #expect(seen.all == ["-→a"])
        home.watched = "b"
        #expect(seen.all == ["-→a", "a→b"])
        home.unwatchAll()
        home.watch(\.watched, options: .new) { seen.add("\($0.old == nil)") }
        home.watch(anyOf: [\.watched]) { seen.add("called") }
        home.watched = "c"
        #expect(seen.all.suffix(2) == ["true", "called"])
    }

    @Test("automatic identity per call site: two watchers from one line are two; an explicit id replaces")
    func identity() {
        let seen = Counter()
        for number in 1...2 { home.watch(\.watched) { _ in seen.add("\(number)") } }
        home.watched = "a"
        #expect(seen.all == ["1", "2"])
        home.unwatchAll()
        for number in 3...4 { home.watch(\.watched, id: "same") { _ in seen.add("\(number)") } }
        home.watched = "b"
        #expect(seen.all == ["1", "2", "4"])
        // The same id on another key is another watcher.
        home.watch(\.other, id: "same") { _ in seen.add("other") }
        home.watched = "c"
        home.other = 1
        #expect(seen.all == ["1", "2", "4", "4", "other"])
    }

    @Test("automatic identity: files of one name in two modules do not collide")
    func files() {
        let seen = Counter()
        home.watch(\.watched, fileID: "App/File.swift", line: 1) { _ in seen.add("App") }
        home.watch(\.watched, fileID: "Kit/File.swift", line: 1) { _ in seen.add("Kit") }
        home.watched = "a"
        #expect(seen.all == ["App", "Kit"])
        #expect(home.unwatchFile("App/File.swift").count == 1)
        home.watched = "b"
        #expect(seen.all == ["App", "Kit", "Kit"])
    }

    @Test("unwatch by key path, by key path and ids, by ids, all of this file, all: returns what it removed")
    func unwatch() {
        func register() -> [PreferenceWatcher] {
            [
                home.watch(\.watched) { _ in }, home.watch(\.watched, id: "a") { _ in },
                home.watch(\.other, id: "a") { _ in }, home.watch(\.other, id: "b") { _ in },
                home.watch(\.other, fileID: "App/Other.swift") { _ in },
            ]
        }
        func same(_ removed: [PreferenceWatcher], _ expected: [PreferenceWatcher]) -> Bool {
            removed.map(ObjectIdentifier.init) == expected.map(ObjectIdentifier.init)
        }
        var watchers = register()
        #expect(same(home.unwatch(\.watched), Array(watchers[0...1])))
        #expect(same(home.unwatchAll(), Array(watchers[2...])))
        watchers = register()
        #expect(same(home.unwatch(\.other, ids: ["a", "c"]), [watchers[2]]))
        #expect(same(home.unwatch(ids: ["a", "b"]), [watchers[1], watchers[3]]))
        #expect(same(home.unwatchFile(), [watchers[0]]))
        #expect(same(home.unwatchAll(), [watchers[4]]))
        // The original crashed with two of a file.
        watchers = register()
        #expect(same(home.unwatchFile(), Array(watchers[..<4])))
        #expect(same(home.unwatchAll(), [watchers[4]]))
        #expect(home.unwatchFile().isEmpty)
        #expect(home.unwatchAll().isEmpty)
    }

    @Test("queue-safe atomic callback: on a queue, with the value that was committed")
    func queue() async {
        let queue = DispatchQueue(label: "watcher")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let (stream, continuation) = AsyncStream.makeStream(of: (Int, Bool).self)
        home.watch(\.other, on: queue) { continuation.yield(($0.new, DispatchQueue.getSpecific(key: key) == true)) }
        DispatchQueue.concurrentPerform(iterations: 50) { [preferences = home.preferences] _ in
            _ = try? Home(preferences).update(\.other) { $0 += 1 }
        }
        var values: [Int] = []
        for await (value, isOnQueue) in stream {
            #expect(isOnQueue)
            values.append(value)
            if value == 50 { break }
        }
        #expect(values == Array(1...50))
    }

    @Test("queue-safe atomic callback: on the actor where it was registered")
    func actor() async {
        let listener = Listener(home.preferences)
        await listener.listen()
        listener.other = 3
        var values = listener.values.makeAsyncIterator()
        #expect(await values.next() == 3)
    }
}

private actor Listener: PropertyNamedAccessors {
    nonisolated let preferences: Preferences
    nonisolated var other: Int {
        get { get(default: 0) }
        set { set(newValue) }
    }

    nonisolated let values: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation
    private var latest = 0

    init(_ preferences: Preferences) {
        self.preferences = preferences
        (values, continuation) = AsyncStream.makeStream()
    }

    func listen() {
        watch(\.other) { listener, change in
            listener.preconditionIsolated()
            listener.latest = change.new
            listener.continuation.yield(change.new)
        }
    }
}

/// What was seen, in its order.
private final class Counter: Sendable {
    private let words = Mutex<[String]>([])

    var all: [String] { words.withLock { $0 } }

    func add(_ word: String) {
        words.withLock { $0.append(word) }
    }
}
