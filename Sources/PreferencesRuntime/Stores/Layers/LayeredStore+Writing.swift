import PreferencesSystem

extension LayeredStore {
    /// The indices of the layers that are written. A store that occurs twice is written once.
    var destinations: [Int] {
        var written: Set<StoreIdentity> = []
        let writable = layers.indices.filter { index in
            layers[index].supports(.writing)
                && (!(type(of: layers[index]) is AnyClass) || written.insert(StoreIdentity(layers[index])).inserted)
        }
        return destination == .firstWritable ? Array(writable.prefix(1)) : writable
    }

    /// Applies a batch to the layers that are written, and notifies all observers but the writer.
    ///
    /// - Throws: ``PreferenceProblem`` if no layer can be written; and the error of the first layer that fails.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        let destinations = destinations
        guard !batch.isEmpty, let first = destinations.first else { return try refuse(batch) }
        let edits = batch.edits
        guard destinations.count == 1 else { return try write(to: destinations, by: writer) { _ in edits } }
        // A single layer need not be locked for the read of its former values.
        let former = edits.keys.reduce(into: [:]) { $0[$1] = try? layers[first].value(for: $1) }
        try layers[first].attributingErrors(.storeUnwritable) {
            try layers[first].commit(batch, by: writer.map { Self.observation(ofLayer: first, in: $0) })
        }
        report(AppliedBatch(batch: edits, former: former), in: first)
    }

    /// Whether the only layer that is written excludes writers; true if several layers, or none, are written.
    public var excludesWriters: Bool {
        let destinations = destinations
        return destinations.count != 1 || StoreWriter(layers[destinations[0]]).excludesWriters
    }

    /// Returns the part of an observation that observes a layer. The first part observes this store.
    private static func observation(
        ofLayer index: Int,
        in observation: PreferenceStoreObservation
    ) -> PreferenceStoreObservation {
        observation.parts[index + 1]
    }

    /// Applies a batch that is made from the current values. Meanwhile all layers that are written are locked by their
    /// `update`; other layers may change.
    ///
    /// - Throws: Any error of the closure; and as ``apply(_:by:)``.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        let destinations = destinations
        guard !destinations.isEmpty else { return try refuse(makeBatch(unmanagedValue)) }
        try write(to: destinations, by: writer) { current in
            try withoutActuallyEscaping(current) { try makeBatch($0).edits }
        }
    }

    /// Writes to layers, and then notifies observers.
    ///
    /// - Parameters:
    ///   - destinations: The indices of the layers, at least one.
    ///   - writer: The observation of the observer that writes.
    private func write(
        to destinations: [Int],
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        // A single layer notifies observers itself. The changes of several layers are notified after all are written;
        // within an update, after it ends.
        var write = PendingBatch(destinations: destinations, writer: destinations.count == 1 ? writer : nil)
        guard destinations.count > 1 else {
            defer { report(write.applied, in: destinations[0]) }
            return try perform(&write, makeBatch)
        }
        try access.withLock {
            defer {
                let (applied, problems) = (write.applied, write.problems)
                // Before another thread can write.
                let names = writtenNames.withLock { names in
                    defer { names = [] }
                    return names
                }
                access.afterUse {
                    // Names outside the batch were changed externally, or restored after a failure.
                    let external = names.subtracting(applied.batch.keys)
                    if !external.isEmpty { self.access.observers.notify(.names(external)) }
                    let written = names.intersection(applied.batch.keys)
                    if !written.isEmpty { self.access.observers.notify(.names(written), except: writer?.parts.first) }
                    self.report(applied, in: destinations[0])
                    for problem in problems { self.access.observers.notify(.problem(problem)) }
                }
            }
            try perform(&write, makeBatch)
        }
    }

    private func perform(
        _ write: inout PendingBatch,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        // Stores with common layers lock them in the same order, even in different processes, since their labels are
        // equal.
        let order = write.destinations.sorted { rank(of: $0) < rank(of: $1) }
        try lock(order[...], &write, reading: readValue) { write, read in
            write.batch = try makeBatch { name in
                // A fixed value must not be copied into a layer.
                for index in ownLayers {
                    if let value = try read(index, name) { return value }
                }
                return nil
            }
            // All former values are read before the first layer is written.
            for index in write.destinations {
                write.former[index] = try write.batch.keys.reduce(into: [:]) { $0[$1] = try read(index, $1) }
            }
        }
        write.applied = AppliedBatch(batch: write.batch, former: write.former[write.destinations[0]] ?? [:])
        if let problem = write.durabilityProblem { throw problem }
    }

    /// Returns the rank by which layers are locked. The label is the same in all processes; the object distinguishes
    /// stores in memory, which processes do not share.
    private func rank(of layer: Int) -> (label: String, object: UInt) {
        var store = layers[layer]
        while let adapter = store as? any PreferenceStoreAdapter { store = adapter.base }
        let isObject = type(of: store) is AnyClass
        return (store.label, isObject ? UInt(bitPattern: ObjectIdentifier(store as AnyObject)) : 0)
    }

    private typealias LayerReader = (_ layer: Int, _ name: String) throws -> PreferenceValue?

    /// Locks layers by their `update`, runs a body that makes the batch, and writes it to the layers in reverse order.
    ///
    /// - Parameters:
    ///   - layers: The indices of the layers, in the order in which they are locked.
    ///   - read: Reads a value of a layer, with the lock of the layer held if it has been locked.
    private func lock(
        _ remaining: ArraySlice<Int>,
        _ write: inout PendingBatch,
        reading read: @escaping LayerReader,
        _ body: (inout PendingBatch, @escaping LayerReader) throws -> Void
    ) throws {
        guard let index = remaining.first else { return try body(&write, read) }
        let layer = layers[index]
        var isLocked = false
        var hasMadeBatch = false
        do {
            try layer.commit(by: write.writer.map { Self.observation(ofLayer: index, in: $0) }) { current in
                isLocked = true
                try withoutActuallyEscaping(current) { current in
                    try lock(
                        remaining.dropFirst(),
                        &write,
                        reading: { found, name in
                            guard found == index else { return try read(found, name) }
                            return try layer.attributingErrors(.storeUnreadable, key: name) { try current(name) }
                        },
                        body
                    )
                }
                hasMadeBatch = true
                return PreferenceBatch(write.batch)
            }
        } catch let problem as PreferenceProblem where hasMadeBatch && problem.code == .notDurable {
            write.durabilityProblem = write.durabilityProblem ?? problem
        } catch {
            undo(&write, in: layer)
            // The caller's closure may throw any error, which is passed on.
            if isLocked, !hasMadeBatch { throw error }
            throw PreferenceProblem(describing: error, or: .storeUnwritable, key: nil, store: layer.label)
        }
        write.written.append(index)
    }

    /// Restores the former values in the layers that have been written, unless they have changed since.
    ///
    /// - Parameter failed: The layer that could not be written.
    private func undo(_ write: inout PendingBatch, in failed: any PreferenceStore) {
        for index in write.written.reversed() {
            let (layer, batch, former) = (layers[index], write.batch, write.former[index] ?? [:])
            do {
                try layer.commit { current in
                    let unchanged = try batch.filter { name, edit in
                        try current(name) == layer.readValue(of: edit, for: name)
                    }
                    return PreferenceBatch(unchanged.reduce(into: [:]) { $0[$1.key] = PreferenceEdit(former[$1.key]) })
                }
            } catch let problem as PreferenceProblem where problem.code == .notDurable {
                continue
            } catch {
                let names = batch.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
                let message =
                    "\(failed.label) could not be written, and \(names) could not be put back here: \(ErrorText(error))"
                write.problems.append(PreferenceProblem(.storeUnwritable, store: layers[index].label, message: message))
            }
        }
        write.written = []
    }

    /// A batch that is being written to several layers.
    private struct PendingBatch {
        /// The indices of the layers to write.
        let destinations: [Int]
        /// The observation of the observer that writes, if a single layer is written.
        let writer: PreferenceStoreObservation?
        var batch: [String: PreferenceEdit] = [:]
        /// The former values of the layers, by their index.
        var former: [Int: [String: PreferenceValue]] = [:]
        /// The indices of the layers that have been written.
        var written: [Int] = []
        /// The problem of the first layer in which the batch was applied, but is not durable.
        var durabilityProblem: PreferenceProblem?
        var problems: [PreferenceProblem] = []
        var applied = AppliedBatch()
    }

    /// A batch that was applied, with the former values of the first layer.
    private struct AppliedBatch {
        var batch: [String: PreferenceEdit] = [:]
        var former: [String: PreferenceValue] = [:]
    }

    /// Reports names that were set or reset in a layer, but are read from an earlier one.
    private func report(_ applied: AppliedBatch, in destination: Int) {
        guard !applied.batch.isEmpty, !access.observers.isEmpty else { return }
        let shadowed = applied.batch.filter { name, edit in
            // A fixed value is not another layer's: the setter has reported it.
            managedValue(of: name) == nil && !(try? value(for: name)).isIdentical(to: edit.value)
        }
        for (name, edit) in shadowed.sorted(by: { $0.key < $1.key }) {
            // A name without a value in that layer was not reset deliberately: `resetAll()` resets all names.
            if edit == .remove, applied.former[name] == nil { continue }
            guard let found = try? layer(with: name), found.index < destination,
                let source = try? layers[found.index].origin(of: name)
            else { continue }
            let action = edit == .remove ? "reset" : "set"
            let message =
                "it was \(action) in \(layers[destination].label), but is read from \(source), which comes first"
            let problem = PreferenceProblem(.shadowed, key: name, store: source.store, message: message)
            access.observers.notify(.problem(problem))
        }
    }
}

extension PreferenceStore {
    /// Returns the value that is read after an edit, as adapters transform it.
    fileprivate func readValue(of edit: PreferenceEdit, for name: String) throws -> PreferenceValue? {
        guard case .set(let value) = edit, let adapter = self as? any PreferenceStoreAdapter else { return edit.value }
        let baseEdit = PreferenceEdit.set(try adapter.baseValue(of: value, for: name))
        let baseValue = try adapter.base.readValue(of: baseEdit, for: adapter.baseName(of: name))
        return try baseValue.flatMap { try adapter.value(ofBaseValue: $0, for: name) }
    }
}
