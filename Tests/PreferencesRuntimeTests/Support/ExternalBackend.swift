import PreferencesRuntime
import PreferencesStoreTesting
import Synchronization

/// The backend of a read-only store, which is changed externally.
final class ExternalBackend: Sendable {
    private let contents = Mutex<[String: PreferenceValue]>([:])

    var values: [String: PreferenceValue] { contents.withLock { $0 } }

    /// The values that are text.
    var texts: [String: String] {
        values.compactMapValues { value in
            if case .string(let text) = value { text } else { nil }
        }
    }

    func edit(_ batch: [String: PreferenceEdit]) {
        contents.withLock { contents in
            for (name, edit) in batch { contents[name] = edit.value }
        }
    }
}

extension StoreSubject {
    /// Creates a read-only store.
    ///
    /// - Parameter open: Creates the store from the contents of its backend.
    static func readOnly(_ open: @escaping @Sendable (ExternalBackend) throws -> any PreferenceStore) -> StoreSubject {
        let backend = ExternalBackend()
        return StoreSubject(open: { try open(backend) }, changeExternally: { backend.edit($0) })
    }
}
