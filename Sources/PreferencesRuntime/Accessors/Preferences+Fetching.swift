/// What all getters of accessors do: give what is remembered, or find it out.
///
/// Inlined into each of them, which are specialised for each type. What is only called when nothing is remembered is not,
/// as each module would have a copy of it for each of its types.
extension Preferences {
    /// The value of a key without traits.
    ///
    /// - Parameter key: The accessor; with a file where the default is always the same, and is remembered.
    @inlinable
    @inline(__always)
    func fetch<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ key: CellKey,
        _ makeDefault: () -> Value
    ) -> Value {
        switch remembered(key, as: Value.self) {
        case .value(let value): value
        case .unset: makeDefault()
        case .nothing: find(name, key, makeDefault)
        }
    }

    /// The value of a key with traits.
    @inlinable
    @inline(__always)
    func fetch<Value: PreferenceConvertible>(
        _ name: StaticString,
        in file: StaticString,
        _ makeTraits: () -> [PreferenceTrait<Value>],
        remembersDefault: Bool = false,
        _ makeDefault: () -> Value
    ) -> Value {
        let key = CellKey(name, in: file, hasTraits: true)
        return switch remembered(key, as: Value.self) {
        case .value(let value): value
        case .unset: makeDefault()
        case .nothing: find(name, key, makeTraits, remembersDefault, makeDefault)
        }
    }

    /// The value of a key of a `Codable` type.
    @inlinable
    @inline(__always)
    func fetch<Value: Codable & Sendable>(
        codable name: StaticString,
        in file: StaticString,
        _ makeTraits: () -> [PreferenceTrait<Value>],
        remembersDefault: Bool = false,
        _ makeDefault: () -> Value
    ) -> Value {
        let key = CellKey(name, in: file, hasTraits: true)
        return switch remembered(key, as: CodedValue<Value>.self) {
        case .value(let coded): coded.value
        case .unset: makeDefault()
        case .nothing: find(codable: name, key, makeTraits, remembersDefault, makeDefault)
        }
    }

    @usableFromInline
    func find<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ key: CellKey,
        _ makeDefault: () -> Value
    ) -> Value {
        read(
            key,
            { PreferenceEntry(name.description) },
            violation: { _ in nil },
            remembersDefault: key.file != 0,
            default: makeDefault
        )
    }

    @usableFromInline
    func find<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ key: CellKey,
        _ makeTraits: () -> [PreferenceTrait<Value>],
        _ remembersDefault: Bool,
        _ makeDefault: () -> Value
    ) -> Value {
        let traits = makeTraits()
        return read(
            key,
            { PreferenceEntry(name.description, traits) },
            violation: traits.violation,
            remembersDefault: remembersDefault,
            default: makeDefault
        )
    }

    @usableFromInline
    func find<Value: Codable & Sendable>(
        codable name: StaticString,
        _ key: CellKey,
        _ makeTraits: () -> [PreferenceTrait<Value>],
        _ remembersDefault: Bool,
        _ makeDefault: () -> Value
    ) -> Value {
        let traits = makeTraits()
        return read(
            key,
            { PreferenceEntry(name.description, traits) },
            violation: { (coded: CodedValue<Value>) in traits.violation(by: coded.value) },
            remembersDefault: remembersDefault,
            default: { CodedValue(value: makeDefault()) }
        ).value
    }
}
