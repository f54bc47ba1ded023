/// Reading and writing values that are stored as something else.
extension PreferenceAccessors {
    /// The value of a key that is stored as something else, or its default.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: What is read while the key is not set, or is set to what no value can be made of, which is reported
    ///     through ``Preferences/problems``. It is never stored, and does not pass through the transformation.
    ///   - transformation: How values are made of what is stored; called at each read.
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

    /// Sets a key that is stored as something else.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: Its new value. One that nothing can be made of to be stored is reported, and changes nothing.
    ///   - transformation: How what is stored is made of values.
    public func set<Stored: PreferenceConvertible, Value>(
        _ name: StaticString,
        to value: Value,
        through transformation: PreferenceTransformation<Stored, Value>
    ) {
        preferences.write(value, to: PreferenceEntry(String(literal: name)), through: transformation) {
            set(name, to: $0)
        }
    }
}

extension Preferences {
    /// What is stored; nil where the key's default is to be used.
    fileprivate func stored<Value: PreferenceConvertible>(_ name: StaticString, as type: Value.Type) -> Value? {
        let key = CellKey(name)
        return switch cachedValue(key, as: Value.self) {
        case .value(let value): value
        case .unset: nil
        case .uncached: find(name, key)
        }
    }

    /// Makes a value of what is stored.
    ///
    /// - Parameter stored: Nil where the key's default is to be used.
    func value<Stored, Value>(
        of entry: @autoclosure () -> PreferenceEntry,
        storedAs stored: Stored?,
        default: @autoclosure () -> Value,
        through transformation: PreferenceTransformation<Stored, Value>
    ) -> Value {
        // Whoever processes values is given what is stored, and not these.
        KeyPathProbe.active(on: self)?.note(entry(), as: PreferenceTransformation<Stored, Value>.self)
        guard let stored else { return `default`() }
        do {
            return try transformation.read(stored)
        } catch {
            reportUnusable(entry(), because: error)
            return `default`()
        }
    }

    /// Makes what is to be stored of a value.
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

    /// Reports that nothing can be made of what is stored.
    private func reportUnusable(_ entry: PreferenceEntry, because error: any Error) {
        guard case .found(let stored, let location, _) = lookUp(entry, records(of: entry)) else { return }
        let message = entry.isSecret ? RedactedError.unreadableValue : ErrorText(error).description
        reportUnusable(stored, at: location, .typeMismatch, message)
    }

    /// Refuses to set a value of which nothing can be made to be stored.
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
