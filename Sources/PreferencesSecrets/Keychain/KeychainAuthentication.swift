/// What a person has to do before the keychain gives a value: constraints of `SecAccessControl`.
public struct KeychainAuthentication: Sendable, Hashable {
    /// How a person is known.
    public enum Constraint: Sendable, Hashable, CaseIterable {
        /// By biometry or the passcode: `.userPresence`.
        case userPresence
        /// By a finger or a face that the device knows: `.biometryAny`.
        case biometryAny
        /// By a finger or a face that the device knew when the value was set; it is lost when these change:
        /// `.biometryCurrentSet`.
        case biometryCurrentSet
        /// By the passcode: `.devicePasscode`.
        case devicePasscode
    }

    /// How the person is known.
    public let constraint: Constraint
    /// Why, for the person, as the system shows it: `log in to Weather`. tvOS shows none.
    public let prompt: String

    /// Makes a requirement.
    ///
    /// - Parameters:
    ///   - constraint: How the person is known.
    ///   - prompt: Why, for the person, in their language.
    public init(_ constraint: Constraint, prompt: String) {
        self.constraint = constraint
        self.prompt = prompt
    }
}
