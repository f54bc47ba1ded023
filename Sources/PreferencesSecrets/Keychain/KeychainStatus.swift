/// What a call of the keychain returns: an `OSStatus`, as `SecBase.h` has them.
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
