import Foundation
import PreferencesRuntime
import PreferencesSystem

/// An encrypted value as it is stored: the format version, a nonce, the ciphertext and the tag.
struct SealedValue {
    /// The version of this format.
    static let format: UInt8 = 1
    /// The size of a nonce in bytes: 96 bits, which NIST SP 800-38D recommends.
    static let nonceSize = 12
    /// The size of a tag in bytes: 128 bits, the largest that the standard allows.
    static let tagSize = 16

    let nonce: [UInt8]
    /// The ciphertext, followed by the tag.
    let sealed: [UInt8]

    /// Encrypts bytes for a name.
    init(
        _ bytes: [UInt8],
        under name: String,
        with key: EncryptionKey,
        by library: any CryptographyLibrary
    ) throws(CryptographyError) {
        nonce = RandomBytes.make(Self.nonceSize)
        sealed = try library.seal(bytes, key: key.bytes, nonce: nonce, authenticating: Self.context(of: name))
    }

    /// Creates a sealed value from a stored value; nil if that is not in this format.
    init?(_ value: PreferenceValue) {
        let data: Data
        switch value {
        case .data(let stored): data = stored
        // Stores without typed values hold Base64.
        case .string(let text):
            guard let stored = Data(base64Encoded: text) else { return nil }
            data = stored
        default: return nil
        }
        guard data.count >= 1 + Self.nonceSize + Self.tagSize, data.first == Self.format else { return nil }
        nonce = Array(data.dropFirst().prefix(Self.nonceSize))
        sealed = Array(data.dropFirst(1 + Self.nonceSize))
    }

    /// Returns the value to store.
    ///
    /// - Parameter isText: Whether the store supports only text.
    func value(asText isText: Bool) -> PreferenceValue {
        let data = Data([Self.format] + nonce + sealed)
        return isText ? .string(data.base64EncodedString()) : .data(data)
    }

    /// Returns the decrypted bytes; nil if they were not encrypted with this key for this name, or were changed.
    func bytes(
        under name: String,
        with key: EncryptionKey,
        by library: any CryptographyLibrary
    ) throws(CryptographyError) -> [UInt8]? {
        try library.open(sealed, key: key.bytes, nonce: nonce, authenticating: Self.context(of: name))
    }

    /// Returns the authenticated context: the format version and the name in normalization form C, as names are
    /// compared by canonical equivalence.
    private static func context(of name: String) -> [UInt8] {
        [format] + Array(name.precomposedStringWithCanonicalMapping.utf8)
    }
}

/// A key, and the check whether it belongs to a store, by an entry of the store that is encrypted with the key.
final class KeyCheck: Sendable {
    /// The storage name of the entry. All names that the package reserves begin with two colons.
    static let name = "::encryption"
    /// The plaintext of the entry.
    private static let text = Array("swift-preferences".utf8)

    /// The result of checking a key.
    enum Status {
        /// The key belongs to the store.
        case valid
        /// The entry is missing, or is damaged while the key decrypts other values. The next write adds it.
        case missing
        /// The key does not belong to the store.
        case wrong
    }

    /// The last checked entry and its result.
    private struct CachedStatus {
        let entry: PreferenceValue
        let status: Status
    }

    let key: EncryptionKey
    private let cached = Locked<CachedStatus?>(nil)

    init(_ key: EncryptionKey) {
        self.key = key
    }

    /// Returns the status of the key.
    ///
    /// - Parameters:
    ///   - entry: The stored value of ``name``.
    ///   - open: Decrypts the entry; nil if the key does not.
    ///   - opensAny: Returns whether the key decrypts any other value; nil if nothing is encrypted. Called only if the
    ///     key does not decrypt the entry.
    func status(
        of entry: PreferenceValue?,
        open: (_ entry: PreferenceValue) throws -> [UInt8]?,
        opensAny: () throws -> Bool?
    ) throws -> Status {
        guard let entry else { return .missing }
        if let cached = cached.withLock({ $0 }), cached.entry == entry { return cached.status }
        let status: Status
        if try open(entry) == Self.text {
            status = .valid
        } else {
            // A damaged entry must not make the values unreadable with the right key.
            status = try opensAny() == true ? .missing : .wrong
        }
        cached.withLock { $0 = CachedStatus(entry: entry, status: status) }
        return status
    }

    /// Returns a new entry, encrypted with the key.
    func entry(by library: any CryptographyLibrary) throws(CryptographyError) -> SealedValue {
        try SealedValue(Self.text, under: Self.name, with: key, by: library)
    }
}

/// A value encoded as bytes, with the kind of the encoding: text and data are unchanged, other values are JSON.
struct ValueBytes {
    enum Kind: UInt8 {
        /// UTF-8.
        case text = 0x73
        case data = 0x64
        /// JSON as a `FileStore` writes it.
        case json = 0x6A
    }

    let kind: Kind
    let bytes: Data

    init(_ kind: Kind, _ bytes: Data) {
        self.kind = kind
        self.bytes = bytes
    }

    /// - Throws: A self-explanatory error if the value is nested too deeply.
    init(_ value: PreferenceValue) throws {
        switch value {
        case .string(let text): self.init(.text, Data(text.utf8))
        case .data(let data): self.init(.data, data)
        default: self.init(.json, Data(try value.jsonText().utf8))
        }
    }

    /// The decoded value; nil if the bytes are invalid for their kind.
    var value: PreferenceValue? {
        switch kind {
        case .text: String(validating: bytes, as: UTF8.self).map(PreferenceValue.string)
        case .data: .data(bytes)
        case .json: String(validating: bytes, as: UTF8.self).flatMap { PreferenceValue(jsonText: $0) }
        }
    }
}
