/// What accessors are made of: reading and writing by storage name.
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
/// There can be thousands of accessors, so what the compiler spends on these calls matters: they are methods of the
/// accessors' home, not of its ``Preferences``, and consume their arguments, which takes the least code on the caller's
/// side. They are specialised for each type in the module that uses them, and not inlined there. Generated accessors call
/// functions that cost less, such as `_getInt`.
///
/// What was read or set is remembered by the literal of its name, the type and, where accessors may differ by more than
/// that, the file. So in one file, accessors of one name and one type are to mean the same.
extension PreferenceAccessors {
    /// The value of a key, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: What is read while the key is not set, or is set to what cannot be read as this type, which is
    ///     reported through ``Preferences/problems``. It is never stored.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(_ name: StaticString, default: consuming Value) -> Value {
        let fallback = `default`
        return preferences.fetch(CellKey(name), default: { fallback }) { $0.find(name, $1) }
    }

    /// The value of a key, or its default, for defaults that are not always the same.
    ///
    /// ```swift
    /// get("weather-service:firstReading") { Date() }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - makeDefault: As of ``get(_:default:)``; called at each read that gives the default.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(_ name: StaticString, _ makeDefault: () -> Value) -> Value {
        preferences.fetch(CellKey(name), default: makeDefault) { $0.find(name, $1) }
    }

    /// Sets a key.
    ///
    /// Nil makes the key not set, so that it reads as its default, nil: this is for optional keys without another
    /// default. For those with one there is ``set(_:to:default:)``.
    ///
    /// A failure leaves the key as it was, and is reported through ``Preferences/problems``;
    /// ``set(_:to:)-(ReferenceWritableKeyPath<Self,Value>,_)`` throws it.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: Its new value.
    public func set<Value: PreferenceConvertible>(_ name: StaticString, to value: Value) {
        preferences.write(CellKey(name), PreferenceEntry(String(literal: name)), value, violation: { _ in nil })
    }

    /// Sets an optional key that has a default other than nil.
    ///
    /// Nil has to be stored here, as ``PreferenceValue/null``: without an entry in the store the key would read as its
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
    ///   - value: Its new value.
    ///   - default: The key's default, evaluated where the value is nil. If it is nil too, the key becomes not set.
    public func set<Value: PreferenceConvertible>(
        _ name: StaticString,
        to value: Value?,
        default: @autoclosure () -> Value?
    ) {
        let entry = PreferenceEntry(String(literal: name))
        preferences.write(CellKey(name), entry, value, violation: { _ in nil }, keepsNil: { `default`() != nil })
    }
}
