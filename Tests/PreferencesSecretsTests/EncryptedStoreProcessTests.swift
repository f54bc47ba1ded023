import Foundation
import PreferencesRuntime
import PreferencesSecrets
import TestSupport
import Testing

/// An encrypted file that several processes use at the same time.
struct EncryptedStoreProcessTests {
    @Test func processesThatCountLoseNothingAndAgreeOnTheKeysEntry() async throws {
        try await withTemporaryDirectory { folder async throws in
            let url = folder.appending(component: "preferences.encrypted")
            try await withThrowingTaskGroup { group in
                for _ in 0..<2 { group.addTask { try await child("increment", url, "count", 100) } }
                group.addTask { try await child("follow", url, "count", 200) }
                try await group.waitForAll()
            }
            let store = EncryptedStore(FileStore(url: url), key: try EncryptionKey(data: Data(count: 32)))
            #expect(try store.value(for: "count") == 200)
            #expect(try store.names() == ["count"])
        }
    }

    private func child(_ command: String, _ url: URL, _ name: String, _ number: Int) async throws {
        let program = try BuiltWithTests.executable("StoreChild").path
        let run = try await CommandLineRun(program, [command, url.path, name, "\(number)"], mergesErrors: true)
        #expect(run.succeeded, "\(run.output)")
    }
}
