public import PreferencesRuntime

extension PreferenceProblem.Code {
    /// The keychain is inaccessible because the device is locked (`errSecInteractionNotAllowed`).
    public static let keychainLocked = PreferenceProblem.Code(rawValue: "keychainLocked")
    /// The keychain denied the user or the program access (`errSecAuthFailed`).
    public static let authenticationFailed = PreferenceProblem.Code(rawValue: "authenticationFailed")
    /// The user cancelled the authentication (`errSecUserCanceled`).
    public static let authenticationCancelled = PreferenceProblem.Code(rawValue: "authenticationCancelled")
    /// The program is not signed for this part of the keychain (`errSecMissingEntitlement`).
    public static let missingEntitlement = PreferenceProblem.Code(rawValue: "missingEntitlement")
}

extension PreferenceProblem {
    /// Creates the problem of a failed keychain call.
    ///
    /// - Parameters:
    ///   - status: The result of the call.
    ///   - systemMessage: The system's message for the status; nil if there is none.
    ///   - isReading: Whether the call only reads.
    ///   - account: The account of the item; nil for all items.
    ///   - store: The store's label.
    init(_ status: KeychainStatus, _ systemMessage: String?, isReading: Bool, account: String?, store: String) {
        let operation = isReading ? "the keychain cannot be read" : "the keychain was not changed"
        let meaning = systemMessage.map { ": \($0.hasSuffix(".") ? String($0.dropLast()) : $0)" } ?? ""
        let advice = Self.advice(for: status).map { "; \($0)" } ?? ""
        self.init(
            Self.code(of: status) ?? (isReading ? .storeUnreadable : .storeUnwritable),
            key: account,
            store: store,
            message: "\(operation) (status \(status.rawValue)\(meaning))\(advice)",
            isMessagePublic: true,
            status: status.rawValue
        )
    }

    private static func code(of status: KeychainStatus) -> Code? {
        switch status {
        case .interactionNotAllowed: .keychainLocked
        case .authenticationFailed: .authenticationFailed
        case .userCanceled: .authenticationCancelled
        case .missingEntitlement: .missingEntitlement
        default: nil
        }
    }

    private static func advice(for status: KeychainStatus) -> String? {
        switch status {
        case .interactionNotAllowed:
            "the device is locked: try again when it is unlocked, or set the value with the accessibility "
                + "'afterFirstUnlock'"
        case .authenticationFailed:
            "the user or the program was not authenticated: ask again, or allow the program to use the item in "
                + "Keychain Access"
        case .userCanceled: "the user cancelled the authentication: ask again when the value is needed"
        case .missingEntitlement:
            "sign the program with the capability Keychain Sharing and this access group; a Mac program without it can use "
                + "the login keychain, with 'usesDataProtectionKeychain: false'"
        case .invalidParameter:
            "the options exclude each other: values in iCloud Keychain cannot be for this device only, nor require "
                + "authentication"
        case .duplicateItem: "another program changes the same item at the same time: try again"
        default: nil
        }
    }
}
