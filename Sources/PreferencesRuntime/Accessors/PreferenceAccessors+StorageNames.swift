/// Reading and writing by storage name, for accessors that are written by hand.
///
/// ```swift
/// nonisolated extension WeatherPreferences {
///     var height: Double {
///         get { get("weather:height", default: 1795, [.range(0...9000)]) }
///         nonmutating set { set("weather:height", to: newValue, [.range(0...9000)]) }
///     }
/// }
/// ```
///
/// Values are cached by the literal of the name, the type and, for accessors with traits, the file. All accessors in
/// one file that have the same name and type must have the same traits: a value that one of them has read is not
/// checked again for another.
extension PreferenceAccessors {
    /// Returns the value of a key, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be read as this type,
    ///     which is reported through ``Preferences/problems``. It is evaluated at each read that returns it, and is
    ///     never stored.
    @inlinable
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        default: @autoclosure () -> Value
    ) -> Value {
        preferences.fetch(CellKey(name), default: `default`) { $0.find(name, $1, default: `default`) }
    }

    /// Returns the value of a key with traits, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be read as this type or
    ///     violates a constraint, which is reported through ``Preferences/problems``. It is evaluated at each read that
    ///     returns it, and is never stored.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    @inlinable
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        default: @autoclosure () -> Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>],
        fileID: StaticString = #fileID
    ) -> Value {
        _Accessor.getComputed(self, name, default: `default`(), traits: traits(), fileID: fileID)
    }

    /// Sets a key.
    ///
    /// Nil resets the key, so that it reads as its default, nil. For an optional key with another default, use
    /// `set(_:to:default:)`.
    ///
    /// If setting fails, the key keeps its value, and the failure is reported through ``Preferences/problems``.
    /// ``set(_:to:)-(ReferenceWritableKeyPath<Self,Value>,_)`` throws it instead.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: The new value.
    @_disfavoredOverload  // A misspelled key path is then reported as one: see `KeyPathToKeyOf`.
    public func set<Value: PreferenceConvertible>(_ name: StaticString, to value: Value) {
        preferences.write(CellKey(name), PreferenceEntry(String(literal: name)), value, violation: { _ in nil })
    }

    /// Sets a key with traits. See ``set(_:to:)-(StaticString,_)``.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: The new value. A value that violates a constraint is reported, and is not set.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    public func set<Value: PreferenceConvertible>(
        _ name: StaticString,
        to value: Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>],
        fileID: StaticString = #fileID
    ) {
        _Accessor.set(self, name, to: value, traits: traits(), fileID: fileID)
    }
}

/// Optional keys whose default is not nil.
///
/// Given a default that is not optional itself, such as `Date()`, the functions above would infer its type as the
/// key's, and could not read a stored nil. These functions are more specialized, so the compiler prefers them wherever
/// an optional is expected.
extension PreferenceAccessors {
    /// Returns the value of an optional key, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, evaluated at each read that returns it. A key that
    ///     was set to nil reads as nil.
    @inlinable
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        default: @autoclosure () -> Value?
    ) -> Value? {
        preferences.fetch(CellKey(name), default: `default`) { $0.find(name, $1, default: `default`) }
    }

    /// Returns the value of an optional key with traits, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, evaluated at each read that returns it. A key that
    ///     was set to nil reads as nil.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    @inlinable
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        default: @autoclosure () -> Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>],
        fileID: StaticString = #fileID
    ) -> Value? {
        _Accessor.getComputed(self, name, default: `default`(), traits: traits(), fileID: fileID)
    }

    /// Returns the value of an optional key, or nil.
    ///
    /// ```swift
    /// var nickname: String? {
    ///     get { get("nickname") }
    ///     nonmutating set { set("nickname", to: newValue) }
    /// }
    /// ```
    ///
    /// - Parameter name: The key's storage name.
    @inlinable
    public func get<Value: PreferenceConvertible>(_ name: StaticString) -> Value? {
        get(name, default: nil)
    }

    /// Returns the value of an optional key with traits, or nil.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one.
    @inlinable
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>],
        fileID: StaticString = #fileID
    ) -> Value? {
        get(name, default: nil, traits(), fileID: fileID)
    }

    /// Sets an optional key whose default is not nil.
    ///
    /// Nil is stored as ``PreferenceValue/null``, since without an entry in the store the key would read as its
    /// default. Resetting the key removes the entry.
    ///
    /// ```swift
    /// var nickname: String? {
    ///     get { get("nickname", default: "anonymous") }
    ///     nonmutating set { set("nickname", to: newValue, default: "anonymous") }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: The new value.
    ///   - default: The key's default, evaluated if the value is nil. If it is nil, too, the key is reset.
    public func set<Value: PreferenceConvertible>(
        _ name: StaticString,
        to value: Value?,
        default: @autoclosure () -> Value?
    ) {
        preferences.write(
            CellKey(name),
            PreferenceEntry(String(literal: name)),
            value,
            violation: { _ in nil },
            keepsNil: { `default`() != nil }
        )
    }

    /// Sets an optional key with traits, whose default is not nil. See `set(_:to:default:)`.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: The new value. A value that violates a constraint is reported, and is not set.
    ///   - default: The key's default.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    public func set<Value: PreferenceConvertible>(
        _ name: StaticString,
        to value: Value?,
        default: @autoclosure () -> Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>],
        fileID: StaticString = #fileID
    ) {
        _Accessor.setOptional(self, name, to: value, default: `default`(), traits: traits(), fileID: fileID)
    }
}

/// Types that are `Codable` but not ``PreferenceConvertible``, such as types of other modules, to which an app should
/// not add conformances.
///
/// A value whose type is also ``PreferenceConvertible`` is stored in that representation.
extension PreferenceAccessors {
    /// Returns the value of a key, or its default.
    ///
    /// ```swift
    /// get(codable: "map:centre", default: Coordinate(latitude: 52.5, longitude: 13.4))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be decoded or violates
    ///     a constraint, which is reported through ``Preferences/problems``. It is evaluated at each read that returns
    ///     it, and is never stored.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    @inlinable
    public func get<Value: Codable & Sendable>(
        codable name: StaticString,
        default: @autoclosure () -> Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        fileID: StaticString = #fileID
    ) -> Value {
        _Accessor.getCodable(self, name, default: `default`(), traits: traits(), fileID: fileID)
    }

    /// Returns the value of an optional key, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, evaluated at each read that returns it. A key that
    ///     was set to nil reads as nil.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    @inlinable
    public func get<Value: Codable & Sendable>(
        codable name: StaticString,
        default: @autoclosure () -> Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        fileID: StaticString = #fileID
    ) -> Value? {
        _Accessor.getCodable(self, name, default: `default`(), traits: traits(), fileID: fileID)
    }

    /// Returns the value of an optional key, or nil.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - fileID: The accessor's file; by default, the calling one.
    @inlinable
    public func get<Value: Codable & Sendable>(
        codable name: StaticString,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        fileID: StaticString = #fileID
    ) -> Value? {
        get(codable: name, default: nil, traits(), fileID: fileID)
    }

    /// Sets a key. Nil resets it.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: The new value. A value that cannot be encoded or violates a constraint is reported, and is not set.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    public func set<Value: Codable & Sendable>(
        codable name: StaticString,
        to value: Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        fileID: StaticString = #fileID
    ) {
        _Accessor.setCodable(self, name, to: value, traits: traits(), fileID: fileID)
    }

    /// Sets an optional key whose default is not nil. See `set(_:to:default:)`.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: The new value. A value that cannot be encoded or violates a constraint is reported, and is not set.
    ///   - default: The key's default.
    ///   - traits: The key's traits, such as constraints; none by default.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    public func set<Value: Codable & Sendable>(
        codable name: StaticString,
        to value: Value?,
        default: @autoclosure () -> Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        fileID: StaticString = #fileID
    ) {
        _Accessor.setOptionalCodable(
            self,
            name,
            to: value,
            default: `default`(),
            traits: traits(),
            fileID: fileID
        )
    }
}
