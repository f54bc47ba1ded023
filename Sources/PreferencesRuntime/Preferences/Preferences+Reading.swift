/// The slow path of reading: what no cell remembers.
extension Preferences {
    /// Reads a key, and remembers what was read.
    ///
    /// - Parameters:
    ///   - key: The accessor.
    ///   - entry: Where the value is kept.
    ///   - violation: What is wrong with a value that can be read.
    ///   - makeConstantDefault: Makes the default where that is always the same, and is remembered too; else gives nil.
    /// - Returns: The value, or nil where the default is to be used.
    func read<Value: PreferenceConvertible>(
        _ key: CellKey,
        _ entry: () -> PreferenceEntry,
        violation: (Value) -> ConstraintViolation?,
        constantDefault makeConstantDefault: () -> Value?
    ) -> Value? {
        prepare()
        let cell = cell(for: key, Value.self, entry)
        if let scrutiny = scrutiny(of: cell.entry, as: Self.named(Value.self)) {
            if isObserved, scrutiny == .givesTransactionsValue { cell.noteRead() }
            if scrutiny == .givesDefault { return nil }
            return look(cell.entry, cell.names, violation).value
        }
        if isObserved { cell.noteRead() }
        // Somebody else's scrutiny may have led here.
        switch cell.recall(Value.self) {
        case .value(let value): return value
        case .unset: return nil
        case .nothing: break
        }
        let stamp = state.withLock { _ in cell.stamp }
        let (found, last) = look(cell.entry, cell.names, violation)
        let value = found ?? makeConstantDefault()
        if let last {
            state.withLock { _ in
                // Nothing has changed since, and every place that was looked at will tell when it does.
                guard cell.knowsNothing, cell.stamp == stamp, cell.names[...last].allSatisfy({ $0.known != nil }) else {
                    return
                }
                if let value { cell.remember(value) } else { cell.rememberUnset() }
            }
        }
        return value
    }

    /// Reads a key by a name that is known only at run time. Nothing is cached.
    func read<Value: PreferenceConvertible>(named name: String, default fallback: () -> Value) -> Value {
        read(PreferenceEntry(name)) ?? fallback()
    }

    /// Reads a key whose entry is known only at run time. Nothing is cached.
    ///
    /// - Returns: Nil where the default is to be used.
    func read<Value: PreferenceConvertible>(
        _ entry: PreferenceEntry,
        violation: (Value) -> ConstraintViolation? = { _ in nil }
    ) -> Value? {
        prepare()
        let names = storedNames(of: entry)
        if scrutiny(of: entry, as: Value.self) == .givesDefault { return nil }
        for name in names { name.tracker?.noteRead() }
        return look(entry, names, violation).value
    }

    /// The value of an entry as a type.
    ///
    /// - Returns: The value, nil where the default is to be used; and which name was looked at last, nil where the stores
    ///   could not say what there is now.
    private func look<Value: PreferenceConvertible>(
        _ entry: PreferenceEntry,
        _ names: [StoredName],
        _ violation: (Value) -> ConstraintViolation?
    ) -> (value: Value?, last: Int?) {
        switch lookUp(entry, names) {
        case .nothing(let isCurrent): return (nil, isCurrent ? names.count - 1 : nil)
        case .unreadable: return (nil, nil)
        case .found(let stored, let location, let isCurrent):
            let last = isCurrent ? names.firstIndex { $0 === location.name } : nil
            do {
                let value = try location.store.convert(stored, of: location.name.name, to: Value.self)
                guard let violation = violation(value) else { return (value, last) }
                let message = violation.message(isSecret: entry.isSecret)
                reportUnusable(stored, at: location, .constraintViolation, message)
            } catch {
                let message =
                    entry.isSecret ? "expected \(Self.named(Value.self)), found something else" : "\(ErrorText(error))"
                reportUnusable(stored, at: location, .typeMismatch, message)
            }
            return (nil, last)
        }
    }

    /// The type as the one who wrote the accessor knows it.
    static func named(_ type: Any.Type) -> Any.Type {
        (type as? any ValueWrapper.Type)?.wrappedType ?? type
    }

    func hasEntry(_ entry: PreferenceEntry) -> Bool {
        prepare()
        if scrutiny(of: entry, as: Never.self) == .givesDefault { return false }
        let names = storedNames(of: entry)
        if isObserved { for name in names { name.tracker?.noteRead() } }
        return locations(of: entry, names).contains { location in
            do {
                return try value(at: location) != nil
            } catch {
                reportUnreadable(location, error)
                if let former = formerValue(at: location, after: error) { return former != nil }
                // What is there and cannot be read is there; an error that is no problem of a key does not say so.
                return (error as? PreferenceProblem)?.key != nil
            }
        }
    }
}

extension Preferences {
    /// Where the first value comes from that an entry of these has.
    func source(of entries: [PreferenceEntry]) -> String? {
        prepare()
        for entry in entries where scrutiny(of: entry, as: Never.self) != .givesDefault {
            let names = storedNames(of: entry)
            if isObserved { for name in names { name.tracker?.noteRead() } }
            for location in locations(of: entry, names) {
                do {
                    if let own = session.transaction(of: self)?.ownValue(of: location.name) {
                        if own != nil { return location.store.label }
                    } else if let source = try location.store.source(of: location.name.name) {
                        return source
                    }
                } catch {
                    reportUnreadable(location, error)
                }
            }
        }
        return nil
    }
}

extension Preferences {
    /// Why a read is not answered from memory alone.
    enum Scrutiny {
        /// Someone wants to know what is read.
        case givesValue
        /// A transaction of this thread may have changed it.
        case givesTransactionsValue
        /// Someone wants to know the default.
        case givesDefault
    }

    /// Tells whoever probes on this task what is read.
    ///
    /// - Parameter type: What it is read as; `Never` where its value is not.
    private func scrutiny(of entry: PreferenceEntry, as type: Any.Type) -> Scrutiny? {
        guard !interceptorCount.isZero else { return nil }
        if let probe = KeyPathProbe.active(on: self) {
            probe.note(entry, as: type)
            return probe.givesDefaults ? .givesDefault : .givesValue
        }
        return session.transaction(of: self) == nil ? nil : .givesTransactionsValue
    }
}
