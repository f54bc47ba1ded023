import Foundation
import PreferencesRuntime
import Synchronization
import Testing

private protocol CounterPreferences: PreferenceAccessors {}

extension CounterPreferences {
    fileprivate var count: Int {
        get { get("count", default: 0) }
        nonmutating set { set("count", to: newValue) }
    }

    fileprivate var ratio: Double {
        get { get("ratio", default: 1) }
        nonmutating set { set("ratio", to: newValue) }
    }

    fileprivate var on: Bool {
        get { get("on", default: false) }
        nonmutating set { set("on", to: newValue) }
    }

    fileprivate var name: String {
        get { get("name", default: "") }
        nonmutating set { set("name", to: newValue) }
    }

    fileprivate var maybe: Int? {
        get { get("maybe", default: nil) }
        nonmutating set { set("maybe", to: newValue) }
    }
}

extension Preferences: CounterPreferences {}

private final class Count: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() {
        count.withLock { $0 += 1 }
    }
}

@Suite("Prephirences: access")
struct AccessParityTests {
    private let preferences = Preferences.inMemory()

    @Test("shared and named instances: registry, race-free")
    func instances() async {
        Preferences.withShared(preferences) { #expect(Preferences.shared === preferences) }
        let name = "parity-\(UUID().uuidString)"
        let made = Count()
        let all = await withTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let work = Preferences.named(name) {
                        made.add()
                        return .inMemory()
                    }
                    return ObjectIdentifier(work)
                }
            }
            return await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
        }
        #expect(all.count == 1)
        #expect(made.value == 1)
        Preferences.register(nil, named: name)
    }

    @Test("wrappers for a property over the shared, mutable, UserDefaults, bundle store: with a default value")
    func wrappers() {
        struct Home {
            @Preference("color") var color = "red"
            @Preference("age", store: ["age": 33] as MemoryStore) var age = 0
            @Preference("parity-\(UUID().uuidString)", store: UserDefaultsStore.standard) var none = "default"
            @Preference(BundleStore.Key.name, store: BundleStore()) var app = "Weather"
            @Preference("nickname") var nickname: String?
        }
        Preferences.withShared(preferences) {
            let home = Home()
            #expect([home.color, home.none, home.app] == ["red", "default", "Weather"])
            #expect(home.age == 33)
            #expect(home.nickname == nil)
            home.color = "blue"
            home.nickname = "Ada"
        }
        #expect(preferences.get(named: "color", default: "") == "blue")
        #expect(preferences.get(named: "nickname", default: "") == "Ada")
    }

    @Test("operators on a preference: += -= *= /= %= &&= ||= ?=, switch with a range, apply, uppercased")
    func operators() throws {
        preferences.count += 7
        preferences.count -= 1
        preferences.count *= 5
        preferences.count /= 2
        preferences.count %= 8
        #expect(preferences.count == 7)
        preferences.ratio *= 2.5
        #expect(preferences.ratio == 2.5)
        preferences.on = preferences.on || true
        #expect(preferences.on)
        preferences.on.toggle()
        #expect(!preferences.on)
        preferences.maybe = preferences.maybe ?? 3
        preferences.maybe = preferences.maybe ?? 4
        #expect(preferences.maybe == 3)
        switch preferences.count {
        case 5...9: break
        default: Issue.record("7 is in 5...9")
        }
        preferences.name = "ada"
        preferences.name = preferences.name.uppercased()
        #expect(preferences.name == "ADA")
        // Where it must be atomic.
        #expect(
            try preferences.update(\.count) {
                $0 += 1; return $0
            } == 8
        )
    }

    @Test("operators: comparing assigns nothing")
    func operatorsHarmless() throws {
        preferences.count = .max
        #expect(preferences.count != 0)
        #expect(5...Int.max ~= preferences.count)
        #expect(preferences.count == .max)
    }
}
