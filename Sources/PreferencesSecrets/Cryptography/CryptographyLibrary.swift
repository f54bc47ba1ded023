import PreferencesRuntime
import PreferencesSystem

/// The required algorithms: AES-256 in Galois/Counter Mode (NIST SP 800-38D) with 128-bit tags, and PBKDF2-HMAC-SHA256
/// (RFC 8018).
protocol CryptographyLibrary: Sendable {
    /// Encrypts bytes, and authenticates them together with a context.
    ///
    /// - Parameters:
    ///   - plaintext: The bytes to encrypt.
    ///   - key: 256 bits.
    ///   - nonce: 96 bits, which must never be used with the key again.
    ///   - context: Additional bytes to authenticate, which are not encrypted.
    /// - Returns: The ciphertext, of the size of `plaintext`, followed by the tag of 16 bytes.
    func seal(
        _ plaintext: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        authenticating context: [UInt8]
    ) throws(CryptographyError) -> [UInt8]

    /// Decrypts and verifies bytes.
    ///
    /// - Parameter sealed: The result of `seal`, at least the 16 bytes of the tag.
    /// - Returns: Nil if the key, the nonce, the context or any bit differs.
    func open(
        _ sealed: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        authenticating context: [UInt8]
    ) throws(CryptographyError) -> [UInt8]?

    /// Derives a key of 256 bits.
    func deriveKey(
        from passphrase: [UInt8],
        salt: [UInt8],
        iterations: Int32
    ) throws(CryptographyError) -> [UInt8]
}

/// The reason that a library cannot be loaded or that an operation failed: a sentence without a full stop.
struct CryptographyError: Error, CustomStringConvertible {
    let description: String
}

/// The system's library, or the reason that there is none.
enum SystemCryptography {
    typealias Library = LazyLibrary<any CryptographyLibrary, CryptographyError>

    #if canImport(CryptoKit)
        static let library = Library { CryptoKitLibrary() }
    #else
        static let library = Libcrypto.library(named: Libcrypto.fileName)
    #endif
}
