/// What all getters of accessors do: give what is remembered, or find it out.
///
/// Inlined into each of them, which are specialised for each type. What is only called when nothing is remembered is not,
/// as each module would have a copy of it for each of its types.
extension Preferences {
    /// The value of a key without traits.
    ///
    /// - Parameter remembersDefault: Whether the default is always the same.
    @inlinable
    @inline(__always)
    func fetch<Value: PreferenceConvertible>(
        _ name: StaticString,
        remembersDefault: Bool = false,
        _ makeDefault: () -> Value
    ) -> Value {
        switch remembered(CellKey(name, hasTraits: false), as: Value.self) {
        case .value(let value): value
        case .unset: makeDefault()
        case .nothing: find(name, remembersDefault, makeDefault)
        }
    }

    /// The value of a key with traits.
    @inlinable
    @inline(__always)
    func fetch<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ makeTraits: () -> [PreferenceTrait<Value>],
        remembersDefault: Bool = false,
        _ makeDefault: () -> Value
    ) -> Value {
        switch remembered(CellKey(name, hasTraits: true), as: Value.self) {
        case .value(let value): value
        case .unset: makeDefault()
        case .nothing: find(name, makeTraits, remembersDefault, makeDefault)
        }
    }

    /// The value of a key of a `Codable` type.
    @inlinable
    @inline(__always)
    func fetch<Value: Codable & Sendable>(
        codable name: StaticString,
        _ makeTraits: () -> [PreferenceTrait<Value>],
        remembersDefault: Bool = false,
        _ makeDefault: () -> Value
    ) -> Value {
        switch remembered(CellKey(name, hasTraits: true), as: CodedValue<Value>.self) {
        case .value(let coded): coded.value
        case .unset: makeDefault()
        case .nothing: find(codable: name, makeTraits, remembersDefault, makeDefault)
        }
    }

    @usableFromInline
    func find<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ remembersDefault: Bool,
        _ makeDefault: () -> Value
    ) -> Value {
        read(
            CellKey(name, hasTraits: false),
            { PreferenceEntry(name.description) },
            violation: { _ in nil },
            remembersDefault: remembersDefault,
            default: makeDefault
        )
    }

    @usableFromInline
    func find<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ makeTraits: () -> [PreferenceTrait<Value>],
        _ remembersDefault: Bool,
        _ makeDefault: () -> Value
    ) -> Value {
        let traits = makeTraits()
        return read(
            CellKey(name, hasTraits: true),
            { PreferenceEntry(name.description, traits) },
            violation: traits.violation,
            remembersDefault: remembersDefault,
            default: makeDefault
        )
    }

    @usableFromInline
    func find<Value: Codable & Sendable>(
        codable name: StaticString,
        _ makeTraits: () -> [PreferenceTrait<Value>],
        _ remembersDefault: Bool,
        _ makeDefault: () -> Value
    ) -> Value {
        let traits = makeTraits()
        return read(
            CellKey(name, hasTraits: true),
            { PreferenceEntry(name.description, traits) },
            violation: { (coded: CodedValue<Value>) in traits.violation(by: coded.value) },
            remembersDefault: remembersDefault,
            default: { CodedValue(value: makeDefault()) }
        ).value
    }
}
