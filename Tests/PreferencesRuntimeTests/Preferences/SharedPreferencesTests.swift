import Foundation
import PreferencesRuntime
import Testing

/// Each in a process of its own, as a program has only one ``Preferences/shared``.
struct SharedPreferencesTests {
    @Test func sharedIsWhatItWasBootstrappedWith() async {
        await #expect(processExitsWith: .success) {
            let preferences = Preferences(store: MemoryStore())
            Preferences.bootstrap(preferences)
            #expect(Preferences.shared === preferences)
            #expect(Preferences.shared === preferences)
        }
    }

    #if !canImport(Darwin)
        @Test func sharedIsAFileWithoutABootstrap() async {
            await #expect(processExitsWith: .success) {
                let store = Preferences.shared.store as? FileStore
                #expect(store === FileStore.default)
                #expect(Preferences.shared === Preferences.shared)
            }
        }
    #endif

    @Test func aSecondBootstrapEndsTheProgramAndSaysWhy() async throws {
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

    @Test func aBootstrapThatComesTooLateEndsTheProgramAndSaysWhy() async throws {
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
