public import Foundation

/// Why there is no ``EncryptionKey``.
public struct EncryptionKeyError: Error, Sendable, Hashable {
    /// What kind of error it is. Later versions may have more kinds: a `switch` needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name, as it stands here: `wrongSize`.
        public let rawValue: String

        /// Makes a kind.
        ///
        /// - Parameter rawValue: Its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The bytes are not 32.
        public static let wrongSize = Code(rawValue: "wrongSize")
        /// The passphrase is empty.
        public static let emptyPassphrase = Code(rawValue: "emptyPassphrase")
        /// The salt has less than 16 bytes.
        public static let shortSalt = Code(rawValue: "shortSalt")
        /// The iterations are less than ``EncryptionKey/minimumIterations``, or more than the library takes: 2,147,483,647.
        public static let iterationsOutOfRange = Code(rawValue: "iterationsOutOfRange")
        /// The system has no library to derive keys with, or that has failed. The message says what to install.
        public static let noLibrary = Code(rawValue: "noLibrary")
    }

    /// What kind of error it is.
    public let code: Code
    /// What is wrong, in a sentence without a full stop. It has nothing of a key or a passphrase in it.
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
    /// The ``message``, for code that shows any error's `localizedDescription`.
    public var errorDescription: String? { message }
}
