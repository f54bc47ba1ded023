/// Names that are the strings of a type, such as an enumeration, in place of strings:
///
/// ```swift
/// enum Setting: String { case volume, theme }
///
/// preferences.get(named: Setting.volume, default: 50)
/// ```
///
/// Each function does the same as the one that takes a string.
extension Preferences {
    /// Returns the value of a key, or its default, as ``get(named:default:)-(String,_)`` does.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return if the key is not set, or its value cannot be read as this type.
    @inlinable
    public func get<Value: PreferenceConvertible>(
        named name: some RawRepresentable<String>,
        default: @autoclosure () -> Value
    ) -> Value {
        get(named: name.rawValue, default: `default`())
    }

    /// Returns the value of a key, or nil, as ``get(named:as:)-(String,_)`` does.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - type: The type of the value.
    @inlinable
    public func get<Value: PreferenceConvertible>(
        named name: some RawRepresentable<String>,
        as type: Value.Type
    ) -> Value? {
        get(named: name.rawValue, as: type)
    }

    /// Sets a key, or resets it if the value is nil, as ``set(named:to:)-(String,_)`` does.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: Its new value.
    public func set<Value: PreferenceConvertible>(named name: some RawRepresentable<String>, to value: Value) {
        set(named: name.rawValue, to: value)
    }

    /// Sets an optional key whose default is not nil, as ``set(named:to:default:)-(String,_,_)`` does.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: Its new value.
    ///   - default: The key's default.
    public func set<Value: PreferenceConvertible>(
        named name: some RawRepresentable<String>,
        to value: Value?,
        default: @autoclosure () -> Value?
    ) {
        set(named: name.rawValue, to: value, default: `default`())
    }

    /// Returns whether any of some keys is set, possibly to its default or to a value that cannot be read.
    ///
    /// - Parameters:
    ///   - name: The storage name of a key.
    ///   - others: Those of further keys, also of other types.
    public func isSet(named name: some RawRepresentable<String>, _ others: any RawRepresentable<String>...) -> Bool {
        isSet(named: name.rawValue) || others.contains { isSet(named: $0.rawValue) }
    }

    /// Resets keys together, so that they read as their defaults. A failure is reported through ``problems``.
    ///
    /// - Parameters:
    ///   - name: The storage name of a key.
    ///   - others: Those of further keys, also of other types.
    public func reset(named name: some RawRepresentable<String>, _ others: any RawRepresentable<String>...) {
        // Not a key path: Swift 6.3 crashes on one of an existential type.
        let names = [name.rawValue] + others.map { $0.rawValue }
        reset(Set(names.map { PreferenceEntry($0) }))
    }

    /// Returns where the current value of a key comes from, and the stored values that could not be used.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - type: The type that the value is read as.
    public func resolution<Value: PreferenceConvertible>(
        named name: some RawRepresentable<String>,
        as type: Value.Type
    ) -> PreferenceResolution {
        resolution(named: name.rawValue, as: type)
    }

    /// The raw value that is stored under a name; nil if the name is not set. Setting nil resets the key.
    ///
    /// - Parameter name: The key's storage name.
    public subscript(name: some RawRepresentable<String>) -> PreferenceValue? {
        get { self[name.rawValue] }
        set { self[name.rawValue] = newValue }
    }

    /// Changes the value of a key atomically, as ``update(named:default:_:)-(String,_,_)`` does.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to change if the key is not set.
    ///   - body: Changes the value. If it throws, nothing changes.
    /// - Returns: The result of the body.
    /// - Throws: Any error of the body, or the ``PreferenceProblem`` of the commit.
    @discardableResult
    public func update<Value: PreferenceConvertible, Result>(
        named name: some RawRepresentable<String>,
        default: Value,
        _ body: (inout Value) throws -> Result
    ) throws -> Result {
        try update(named: name.rawValue, default: `default`, body)
    }

    /// Returns a reference to a key of these preferences.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be read as this type.
    ///     It is never stored.
    ///   - traits: The key's traits, such as constraints; none by default.
    public func reference<Value: PreferenceConvertible>(
        _ name: some RawRepresentable<String>,
        default: Value,
        _ traits: [PreferenceTrait<Value>] = []
    ) -> PreferenceReference<Value> {
        reference(name.rawValue, default: `default`, traits)
    }

    /// Returns a reference to a key of these preferences that is stored in another representation.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be transformed. It is
    ///     never stored.
    ///   - transformation: The transformation between the stored and the read values.
    ///   - traits: The traits of the read values, such as constraints; none by default.
    @_disfavoredOverload  // `default: nil` selects the method for optional keys.
    public func reference<Value: Sendable, Stored: PreferenceConvertible>(
        _ name: some RawRepresentable<String>,
        default: Value,
        through transformation: PreferenceTransformation<Stored, Value>,
        _ traits: [PreferenceTrait<Value>] = []
    ) -> PreferenceReference<Value> {
        reference(name.rawValue, default: `default`, through: transformation, traits)
    }

    /// Returns a reference to an optional key of these preferences that is stored in another representation.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: Nil, which may be omitted.
    ///   - transformation: The transformation between the stored and the read values, which are not optional.
    ///   - traits: The traits of values that are not nil, such as constraints; none by default.
    public func reference<Wrapped: Sendable, Stored: PreferenceConvertible>(
        _ name: some RawRepresentable<String>,
        default: Never? = nil,
        through transformation: PreferenceTransformation<Stored, Wrapped>,
        _ traits: [PreferenceTrait<Wrapped>] = []
    ) -> PreferenceReference<Wrapped?> {
        reference(name.rawValue, through: transformation, traits)
    }
}

extension PreferenceReference where Value: PreferenceConvertible {
    /// Creates a reference to a key with a storage name.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be read as this type.
    ///     It is never stored.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    public convenience init(
        _ name: some RawRepresentable<String>,
        default: Value,
        _ traits: [PreferenceTrait<Value>] = [],
        in preferences: Preferences = .shared
    ) {
        self.init(name.rawValue, default: `default`, traits, in: preferences)
    }
}

extension PreferenceReference {
    /// Creates a reference to a key that is stored in another representation. See `get(_:default:through:)`.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be transformed. It is
    ///     never stored.
    ///   - transformation: The transformation between the stored and the read values.
    ///   - traits: The traits of the read values, such as constraints; none by default.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    @_disfavoredOverload  // `default: nil` selects the initializer for optional keys.
    public convenience init<Stored: PreferenceConvertible>(
        _ name: some RawRepresentable<String>,
        default: Value,
        through transformation: PreferenceTransformation<Stored, Value>,
        _ traits: [PreferenceTrait<Value>] = [],
        in preferences: Preferences = .shared
    ) {
        self.init(name.rawValue, default: `default`, through: transformation, traits, in: preferences)
    }

    /// Creates a reference to an optional key that is stored in another representation, and whose default is nil.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: Nil, which may be omitted.
    ///   - transformation: The transformation between the stored and the read values, which are not optional.
    ///   - traits: The traits of values that are not nil, such as constraints; none by default.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    public convenience init<Stored: PreferenceConvertible, Wrapped>(
        _ name: some RawRepresentable<String>,
        default: Never? = nil,
        through transformation: PreferenceTransformation<Stored, Wrapped>,
        _ traits: [PreferenceTrait<Wrapped>] = [],
        in preferences: Preferences = .shared
    ) where Value == Wrapped? {
        self.init(name.rawValue, through: transformation, traits, in: preferences)
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
        _ name: some RawRepresentable<String>,
        _ traits: [PreferenceTrait<Value>] = [],
        in preferences: Preferences = .shared
    ) {
        self.init(wrappedValue: wrappedValue, name.rawValue, traits, in: preferences)
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
        _ name: some RawRepresentable<String>,
        _ traits: [PreferenceTrait<Value>] = [],
        store: some PreferenceStore
    ) {
        self.init(wrappedValue: wrappedValue, name.rawValue, traits, store: store)
    }
}

extension Preference {
    /// Creates a wrapper for a key with a storage name that is stored in another representation.
    ///
    /// - Parameters:
    ///   - wrappedValue: The default, which does not pass through the transformation.
    ///   - name: The key's storage name.
    ///   - transformation: The transformation between the stored and the read values.
    ///   - traits: The traits of the read values, such as constraints; none by default.
    ///   - preferences: The preferences that contain the key; ``Preferences/shared`` by default.
    public init<Stored: PreferenceConvertible>(
        wrappedValue: Value,
        _ name: some RawRepresentable<String>,
        through transformation: PreferenceTransformation<Stored, Value>,
        _ traits: [PreferenceTrait<Value>] = [],
        in preferences: Preferences = .shared
    ) {
        self.init(wrappedValue: wrappedValue, name.rawValue, through: transformation, traits, in: preferences)
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
        _ name: some RawRepresentable<String>,
        through transformation: PreferenceTransformation<Stored, Value>,
        _ traits: [PreferenceTrait<Value>] = [],
        store: some PreferenceStore
    ) {
        let preferences = Preferences(store: store)
        self.init(wrappedValue: wrappedValue, name.rawValue, through: transformation, traits, in: preferences)
    }

    /// Creates a wrapper for an optional key with a storage name that is stored in another representation.
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
        _ name: some RawRepresentable<String>,
        through transformation: PreferenceTransformation<Stored, Wrapped>,
        _ traits: [PreferenceTrait<Wrapped>] = [],
        in preferences: Preferences = .shared
    ) where Value == Wrapped? {
        self.init(wrappedValue: wrappedValue, name.rawValue, through: transformation, traits, in: preferences)
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
        _ name: some RawRepresentable<String>,
        through transformation: PreferenceTransformation<Stored, Wrapped>,
        _ traits: [PreferenceTrait<Wrapped>] = [],
        store: some PreferenceStore
    ) where Value == Wrapped? {
        let preferences = Preferences(store: store)
        self.init(wrappedValue: wrappedValue, name.rawValue, through: transformation, traits, in: preferences)
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
        _ name: some RawRepresentable<String>,
        _ traits: [PreferenceTrait<Value>] = [],
        in preferences: Preferences = .shared
    ) {
        self.init(wrappedValue: nil, name.rawValue, traits, in: preferences)
    }

    /// Creates a wrapper for an optional key with a storage name, in a store, and the default nil.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - store: The store.
    public init(
        _ name: some RawRepresentable<String>,
        _ traits: [PreferenceTrait<Value>] = [],
        store: some PreferenceStore
    ) {
        self.init(wrappedValue: nil, name.rawValue, traits, store: store)
    }
}
