import PreferencesRuntime
import StorezSchema
import Synchronization
import Testing

@Suite("Storez: namespaces")
struct NamespaceParityTests {
    private let store = MemoryStore()
    private let preferences: Preferences

    init() {
        preferences = Preferences(store: store)
    }

    @Test("nested namespaces: animals > cats, key lion: storage name animals:cats:lion, at any depth")
    func nesting() {
        preferences.animals.mammals = 1
        preferences.animals.cats.lion = 2
        preferences.animals.cats.wild.lion = 3
        // A key outside of any namespace has no colon before it.
        preferences.total = 6
        #expect(store.names() == ["animals:mammals", "animals:cats:lion", "animals:cats:wild:lion", "total"])
        #expect(preferences.animals.cats.lion == 2)
        #expect(preferences.animals.cats.wild.lion == 3)
    }

    @Test("namespace commit hooks, before and after: parents' hooks fire too, for a transaction once per namespace")
    func commitHooks() throws {
        let calls = Calls()
        preferences.animals.willCommit { calls.add("before animals \($0.names.sorted())") }
        preferences.animals.cats.willCommit { calls.add("before cats \($0.names.sorted())") }
        preferences.animals.cats.didCommit { calls.add("after cats \($0.names.sorted())") }
        preferences.animals.didCommit { calls.add("after animals \($0.names.sorted())") }
        preferences.animals.cats.lion = 9
        let lion = "[\"animals:cats:lion\"]"
        #expect(
            calls.take() == [
                "before animals \(lion)", "before cats \(lion)", "after cats \(lion)", "after animals \(lion)",
            ]
        )
        preferences.animals.cats.lion = 9
        #expect(calls.take() == [])
        // The keys of a parent do not call the hooks of its children.
        preferences.animals.mammals = 5
        #expect(calls.take() == ["before animals [\"animals:mammals\"]", "after animals [\"animals:mammals\"]"])
        try preferences.transaction { preferences in
            preferences.animals.cats.lion = 1
            preferences.animals.cats.wild.lion = 1
            preferences.animals.mammals = 1
        }
        let cats = "[\"animals:cats:lion\", \"animals:cats:wild:lion\"]"
        let all = "[\"animals:cats:lion\", \"animals:cats:wild:lion\", \"animals:mammals\"]"
        #expect(
            calls.take() == [
                "before animals \(all)", "before cats \(cats)", "after cats \(cats)", "after animals \(all)",
            ]
        )
    }

    @Test("willChange / didChange with old and new: read old, process, willChange, before, commit, after, didChange")
    func order() {
        let calls = Calls()
        let cats = preferences.animals.cats
        cats.processValues(of: \.lion) { value in
            calls.add("process \(value)")
            return value + 1
        }
        cats.willChange(of: \.lion) { [store] in
            calls.add("will \($0.old ?? -1)→\($0.new), kept \(store.value(for: "animals:cats:lion") ?? .null)")
        }
        cats.willCommit { _ in calls.add("before") }
        cats.didCommit { [store] _ in calls.add("after, kept \(store.value(for: "animals:cats:lion") ?? .null)") }
        cats.didChange(of: \.lion) { calls.add("did \($0.old ?? -1)→\($0.new)") }
        cats.watch(\.lion) { calls.add("watch \($0.new)") }
        cats.lion = 7
        #expect(
            calls.take() == ["process 7", "will 4→8, kept null", "before", "after, kept 8", "did 4→8", "watch 8"]
        )
    }

    @Test("per-key processing: with the old value, as the original gives it")
    func processingWithTheOldValue() throws {
        let cats = preferences.animals.cats
        cats.lion = 7
        cats.processValues(of: \.lion) { old, new in max(old, new) }
        cats.lion = 3
        #expect(cats.lion == 7)
        cats.lion = 9
        #expect(cats.lion == 9)
        // In a transaction, the old value is the one that the transaction has set.
        try preferences.transaction { preferences in
            preferences.animals.cats.lion = 12
            preferences.animals.cats.lion = 10
        }
        #expect(cats.lion == 12)
        // No value is stored, so the old value is the default.
        cats.reset(\.lion)
        cats.lion = 1
        #expect(cats.lion == 4)
    }
}

/// The recorded calls, in order.
final class Calls: Sendable {
    private let words = Mutex<[String]>([])

    func add(_ word: String) {
        words.withLock { $0.append(word) }
    }

    /// Returns the calls since the last time.
    func take() -> [String] {
        words.withLock { words in
            defer { words = [] }
            return words
        }
    }
}
