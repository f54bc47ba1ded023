package import Foundation
package import PreferencesSecrets

extension KeychainQuery {
    /// The items of a service, as options have them that say nothing else.
    package init(service: String) {
        self.init(
            service: service,
            account: nil,
            accessGroup: nil,
            isSynchronizable: false,
            usesDataProtectionKeychain: true,
            prompt: nil
        )
    }
}

extension KeychainContents {
    /// What other programs give an item.
    package init(data: Data, label: String? = nil) {
        self.init(
            data: data,
            generic: nil,
            label: label,
            comment: nil,
            protection: KeychainProtection(accessibility: .afterFirstUnlock, constraint: nil)
        )
    }
}
