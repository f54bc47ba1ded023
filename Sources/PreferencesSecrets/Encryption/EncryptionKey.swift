public import Foundation
public import PreferencesRuntime
import PreferencesSystem

/// The key of an ``EncryptedStore``: 256 bits.
///
/// ```swift
/// // Creates the key at the first use, and keeps it in the keychain.
/// let key = try EncryptionKey(in: KeychainStore())
/// ```
///
/// Descriptions and mirrors of a key show none of its bits. The bits stay in memory for the lifetime of the key and are
/// available as ``data``.
public struct EncryptionKey: Sendable {
    /// The size of a key in bytes: 32.
    public static let size = 32

    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates a key from its bits.
    ///
    /// - Parameter data: 32 unpredictable bytes. Never use a passphrase here, but
    ///   ``init(passphrase:salt:iterations:)``.
    /// - Throws: ``EncryptionKeyError`` with ``EncryptionKeyError/Code/wrongSize`` for another number of bytes.
    public init(data: Data) throws(EncryptionKeyError) {
        guard data.count == Self.size else {
            throw EncryptionKeyError(.wrongSize, "a key has \(Self.size) bytes, and this data has \(data.count)")
        }
        bytes = Array(data)
    }

    /// Creates a key from the system's cryptographically secure random numbers.
    public static func random() -> EncryptionKey {
        EncryptionKey(bytes: RandomBytes.make(size))
    }

    /// The bits of the key. Store them where only readers of the store can read them.
    public var data: Data { Data(bytes) }
}

extension EncryptionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A description without any bits of the key.
    public var description: String { "EncryptionKey (256 bits, not shown)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no bits.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension EncryptionKey {
    /// The default storage name of a key in the store that keeps it: `::encryption key`. Like other names that begin
    /// with two colons, it is that of no preference: `resetAll()` keeps the key, and values that are encrypted with it
    /// can still be read.
    public static let defaultName = "::encryption key"

    /// Reads a key from a store, such as the keychain, and creates a random one if there is none.
    ///
    /// ```swift
    /// let key = try EncryptionKey(in: KeychainStore())
    /// ```
    ///
    /// The key is stored as base64, and read from base64 or from 32 bytes of data. Threads and processes that create
    /// it at the same time all get the same key, if the store excludes them from each other: if it supports
    /// `exclusiveUpdates`. A new key is durable when this returns.
    ///
    /// An entry that is not a key is never replaced. A lost key cannot be replaced either: nothing that was encrypted
    /// with it can be read again. ``EncryptedStore/init(_:keyIn:named:)`` creates no key if there are encrypted values.
    ///
    /// - Parameters:
    ///   - store: The store that keeps the key.
    ///   - name: The storage name of the key; ``defaultName`` by default. If the store is also one of `Preferences`,
    ///     their `resetAll()` removes a key with a name that does not begin with two colons.
    /// - Throws: ``EncryptionKeyError`` with ``EncryptionKeyError/Code/invalidEntry`` if the entry is not a key, or
    ///   with ``EncryptionKeyError/Code/notStored`` if the store does not keep it; the errors of the store.
    public init(in store: some PreferenceStore, named name: String = EncryptionKey.defaultName) throws {
        self = try Self.make(in: store, named: name)
    }

    /// Reads a key, and creates one if there is none.
    ///
    /// - Parameter writer: The observation of the observer that is not to be notified of a new key.
    static func make(
        in store: any PreferenceStore,
        named name: String,
        by writer: PreferenceStoreObservation? = nil
    ) throws -> EncryptionKey {
        if let key = try stored(in: store, named: name) { return key }
        let entry = PreferenceValue.string(random().data.base64EncodedString())
        try store.commit(by: writer) { current in
            // Another thread or process may have created one in the meantime.
            try current(name) == nil ? [name: .set(entry)] : [:]
        }
        try store.flush()
        // The stored key is used, even if it is the one of a process that the store could not exclude.
        guard let key = try stored(in: store, named: name) else {
            throw EncryptionKeyError(
                .notStored,
                "\(store.label) accepted a new key as '\(name)', and does not have it: keep the key in another store"
            )
        }
        return key
    }

    /// Reads a key; nil if the store has none.
    static func stored(in store: any PreferenceStore, named name: String) throws -> EncryptionKey? {
        try store.value(for: name).map { try EncryptionKey(entry: $0, named: name, in: store) }
    }

    /// Reads a key by an update that changes nothing, which returns the latest entry even if the store caches entries;
    /// nil if the store has none.
    static func latest(in store: any PreferenceStore, named name: String) throws -> EncryptionKey? {
        var value: PreferenceValue?
        try store.commit { current in
            value = try current(name)
            return [:]
        }
        return try value.map { try EncryptionKey(entry: $0, named: name, in: store) }
    }

    private init(entry value: PreferenceValue, named name: String, in store: any PreferenceStore) throws {
        func refusal(_ reason: String) -> EncryptionKeyError {
            EncryptionKeyError(
                .invalidEntry,
                "'\(name)' in \(store.label) is not a key: \(reason); it remains as it is: restore the key, use another "
                    + "name, or remove the entry if nothing was encrypted with it"
            )
        }
        let data: Data
        switch value {
        case .data(let stored): data = stored
        case .string(let text):
            // Text that a command has stored may end with a newline.
            guard let stored = Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw refusal("it is text that is not base64")
            }
            data = stored
        default: throw refusal("it is neither base64 nor data")
        }
        let size = Self.size
        guard data.count == size else { throw refusal("it has \(data.count) bytes, and a key has \(size)") }
        self.init(bytes: Array(data))
    }
}

/// Random bytes of the system's generator, which is documented to be cryptographically secure and is not inherited by
/// forked processes.
enum RandomBytes {
    static func make(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        return Array(bytes.prefix(count))
    }
}

extension EncryptionKey {
    /// The default number of PBKDF2 iterations: 600,000.
    ///
    /// This is OWASP's figure for PBKDF2-HMAC-SHA256, of its [Password Storage Cheat
    /// Sheet](https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#pbkdf2).
    public static let defaultIterations = 600_000

    /// The smallest number of PBKDF2 iterations: 10,000, the minimum of NIST SP 800-63B (2017), section 5.1.1.2. It
    /// serves keys of other programs; new keys should use ``defaultIterations``.
    public static let minimumIterations = 10_000

    /// The smallest size of a salt in bytes: 16, the minimum of NIST SP 800-132.
    public static let saltSize = 16

    /// Creates a key from a passphrase by PBKDF2-HMAC-SHA256 of the system's library. This takes some tenths of a
    /// second, which slows down guessing passphrases.
    ///
    /// ```swift
    /// let salt = EncryptionKey.randomSalt()    // created once, and stored beside the store: it is not secret
    /// let key = try EncryptionKey(passphrase: entered, salt: salt)
    /// ```
    ///
    /// - Parameters:
    ///   - passphrase: The passphrase. Strings that are equal in Swift result in the same key, whatever their Unicode
    ///     form.
    ///   - salt: The bytes that distinguish this key from others with the same passphrase: 16 or more, the same each
    ///     time.
    ///   - iterations: The number of iterations; ``defaultIterations`` by default, and ``minimumIterations`` at least.
    ///     Another number results in another key.
    /// - Throws: ``EncryptionKeyError`` if an argument is invalid, or the system has no library for it.
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
            let message = "a salt must have \(Self.saltSize) bytes or more, and this one has \(salt.count)"
            throw EncryptionKeyError(.shortSalt, message)
        }
        guard iterations >= Self.minimumIterations, let count = Int32(exactly: iterations) else {
            let message =
                "a passphrase must be hashed from \(Self.minimumIterations) to \(Int32.max) times, and not \(iterations) times: "
                + "omit 'iterations' for the default, \(Self.defaultIterations)"
            throw EncryptionKeyError(.iterationsOutOfRange, message)
        }
        // RFC 8265 requires normalization form C for passwords.
        let text = Array(passphrase.precomposedStringWithCanonicalMapping.utf8)
        do {
            bytes = try library.get().deriveKey(from: text, salt: Array(salt), iterations: count)
        } catch {
            throw EncryptionKeyError(.noLibrary, error.description)
        }
    }

    /// Returns a new salt of ``saltSize`` random bytes.
    public static func randomSalt() -> Data {
        Data(RandomBytes.make(saltSize))
    }
}

/// An error of creating an ``EncryptionKey``.
public struct EncryptionKeyError: Error, Sendable, Hashable {
    /// The kind of an error. Later versions may add kinds, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind, such as `wrongSize`.
        public let rawValue: String

        /// Creates a kind.
        ///
        /// - Parameter rawValue: The name of the kind.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The data does not have 32 bytes.
        public static let wrongSize = Code(rawValue: "wrongSize")
        /// The passphrase is empty.
        public static let emptyPassphrase = Code(rawValue: "emptyPassphrase")
        /// The salt has fewer than 16 bytes.
        public static let shortSalt = Code(rawValue: "shortSalt")
        /// The number of iterations is below ``EncryptionKey/minimumIterations``, or above the library's limit of
        /// 2,147,483,647.
        public static let iterationsOutOfRange = Code(rawValue: "iterationsOutOfRange")
        /// The system has no library for key derivation, or the library failed. The message says what to install.
        public static let noLibrary = Code(rawValue: "noLibrary")
        /// The entry of a store that should be the key is something else. It was not changed.
        public static let invalidEntry = Code(rawValue: "invalidEntry")
        /// A store accepted a new key without an error, and does not have it.
        public static let notStored = Code(rawValue: "notStored")
    }

    /// The kind of the error.
    public let code: Code
    /// What is wrong, as a sentence without a full stop. It contains nothing of a key or a passphrase.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension EncryptionKeyError: CustomStringConvertible {
    /// The ``message``.
    public var description: String { message }
}

extension EncryptionKeyError: LocalizedError {
    /// The ``message``, which `localizedDescription` returns.
    public var errorDescription: String? { message }
}
