import PreferencesSystem

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
        return read(cell(for: key, Value.self, entry).takeUnretainedValue(), violation, makeConstantDefault)
    }

    private func read<Value: PreferenceConvertible>(
        _ cell: Cell,
        _ violation: (Value) -> ConstraintViolation?,
        _ makeConstantDefault: () -> Value?
    ) -> Value? {
        if let interception = interception(of: cell.entry, [cell.record], cell, as: Self.named(Value.self)) {
            if isObserved, interception == .givesTransactionsValue { cell.noteRead() }
            switch interception {
            case .givesDefault: return nil
            case .givesNotifiedValue:
                if let value = notifiedValue(in: cell, Value.self) { return value }
            case .givesValue, .givesTransactionsValue: break
            }
            return look(cell.entry, cell.records, violation).value
        }
        if isObserved { cell.noteRead() }
        // Another thread's interception may have led here.
        switch cell.cachedValue(Value.self) {
        case .value(let value): return value
        case .unset: return nil
        case .unknown: break
        }
        let version = state.withLock { _ in cell.version }
        let records = cell.records
        let (found, last) = look(cell.entry, records, violation)
        let value = found ?? makeConstantDefault()
        if let last {
            state.withLock { _ in
                // Nothing has changed since, and every place that was looked at will notify when it does.
                guard cell.isEmpty, cell.version == version, records[...last].allSatisfy({ $0.known != nil }) else {
                    return
                }
                if let value { cell.cache(value) } else { cell.cacheUnset() }
            }
        }
        return value
    }

    /// The value that watchers were notified of, if a cell has it.
    private func notifiedValue<Value: Sendable>(in cell: Cell, _ type: Value.Type) -> Value? {
        let cached: CachedValue<Value> = state.withLock { _ in
            guard cell.record.isCachedValueNotified, !cell.hasFormerNames else { return .unknown }
            return cell.cachedValue(Value.self)
        }
        return if case .value(let value) = cached { value } else { nil }
    }

    /// Reads a key by a name that is known only at run time, and caches what was read.
    ///
    /// - Returns: Nil where the default is to be used.
    @usableFromInline
    func find<Value: PreferenceConvertible>(named name: String) -> Value? {
        prepare()
        let record = record(of: name)
        let cell = state.withLock { _ in
            if let cell = record.plainCell(of: ObjectIdentifier(Value.self)) { return cell.takeUnretainedValue() }
            let cell = Cell.make(.named, Value.self, PreferenceEntry(name), [record])
            record.add(cell)
            return cell
        }
        // The cell does not retain its record.
        return withExtendedLifetime(record) { read(cell, { _ in nil }, { nil }) }
    }

    /// Reads a key whose entry is known only at run time. Nothing is cached.
    ///
    /// - Returns: Nil where the default is to be used.
    func read<Value: PreferenceConvertible>(
        _ entry: PreferenceEntry,
        violation: (Value) -> ConstraintViolation? = { _ in nil }
    ) -> Value? {
        prepare()
        let records = records(of: entry)
        if interception(of: entry, records, as: Value.self) == .givesDefault { return nil }
        if isObserved { for record in records { record.tracker?.noteRead() } }
        return look(entry, records, violation).value
    }

    /// The value of an entry as a type.
    ///
    /// - Returns: The value, nil where the default is to be used; and which name was looked at last, nil where the stores
    ///   could not say what there is now.
    private func look<Value: PreferenceConvertible>(
        _ entry: PreferenceEntry,
        _ records: [KeyRecord],
        _ violation: (Value) -> ConstraintViolation?
    ) -> (value: Value?, last: Int?) {
        switch lookUp(entry, records) {
        case .nothing(let isCurrent): return (nil, isCurrent ? records.count - 1 : nil)
        case .unreadable: return (nil, nil)
        case .found(let stored, let location, let isCurrent):
            let last = isCurrent ? records.firstIndex { $0 === location.record } : nil
            do {
                let value = try location.store.read(stored, of: location.record.name, as: Value.self)
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
        let records = records(of: entry)
        if interception(of: entry, records, as: Never.self) == .givesDefault { return false }
        if isObserved { for record in records { record.tracker?.noteRead() } }
        return locations(of: entry, records).contains { location in
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
        for entry in entries {
            let records = records(of: entry)
            if interception(of: entry, records, as: Never.self) == .givesDefault { continue }
            if isObserved { for record in records { record.tracker?.noteRead() } }
            for location in locations(of: entry, records) {
                do {
                    if let own = session.transaction(of: self)?.ownValue(of: location.record) {
                        if own != nil { return location.store.label }
                    } else if let source = try location.store.origin(of: location.record.name) {
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
    /// Why a read is not answered by a cell.
    enum Interception {
        /// A probe finds out what is read.
        case givesValue
        /// A transaction of this thread may have changed it.
        case givesTransactionsValue
        /// A watched value is read, of which watchers were notified.
        case givesNotifiedValue
        /// A probe finds out the default.
        case givesDefault
    }

    /// Notes a read for the probe and the look that this thread is in.
    ///
    /// - Parameters:
    ///   - records: The records of the entry; of a cell, that of its present name.
    ///   - cell: The cell that is read; nil if there is none.
    ///   - type: The type that it is read as; `Never` where its value is not.
    private func interception(
        of entry: @autoclosure () -> PreferenceEntry,
        _ records: @autoclosure () -> [KeyRecord],
        _ cell: Cell? = nil,
        as type: @autoclosure () -> Any.Type
    ) -> Interception? {
        guard !interceptorCount.isZero else { return nil }
        let isLooking = writing.isHeldByThisThread && session.isLooking
        if isLooking {
            if let cell, !cell.hasFormerNames {
                session.noteRead(of: cell.record)
            } else {
                for record in cell?.records ?? records() { session.noteRead(of: record) }
            }
        }
        if let probe = KeyPathProbe.active(on: self) {
            probe.note(entry(), as: type())
            return probe.givesDefaults ? .givesDefault : .givesValue
        }
        if isLooking { return .givesNotifiedValue }
        return session.transaction(of: self) == nil ? nil : .givesTransactionsValue
    }
}
