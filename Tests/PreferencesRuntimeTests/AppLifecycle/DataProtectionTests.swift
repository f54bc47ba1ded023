import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// Stores before the first unlock of a device after a restart, when their stored data appears to be missing.
struct DataProtectionTests {
    /// A device that can be unlocked.
    private final class Device: Sendable {
        private let isLocked = Locked(true)
        private let count = Locked(0)

        func unlock() { isLocked.withLock { $0 = false } }

        /// The number of calls of the probe.
        var probeCount: Int { count.withLock { $0 } }

        func makeProtection() -> DataProtection {
            DataProtection { [self] in
                count.withLock { $0 += 1 }
                return isLocked.withLock { $0 }
            }
        }
    }

    private func problem(_ url: URL) -> PreferenceProblem {
        PreferenceProblem(
            .storeUnreadable,
            store: url.filePath,
            message: "cannot read \(url.filePath): Operation not permitted; it may be protected until the device "
                + "has been unlocked for the first time after its start"
        )
    }

    @Test("A file that looks absent is neither read as empty nor written, and is read when the device is unlocked")
    func aFileThatLooksAbsentIsNotReadAsEmpty() async throws {
        try await withFile { url in
            let device = Device()
            let protection = device.makeProtection()
            let store = FileStore(url: url, durability: .immediate, watching: .fake(), protection: protection)
            let changes = StoreChanges(of: store)
            #expect(throws: problem(url)) { try store.value(for: "a") }
            #expect(throws: problem(url)) { try store.names() }
            #expect(throws: problem(url)) { try store.apply(["a": .set(2)]) }
            #expect(throws: problem(url)) { try store.update { _ in ["a": .set(2)] } }
            #expect(!FileManager.default.fileExists(atPath: url.filePath))
            try url.write("{\"a\": 1}")
            device.unlock()
            protection.checkForEnd()
            await changes.wait { changes.soFar.contains(.everything) }
            #expect(try store.value(for: "a") == 1)
            try store.apply(["b": .set(2)])
            #expect(try url.text() == "{\"a\": 1, \"b\": 2}")
        }
    }

    @Test("A file that looks absent just before the unlock is read again")
    func aFileThatLooksAbsentBeforeTheUnlockIsReadAgain() async throws {
        try await withFile { url throws in
            // The file appears after the first read.
            let protection = DataProtection {
                #expect(throws: Never.self) { try url.write("{\"a\": 1}") }
                return false
            }
            let store = FileStore(url: url, durability: .immediate, watching: .fake(), protection: protection)
            #expect(try store.value(for: "a") == 1)
        }
    }

    @Test("The migration of a secret waits until the device is unlocked")
    func migrationsOfSecretsWait() async throws {
        try await withFile { url in
            let device = Device()
            let protection = device.makeProtection()
            let secrets = FileStore(url: url, durability: .immediate, watching: .fake(), protection: protection)
            let preferences = Preferences(
                store: MemoryStore(["old": "hunter2"]),
                secrets: secrets,
                migrations: [PreferenceMigration(version: 1, [.move("old", to: "token", isSecret: true)])]
            )
            let account = Account(preferences: preferences)
            let tokens = account.changes(\.token)
            #expect(account.token == nil)
            account.token = "new"
            #expect(account.token == nil)
            #expect(!FileManager.default.fileExists(atPath: url.filePath))
            try url.write("{\"other\": 1}")
            device.unlock()
            protection.checkForEnd()
            let change = await tokens.first { $0.new == "hunter2" }
            #expect(change?.new == "hunter2")
            #expect(try preferences.store.names() == ["::version"])
            #expect(try secrets.names() == ["other", "token"])
        }
    }

    @Test("Migrations wait, and defaults are read, until the device is unlocked")
    func migrationsWait() async throws {
        try await withFile { url in
            let device = Device()
            let protection = device.makeProtection()
            let store = FileStore(url: url, durability: .immediate, watching: .fake(), protection: protection)
            let preferences = Preferences(
                store: store,
                migrations: [PreferenceMigration(version: 1, [.move("old", to: "launchCount")])]
            )
            let counts = preferences.changes(\.launchCount)
            #expect(preferences.launchCount == 0)
            preferences.launchCount = 7
            #expect(preferences.launchCount == 0)
            #expect(!FileManager.default.fileExists(atPath: url.filePath))
            try url.write("{\"old\": 3}")
            device.unlock()
            protection.checkForEnd()
            // Triggered by the notification alone.
            let change = await counts.first { $0.new == 3 }
            #expect(change?.new == 3)
            #expect(preferences.launchCount == 3)
            #expect(try store.names() == ["launchCount", "::version"])
        }
    }

    @Test("A coalesced change stays in memory until the unlock")
    func aCoalescedChangeWaitsForTheUnlock() async throws {
        try await withFile { url in
            let device = Device()
            let protection = device.makeProtection()
            let store = FileStore(
                url: url,
                durability: .coalesced(milliseconds: 3_600_000),
                watching: .fake(),
                protection: protection
            )
            try store.apply(["b": .set(2)])
            #expect(try store.value(for: "b") == 2)
            #expect(throws: problem(url)) { try store.flush() }
            try url.write("{\"a\": 1}")
            device.unlock()
            try store.flush()
            #expect(try url.text() == "{\"a\": 1, \"b\": 2}")
        }
    }

    @Test("User defaults that look empty are neither read nor written, and observers are notified of the unlock")
    func userDefaultsThatLookEmptyAreNotRead() async throws {
        try await withUserDefaultsSuite { suite in
            let device = Device()
            let protection = device.makeProtection()
            let defaults = try #require(UserDefaults(suiteName: suite))
            defaults.set(1, forKey: "a")
            let store = UserDefaultsStore(
                SharedDefaults(defaults),
                domain: suite,
                label: "user defaults '\(suite)'",
                protection: protection
            )
            let problem = PreferenceProblem(
                .storeUnreadable,
                store: store.label,
                message: "\(store.label) are protected until the device has been unlocked for the first time after "
                    + "its start"
            )
            let changes = StoreChanges(of: store)
            #expect(throws: problem) { try store.value(for: "a") }
            #expect(throws: problem) { try store.names() }
            #expect(throws: problem) { try store.apply(["a": .set(2)]) }
            device.unlock()
            protection.checkForEnd()
            await changes.wait { changes.soFar.contains(.everything) }
            #expect(try store.value(for: "a") == 1)
        }
    }

    @Test("The system is not asked again once the device was unlocked, and each action runs once")
    func theSystemIsNotAskedAgain() async throws {
        let device = Device()
        let protection = device.makeProtection()
        let (object, log) = (Recorder<Int>(), Recorder<Int>())
        let (runs, continuation) = AsyncStream.makeStream(of: Void.self)
        #expect(protection.isActive)
        protection.whenItEnds(for: object) { log.add(1) }
        protection.whenItEnds(for: object) {
            log.add(2)
            continuation.yield()
        }
        protection.checkForEnd()
        #expect(device.probeCount == 2)
        device.unlock()
        protection.checkForEnd()
        #expect(!protection.isActive)
        #expect(device.probeCount == 3)
        _ = await runs.first { _ in true }
        #expect(log.all == [2])
    }
}
