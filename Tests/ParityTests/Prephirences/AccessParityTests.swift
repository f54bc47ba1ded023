import Foundation
import KeychainTestSupport
import PreferencesRuntime
import PreferencesSecrets
import StoreTestSupport
import Synchronization
import TestSupport
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

/// Stores for the arguments of attributes.
private enum Wrapped {
    static let memory = MemoryStore()
    static let suite = "preferences-tests-\(UUID().uuidString)"
    static let keychain = KeychainItems(KeychainDouble(), service: "weather", options: KeychainOptions())
    static let bundle = withTemporaryBundle(["CFBundleName": "Weather"]) { BundleStore($0) }

    private static func withTemporaryBundle<Result>(_ list: [String: String], _ body: (Bundle) -> Result) -> Result {
        do {
            return try withTemporaryDirectory { folder in
                let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
                try data.write(to: folder.appending(component: "Info.plist"))
                return body(try #require(Bundle(url: folder)))
            }
        } catch {
            fatalError("a bundle cannot be made: \(error)")
        }
    }
}

private struct WrappedKeys {
    @Preference("color") var color = "red"
    @Preference("nickname") var nickname: String?
    @Preference("age", store: Wrapped.memory) var age = 18
    @Preference("theme", store: UserDefaultsStore(suite: Wrapped.suite)) var theme = "light"
    @Preference("token", store: Wrapped.keychain) var token = "none"
    @Preference(BundleStore.Key.name, store: Wrapped.bundle) var app = "unnamed"
}

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

    @Test(
        "wrappers for a property over the shared, mutable, UserDefaults, keychain, bundle store: with a default value"
    )
    func wrappers() throws {
        let defaults = try #require(UserDefaults(suiteName: Wrapped.suite))
        defer {
            defaults.removePersistentDomain(forName: Wrapped.suite)
            _ = defaults.synchronize()
        }
        let keys = Preferences.withShared(preferences) { WrappedKeys() }
        #expect([keys.color, keys.theme, keys.token, keys.app] == ["red", "light", "none", "Weather"])
        #expect(keys.nickname == nil)
        #expect(keys.age == 18)
        keys.color = "blue"
        keys.nickname = "Ada"
        keys.age = 33
        keys.theme = "dark"
        keys.token = "hunter2"
        #expect(Wrapped.memory.value(for: "age") == 33)
        #expect(defaults.string(forKey: "theme") == "dark")
        #expect(try Wrapped.keychain.value(for: "token") == "hunter2")
        #expect([keys.color, keys.theme, keys.token] == ["blue", "dark", "hunter2"])
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
        preferences.on = true
        preferences.on = preferences.on && false
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
        // `update` makes the change atomic.
        #expect(
            try preferences.update(\.count) {
                $0 += 1
                return $0
            } == 8
        )
    }

    @Test("operators: overflow operators are Swift's, also atomically")
    func overflow() throws {
        preferences.count = .max
        preferences.count &+= 1
        #expect(preferences.count == .min)
        try preferences.update(\.count) { count in
            let (difference, overflows) = count.subtractingReportingOverflow(1)
            count = overflows ? .min : difference
        }
        #expect(preferences.count == .min)
    }

    @Test("operators: comparing assigns nothing")
    func operatorsHarmless() throws {
        preferences.count = .max
        #expect(preferences.count != 0)
        #expect(5...Int.max ~= preferences.count)
        #expect(preferences.count == .max)
    }
}
