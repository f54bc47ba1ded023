import StoreTestSupport
import Testing

@testable import PreferencesRuntime

/// Hooks that set keys themselves, and the keys that hooks are called for.
@Suite("Hooks that set keys")
struct HookSettingTests {
    private let preferences = Preferences.inMemory(["old-height": 5])
    private let seen = Recorder<String>()

    private var weather: Preferences.Weather { preferences.weather }

    @Test("A value that a hook sets for its own key is read")
    func aValueSetByAHookIsRead() {
        preferences.didChange(of: \.launchCount) { [preferences] in if $0.new > 10 { preferences.launchCount = 10 } }
        preferences.launchCount = 20
        #expect(preferences.launchCount == 10)
        #expect(preferences.get(named: "launchCount", default: 0) == 10)
    }

    @Test("Watchers are notified of each value once, in order, if a hook sets its key by an update")
    func hookThatUpdates() {
        preferences.launchCount = 1
        preferences.watch(\.launchCount) { [seen] in seen.add("\($0.new)") }
        let hook = preferences.willChange(of: \.launchCount) { [preferences] _ in
            try? preferences.update(\.launchCount) { $0 = 3 }
        }
        preferences.launchCount = 5
        #expect(seen.all == ["3", "5"])
        hook.cancel()
    }

    @Test("A hook is not called for its own changes")
    func aHookIsNotCalledForItsOwnChanges() {
        let (preferences, seen) = (preferences, seen)
        preferences.willChange(of: \.launchCount) {
            seen.add("will \($0.new)")
            preferences.set(named: "launchCount", to: 5)
        }
        preferences.didChange(of: \.launchCount) {
            seen.add("did \($0.new)")
            if $0.new == 7 { preferences.launchCount = 8 }
        }
        preferences.willCommit { _ in
            seen.add("commit")
            preferences.weather.temperature += 1
        }
        preferences.launchCount = 7
        #expect(preferences.launchCount == 8)
        #expect(weather.temperature == 4)
        // The second commit and the last but one are for changes of the first hook.
        #expect(seen.all == ["will 7", "commit", "did 5", "commit", "did 7", "will 8", "commit", "commit"])
    }

    @Test("Other hooks are called for the changes of a hook", arguments: [false, true])
    func otherHooksAreCalledForChangesOfAHook(inTransaction: Bool) throws {
        let (preferences, seen) = (preferences, seen)
        let weather = preferences.weather
        weather.willChange(of: \.temperature) { _ in
            seen.add("will temperature")
            weather.unit = .fahrenheit
        }
        weather.willChange(of: \.unit) { seen.add("will unit \($0.new)") }
        weather.didChange(of: \.unit) { seen.add("did unit \($0.new)") }
        weather.didChange(of: \.shown) { seen.add("did shown \($0.old ?? "") → \($0.new)") }
        weather.didCommit { seen.add("commit \($0.names.map { $0.dropFirst("weather-service:".count) }.sorted())") }
        if inTransaction {
            try preferences.transaction { _ in weather.temperature = 5 }
            #expect(
                seen.all == [
                    "will temperature", "will unit fahrenheit", "commit [\"temperature\", \"unit\"]",
                    "did unit fahrenheit", "did shown 0.0 celsius → 5.0 fahrenheit",
                ]
            )
        } else {
            weather.temperature = 5
            #expect(
                seen.all == [
                    "will temperature", "will unit fahrenheit", "commit [\"unit\"]", "did unit fahrenheit",
                    "did shown 0.0 celsius → 0.0 fahrenheit", "commit [\"temperature\"]",
                    "did shown 0.0 fahrenheit → 5.0 fahrenheit",
                ]
            )
        }
    }

    @Test("Hooks after a transaction receive the committed value")
    func hooksOfATransactionReceiveTheCommittedValue() throws {
        let (preferences, seen) = (preferences, seen)
        preferences.willChange(of: \.launchCount) { if $0.new > 10 { preferences.launchCount = 10 } }
        preferences.didChange(of: \.launchCount) { seen.add("\($0.old ?? -1) → \($0.new)") }
        try preferences.transaction { $0.launchCount = 20 }
        #expect(seen.all == ["0 → 10"])
        #expect(preferences.launchCount == 10)
    }

    @Test("A hook before a commit receives the change as earlier hooks have left it")
    func laterHooksReceiveTheCurrentChange() throws {
        let (preferences, seen) = (preferences, seen)
        preferences.willChange(of: \.launchCount) { if $0.new > 10 { preferences.launchCount = 10 } }
        preferences.willChange(of: \.launchCount) { seen.add("\($0.old ?? -1) → \($0.new)") }
        try preferences.transaction { $0.launchCount = 20 }
        #expect(seen.all == ["0 → 10"])
        preferences.launchCount = 0
        // The hook's own set is notified first, and then the outer one.
        preferences.launchCount = 30
        #expect(seen.all.dropFirst(2) == ["0 → 10", "10 → 30"])
        #expect(preferences.launchCount == 30)
        // A change that an earlier hook has already made is not notified again.
        preferences.weather.willChange(of: \.temperature) { preferences.weather.temperature = $0.new }
        preferences.weather.willChange(of: \.temperature) { seen.add("temperature \($0.new)") }
        preferences.weather.temperature = 4
        #expect(seen.all.suffix(1) == ["temperature 4.0"])
        #expect(seen.all.count { $0.hasPrefix("temperature") } == 1)
    }

    @Test("Hooks of namespaces are called after those of keys, with all committed names")
    func namespaceHooksFollowKeyHooks() throws {
        let (weather, seen) = (weather, seen)
        weather.willCommit { seen.add("will \($0.names.count)") }
        weather.willChange(of: \.temperature) { _ in weather.unit = .fahrenheit }
        weather.willChange(of: \.unit) { _ in seen.add("unit") }
        try preferences.transaction { _ in weather.temperature = 4 }
        #expect(seen.all == ["unit", "will 2"])
    }

    @Test("A hook that is added during a commit is not called for it")
    func aHookAddedDuringACommitIsNotCalled() {
        let (preferences, seen) = (preferences, seen)
        @Sendable func arm() {
            let hook = Recorder<PreferenceHook>()
            hook.add(
                preferences.willChange(of: \.launchCount) {
                    seen.add("\($0.new)")
                    for hook in hook.all { hook.cancel() }
                    arm()
                }
            )
        }
        arm()
        preferences.launchCount = 1
        preferences.launchCount = 2
        #expect(seen.all == ["1", "2"])
    }

    @Test("A hook whose release cancels another hook is cancelled")
    func aReleasedHookMayCancelAnother() {
        final class Owner: Sendable {
            let hook: PreferenceHook

            init(_ preferences: Preferences) {
                hook = preferences.willChange(of: \.launchCount) { _ in }
            }

            deinit {
                hook.cancel()
            }
        }
        var owner: Owner? = Owner(preferences)
        weak let gone = owner
        let outer = preferences.didChange(of: \.launchCount) { [owner] _ in _ = owner }
        owner = nil
        outer.cancel()
        #expect(gone == nil)
        #expect(preferences.hooks.isEmpty)
    }

    @Test("Hooks of a computed property follow its keys after external changes and failed writes")
    func hooksFollowExternalChangesAndFailures() {
        let store = FaultyStore()
        let weather = Preferences(store: store).weather
        let seen = seen
        weather.didChange(of: \.chosen) { seen.add("\($0.old ?? "") → \($0.new)") }
        // No hooks are called for this.
        #expect(throws: Never.self) { try store.apply(["weather-service:unit": .set("fahrenheit")]) }
        weather.temperature = 3
        #expect(seen.all == ["0.0 → 3.0"])
        store.failWrites("full")
        weather.unit = .celsius
        store.failWrites(nil)
        weather.temperature = 4
        #expect(seen.all == ["0.0 → 3.0", "3.0 → 4.0"])
    }

    @Test("Hooks of a computed property follow the keys that it reads")
    func hooksFollowTheKeysOfAProperty() {
        let (weather, seen) = (weather, seen)
        weather.didChange(of: \.chosen) { seen.add("\($0.old ?? "") → \($0.new)") }
        weather.temperature = 2
        weather.unit = .fahrenheit
        weather.temperature = 3
        weather.unit = .celsius
        weather.temperature = 4
        #expect(seen.all == ["none → 2.0", "2.0 → 3.0", "3.0 → none"])
    }

    @Test("Hooks of a namespace are called for a value under a former name")
    func aNamespaceHookReceivesChangesOfFormerNames() {
        let (weather, seen) = (weather, seen)
        weather.willCommit { seen.add("will \($0.names.sorted())") }
        weather.didCommit { seen.add("did \($0.names.sorted())") }
        weather.didChange(of: \.height) { seen.add("\($0.old ?? -1) → \($0.new)") }
        weather.reset(\.height)
        #expect(
            seen.all == ["will [\"weather-service:height\"]", "did [\"weather-service:height\"]", "5 → 0"]
        )
    }

    @Test("A hook that another one cancels is not called")
    func aHookCancelledByAnotherIsNotCalled() {
        let seen = seen
        let hook = preferences.didChange(of: \.launchCount) { _ in seen.add("did") }
        preferences.willChange(of: \.launchCount) { _ in
            seen.add("will")
            hook.cancel()
        }
        preferences.launchCount = 1
        #expect(seen.all == ["will"])
    }
}

extension Preferences.Weather {
    fileprivate var shown: String { "\(temperature) \(unit)" }

    fileprivate var chosen: String { unit == .fahrenheit ? "\(temperature)" : "none" }

    fileprivate var height: Int {
        get { get("weather-service:height", default: 0, [.renamed(from: "old-height")]) }
        nonmutating set { set("weather-service:height", to: newValue, [.renamed(from: "old-height")]) }
    }
}
