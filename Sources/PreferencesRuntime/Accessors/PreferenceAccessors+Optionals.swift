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
