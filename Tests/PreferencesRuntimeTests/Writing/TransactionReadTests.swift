import StoreTestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Reads within transactions, and after them: from the store, from the transaction, and from cached values.
@Suite("Reads in and after transactions")
struct TransactionReadTests {
    /// A store whose values can change without a notification, and that counts reads.
    private final class QuietStore: WriterExcludingStore, CapabilityDeclaringStore {
        private struct State {
            var values: [String: PreferenceValue] = [:]
            var readCount = 0
        }

        private let state = Locked(State())
        let label = "quiet"
        let notifiesAllChanges = true
        let excludesWriters = true
        let unsupportedCapabilities: PreferenceStoreCapabilities = .persistence

        var readCount: Int { state.withLock { $0.readCount } }

        /// Sets a value that the store's observers are not notified of.
        func setQuietly(_ name: String, to value: PreferenceValue) {
            state.withLock { $0.values[name] = value }
        }

        func value(for name: String) -> PreferenceValue? {
            state.withLock { state in
                state.readCount += 1
                return state.values[name]
            }
        }

        func apply(_ batch: PreferenceBatch) { apply(batch, by: nil) }

        func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) {
            state.withLock { state in
                for (name, edit) in batch {
                    if case .set(let value) = edit { state.values[name] = value } else { state.values[name] = nil }
                }
            }
        }

        func update(
            _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
        ) rethrows {
            apply(try makeBatch(value))
        }

        func update(
            by writer: PreferenceStoreObservation?,
            _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
        ) rethrows {
            apply(try makeBatch(value), by: writer)
        }

        func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
            PreferenceStoreObservation {}
        }

        func names() -> Set<String> { state.withLock { Set($0.values.keys) } }
    }

    @Test("A transaction reads the store's value of a key, though another one is cached")
    func newerValueInStore() throws {
        let store = QuietStore()
        let preferences = Preferences(store: store)
        let keys = Keys(preferences: preferences)
        (keys.count, keys.text) = (1, "one")
        #expect((keys.count, keys.text) == (1, "one"))
        store.setQuietly("count", to: 7)
        store.setQuietly("text", to: "seven")
        try preferences.transaction { _ in
            #expect(keys.count == 7)
            #expect(keys.text == "seven")
        }
        // Later reads do not return the cached value either.
        #expect((keys.count, keys.text) == (7, "seven"))
        store.setQuietly("count", to: 8)
        try keys.update(\.count) { $0 += 1 }
        #expect(keys.count == 9)
    }

    @Test("A transaction reads its own value of a key, and the cached one of a key that it does not set")
    func ownValues() throws {
        let preferences = Preferences(store: QuietStore())
        let keys = Keys(preferences: preferences)
        (keys.count, keys.text, keys.level, keys.flag) = (1, "one", 0.5, true)
        try preferences.transaction { _ in
            keys.count += 1
            keys.text += "!"
            #expect((keys.count, keys.text, keys.level, keys.flag) == (2, "one!", 0.5, true))
            keys.count += 1
            #expect(keys.count == 3)
        }
        #expect((keys.count, keys.text, keys.level, keys.flag) == (3, "one!", 0.5, true))
    }

    @Test("Keys that a transaction has set or reset are read without the store")
    func cachedAfterwards() throws {
        let store = QuietStore()
        let preferences = Preferences(store: store)
        let keys = Keys(preferences: preferences)
        (keys.count, keys.text, keys.level, keys.flag) = (1, "one", 0.5, true)
        try preferences.transaction { _ in
            (keys.count, keys.text, keys.level) = (2, "a text of more than fifteen letters", 1.5)
            keys.reset(\.flag)
        }
        let count = store.readCount
        #expect((keys.count, keys.text, keys.level) == (2, "a text of more than fifteen letters", 1.5))
        #expect(!keys.flag)
        #expect(store.readCount == count)
    }

    @Test("A value that another accessor's traits forbid is not cached for it by a transaction")
    func traitsAfterwards() throws {
        let preferences = Preferences(store: QuietStore())
        let keys = Keys(preferences: preferences)
        #expect(keys.smallCount == 0)
        keys.smallCount = 5
        #expect(keys.smallCount == 5)
        try preferences.transaction { _ in keys.count = 50 }
        #expect((keys.count, keys.smallCount) == (50, 0))
    }

    @Test("Keys of a transaction that was undone can be set in the same and in later ones", arguments: [1, 3])
    func undone(innerCount: Int) throws {
        struct Undo: Error {}
        let preferences = Preferences(store: QuietStore())
        let keys = Keys(preferences: preferences)
        #expect(throws: Undo.self) {
            try preferences.transaction { _ in
                (keys.count, keys.text) = (1, "one")
                throw Undo()
            }
        }
        try preferences.transaction { _ in
            keys.level = 1
            for _ in 0..<innerCount {
                #expect(throws: Undo.self) {
                    try preferences.transaction { _ in
                        (keys.text, keys.level, keys.count) = ("two", 2, 2)
                        throw Undo()
                    }
                }
            }
            #expect((keys.count, keys.text, keys.level) == (0, "", 1))
            keys.count = 3
        }
        #expect((keys.count, keys.text, keys.level) == (3, "", 1))
        try preferences.transaction { _ in (keys.text, keys.count) = ("four", 4) }
        #expect((keys.count, keys.text, keys.level) == (4, "four", 1))
    }
}

extension TransactionReadTests {
    @Test("A transaction that a watched property makes while another one goes on has edits of its own")
    func transactionWithinALook() throws {
        let preferences = Preferences(store: MemoryStore())
        let keys = Keys(preferences: preferences)
        let seen = Recorder<Int>()
        try preferences.transaction { _ in
            keys.count = 10
            keys.text = "outer"
            keys.watch(\.countedCount) { seen.add($0.new) }
            #expect((keys.count, keys.text, keys.level) == (10, "outer", 1.5))
            keys.flag = true
            keys.count += 1
        }
        #expect((keys.count, keys.text, keys.level, keys.flag) == (11, "outer", 1.5, true))
        #expect(preferences.get(named: "reads", default: 0) == 2)
        // The next transaction has exclusive use of the records again.
        try preferences.transaction { _ in (keys.text, keys.count) = ("last", 12) }
        #expect((keys.count, keys.text) == (12, "last"))
        #expect(seen.all == [22, 24])
    }

    @Test("Keys of a transaction that the store or a hook refused can be set afterwards", arguments: [false, true])
    func refused(isByHook: Bool) throws {
        let store = FaultyStore()
        let preferences = Preferences(store: store)
        let keys = Keys(preferences: preferences)
        let hook = isByHook ? preferences.willCommit { _ in keys.smallCount = 10 } : nil
        if !isByHook { store.failWrites("no disk") }
        #expect(throws: PreferenceProblem.self) {
            try preferences.transaction { _ in (keys.count, keys.text) = (1, "one") }
        }
        hook?.cancel()
        store.failWrites(nil)
        #expect((keys.count, keys.text) == (0, ""))
        try preferences.transaction { _ in (keys.text, keys.count) = ("two", 2) }
        #expect((keys.count, keys.text) == (2, "two"))
    }

    @Test("A transaction reads a text as it is spelled in the store, which may equal the cached one")
    func spelling() throws {
        let store = QuietStore()
        let preferences = Preferences(store: store)
        let keys = Keys(preferences: preferences)
        keys.text = "\u{e9}"
        #expect(keys.text.utf8.count == 2)
        store.setQuietly("text", to: "e\u{301}")
        try preferences.transaction { _ in #expect(keys.text.utf8.count == 3) }
        #expect(keys.text.utf8.count == 3)
    }

    @Test("Watchers and hooks of a renamed key are notified in whatever order a transaction changes its names")
    func orderOfNames() throws {
        func callCount(_ values: [String: PreferenceValue], _ body: (Keys) -> Void) throws -> [Int] {
            let preferences = Preferences(store: MemoryStore(values))
            let keys = Keys(preferences: preferences)
            let (watched, hooked) = (Recorder<Int>(), Recorder<Int>())
            keys.watch(\.renamed) { watched.add($0.new) }
            let hook = keys.didChange(of: \.renamed) { hooked.add($0.new) }
            try preferences.transaction { _ in body(keys) }
            hook.cancel()
            return [watched.all.count, hooked.all.count]
        }
        for _ in 0..<20 {
            #expect(
                try callCount(["former": 2, "oldest": 3]) { keys in
                    keys.reset(\.renamed)
                    keys.renamed = 3
                } == [1, 1]
            )
            #expect(
                try callCount(["renamed": 1, "former": 2]) { keys in
                    keys.preferences.set(named: "former", to: 2)
                    keys.renamed = 2
                } == [1, 1]
            )
            // The value is only moved to the present name.
            #expect(
                try callCount(["former": 2, "oldest": 3]) { keys in
                    keys.preferences.set(named: "oldest", to: 4)
                    keys.renamed = 2
                } == [0, 0]
            )
        }
    }

    @Test("Optional keys and names known at run time are read as a transaction has left them")
    func optionalsAndNames() throws {
        let preferences = Preferences(store: MemoryStore())
        let keys = Keys(preferences: preferences)
        keys.limit = 3
        #expect(keys.limit == 3)
        #expect(preferences.get(named: "count", default: 0) == 0)
        try preferences.transaction { _ in (keys.limit, keys.count) = (nil, 4) }
        #expect(keys.limit == nil)
        #expect(preferences.get(named: "count", default: 0) == 4)
        try preferences.transaction { _ in (keys.limit, keys.count) = (5, 6) }
        #expect(keys.limit == 5)
        #expect(preferences.get(named: "count", default: 0) == 6)
    }
}

private struct Keys: PreferenceNamespace {
    static let storageName = ""
    static let formerStorageNames: [String] = []
    let preferences: Preferences

    /// Twice the count. Counts its reads in a transaction.
    var countedCount: Int {
        do {
            try preferences.transaction { preferences in
                preferences.set(named: "reads", to: preferences.get(named: "reads", default: 0) + 1)
                // Not the value of the transaction around this one.
                level = count == 10 ? -1 : 1.5
            }
        } catch {
            Issue.record(error)
        }
        return 2 * count
    }

    var renamed: Int {
        get { get("renamed", default: 0, [.renamed(from: "former", "oldest")]) }
        nonmutating set { set("renamed", to: newValue, [.renamed(from: "former", "oldest")]) }
    }

    var limit: Int? {
        get { get("limit", default: nil) }
        nonmutating set { set("limit", to: newValue) }
    }

    var count: Int {
        get { get("count", default: 0) }
        nonmutating set { set("count", to: newValue) }
    }

    var smallCount: Int {
        get { get("count", default: 0, [.range(0...9)]) }
        nonmutating set { set("count", to: newValue, [.range(0...9)]) }
    }

    var text: String {
        get { get("text", default: "") }
        nonmutating set { set("text", to: newValue) }
    }

    var level: Double {
        get { get("level", default: 0) }
        nonmutating set { set("level", to: newValue) }
    }

    var flag: Bool {
        get { get("flag", default: false) }
        nonmutating set { set("flag", to: newValue) }
    }
}
