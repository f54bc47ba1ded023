import StoreTestSupport
import Synchronization
import Testing

@testable import PreferencesRuntime

@Suite("Declared hooks")
struct DeclaredHookTests {
    private let store = MemoryStore()
    private let preferences: Preferences

    init() {
        preferences = Preferences(store: store)
    }

    @Test("A hook of a trait is called once for a change of a key that is also read as an optional")
    func optional() {
        let calls = Recorder<Int?>()
        let trait = PreferenceTrait<Int>.didChange { calls.add($0.new) }
        let number = preferences.reference("number", default: 0, [trait])
        let optional = preferences.reference("number", default: nil as Int?, [.unlessNil(trait)])
        number.value = 1
        #expect(optional.value == 1)
        number.value = 2
        #expect(calls.all == [1, 2])
    }

    @Test("Hooks are added once for each Preferences, before its first change after a key was used")
    func additions() {
        enum Hooks: PreferenceHooks {
            static let additions = Recorder<ObjectIdentifier>()

            static func addHooks(to preferences: Preferences) {
                additions.add(ObjectIdentifier(preferences))
                Station(preferences: preferences).processValues(of: \.name) { $0.uppercased() }
            }
        }
        struct Station: PreferenceAccessors {
            let preferences: Preferences

            var name: String {
                get { get("name", default: "none", [.hooks(Hooks.self)]) }
                nonmutating set { set("name", to: newValue, [.hooks(Hooks.self)]) }
            }

            var height: Int {
                get { get("height", default: 0, [.range(0...), .hooks(Hooks.self)]) }
                nonmutating set { set("height", to: newValue, [.range(0...), .hooks(Hooks.self)]) }
            }
        }
        let station = Station(preferences: preferences)
        #expect(station.height == 0)
        #expect(Hooks.additions.all == [])
        station.name = "kew"
        station.height = 8
        #expect(station.name == "KEW")
        let second = Station(preferences: Preferences(store: store))
        second.preferences.set(named: "name", to: "by name")
        #expect(Hooks.additions.all == [ObjectIdentifier(preferences)])
        second.height = 9
        second.name = "rye"
        #expect(station.name == "RYE")
        #expect(Hooks.additions.all == [station, second].map { ObjectIdentifier($0.preferences) })
    }

    @Test("Hooks of a key are called when it is reset or set in a transaction, without an earlier change")
    func otherChanges() throws {
        for change in Radar.changes {
            let preferences = Preferences(store: MemoryStore(["radar:range": .int(3), "radar:gain": .int(4)]))
            try change.make(Radar(preferences: preferences))
            #expect(preferences.get(named: "commits", default: 0) == 1, "\(change.name)")
        }
    }

    private enum RadarHooks: PreferenceHooks {
        static func addHooks(to preferences: Preferences) {
            Radar(preferences: preferences).didCommit { [weak preferences] _ in
                guard let preferences else { return }
                preferences.set(named: "commits", to: preferences.get(named: "commits", default: 0) + 1)
            }
        }
    }

    private struct Radar: PreferenceNamespace {
        static var storageName: String { "radar" }
        static var declaredHooks: [any PreferenceHooks.Type] { [RadarHooks.self] }

        static var changes: [(name: String, make: (Radar) throws -> Void)] {
            [
                ("set", { $0.range = 1 }),
                ("throwing set", { try $0.set(\.range, to: 1) }),
                ("reset", { $0.reset(\.range) }),
                ("update", { try $0.update(\.gain) { $0 += 1 } }),
                ("resetAll", { try $0.resetAll() }),
                (
                    "transaction",
                    { radar in
                        try radar.preferences.transaction { _ in
                            radar.range = 7
                            radar.gain = 8
                        }
                    }
                ),
            ]
        }

        let preferences: Preferences

        var range: Int {
            get { get("radar:range", default: 0, [.hooks(RadarHooks.self)]) }
            nonmutating set { set("radar:range", to: newValue, [.hooks(RadarHooks.self)]) }
        }

        var gain: Int {
            get { get("radar:gain", default: 0, [.hooks(RadarHooks.self)]) }
            nonmutating set { set("radar:gain", to: newValue, [.hooks(RadarHooks.self)]) }
        }
    }

    @Test("Hooks that are added by their type run for keys that are used by run-time names alone, and are added once")
    func byType() throws {
        preferences.addHooks(of: RadarHooks.self)
        preferences.addHooks(of: RadarHooks.self)
        preferences.set(named: "radar:range", to: 3)
        #expect(preferences.get(named: "commits", default: 0) == 1)
        Radar(preferences: preferences).range = 4
        #expect(preferences.get(named: "commits", default: 0) == 2)
        preferences.reset(named: "commits")
        let second = Preferences(store: store)
        second.addHooks(of: RadarHooks.self)
        try second.resetAll()
        #expect(second.get(named: "commits", default: 0) == 1)
    }

    @Test("No value is set on another thread before the hooks have been added")
    func threads() async {
        enum Hooks: PreferenceHooks {
            static func addHooks(to preferences: Preferences) {
                Text(preferences: preferences).processValues(of: \.text) { "\($0)!" }
            }
        }
        struct Text: PreferenceAccessors {
            let preferences: Preferences

            var text: String {
                get { get("text", default: "", [.hooks(Hooks.self)]) }
                nonmutating set { set("text", to: newValue, [.hooks(Hooks.self)]) }
            }
        }
        for _ in 0..<200 {
            let preferences = Preferences(store: MemoryStore())
            let seen = Recorder<String>()
            Text(preferences: preferences).watch(\.text) { seen.add($0.new) }
            await withTaskGroup { group in
                for text in ["a", "b", "c"] { group.addTask { Text(preferences: preferences).text = text } }
            }
            #expect(seen.all.sorted() == ["a!", "b!", "c!"])
        }
    }

    @Test("Hooks of a key that a hook of the same transaction uses first are called for that transaction")
    func firstUseInHook() throws {
        enum Hooks: PreferenceHooks {
            static let calls = Recorder<String>()

            static func addHooks(to preferences: Preferences) {
                let total = Total(preferences: preferences)
                total.willChange(of: \.total) { calls.add("will \($0.new)") }
                total.didChange(of: \.total) { calls.add("did \($0.new)") }
                preferences.didCommit { calls.add("committed \($0.names.sorted())") }
            }
        }
        struct Total: PreferenceAccessors {
            let preferences: Preferences

            private static let traits: [PreferenceTrait<Int>] = [
                .hooks(Hooks.self),
                .willChange { Hooks.calls.add("trait will \($0.new ?? -1)") },
                .didChange { Hooks.calls.add("trait did \($0.new ?? -1)") },
            ]

            var total: Int {
                get { get("total", default: 0, Self.traits) }
                nonmutating set { set("total", to: newValue, Self.traits) }
            }
        }
        let item = preferences.reference("item", default: 0)
        item.willChange(of: \.value) { [preferences] change in
            let total = Total(preferences: preferences)
            total.total += change.new
            total.didChange(of: \.total) { _ in Hooks.calls.add("a hook that was registered during the commit") }
        }
        try preferences.transaction { _ in item.value = 5 }
        #expect(
            Hooks.calls.all == ["trait will 5", "will 5", "committed [\"item\", \"total\"]", "trait did 5", "did 5"]
        )
    }

    @Test("Hooks that themselves set a key, and use it, are added once")
    func hooksThatSet() {
        enum Hooks: PreferenceHooks {
            static func addHooks(to preferences: Preferences) {
                let counter = Counter(preferences: preferences)
                counter.processValues(of: \.count) { $0 * 2 }
                counter.count = 1
            }
        }
        struct Counter: PreferenceAccessors {
            let preferences: Preferences

            var count: Int {
                get { get("count", default: 0, [.hooks(Hooks.self)]) }
                nonmutating set { set("count", to: newValue, [.hooks(Hooks.self)]) }
            }
        }
        let counter = Counter(preferences: preferences)
        let seen = Recorder<Int>()
        counter.watch(\.count) { seen.add($0.new) }
        counter.count = 5
        #expect(counter.count == 10)
        #expect(seen.all.last == 10)
    }
}

@Suite("Hooks of traits")
struct TraitHookTests {
    private let store = MemoryStore()
    private let preferences: Preferences

    init() {
        preferences = Preferences(store: store)
    }

    @Test("A value is processed by traits in their order, then by an instance's processors, and then validated")
    func processing() {
        let traits: [PreferenceTrait<Int>] = [.processing { $0 + 1 }, .range(0...100), .processing { $0 * 10 }]
        let reference = PreferenceReference("value", default: 7, traits, in: preferences)
        #expect(reference.value == 7)
        reference.value = 4
        #expect(store.value(for: "value") == 50)
        reference.processValues(of: \.value) { $0 + 3 }
        reference.value = 5
        #expect(store.value(for: "value") == 63)
        reference.value = 10
        #expect(store.value(for: "value") == 63)
        // Stored values are not processed.
        store.apply(["value": .set(8)])
        #expect(reference.value == 8)
    }

    @Test("A hook of a trait is called once for each change, whichever accessor or reference makes it")
    func onceForEachChange() throws {
        let seen = Recorder<String>()
        let traits = Self.traits(seen)
        let references = (0..<3).map { _ in PreferenceReference("count", default: 0, traits, in: preferences) }
        references[0].value = 1
        references[1].value = 2
        references[2].value = 2
        preferences.set(named: "count", to: 3)
        references[0].reset(\.value)
        try references[0].update(\.value) { $0 = 9 }
        #expect(
            seen.all == [
                "will count nil → 1", "did count nil → 1", "will count 1 → 2", "did count 1 → 2", "will count 2 → 3",
                "did count 2 → 3", "will count 3 → nil", "did count 3 → nil", "will count nil → 9",
                "did count nil → 9",
            ]
        )
    }

    private static func traits(_ seen: Recorder<String>) -> [PreferenceTrait<Int>] {
        @Sendable func text(_ value: Int?) -> String { value.map { "\($0)" } ?? "nil" }
        return [
            .willChange { seen.add("will \($0.name) \(text($0.old)) → \(text($0.new))") },
            .didChange { seen.add("did \($0.name) \(text($0.old)) → \(text($0.new))") },
        ]
    }

    @Test("Two hooks of one declaration, in the traits of one key, are both called")
    func twoOfOneDeclaration() {
        let seen = Recorder<String>()
        func noting(_ name: String) -> PreferenceTrait<Int> { .didChange { seen.add("\(name) \($0.new ?? -1)") } }
        let reference = PreferenceReference("n", default: 0, [noting("a"), .combining(noting("b"))], in: preferences)
        reference.value = 4
        #expect(seen.all == ["a 4", "b 4"])
    }

    @Test("A hook of a trait reads a value that breaks a constraint or is of another type as nil")
    func unusableValues() {
        let seen = Recorder<PreferenceKeyChange<Int>>()
        let reference = PreferenceReference(
            "n",
            default: 0,
            [.range(...9), .didChange { seen.add($0) }],
            in: preferences
        )
        store.apply(["n": .set("text")])
        reference.value = 4
        preferences.set(named: "n", to: 10)
        #expect(
            seen.all == [
                PreferenceKeyChange(name: "n", old: nil, new: 4), PreferenceKeyChange(name: "n", old: 4, new: nil),
            ]
        )
    }

    fileprivate struct Place: Codable, Equatable {
        var name: String
    }

    private struct Map: PreferenceAccessors {
        let preferences: Preferences

        static let moved = Recorder<String>()

        private static let traits: [PreferenceTrait<Place>] = [
            .processing { Place(name: $0.name.uppercased()) },
            .requiring("have a name") { !$0.name.isEmpty },
            .didChange { moved.add("\($0.name): \($0.old?.name ?? "-") → \($0.new?.name ?? "-")") },
        ]

        var centre: Place {
            get { get(codable: "centre", default: Place(name: "Kew"), Self.traits) }
            nonmutating set { set(codable: "centre", to: newValue, Self.traits) }
        }

        var home: Place? {
            get { get(codable: "home", default: Place(name: "Rye"), [.unlessNil(.replaced)]) }
            nonmutating set {
                set(codable: "home", to: newValue, default: Place(name: "Rye"), [.unlessNil(.replaced)])
            }
        }
    }

    @Test("A key of a Codable type has processors and hooks of traits, too")
    func codable() {
        let map = Map(preferences: preferences)
        map.centre = Place(name: "oslo")
        map.centre = Place(name: "")
        #expect(map.centre == Place(name: "OSLO"))
        map.reset(\.centre)
        #expect(Map.moved.all == ["centre: - → OSLO", "centre: OSLO → -"])
        map.home = Place(name: "y")
        #expect(map.home == Place(name: "x"))
        map.home = nil
        #expect(map.home == nil)
    }

    @Test("All traits apply to a key of the optional type; nil is not processed")
    func optionals() {
        let seen = Recorder<PreferenceKeyChange<String>>()
        let secrets = MemoryStore()
        let preferences = Preferences(store: store, secrets: secrets)
        let traits: [PreferenceTrait<String>] = [
            .processing { "\($0)!" }, .length(...5), .secret, .renamed(from: "old"), .didChange { seen.add($0) },
        ]
        secrets.apply(["old": .set("was")])
        let reference = PreferenceReference<String?>(
            "token",
            default: nil,
            traits.map { .unlessNil($0) },
            in: preferences
        )
        #expect(reference.value == "was")
        reference.value = "abc"
        reference.value = "too long"
        #expect(reference.value == "abc!")
        #expect(secrets.names() == ["token"])
        reference.value = nil
        #expect(reference.value == nil)
        #expect(
            seen.all == [
                PreferenceKeyChange(name: "token", old: "was", new: "abc!"),
                PreferenceKeyChange(name: "token", old: "abc!", new: nil),
            ]
        )
    }

    @Test("A wrapped property has the processors and hooks of its traits")
    func wrappers() {
        let seen = Recorder<Int>()
        struct Player {
            @Preference var volume: Int
        }
        let player = Player(
            volume: Preference(
                wrappedValue: 50,
                "volume",
                [.processing { min($0, 100) }, .didChange { seen.add($0.new ?? -1) }],
                in: preferences
            )
        )
        player.volume = 120
        #expect(player.volume == 100)
        player.$volume.reset(\.value)
        #expect(seen.all == [100, -1])
    }

    private struct Dial: PreferenceAccessors {
        let preferences: Preferences

        static let turned = Recorder<PreferenceKeyChange<Int>>()

        private static let traits: [PreferenceTrait<Int>] = [
            .processing { $0 + 1 }, .range(0...255), .renamed(from: "old"), .didChange { turned.add($0) },
        ]

        private static let hexadecimal = PreferenceTransformation<String, Int> { text in
            guard let number = Int(text, radix: 16) else {
                throw PreferenceTransformationError("\(text) is not hexadecimal")
            }
            return number
        } write: {
            String($0, radix: 16)
        }

        var angle: Int {
            get { get("angle", default: 7, through: Self.hexadecimal, Self.traits) }
            nonmutating set { set("angle", to: newValue, through: Self.hexadecimal, Self.traits) }
        }

        var limit: Int? {
            get { get("limit", through: Self.hexadecimal, [.range(0...9)]) }
            nonmutating set { set("limit", to: newValue, through: Self.hexadecimal, [.range(0...9)]) }
        }

        static func reference(in preferences: Preferences) -> PreferenceReference<Int> {
            PreferenceReference("angle", default: 7, through: hexadecimal, traits, in: preferences)
        }
    }

    @Test("Traits of a key that is stored in another representation apply to the values that are read")
    func transformations() async throws {
        let dial = Dial(preferences: preferences)
        store.apply(["old": .set("a")])
        #expect(dial.angle == 10)
        dial.angle = 15
        #expect(store.value(for: "angle") == "10" && store.names() == ["angle"])
        #expect(dial.angle == 16)
        let refusal = #expect(throws: PreferenceProblem.self) { try dial.set(\.angle, to: 255) }
        #expect(
            refusal
                == PreferenceProblem(
                    .constraintViolation,
                    key: "angle",
                    store: "memory",
                    message: "256 is out of range 0...255; it was not set"
                )
        )
        let reference = Dial.reference(in: preferences)
        reference.value = 30
        #expect(dial.angle == 31 && reference.value == 31)
        dial.reset(\.angle)
        #expect(
            Dial.turned.all == [
                PreferenceKeyChange(name: "angle", old: 10, new: 16),
                PreferenceKeyChange(name: "angle", old: 16, new: 31),
                PreferenceKeyChange(name: "angle", old: 31, new: nil),
            ]
        )
        dial.limit = 5
        #expect(dial.limit == 5)
        store.apply(["limit": .set("a")])
        #expect(dial.limit == nil)
        var problems = preferences.problems.makeAsyncIterator()
        let problem = await problems.next()
        #expect(problem?.code == .constraintViolation)
        #expect(problem?.message == "10 is out of range 0...9; using its default")
        dial.limit = nil
        #expect(!dial.isSet(\.limit))
    }
}

extension PreferenceTrait where Value == TraitHookTests.Place {
    fileprivate static var replaced: Self { .combining(.processing { _ in Value(name: "x") }) }
}
