/// Reading keys whose defaults are always the same, and worth making only once.
extension PreferenceAccessors {
    /// The value of a key, or its default, which is made once.
    ///
    /// ```swift
    /// get("weather-service:stations", constant: { ["Nairobi", "Reykjavík"] })
    /// ```
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - makeDefault: As of ``get(_:default:)``. What it gives is remembered: accessors of one module that have one
    ///     name and type give the same default. An optional key's is to be an optional: `{ "nobody" as String? }`.
    public func get<Value: PreferenceConvertible>(_ name: StaticString, constant makeDefault: () -> Value) -> Value {
        preferences.read(PreferenceEntry(name.description), default: makeDefault)
    }

    /// The value of a key with traits, or its default, which is made once.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: What the key's values must be, and where they are kept.
    ///   - makeDefault: As of ``get(_:constant:)``.
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>],
        constant makeDefault: () -> Value
    ) -> Value {
        let traits = traits()
        let entry = PreferenceEntry(name.description, traits)
        return preferences.read(entry, violation: traits.violation, default: makeDefault)
    }

    /// The value of a key of a `Codable` type, or its default, which is made once.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: What the key's values must be, and where they are kept.
    ///   - makeDefault: As of ``get(_:constant:)``.
    public func get<Value: Codable & Sendable>(
        codable name: StaticString,
        _ traits: @autoclosure () -> [PreferenceTrait<Value>] = [],
        constant makeDefault: () -> Value
    ) -> Value {
        get(codable: name, traits(), makeDefault)
    }
}
