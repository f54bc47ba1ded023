import Foundation
import PreferencesCompatibility
import PreferencesRuntime
import StoreTestSupport
import Testing

struct TransformedStoreTests {
    private static let kilometres = PreferenceTransformation<Double, Double> {
        $0 * 2
    } write: {
        guard $0 >= 0 else { throw Refusal() }
        return $0 / 2
    }

    private struct Refusal: Error, CustomStringConvertible {
        let description = "a distance is not negative"
    }

    @Test("A value that the store rounds is read rounded by all preferences, and watchers receive the rounded value")
    func lossyTransformation() throws {
        let whole = PreferenceTransformation<Int, Double> {
            Double($0)
        } write: {
            Int($0)
        }
        let store = TransformedStore(MemoryStore(), whole)
        let (first, second) = (Preferences(store: store), Preferences(store: store))
        let seen = Recorder<PreferenceChange<Double>>()
        first.weather.watch(\.temperature, options: .old) { seen.add($0) }
        first.weather.temperature = 1.5
        #expect(first.weather.temperature == 1)
        #expect(second.weather.temperature == 1)
        try first.transaction { preferences in
            preferences.weather.temperature = 2.5
            // The transaction reads the value that it has set.
            #expect(preferences.weather.temperature == 2.5)
        }
        #expect(first.weather.temperature == 2)
        try first.reload()
        second.weather.temperature = 2.75
        #expect(seen.all == [PreferenceChange(old: 0, new: 1), PreferenceChange(old: 1, new: 2)])
    }

    @Test("A value that the store reads as none is read as the default at once")
    func valueReadAsNone() throws {
        let store = TransformedStore(MemoryStore()) { stored, _ in
            stored == "" ? nil : stored
        } write: { value, _ in
            value
        }
        let preferences = Preferences(store: store)
        preferences.set(named: "nickname", to: "")
        #expect(preferences.get(named: "nickname", default: "Ada") == "Ada")
        preferences.editor.author = ""
        #expect(preferences.editor.author == nil)
        #expect(Preferences(store: store).editor.author == nil)
    }

    @Test("A value that the store cannot read is read as the default at once, and reported")
    func valueThatCannotBeRead() async throws {
        let store = TransformedStore(MemoryStore()) { _, _ in
            throw Refusal()
        } write: { value, _ in
            value
        }
        let preferences = Preferences(store: store)
        preferences.launchCount = 7
        #expect(preferences.launchCount == 0)
        #expect(await preferences.reportedProblems().map(\.key) == ["launchCount"])
    }

    @Test("Only the chosen names are transformed")
    func onlyTheChosenNamesAreTransformed() throws {
        let base: MemoryStore = ["distance": 5, "other": 5]
        let store = TransformedStore(base, Self.kilometres, for: ["distance"])
        #expect(try store.value(for: "distance") == 10.0)
        #expect(try store.value(for: "other") == 5)
        try store.apply(["distance": .set(30.0), "other": .set("text")])
        #expect(base.value(for: "distance") == 15.0)
        #expect(base.value(for: "other") == "text")
        try store.update { current in ["distance": .set(try current("distance") == 30.0 ? 8.0 : 0.0)] }
        #expect(base.value(for: "distance") == 4.0)
    }

    @Test("A value that cannot be transformed is reported and kept")
    func aValueThatCannotBeTransformedIsReportedAndKept() async {
        let base: MemoryStore = ["weather-service:temperature": "warm"]
        let preferences = Preferences(store: TransformedStore(base, Self.kilometres))
        #expect(preferences.weather.temperature == 0)
        preferences.weather.temperature = -1
        #expect(base.value(for: "weather-service:temperature") == "warm")
        let problems = await preferences.reportedProblems()
        #expect(problems.map(\.code) == [.typeMismatch, .unsupportedValue])
        #expect(
            problems.map(\.message) == [
                "expected Double, found the string \"warm\"; using its default",
                "a distance is not negative; it was not set",
            ]
        )
    }

    @Test("A value that is transformed to nil is not listed")
    func aValueThatIsTransformedToNilIsNotListed() throws {
        let base: MemoryStore = ["hidden": 1, "shown": 2, "broken": 3]
        let store = TransformedStore(base) { stored, name in
            if name == "broken" { throw Refusal() }
            return name == "hidden" ? .none : stored
        } write: { value, _ in
            value
        }
        #expect(try store.names() == ["shown", "broken"])
        #expect(try store.value(for: "hidden") == nil)
        #expect(try store.source(of: "shown")?.description == "memory")
        #expect(try store.source(of: "hidden") == nil)
        #expect(try store.source(of: "broken")?.description == "memory")
        // The value comes from the next layer.
        let layers = LayeredStore([
            store, CollectionStore(["hidden"], label: "defaults", name: { $0 }, value: { _ in 5 }),
        ])
        #expect(try layers.value(for: "hidden") == 5)
        #expect(try layers.source(of: "hidden")?.description == "defaults")
    }

    @Test("Text is converted by the base store")
    func textIsConvertedByTheBaseStore() throws {
        let store = TransformedStore(EnvironmentStore(prefix: "", environment: ["DISTANCE": "5"]), Self.kilometres)
        #expect(try store.value(for: "distance") == 10.0)
    }
}
