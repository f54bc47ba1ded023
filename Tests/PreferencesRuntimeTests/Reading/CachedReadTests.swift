import Foundation
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PreferencesRuntime

/// Reads of values that are cached.
@Suite("Cached reads")
struct CachedReadTests {
    /// A store that counts its reads.
    private final class CountingStore: WriterExcludingStore, CapabilityDeclaringStore {
        let memory: MemoryStore
        let label = "counting"
        let notifiesAllChanges: Bool
        let excludesWriters: Bool
        let unsupportedCapabilities: PreferenceStoreCapabilities
        private let reads = Mutex(0)

        init(
            _ values: [String: PreferenceValue] = [:],
            notifiesAllChanges: Bool = true,
            excludesWriters: Bool = true,
            unsupportedCapabilities: PreferenceStoreCapabilities = []
        ) {
            memory = MemoryStore(values)
            self.notifiesAllChanges = notifiesAllChanges
            self.excludesWriters = excludesWriters
            self.unsupportedCapabilities = unsupportedCapabilities
        }

        var readCount: Int { reads.withLock { $0 } }

        func value(for name: String) throws -> PreferenceValue? {
            reads.withLock { $0 += 1 }
            return memory.value(for: name)
        }

        func update(
            by writer: PreferenceStoreObservation?,
            _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
        ) throws {
            try memory.update(by: excludesWriters ? writer : nil, makeBatch)
        }

        func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
            memory.apply(batch, by: excludesWriters ? writer : nil)
        }

        func names() -> Set<String> { memory.names() }

        func observe(
            _ observer: @escaping @Sendable (PreferenceStoreChange) -> Void
        ) -> PreferenceStoreObservation {
            notifiesAllChanges ? memory.observe(observer) : PreferenceStoreObservation {}
        }
    }

    @Test("A store that notifies of changes is read once")
    func aNotifyingStoreIsReadOnce() {
        let store = CountingStore(["launchCount": 3])
        let preferences = Preferences(store: store)
        for _ in 0..<5 { #expect(preferences.launchCount == 3) }
        for _ in 0..<5 { #expect(preferences.weather.stations == []) }
        #expect(store.readCount == 2)
        preferences.launchCount = 4
        for _ in 0..<5 { #expect(preferences.launchCount == 4) }
        #expect(store.readCount == 2)
    }

    @Test(
        "A store that notifies writers is asked once more for a value that was set, and watchers are notified of it once"
    )
    func storeThatNotifiesWriters() {
        let store = CountingStore(["launchCount": 3], excludesWriters: false)
        let preferences = Preferences(store: store)
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount) { seen.add($0.new) }
        let count = store.readCount
        preferences.launchCount = 4
        for _ in 0..<5 { #expect(preferences.launchCount == 4) }
        #expect(store.readCount == count + 1)
        #expect(seen.all == [4])
    }

    @Test("The last value is read while the store cannot be read")
    func cachedValuesAreUsedIfTheStoreIsUnreadable() async throws {
        // A key that is read from the store each time.
        let store = FaultyStore(["launchCount": 3], notifiesAllChanges: false)
        let preferences = Preferences(store: store)
        #expect(preferences.launchCount == 3)
        #expect(preferences.get("unset", default: 1) == 1)
        store.failReads("no disk")
        for _ in 0..<2 {
            #expect(preferences.isSet(\.launchCount))
            #expect(preferences.launchCount == 3)
            #expect(preferences.get("unset", default: 2) == 2)
            #expect(preferences.get("neverRead", default: 4) == 4)
        }
        // A transaction would write a value that it derives from this one.
        let refusal = PreferenceProblem(.storeUnreadable, store: "faulty", message: "no disk; nothing was changed")
        #expect(throws: refusal) { try preferences.update(\.launchCount) { $0 += 1 } }
        #expect(store.batches.isEmpty)
        store.failReads(nil)
        try store.apply(["launchCount": .set(5)])
        #expect(preferences.launchCount == 5)
        let message = "no disk; using the values read before, or else defaults, until it can be read"
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(.storeUnreadable, store: "faulty", message: message)
            ]
        )
    }

    @Test("The last value is not read if only this value cannot be read")
    func cachedValuesAreNotUsedIfAValueIsUnreadable() {
        let store = MemoryStore(["launchCount": 3])
        let preferences = Preferences(store: store)
        #expect(preferences.launchCount == 3)
        store.apply(["launchCount": .set("three")])
        #expect(preferences.launchCount == 0)
    }

    @Test("A name that is known only at run time is read from the store once, until its value changes")
    func namesKnownAtRunTime() {
        let store = CountingStore(["text": "a", "list": ["a"]])
        let preferences = Preferences(store: store)
        for _ in 0..<5 {
            #expect(preferences.get(named: "text", default: "") == "a")
            #expect(preferences.get(named: "list", default: [String]()) == ["a"])
            #expect(preferences.get(named: "unset", default: 7) == 7)
        }
        #expect(store.readCount == 3)
        store.memory.apply(["text": .set("b")])
        preferences.set(named: "unset", to: 8)
        for _ in 0..<5 {
            #expect(preferences.get(named: "text", default: "") == "b")
            #expect(preferences.get(named: "unset", default: 7) == 8)
        }
        #expect(store.readCount == 4)
    }

    @Test("More names than are cached read as their values")
    func moreNamesThanAreCached() {
        let preferences = Preferences(store: MemoryStore())
        let count = RecordTable.leastSweepCount + 100
        for number in 0..<count { preferences.set(named: "name-\(number)", to: number) }
        for _ in 0..<2 {
            for number in 0..<count { #expect(preferences.get(named: "name-\(number)", default: -1) == number) }
        }
    }

    @Test("The name of a literal is the literal's text, whatever its length and script")
    func namesOfLiterals() {
        let literals: [StaticString] = ["", "a", "weather-service:temperature", "météo:température extérieure"]
        for literal in literals { #expect(String(literal: literal) == literal.description) }
        let scalar = StaticString(unicodeScalarLiteral: "é")
        #expect(String(literal: scalar) == "é")
    }

    @Test("A renamed key is read from the store once")
    func aRenamedKeyIsReadOnce() {
        let store = CountingStore(["new": "b", "old": "a"])
        let preferences = Preferences(store: store)
        for _ in 0..<5 { #expect(preferences.get("new", default: "", [.renamed(from: "old")]) == "b") }
        #expect(store.readCount == 1)
        preferences.record(of: "new").forEachCell { #expect(CacheState(of: $0.version) == .words) }
        store.memory.apply(["new": .remove])
        for _ in 0..<5 { #expect(preferences.get("new", default: "", [.renamed(from: "old")]) == "a") }
        #expect(store.readCount == 3)
        store.memory.apply(["old": .set("c")])
        #expect(preferences.get("new", default: "", [.renamed(from: "old")]) == "c")
    }

    @Test("A URL is read as it is stored")
    func aUrlIsReadAsItIsStored() throws {
        let preferences = Preferences(store: MemoryStore())
        func page() -> URL? { preferences.get("page", default: nil) }
        #expect(page() == nil)
        preferences.set("page", to: URL(string: "b", relativeTo: URL(string: "https://example.org/a/")))
        let page = try #require(page())
        #expect(page.baseURL == nil)
        #expect(page.absoluteString == "https://example.org/a/b")
    }

    @Test("A store that does not notify of changes is read each time")
    func aSilentStoreIsReadEachTime() {
        let store = CountingStore(["launchCount": 3], notifiesAllChanges: false)
        let preferences = Preferences(store: store)
        #expect(preferences.launchCount == 3)
        store.memory.apply(["launchCount": .set(4)])
        #expect(preferences.launchCount == 4)
        preferences.launchCount = 5
        store.memory.apply(["launchCount": .set(6)])
        #expect(preferences.launchCount == 6)
    }

    @Test("A change in the store is read")
    func aChangeInTheStoreIsRead() {
        let store: MemoryStore = ["launchCount": 3]
        let preferences = Preferences(store: store)
        #expect(preferences.launchCount == 3)
        store.apply(["launchCount": .set(4)])
        #expect(preferences.launchCount == 4)
        store.apply(["launchCount": .remove])
        #expect(preferences.launchCount == 0)
        store.apply(["launchCount": .set("four")])
        #expect(preferences.launchCount == 0)
        store.apply(["launchCount": .set(4.0)])
        #expect(preferences.launchCount == 4)
    }

    @Test("Two Preferences over one store read the same values")
    func twoPreferencesOverOneStoreAgree() {
        let store = MemoryStore()
        let (first, second) = (Preferences(store: store), Preferences(store: store))
        for number in 0..<20 {
            first.launchCount = number
            #expect(second.launchCount == number)
            second.weather.stations.append("\(number)")
            #expect(first.weather.stations.count == number + 1)
        }
        first.reset(\.launchCount)
        #expect(second.launchCount == 0)
        #expect(!second.isSet(\.launchCount))
    }

    @Test("One name can be read as several types")
    func aNameIsReadAsSeveralTypes() {
        let preferences = Preferences(store: ["number": 70] as MemoryStore)
        for _ in 0..<3 {
            #expect(preferences.get("number", default: 0) == 70)
            #expect(preferences.get("number", default: 0.0) == 70.0)
            #expect(preferences.get("number", default: Int8(0)) == 70)
            #expect(preferences.get("number", default: Int?.none) == 70)
            #expect(preferences.get("number", default: "none") == "none")
        }
        preferences.set("number", to: 70.5)
        #expect(preferences.get("number", default: 0) == 0)
        #expect(preferences.get("number", default: 0.0) == 70.5)
        #expect(preferences.get("number", default: "none") == "none")
    }

    @Test("Each accessor of a name has its own default")
    func eachAccessorOfANameHasItsDefault() {
        let preferences = Preferences(store: MemoryStore())
        for _ in 0..<3 {
            #expect(preferences.get("a", default: 1) == 1)
            #expect(preferences.get("a", default: 2) == 2)
            #expect(_Accessor.getInt(preferences, "a", default: 3) == 3)
            #expect(preferences.get("a", default: 4, [.range(...9)]) == 4)
        }
        preferences.set("a", to: 12)
        for _ in 0..<3 {
            #expect(preferences.get("a", default: 1) == 12)
            #expect(preferences.get("a", default: 4, [.range(...9)]) == 4)
        }
    }

    @Test("A secret is separate from the same name in the main store")
    func aSecretDiffersFromItsNameInTheMainStore() {
        let preferences = Preferences.inMemory(["token": "open"], secrets: ["token": "hidden"])
        for _ in 0..<3 {
            #expect(preferences.get("token", default: "") == "open")
            #expect(preferences.get("token", default: "", [.secret]) == "hidden")
        }
    }

    @Test("A constant default is created once, and any other default at each read")
    func constantDefaultsAreCreatedOnce() {
        let preferences = Preferences(store: MemoryStore())
        var (constants, others) = (0, 0)
        func constant() -> [Int] {
            constants += 1
            return [constants]
        }
        func other() -> [Int] {
            others += 1
            return []
        }
        for _ in 0..<3 {
            #expect(_Accessor.getConstant(preferences, "constant", default: constant()) == [1])
            #expect(preferences.get("other", default: other()) == [])
        }
        #expect(constants == 1)
        #expect(others == 3)
        preferences.set("constant", to: [7])
        #expect(_Accessor.getConstant(preferences, "constant", default: constant()) == [7])
        preferences.reset(named: "constant")
        for _ in 0..<3 { #expect(_Accessor.getConstant(preferences, "constant", default: constant()) == [2]) }
    }

    @Test("Names of one character work like other names")
    func namesOfOneCharacterAreKeysLikeOthers() {
        let preferences = Preferences(store: MemoryStore())
        preferences.set("a", to: 1)
        preferences.set("b", to: 2)
        for _ in 0..<3 {
            #expect(preferences.get("a", default: 0) == 1)
            #expect(preferences.get("b", default: 0) == 2)
        }
    }

    @Test("A value that cannot be read is reported once, and again when it changes")
    func unreadableValuesAreReportedOnce() async {
        let store: MemoryStore = ["launchCount": "three"]
        let preferences = Preferences(store: store)
        for _ in 0..<3 { #expect(preferences.launchCount == 0) }
        store.apply(["launchCount": .set("four")])
        for _ in 0..<3 { #expect(preferences.launchCount == 0) }
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "expected Int, found the string \"three\"; using default 0",
                "expected Int, found the string \"four\"; using default 0",
            ]
        )
    }

    @Test("Text is read as a number only from stores that contain nothing but text")
    func textIsReadAsANumberOnlyFromTextStores() async {
        let values: [String: PreferenceValue] = [
            "launchCount": "3", "weather-service:temperature": "-1e1", "weather-service:unit": "fahrenheit",
            "weather-service:stations": "[\"Oslo\"]", "weather-service:nickname": "12",
        ]
        let preferences = Preferences(store: CountingStore(values, unsupportedCapabilities: .typedValues))
        #expect(preferences.launchCount == 3)
        #expect(preferences.weather.temperature == -10)
        #expect(preferences.weather.unit == .fahrenheit)
        #expect(preferences.weather.stations == ["Oslo"])
        #expect(preferences.weather.nickname == "12")
        #expect(await preferences.reportedProblems().isEmpty)

        let others = Preferences(store: MemoryStore(values))
        #expect(others.launchCount == 0)
        #expect(others.weather.nickname == "12")
        #expect(
            await others.reportedProblems().map(\.message) == [
                "expected Int, found the string \"3\"; using default 0"
            ]
        )
    }

    @Test("Cached values are released with their preferences")
    func cachedValuesAreReleasedWithTheirPreferences() {
        weak var preferences: Preferences?
        do {
            let new = Preferences(store: MemoryStore())
            new.launchCount = 1
            new.weather.stations = ["Oslo"]
            new.watch(\.launchCount) { _ in }
            #expect(new.launchCount + new.weather.stations.count == 2)
            preferences = new
        }
        #expect(preferences == nil)
    }
}
