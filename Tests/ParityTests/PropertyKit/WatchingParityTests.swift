import Dispatch
import Foundation
import PreferencesRuntime
import Synchronization
import TestSupport
import Testing

private final class Owner: PropertyNamedAccessors {
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
    private let owner = Owner(.inMemory())

    @Test("A watcher is called for each change until it is removed")
    func watchAndUnwatch() {
        let recorder = Recorder()
        owner.watch(\.watched) { recorder.add("\($0.new ?? "nil")") }
        owner.watched = "newValue"
        #expect(recorder.all == ["newValue"])
        owner.watched = nil
        #expect(recorder.all == ["newValue", "nil"])
        #expect(owner.unwatch(\.watched).count == 1)
        owner.watched = "unseen"
        #expect(recorder.all == ["newValue", "nil"])
    }

    @Test("Options select the initial call and the old and new values")
    func options() {
        owner.watched = "a"
        let recorder = Recorder()
        owner.watch(\.watched, options: [.initial, .new, .old]) { change in
            // The outer optional is nil, because the initial call has no old value.
            let old = change.old.map { $0 ?? "nil" } ?? "-"
            recorder.add("\(old)→\(change.new ?? "nil")")
        }
        #expect(recorder.all == ["-→a"])
        owner.watched = "b"
        #expect(recorder.all == ["-→a", "a→b"])
        owner.unwatchAll()
        owner.watch(\.watched, options: .new) { recorder.add("\($0.old == nil)") }
        owner.watch(anyOf: [\.watched]) { recorder.add("called") }
        owner.watched = "c"
        #expect(recorder.all.suffix(2) == ["true", "called"])
    }

    @Test("Two watchers from one line are distinct, and one with an equal id replaces the other")
    func identity() {
        let recorder = Recorder()
        for number in 1...2 { owner.watch(\.watched) { _ in recorder.add("\(number)") } }
        owner.watched = "a"
        #expect(recorder.all == ["1", "2"])
        owner.unwatchAll()
        for number in 3...4 { owner.watch(\.watched, id: "same") { _ in recorder.add("\(number)") } }
        owner.watched = "b"
        #expect(recorder.all == ["1", "2", "4"])
        // An equal id on another key identifies another watcher.
        owner.watch(\.other, id: "same") { _ in recorder.add("other") }
        owner.watched = "c"
        owner.other = 1
        #expect(recorder.all == ["1", "2", "4", "4", "other"])
    }

    @Test("Watchers in files with one name in two modules are distinct")
    func files() {
        let recorder = Recorder()
        owner.watch(\.watched, fileID: "App/File.swift", line: 1) { _ in recorder.add("App") }
        owner.watch(\.watched, fileID: "Kit/File.swift", line: 1) { _ in recorder.add("Kit") }
        owner.watched = "a"
        #expect(recorder.all == ["App", "Kit"])
        #expect(owner.unwatchFile("App/File.swift").count == 1)
        owner.watched = "b"
        #expect(recorder.all == ["App", "Kit", "Kit"])
    }

    @Test("Watchers are removed by key path, id or file, and returned")
    func unwatch() {
        func register() -> [PreferenceWatcher] {
            [
                owner.watch(\.watched) { _ in }, owner.watch(\.watched, id: "a") { _ in },
                owner.watch(\.other, id: "a") { _ in }, owner.watch(\.other, id: "b") { _ in },
                owner.watch(\.other, fileID: "App/Other.swift") { _ in },
            ]
        }
        func same(_ removed: [PreferenceWatcher], _ expected: [PreferenceWatcher]) -> Bool {
            removed.map(ObjectIdentifier.init) == expected.map(ObjectIdentifier.init)
        }
        var watchers = register()
        #expect(same(owner.unwatch(\.watched), Array(watchers[0...1])))
        #expect(same(owner.unwatchAll(), Array(watchers[2...])))
        watchers = register()
        #expect(same(owner.unwatch(\.other, ids: ["a", "c"]), [watchers[2]]))
        #expect(same(owner.unwatch(ids: ["a", "b"]), [watchers[1], watchers[3]]))
        #expect(same(owner.unwatchFile(), [watchers[0]]))
        #expect(same(owner.unwatchAll(), [watchers[4]]))
        // PropertyKit crashes with two watchers in a file.
        watchers = register()
        #expect(same(owner.unwatchFile(), Array(watchers[..<4])))
        #expect(same(owner.unwatchAll(), [watchers[4]]))
        #expect(owner.unwatchFile().isEmpty)
        #expect(owner.unwatchAll().isEmpty)
    }

    @Test("A watcher on a queue receives each committed value there")
    func queue() async {
        let queue = DispatchQueue(label: "watcher")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let (stream, continuation) = AsyncStream.makeStream(of: (Int, Bool).self)
        owner.watch(\.other, on: queue) { continuation.yield(($0.new, DispatchQueue.getSpecific(key: key) == true)) }
        DispatchQueue.concurrentPerform(iterations: 50) { [preferences = owner.preferences] _ in
            _ = try? Owner(preferences).update(\.other) { $0 += 1 }
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
        let listener = Listener(owner.preferences)
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
        watch(\.other, with: self) { listener, change in
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
