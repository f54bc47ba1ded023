/// What a watcher is told, and when.
public struct PreferenceWatchOptions: OptionSet, Sendable, Hashable {
    /// A bit for each option.
    public let rawValue: Int

    /// Makes a set of the options whose bits are set.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Every change, with its new value. This is so with all options.
    public static let new = PreferenceWatchOptions(rawValue: 1)
    /// Also the value before, as ``PreferenceChange/old``.
    public static let old = PreferenceWatchOptions(rawValue: 2)
    /// First of all the value that the key has when the watcher is registered, before any change.
    public static let initial = PreferenceWatchOptions(rawValue: 4)
    /// Not those changes after which the key reads as before, where its type is `Equatable`: a key that is set to its
    /// default, a computed property that does not depend on what was changed.
    public static let removeDuplicates = PreferenceWatchOptions(rawValue: 8)
}
