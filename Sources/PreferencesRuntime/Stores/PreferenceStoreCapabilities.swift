/// What stores can do, of which one may lack some. ``PreferenceStore/unsupportedCapabilities`` says what.
public struct PreferenceStoreCapabilities: OptionSet, Sendable, Hashable {
    /// A bit for each capability.
    public let rawValue: UInt32

    /// Makes a set from its bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Values can be set and removed. A store that lacks it throws
    /// ``PreferenceProblem/Code/storeUnwritable`` for every batch that is not empty.
    public static let writing = PreferenceStoreCapabilities(rawValue: 1 << 0)
    /// ``PreferenceStore/names()`` gives the names of all values.
    public static let listing = PreferenceStoreCapabilities(rawValue: 1 << 1)
    /// Another store over the same medium, in this process or a later one, has the values that this one was given.
    public static let persistence = PreferenceStoreCapabilities(rawValue: 1 << 2)
    /// A batch is made whole or not at all even where the process is killed in the middle of it.
    public static let crashSafety = PreferenceStoreCapabilities(rawValue: 1 << 3)
    /// Nobody, in another process either, changes anything between the closure of ``PreferenceStore/update(_:)`` and what
    /// it writes.
    public static let exclusiveUpdates = PreferenceStoreCapabilities(rawValue: 1 << 4)
    /// A medium that cannot be read is told from one that nothing is kept in: what was read before is still given, or a
    /// ``PreferenceProblem`` thrown.
    public static let faultDetection = PreferenceStoreCapabilities(rawValue: 1 << 5)

    /// ``PreferenceValue/null`` can be kept, and is told from a name that is not set. A store that lacks this or another
    /// kind of values throws ``PreferenceProblem/Code/unsupportedValue`` for them, and changes nothing.
    public static let null = PreferenceStoreCapabilities(rawValue: 1 << 8)
    /// Values other than text can be kept.
    public static let typedValues = PreferenceStoreCapabilities(rawValue: 1 << 9)
    /// Values of a megabyte can be kept.
    public static let largeValues = PreferenceStoreCapabilities(rawValue: 1 << 10)

    /// A value is read as it was set. A store that lacks it may give another one, as ``TransformedStore`` may whose
    /// transformation rounds numbers, or one whose ``PreferenceStore/convert(_:of:to:)`` returns another value than the one that
    /// is stored. ``Preferences`` ask it again after each change.
    public static let exactValues = PreferenceStoreCapabilities(rawValue: 1 << 11)

    /// The empty name is one as any other. A store that lacks this or other names throws
    /// ``PreferenceProblem/Code/unsupportedValue`` for them, and changes nothing.
    public static let emptyName = PreferenceStoreCapabilities(rawValue: 1 << 16)
    /// Names may have thousands of characters.
    public static let longNames = PreferenceStoreCapabilities(rawValue: 1 << 17)
    /// Names may have any characters, such as NUL and other control characters.
    public static let controlCharactersInNames = PreferenceStoreCapabilities(rawValue: 1 << 18)
}
