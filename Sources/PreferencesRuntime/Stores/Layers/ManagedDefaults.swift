import Foundation
import PreferencesSystem

/// User defaults of which mobile device management may have fixed values.
///
/// Tests implement it to take the part of an administrator. Any thread may call it, and several at once:
///
/// ```swift
/// struct ForcedUnit: ManagedDefaults {
///     func objectIsForced(forKey key: String) -> Bool { key == "weather:unit" }
///     func object(forKey key: String) -> Any? { key == "weather:unit" ? "celsius" : nil }
/// }
/// let policy = ManagedStore(defaults: ForcedUnit())
/// ```
public protocol ManagedDefaults: Sendable {
    /// Returns whether an administrator has fixed the object of a key.
    func objectIsForced(forKey key: String) -> Bool
    /// Returns the object of a key; nil if there is none.
    func object(forKey key: String) -> Any?
}

extension SharedDefaults: ManagedDefaults {
    func objectIsForced(forKey key: String) -> Bool { withAccess { $0.objectIsForced(forKey: key) } }
    func object(forKey key: String) -> Any? { withAccess { $0.object(forKey: key) } }
}

/// A read-only store of the objects that an administrator has fixed in user defaults.
struct ForcedDefaultsStore: PreferenceStore, CapabilityDeclaringStore {
    let label = "managed user defaults"
    private let defaults: any ManagedDefaults
    private let trustsConfiguration: Bool

    /// The key of the dictionary that a server for device management sends to apps.
    private static let configurationKey = "com.apple.configuration.managed"

    /// - Parameter trustsConfiguration: Whether only the system can have written the dictionary of the app's managed
    ///   configuration, even if it is not forced.
    init(_ defaults: any ManagedDefaults, trustsConfiguration: Bool) {
        self.defaults = defaults
        self.trustsConfiguration = trustsConfiguration
    }

    func value(for name: String) throws -> PreferenceValue? {
        do {
            for form in [name] + name.otherNormalizations {
                let object =
                    defaults.objectIsForced(forKey: form) ? defaults.object(forKey: form) : configuration()[form]
                if let object { return try SharedDefaults.coding.value(from: object) }
            }
            return nil
        } catch let error as StoreFileValueError {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: error.message)
        }
    }

    private func configuration() -> [String: Any] {
        guard trustsConfiguration || defaults.objectIsForced(forKey: Self.configurationKey) else { return [:] }
        return defaults.object(forKey: Self.configurationKey) as? [String: Any] ?? [:]
    }

    /// The names in the app's managed configuration. User defaults do not list forced keys.
    func names() -> Set<String> { Set(configuration().keys) }

    var unsupportedCapabilities: PreferenceStoreCapabilities { .listing }

    // `notifiesAllChanges` is false: Foundation does not promise to report each change of a profile.

    /// Notifies an observer when the system reports a change of user defaults, on the thread that makes it.
    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        let changes = DefaultsChangeObserver { observer(.everything) }
        return PreferenceStoreObservation { changes.end() }
    }
}
