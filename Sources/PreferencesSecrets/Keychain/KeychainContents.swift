package import Foundation

/// Who may read an item, and when.
package struct KeychainProtection: Hashable, Sendable {
    package var accessibility: KeychainAccessibility
    package var constraint: KeychainAuthentication.Constraint?

    package init(accessibility: KeychainAccessibility, constraint: KeychainAuthentication.Constraint?) {
        self.accessibility = accessibility
        self.constraint = constraint
    }
}

/// What an item is given.
package struct KeychainContents: Hashable, Sendable {
    package var data: Data
    /// `kSecAttrGeneric`, which programs may use as they like.
    package var generic: Data?
    package var label: String?
    package var comment: String?
    package var protection: KeychainProtection

    package init(data: Data, generic: Data?, label: String?, comment: String?, protection: KeychainProtection) {
        self.data = data
        self.generic = generic
        self.label = label
        self.comment = comment
        self.protection = protection
    }
}
