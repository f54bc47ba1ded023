public import Foundation

/// Something about preferences that went wrong: a stored value that cannot be read, a write that failed.
///
/// ``Preferences/problems`` delivers those that nothing could be thrown for, and
/// ``PreferenceAccessors/set(_:to:)-(ReferenceWritableKeyPath<Self,Value>,_)`` throws them. Reading goes on with the
/// key's default, and what is stored stays as it is.
public struct PreferenceProblem: Error, Sendable, Hashable {
    /// What kind of problem it is. Later versions may have more kinds: a `switch` needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name, as it stands here: `typeMismatch`.
        public let rawValue: String

        /// Makes a kind, such as a store's own.
        ///
        /// - Parameter rawValue: Its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A stored value cannot be read as the key's type. Its default is read until the key is set.
        public static let typeMismatch = Code(rawValue: "typeMismatch")
        /// A value is not what its key's constraints ask for. A stored one reads as the default until the key is set;
        /// one to be set was not.
        public static let constraintViolation = Code(rawValue: "constraintViolation")
        /// A key is secret, and the ``Preferences`` have no store for secrets. It reads as its default, and cannot be
        /// set.
        public static let noSecretsStore = Code(rawValue: "noSecretsStore")
        /// A value cannot be turned into a ``PreferenceValue``: its encoding failed. The key was not set.
        public static let unencodable = Code(rawValue: "unencodable")
        /// The store cannot keep a value, or holds one that cannot be read. The key was not set.
        public static let unsupportedValue = Code(rawValue: "unsupportedValue")
        /// A key path does not lead where the call that it was given to needs it: to no key, but a namespace, say, or not
        /// to a whole key alone. Of this key path the call had no effect.
        public static let notAKey = Code(rawValue: "notAKey")
        /// A property that is stored under its own name would share its key with another: see
        /// ``PropertyNamedAccessors``.
        public static let nameClash = Code(rawValue: "nameClash")
        /// The store could not be read: permissions, input errors, a directory where a file should be.
        public static let storeUnreadable = Code(rawValue: "storeUnreadable")
        /// What the store's medium holds is not what the store writes: a file that does not parse. It is never
        /// overwritten: see ``setAside``.
        public static let storeMalformed = Code(rawValue: "storeMalformed")
        /// What the store's medium held was not what the store writes, and was kept under another name, which the
        /// message gives, before the store was written again; or it was saved by another program just while the store was
        /// written, again and again.
        public static let setAside = Code(rawValue: "setAside")
        /// The store could not be written. Nothing was changed; or, where the message says so, what was set waits to be
        /// written.
        public static let storeUnwritable = Code(rawValue: "storeUnwritable")
        /// Another process has kept the store locked for longer than a call waits. Nothing was changed; or, where the
        /// message says so, what was set waits to be written.
        public static let storeBusy = Code(rawValue: "storeBusy")
        /// The app is in the background, where stores lock no files: see ``StoreSuspension``. Nothing was changed.
        public static let storeSuspended = Code(rawValue: "storeSuspended")
        /// What the store takes at most is reached, as that of iCloud may be. The message says what the limits are, and what
        /// became of what was set.
        public static let quotaExceeded = Code(rawValue: "quotaExceeded")
        /// A migration could not use a stored value, which stays where it is, or has moved one to a store that does not read
        /// it: see <doc:Migrations>.
        public static let migrationFailed = Code(rawValue: "migrationFailed")
        /// The store's file is where changes that others make go untold: on a network file system.
        public static let remoteFileSystem = Code(rawValue: "remoteFileSystem")
        /// Other users could access the file of a secrets store. The message names the file and its permissions, and says
        /// whether they were narrowed.
        public static let secretsExposed = Code(rawValue: "secretsExposed")
        /// A value was set or reset in one layer of a ``LayeredStore``, and is read from another, which comes first.
        public static let shadowed = Code(rawValue: "shadowed")
        /// The change was made, but may not survive a power failure.
        public static let notDurable = Code(rawValue: "notDurable")
    }

    /// What kind of problem it is.
    public let code: Code
    /// The storage name of the key concerned; nil where the whole store is.
    public let key: String?
    /// The ``PreferenceStore/label`` of the store concerned; of a value in a ``LayeredStore``, its source.
    public let store: String
    /// What happened and what became of it, in a sentence without a full stop.
    public let message: String
    /// Whether the message contains nothing that the store holds: no value, and no name that was found there.
    ///
    /// ``Preferences`` report only such messages of a secrets store, and replace others by a fixed text.
    public let isMessagePublic: Bool

    /// Makes a problem, as stores do that throw one.
    ///
    /// - Parameters:
    ///   - code: What kind of problem it is.
    ///   - key: The storage name of the key concerned; nil, the default, where the whole store is.
    ///   - store: The store's ``PreferenceStore/label``.
    ///   - message: What happened, in a sentence without a full stop.
    ///   - isMessagePublic: Whether the message contains nothing that the store holds; false by default.
    public init(_ code: Code, key: String? = nil, store: String, message: String, isMessagePublic: Bool = false) {
        self.code = code
        self.key = key
        self.store = store
        self.message = message
        self.isMessagePublic = isMessagePublic
    }

    /// Whether two problems are the same to their reader, who does not see ``isMessagePublic``.
    public static func == (first: PreferenceProblem, second: PreferenceProblem) -> Bool {
        (first.code, first.key, first.store, first.message) == (second.code, second.key, second.store, second.message)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(key)
        hasher.combine(store)
        hasher.combine(message)
    }
}

extension PreferenceProblem: CustomStringConvertible {
    /// Store, key and message: `memory: 'weather-service:temperature': expected Double, found the string "warm"; …`.
    public var description: String {
        "\(store): \(key.map { "'\($0)': " } ?? "")\(message)"
    }
}

extension PreferenceProblem.Code: CustomStringConvertible {
    /// The kind's name.
    public var description: String { rawValue }
}

extension PreferenceProblem: LocalizedError {
    /// The same as ``description``, for code that shows any error's `localizedDescription`.
    public var errorDescription: String? { description }
}
