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

extension Preferences {
    /// Returns the stored value, or nil if the key's default is to be used.
    fileprivate func stored<Value: PreferenceConvertible>(_ name: StaticString, as type: Value.Type) -> Value? {
        let key = CellKey(name)
        return cachedValue(key) {
            read(key, { PreferenceEntry(String(literal: name)) }, violation: { _ in nil }, default: { nil })
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
        let message = entry.isSecret ? RedactedError.unreadableValue : ErrorText(error).description
        reportUnusable(stored, at: location, .typeMismatch, message, default: `default`)
    }

    /// Reports that a value cannot be transformed for storing, and was not set.
    private func refuse(_ type: Any.Type, for entry: PreferenceEntry, because error: any Error) {
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
