import PreferencesRuntime
import StoreTestSupport
import Testing

@Suite("Prephirences: stores over stores")
struct CompositionParityTests {
    @Test("composite: first store with a value wins; writes to the first writable, or to all")
    func composite() throws {
        let (first, second): (MemoryStore, MemoryStore) = (["a": 1], ["a": 2, "b": 2])
        let store = LayeredStore([ReadOnlyStore(first), second])
        #expect(try store.value(for: "a") == 1)
        #expect(try store.value(for: "b") == 2)
        try store.apply(["c": .set(3)])
        #expect(first.names() == ["a"])
        #expect(second.value(for: "c") == 3)
        let all = LayeredStore([first, second], writingTo: .everyWritable)
        try all.apply(["d": .set(4)])
        #expect([first.value(for: "d"), second.value(for: "d")] == [4, 4])
    }

    @Test("composite: resolution(named:as:) returns the source of a value; a write that a layer shadows is reported")
    func provenance() async throws {
        let preferences = Preferences(
            store: LayeredStore([
                EnvironmentStore(prefix: "", environment: ["A": "1"]), ["a": 2, "b": 2] as MemoryStore,
            ])
        )
        #expect(preferences.resolution(named: "a", as: String.self).description == "environment variable A")
        #expect(preferences.resolution(named: "b", as: Int.self).description == "memory")
        #expect(preferences.resolution(named: "c", as: String.self).isDefault)
        preferences.set(named: "a", to: 5)
        #expect(preferences.get(named: "a", default: 0) == 1)
        let problem = await preferences.firstProblem()
        #expect(problem?.code == .shadowed)
        #expect(problem?.key == "a")
    }

    @Test("composite: clearing all empties the layer that is written, and no other")
    func clearing() throws {
        let (user, site): (MemoryStore, MemoryStore) = (["a": 1, "b": 1], ["a": 2])
        let preferences = Preferences(store: LayeredStore([user, ReadOnlyStore(site)]))
        try preferences.resetAll()
        #expect(user.names().isEmpty)
        #expect(preferences.get(named: "a", default: 0) == 2)
        // The same is true of two writable layers.
        let last: MemoryStore = ["c": 1]
        try Preferences(store: LayeredStore([user, last])).resetAll()
        #expect(last.names() == ["c"])
    }

    @Test("proxy with prefix and separator; read-only proxy; nesting")
    func proxy() throws {
        let base: MemoryStore = ["app.color": "red", "app.window.width": 800, "other": 1]
        let app = PrefixedStore(base, prefix: "app", separator: ".")
        let window = PrefixedStore(app, prefix: "window", separator: ".")
        #expect(try app.value(for: "color") == "red")
        #expect(try window.value(for: "width") == 800)
        try window.apply(["height": .set(600)])
        #expect(base.value(for: "app.window.height") == 600)
        let readOnly = ReadOnlyStore(app)
        #expect(try readOnly.value(for: "color") == "red")
        #expect(throws: PreferenceProblem.self) { try readOnly.apply(["color": .set("blue")]) }
    }

    @Test("proxy: merge and clear stay inside the prefix")
    func insideThePrefix() throws {
        let base: MemoryStore = ["app.color": "red", "color": "green", "other": 1]
        let app = PrefixedStore(base, prefix: "app", separator: ".")
        try app.apply(["color": .set("blue"), "size": .set(2)])
        #expect(base.value(for: "app.color") == "blue")
        #expect(base.value(for: "app.size") == 2)
        #expect(base.value(for: "color") == "green")
        try Preferences(store: app).resetAll()
        #expect(base.names() == ["color", "other"])
    }

    @Test("buffered changes with commit and rollback: transaction; removals carry over")
    func buffered() throws {
        struct Rollback: Error {}
        let store: MemoryStore = ["a": 1, "b": 1]
        let preferences = Preferences(store: store)
        #expect(throws: Rollback.self) {
            try preferences.transaction { preferences in
                preferences.set(named: "a", to: 2)
                preferences.reset(named: "b")
                throw Rollback()
            }
        }
        #expect(store.value(for: "a") == 1)
        #expect(store.value(for: "b") == 1)
        try preferences.transaction { preferences in
            preferences.set(named: "a", to: 2)
            preferences.reset(named: "b")
            #expect(store.value(for: "a") == 1)
        }
        #expect(store.value(for: "a") == 2)
        #expect(store.names() == ["a"])
    }
}
