/// A key as an instance property or a local variable.
///
/// ```swift
/// struct Player {
///     @Preference("volume", [.range(0...100)]) var volume = 50
///     @Preference("nickname") var nickname: String?
///     @Preference(\.weather.temperature) var temperature
///     @Preference("CFBundleName", store: .bundle) var appName = "Weather"
/// }
///
/// player.volume += 1
/// player.$volume.watch { print($0.new) }
/// player.$volume.reset()
/// ```
///
/// Swift does not support property wrappers on global variables, and rejects them on static properties and in
/// `Sendable` classes, since a wrapped property is mutable. There, declare
/// `static let volume = PreferenceReference("volume", default: 50)`.
///
/// The initial value of the property is its default, which is never stored. The projected value is a
/// ``PreferenceReference``: watchers that are registered on it end when the property is deallocated.
@propertyWrapper
public struct Preference<Value: Sendable>: Sendable {
    /// The key.
    public let projectedValue: PreferenceReference<Value>

    /// The key's value, or its default.
    public var wrappedValue: Value {
        get { projectedValue.value }
        nonmutating set { projectedValue.value = newValue }
    }

    /// Creates a wrapper for a key that has an accessor.
    ///
    /// - Parameters:
    ///   - key: The key path from ``Preferences`` to the key's accessor.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    public init(
        _ key: any ReferenceWritableKeyPath<Preferences, Value> & Sendable,
        in preferences: Preferences = .shared
    ) {
        projectedValue = PreferenceReference(key, in: preferences)
    }
}

extension Preference where Value: PreferenceConvertible {
    /// Creates a wrapper for a key with a storage name.
    ///
    /// - Parameters:
    ///   - wrappedValue: The default.
    ///   - name: The key's storage name.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    public init(
        wrappedValue: Value,
        _ name: String,
        _ traits: [PreferenceTrait<Value>] = [],
        in preferences: Preferences = .shared
    ) {
        projectedValue = PreferenceReference(name, default: wrappedValue, traits, in: preferences)
    }

    /// Creates a wrapper for a key with a storage name, in a store.
    ///
    /// - Parameters:
    ///   - wrappedValue: The default.
    ///   - name: The key's storage name.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - store: The store. For several keys in one store, sharing one `Preferences` saves memory.
    public init(
        wrappedValue: Value,
        _ name: String,
        _ traits: [PreferenceTrait<Value>] = [],
        store: some PreferenceStore
    ) {
        self.init(wrappedValue: wrappedValue, name, traits, in: Preferences(store: store))
    }
}

extension Preference {
    /// Creates a wrapper for a key with a storage name that is stored in another representation.
    ///
    /// ```swift
    /// @Preference("disabled", through: .inverted) var isEnabled = true
    /// ```
    ///
    /// - Parameters:
    ///   - wrappedValue: The default, which does not pass through the transformation.
    ///   - name: The key's storage name.
    ///   - transformation: The transformation between the stored and the read values.
    ///   - traits: The traits of the read values, such as constraints; none by default.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    public init<Stored: PreferenceConvertible>(
        wrappedValue: Value,
        _ name: String,
        through transformation: PreferenceTransformation<Stored, Value>,
        _ traits: [PreferenceTrait<Value>] = [],
        in preferences: Preferences = .shared
    ) {
        projectedValue = PreferenceReference(
            name,
            default: wrappedValue,
            through: transformation,
            traits,
            in: preferences
        )
    }

    /// Creates a wrapper for a key with a storage name that is stored in another representation, in a store.
    ///
    /// - Parameters:
    ///   - wrappedValue: The default, which does not pass through the transformation.
    ///   - name: The key's storage name.
    ///   - transformation: The transformation between the stored and the read values.
    ///   - traits: The traits of the read values, such as constraints; none by default.
    ///   - store: The store. For several keys in one store, sharing one `Preferences` saves memory.
    public init<Stored: PreferenceConvertible>(
        wrappedValue: Value,
        _ name: String,
        through transformation: PreferenceTransformation<Stored, Value>,
        _ traits: [PreferenceTrait<Value>] = [],
        store: some PreferenceStore
    ) {
        self.init(wrappedValue: wrappedValue, name, through: transformation, traits, in: Preferences(store: store))
    }

    /// Creates a wrapper for an optional key with a storage name that is stored in another representation.
    ///
    /// ```swift
    /// @Preference("badge", through: .archive) var badge: Badge?    // a Sendable object that conforms to NSSecureCoding
    /// ```
    ///
    /// - Parameters:
    ///   - wrappedValue: The default, nil if the property has no initial value. It does not pass through the
    ///     transformation. Unless it is nil, setting nil stores ``PreferenceValue/null`` instead of resetting the key.
    ///   - name: The key's storage name.
    ///   - transformation: The transformation between the stored and the read values, which are not optional.
    ///   - traits: The traits of values that are not nil, such as constraints; none by default.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    @_disfavoredOverload  // A default that is not optional does not make the property optional.
    public init<Stored: PreferenceConvertible, Wrapped>(
        wrappedValue: Wrapped? = nil,
        _ name: String,
        through transformation: PreferenceTransformation<Stored, Wrapped>,
        _ traits: [PreferenceTrait<Wrapped>] = [],
        in preferences: Preferences = .shared
    ) where Value == Wrapped? {
        projectedValue = PreferenceReference(
            name,
            optionalDefault: wrappedValue,
            through: transformation,
            traits,
            in: preferences
        )
    }

    /// Creates a wrapper for an optional key with a storage name that is stored in another representation, in a store.
    ///
    /// - Parameters:
    ///   - wrappedValue: The default, nil if the property has no initial value. It does not pass through the
    ///     transformation. Unless it is nil, setting nil stores ``PreferenceValue/null`` instead of resetting the key.
    ///   - name: The key's storage name.
    ///   - transformation: The transformation between the stored and the read values, which are not optional.
    ///   - traits: The traits of values that are not nil, such as constraints; none by default.
    ///   - store: The store. For several keys in one store, sharing one `Preferences` saves memory.
    @_disfavoredOverload  // A default that is not optional does not make the property optional.
    public init<Stored: PreferenceConvertible, Wrapped>(
        wrappedValue: Wrapped? = nil,
        _ name: String,
        through transformation: PreferenceTransformation<Stored, Wrapped>,
        _ traits: [PreferenceTrait<Wrapped>] = [],
        store: some PreferenceStore
    ) where Value == Wrapped? {
        self.init(wrappedValue: wrappedValue, name, through: transformation, traits, in: Preferences(store: store))
    }
}

extension Preference where Value: PreferenceConvertible & ExpressibleByNilLiteral {
    /// Creates a wrapper for an optional key with a storage name, and the default nil.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    public init(
        _ name: String,
        _ traits: [PreferenceTrait<Value>] = [],
        in preferences: Preferences = .shared
    ) {
        self.init(wrappedValue: nil, name, traits, in: preferences)
    }

    /// Creates a wrapper for an optional key with a storage name, in a store, and the default nil.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - store: The store.
    public init(_ name: String, _ traits: [PreferenceTrait<Value>] = [], store: some PreferenceStore) {
        self.init(wrappedValue: nil, name, traits, store: store)
    }
}
