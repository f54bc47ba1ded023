package import Foundation

/// What an item has.
package struct KeychainItem: Sendable {
    package var account: String
    /// Nil where it was not asked for, or there is none.
    package var data: Data?
    package var generic: Data?
    package var label: String?
    package var comment: String?
    /// Nil where it is none of those that are known.
    package var accessibility: KeychainAccessibility?

    package init(
        account: String,
        data: Data? = nil,
        generic: Data? = nil,
        label: String? = nil,
        comment: String? = nil,
        accessibility: KeychainAccessibility? = nil
    ) {
        self.account = account
        self.data = data
        self.generic = generic
        self.label = label
        self.comment = comment
        self.accessibility = accessibility
    }
}
