/// Reading and writing keys that have traits. Without any, the shorter calls cost the compiler less.
///
/// All accessors of one file that have one name and type give the same traits: what one has read is not checked again for
/// another.
extension PreferenceAccessors {
    /// The value of a key, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: What is read while the key is not set, or is set to what cannot be read as this type or breaks a
    ///     constraint, which is reported through ``Preferences/problems``. It is never stored.
    ///   - traits: What the key's values must be, and where they are kept.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
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

    /// The value of a key, or its default, for defaults that are not always the same.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: What the key's values must be, and where they are kept.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
    ///   - makeDefault: As of ``get(_:default:_:fileID:)``; called at each read that gives the default.
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

    /// Sets a key, as ``set(_:to:)-(StaticString,_)``.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: Its new value. One that breaks a constraint is reported, and changes nothing.
    ///   - traits: What the key's values must be, and where they are kept.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
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

    /// Sets an optional key that has a default other than nil, as ``set(_:to:default:)``.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: Its new value. One that breaks a constraint is reported, and changes nothing.
    ///   - default: The key's default.
    ///   - traits: What the key's values must be, and where they are kept.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
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
