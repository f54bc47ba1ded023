import StoreTestSupport
import Testing

@testable import PreferencesRuntime

@Suite("Hooks")
struct HookTests {
    private let preferences = Preferences(store: MemoryStore())
    private let seen = Recorder<String>()

    private var weather: Preferences.Weather { preferences.weather }

    private func addAll() {
        let (seen, preferences) = (seen, preferences)
        weather.watch(\.radar.range) { seen.add("watcher \($0.new)") }
        weather.didChange(of: \.radar.range) { seen.add("did change \($0.old ?? -1) → \($0.new)") }
        weather.willChange(of: \.radar.range) {
            seen.add("will change \($0.old ?? -1) → \($0.new), is \(preferences.weather.radar.range)")
        }
        weather.processValues(of: \.radar.range) { value in
            seen.add("process \(value)")
            return value * 2
        }
        @Sendable func add(_ commit: PreferenceCommit, _ moment: String) {
            seen.add("\(moment) \(commit.names.sorted()), is \(preferences.weather.radar.range)")
        }
        weather.radar.willCommit { add($0, "will commit radar") }
        weather.radar.didCommit { add($0, "did commit radar") }
        weather.willCommit { add($0, "will commit weather") }
        weather.didCommit { add($0, "did commit weather") }
        preferences.willCommit { seen.add("will commit all \($0.names.sorted())") }
        preferences.didCommit { seen.add("did commit all \($0.names.sorted())") }
    }

    @Test("Hooks are called in order: outer namespaces first before a commit, and last after it")
    func hooksAreCalledInOrder() {
        addAll()
        weather.radar.range = 7
        let name = "[\"weather-service:radar:radar-range\"]"
        #expect(
            seen.all == [
                "process 7", "will change 50 → 14, is 50", "will commit all \(name)",
                "will commit weather \(name), is 50",
                "will commit radar \(name), is 50", "did commit radar \(name), is 14",
                "did commit weather \(name), is 14", "did commit all \(name)", "did change 50 → 14", "watcher 14",
            ]
        )
    }

    @Test("Hooks of a namespace are called for keys of any storage name, and in the order of namespaces")
    func hooksAreCalledForUnprefixedNames() throws {
        struct Inner: PreferenceNamespace {
            static var storageName: String { "library:list" }
            static var unprefixedStorageNames: [String] { ["sort.order"] }
            let preferences: Preferences
        }
        struct Outer: PreferenceNamespace {
            static var storageName: String { "library" }
            static var unprefixedStorageNames: [String] { ["sort.order", "size"] }
            let preferences: Preferences
        }
        let seen = seen
        let (inner, outer) = (Inner(preferences: preferences), Outer(preferences: preferences))
        inner.willCommit { seen.add("will commit inner \($0.names.sorted())") }
        let hook = inner.didCommit { seen.add("did commit inner \($0.names.sorted())") }
        outer.willCommit { seen.add("will commit outer \($0.names.sorted())") }
        outer.didCommit { seen.add("did commit outer \($0.names.sorted())") }
        try preferences.transaction { preferences in
            preferences.set(named: "sort.order", to: 1)
            preferences.set(named: "size", to: 2)
            preferences.set(named: "library:list:width", to: 3)
            preferences.set(named: "sort", to: 4)
        }
        let (all, own) = (["library:list:width", "size", "sort.order"], ["library:list:width", "sort.order"])
        #expect(
            seen.all == [
                "will commit outer \(all)", "will commit inner \(own)", "did commit inner \(own)",
                "did commit outer \(all)",
            ]
        )
        hook.cancel()
        preferences.set(named: "sort.order", to: 5)
        #expect(
            seen.all.dropFirst(4) == [
                "will commit outer [\"sort.order\"]", "will commit inner [\"sort.order\"]",
                "did commit outer [\"sort.order\"]",
            ]
        )
    }

    @Test("Hooks are called once for a transaction")
    func hooksAreCalledOnceForATransaction() throws {
        let (seen, weather) = (seen, weather)
        weather.willCommit { seen.add("will commit \($0.names.sorted())") }
        weather.didCommit { seen.add("did commit \($0.names.count)") }
        weather.radar.willCommit { _ in seen.add("will commit radar") }
        weather.willChange(of: \.temperature) { seen.add("will change \($0.old ?? -1) → \($0.new)") }
        try preferences.transaction { preferences in
            weather.temperature = 1
            weather.temperature = 2
            weather.unit = .fahrenheit
            preferences.launchCount = 1
            #expect(seen.all == [])
        }
        #expect(
            seen.all == [
                "will change 0.0 → 2.0", "will commit [\"weather-service:temperature\", \"weather-service:unit\"]",
                "did commit 2",
            ]
        )
    }

    @Test("Setting a key to its stored value calls no hook")
    func aSetToTheSameValueCallsNoHook() throws {
        addAll()
        weather.processValues(of: \.temperature) { _ in 0 }
        weather.temperature = 0
        let count = seen.all.count
        weather.temperature = 5
        try preferences.transaction { _ in }
        #expect(seen.all.count == count)
    }

    @Test("A refused value calls no hook, and a failed commit calls none after it")
    func failuresCallNoLaterHook() {
        let store = FaultyStore()
        let preferences = Preferences(store: store)
        let seen = seen
        preferences.willChange(of: \.launchCount) { seen.add("will \($0.new)") }
        preferences.didChange(of: \.launchCount) { seen.add("did \($0.new)") }
        preferences.didCommit { _ in seen.add("did commit") }
        preferences.willChange(of: \.volume) { seen.add("will \($0.new)") }
        preferences.didChange(of: \.volume) { seen.add("did \($0.new)") }
        preferences.volume = 11
        #expect(seen.all == [])
        store.failWrites("the disk is full")
        preferences.launchCount = 1
        #expect(seen.all == ["will 1"])
    }

    @Test("Hooks are called for reset keys")
    func hooksAreCalledForResets() throws {
        let (preferences, seen) = (preferences, seen)
        preferences.launchCount = 3
        preferences.weather.temperature = 4
        preferences.willChange(of: \.launchCount) { seen.add("will \($0.old ?? -1) → \($0.new)") }
        preferences.didChange(of: \.weather.temperature) { seen.add("did \($0.old ?? -1) → \($0.new)") }
        preferences.didCommit { seen.add("commit \($0.names.sorted())") }
        preferences.reset(\.launchCount)
        #expect(seen.all == ["will 3 → 0", "commit [\"launchCount\"]"])
        preferences.launchCount = 3
        try preferences.resetAll()
        #expect(
            seen.all.suffix(3) == [
                "will 3 → 0", "commit [\"launchCount\", \"weather-service:temperature\"]", "did 4.0 → 0.0",
            ]
        )
    }

    @Test("A value is processed when it is set, and not when it is read")
    func aValueIsProcessedWhenItIsSetAndNotWhenItIsRead() {
        let store: MemoryStore = ["weather-service:nickname": "stored"]
        let preferences = Preferences(store: store)
        preferences.weather.processValues(of: \.nickname) { $0.map { $0 + " Heisenburg" } }
        #expect(preferences.weather.nickname == "stored")
        preferences.weather.nickname = "say my name!"
        #expect(preferences.weather.nickname == "say my name! Heisenburg")
        preferences.weather.nickname = nil
        #expect(preferences.weather.nickname == nil)
        preferences.weather.reset(\.nickname)
        #expect(preferences.weather.nickname == "anonymous")
    }

    @Test("Each processor of a key receives the result of the previous one")
    func processorsOfOneKeyFollowEachOther() {
        preferences.processValues(of: \.launchCount) { $0 + 1 }
        let second = preferences.processValues(of: \.launchCount) { $0 * 10 }
        preferences.launchCount = 1
        #expect(preferences.launchCount == 20)
        second.cancel()
        second.cancel()
        preferences.launchCount = 1
        #expect(preferences.launchCount == 2)
    }

    @Test("A processed value is validated")
    func aProcessedValueIsValidated() async {
        preferences.processValues(of: \.height) { $0 * 2 }
        preferences.height = 6
        #expect(preferences.height == 0)
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "12 must be at most 9; it was not set"
            ]
        )
    }

    @Test("A Codable value is processed")
    func aCodableValueIsProcessed() {
        preferences.processValues(of: \.place) { Place(name: $0.name.uppercased()) }
        preferences.place = Place(name: "Oslo")
        #expect(preferences.place == Place(name: "OSLO"))
    }

    @Test("Hooks may set other keys")
    func hooksMaySetOtherKeys() {
        let preferences = preferences
        preferences.willChange(of: \.launchCount) { preferences.weather.temperature = Double($0.new) }
        preferences.didChange(of: \.launchCount) { preferences.weather.radar.range = $0.new }
        let seen = seen
        preferences.watch(\.launchCount) { seen.add("count \($0.new)") }
        preferences.watch(\.weather.temperature) { seen.add("temperature \($0.new)") }
        preferences.watch(\.weather.radar.range) { seen.add("range \($0.new)") }
        preferences.launchCount = 3
        #expect(preferences.weather.temperature == 3)
        #expect(preferences.weather.radar.range == 3)
        #expect(seen.all == ["temperature 3.0", "count 3", "range 3"])
    }

    @Test("Cancelled hooks are not called")
    func cancelledHooksAreNotCalled() {
        let seen = seen
        let hooks = [
            preferences.willChange(of: \.launchCount) { _ in seen.add("will change") },
            preferences.didChange(of: \.launchCount) { _ in seen.add("did change") },
            preferences.willCommit { _ in seen.add("will commit") },
            preferences.didCommit { _ in seen.add("did commit") },
        ]
        preferences.launchCount = 1
        #expect(seen.all == ["will change", "will commit", "did commit", "did change"])
        for hook in hooks { hook.cancel() }
        preferences.launchCount = 2
        #expect(seen.all.count == 4)
        #expect(preferences.hooks.isEmpty)
    }
}

private struct Place: Codable, Equatable {
    var name: String
}

extension Preferences {
    fileprivate var height: Int {
        get { get("height", default: 0, [.range(...9)]) }
        set { set("height", to: newValue, [.range(...9)]) }
    }

    fileprivate var place: Place {
        get { get(codable: "place", default: Place(name: "")) }
        set { set(codable: "place", to: newValue) }
    }
}

extension Preferences {
    fileprivate var volume: Int {
        get { get("volume", default: 0, [.range(0...10)]) }
        set { set("volume", to: newValue, [.range(0...10)]) }
    }
}
