import Foundation
import PreferencesRuntime

/// Stores that an exit handler can get at, of the file that a variable of the environment names.
enum LateStore {
    static let shared = FileStore(url: url, durability: .coalesced(milliseconds: 3_600_000))
    static let immediate = FileStore(url: url, durability: .immediate)

    private static let url = URL(filePath: ProcessInfo.processInfo.environment["PREFERENCES_TEST_FILE"] ?? "/")
}
