import PreferencesRuntime
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@Suite("The registry of preferences")
struct RegistryTests {
    @Test("Preferences of one name are created once")
    func preferencesAreMadeOnceForAName() {
        let count = Mutex(0)
        func work() -> Preferences {
            Preferences.named("registry-once") {
                count.withLock { $0 += 1 }
                return .inMemory()
            }
        }
        #expect(Preferences.named("registry-once") == nil)
        #expect(work() === work())
        #expect(Preferences.named("registry-once") === work())
        #expect(count.withLock { $0 } == 1)
        Preferences.register(nil, named: "registry-once")
    }

    @Test("Registering preferences replaces those of the same name")
    func registeringReplacesPreferences() {
        let (first, second) = (Preferences.inMemory(), Preferences.inMemory())
        #expect(Preferences.register(first, named: "registry-place") == nil)
        #expect(Preferences.register(second, named: "registry-place") === first)
        #expect(Preferences.named("registry-place") === second)
        #expect(Preferences.register(nil, named: "registry-place") === second)
        #expect(Preferences.named("registry-place") == nil)
    }

    @Test("A closure that creates preferences may use the registry")
    func creatingPreferencesMayUseTheRegistry() {
        let outer = Preferences.named("registry-outer") { Preferences.named("registry-inner") { .inMemory() } }
        #expect(Preferences.named("registry-inner") === outer)
        for name in ["registry-outer", "registry-inner"] { Preferences.register(nil, named: name) }
    }

    @Test("A closure that registers preferences under the same name returns these")
    func registeringInTheClosure() {
        var inner: Preferences?
        let outer = Preferences.named("registry-nested") {
            inner = Preferences.named("registry-nested") { .inMemory() }
            return .inMemory()
        }
        #expect(inner === outer && Preferences.named("registry-nested") === outer)
        Preferences.register(nil, named: "registry-nested")
    }

    /// A name that uses the registry when it is released.
    private final class Name: Hashable, Sendable {
        let releases: Recorder<Bool>

        init(_ releases: Recorder<Bool>) {
            self.releases = releases
        }

        deinit {
            releases.add(Preferences.named("registry-released") == nil)
        }

        static func == (first: Name, second: Name) -> Bool { first.releases === second.releases }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(releases)) }
    }

    @Test("A name may use the registry when it is released")
    func releasedName() {
        let releases = Recorder<Bool>()
        Preferences.register(.inMemory(), named: Name(releases))
        #expect(Preferences.register(nil, named: Name(releases)) != nil)
        #expect(releases.all == [true, true])
    }

    @Test("Preferences whose creation fails are not registered")
    func failedPreferencesAreNotRegistered() {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) { try Preferences.named("registry-failed") { throw Refusal() } }
        #expect(Preferences.named("registry-failed") == nil)
    }
}
