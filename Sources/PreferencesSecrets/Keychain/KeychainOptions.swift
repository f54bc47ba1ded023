/// The location and protection of values in the keychain.
public struct KeychainOptions: Sendable, Hashable {
    /// The access group, which programs of one team can share.
    ///
    /// With nil, the default, new values are added to the program's first group, and values of the service are read,
    /// changed and removed in all groups that the program may use. A program with several groups should name one, or
    /// use a service for each.
    public var accessGroup: String?
    /// When the values are readable; by default while the device is unlocked.
    public var accessibility: KeychainAccessibility
    /// Whether the values are in iCloud Keychain, on all devices of the user; false by default.
    ///
    /// A store uses either synchronizable values or others. They cannot be combined with an accessibility of this
    /// device only.
    public var isSynchronizable: Bool
    /// The authentication required for each read; none by default. It applies to values that are set with it, and to
    /// older ones once they are set again.
    public var authentication: KeychainAuthentication?
    /// The name of the values in Keychain Access, `kSecAttrLabel`; nil, the default, for the service.
    public var label: String?
    /// The comment of the values in Keychain Access, `kSecAttrComment`; none by default.
    public var comment: String?
    /// Whether to use the data protection keychain on a Mac, as on all other Apple platforms; true by default.
    ///
    /// Access groups, accessibility, authentication and iCloud require it, and the program must be signed for it. With
    /// false, the store uses the login keychain, which holds the values of older programs, and of the other options
    /// only `label` and `comment` apply.
    public var usesDataProtectionKeychain: Bool

    /// Creates options.
    ///
    /// - Parameters:
    ///   - accessGroup: The access group; nil, the default, for any: see ``accessGroup``.
    ///   - accessibility: When the values are readable; by default while the device is unlocked.
    ///   - isSynchronizable: Whether the values are in iCloud Keychain; false by default.
    ///   - authentication: The authentication required for each read; none by default.
    ///   - label: The name of the values in Keychain Access; nil, the default, for the service.
    ///   - comment: The comment of the values in Keychain Access; none by default.
    ///   - usesDataProtectionKeychain: Whether to use the data protection keychain on a Mac; true by default.
    public init(
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .whenUnlocked,
        isSynchronizable: Bool = false,
        authentication: KeychainAuthentication? = nil,
        label: String? = nil,
        comment: String? = nil,
        usesDataProtectionKeychain: Bool = true
    ) {
        self.accessGroup = accessGroup
        self.accessibility = accessibility
        self.isSynchronizable = isSynchronizable
        self.authentication = authentication
        self.label = label
        self.comment = comment
        self.usesDataProtectionKeychain = usesDataProtectionKeychain
    }
}

/// When values in the keychain are readable: the `kSecAttrAccessible…` constants of the Security framework.
///
/// Values with `ThisDeviceOnly` are not synchronized, and not restored from backups to other devices.
public enum KeychainAccessibility: Sendable, Hashable, CaseIterable {
    /// While the device is unlocked: `kSecAttrAccessibleWhenUnlocked`.
    case whenUnlocked
    /// While the device is unlocked, on this device: `kSecAttrAccessibleWhenUnlockedThisDeviceOnly`.
    case whenUnlockedThisDeviceOnly
    /// After the first unlock since the device was started, so that background tasks can read them:
    /// `kSecAttrAccessibleAfterFirstUnlock`.
    case afterFirstUnlock
    /// After the first unlock, on this device: `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`.
    case afterFirstUnlockThisDeviceOnly
    /// While the device is unlocked and has a passcode, on this device; deleted when the passcode is removed:
    /// `kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly`.
    case whenPasscodeSetThisDeviceOnly
}

/// The authentication required to read a value: a constraint of `SecAccessControl`.
public struct KeychainAuthentication: Sendable, Hashable {
    /// The means of authentication.
    public enum Constraint: Sendable, Hashable, CaseIterable {
        /// Biometry or the passcode: `.userPresence`.
        case userPresence
        /// Any enrolled finger or face: `.biometryAny`.
        case biometryAny
        /// A finger or face that was enrolled when the value was set; changing the enrollment deletes the value:
        /// `.biometryCurrentSet`.
        case biometryCurrentSet
        /// The passcode: `.devicePasscode`.
        case devicePasscode
    }

    /// The means of authentication.
    public let constraint: Constraint
    /// The reason that the system shows to the user: `log in to Weather`. Not shown on tvOS.
    public let prompt: String

    /// Creates a requirement.
    ///
    /// - Parameters:
    ///   - constraint: The means of authentication.
    ///   - prompt: The reason, in the user's language.
    public init(_ constraint: Constraint, prompt: String) {
        self.constraint = constraint
        self.prompt = prompt
    }
}
