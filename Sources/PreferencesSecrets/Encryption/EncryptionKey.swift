public import Foundation

/// A key of an ``EncryptedStore``: 256 bits.
///
/// ```swift
/// // Made once, and kept in the keychain or wherever else the program has its keys from.
/// let key = EncryptionKey.random()
/// try keychain.apply(["preferences key": .set(.data(key.data))])
/// ```
///
/// What describes or mirrors a key shows none of its bits. They are in the memory of the process for as long as the key
/// is, and ``data`` has them.
public struct EncryptionKey: Sendable {
    /// The bytes of a key: 32.
    public static let size = 32

    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Makes a key from its bits.
    ///
    /// - Parameter data: 32 bytes that nobody can guess; a passphrase is none, whatever its length:
    ///   ``init(passphrase:salt:iterations:)``.
    /// - Throws: ``EncryptionKeyError`` with ``EncryptionKeyError/Code/wrongSize`` for another number of bytes.
    public init(data: Data) throws(EncryptionKeyError) {
        guard data.count == Self.size else {
            throw EncryptionKeyError(.wrongSize, "a key has \(Self.size) bytes, and this data has \(data.count)")
        }
        bytes = Array(data)
    }

    /// Makes a key that nobody has had before, from the system's random numbers, which are made for that.
    public static func random() -> EncryptionKey {
        EncryptionKey(bytes: RandomBytes.make(size))
    }

    /// The bits, to be kept where only those can read them who may read the store.
    public var data: Data { Data(bytes) }
}

extension EncryptionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// That it is a key. None of its bits.
    public var description: String { "EncryptionKey (256 bits, not shown)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Has no parts, so that `dump` shows none.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What nobody can guess: of the system's generator, which Swift documents to be cryptographically secure, and which
/// processes that were forked do not share.
enum RandomBytes {
    static func make(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        return Array(bytes.prefix(count))
    }
}
