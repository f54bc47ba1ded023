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
        return preferences.fetch(CellKey(name), default: { fallback }) { $0.find(name, $1) }
    }

    /// The value of an optional key, or its default, which is made where it is needed.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - makeDefault: Called at each read that gives the default.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(_ name: StaticString, _ makeDefault: () -> Value?) -> Value? {
        preferences.fetch(CellKey(name), default: makeDefault) { $0.find(name, $1) }
    }

    /// The value of an optional key with traits, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: What is read while the key is not set; where it was set to nil, nil is read.
    ///   - traits: What the key's values must be, and where they are kept.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
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

    /// The value of an optional key with traits, or its default, which is made where it is needed.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: What the key's values must be, and where they are kept.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
    ///   - makeDefault: Called at each read that gives the default.
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

    /// The value of an optional key of a `Codable` type, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: What is read while the key is not set; where it was set to nil, nil is read.
    ///   - traits: Where the key's values are kept, and what they must be.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
    @inlinable
    public func get<Value: Codable & Sendable>(
        codable name: StaticString,
        default: Value?,
        _ traits: @autoclosure () -> [PreferenceTrait<Value?>] = [],
        fileID: StaticString = #fileID
    ) -> Value? {
        get(codable: name, traits(), fileID: fileID) { `default` }
    }

    /// The value of an optional key of a `Codable` type, or its default, which is made where it is needed.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: Where the key's values are kept, and what they must be.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
    ///   - makeDefault: Called at each read that gives the default.
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

/// Reading keys whose defaults are always the same, and worth making only once.
extension PreferenceAccessors {
    /// The value of a key, or its default, which is made once.
    ///
    /// ```swift
    /// get("weather-service:stations", constant: ["Nairobi", "Reykjavík"])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - makeDefault: As of ``get(_:default:)``. What it gives is remembered: accessors of one file that have one name
    ///     and type give the same default. An optional key's is to be an optional:
    ///     `constant: "nobody" as String?`.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
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

    /// The value of a key with traits, or its default, which is made once.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: What the key's values must be, and where they are kept.
    ///   - makeDefault: As of ``get(_:constant:fileID:)``.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
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

    /// The value of a key of a `Codable` type, or its default, which is made once.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - traits: What the key's values must be, and where they are kept.
    ///   - makeDefault: As of ``get(_:constant:fileID:)``.
    ///   - fileID: Where the accessor is: by default, the file that this is called in. Accessors of one name and type may
    ///     differ from file to file.
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
}
