/// Reading and writing keys that have traits. Without any, the shorter calls cost the compiler less.
extension PreferenceAccessors {
    /// The value of a key, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: What is read while the key is not set, or is set to what cannot be read as this type or breaks a
    ///     constraint, which is reported through ``Preferences/problems``. It is never stored.
    ///   - traits: What the key's values must be, and where they are kept.
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        default: consuming Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>]
    ) -> Value {
        let fallback = `default`
        let traits = traits()
        return preferences.read(PreferenceEntry(name.description, traits), violation: traits.violation) { fallback }
    }

    /// The value of a key, or its default, for defaults that are worth making only where they are needed.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: What the key's values must be, and where they are kept.
    ///   - makeDefault: As of ``get(_:default:_:)``; called at each read that gives the default.
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>],
        _ makeDefault: () -> Value
    ) -> Value {
        let traits = traits()
        let entry = PreferenceEntry(name.description, traits)
        return preferences.read(entry, violation: traits.violation, default: makeDefault)
    }

    /// Sets a key, as ``set(_:to:)-(StaticString,_)``.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: Its new value. One that breaks a constraint is reported, and changes nothing.
    ///   - traits: What the key's values must be, and where they are kept.
    public func set<Value: PreferenceConvertible>(
        _ name: StaticString,
        to value: consuming Value,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>]
    ) {
        let value = value
        let traits = traits()
        let entry = PreferenceEntry(name.description, traits)
        preferences.write(entry, value, violation: traits.violation(by: value), storesNil: false)
    }

    /// Sets an optional key that has a default other than nil, as ``set(_:to:default:)``.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: Its new value. One that breaks a constraint is reported, and changes nothing.
    ///   - default: The key's default.
    ///   - traits: What the key's values must be, and where they are kept.
    public func set<Value: PreferenceConvertible>(
        _ name: StaticString,
        to value: Value?,
        default: @autoclosure () -> Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>]
    ) {
        let traits = traits()
        let entry = PreferenceEntry(name.description, traits)
        let storesNil = value == nil && `default`() != nil
        preferences.write(entry, value, violation: traits.violation(by: value), storesNil: storesNil)
    }
}
