public import PreferencesRuntime

extension PreferenceProblem.Code {
    /// The key of an ``EncryptedStore`` is not the one that its values were encrypted with. Nothing is read, and
    /// nothing was changed.
    public static let wrongKey = PreferenceProblem.Code(rawValue: "wrongKey")
    /// A value of an ``EncryptedStore`` was not encrypted with its key and under its name, or was changed since. It
    /// stays until its key is set or reset.
    public static let notAuthentic = PreferenceProblem.Code(rawValue: "notAuthentic")
}
