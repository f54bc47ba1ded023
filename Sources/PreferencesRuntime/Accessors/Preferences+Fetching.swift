/// What all getters of accessors do: give what is remembered, or find it out.
///
/// Inlined into each of them, which are specialised for each type. What is only called when nothing is remembered is not,
/// as each module would have a copy of it for each of its types. It gives nil where the default is to be used, so that
/// getters need not make a closure of theirs.
extension Preferences {
    /// The value of a key.
    ///
    /// - Parameter find: Gives what is not remembered.
    @inlinable
    @inline(__always)
    func fetch<Value: PreferenceConvertible>(
        _ key: CellKey,
        default makeDefault: () -> Value,
        _ find: (Preferences, CellKey) -> Value?
    ) -> Value {
        switch cachedValue(key, as: Value.self) {
        case .value(let value): value
        case .unset: makeDefault()
        case .uncached: find(self, key) ?? makeDefault()
        }
    }

    /// The value of a key of a `Codable` type.
    @inlinable
    @inline(__always)
    func fetch<Value: Codable & Sendable>(
        codable key: CellKey,
        default makeDefault: () -> Value,
        _ find: (Preferences, CellKey) -> Value?
    ) -> Value {
        switch cachedValue(key, as: CodedValue<Value>.self) {
        case .value(let coded): coded.value
        case .unset: makeDefault()
        case .uncached: find(self, key) ?? makeDefault()
        }
    }
}

extension Preferences {
    /// Not specialised, as `_set(_:to:)` is not.
    @usableFromInline
    @_semantics("optimize.sil.specialize.generic.never")
    func find<Value: PreferenceConvertible>(_ name: _StorageName, _ key: CellKey) -> Value? {
        read(key, { PreferenceEntry(String(storageName: name)) }, violation: { _ in nil }, constantDefault: { nil })
    }

    @usableFromInline
    func find<Value: PreferenceConvertible>(_ name: StaticString, _ key: CellKey) -> Value? {
        find(name, key, constant: { nil })
    }

    @usableFromInline
    func find<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ key: CellKey,
        constant makeDefault: () -> Value?
    ) -> Value? {
        read(key, { PreferenceEntry(String(literal: name)) }, violation: { _ in nil }, constantDefault: makeDefault)
    }

    @usableFromInline
    func find<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ key: CellKey,
        _ makeTraits: () -> [PreferenceTrait<Value>]
    ) -> Value? {
        find(name, key, makeTraits, constant: { nil })
    }

    @usableFromInline
    func find<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ key: CellKey,
        _ makeTraits: () -> [PreferenceTrait<Value>],
        constant makeDefault: () -> Value?
    ) -> Value? {
        let traits = makeTraits()
        return read(
            key,
            { PreferenceEntry(String(literal: name), traits) },
            violation: traits.violation,
            constantDefault: makeDefault
        )
    }

    @usableFromInline
    func find<Value: Codable & Sendable>(
        codable name: StaticString,
        _ key: CellKey,
        _ makeTraits: () -> [PreferenceTrait<Value>]
    ) -> Value? {
        find(codable: name, key, makeTraits, constant: { nil })
    }

    @usableFromInline
    func find<Value: Codable & Sendable>(
        codable name: StaticString,
        _ key: CellKey,
        _ makeTraits: () -> [PreferenceTrait<Value>],
        constant makeDefault: () -> Value?
    ) -> Value? {
        let traits = makeTraits()
        return read(
            key,
            { PreferenceEntry(String(literal: name), traits) },
            violation: { (coded: CodedValue<Value>) in traits.violation(by: coded.value) },
            constantDefault: { makeDefault().map { CodedValue(value: $0) } }
        )?.value
    }
}
