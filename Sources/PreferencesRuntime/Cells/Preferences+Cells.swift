import PreferencesSystem

extension Preferences {
    /// The cached value of a key: the whole of an ordinary read, some nanoseconds long.
    ///
    /// Only what depends on the type is `@inlinable`: each module has a copy of it for each of its types, and that costs
    /// the compiler.
    @inlinable
    @inline(__always)
    func cachedValue<Value: Sendable>(_ key: CellKey, as type: Value.Type) -> CachedValue<Value> {
        if Cell.fitsIntoWords(type) { return Self.cachedValue(cachedWords(key, ObjectIdentifier(type))) }
        if TextCell.isText(type) { return Self.cachedValue(cachedText(key, ObjectIdentifier(type))) }
        guard let cell = readableCell(key, ObjectIdentifier(type)) else { return .unknown }
        // Without a reference of its own: cells live as long as their `Preferences`.
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
        case .unknown, .reference: .unknown
        }
    }

    /// Returns a cached string as `Value`, which is `String` or `String?`.
    @inlinable
    @inline(__always)
    static func cachedValue<Value>(_ text: CachedValue<String?>) -> CachedValue<Value> {
        switch text {
        case .unknown: .unknown
        case .unset: .unset
        case .value(let text): .value(unsafeBitCast(text, to: Value.self))
        }
    }

    /// The cached value of a key whose type fits into words.
    @usableFromInline
    func cachedWords(_ key: CellKey, _ type: ObjectIdentifier) -> Cell.Contents {
        read(key, type) { $0.read() } ?? .unknown
    }

    /// The cached value of a key that is a string.
    @usableFromInline
    func cachedText(_ key: CellKey, _ type: ObjectIdentifier) -> CachedValue<String?> {
        read(key, type) { unsafeDowncast($0, to: TextCell.self).readText() } ?? .unknown
    }

    /// Reads the cell of an accessor.
    ///
    /// - Returns: Nil if there is no cell, or if the read is for the slow path.
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
    /// - Returns: Nil if the read is for the slow path.
    @inline(never)
    private func readIntercepted<Contents: Sendable>(_ cell: Cell, _ read: (Cell) -> Contents) -> Contents? {
        guard AccessTracker.active(on: self) == nil, !cell.hasFormerNames else { return nil }
        let record = cell.record
        if writing.isHeldByThisThread {
            if session.isLooking {
                session.noteRead(of: record)
                return state.withLock { _ in record.isCachedValueNotified ? read(cell) : nil }
            }
            if let transaction = session.transaction(of: self) {
                // The store can have a value that these preferences were not notified of yet.
                guard !cell.isEmpty, let value = try? transaction.currentValue(of: record) else { return nil }
                if isObserved { cell.noteRead() }
                return state.withLock { _ in record.known?.isIdentical(to: value) == true ? read(cell) : nil }
            }
        }
        if isObserved { cell.noteRead() }
        return read(cell)
    }

    /// The cached value of a key whose name is known only at run time.
    ///
    /// Records of such names are removed with their cells once there are many, so that cells are used only while `state` is locked.
    @inlinable
    @inline(__always)
    func cachedValue<Value: Sendable>(named name: String, as type: Value.Type) -> CachedValue<Value> {
        if Cell.fitsIntoWords(type) { return Self.cachedValue(cachedWords(named: name, ObjectIdentifier(type))) }
        if TextCell.isText(type) { return Self.cachedValue(cachedText(named: name, ObjectIdentifier(type))) }
        return cachedReference(named: name, as: type)
    }

    @usableFromInline
    func cachedWords(named name: String, _ type: ObjectIdentifier) -> Cell.Contents {
        withReadableCell(named: name, type) { $0._withUnsafeGuaranteedRef { $0.read() } } ?? .unknown
    }

    @usableFromInline
    func cachedText(named name: String, _ type: ObjectIdentifier) -> CachedValue<String?> {
        withReadableCell(named: name, type) { cell in
            Unmanaged<TextCell>.fromOpaque(cell.toOpaque())._withUnsafeGuaranteedRef { $0.readText() }
        } ?? .unknown
    }

    @usableFromInline
    func cachedReference<Value: Sendable>(named name: String, as type: Value.Type) -> CachedValue<Value> {
        withReadableCell(named: name, ObjectIdentifier(type)) { cell in
            Unmanaged<ValueCell<Value>>.fromOpaque(cell.toOpaque())._withUnsafeGuaranteedRef { $0.readValue() }
        } ?? .unknown
    }

    /// Reads the cell of a name that is known only at run time, with `state` locked.
    ///
    /// - Returns: Nil if there is no such cell, or if the read is not to be answered by it.
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

    /// The cell of an accessor, unless reads are intercepted. Notifies Observation of the read.
    @usableFromInline
    @inline(__always)
    func readableCell(_ key: CellKey, _ type: ObjectIdentifier) -> UnsafeRawPointer? {
        guard interceptorCount.isZero, let cell = cells.cell(for: key, type) else { return nil }
        if isObserved { Unmanaged<Cell>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.noteRead() } }
        return cell
    }

    /// The cell of an accessor for values of a type, which is created if there is none. It lives as long as these preferences.
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
