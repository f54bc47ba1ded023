import PreferencesRuntime
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

    @Test("Preferences whose creation fails are not registered")
    func failedPreferencesAreNotRegistered() {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) { try Preferences.named("registry-failed") { throw Refusal() } }
        #expect(Preferences.named("registry-failed") == nil)
    }
}
