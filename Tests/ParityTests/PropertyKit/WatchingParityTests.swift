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

    @Test("A watcher is called for each change until it is removed")
    func watchAndUnwatch() {
        let recorder = Recorder()
        home.watch(\.watched) { recorder.add("\($0.new ?? "nil")") }
        home.watched = "newValue"
        #expect(recorder.all == ["newValue"])
        home.watched = nil
        #expect(recorder.all == ["newValue", "nil"])
        #expect(home.unwatch(\.watched).count == 1)
        home.watched = "unseen"
        #expect(recorder.all == ["newValue", "nil"])
    }

    @Test("Options select the initial call and the old and new values")
    func options() {
        home.watched = "a"
        let recorder = Recorder()
        home.watch(\.watched, options: [.initial, .new, .old]) { change in
            // The outer optional is nil, because the initial call has no old value.
            let old = change.old.map { $0 ?? "nil" } ?? "-"
            recorder.add("\(old)→\(change.new ?? "nil")")
        }
        #expect(recorder.all == ["-→a"])
        home.watched = "b"
        #expect(recorder.all == ["-→a", "a→b"])
        home.unwatchAll()
        home.watch(\.watched, options: .new) { recorder.add("\($0.old == nil)") }
        home.watch(anyOf: [\.watched]) { recorder.add("called") }
        home.watched = "c"
        #expect(recorder.all.suffix(2) == ["true", "called"])
    }

    @Test("Two watchers from one line are distinct, and one with an equal id replaces the other")
    func identity() {
        let recorder = Recorder()
        for number in 1...2 { home.watch(\.watched) { _ in recorder.add("\(number)") } }
        home.watched = "a"
        #expect(recorder.all == ["1", "2"])
        home.unwatchAll()
        for number in 3...4 { home.watch(\.watched, id: "same") { _ in recorder.add("\(number)") } }
        home.watched = "b"
        #expect(recorder.all == ["1", "2", "4"])
        // An equal id on another key identifies another watcher.
        home.watch(\.other, id: "same") { _ in recorder.add("other") }
        home.watched = "c"
        home.other = 1
        #expect(recorder.all == ["1", "2", "4", "4", "other"])
    }

    @Test("Watchers in files with one name in two modules are distinct")
    func files() {
        let recorder = Recorder()
        home.watch(\.watched, fileID: "App/File.swift", line: 1) { _ in recorder.add("App") }
        home.watch(\.watched, fileID: "Kit/File.swift", line: 1) { _ in recorder.add("Kit") }
        home.watched = "a"
        #expect(recorder.all == ["App", "Kit"])
        #expect(home.unwatchFile("App/File.swift").count == 1)
        home.watched = "b"
        #expect(recorder.all == ["App", "Kit", "Kit"])
    }

    @Test("Watchers are removed by key path, id or file, and returned")
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
        // PropertyKit crashes with two watchers in a file.
        watchers = register()
        #expect(same(home.unwatchFile(), Array(watchers[..<4])))
        #expect(same(home.unwatchAll(), [watchers[4]]))
        #expect(home.unwatchFile().isEmpty)
        #expect(home.unwatchAll().isEmpty)
    }

    @Test("A watcher on a queue receives each committed value there")
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

    @Test("A watcher registered on an actor is called on that actor")
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

/// Records values in order.
private final class Recorder: Sendable {
    private let words = Mutex<[String]>([])

    var all: [String] { words.withLock { $0 } }

    func add(_ word: String) {
        words.withLock { $0.append(word) }
    }
}
