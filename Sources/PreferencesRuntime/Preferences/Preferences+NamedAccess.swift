/// Reading and writing by storage names that are known only when the program runs.
extension Preferences {
    /// The value of a key, or its default, as ``PreferenceAccessors/get(_:default:)``.
    ///
    /// The value is cached, as an accessor's is. Beyond 1,024 names that no accessor uses, names that are not in use are
    /// removed from the cache.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: What is read while the key is not set, or is set to what cannot be read as this type.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(named name: String, default: @autoclosure () -> Value) -> Value {
        switch cachedValue(named: name, as: Value.self) {
        case .value(let value): value
        case .unset: `default`()
        case .unknown: find(named: name) ?? `default`()
        }
    }

    /// Sets a key, or for nil makes it not set, as ``PreferenceAccessors/set(_:to:)-(StaticString,_)``.
    ///
    /// The constraints, the former names and the secrecy that a schema gives to the key are not applied: the value of a secret
    /// key would be stored with those of all others. A failure is reported through ``problems``.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: Its new value.
    public func set<Value: PreferenceConvertible>(named name: String, to value: Value) {
        write(to: PreferenceEntry(name), value, violation: { _ in nil })
    }

    /// Sets an optional key that has a default other than nil, as ``PreferenceAccessors/set(_:to:default:)``.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: Its new value.
    ///   - default: The key's default.
    public func set<Value: PreferenceConvertible>(
        named name: String,
        to value: Value?,
        default: @autoclosure () -> Value?
    ) {
        write(to: PreferenceEntry(name), value, violation: { _ in nil }, keepsNil: { `default`() != nil })
    }

    /// Whether a key has been set, be it to its default or to a value that cannot be read.
    ///
    /// - Parameter name: The key's storage name.
    public func isSet(named name: String) -> Bool {
        hasEntry(PreferenceEntry(name))
    }

    /// Where the value of a key comes from, as ``PreferenceAccessors/source(of:)``.
    ///
    /// - Parameter name: The key's storage name.
    /// - Returns: The store's ``PreferenceStore/label``, or more precisely where it is; nil while the key is not set.
    public func source(named name: String) -> String? {
        source(of: [PreferenceEntry(name)])
    }

    /// Makes a key not set, so that it reads as its default. A failure is reported through ``problems``.
    ///
    /// - Parameter name: The key's storage name.
    public func reset(named name: String) {
        reset([PreferenceEntry(name)])
    }
}
