/// Reading and writing values of types that are `Codable` and not ``PreferenceConvertible``: those of other modules,
/// which an app should not make conform to anything.
///
/// A type that is ``PreferenceConvertible`` after all is stored as that says.
extension PreferenceAccessors {
    /// The value of a key, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: What is read while the key is not set, or is set to what cannot be decoded as this type, which is
    ///     reported through ``Preferences/problems``. It is never stored.
    ///   - traits: Where the key's values are kept, and what they must be.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
    @inlinable
    public func get<Value: Codable & Sendable>(
        codable name: StaticString,
        default: Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        fileID: StaticString = #fileID
    ) -> Value {
        get(codable: name, traits(), fileID: fileID) { `default` }
    }

    /// The value of a key, or its default, which is made where it is needed.
    ///
    /// ```swift
    /// get(codable: "map:centre") { Coordinate(latitude: 52.5, longitude: 13.4) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: Where the key's values are kept, and what they must be.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
    ///   - makeDefault: As of ``get(codable:default:_:fileID:)``; called at each read that gives the default.
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

    /// Sets a key. Nil makes it not set.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: Its new value.
    ///   - traits: Where the key's values are kept, and what they must be.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
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

    /// Sets an optional key that has a default other than nil, as ``set(_:to:default:)``.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: Its new value.
    ///   - default: The key's default.
    ///   - traits: Where the key's values are kept, and what they must be.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
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
}
