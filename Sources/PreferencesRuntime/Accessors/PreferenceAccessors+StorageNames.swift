/// Reading and writing by storage name, the building blocks of accessors.
///
/// ```swift
/// extension WeatherPreferences {
///     var temperature: Double {
///         get { get("weather-service:temperature", default: 0) }
///         nonmutating set { set("weather-service:temperature", to: newValue) }
///     }
/// }
/// ```
///
/// A program may have thousands of accessors, so the compile time of these calls matters. They are methods of
/// ``PreferenceAccessors``, not of ``Preferences``, and consume their arguments, which takes the least code in the
/// caller. They are specialized for each type in the module that uses them, and not inlined there. Generated accessors
/// call cheaper functions, such as `_getInt`.
///
/// Values are cached by the literal of the name, the type and, for accessors with traits or constant
/// defaults, the file. Accessors in one file that have the same name and type must therefore have the same default and
/// traits.
extension PreferenceAccessors {
    /// Returns the value of a key, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be read as this type,
    ///     which is reported through ``Preferences/problems``. It is never stored.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(_ name: StaticString, default: consuming Value) -> Value {
        let fallback = `default`
        return preferences.fetch(CellKey(name), default: { fallback }) { $0.find(name, $1) }
    }

    /// Returns the value of a key, or its default, which is made at each read that returns it.
    ///
    /// ```swift
    /// get("weather-service:firstReading") { Date() }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - makeDefault: Makes the default. Called at each read that returns it.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(_ name: StaticString, _ makeDefault: () -> Value) -> Value {
        preferences.fetch(CellKey(name), default: makeDefault) { $0.find(name, $1) }
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
    public func set<Value: PreferenceConvertible>(_ name: StaticString, to value: Value) {
        preferences.write(CellKey(name), PreferenceEntry(String(literal: name)), value, violation: { _ in nil })
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
        let entry = PreferenceEntry(String(literal: name))
        preferences.write(CellKey(name), entry, value, violation: { _ in nil }, keepsNil: { `default`() != nil })
    }
}

/// Reading and writing keys that have traits. For keys without any, the shorter calls cost the compiler less.
///
/// All accessors in one file that have the same name and type must have the same traits: a value that one of them has
/// read is not checked again for another.
extension PreferenceAccessors {
    /// Returns the value of a key, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be read as this type or
    ///     violates a constraint, which is reported through ``Preferences/problems``. It is never stored.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        default: consuming Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>],
        fileID: StaticString = #fileID
    ) -> Value {
        let fallback = `default`
        return preferences.fetch(CellKey(name, in: fileID, hasTraits: true), default: { fallback }) {
            $0.find(name, $1, traits)
        }
    }

    /// Returns the value of a key, or its default, which is made at each read that returns it.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    ///   - makeDefault: Makes the default. Called at each read that returns it.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>],
        fileID: StaticString = #fileID,
        _ makeDefault: () -> Value
    ) -> Value {
        preferences.fetch(CellKey(name, in: fileID, hasTraits: true), default: makeDefault) {
            $0.find(name, $1, traits)
        }
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
        to value: consuming Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>],
        fileID: StaticString = #fileID
    ) {
        let traits = traits()
        let entry = PreferenceEntry(String(literal: name), traits)
        preferences.write(CellKey(name, in: fileID, hasTraits: true), entry, value, violation: traits.violation)
    }

    /// Sets an optional key whose default is not nil. See `set(_:to:default:)`.
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
        let traits = traits()
        let entry = PreferenceEntry(String(literal: name), traits)
        preferences.write(
            CellKey(name, in: fileID, hasTraits: true),
            entry,
            value,
            violation: traits.violation,
            keepsNil: { `default`() != nil }
        )
    }
}

/// Reading optional keys whose default is not nil.
///
/// Given a default that is not optional itself, such as `Date()`, the other overloads would infer its type as the
/// key's, and could not read a stored nil. These overloads are more specialized, so the compiler prefers them wherever
/// an optional is expected.
extension PreferenceAccessors {
    /// Returns the value of an optional key, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set. A key that was set to nil reads as nil.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(_ name: StaticString, default: consuming Value?) -> Value? {
        let fallback = `default`
        return preferences.fetch(CellKey(name), default: { fallback }) { $0.find(name, $1) }
    }

    /// Returns the value of an optional key, or its default, which is made at each read that returns it.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - makeDefault: Makes the default. Called at each read that returns it.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(_ name: StaticString, _ makeDefault: () -> Value?) -> Value? {
        preferences.fetch(CellKey(name), default: makeDefault) { $0.find(name, $1) }
    }

    /// Returns the value of an optional key with traits, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set. A key that was set to nil reads as nil.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        default: consuming Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>],
        fileID: StaticString = #fileID
    ) -> Value? {
        let fallback = `default`
        return preferences.fetch(CellKey(name, in: fileID, hasTraits: true), default: { fallback }) {
            $0.find(name, $1, traits)
        }
    }

    /// Returns the value of an optional key with traits, or its default, which is made at each read that returns it.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    ///   - makeDefault: Makes the default. Called at each read that returns it.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>],
        fileID: StaticString = #fileID,
        _ makeDefault: () -> Value?
    ) -> Value? {
        preferences.fetch(CellKey(name, in: fileID, hasTraits: true), default: makeDefault) {
            $0.find(name, $1, traits)
        }
    }
}

/// Reading keys whose defaults are constant and expensive to make.
extension PreferenceAccessors {
    /// Returns the value of a key, or its default, which is made once.
    ///
    /// ```swift
    /// get("weather-service:stations", constant: ["Nairobi", "Reykjavík"])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - makeDefault: Makes the default, which is then cached: accessors in one file that have the same name and type
    ///     return the same default. The default of an optional key must be an optional:
    ///     `constant: "nobody" as String?`.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        constant makeDefault: @autoclosure () -> Value,
        fileID: StaticString = #fileID
    ) -> Value {
        preferences.fetch(CellKey(name, in: fileID, hasTraits: false), default: makeDefault) {
            $0.find(name, $1, constant: makeDefault)
        }
    }

    /// Returns the value of a key with traits, or its default, which is made once.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: The key's traits, such as constraints.
    ///   - makeDefault: Makes the default, as described for ``get(_:constant:fileID:)``.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>],
        constant makeDefault: @autoclosure () -> Value,
        fileID: StaticString = #fileID
    ) -> Value {
        preferences.fetch(CellKey(name, in: fileID, hasTraits: true), default: makeDefault) {
            $0.find(name, $1, traits, constant: makeDefault)
        }
    }
}
