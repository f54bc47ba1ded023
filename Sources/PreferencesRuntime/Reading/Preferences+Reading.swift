import PreferencesSystem
import Synchronization

/// The fast path of reading: returns the value that a cell caches, without a lock.
extension Preferences {
    /// Returns the cached value of a key. This is all that an ordinary read does, within a few nanoseconds.
    ///
    /// Only the parts that depend on the type are `@inlinable`: each module has a copy of them for each of its types,
    /// which costs compile time.
    @inlinable
    @inline(__always)
    func cachedValue<Value: Sendable>(_ key: CellKey, as type: Value.Type) -> CachedValue<Value> {
        if Cell.fitsIntoWords(type) { return Self.cachedValue(cachedWords(key, ObjectIdentifier(type))) }
        if TextCell.isText(type) { return Self.cachedValue(cachedText(key, ObjectIdentifier(type))) }
        guard let cell = readableCell(key, ObjectIdentifier(type)) else { return .uncached }
        // Not retained: cells live as long as their `Preferences`.
        return withExtendedLifetime(self) {
            Unmanaged<ValueCell<Value>>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.readValue() }
        }
    }

    /// Returns the value that a cell's words contain.
    @inlinable
    @inline(__always)
    static func cachedValue<Value>(_ contents: Cell.Contents) -> CachedValue<Value> {
        switch contents.state {
        case .unset: .unset
        case .words: .value(withUnsafeBytes(of: contents.words) { $0.load(as: Value.self) })
        case .uncached, .reference: .uncached
        }
    }

    /// Returns a cached string as `Value`, which is `String` or `String?`.
    @inlinable
    @inline(__always)
    static func cachedValue<Value>(_ text: CachedValue<String?>) -> CachedValue<Value> {
        switch text {
        case .uncached: .uncached
        case .unset: .unset
        case .value(let text): .value(unsafeBitCast(text, to: Value.self))
        }
    }

    /// Returns the cached value of a key whose type fits into words.
    @usableFromInline
    func cachedWords(_ key: CellKey, _ type: ObjectIdentifier) -> Cell.Contents {
        read(key, type) { $0.read() } ?? .uncached
    }

    /// Returns the cached value of a key whose type is `String` or `String?`.
    @usableFromInline
    func cachedText(_ key: CellKey, _ type: ObjectIdentifier) -> CachedValue<String?> {
        read(key, type) { unsafeDowncast($0, to: TextCell.self).readText() } ?? .uncached
    }

    /// Reads the cell of an accessor.
    ///
    /// - Returns: Nil if there is no cell, or if the read has to take the slow path.
    @inline(__always)
    private func read<Contents: Sendable>(
        _ key: CellKey,
        _ type: ObjectIdentifier,
        _ read: (Cell) -> Contents
    ) -> Contents? {
        guard let cell = cells.cell(for: key, type) else { return nil }
        return Unmanaged<Cell>.fromOpaque(cell)._withUnsafeGuaranteedRef { cell in
            guard interceptorCount.isZero else { return readIntercepted(cell, read) }
            if isObserved { cell.noteRead() }
            return read(cell)
        }
    }

    /// Reads a cell while reads are intercepted, on this thread or another one.
    ///
    /// - Returns: Nil if the read has to take the slow path.
    @inline(never)
    private func readIntercepted<Contents: Sendable>(_ cell: Cell, _ read: (Cell) -> Contents) -> Contents? {
        guard AccessTracker.active(on: self) == nil, !cell.hasFormerNames else { return nil }
        let record = cell.record
        if writing.isHeldByThisThread {
            if session.isEvaluating {
                session.noteRead(of: record)
                return state.withLock { _ in record.isCachedValueNotified ? read(cell) : nil }
            }
            if let transaction = session.transaction(of: self) {
                // The store may have a value that these preferences have not been notified of.
                guard !cell.isEmpty, let value = try? transaction.currentValue(of: record) else { return nil }
                if isObserved { cell.noteRead() }
                return state.withLock { _ in record.cachedValue?.isIdentical(to: value) == true ? read(cell) : nil }
            }
        }
        if isObserved { cell.noteRead() }
        return read(cell)
    }

    /// Returns the cached value of a key whose name is known only at run time.
    ///
    /// Records of such names are removed with their cells once there are many, so their cells are used only while
    /// `state` is locked.
    @inlinable
    @inline(__always)
    func cachedValue<Value: Sendable>(named name: String, as type: Value.Type) -> CachedValue<Value> {
        if Cell.fitsIntoWords(type) { return Self.cachedValue(cachedWords(named: name, ObjectIdentifier(type))) }
        if TextCell.isText(type) { return Self.cachedValue(cachedText(named: name, ObjectIdentifier(type))) }
        return cachedReference(named: name, as: type)
    }

    @usableFromInline
    func cachedWords(named name: String, _ type: ObjectIdentifier) -> Cell.Contents {
        withReadableCell(named: name, type) { $0._withUnsafeGuaranteedRef { $0.read() } } ?? .uncached
    }

    @usableFromInline
    func cachedText(named name: String, _ type: ObjectIdentifier) -> CachedValue<String?> {
        withReadableCell(named: name, type) { cell in
            Unmanaged<TextCell>.fromOpaque(cell.toOpaque())._withUnsafeGuaranteedRef { $0.readText() }
        } ?? .uncached
    }

    @usableFromInline
    func cachedReference<Value: Sendable>(named name: String, as type: Value.Type) -> CachedValue<Value> {
        withReadableCell(named: name, ObjectIdentifier(type)) { cell in
            Unmanaged<ValueCell<Value>>.fromOpaque(cell.toOpaque())._withUnsafeGuaranteedRef { $0.readValue() }
        } ?? .uncached
    }

    /// Reads the cell of a name that is known only at run time, with `state` locked.
    ///
    /// - Returns: Nil if there is no such cell, or if the read has to take the slow path.
    @inline(__always)
    private func withReadableCell<Result: Sendable>(
        named name: String,
        _ type: ObjectIdentifier,
        _ read: (Unmanaged<Cell>) -> Result
    ) -> Result? {
        // The slow path notifies Observation.
        guard interceptorCount.isZero, !isObserved else { return nil }
        return state.withLock { state in
            state.records.withRecord(of: name) { $0.plainCell(of: type) }.map(read)
        }
    }

    /// Returns the cell of an accessor, unless reads are intercepted, and notifies Observation of the read.
    @usableFromInline
    @inline(__always)
    func readableCell(_ key: CellKey, _ type: ObjectIdentifier) -> UnsafeRawPointer? {
        guard interceptorCount.isZero, let cell = cells.cell(for: key, type) else { return nil }
        if isObserved { Unmanaged<Cell>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.noteRead() } }
        return cell
    }

    /// Returns the cell of an accessor for values of a type, which is created if there is none. It lives as long as
    /// these preferences.
    func cell<Value: Sendable>(
        for key: CellKey,
        _ type: Value.Type,
        _ entry: () -> PreferenceEntry
    ) -> Unmanaged<Cell> {
        let id = ObjectIdentifier(type)
        if let cell = cells.cell(for: key, id) { return Unmanaged<Cell>.fromOpaque(cell) }
        let entry = entry()
        let records = records(of: entry)
        return state.withLock { state in
            // Another thread may have created it in the meantime.
            if let cell = cells.cell(for: key, id) { return Unmanaged<Cell>.fromOpaque(cell) }
            let cell = Cell.make(key, type, entry, records)
            for record in records {
                record.add(cell)
                if record.isAmongSecrets { state.secretRecords.keep(record) } else { state.records.keep(record) }
            }
            cells.add(cell, after: state.cellCount)
            state.cellCount += 1
            return .passUnretained(cell)
        }
    }
}

/// The slow path of reading: looks up a value that no cell caches, and caches it.
extension Preferences {
    /// Reads a key, and caches its value.
    ///
    /// - Parameters:
    ///   - key: The accessor.
    ///   - entry: Returns the entry that stores the value.
    ///   - violation: Returns the constraint that a value violates.
    ///   - makeDefault: Returns the default, if it is known.
    ///   - isConstant: Whether the default is always the same, and expensive to make, so that it is cached.
    /// - Returns: The value; nil if the default is to be used.
    func read<Value: PreferenceConvertible>(
        _ key: CellKey,
        _ entry: () -> PreferenceEntry,
        violation: (Value) -> ConstraintViolation?,
        default makeDefault: () -> Value?,
        isConstant: Bool = false
    ) -> Value? {
        prepare()
        return read(cell(for: key, Value.self, entry).takeUnretainedValue(), violation, makeDefault, isConstant)
    }

    private func read<Value: PreferenceConvertible>(
        _ cell: Cell,
        _ violation: (Value) -> ConstraintViolation?,
        _ makeDefault: () -> Value?,
        _ isConstant: Bool
    ) -> Value? {
        if let interception = interception(of: cell.entry, [cell.record], cell, as: Self.declaredType(Value.self)) {
            if isObserved, interception == .transaction { cell.noteRead() }
            switch interception {
            case .default: return nil
            case .lastNotified:
                if let value = notifiedValue(in: cell, Value.self) { return value }
            case .stored, .transaction: break
            }
            return decodedValue(of: cell.entry, cell.records, violation, makeDefault).value
        }
        if isObserved { cell.noteRead() } else { reportIfTracked(cell.entry, cell.record) }
        // An interception on another thread may have led here.
        switch cell.cachedValue(Value.self) {
        case .value(let value): return value
        case .unset: return nil
        case .uncached: break
        }
        let version = state.withLock { _ in cell.version }
        let records = cell.records
        let (found, last) = decodedValue(of: cell.entry, records, violation, makeDefault)
        let value = found ?? (isConstant ? makeDefault() : nil)
        if let last {
            state.withLock { _ in
                // Only if nothing has changed since, and the records of all locations that were read will be
                // invalidated by changes.
                guard cell.isEmpty, cell.version == version, records[...last].allSatisfy({ $0.cachedValue != nil })
                else {
                    return
                }
                if let value { cell.cache(value) } else { cell.cacheUnset() }
            }
        }
        return value
    }

    /// Returns the value that watchers were notified of if a cell caches it.
    private func notifiedValue<Value: Sendable>(in cell: Cell, _ type: Value.Type) -> Value? {
        let cached: CachedValue<Value> = state.withLock { _ in
            guard cell.record.isCachedValueNotified, !cell.hasFormerNames else { return .uncached }
            return cell.cachedValue(Value.self)
        }
        return if case .value(let value) = cached { value } else { nil }
    }

    /// Reads a key whose name is known only at run time, and caches its value.
    ///
    /// - Returns: The value; nil if the default is to be used.
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
        return withExtendedLifetime(record) { read(cell, { _ in nil }, { nil }, false) }
    }

    /// Reads a key whose entry is known only at run time, and caches nothing.
    ///
    /// - Returns: The value; nil if the default is to be used.
    func read<Value: PreferenceConvertible>(
        _ entry: PreferenceEntry,
        violation: (Value) -> ConstraintViolation? = { _ in nil }
    ) -> Value? {
        prepare()
        let records = records(of: entry)
        if interception(of: entry, records, as: Value.self) == .default { return nil }
        noteReads(of: records)
        return decodedValue(of: entry, records, violation) { nil }.value
    }

    /// Looks up the value of an entry, and decodes and validates it.
    ///
    /// - Returns: The value, nil if the default is to be used; and the index of the last record that was read, nil if a
    ///   store could not be read.
    private func decodedValue<Value: PreferenceConvertible>(
        of entry: PreferenceEntry,
        _ records: [KeyRecord],
        _ violation: (Value) -> ConstraintViolation?,
        _ makeDefault: () -> Value?
    ) -> (value: Value?, last: Int?) {
        let records = readRecords(records)
        switch lookUp(entry, records) {
        case .nothing(let isCurrent): return (nil, isCurrent ? records.count - 1 : nil)
        case .unreadable: return (nil, nil)
        case .found(let stored, let location, let isCurrent):
            let last = isCurrent ? records.firstIndex { $0 === location.record } : nil
            do {
                let value = try location.store.read(stored, of: location.record.name, as: Value.self)
                guard let violation = violation(value) else {
                    AccessTracker.active(on: self)?.record(entry) { source(at: location) }
                    return (value, last)
                }
                let message = violation.message(isSecret: entry.isSecret)
                reportUnusable(stored, at: location, .constraintViolation, message, default: makeDefault())
            } catch {
                let message =
                    entry.isSecret
                    ? "expected \(DisplayName.of(Self.declaredType(Value.self))), found something else"
                    : "\(ErrorText(error))\(Self.hint(at: stored, in: location.store))"
                reportUnusable(stored, at: location, .typeMismatch, message, default: makeDefault())
            }
            return (nil, last)
        }
    }

    /// Returns the end of the message for a value that another library has encoded, or nothing.
    private static func hint(at value: PreferenceValue, in store: any PreferenceStore) -> String {
        value.isJSONInData && !store.isEncoded(value)
            ? ", which looks like JSON in data; read it through 'LegacyStore(_:decoding: [.jsonData])'" : ""
    }

    /// Returns the type that an accessor declares, without internal wrappers.
    static func declaredType(_ type: Any.Type) -> Any.Type {
        (type as? any ValueWrapper.Type)?.wrappedType ?? type
    }

    /// Reports, once, that Observation tracks a read of preferences that do not notify it.
    private func reportIfTracked(_ entry: PreferenceEntry, _ record: KeyRecord) {
        // Once for each key, since it takes as long as the rest of this slow path.
        guard !hasReportedTracking.load(ordering: .relaxed), state.withLock({ _ in record.beginTrackingProbe() }),
            TrackingProbe.isTracking, !hasReportedTracking.exchange(true, ordering: .relaxed)
        else { return }
        let store = (record.isAmongSecrets ? secrets : nil) ?? store
        reporter.report(PreferenceProblem(unobservedReadOf: entry.name, in: store))
    }

    /// Notifies Observation of reads.
    func noteReads(of records: [KeyRecord]) {
        if isObserved { for record in records { record.tracker?.noteRead() } }
    }

    /// Returns the stored value of a name, without converting it; nil if the name is not set, or cannot be read.
    func storedValue(named name: String) -> PreferenceValue? {
        prepare()
        let entry = PreferenceEntry(name)
        let records = records(of: entry)
        if interception(of: entry, records, as: PreferenceValue?.self) == .default { return nil }
        noteReads(of: records)
        guard case .found(let value, let location, _) = lookUp(entry, records) else { return nil }
        AccessTracker.active(on: self)?.record(entry) { source(at: location) }
        return value
    }

    /// Returns whether a key is set, possibly to a value that cannot be read.
    func hasEntry(_ entry: PreferenceEntry) -> Bool {
        prepare()
        let records = records(of: entry)
        if interception(of: entry, records, as: Never.self) == .default { return false }
        noteReads(of: records)
        return locations(of: entry, readRecords(records)).contains { location in
            do {
                return try value(at: location) != nil
            } catch {
                reportUnreadable(location, error)
                if let last = lastValue(at: location, after: error) { return last != nil }
                // A problem of the key means that there is a value. Other errors do not.
                return (error as? PreferenceProblem)?.key != nil
            }
        }
    }
}

extension Preferences {
    /// How a read that does not use a cell gets its value.
    enum Interception {
        /// A tracker records the keys that are read.
        case stored
        /// A transaction of this thread may have changed the value.
        case transaction
        /// A watched value is evaluated from values that watchers were notified of.
        case lastNotified
        /// A tracker asks for the default.
        case `default`
    }

    /// Notes a read of whether a key is fixed.
    func noteManagedRead(of entry: PreferenceEntry, _ record: KeyRecord) -> Interception? {
        noteReads(of: [record])
        return interception(of: entry, [record], as: Never.self)
    }

    /// Notes a read for the tracker and the evaluation that are active on this thread.
    ///
    /// - Parameters:
    ///   - records: The records of the entry; of a cell, that of its present name.
    ///   - cell: The cell that is read; nil if there is none.
    ///   - type: The type of the value; `Never` if the value itself is not read.
    private func interception(
        of entry: @autoclosure () -> PreferenceEntry,
        _ records: @autoclosure () -> [KeyRecord],
        _ cell: Cell? = nil,
        as type: @autoclosure () -> Any.Type
    ) -> Interception? {
        guard !interceptorCount.isZero else { return nil }
        let tracker = AccessTracker.active(on: self)
        let isEvaluating = writing.isHeldByThisThread && session.isEvaluating
        // Finding the name of a key is not a read of its value.
        if isEvaluating, tracker?.purpose != .entries {
            if let cell, !cell.hasFormerNames {
                session.noteRead(of: cell.record)
            } else {
                for record in cell?.records ?? records() { session.noteRead(of: record) }
            }
        }
        if let tracker {
            tracker.record(entry(), as: type())
            return tracker.givesDefaults ? .default : .stored
        }
        if isEvaluating { return .lastNotified }
        return session.transaction(of: self) == nil ? nil : .transaction
    }
}

extension PreferenceValue {
    /// Whether this is data that begins and ends as a JSON object, array or string does.
    fileprivate var isJSONInData: Bool {
        guard case .data(let data) = self, data.count > 1, let first = data.first, let last = data.last else {
            return false
        }
        return ["{}", "[]", "\"\""].contains { $0.utf8.elementsEqual([first, last]) }
    }
}
