/// A change of the values in iCloud's key-value store that was not made by this program.
public struct UbiquitousChange: Sendable, Hashable {
    /// Why iCloud's key-value store has other values than before.
    public enum Reason: Int, Sendable, Hashable {
        /// Another device has changed values.
        case serverChange = 0
        /// The values of the account have arrived here for the first time.
        case initialSync = 1
        /// What was set here last is not kept, because it would take more than iCloud gives an app.
        case quotaViolation = 2
        /// Somebody has signed in or out: the values are those of another account, or none.
        case accountChange = 3
    }

    /// Why there are other values; nil where iCloud has not said so.
    public let reason: Reason?
    /// The names that have other values than before, or for ``Reason/quotaViolation`` those whose values
    /// are not kept; nil where it may be any.
    public let names: Set<String>?

    /// - Parameters:
    ///   - reason: The number that the system gave; nil where it gave none.
    ///   - names: The names that the system gave.
    package init(reason: Int?, names: [String]?) {
        self.reason = reason.flatMap(Reason.init)
        // It is not documented which names there are after a change of account, and so it is not for a reason that is not
        // known, which may be that one.
        let isWhole = names?.isEmpty != false || self.reason == .accountChange || self.reason == nil
        self.names = isWhole ? nil : names.map(Set.init)
    }
}
