/// Reading and writing values of types that are `Codable` but not ``PreferenceConvertible``, such as types of other
/// modules, to which an app should not add conformances.
///
/// A value whose type is also ``PreferenceConvertible`` is stored in that representation.
extension PreferenceAccessors {
    /// Returns the value of a key, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be decoded, which is
    ///     reported through ``Preferences/problems``. It is never stored.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    @inlinable
    public func get<Value: Codable & Sendable>(
        codable name: StaticString,
        default: Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        fileID: StaticString = #fileID
    ) -> Value {
        get(codable: name, traits(), fileID: fileID) { `default` }
    }

    /// Returns the value of a key, or its default, which is made at each read that returns it.
    ///
    /// ```swift
    /// get(codable: "map:centre") { Coordinate(latitude: 52.5, longitude: 13.4) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    ///   - makeDefault: Makes the default. Called at each read that returns it.
    @inlinable
    @inline(never)
    public func get<Value: Codable & Sendable>(
        codable name: StaticString,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        fileID: StaticString = #fileID,
        _ makeDefault: () -> Value
    ) -> Value {
        preferences.fetch(codable: CellKey(name, in: fileID, hasTraits: true), default: makeDefault) {
            $0.find(codable: name, $1, traits)
        }
    }

    /// Returns the value of a key of a `Codable` type, or its default, which is made once.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: The key's traits, such as constraints.
    ///   - makeDefault: Makes the default, as described for ``get(_:constant:fileID:)``.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    @inlinable
    @inline(never)
    public func get<Value: Codable & Sendable>(
        codable name: StaticString,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        constant makeDefault: @autoclosure () -> Value,
        fileID: StaticString = #fileID
    ) -> Value {
        preferences.fetch(codable: CellKey(name, in: fileID, hasTraits: true), default: makeDefault) {
            $0.find(codable: name, $1, traits, constant: makeDefault)
        }
    }

    /// Sets a key. Nil resets it.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: The new value.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    public func set<Value: Codable & Sendable>(
        codable name: StaticString,
        to value: Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        fileID: StaticString = #fileID
    ) {
        let traits = traits()
        preferences.write(
            CellKey(name, in: fileID, hasTraits: true),
            PreferenceEntry(String(literal: name), traits),
            CodedValue(value: value),
            violation: { traits.violation(by: $0.value) }
        )
    }

    /// Sets an optional key whose default is not nil. See `set(_:to:default:)`.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: The new value.
    ///   - default: The key's default.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    public func set<Value: Codable & Sendable>(
        codable name: StaticString,
        to value: Value?,
        default: @autoclosure () -> Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        fileID: StaticString = #fileID
    ) {
        let traits = traits()
        preferences.write(
            CellKey(name, in: fileID, hasTraits: true),
            PreferenceEntry(String(literal: name), traits),
            CodedValue(value: value),
            violation: { traits.violation(by: $0.value) },
            keepsNil: { `default`() != nil }
        )
    }

    // MARK: Optional keys with a default other than nil

    /// Returns the value of an optional key of a `Codable` type, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set. A key that was set to nil reads as nil.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    @inlinable
    public func get<Value: Codable & Sendable>(
        codable name: StaticString,
        default: Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        fileID: StaticString = #fileID
    ) -> Value? {
        get(codable: name, traits(), fileID: fileID) { `default` }
    }

    /// Returns the value of an optional key of a `Codable` type, or its default, which is made at each read that returns
    /// it.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    ///   - makeDefault: Makes the default. Called at each read that returns it.
    @inlinable
    @inline(never)
    public func get<Value: Codable & Sendable>(
        codable name: StaticString,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        fileID: StaticString = #fileID,
        _ makeDefault: () -> Value?
    ) -> Value? {
        preferences.fetch(codable: CellKey(name, in: fileID, hasTraits: true), default: makeDefault) {
            $0.find(codable: name, $1, traits)
        }
    }
}
