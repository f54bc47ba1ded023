import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

struct PreferenceTests {
    private struct Player {
        @Preference var volume: Int
        @Preference var nickname: String?
        @Preference var guest: String?
        @Preference var temperature: Double

        init(_ preferences: Preferences) {
            _volume = Preference(wrappedValue: 50, "volume", [.range(0...100)], in: preferences)
            _nickname = Preference("nickname", in: preferences)
            _guest = Preference(wrappedValue: "nobody", "guest", in: preferences)
            _temperature = Preference(\.weather.temperature, in: preferences)
        }
    }

    private let store = MemoryStore()

    @Test("A wrapped property reads and sets its key")
    func aWrappedPropertyReadsAndSetsItsKey() {
        let player = Player(Preferences(store: store))
        #expect(player.volume == 50)
        #expect(player.nickname == nil)
        #expect(store.names().isEmpty)
        player.volume += 1
        player.nickname = "Ada"
        #expect(store.value(for: "volume") == 51)
        #expect(store.value(for: "nickname") == "Ada")
        player.nickname = nil
        #expect(store.names() == ["volume"])
    }

    @Test("A wrapped property may be stored through a transformation")
    func aWrappedPropertyMayBeTransformed() async throws {
        let preferences = Preferences(store: store)
        @Preference("disabled", through: .inverted, in: preferences) var isEnabled = true
        #expect(isEnabled)
        isEnabled = false
        #expect(store.value(for: "disabled") == true)
        #expect(!isEnabled)
        let seen = Recorder<Bool>()
        $isEnabled.watch(\.value) { seen.add($0.new) }
        try $isEnabled.update(\.value) { $0.toggle() }
        $isEnabled.reset(\.value)
        #expect(seen.all == [true, true])
        #expect(!$isEnabled.isSet(\.value))
        // A stored value that cannot be transformed is reported, and preserved.
        let reference = PreferenceReference("level", default: Level.low, through: .rawValue, in: preferences)
        store.apply(["level": .set(7)])
        #expect(reference.value == .low)
        #expect(store.value(for: "level") == 7)
        #expect(
            await preferences.reportedProblems().map(\.description) == [
                "memory: 'level': 7 is not a raw value of Level; using its default"
            ]
        )
        reference.value = .high
        #expect(store.value(for: "level") == 2)
    }

    private enum Level: Int {
        case low = 1
        case high
    }

    @Test("An optional property with a default stores nil")
    func anOptionalWithADefaultStoresNil() {
        let player = Player(Preferences(store: store))
        #expect(player.guest == "nobody")
        player.guest = nil
        #expect(player.guest == nil)
        #expect(store.value(for: "guest") == .null)
        player.$guest.reset(\.value)
        #expect(player.guest == "nobody")
    }

    @Test("A wrapper with a key path accesses the path's key")
    func aWrapperWithAKeyPathAccessesItsKey() {
        let preferences = Preferences(store: store)
        let player = Player(preferences)
        player.temperature = 21.5
        #expect(preferences.weather.temperature == 21.5)
        #expect(player.$temperature.isSet(\.value))
        player.$temperature.reset(\.value)
        #expect(!preferences.weather.isSet(\.temperature))
    }

    @Test("The projected value supports all operations on key paths")
    func theProjectedValueSupportsKeyPathOperations() throws {
        let player = Player(Preferences(store: store))
        let volume = player.$volume
        #expect(!volume.isSet(\.value))
        #expect(volume.defaultValue(\.value) == 50)
        try volume.update(\.value) { $0 *= 2 }
        #expect(player.volume == 100)
        #expect(volume.source(of: \.value) == "memory")
        let refused = PreferenceProblem(
            .constraintViolation,
            key: "volume",
            store: "memory",
            message: "the integer 101 is more than 100; it was not set"
        )
        do {
            try volume.set(\.value, to: 101)
            Issue.record("101 was set")
        } catch {
            #expect(error.code == refused.code)
            #expect(error.key == refused.key)
        }
        #expect(player.volume == 100)
    }

    @Test("A stored value that violates a constraint reads as the default")
    func aStoredValueThatViolatesAConstraintReadsAsTheDefault() async {
        let preferences = Preferences(store: MemoryStore(["volume": 120]))
        #expect(Player(preferences).volume == 50)
        #expect(await preferences.reportedProblems().map(\.code) == [.constraintViolation])
    }

    @Test("Watchers belong to their property, and end with it")
    func watchersEndWithTheirProperty() {
        let preferences = Preferences(store: store)
        let seen = Recorder<Int>()
        do {
            let (player, other) = (Player(preferences), Player(preferences))
            player.$volume.watch(\.value, id: "same") { seen.add($0.new) }
            other.$volume.watch(\.value, id: "same") { seen.add(-$0.new) }
            player.volume = 1
            #expect(seen.all == [1, -1])
        }
        store.apply(["volume": .set(2)])
        #expect(seen.all == [1, -1])
    }

    @Test("A wrapped property can use any store")
    func aWrappedPropertyCanUseAnyStore() {
        struct Owner {
            @Preference("launchCount", store: ["launchCount": 3] as MemoryStore) var launchCount = 0
            @Preference("name", store: EnvironmentStore(prefix: "", environment: ["NAME": "Weather"])) var name: String?
        }
        #expect(Owner().launchCount == 3)
        #expect(Owner().name == "Weather")
    }

    @Test("A wrapped property uses the shared preferences by default")
    func aWrappedPropertyUsesTheSharedPreferencesByDefault() {
        struct Owner {
            @Preference("launchCount") var launchCount = 0
        }
        let preferences = Preferences(store: store)
        Preferences.withShared(preferences) {
            let owner = Owner()
            owner.launchCount = 7
        }
        #expect(store.value(for: "launchCount") == 7)
    }

    @Test("Each function has its own local values")
    func eachFunctionHasItsOwnLocalValues() {
        let preferences = Preferences(store: store)
        func first() -> Int {
            let count = preferences.functionLocal("count", default: 0)
            count.value += 1
            return count.value
        }
        func second() -> Int {
            let count = preferences.functionLocal("count", default: 10)
            let other = preferences.functionLocal("other", default: 0)
            count.value += 1
            other.value += 1
            return count.value
        }
        #expect([first(), first(), second(), first(), second()] == [1, 2, 11, 3, 12])
        let place = "PreferencesRuntimeTests/PreferenceTests.swift"
        #expect(store.names() == ["\(place):first():count", "\(place):second():count", "\(place):second():other"])
    }

    private struct Reminder {
        let preferences: Preferences

        func count() -> PreferenceReference<Int> { preferences.functionLocal("count", default: 0, line: 1) }
    }

    private struct Alarm {
        let preferences: Preferences

        func count() -> PreferenceReference<Int> { preferences.functionLocal("count", default: 5, line: 2) }
    }

    @Test("Methods of one name of two types in one file do not share a local value that has one name in both")
    func methodsOfOneNameNeverShareALocalValue() async throws {
        let preferences = Preferences(store: store)
        let (reminder, alarm) = (Reminder(preferences: preferences), Alarm(preferences: preferences))
        reminder.count().value = 3
        #expect(alarm.count().value == 5)
        #expect(throws: PreferenceProblem.self) { try alarm.count().set(9) }
        #expect(reminder.count().value == 3)
        let place = "PreferencesRuntimeTests/PreferenceTests.swift"
        let problem = await preferences.firstProblem()
        #expect(problem?.code == .nameClash)
        #expect(
            problem?.message == "the call at \(place):1 has this key: the value at \(place):2 reads as its default and "
                + "cannot be set; give it another name, or use the reference of the first call"
        )
        #expect(store.names() == ["\(place):count():count"])
        // Other preferences have other values.
        #expect(Alarm(preferences: .inMemory()).count().value == 5)
    }
}
