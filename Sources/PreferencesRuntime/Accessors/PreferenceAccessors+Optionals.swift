/// Reading optional keys that have a default other than nil.
///
/// What the other overloads do, but of a default that is no optional itself (`Date()`) they would take that type for the
/// key's, and could not read a stored nil. Being more special, these are chosen wherever an optional is wanted.
extension PreferenceAccessors {
    /// The value of an optional key, or its default, as ``get(_:default:)-(_,Value)``.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: What is read while the key is not set; where it was set to nil, nil is read.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(_ name: StaticString, default: consuming Value?) -> Value? {
        let fallback = `default`
        return preferences.fetch(name) { fallback }
    }

    /// The value of an optional key, or its default, which is made where it is needed.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - makeDefault: Called at each read that gives the default.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(_ name: StaticString, _ makeDefault: () -> Value?) -> Value? {
        preferences.fetch(name, makeDefault)
    }

    /// The value of an optional key with traits, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: What is read while the key is not set; where it was set to nil, nil is read.
    ///   - traits: What the key's values must be, and where they are kept.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        default: consuming Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>]
    ) -> Value? {
        let fallback = `default`
        return preferences.fetch(name, traits) { fallback }
    }

    /// The value of an optional key with traits, or its default, which is made where it is needed.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: What the key's values must be, and where they are kept.
    ///   - makeDefault: Called at each read that gives the default.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>],
        _ makeDefault: () -> Value?
    ) -> Value? {
        preferences.fetch(name, traits, makeDefault)
    }

    /// The value of an optional key of a `Codable` type, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: What is read while the key is not set; where it was set to nil, nil is read.
    ///   - traits: Where the key's values are kept, and what they must be.
    @inlinable
    public func get<Value: Codable & Sendable>(
        codable name: StaticString,
        default: Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = []
    ) -> Value? {
        get(codable: name, traits()) { `default` }
    }

    /// The value of an optional key of a `Codable` type, or its default, which is made where it is needed.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: Where the key's values are kept, and what they must be.
    ///   - makeDefault: Called at each read that gives the default.
    @inlinable
    @inline(never)
    public func get<Value: Codable & Sendable>(
        codable name: StaticString,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        _ makeDefault: () -> Value?
    ) -> Value? {
        preferences.fetch(codable: name, traits, makeDefault)
    }
}
