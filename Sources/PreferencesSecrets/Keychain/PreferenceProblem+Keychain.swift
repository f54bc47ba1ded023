public import PreferencesRuntime

extension PreferenceProblem.Code {
    /// The keychain does not give or take a value as the device is locked (`errSecInteractionNotAllowed`).
    public static let keychainLocked = PreferenceProblem.Code(rawValue: "keychainLocked")
    /// A person, or the program, was not let at a value of the keychain (`errSecAuthFailed`).
    public static let authenticationFailed = PreferenceProblem.Code(rawValue: "authenticationFailed")
    /// A person was asked for a value of the keychain, and has cancelled that (`errSecUserCanceled`).
    public static let authenticationCancelled = PreferenceProblem.Code(rawValue: "authenticationCancelled")
    /// The program is not signed for this part of the keychain (`errSecMissingEntitlement`).
    public static let missingEntitlement = PreferenceProblem.Code(rawValue: "missingEntitlement")
}

extension PreferenceProblem {
    /// A call of the keychain has failed.
    ///
    /// - Parameters:
    ///   - status: What it returned.
    ///   - words: What that means, as the system says it; nil where it says nothing.
    ///   - isReading: Whether it was one that changes nothing.
    ///   - account: Of which item; nil where it was of all.
    ///   - store: The store's label.
    init(_ status: KeychainStatus, _ words: String?, isReading: Bool, account: String?, store: String) {
        let operation = isReading ? "the keychain cannot be read" : "the keychain was not changed"
        let meaning = words.map { ": \($0.hasSuffix(".") ? String($0.dropLast()) : $0)" } ?? ""
        let advice = Self.advice(for: status).map { "; \($0)" } ?? ""
        self.init(
            Self.code(of: status) ?? (isReading ? .storeUnreadable : .storeUnwritable),
            key: account,
            store: store,
            message: "\(operation) (status \(status.rawValue)\(meaning))\(advice)",
            isMessagePublic: true
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
            "the person or the program was not recognized: ask again, or allow the program to use the item in "
                + "Keychain Access"
        case .userCanceled: "the person has cancelled: ask again when the value is needed"
        case .missingEntitlement:
            "sign the program with the capability Keychain Sharing and this access group; a Mac program without it has "
                + "the login keychain, with 'usesDataProtectionKeychain: false'"
        case .invalidParameter:
            "the options do not go together: what is in iCloud Keychain cannot be for this device only, nor ask for "
                + "a person"
        case .duplicateItem: "another program changes the same item at the same time: try again"
        default: nil
        }
    }
}
