public import Foundation

/// A failure concerning preferences, such as a stored value that cannot be read, or a failed write.
///
/// ``Preferences/problems`` delivers the problems that could not be thrown, and
/// ``PreferenceAccessors/set(_:to:)-(ReferenceWritableKeyPath<Self,Value>,_)`` throws them. Reads return the key's
/// default, and the stored value is preserved.
public struct PreferenceProblem: Error, Sendable, Hashable {
    /// The kind of a problem. Later versions may add kinds: a `switch` needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name, such as `typeMismatch`.
        public let rawValue: String

        /// Creates a kind, such as a custom one for a store.
        ///
        /// - Parameter rawValue: The name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A stored value cannot be read as the key's type. The key reads as its default until the value is replaced.
        public static let typeMismatch = Code(rawValue: "typeMismatch")
        /// A value violates a constraint of its key. If it is stored, the key reads as its default until the value is
        /// replaced; if it was to be set, it was not.
        public static let constraintViolation = Code(rawValue: "constraintViolation")
        /// A key is secret, and the ``Preferences`` have no secrets store. The key reads as its default, and cannot be
        /// set. The message contains the reason, and how to give them a store.
        public static let noSecretsStore = Code(rawValue: "noSecretsStore")
        /// A value cannot be encoded as a ``PreferenceValue``. The key was not set.
        public static let unencodable = Code(rawValue: "unencodable")
        /// The store cannot represent a value, or holds one that cannot be read. The key was not set.
        public static let unsupportedValue = Code(rawValue: "unsupportedValue")
        /// A key path does not suit a call: for example, it leads to a namespace or to a part of a key. The call has no
        /// effect for this key path.
        public static let notAKey = Code(rawValue: "notAKey")
        /// A property that is stored under its own name would share its key with another: see
        /// ``PropertyNamedAccessors``.
        public static let nameClash = Code(rawValue: "nameClash")
        /// The store could not be read: for example, because of permissions, input errors, or a directory in place of a
        /// file.
        public static let storeUnreadable = Code(rawValue: "storeUnreadable")
        /// The file of the store does not exist, although it must: see ``FileStore/existing()``.
        public static let storeMissing = Code(rawValue: "storeMissing")
        /// The contents of the store's file or other backend are malformed: for example, a file does not parse. They
        /// are never overwritten: see ``setAside``.
        public static let storeMalformed = Code(rawValue: "storeMalformed")
        /// Malformed contents of the store's backend were kept under another name, which the message gives, before the
        /// store was written again; or another program repeatedly saved the contents while the store was being written.
        public static let setAside = Code(rawValue: "setAside")
        /// The store could not be written. Nothing was changed, unless the message states that the changes are pending.
        public static let storeUnwritable = Code(rawValue: "storeUnwritable")
        /// Another process kept the store locked for longer than the call's time limit. Nothing was changed; or, if the
        /// message says so, the changes are pending.
        public static let storeBusy = Code(rawValue: "storeBusy")
        /// The app is in the background, where stores lock no files: see ``StoreSuspension``. Nothing was changed.
        public static let storeSuspended = Code(rawValue: "storeSuspended")
        /// The store's quota, such as that of iCloud, is exceeded. The message gives the limits, and the effect on the
        /// changes.
        public static let quotaExceeded = Code(rawValue: "quotaExceeded")
        /// A migration could not use a stored value, which stays where it is, or has moved one to a store that cannot
        /// read it: see <doc:Migrations>.
        public static let migrationFailed = Code(rawValue: "migrationFailed")
        /// The store's file is on a network file system, where changes by other machines are not reported.
        public static let remoteFileSystem = Code(rawValue: "remoteFileSystem")
        /// Other users could access the file of a secrets store. The message gives the file and its permissions, and
        /// says whether they were restricted.
        public static let secretsExposed = Code(rawValue: "secretsExposed")
        /// A value was set or reset in one layer of a ``LayeredStore``, but is read from another, which takes
        /// precedence.
        public static let shadowed = Code(rawValue: "shadowed")
        /// An administrator has fixed the value of the key: see ``ManagedStore``. It was not set or reset.
        public static let managed = Code(rawValue: "managed")
        /// A user could have written the file of a policy, which therefore has no effect. The message says which file or
        /// folder is at fault, and what to do: see ``ManagedStore``.
        public static let untrustedPolicy = Code(rawValue: "untrustedPolicy")
        /// A name in the store belongs to no key: see ``Preferences/unrecognizedNames()``. Nothing reads its value.
        public static let unrecognizedName = Code(rawValue: "unrecognizedName")
        /// A stored value has a field that its type does not have: see ``Preferences/unrecognizedNames()``. Nothing reads
        /// the field. The problem's ``PreferenceProblem/key`` is followed by the path of the field:
        /// `weather:station.nmae`.
        public static let unrecognizedField = Code(rawValue: "unrecognizedField")
        /// A key was read in the body of a view or inside `withObservationTracking`, which the ``Preferences`` do not
        /// notify of changes, because they were not created with `isObserved`. Reported once for each `Preferences`.
        public static let notObserved = Code(rawValue: "notObserved")
        /// The change was made, but may not survive a power failure.
        public static let notDurable = Code(rawValue: "notDurable")
    }

    /// The kind of the problem.
    public let code: Code
    /// The storage name of the affected key; nil if the whole store is affected.
    public let key: String?
    /// The affected store: its ``PreferenceStore/label``, in a ``LayeredStore`` that of the layer at fault; for a stored
    /// value, the description of its ``PreferenceSource``.
    public let store: String
    /// A description of the problem and its consequences, as a sentence without a full stop.
    public let message: String
    /// Whether the message contains nothing from the store: no value, and no name that was found there.
    ///
    /// ``Preferences`` report only such messages of a secrets store, and replace other messages by a fixed text.
    public let isMessagePublic: Bool
    /// The status of the system's call that failed; nil if there is none. A `KeychainStore` gives its `OSStatus`, such as
    /// `errSecInteractionNotAllowed`.
    public let status: Int32?
    /// The message without the consequences that were added to it.
    package internal(set) var reason: String
    /// Whether the file is an intact one of another format, and not a damaged one of the store's.
    package var isOfForeignFile = false

    /// Creates a problem, such as one for a store to throw.
    ///
    /// - Parameters:
    ///   - code: The kind of the problem.
    ///   - key: The storage name of the affected key; nil, the default, if the whole store is affected.
    ///   - store: The store's ``PreferenceStore/label``.
    ///   - message: A description of the problem, as a sentence without a full stop.
    ///   - isMessagePublic: Whether the message contains nothing from the store; false by default.
    ///   - status: The status of the system's call that failed; nil by default.
    public init(
        _ code: Code,
        key: String? = nil,
        store: String,
        message: String,
        isMessagePublic: Bool = false,
        status: Int32? = nil
    ) {
        self.code = code
        self.key = key
        self.store = store
        self.message = message
        self.isMessagePublic = isMessagePublic
        self.status = status
        reason = message
    }

    /// Creates a problem that an error caused, for stores that add a code and a key to it.
    ///
    /// - Parameters:
    ///   - code: The kind of the problem.
    ///   - key: The storage name of the affected key; nil, the default, if the whole store is affected.
    ///   - store: The store's ``PreferenceStore/label``.
    ///   - error: The cause. Its description becomes the message; that of a decoding error includes the coding path.
    public init(_ code: Code, key: String? = nil, store: String, error: any Error) {
        self.init(code, key: key, store: store, message: ErrorText(error).description)
    }

    /// Returns whether two problems have the same code, key, store, message and status.
    public static func == (first: PreferenceProblem, second: PreferenceProblem) -> Bool {
        (first.code, first.key, first.store, first.message, first.status)
            == (second.code, second.key, second.store, second.message, second.status)
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(key)
        hasher.combine(store)
        hasher.combine(message)
        hasher.combine(status)
    }
}

extension PreferenceProblem: CustomStringConvertible {
    /// The store, key and message:
    /// `memory: 'weather-service:temperature': expected Double, found the string "warm"; …`.
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
