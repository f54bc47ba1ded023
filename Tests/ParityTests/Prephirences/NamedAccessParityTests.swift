import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

private enum Setting: String {
    case on, volume, theme, level
}

private enum Level: Int {
    case low = 1
    case high = 2
}

@Suite("Prephirences: names that are known at run time")
struct NamedAccessParityTests {
    private let store = MemoryStore()
    private let preferences: Preferences

    init() {
        preferences = Preferences(store: store)
    }

    @Test("read, set, has and remove by run-time name; subscripts; names of an enum: each one call")
    func access() {
        #expect(preferences.get(named: "on", as: Bool.self) == nil)
        preferences.set(named: "on", to: true)
        #expect(preferences.get(named: "on", as: Bool.self) == true)
        #expect(preferences.isSet(named: "on"))
        preferences.reset(named: "on")
        #expect(!preferences.isSet(named: "on"))

        #expect(preferences["on"] == nil)
        preferences["on"] = true
        #expect(preferences["on"] == true)
        preferences["on"] = nil
        #expect(store.names() == [])

        #expect(preferences.get(named: Setting.volume, default: 1) == 1)
        preferences.set(named: Setting.volume, to: 2)
        #expect(preferences.get(named: Setting.volume, as: Int.self) == 2)
        #expect(preferences[Setting.volume] == 2)
        preferences[Setting.theme] = "dark"
        #expect(preferences.isSet(named: Setting.on, Setting.theme))
        #expect(preferences.resolution(named: Setting.theme, as: String.self).source?.name == "theme")
        preferences.reset(named: Setting.volume, Setting.theme)
        #expect(store.names() == [])
    }

    @Test("An enum names the keys of references and wrapped properties")
    func references() {
        struct Player {
            @Preference(Setting.volume, [.range(0...100)]) var volume = 50
            @Preference(Setting.theme) var theme: String?
        }
        let player = Preferences.withShared(preferences) { Player() }
        player.volume += 1
        player.theme = "dark"
        let volume = preferences.reference(Setting.volume, default: 50)
        #expect(volume.value == 51)
        volume.value += 1
        #expect(PreferenceReference(Setting.volume, default: 50, in: preferences).value == 52)
        #expect(preferences.reference("volume", default: 50).value == 52)
        #expect(preferences.reference(Setting.on, default: true, through: .inverted).value)
        #expect(store.value(for: "theme") == "dark")
    }

    @Test("An enum names the keys that are stored in another representation, with traits")
    func transformed() throws {
        struct Player {
            @Preference(Setting.on, through: .inverted) var isOn = true
            @Preference(Setting.level, through: .rawValue, [.requiring("be low") { $0 == .low }]) var level: Level?
            @Preference(Setting.theme, through: .rawValue) var theme: Level? = .high
        }
        let player = Preferences.withShared(preferences) { Player() }
        player.isOn = false
        player.level = .low
        player.level = .high
        player.theme = nil
        #expect(try store.dictionary() == ["on": true, "level": 1, "theme": .null])
        let level: PreferenceReference<Level?> = preferences.reference(
            Setting.level,
            through: .rawValue,
            [.requiring("be low") { $0 == .low }]
        )
        level.value = .high
        #expect(level.value == .low)
        level.value = nil
        #expect(store.value(for: "level") == nil)
        let theme = PreferenceReference(Setting.theme, default: Level.high, through: .rawValue, in: preferences)
        theme.value = .low
        let optional: PreferenceReference<Level?> = preferences.reference("theme", through: .rawValue)
        #expect(optional.value == .low)
    }

    @Test("A key is updated atomically by run-time name, also by one of an enum")
    func update() throws {
        try preferences.update(named: "volume", default: 50) { $0 += 1 }
        let doubled = try preferences.update(named: Setting.volume, default: 0) { volume in
            volume *= 2
            return volume
        }
        #expect(doubled == 102)
        #expect(preferences["volume"] == 102)
    }

    @Test("An enum names the values that a store merges")
    func merge() throws {
        try store.merge([Setting.volume: 50, .theme: "dark"])
        #expect(try store.dictionary() == ["volume": 50, "theme": "dark"])
        try store.remove([Setting.volume])
        #expect(store.names() == ["theme"])
    }

    @Test("A wrapped property in a store of its own has a transformation")
    func transformedInStore() throws {
        struct Player {
            @Preference("disabled", through: .inverted, store: .memory) var isOn = true
            @Preference("level", through: .rawValue, store: .memory) var level: Level?
            @Preference(Setting.level, through: .rawValue, store: .memory) var other: Level? = .high
            @Preference(Setting.on, through: .inverted, [], store: .memory) var isOther = true
        }
        let player = Player()
        player.isOn = false
        player.level = .low
        player.other = nil
        #expect(player.$isOn.preferences["disabled"] == true)
        #expect(player.$level.preferences["level"] == 1)
        #expect(player.other == nil && player.$other.preferences["level"] == .null)
        #expect(player.isOther)
        player.level = nil
        #expect(!player.$level.isSet)
    }

    @Test("A value of another type reads as nil by name, and is reported")
    func unreadable() async {
        preferences["on"] = "maybe"
        #expect(preferences.get(named: "on", as: Bool.self) == nil)
        #expect(preferences["on"] == "maybe")
        let problems = await preferences.reportedProblems()
        #expect(
            problems.map(\.description) == [
                "memory: 'on': expected Bool, found the string \"maybe\"; using its default"
            ]
        )
    }

    @Test("In a transaction, the subscript and the optional read return the transaction's value")
    func transaction() throws {
        preferences["volume"] = 1
        try preferences.transaction { preferences in
            preferences["volume"] = 2
            #expect(preferences["volume"] == 2)
            #expect(preferences.get(named: "volume", as: Int.self) == 2)
            #expect(store.value(for: "volume") == 1)
            preferences["volume"] = nil
            #expect(preferences["volume"] == nil)
            #expect(preferences.get(named: "volume", as: Int.self) == nil)
        }
        #expect(store.value(for: "volume") == nil)
    }

    @Test("The subscript distinguishes null from a name that is not set")
    func null() {
        preferences["a"] = .some(.null)
        #expect(preferences["a"] == .some(.null))
        #expect(store.value(for: "a") == .null)
        preferences["a"] = nil
        #expect(store.value(for: "a") == nil)
    }

    @Test("The subscript returns the strings of a store of text")
    func text() {
        let preferences = Preferences(store: EnvironmentStore(prefix: "P_", environment: ["P_VOLUME": "[1]"]))
        #expect(preferences["volume"] == "[1]")
        #expect(preferences.get(named: "volume", as: [Int].self) == [1])
    }

    @Test("A key path of the subscript is watched, and its failures are thrown")
    func keyPath() throws {
        let changes = Recorder<PreferenceValue?>()
        let watcher = preferences.watch(\.["volume"]) { changes.add($0.new) }
        preferences["volume"] = 1
        preferences.set(named: "volume", to: 2)
        preferences["volume"] = nil
        #expect(changes.all == [1, 2, nil])
        watcher.cancel()
        #expect(preferences.storageName(of: \.["volume"]) == "volume")
        let fixed = Preferences(store: ReadOnlyStore(store))
        let error = #expect(throws: PreferenceProblem.self) { try fixed.set(\.["volume"], to: 1) }
        #expect(error?.description == "memory: 'volume': it is read-only; it was not set")
    }

    @Test("registry names of any Hashable type")
    func registry() {
        enum Account: Hashable {
            case work
            case home(Int)
        }
        let work = Preferences.named(Account.work) { preferences }
        #expect(work === preferences)
        #expect(Preferences.named(Account.work) === preferences)
        #expect(Preferences.named("work") == nil)
        let home = Preferences.named(Account.home(1)) { .inMemory() }
        #expect(Preferences.named(Account.home(1)) === home)
        #expect(Preferences.named(Account.home(2)) == nil)
        #expect(Preferences.register(nil, named: Account.home(1)) === home)
        #expect(Preferences.named(Account.home(1)) == nil)
        Preferences.register(nil, named: Account.work)
    }

    @Test("The compiler's messages about a wrong name or value are the same as without typed names")
    func messages() async throws {
        func message(_ line: String) async throws -> String {
            let source = """
                import PreferencesRuntime
                func use(_ preferences: Preferences, _ part: Substring, _ object: [Any]) {
                    \(line)
                }

                """
            let run = try await Compiler.compile(["Use.swift": source], importing: ["PreferencesRuntime"])
            #expect(!run.succeeded)
            let error = run.output.split(separator: "\n").first { $0.contains("error: ") }
            // Without the name of the diagnostic group, which not every compiler appends.
            let text = error?.split(separator: "Use.swift:").last?.split(separator: " [#").first
            return text.map(String.init) ?? run.output
        }
        let name = "error: cannot convert value of type 'Substring' to expected argument type 'String'"
        #expect(try await message("_ = preferences.get(named: part, default: 1)") == "3:32: \(name)")
        #expect(try await message("preferences.set(named: part, to: 1)") == "3:28: \(name)")
        #expect(try await message("_ = preferences.isSet(named: part)") == "3:34: \(name)")
        #expect(try await message("_ = preferences[part]") == "3:21: \(name)")
        #expect(
            try await message("_ = preferences.get(named: \"a\", as: [Any].self)")
                == "3:21: error: type 'Any' cannot conform to 'PreferenceConvertible'"
        )
        #expect(
            try await message("let text: String = preferences.get(named: \"a\", default: 1)")
                == "3:36: error: cannot convert value of type 'Int' to specified type 'String'"
        )
    }
}
