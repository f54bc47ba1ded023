import PreferencesSystem
import PreferencesRuntime

/// What is asked of a library: AES-256 in Galois/Counter Mode (NIST SP 800-38D) with tags of 128 bits, and
/// PBKDF2-HMAC-SHA256 (RFC 8018).
protocol CryptographyLibrary: Sendable {
    /// Encrypts, and signs what is encrypted and some other bytes with it.
    ///
    /// - Parameters:
    ///   - plaintext: What is to be encrypted.
    ///   - key: 256 bits.
    ///   - nonce: 96 bits, which are never used with the key again.
    ///   - context: What is to be signed too.
    /// - Returns: As many bytes as were given, and the tag of 16.
    func seal(
        _ plaintext: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        authenticating context: [UInt8]
    ) throws(CryptographyFailure) -> [UInt8]

    /// Decrypts.
    ///
    /// - Parameter sealed: What `seal` gave: at least the 16 bytes of the tag.
    /// - Returns: Nil where key, nonce, context or a bit is another.
    func open(
        _ sealed: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        authenticating context: [UInt8]
    ) throws(CryptographyFailure) -> [UInt8]?

    /// Derives a key of 256 bits.
    func deriveKey(
        from passphrase: [UInt8],
        salt: [UInt8],
        iterations: Int32
    ) throws(CryptographyFailure) -> [UInt8]
}

/// Why a library cannot be used, or could not do what it was asked for: in a sentence without a full stop.
struct CryptographyFailure: Error, CustomStringConvertible {
    let description: String
}

/// The system's library, or why there is none.
enum SystemCryptography {
    typealias Library = LazyLibrary<any CryptographyLibrary, CryptographyFailure>

    #if canImport(CryptoKit)
        static let library = Library { CryptoKitLibrary() }
    #else
        static let library = Libcrypto.library(named: Libcrypto.fileName)
    #endif
}
