/// Where in the keychain values are kept, and for whom.
public struct KeychainOptions: Sendable, Hashable {
    /// The access group, which programs of one team can share. Nil, the default, sets new values in the program's own first
    /// one, and reads, changes and removes those of the service in any that the program may use: a program of more than one
    /// group names it, or has a service for each.
    public var accessGroup: String?
    /// When the values can be read; while the device is unlocked by default, as Apple has it.
    public var accessibility: KeychainAccessibility
    /// Whether the values are in iCloud Keychain, on all devices of the person. False by default. Such values and
    /// others are apart: a store has either, and the accessibility must not be one of this device only.
    public var isSynchronizable: Bool
    /// What the person has to do each time that a value is read; nothing by default. A value that was set without it is
    /// given without it until it is set again.
    public var authentication: KeychainAuthentication?
    /// What the values are called where people look at the keychain, `kSecAttrLabel`; nil, the default, for the
    /// service.
    public var label: String?
    /// What else people are told there, `kSecAttrComment`; nothing by default.
    public var comment: String?
    /// Whether on a Mac it is the keychain that all Apple systems have. True by default, and needed for access groups,
    /// accessibility, authentication and iCloud; the program has to be signed for it. With false it is the login
    /// keychain, in which older programs have their values, and of the others only `label` and `comment` count.
    public var usesDataProtectionKeychain: Bool

    /// Makes options.
    ///
    /// - Parameters:
    ///   - accessGroup: The access group; nil, the default, for any: see ``accessGroup``.
    ///   - accessibility: When the values can be read; while the device is unlocked by default.
    ///   - isSynchronizable: Whether the values are in iCloud Keychain; false by default.
    ///   - authentication: What the person has to do each time that a value is read; nothing by default.
    ///   - label: What the values are called for people; nil, the default, for the service.
    ///   - comment: What else people are told; nothing by default.
    ///   - usesDataProtectionKeychain: Whether on a Mac it is the keychain that all Apple systems have; true by
    ///     default.
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
