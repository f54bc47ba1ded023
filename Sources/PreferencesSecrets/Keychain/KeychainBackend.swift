/// The operations of a keychain on generic passwords. Safe to call from any thread.
package protocol KeychainBackend: Sendable {
    /// Returns the first matching item with its data, as `SecItemCopyMatching` does.
    func item(matching query: KeychainQuery) -> Result<KeychainItem, KeychainError>

    /// Returns the attributes of all matching items without their data, so that no authentication is required.
    func attributes(matching query: KeychainQuery) -> Result<[KeychainItem], KeychainError>

    /// Adds an item, as `SecItemAdd` does. It fails if an item with this account, service, group and synchronizability
    /// exists.
    func add(_ query: KeychainQuery, _ contents: KeychainContents) -> KeychainStatus

    /// Changes the given attributes of all matching items, as `SecItemUpdate` does.
    func update(_ query: KeychainQuery, _ contents: KeychainContents) -> KeychainStatus

    /// Deletes all matching items, as `SecItemDelete` does.
    func delete(_ query: KeychainQuery) -> KeychainStatus

    /// Returns the system's message for a status; nil if there is none.
    func message(of status: KeychainStatus) -> String?
}

/// The error of a failed call.
package struct KeychainError: Error, Hashable {
    package let status: KeychainStatus

    package init(_ status: KeychainStatus) {
        self.status = status
    }
}

/// The items that a call applies to.
package struct KeychainQuery: Hashable, Sendable {
    package var service: String
    /// The account; nil for all accounts.
    package var account: String?
    package var accessGroup: String?
    package var isSynchronizable: Bool
    package var usesDataProtectionKeychain: Bool
    /// The text that the system shows when it asks for authentication.
    package var prompt: String?

    package init(
        service: String,
        account: String?,
        accessGroup: String?,
        isSynchronizable: Bool,
        usesDataProtectionKeychain: Bool,
        prompt: String?
    ) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        self.isSynchronizable = isSynchronizable
        self.usesDataProtectionKeychain = usesDataProtectionKeychain
        self.prompt = prompt
    }
}

/// The result of a keychain call: an `OSStatus` of `SecBase.h`.
package struct KeychainStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package static let success = KeychainStatus(rawValue: 0)
    package static let invalidParameter = KeychainStatus(rawValue: -50)
    package static let userCanceled = KeychainStatus(rawValue: -128)
    package static let authenticationFailed = KeychainStatus(rawValue: -25_293)
    package static let duplicateItem = KeychainStatus(rawValue: -25_299)
    package static let itemNotFound = KeychainStatus(rawValue: -25_300)
    package static let interactionNotAllowed = KeychainStatus(rawValue: -25_308)
    package static let missingEntitlement = KeychainStatus(rawValue: -34_018)
}
