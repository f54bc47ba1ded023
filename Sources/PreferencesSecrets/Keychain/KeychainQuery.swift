/// Which items are meant.
package struct KeychainQuery: Hashable, Sendable {
    package var service: String
    /// Nil for those of all accounts.
    package var account: String?
    package var accessGroup: String?
    package var isSynchronizable: Bool
    package var usesDataProtectionKeychain: Bool
    /// What a person is told who is asked for something.
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
