/// The common part of all getters: returning the cached value, or looking it up.
///
/// `fetch` is inlined into each getter and specialized for each type. `find`, which runs only if no value is cached, is
/// not inlined, since each module would have a copy of it for each of its types. It returns nil if the default is to be
/// used, so that getters need not create a closure.
extension Preferences {
    /// Returns the value of a key.
    ///
    /// - Parameter find: Looks up a value that is not cached.
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

    /// Returns the value of a key of a `Codable` type.
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

    /// Returns the value of a key, from the cache if possible; nil if the default is to be used.
    ///
    /// - Parameter find: Looks up a value that is not cached.
    func cachedValue<Value: PreferenceConvertible>(_ key: CellKey, orFind find: () -> Value?) -> Value? {
        switch cachedValue(key, as: Value.self) {
        case .value(let value): value
        case .unset: nil
        case .uncached: find()
        }
    }
}

extension Preferences {
    /// Returns a default that may be computed from other keys. Reads of these are not reads of the key itself: it is not
    /// set because they are, and resetting it does not reset them.
    @usableFromInline
    package func computedDefault<Value>(_ makeDefault: () -> Value) -> Value {
        interceptorCount.isZero ? makeDefault() : AccessTracker.default(in: self, makeDefault)
    }

    /// Not specialized: see `_Accessor.set`.
    @usableFromInline
    @_semantics("optimize.sil.specialize.generic.never")
    func find<Value: PreferenceConvertible>(
        _ name: _StorageName,
        _ key: CellKey,
        default makeDefault: () -> Value
    ) -> Value? {
        read(key, { PreferenceEntry(String(storageName: name)) }, violation: { _ in nil }, default: makeDefault)
    }

    @usableFromInline
    func find<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ key: CellKey,
        default makeDefault: () -> Value,
        isConstant: Bool = false
    ) -> Value? {
        read(
            key,
            { PreferenceEntry(String(literal: name)) },
            violation: { _ in nil },
            default: makeDefault,
            isConstant: isConstant
        )
    }

    @usableFromInline
    func find<Value: PreferenceConvertible>(
        _ name: StaticString,
        _ key: CellKey,
        _ makeTraits: () -> [PreferenceTrait<Value>],
        default makeDefault: () -> Value,
        isConstant: Bool = false
    ) -> Value? {
        let traits = makeTraits()
        return read(
            key,
            { entry(String(literal: name), traits) },
            violation: traits.violation,
            default: makeDefault,
            isConstant: isConstant
        )
    }

    @usableFromInline
    func find<Value: Codable & Sendable>(
        codable name: StaticString,
        _ key: CellKey,
        _ makeTraits: () -> [PreferenceTrait<Value>],
        default makeDefault: () -> Value,
        isConstant: Bool = false
    ) -> Value? {
        let traits = makeTraits()
        return read(
            key,
            { entry(codable: String(literal: name), traits) },
            violation: { (coded: CodedValue<Value>) in traits.violation(by: coded.value) },
            default: { CodedValue(value: makeDefault()) },
            isConstant: isConstant
        )?.value
    }
}
