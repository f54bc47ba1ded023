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
