import Foundation

/// The part of another store whose names begin with a prefix. The names of this store do not contain the prefix.
///
/// ```swift
/// let store = FileStore.default.prefixed("plugins.")
/// try store.apply(["theme": .set("dark")])   // plugins.theme, in the file
/// ```
///
/// It neither lists nor changes names without the prefix. Prefixed stores can be nested.
public struct PrefixedStore: PreferenceStoreAdapter {
    /// The store that contains the values.
    public let base: any PreferenceStore
    /// The prefix of the names in the base, including the separator.
    public let prefix: String

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - base: The store that contains the values.
    ///   - prefix: The prefix of the names in the base.
    ///   - separator: The separator between the prefix and the names; `:` by default, as in storage names.
    public init(_ base: some PreferenceStore, prefix: String, separator: String = ":") {
        self.base = base
        self.prefix = prefix + separator
    }

    /// The label of the base, followed by the prefix, such as `memory 'plugins.'`.
    public var label: String { "\(base.label) '\(prefix)'" }

    /// The unsupported capabilities of the base, except for the empty name, which is not empty with a prefix.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        PreferenceStoreCapabilities(unsupportedBy: base).subtracting(prefix.isEmpty ? [] : .emptyName)
    }

    /// Returns the prefix followed by the name.
    public func baseName(of name: String) -> String {
        prefix + name
    }

    /// Returns the name without the prefix; nil if it does not begin with the prefix.
    public func name(ofBaseName baseName: String) -> String? {
        // Compares scalars, since a character may begin in the prefix and end after it.
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

extension PreferenceStore {
    /// Returns the part of this store whose names begin with a prefix.
    ///
    /// - Parameter prefix: The prefix, including a separator: `plugins.`.
    public func prefixed(_ prefix: String) -> PrefixedStore {
        PrefixedStore(self, prefix: prefix, separator: "")
    }
}

extension Preferences {
    /// Returns preferences over the part of these whose storage names begin with a prefix, also of the secrets.
    ///
    /// ```swift
    /// let plugin = preferences.prefixed("plugins.")
    /// plugin.set(named: "theme", to: "dark")   // plugins.theme
    /// ```
    ///
    /// They have hooks and ``problems`` of their own, and share the values: watchers of either observe the changes of
    /// the other. Migrations of these preferences run before the first use.
    ///
    /// - Parameter prefix: The prefix, including a separator.
    public func prefixed(_ prefix: String) -> Preferences {
        Preferences(
            store: store.prefixed(prefix),
            .part(prefix, of: self),
            Preparation(after: self),
            isObserved: isObserved
        )
    }
}
