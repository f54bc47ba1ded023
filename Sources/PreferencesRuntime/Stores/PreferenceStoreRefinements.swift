/// A store that converts stored values to the types of keys itself, such as one that stores text.
///
/// A store without this protocol represents each type by its ``PreferenceValue``. If it does not support
/// ``PreferenceStoreCapabilities/typedValues``, values are read from text: `21.5`, `yes`, `2026-11-22T08:00:00Z`,
/// base64 for data, `Oslo,Bergen` for a list, and JSON for any type.
public protocol ValueConvertingStore: PreferenceStore {
    /// Converts one of the store's values to a type.
    ///
    /// - Parameters:
    ///   - value: The value, as ``PreferenceStore/value(for:)`` returned it.
    ///   - name: The name under which it is stored.
    ///   - type: The type of the key.
    /// - Throws: ``PreferenceConversionError`` if the value does not fit the type. Any other error is reported with its
    ///   own description.
    func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value

    /// Whether ``convert(_:of:to:)`` decodes a value from an encoding that other stores do not read. False by default.
    ///
    /// A migration reports the encoded values that it has moved to a store that does not decode them.
    func decodes(_ value: PreferenceValue) -> Bool
}

extension ValueConvertingStore {
    /// False.
    public func decodes(_ value: PreferenceValue) -> Bool { false }
}

/// A store that reports the source of each value more precisely than by its label.
public protocol SourceReportingStore: PreferenceStore {
    /// Returns the source of a value.
    ///
    /// - Parameter name: The name under which it is stored.
    /// - Returns: The source; nil if the name is not set.
    /// - Throws: An error if the store, or this one value, cannot be read.
    func source(of name: String) throws -> PreferenceSource?
}

/// A store that does not support all capabilities.
///
/// The tests of `PreferencesStoreTesting` verify that a store supports each capability that it does not declare here,
/// and refuses those that it declares.
public protocol CapabilityDeclaringStore: PreferenceStore {
    /// The capabilities that the store does not support. ``PreferenceStoreCapabilities/writing`` need not be declared
    /// by a store that is not a ``WritablePreferenceStore``.
    var unsupportedCapabilities: PreferenceStoreCapabilities { get }
}

/// A store that can protect its contents from other users.
public protocol SecretProtectingStore: PreferenceStore {
    /// Restricts access to the contents to their owner, from now on, because they are secrets.
    ///
    /// ``Preferences`` call it for their secrets store before they read or write it for the first time. If other users
    /// can access the store's file, the store reports ``PreferenceProblem/Code/secretsExposed``, and narrows the
    /// permissions if the process's user owns the file. Contents are neither read nor changed. A store that finds such
    /// a file later, because another program has replaced it, notifies its observers.
    ///
    /// - Returns: The exposures so far.
    func protectSecrets() -> [PreferenceProblem]
}

/// A store with values that an administrator has fixed: a ``ManagedStore``, or one that contains such a store, as a layer
/// or as the base of an adapter.
///
/// They apply to declared names alone. ``Preferences`` declare a name when they first use an accessor of a key with the
/// trait ``PreferenceTrait/managed``, together with the key's former names.
///
/// ```swift
/// let store = LayeredStore([ManagedStore(policy), FileStore.default])
/// store.declareManaged("weather:unit", formerNames: [])
/// store.managedValue(of: "weather:unit")?.policy    // what fixes it
/// ```
public protocol ManageableStore: PreferenceStore {
    /// Whether the store contains a ``ManagedStore``. It never changes.
    var hasPolicy: Bool { get }

    /// Declares that an administrator may fix a name. If this changes what the name reads as, observers are notified.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - formerNames: The former names of the key, newest first. A policy for one of them fixes the key, unless there is
    ///     one for the name itself.
    func declareManaged(_ name: String, formerNames: [String])

    /// Returns the fixed value of a declared name.
    ///
    /// - Returns: The fixed value, which is then what the name reads as; nil if the name is not declared or not fixed.
    func managedValue(of name: String) -> ManagedValue?

    /// Returns the declared names that are fixed, at values or at their defaults.
    func managedNames() -> Set<String>

    /// Returns what a name would read as if nothing were fixed. Batches of updates are made from these values.
    ///
    /// - Throws: As ``PreferenceStore/value(for:)``.
    func unmanagedValue(for name: String) throws -> PreferenceValue?
}

// MARK: - Calling any store

/// The operations of the refinements, for stores of any kind.
///
/// Their names differ from those of the requirements. With the same name, a method of this extension would satisfy the
/// requirement, and call itself.
extension PreferenceStore {
    /// Returns whether the store supports all of the given capabilities.
    public func supports(_ capabilities: PreferenceStoreCapabilities) -> Bool {
        PreferenceStoreCapabilities(unsupportedBy: self).isDisjoint(with: capabilities)
    }

    /// Converts one of the store's values to a type, as ``ValueConvertingStore/convert(_:of:to:)`` does.
    ///
    /// - Parameters:
    ///   - value: The value, as ``value(for:)`` returned it.
    ///   - name: The name under which it is stored.
    ///   - type: The type.
    /// - Throws: An error if the value does not fit the type.
    public func read<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        as type: Value.Type
    ) throws -> Value {
        if let store = self as? any ValueConvertingStore { return try store.convert(value, of: name, to: type) }
        return try supports(.typedValues) ? Value(preferenceValue: value) : StringDecoder().decode(value, as: type)
    }

    /// Whether the store decodes a value, as ``ValueConvertingStore/decodes(_:)``.
    public func isEncoded(_ value: PreferenceValue) -> Bool {
        (self as? any ValueConvertingStore)?.decodes(value) ?? false
    }

    /// Returns the source of a value: as ``SourceReportingStore/source(of:)`` returns it, or this store and the name.
    ///
    /// - Parameter name: The name under which it is stored.
    /// - Returns: The source; nil if the name is not set.
    /// - Throws: An error if the store, or this one value, cannot be read.
    public func origin(of name: String) throws -> PreferenceSource? {
        if let store = self as? any SourceReportingStore { return try store.source(of: name) }
        return try value(for: name) == nil ? nil : PreferenceSource(store: label, name: name)
    }

    /// The store itself if it has values that an administrator has fixed; otherwise nil.
    var manageable: (any ManageableStore)? {
        guard let store = self as? any ManageableStore, store.hasPolicy else { return nil }
        return store
    }

    /// Returns what a name would read as if nothing were fixed.
    package func ownValue(for name: String) throws -> PreferenceValue? {
        guard let manageable else { return try value(for: name) }
        return try manageable.unmanagedValue(for: name)
    }

    /// Protects the contents, if the store can do so, and returns the exposures so far.
    package func restrictAccess() -> [PreferenceProblem] {
        (self as? any SecretProtectingStore)?.protectSecrets() ?? []
    }
}

/// Capabilities of stores. A store declares those that it does not support: ``CapabilityDeclaringStore``.
public struct PreferenceStoreCapabilities: OptionSet, Sendable, Hashable {
    /// The bits of the capabilities.
    public let rawValue: UInt32

    /// Creates a set from its bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Creates the set of the capabilities that a store does not support: those that it declares, and ``writing`` if it
    /// is not a ``WritablePreferenceStore``.
    public init(unsupportedBy store: any PreferenceStore) {
        self = (store as? any CapabilityDeclaringStore)?.unsupportedCapabilities ?? []
        if !(store is any WritablePreferenceStore) { insert(.writing) }
    }

    /// Values can be set and removed. A store that does not support this throws
    /// ``PreferenceProblem/Code/storeUnwritable`` for every batch that is not empty.
    public static let writing = PreferenceStoreCapabilities(rawValue: 1 << 0)
    /// ``PreferenceStore/names()`` returns the names of all values.
    public static let listing = PreferenceStoreCapabilities(rawValue: 1 << 1)
    /// Another store over the same backend, in this process or a later one, has the values that were set.
    public static let persistence = PreferenceStoreCapabilities(rawValue: 1 << 2)
    /// A batch is applied whole or not at all, even if the process is killed meanwhile.
    public static let crashSafety = PreferenceStoreCapabilities(rawValue: 1 << 3)
    /// No other process, and no other store over the same backend, changes a value between a read of
    /// ``WritablePreferenceStore/update(_:)`` and its write. Threads that use one store are always excluded.
    public static let exclusiveUpdates = PreferenceStoreCapabilities(rawValue: 1 << 4)
    /// A backend that cannot be read is distinguished from an empty one: reads return the values read before, or throw
    /// a ``PreferenceProblem``.
    public static let faultDetection = PreferenceStoreCapabilities(rawValue: 1 << 5)

    /// ``PreferenceValue/null`` can be stored, and is distinguished from a name that is not set. A store that does not
    /// support this or another kind of values throws ``PreferenceProblem/Code/unsupportedValue`` for them, and changes
    /// nothing.
    public static let null = PreferenceStoreCapabilities(rawValue: 1 << 8)
    /// Values other than strings can be stored.
    public static let typedValues = PreferenceStoreCapabilities(rawValue: 1 << 9)
    /// Values of a megabyte can be stored.
    public static let largeValues = PreferenceStoreCapabilities(rawValue: 1 << 10)

    /// A value is read as it was set. A ``TransformedStore`` whose transformation rounds numbers does not support this,
    /// nor does a store whose ``ValueConvertingStore/convert(_:of:to:)`` returns a different value from the stored one.
    /// ``Preferences`` read their values again after each change.
    public static let exactValues = PreferenceStoreCapabilities(rawValue: 1 << 11)

    /// The empty name can be used. A store that does not support this or other names throws
    /// ``PreferenceProblem/Code/unsupportedValue`` for them, and changes nothing.
    public static let emptyName = PreferenceStoreCapabilities(rawValue: 1 << 16)
    /// Names can have thousands of characters.
    public static let longNames = PreferenceStoreCapabilities(rawValue: 1 << 17)
    /// Names can have any characters, including NUL and other control characters.
    public static let controlCharactersInNames = PreferenceStoreCapabilities(rawValue: 1 << 18)
}
