public import Foundation

/// A bundle's `Info.plist`, to be read.
///
/// ```swift
/// let info = BundleStore()
/// try info.value(for: BundleStore.Key.shortVersion)   // "1.4.2"
/// ```
///
/// Of a key that is localized, the value is the one for the user's language.
public struct BundleStore: PreferenceStore {
    /// `Info.plist`, and where it is.
    public let label: String
    /// Read once: a bundle's list does not change while the program runs.
    private let entries: [String: Result<PreferenceValue, PreferenceProblem>]

    /// Makes a store.
    ///
    /// - Parameter bundle: The bundle; by default the one that the program is in. On Linux a program is in none, and then
    ///   there are no values.
    public init(_ bundle: Bundle = .main) {
        let label = "Info.plist of \(bundle.bundlePath)"
        self.label = label
        let list = (bundle.infoDictionary ?? [:]).merging(bundle.localizedInfoDictionary ?? [:]) { $1 }
        entries = list.reduce(into: [:]) { entries, entry in
            entries[entry.key] = Result { () throws(PreferenceProblem) in
                do {
                    return try PreferenceValue(propertyListObject: entry.value)
                } catch {
                    let message = ErrorText(error).description
                    throw PreferenceProblem(.unsupportedValue, key: entry.key, store: label, message: message)
                }
            }
        }
    }

    /// The value of a key of the list.
    ///
    /// - Throws: ``PreferenceProblem`` for an object that is no value.
    public func value(for name: String) throws -> PreferenceValue? {
        try entries[name]?.get()
    }

    /// All keys of the list.
    public func names() -> Set<String> {
        Set(entries.keys)
    }

    /// Refuses every batch that is not empty.
    public func apply(_ batch: [String: PreferenceEdit]) throws {
        try refuse(batch)
    }

    /// True: it does not change.
    public var notifiesAllChanges: Bool { true }

    /// Writing and persistence.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { [.writing, .persistence] }
}
