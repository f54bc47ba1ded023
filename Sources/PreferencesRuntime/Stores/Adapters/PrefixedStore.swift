import Foundation

/// A part of another store: the names that begin with a prefix, without it.
///
/// ```swift
/// let store = PrefixedStore(FileStore.default, prefix: "plugins", separator: ".")
/// try store.apply(["theme": .set("dark")])   // plugins.theme, in the file
/// ```
///
/// It lists, changes and resets nothing outside its prefix, and prefixes nest.
public struct PrefixedStore: PreferenceStoreAdapter {
    /// The store that the values are in.
    public let base: any PreferenceStore
    /// What the names begin with in the base, the separator included.
    public let prefix: String

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - base: The store that the values are in.
    ///   - prefix: What the names begin with there.
    ///   - separator: What is between the prefix and the names; `:` by default, as in storage names.
    public init(_ base: any PreferenceStore, prefix: String, separator: String = ":") {
        self.base = base
        self.prefix = prefix + separator
    }

    /// The base's, and the prefix: `memory 'plugins.'`.
    public var label: String { "\(base.label) '\(prefix)'" }

    /// What the base lacks; with a prefix, the empty name is none there.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        PreferenceStoreCapabilities(unsupportedBy: base).subtracting(prefix.isEmpty ? [] : .emptyName)
    }

    /// The name after the prefix.
    public func baseName(of name: String) -> String {
        prefix + name
    }

    /// What follows the prefix; nil where the name does not begin with it.
    public func name(ofBaseName baseName: String) -> String? {
        // By scalars: a character may begin in the prefix, and end after it.
        Self.rest(of: baseName, after: prefix)
            ?? Self.rest(
                of: baseName.decomposedStringWithCanonicalMapping,
                after: prefix.decomposedStringWithCanonicalMapping
            )
    }

    private static func rest(of name: String, after prefix: String) -> String? {
        guard name.unicodeScalars.starts(with: prefix.unicodeScalars) else { return nil }
        return String(String.UnicodeScalarView(name.unicodeScalars.dropFirst(prefix.unicodeScalars.count)))
    }
}
