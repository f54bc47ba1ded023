import PreferencesRuntime
import PreferencesStoreTesting
import Synchronization

/// The medium of a store that can only be read: what others have put there.
final class OutsideMedium: Sendable {
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
    /// A store that can only be read.
    ///
    /// - Parameter open: Makes the store of what is in its medium.
    static func readOnly(_ open: @escaping @Sendable (OutsideMedium) throws -> any PreferenceStore) -> StoreSubject {
        let medium = OutsideMedium()
        return StoreSubject(open: { try open(medium) }, changeExternally: { medium.edit($0) })
    }
}
