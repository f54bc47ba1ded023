import StoreTestSupport
import Synchronization
import Testing

@testable import PreferencesRuntime

@Suite("The cost of hooks and of inner transactions")
struct HookCostTests {
    /// An owner that counts the reads of its key, and so the evaluations of a hook.
    private final class Owner: PreferenceAccessors, Sendable {
        let preferences: Preferences
        let readCount = Atomic(0)

        init(_ preferences: Preferences) {
            self.preferences = preferences
        }

        var counted: Int {
            readCount.add(1, ordering: .relaxed)
            return preferences.get(named: "counted", default: 0)
        }
    }

    @Test("A hook of another key is not asked about a set")
    func otherKeys() throws {
        let preferences = Preferences.inMemory()
        let owner = Owner(preferences)
        for _ in 0..<100 { owner.willChange(of: \.counted) { _ in } }
        preferences.willCommit { _ in }
        let count = owner.readCount.load(ordering: .relaxed)
        preferences.launchCount = 1
        try preferences.transaction { $0.weather.temperature = 3 }
        preferences.store.observe { _ in }.cancel()
        try preferences.store.commit(["other": .set(1)])
        preferences.launchCount = 2
        #expect(owner.readCount.load(ordering: .relaxed) == count)
    }

    @Test("Each of many hooks of a key evaluates the change once for each set")
    func hooksOfOneKey() {
        let preferences = Preferences.inMemory()
        let owner = Owner(preferences)
        let calls = Atomic(0)
        for _ in 0..<200 { owner.willChange(of: \.counted) { _ in calls.add(1, ordering: .relaxed) } }
        let count = owner.readCount.load(ordering: .relaxed)
        preferences.set(named: "counted", to: 1)
        #expect(calls.load(ordering: .relaxed) == 200)
        // Each hook reads the values before and after the change.
        #expect(owner.readCount.load(ordering: .relaxed) - count == 400)
    }

    @Test("Each of many hooks that set keys in a transaction evaluates its change once")
    func hooksThatSetKeys() throws {
        let preferences = Preferences.inMemory()
        let owner = Owner(preferences)
        for number in 0..<200 {
            owner.willChange(of: \.counted) { _ in preferences.set(named: "set-\(number)", to: number) }
        }
        let count = owner.readCount.load(ordering: .relaxed)
        try preferences.transaction { $0.set(named: "counted", to: 1) }
        #expect(owner.readCount.load(ordering: .relaxed) - count == 400)
        #expect(preferences.get(named: "set-199", default: 0) == 199)
        #expect(try preferences.store.names().count == 201)
    }

    /// A property that counts its reads.
    private final class CountingStore: WriterExcludingStore {
        let label = "counting"
        let notifiesAllChanges = true
        let readCount = Atomic(0)
        private let memory = MemoryStore()

        func value(for name: String) -> PreferenceValue? {
            readCount.add(1, ordering: .relaxed)
            return memory.value(for: name)
        }

        func names() -> Set<String> { memory.names() }

        func update(
            by writer: PreferenceStoreObservation?,
            _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
        ) throws {
            try memory.update(by: writer, makeBatch)
        }

        func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) { memory.apply(batch, by: writer) }

        func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
            memory.observe(observer)
        }
    }

    @Test("Hooks that set keys outside of a transaction cause only these keys to be read again")
    func hooksThatCommit() {
        func readCount(hookCount: Int) -> Int {
            let store = CountingStore()
            let preferences = Preferences(store: store)
            let names = (0..<200).map { "key-\($0)" }
            for name in names { preferences.set(named: name, to: 1) }
            for number in 0..<hookCount {
                preferences.willCommit { _ in preferences.set(named: "set-\(number)", to: number) }
            }
            let count = store.readCount.load(ordering: .relaxed)
            preferences.reset(Set(names.map { PreferenceEntry($0) }))
            return store.readCount.load(ordering: .relaxed) - count
        }
        let (one, twenty) = (readCount(hookCount: 1), readCount(hookCount: 20))
        #expect(twenty - one < 200)
    }

    @Test("A hook of a computed key is called for a name that an external change of another name leads to")
    func externalChange() throws {
        let preferences = Preferences.inMemory()
        let calls = Recorder<Int>()
        preferences.set(named: "b", to: 1)
        preferences.willChange(of: \.selected) { calls.add($0.new) }
        try preferences.store.commit(["usesB": .set(true)])
        preferences.set(named: "b", to: 2)
        #expect(calls.all == [2])
    }

    @Test("An inner transaction that throws undoes its changes alone, at any depth")
    func innerTransactions() throws {
        let preferences = Preferences.inMemory()
        preferences.set(named: "a", to: 0)
        try preferences.transaction { preferences in
            preferences.set(named: "a", to: 1)
            try? preferences.transaction { preferences in
                preferences.set(named: "a", to: 2)
                preferences.set(named: "b", to: 2)
                try preferences.transaction { $0.set(named: "c", to: 3) }
                throw CancellationError()
            }
            #expect(preferences.get(named: "a", default: -1) == 1)
            preferences.set(named: "d", to: 4)
        }
        #expect(try preferences.store.names() == ["a", "d"])
        #expect(preferences.get(named: "a", default: -1) == 1)
    }

    @Test("A hook that undoes its own changes in a transaction keeps the others")
    func hookThatUndoes() throws {
        let preferences = Preferences.inMemory()
        preferences.willChange(of: \.launchCount) { _ in
            try? preferences.transaction { preferences in
                preferences.set(named: "other", to: 1)
                throw CancellationError()
            }
        }
        try preferences.transaction { $0.launchCount = 5 }
        #expect(try preferences.store.names() == ["launchCount"])
    }
}

extension Preferences {
    fileprivate var selected: Int {
        self.get(named: get(named: "usesB", default: false) ? "b" : "a", default: 0)
    }
}
