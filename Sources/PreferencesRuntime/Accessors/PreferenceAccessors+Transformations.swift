/// Reading and writing values that are stored in another representation.
extension PreferenceAccessors {
    /// Returns the value of a key that is stored in another representation, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be transformed, which
    ///     is reported through ``Preferences/problems``. It is never stored, and is not transformed.
    ///   - transformation: The transformation between the stored and the read values. Called at each read.
    @_disfavoredOverload  // `default: nil` selects the method for optional keys.
    public func get<Stored: PreferenceConvertible, Value>(
        _ name: StaticString,
        default: @autoclosure () -> Value,
        through transformation: PreferenceTransformation<Stored, Value>
    ) -> Value {
        let stored = preferences.stored(name, as: Stored.self)
        return preferences.value(
            of: PreferenceEntry(String(literal: name)),
            storedAs: stored,
            default: `default`(),
            through: transformation
        )
    }

    /// Returns the value of an optional key that is stored in another representation, or nil.
    ///
    /// ```swift
    /// var badge: Badge? {      // an object that conforms to NSSecureCoding
    ///     get { get("badge", through: .archive) }
    ///     nonmutating set { set("badge", to: newValue, through: .archive) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: Nil, which may be omitted.
    ///   - transformation: The transformation between the stored and the read values, which are not optional. Called at
    ///     each read. If the stored value cannot be transformed, which is reported through ``Preferences/problems``, the
    ///     key reads as nil.
    public func get<Stored: PreferenceConvertible, Value>(
        _ name: StaticString,
        default: Never? = nil,
        through transformation: PreferenceTransformation<Stored, Value>
    ) -> Value? {
        let stored = preferences.stored(name, as: Stored?.self)
        return preferences.value(
            of: PreferenceEntry(String(literal: name)),
            storedAs: stored,
            default: nil,
            through: transformation.optional
        )
    }

    /// Sets a key that is stored in another representation.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: The new value; nil resets the key. A value that cannot be transformed is reported, and is not set.
    ///   - transformation: The transformation between the stored and the read values.
    public func set<Stored: PreferenceConvertible, Value>(
        _ name: StaticString,
        to value: Value?,
        through transformation: PreferenceTransformation<Stored, Value>
    ) {
        let entry = PreferenceEntry(String(literal: name))
        guard let value else { return preferences.reset([entry]) }
        preferences.write(value, to: entry, through: transformation) { set(name, to: $0) }
    }
}

/// Keys with traits. Constraints, processors and hooks apply to the values that are read, not to the stored ones.
extension PreferenceAccessors {
    /// Returns the value of a key with traits that is stored in another representation, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return while the key is not set, or if the stored value cannot be transformed or
    ///     violates a constraint, which is reported through ``Preferences/problems``. It is never stored, and is not
    ///     transformed.
    ///   - transformation: The transformation between the stored and the read values. Called at each read.
    ///   - traits: The key's traits, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    @_disfavoredOverload  // `default: nil` selects the method for optional keys.
    public func get<Stored: PreferenceConvertible, Value: Sendable>(
        _ name: StaticString,
        default: @autoclosure () -> Value,
        through transformation: PreferenceTransformation<Stored, Value>,
        _ traits: [PreferenceTrait<Value>],
        fileID: StaticString = #fileID
    ) -> Value {
        let stored = preferences.stored(name, traits, through: transformation, fileID)
        return preferences.value(
            of: PreferenceEntry(String(literal: name), traits),
            storedAs: stored,
            default: `default`(),
            through: transformation.validated(by: traits)
        )
    }

    /// Returns the value of an optional key with traits that is stored in another representation, or nil.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: Nil, which may be omitted.
    ///   - transformation: The transformation between the stored and the read values, which are not optional. Called at
    ///     each read.
    ///   - traits: The traits of values that are not nil, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    public func get<Stored: PreferenceConvertible, Value: Sendable>(
        _ name: StaticString,
        default: Never? = nil,
        through transformation: PreferenceTransformation<Stored, Value>,
        _ traits: [PreferenceTrait<Value>],
        fileID: StaticString = #fileID
    ) -> Value? {
        let stored = preferences.stored(name, traits, through: transformation, fileID)
        return preferences.value(
            of: PreferenceEntry(String(literal: name), traits),
            storedAs: stored.map(Optional.some),
            default: nil,
            through: transformation.validated(by: traits).optional
        )
    }

    /// Sets a key with traits that is stored in another representation.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: The new value; nil resets the key. A value that violates a constraint or cannot be transformed is
    ///     reported, and is not set.
    ///   - transformation: The transformation between the stored and the read values.
    ///   - traits: The traits of values that are not nil, such as constraints.
    ///   - fileID: The accessor's file; by default, the calling one. Accessors with the same name and type may differ
    ///     between files.
    public func set<Stored: PreferenceConvertible, Value: Sendable>(
        _ name: StaticString,
        to value: Value?,
        through transformation: PreferenceTransformation<Stored, Value>,
        _ traits: [PreferenceTrait<Value>],
        fileID: StaticString = #fileID
    ) {
        let preferences = preferences
        let entry = preferences.entry(String(literal: name), traits, through: transformation)
        guard let value else { return preferences.reset([entry]) }
        preferences.write(value, to: entry, through: transformation.validated(by: traits)) { stored in
            preferences.write(
                CellKey(name, in: fileID, hasTraits: true),
                entry,
                stored,
                violation: { _ in nil }
            )
        }
    }
}

extension PreferenceTransformation where Value: Sendable {
    /// Returns a transformation that processes the values to store, and throws a ``ConstraintViolation`` for values that
    /// violate a constraint.
    func validated(by traits: [PreferenceTrait<Value>]) -> Self {
        if traits.isEmpty { return self }
        return Self { stored in
            let value = try read(stored)
            if let violation = traits.violation(by: value) { throw violation }
            return value
        } write: { value in
            let value = traits.processed(value)
            if let violation = traits.violation(by: value) { throw violation }
            return try write(value)
        }
    }
}

extension Preferences {
    /// Returns the stored value, or nil if the key's default is to be used.
    fileprivate func stored<Value: PreferenceConvertible>(_ name: StaticString, as type: Value.Type) -> Value? {
        let key = CellKey(name)
        return cachedValue(key) {
            read(key, { PreferenceEntry(String(literal: name)) }, violation: { _ in nil }, default: { nil })
        }
    }

    /// Returns the stored value of a key with traits, or nil if the key's default is to be used.
    fileprivate func stored<Stored: PreferenceConvertible, Value>(
        _ name: StaticString,
        _ traits: [PreferenceTrait<Value>],
        through transformation: PreferenceTransformation<Stored, Value>,
        _ fileID: StaticString
    ) -> Stored? {
        let key = CellKey(name, in: fileID, hasTraits: true)
        return cachedValue(key) {
            read(
                key,
                { entry(String(literal: name), traits, through: transformation) },
                violation: { _ in nil },
                default: { nil }
            )
        }
    }

    /// Transforms a stored value.
    ///
    /// - Parameter stored: The stored value; nil if the key's default is to be used.
    func value<Stored, Value>(
        of entry: @autoclosure () -> PreferenceEntry,
        storedAs stored: Stored?,
        default: @autoclosure () -> Value,
        through transformation: PreferenceTransformation<Stored, Value>
    ) -> Value {
        // Hooks process stored values. With this type recorded, no hook can be set on transformed ones.
        AccessTracker.active(on: self)?.record(entry(), as: PreferenceTransformation<Stored, Value>.self)
        guard let stored else { return `default`() }
        do {
            return try transformation.read(stored)
        } catch {
            let value = `default`()
            reportUnusable(entry(), because: error, default: value)
            return value
        }
    }

    /// Transforms a value, and writes the result.
    func write<Stored, Value>(
        _ value: Value,
        to entry: @autoclosure () -> PreferenceEntry,
        through transformation: PreferenceTransformation<Stored, Value>,
        _ write: (Stored) -> Void
    ) {
        do {
            write(try transformation.write(value))
        } catch {
            refuse(Value.self, for: entry(), because: error)
        }
    }

    /// Reports that a stored value cannot be transformed.
    private func reportUnusable(_ entry: PreferenceEntry, because error: any Error, default: Any) {
        guard case .found(let stored, let location, _) = lookUp(entry, records(of: entry)) else { return }
        if let violation = error as? ConstraintViolation {
            let message = violation.message(isSecret: entry.isSecret)
            return reportUnusable(stored, at: location, .constraintViolation, message, default: `default`)
        }
        let message = entry.isSecret ? RedactedError.unreadableValue : ErrorText(error).description
        reportUnusable(stored, at: location, .typeMismatch, message, default: `default`)
    }

    /// Reports that a value cannot be transformed for storing, and was not set.
    private func refuse(_ type: Any.Type, for entry: PreferenceEntry, because error: any Error) {
        let store = (entry.isSecret ? secrets : nil) ?? store
        if let violation = error as? ConstraintViolation {
            let message = "\(violation.message(isSecret: entry.isSecret)); it was not set"
            return report(
                failure: PreferenceProblem(
                    .constraintViolation,
                    key: entry.name,
                    store: store.destinationLabel,
                    message: message
                )
            )
        }
        report(
            failure: PreferenceProblem(
                encoding: type,
                for: entry.name,
                failed: error,
                in: store,
                isSecret: entry.isSecret
            )
        )
    }
}
