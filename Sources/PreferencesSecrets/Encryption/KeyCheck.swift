import PreferencesSystem
import PreferencesRuntime

/// Whether a key is the one of a medium, by an entry there that is sealed with it.
final class KeyCheck: Sendable {
    /// The name of the entry. Like other names of the package itself it begins with two colons.
    static let name = "::encryption"
    /// What is sealed in it.
    private static let text = Array("swift-preferences".utf8)

    /// What the entry says of the key.
    enum Standing {
        /// It is the one.
        case right
        /// There is no entry, or one that is damaged although the key is the one: it is to be written.
        case unwritten
        /// It is another.
        case wrong
    }

    /// What was found out about an entry last.
    private struct Known {
        let entry: PreferenceValue
        let standing: Standing
    }

    private let known = Locked<Known?>(nil)

    /// What is known of the key.
    ///
    /// - Parameters:
    ///   - entry: What the medium has under ``name``.
    ///   - open: What is sealed there; nil where it is not, with the key.
    ///   - opensAny: Whether the key opens any other value; nil where nothing is sealed. Asked only where the entry is
    ///     not sealed with the key.
    func standing(
        of entry: PreferenceValue?,
        open: (_ entry: PreferenceValue) throws -> [UInt8]?,
        opensAny: () throws -> Bool?
    ) throws -> Standing {
        guard let entry else { return .unwritten }
        if let known = known.withLock({ $0 }), known.entry == entry { return known.standing }
        let standing: Standing
        if try open(entry) == Self.text {
            standing = .right
        } else {
            // A damaged entry must not keep those from their values who have the key.
            standing = try opensAny() == true ? .unwritten : .wrong
        }
        known.withLock { $0 = Known(entry: entry, standing: standing) }
        return standing
    }

    /// The entry, sealed with a key.
    static func entry(
        with key: EncryptionKey,
        by library: any CryptographyLibrary
    ) throws(CryptographyFailure) -> SealedValue {
        try SealedValue(text, under: name, with: key, by: library)
    }
}
