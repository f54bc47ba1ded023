/// Optional values and raw values under names that are known only at run time.
extension Preferences {
    /// Returns the value of a key; nil if it is not set.
    ///
    /// ```swift
    /// preferences.get(named: "volume", as: Int.self)   //=> nil
    /// ```
    ///
    /// The value is cached, as by ``get(named:default:)-(String,_)``.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - type: The type of the value.
    /// - Returns: The value; nil if the key is not set, or if its value cannot be read as this type, which is reported
    ///   through ``problems``.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(named name: String, as type: Value.Type) -> Value? {
        switch cachedValue(named: name, as: Value.self) {
        case .value(let value): value
        case .unset: nil
        case .uncached: find(named: name)
        }
    }

    /// The raw value that is stored under a name; nil if the name is not set. Setting nil resets the key.
    ///
    /// ```swift
    /// preferences["volume"] = 50
    /// preferences["volume"]         //=> .int(50)
    /// preferences["volume"] = nil
    /// ```
    ///
    /// A store of text, such as ``EnvironmentStore``, returns strings, since the type of the key is not known. In a
    /// transaction, the value is the transaction's. Failures are reported through ``problems``; to throw them, use the
    /// key path `\.["volume"]`, which can also be watched: `try preferences.set(\.["volume"], to: 50)`.
    ///
    /// Assign a value of a variable with ``set(named:to:)-(String,_)``: `preferences["volume"] = .int(volume)` does the
    /// same, but `preferences["volume"] = volume` is an error of the compiler.
    ///
    /// The constraints, former names and secrecy that a schema declares for the key are not applied, as by
    /// ``set(named:to:)-(String,_)``, nor are hooks that process values.
    ///
    /// - Parameter name: The key's storage name.
    public subscript(name: String) -> PreferenceValue? {
        get { storedValue(named: name) }
        set {
            let keepsNull = newValue != nil
            let value = AnyStoredValue(value: newValue)
            write(to: PreferenceEntry(name), value, violation: { _ in nil }, keepsNil: { keepsNull })
        }
    }

    /// Changes the value of a key atomically, as ``PreferenceAccessors/update(_:_:)`` does.
    ///
    /// ```swift
    /// try preferences.update(named: "launches", default: 0) { $0 += 1 }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to change if the key is not set.
    ///   - body: Changes the value. If it throws, nothing changes.
    /// - Returns: The result of the body.
    /// - Throws: Any error of the body, or the ``PreferenceProblem`` of the commit.
    @discardableResult
    public func update<Value: PreferenceConvertible, Result>(
        named name: String,
        default: Value,
        _ body: (inout Value) throws -> Result
    ) throws -> Result {
        try reference(name, default: `default`).update(body)
    }

    /// Returns a reference to a key of these preferences.
    ///
    /// ```swift
    /// let volume = preferences.reference("volume", default: 50)
    /// volume.value += 1
    /// ```
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be read as this type.
    ///     It is never stored.
    ///   - traits: The key's traits, such as constraints; none by default.
    public func reference<Value: PreferenceConvertible>(
        _ name: String,
        default: Value,
        _ traits: [PreferenceTrait<Value>] = []
    ) -> PreferenceReference<Value> {
        PreferenceReference(name, default: `default`, traits, in: self)
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
        _ name: String,
        default: Value,
        through transformation: PreferenceTransformation<Stored, Value>,
        _ traits: [PreferenceTrait<Value>] = []
    ) -> PreferenceReference<Value> {
        PreferenceReference(name, default: `default`, through: transformation, traits, in: self)
    }

    /// Returns a reference to an optional key of these preferences that is stored in another representation, and whose
    /// default is nil. Setting nil resets the key.
    ///
    /// ```swift
    /// let badge: PreferenceReference<Badge?> = preferences.reference("badge", through: .archive)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: Nil, which may be omitted.
    ///   - transformation: The transformation between the stored and the read values, which are not optional.
    ///   - traits: The traits of values that are not nil, such as constraints; none by default.
    public func reference<Wrapped: Sendable, Stored: PreferenceConvertible>(
        _ name: String,
        default: Never? = nil,
        through transformation: PreferenceTransformation<Stored, Wrapped>,
        _ traits: [PreferenceTrait<Wrapped>] = []
    ) -> PreferenceReference<Wrapped?> {
        PreferenceReference(name, through: transformation, traits, in: self)
    }
}

/// The value of the subscript as a type of the write path, whose optional `PreferenceValue` has no conversion.
struct AnyStoredValue: PreferenceConvertible, ValueWrapper {
    static var wrappedType: Any.Type { PreferenceValue?.self }

    let value: PreferenceValue?

    var wrappedAny: Any { value as Any }

    func with(_ wrapped: Any) -> AnyStoredValue? {
        (wrapped as? PreferenceValue?).map(AnyStoredValue.init)
    }

    init(value: PreferenceValue?) {
        self.value = value
    }

    init(preferenceValue: PreferenceValue) {
        value = preferenceValue
    }

    func preferenceValue() -> PreferenceValue { value ?? .null }
}
