import PreferencesRuntime
import StoreTestSupport
import Testing

struct PrefixedStoreTests {
    @Test("Names have the prefix in the base store only")
    func namesHaveThePrefixInTheBaseStoreOnly() throws {
        let base: MemoryStore = ["plugins.theme": "dark", "plugins": 1, "pluginsX": 2, "theme": "light"]
        let part = PrefixedStore(base, prefix: "plugins", separator: ".")
        #expect(try part.names() == ["theme"])
        #expect(try part.value(for: "theme") == "dark")
        try part.apply(["range": .set(50), "theme": .remove])
        #expect(base.names() == ["plugins.range", "plugins", "pluginsX", "theme"])
        #expect(base.value(for: "plugins.range") == 50)
        #expect(part.label == "memory 'plugins.'")
    }

    @Test("Prefixes nest")
    func prefixesNest() throws {
        let base = MemoryStore()
        let inner = PrefixedStore(PrefixedStore(base, prefix: "a"), prefix: "b")
        try inner.apply(["c": .set(1)])
        #expect(base.value(for: "a:b:c") == 1)
        #expect(try inner.names() == ["c"])
    }

    @Test("resetAll() removes only names with the prefix")
    func resetAllRemovesOnlyNamesWithThePrefix() throws {
        let base: MemoryStore = ["launchCount": 1, "app:launchCount": 2, "app:weather-service:temperature": 3]
        let preferences = Preferences(store: PrefixedStore(base, prefix: "app"))
        #expect(preferences.launchCount == 2)
        try preferences.resetAll()
        #expect(base.names() == ["launchCount"])
    }

    @Test("Only changes of names with the prefix notify")
    func onlyChangesOfNamesWithThePrefixNotify() {
        let base = MemoryStore()
        let received = Recorder<PreferenceStoreChange>()
        let observation = PrefixedStore(base, prefix: "app").observe { received.add($0) }
        base.apply(["app:a": .set(1), "b": .set(2)])
        base.apply(["b": .set(3)])
        observation.cancel()
        #expect(received.all == [.names(["a"])])
    }

    @Test("Problems have names without the prefix")
    func problemsHaveNamesWithoutThePrefix() async {
        let preferences = Preferences(store: PrefixedStore(UnsupportingStore(), prefix: "app"))
        preferences.launchCount = 1
        #expect(
            await preferences.reportedProblems().map(\.description) == [
                "picky: 'launchCount': no numbers; it was not set"
            ]
        )
    }

    @Test("Problems of other names are not reported")
    func problemsOfOtherNamesAreNotReported() async {
        let base = LayeredStore([ReadOnlyStore(["theme": 1, "app:theme": 2] as MemoryStore), MemoryStore()])
        let part = PrefixedStore(base, prefix: "app")
        let received = Recorder<String?>()
        let observation = part.observe { change in
            if case .problem(let problem) = change { received.add(problem.key) }
        }
        try? base.apply(["theme": .set(5)])
        try? base.apply(["app:theme": .set(5)])
        observation.cancel()
        #expect(received.all == ["theme"])
    }

    @Test("A problem within an update is named without the prefix once")
    func aProblemWithinAnUpdateIsNamedWithoutThePrefixOnce() {
        struct Unreadable: WritablePreferenceStore {
            let label = "picky"
            func value(for name: String) throws -> PreferenceValue? {
                throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: "broken")
            }
            func names() -> Set<String> { [] }
            func apply(_ batch: PreferenceBatch) {}
        }
        let part = PrefixedStore(Unreadable(), prefix: "p")
        #expect(throws: PreferenceProblem(.unsupportedValue, key: "p:x", store: "picky", message: "broken")) {
            try part.update { current in
                _ = try current("p:x")
                return [:]
            }
        }
    }

    @Test("A combining accent after the prefix belongs to the name")
    func aCombiningAccentAfterThePrefixBelongsToTheName() throws {
        let part = PrefixedStore(MemoryStore(), prefix: "e", separator: "")
        try part.apply(["\u{301}a": .set(1)])
        #expect(try part.names().map { Array($0.unicodeScalars) } == [["\u{301}", "a"]])
        #expect(try part.value(for: "\u{301}a") == 1)
    }

    private struct UnsupportingStore: WritablePreferenceStore {
        let label = "picky"

        func value(for name: String) -> PreferenceValue? { nil }
        func names() -> Set<String> { [] }

        func apply(_ batch: PreferenceBatch) throws {
            throw PreferenceProblem(.unsupportedValue, key: batch.first?.name, store: label, message: "no numbers")
        }
    }
}
