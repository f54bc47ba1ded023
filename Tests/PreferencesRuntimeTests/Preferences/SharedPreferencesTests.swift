import Foundation
import PreferencesSystem
import Testing

@testable import PreferencesRuntime

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
        func sharedIsAFileWithoutABootstrap() {
            #expect(Preferences.unbootstrapped(isTest: false).store as? FileStore === FileStore.default)
        }
    #endif

    @Test("In tests without a bootstrap, the shared preferences are in memory, with their secrets, and say so once")
    func sharedIsInMemoryInTests() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                #expect(Preferences.shared.store is MemoryStore)
                #expect(Preferences.shared.secrets is MemoryStore)
                #expect(Preferences.shared === Preferences.shared)
            }
        )
        let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
        #expect(
            lines.filter { $0.contains("Preferences.shared") } == [
                "preferences: Preferences.shared is in memory, as this process runs tests, which share it; give each "
                    + "test its own with '@Test(.preferences(.inMemory()))' of PreferencesTesting, or call "
                    + "Preferences.bootstrap(_:) first"
            ]
        )
    }

    @Test("Only programs that run tests, and apps that Xcode tests, are recognized as tests")
    func testProcesses() {
        for program in [
            "/build/AppPackageTests.xctest", "/usr/bin/xctest", "/libexec/swiftpm-testing-helper",
            "AppPackageTests-test-runner",
        ] {
            #expect(TestProcess.isTestProcess(program: program) { _ in false })
        }
        for program in ["", "/usr/bin/app", "/tests.xctest/app", "/usr/bin/load-test-runner", "/usr/bin/xctester"] {
            #expect(!TestProcess.isTestProcess(program: program) { _ in false })
            #expect(TestProcess.isTestProcess(program: program) { $0 == "XCTestBundlePath" })
        }
    }

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
