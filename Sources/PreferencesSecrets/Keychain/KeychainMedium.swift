/// What the keychain offers of generic passwords. Any threads may use it at the same time.
package protocol KeychainMedium: Sendable {
    /// The first item that matches, with its data, as `SecItemCopyMatching` gives it.
    func item(matching query: KeychainQuery) -> Result<KeychainItem, KeychainFailure>

    /// All items that match, with their attributes and without their data, so that nobody is asked for anything.
    func attributes(matching query: KeychainQuery) -> Result<[KeychainItem], KeychainFailure>

    /// `SecItemAdd`. There may be no item with the account, service, group and synchronizability.
    func add(_ query: KeychainQuery, _ contents: KeychainContents) -> KeychainStatus

    /// `SecItemUpdate`, which changes what is given of all items that match, and nothing else of them.
    func update(_ query: KeychainQuery, _ contents: KeychainContents) -> KeychainStatus

    /// `SecItemDelete`, of all items that match.
    func delete(_ query: KeychainQuery) -> KeychainStatus

    /// What a status means, as the system says it; nil where it says nothing.
    func message(of status: KeychainStatus) -> String?
}

/// A call that has failed.
package struct KeychainFailure: Error, Hashable {
    package let status: KeychainStatus

    package init(_ status: KeychainStatus) {
        self.status = status
    }
}
