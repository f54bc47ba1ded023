import Foundation
import PreferencesRuntime
import Testing

/// Makes a process of root one of an ordinary user, for whom permissions hold. For exit tests.
func becomeOrdinaryUser() throws {
    if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
}

/// Stores that an exit handler can access, of the file that an environment variable names.
enum LateStore {
    static let shared = FileStore(url: url, durability: .coalesced(milliseconds: 3_600_000))
    static let immediate = FileStore(url: url, durability: .immediate)

    private static let url = URL(filePath: ProcessInfo.processInfo.environment["PREFERENCES_TEST_FILE"] ?? "/")
}
