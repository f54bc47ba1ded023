import Foundation
import PreferencesRuntime

/// An encrypted value, as it is in a medium: the format's number, a nonce, and what the library has made.
struct SealedValue {
    /// The number of this format.
    static let format: UInt8 = 1
    /// The bytes of a nonce: 96 bits, which NIST SP 800-38D recommends.
    static let nonceSize = 12
    /// The bytes of a tag: 128 bits, the most there is.
    static let tagSize = 16

    let nonce: [UInt8]
    /// The encrypted bytes, and the tag.
    let sealed: [UInt8]

    /// Seals bytes under a name.
    init(
        _ bytes: [UInt8],
        under name: String,
        with key: EncryptionKey,
        by library: any CryptographyLibrary
    ) throws(CryptographyFailure) {
        nonce = RandomBytes.make(Self.nonceSize)
        sealed = try library.seal(bytes, key: key.bytes, nonce: nonce, authenticating: Self.context(of: name))
    }

    /// What a medium has; nil where that is no sealed value of this format.
    init?(_ value: PreferenceValue) {
        let data: Data
        switch value {
        case .data(let stored): data = stored
        // Where there is nothing but text.
        case .string(let text):
            guard let stored = Data(base64Encoded: text) else { return nil }
            data = stored
        default: return nil
        }
        guard data.count >= 1 + Self.nonceSize + Self.tagSize, data.first == Self.format else { return nil }
        nonce = Array(data.dropFirst().prefix(Self.nonceSize))
        sealed = Array(data.dropFirst(1 + Self.nonceSize))
    }

    /// What a medium is given.
    ///
    /// - Parameter isText: Whether it keeps nothing else.
    func value(asText isText: Bool) -> PreferenceValue {
        let data = Data([Self.format] + nonce + sealed)
        return isText ? .string(data.base64EncodedString()) : .data(data)
    }

    /// The bytes that were sealed; nil where it was not with this key and under this name, or one bit is another.
    func bytes(
        under name: String,
        with key: EncryptionKey,
        by library: any CryptographyLibrary
    ) throws(CryptographyFailure) -> [UInt8]? {
        try library.open(sealed, key: key.bytes, nonce: nonce, authenticating: Self.context(of: name))
    }

    /// What is signed with a value: the format, and the name in one form of Unicode, as names are equal in all.
    private static func context(of name: String) -> [UInt8] {
        [format] + Array(name.precomposedStringWithCanonicalMapping.utf8)
    }
}
