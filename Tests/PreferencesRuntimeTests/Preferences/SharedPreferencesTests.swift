import Foundation
import PreferencesRuntime
import Testing

/// Each test runs in its own process, since a program has only one ``Preferences/shared``.
@Suite("The shared preferences")
struct SharedPreferencesTests {
    @Test("Shared preferences are those that were passed to bootstrap")
    func sharedIsWhatItWasBootstrappedWith() async {
        await #expect(processExitsWith: .success) {
            let preferences = Preferences(store: MemoryStore())
            Preferences.bootstrap(preferences)
            #expect(Preferences.shared === preferences)
            #expect(Preferences.shared === preferences)
        }
    }

    #if !canImport(Darwin)
        @Test("Without a bootstrap, the shared preferences are in the default file")
        func sharedIsAFileWithoutABootstrap() async {
            await #expect(processExitsWith: .success) {
                let store = Preferences.shared.store as? FileStore
                #expect(store === FileStore.default)
                #expect(Preferences.shared === Preferences.shared)
            }
        }
    #endif

    @Test("A second bootstrap ends the program with a message")
    func aSecondBootstrapIsFatal() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                Preferences.bootstrap(Preferences(store: MemoryStore()))
                Preferences.bootstrap(Preferences(store: MemoryStore()))
            }
        )
        #expect(
            String(decoding: result.standardErrorContent, as: UTF8.self)
                .contains("Preferences.bootstrap(_:) was called a second time; call it once, where the program starts")
        )
    }

    @Test("A bootstrap after the first use ends the program with a message")
    func aLateBootstrapIsFatal() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = Preferences.shared
                Preferences.bootstrap(Preferences(store: MemoryStore()))
            }
        )
        let message =
            "Preferences.bootstrap(_:) was called after Preferences.shared had been used; "
            + "call it first, where the program starts"
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains(message))
    }
}
