import Foundation
import PreferencesObjects
import PreferencesRuntime
import StoreTestSupport
import TestSupport

/// The kinds of repositories.
enum ObjectPlace: CaseIterable {
    case memory, fileStore, userDefaults, preferences, ownFile

    /// Runs a body with a factory of objects that share a repository of this kind.
    func withObjects(_ body: (() -> PersistentObject<Station>) async throws -> Void) async throws {
        switch self {
        case .memory:
            let store = MemoryStore()
            try await body { PersistentObject(named: "station", in: store) }
        case .fileStore:
            try await withFile { url in
                try await body { PersistentObject(named: "station", in: FileStore(url: url)) }
            }
        case .userDefaults:
            try await withUserDefaultsSuite { suite in
                try await body { PersistentObject(named: "station", in: UserDefaultsStore(suite: suite)) }
            }
        case .preferences:
            let store = MemoryStore()
            try await body { PersistentObject(named: "station", in: Preferences(store: store)) }
        case .ownFile: try await withFile { url in try await body { PersistentObject(file: url) } }
        }
    }
}
