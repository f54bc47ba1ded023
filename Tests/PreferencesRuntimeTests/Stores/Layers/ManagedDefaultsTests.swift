import Foundation
import StoreTestSupport
import Synchronization
import Testing

@testable import PreferencesRuntime

/// Values that mobile device management has fixed in user defaults.
struct ManagedDefaultsTests {
    /// User defaults of which an administrator has fixed some objects.
    private final class Defaults: ManagedDefaults, Sendable {
        private let values = Mutex<[String: PreferenceValue]>([:])
        private let forced = Mutex<Set<String>>([])

        init(_ values: [String: PreferenceValue], forced: Set<String> = []) {
            self.values.withLock { $0 = values }
            self.forced.withLock { $0 = forced }
        }

        func objectIsForced(forKey key: String) -> Bool { forced.withLock { $0.contains(key) } }

        func object(forKey key: String) -> Any? {
            values.withLock { $0[key] }.map { try? SharedDefaults.coding.object(from: $0) } ?? nil
        }

        /// Installs a profile, as a server does.
        func force(_ names: Set<String>) {
            forced.withLock { $0 = names }
            NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: nil, userInfo: nil)
        }
    }

    private static let configuration = "com.apple.configuration.managed"

    private func preferences(_ policy: ManagedStore) -> Preferences {
        Preferences(store: LayeredStore([policy, MemoryStore(["level": 1])]))
    }

    @Test("Only forced objects are fixed")
    func onlyForcedObjectsAreFixed() {
        let defaults = Defaults(["level": 5, "other": 6], forced: ["level"])
        let preferences = preferences(ManagedStore(defaults: defaults))
        #expect(preferences.level == 5)
        #expect(preferences.other == 0)
        #expect(preferences.isManaged(\.level))
        #expect(!preferences.isManaged(\.other))
        #expect(preferences.source(of: \.level) == "managed user defaults")
        let problem = #expect(throws: PreferenceProblem.self) { try preferences.set(\.level, to: 2) }
        #expect(problem?.message == "it is fixed by managed user defaults; it was not set")
    }

    @Test("A new profile is observed")
    func aNewProfileIsObserved() {
        let defaults = Defaults(["level": 5])
        let preferences = preferences(ManagedStore(defaults: defaults))
        let (values, locks) = (Recorder<Int>(), Recorder<Bool>())
        preferences.watch(\.level) { values.add($0.new) }
        preferences.watch(\.isLevelFixed) { locks.add($0.new) }
        defaults.force(["level"])
        defaults.force([])
        #expect(values.all == [5, 1])
        #expect(locks.all == [true, false])
    }

    @Test("An app's managed configuration is fixed if only the system can have written it")
    func anAppsManagedConfigurationIsFixed() throws {
        let values: [String: PreferenceValue] = [Self.configuration: ["level": 5]]
        func preferences(_ defaults: Defaults, trustsConfiguration: Bool) -> Preferences {
            let store = ForcedDefaultsStore(defaults, trustsConfiguration: trustsConfiguration)
            return self.preferences(ManagedStore(store))
        }
        #expect(preferences(Defaults(values), trustsConfiguration: true).level == 5)
        #expect(preferences(Defaults(values), trustsConfiguration: false).level == 1)
        let forced = Defaults(values, forced: [Self.configuration])
        #expect(preferences(forced, trustsConfiguration: false).level == 5)
        #expect(try ManagedStore(ForcedDefaultsStore(forced, trustsConfiguration: false)).names() == ["level"])
    }

    @Test("Other user defaults can be read while a ManagedDefaults is called")
    func otherUserDefaultsCanBeRead() {
        /// Waits for another thread that reads user defaults, as a cache of a program's own may.
        struct Waiting: ManagedDefaults {
            func objectIsForced(forKey key: String) -> Bool {
                onAnotherThread { _ = try? UserDefaultsStore.standard.value(for: "managed-defaults-test") }
                return true
            }
            func object(forKey key: String) -> Any? { 5 }
        }
        #expect(preferences(ManagedStore(defaults: Waiting())).level == 5)
    }

    @Test("A forced object of another type keeps the key fixed, at its default")
    func aForcedObjectOfAnotherType() async {
        let preferences = preferences(ManagedStore(defaults: Defaults(["level": "high"], forced: ["level"])))
        #expect(preferences.level == 0)
        #expect(preferences.isManaged(\.level))
        #expect(await preferences.reportedProblems().map(\.code) == [.typeMismatch])
    }

    @Test("The app's own user defaults fix nothing if nothing is forced")
    func theAppsOwnUserDefaultsFixNothing() {
        let policy = LayeredStore.layered(.managedDefaults, .memory).layers[0]
        #expect(policy.label == "managed user defaults")
        #expect(preferences(.managedDefaults).level == 1)
    }
}

extension Preferences {
    fileprivate var level: Int {
        get { get("level", default: 0, [.managed]) }
        set { set("level", to: newValue, [.managed]) }
    }
    fileprivate var other: Int { self.get("other", default: 0, [.managed]) }
    fileprivate var isLevelFixed: Bool { isManaged(\.level) }
}
