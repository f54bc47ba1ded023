/// What accessors call when no cell remembers their value, in the fewest arguments, as each module has the calls in it.
extension Preferences {
    /// Reads a key without traits.
    @usableFromInline
    func read<Value: PreferenceConvertible>(_ name: StaticString, _ makeDefault: () -> Value) -> Value {
        read(name, remembersDefault: false, makeDefault)
    }

    /// Reads a key without traits, whose default is always the same.
    @usableFromInline
    func readConstant<Value: PreferenceConvertible>(_ name: StaticString, _ makeDefault: () -> Value) -> Value {
        read(name, remembersDefault: true, makeDefault)
    }

    private func read<Value: PreferenceConvertible>(
        _ name: StaticString,
        remembersDefault: Bool,
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

    /// Reads a key with traits.
    @usableFromInline
    func read<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ traits: () -> [PreferenceTrait<Value>],
        _ makeDefault: () -> Value
    ) -> Value {
        read(name, traits, remembersDefault: false, makeDefault)
    }

    /// Reads a key with traits, whose default is always the same.
    @usableFromInline
    func readConstant<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ traits: () -> [PreferenceTrait<Value>],
        _ makeDefault: () -> Value
    ) -> Value {
        read(name, traits, remembersDefault: true, makeDefault)
    }

    private func read<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ makeTraits: () -> [PreferenceTrait<Value>],
        remembersDefault: Bool,
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

    /// Reads a key of a `Codable` type.
    @usableFromInline
    func read<Value: Codable & Sendable>(
        codable name: StaticString,
        _ makeTraits: () -> [PreferenceTrait<Value>],
        remembersDefault: Bool,
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
