import Foundation
import PreferencesRuntime
import TestSupport
import StoreTestSupport
import PreferencesObjects

/// Where an object may be kept.
enum ObjectPlace: CaseIterable {
    case memory, fileStore, userDefaults, preferences, ownFile

    /// Runs a body with what makes objects that are kept in one place of this kind.
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
