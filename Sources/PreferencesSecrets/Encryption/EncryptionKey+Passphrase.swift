import PreferencesSystem
public import Foundation
import PreferencesRuntime

extension EncryptionKey {
    /// How often a passphrase is hashed where nothing else is said: 600,000 times.
    ///
    /// OWASP's figure for PBKDF2-HMAC-SHA256, of its [Password Storage Cheat
    /// Sheet](https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#pbkdf2).
    public static let defaultIterations = 600_000

    /// The least number of times that a passphrase is hashed: 10,000, as NIST SP 800-63B (2017), section 5.1.1.2, asks for at
    /// least. It is for keys that other programs have made; ``defaultIterations`` is what new keys are to have.
    public static let minimumIterations = 10_000

    /// The bytes of a salt: 16, as NIST SP 800-132 asks for at least.
    public static let saltSize = 16

    /// Makes a key from what a person knows, by PBKDF2-HMAC-SHA256 of the system's library. It takes some tenths of a
    /// second: that is what keeps others from trying many passphrases.
    ///
    /// ```swift
    /// let salt = EncryptionKey.randomSalt()    // made once, and kept beside the store: it is no secret
    /// let key = try EncryptionKey(passphrase: entered, salt: salt)
    /// ```
    ///
    /// - Parameters:
    ///   - passphrase: The passphrase. Texts that are equal in Swift give the same key, whatever keyboard they come
    ///     from.
    ///   - salt: What makes the key another than others with this passphrase: 16 bytes or more, the same each time.
    ///   - iterations: How often it is hashed; ``defaultIterations`` by default, and ``minimumIterations`` at least. Another
    ///     number makes another key.
    /// - Throws: ``EncryptionKeyError`` where one of these is not so, or the system has no library for it.
    public init(
        passphrase: String,
        salt: Data,
        iterations: Int = EncryptionKey.defaultIterations
    ) throws(EncryptionKeyError) {
        try self.init(passphrase: passphrase, salt: salt, iterations: iterations, by: SystemCryptography.library)
    }

    init(
        passphrase: String,
        salt: Data,
        iterations: Int,
        by library: SystemCryptography.Library
    ) throws(EncryptionKeyError) {
        guard !passphrase.isEmpty else { throw EncryptionKeyError(.emptyPassphrase, "the passphrase is empty") }
        guard salt.count >= Self.saltSize else {
            let message = "a salt has \(Self.saltSize) bytes or more, and this one has \(salt.count)"
            throw EncryptionKeyError(.shortSalt, message)
        }
        guard iterations >= Self.minimumIterations, let count = Int32(exactly: iterations) else {
            let message =
                "a passphrase is hashed from \(Self.minimumIterations) to \(Int32.max) times, and not \(iterations) times: "
                + "omit 'iterations' to have \(Self.defaultIterations)"
            throw EncryptionKeyError(.iterationsOutOfRange, message)
        }
        // One form of Unicode, as RFC 8265 asks for of passwords.
        let text = Array(passphrase.precomposedStringWithCanonicalMapping.utf8)
        do {
            bytes = try library.get().deriveKey(from: text, salt: Array(salt), iterations: count)
        } catch {
            throw EncryptionKeyError(.noLibrary, error.description)
        }
    }

    /// Makes a salt that nobody has had before: ``saltSize`` random bytes.
    public static func randomSalt() -> Data {
        Data(RandomBytes.make(saltSize))
    }
}
