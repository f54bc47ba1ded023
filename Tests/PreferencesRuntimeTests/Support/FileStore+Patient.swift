import Foundation

@testable import PreferencesRuntime

extension FileStore {
    /// A store that writes when it is told to, or ends.
    static func patient(_ url: URL) -> FileStore {
        FileStore(url: url, durability: .coalesced(milliseconds: 3_600_000))
    }
}
