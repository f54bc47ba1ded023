import PreferencesSystem

extension LayeredStore {
    /// The indices of the layers that are written. A store that is a layer twice is written once.
    var destinations: [Int] {
        var written: Set<StoreIdentity> = []
        let writable = layers.indices.filter { index in
            !layers[index].unsupportedCapabilities.contains(.writing)
                && (!(type(of: layers[index]) is AnyClass) || written.insert(StoreIdentity(layers[index])).inserted)
        }
        return destination == .firstWritable ? Array(writable.prefix(1)) : writable
    }

    /// Applies a batch to the layers that are written.
    ///
    /// - Throws: ``PreferenceProblem`` if no layer can be written; and the error of the first layer that fails.
    public func apply(_ batch: [String: PreferenceEdit]) throws {
        try apply(PreferenceBatch(batch), by: nil)
    }

    /// Applies a batch, as ``apply(_:)``, and notifies all observers but the writer.
    ///
    /// - Throws: As ``apply(_:)``.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        let destinations = destinations
        let edits = batch.edits
        guard !batch.isEmpty, let first = destinations.first else { return try refuse(edits) }
        guard destinations.count == 1 else { return try write(to: destinations, by: writer) { _ in edits } }
        // A layer that is written alone does not need its lock before.
        let former = edits.keys.reduce(into: [:]) { $0[$1] = try? layers[first].value(for: $1) }
        try layers[first].apply(batch, by: writer.map { Self.observation(ofLayer: first, in: $0) })
        report(AppliedBatch(batch: edits, former: former), in: first)
    }

    /// Whether the only layer that is written excludes writers; true if several layers, or none, are written.
    public var excludesWriters: Bool {
        let destinations = destinations
        return destinations.count != 1 || layers[destinations[0]].excludesWriters
    }

    /// The part of an observation of this store that observes a layer: the first part observes the store itself.
    private static func observation(
        ofLayer index: Int,
        in observation: PreferenceStoreObservation
    ) -> PreferenceStoreObservation {
        observation.parts[index + 1]
    }

    /// Applies a batch that is made from the current values. All layers that are written are locked meanwhile, each by its
    /// own `update`; other layers may change.
    ///
    /// - Throws: The error of the closure; and as ``apply(_:)``.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        try update(by: nil, edits: makeBatch)
    }

    /// Updates the layers that are written, as ``update(_:)``, and notifies all observers but the writer.
    ///
    /// - Throws: As ``update(_:)``.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try update(
            by: writer,
            edits: { current in
                try withoutActuallyEscaping(current) { try makeBatch($0).edits }
            }
        )
    }

    private func update(
        by writer: PreferenceStoreObservation?,
        edits makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        let destinations = destinations
        guard !destinations.isEmpty else { return try refuse(makeBatch(value)) }
        try write(to: destinations, by: writer, makeBatch)
    }

    /// Writes to layers, and then notifies observers.
    ///
    /// - Parameters:
    ///   - destinations: Their indices, at least one.
    ///   - writer: The observation of the observer that writes.
    private func write(
        to destinations: [Int],
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        // One layer is written as a whole, and notifies observers itself. The changes of several layers are notified when
        // all are written; within an update, when that ends.
        var write = PendingBatch(destinations: destinations, writer: destinations.count == 1 ? writer : nil)
        guard destinations.count > 1 else {
            defer { report(write.made, in: destinations[0]) }
            return try perform(&write, makeBatch)
        }
        try access.withLock {
            defer {
                let (made, problems) = (write.made, write.problems)
                // While no other thread writes.
                let names = writtenNames.withLock { names in
                    defer { names = [] }
                    return names
                }
                access.afterUse {
                    // Names outside the batch were changed externally, or restored after a failure.
                    let others = names.subtracting(made.batch.keys)
                    if !others.isEmpty { self.access.observers.notify(.names(others)) }
                    let written = names.intersection(made.batch.keys)
                    if !written.isEmpty { self.access.observers.notify(.names(written), except: writer?.parts.first) }
                    self.report(made, in: destinations[0])
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
        // Stores that have layers in common lock them in one order, also in other processes, since labels are the same there.
        let order = write.destinations.sorted { rank(of: $0) < rank(of: $1) }
        try lock(order[...], &write, reading: { try self.layers[$0].value(for: $1) }) { write, read in
            write.batch = try makeBatch { name in
                for index in layers.indices {
                    if let value = try read(index, name) { return value }
                }
                return nil
            }
            // All are read before the first is written.
            for index in write.destinations {
                write.former[index] = try write.batch.keys.reduce(into: [:]) { $0[$1] = try read(index, $1) }
            }
        }
        write.made = AppliedBatch(batch: write.batch, former: write.former[write.destinations[0]] ?? [:])
        if let problem = write.undurable { throw problem }
    }

    /// Determines the order in which layers are locked. Stores in memory have one label, and are not shared with other
    /// processes.
    private func rank(of layer: Int) -> (label: String, object: UInt) {
        var store = layers[layer]
        while let adapter = store as? any PreferenceStoreAdapter { store = adapter.base }
        let isObject = type(of: store) is AnyClass
        return (store.label, isObject ? UInt(bitPattern: ObjectIdentifier(store as AnyObject)) : 0)
    }

    private typealias Reading = (_ layer: Int, _ name: String) throws -> PreferenceValue?

    /// Locks layers, each by its own `update`, runs a body that makes the batch, and writes it to the layers, the one that
    /// was locked last first.
    ///
    /// - Parameters:
    ///   - layers: The indices of the layers, in the order in which they are locked.
    ///   - read: Reads a layer, with its lock held if it has been locked.
    private func lock(
        _ remaining: ArraySlice<Int>,
        _ write: inout PendingBatch,
        reading read: @escaping Reading,
        _ body: (inout PendingBatch, @escaping Reading) throws -> Void
    ) throws {
        guard let index = remaining.first else { return try body(&write, read) }
        var isMade = false
        do {
            try layers[index].update(by: write.writer.map { Self.observation(ofLayer: index, in: $0) }) { current in
                try withoutActuallyEscaping(current) { current in
                    try lock(
                        remaining.dropFirst(),
                        &write,
                        reading: { try $0 == index ? current($1) : read($0, $1) },
                        body
                    )
                }
                isMade = true
                return PreferenceBatch(write.batch)
            }
        } catch let problem as PreferenceProblem where isMade && problem.code == .notDurable {
            write.undurable = write.undurable ?? problem
        } catch {
            undo(&write, in: layers[index])
            throw error
        }
        write.written.append(index)
    }

    /// Puts back the values of the layers that are written already, except where they have changed again.
    ///
    /// - Parameter failed: The layer that could not be written.
    private func undo(_ write: inout PendingBatch, in failed: any PreferenceStore) {
        for index in write.written.reversed() {
            let (layer, batch, former) = (layers[index], write.batch, write.former[index] ?? [:])
            do {
                try layer.update { current in
                    try batch.filter { name, edit in try current(name) == layer.readValue(of: edit, for: name) }
                        .reduce(into: [:]) { $0[$1.key] = former[$1.key].map { .set($0) } ?? .remove }
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
        /// The indices of the layers.
        let destinations: [Int]
        /// The observation of the observer that writes to one layer alone.
        let writer: PreferenceStoreObservation?
        var batch: [String: PreferenceEdit] = [:]
        /// The values that the layers had before, by index.
        var former: [Int: [String: PreferenceValue]] = [:]
        /// The layers that have the batch.
        var written: [Int] = []
        /// Why the batch may not last in the first layer of which that is known.
        var undurable: PreferenceProblem?
        var problems: [PreferenceProblem] = []
        var made = AppliedBatch()
    }

    /// A batch that was applied, with the values that the first layer had before.
    private struct AppliedBatch {
        var batch: [String: PreferenceEdit] = [:]
        var former: [String: PreferenceValue] = [:]
    }

    /// Reports what was set or reset in a layer, but is read from one that comes first.
    private func report(_ applied: AppliedBatch, in destination: Int) {
        guard !applied.batch.isEmpty, !access.observers.isEmpty else { return }
        let others = applied.batch.filter { name, edit in !(try? value(for: name)).isIdentical(to: edit.value) }
        for (name, edit) in others.sorted(by: { $0.key < $1.key }) {
            // What was not set in that layer was not meant to be reset, as by `resetAll()`, which resets all names.
            if edit == .remove, applied.former[name] == nil { continue }
            guard let found = try? layer(with: name), found.index < destination,
                let source = try? layers[found.index].source(of: name)
            else { continue }
            let action = edit == .remove ? "reset" : "set"
            let message =
                "it was \(action) in \(layers[destination].label), but is read from \(source), which comes first"
            access.observers.notify(.problem(PreferenceProblem(.shadowed, key: name, store: label, message: message)))
        }
    }
}

extension PreferenceStore {
    /// The value that is read after an edit, if it is the edit's own or an adapter's transformation of it.
    fileprivate func readValue(of edit: PreferenceEdit, for name: String) throws -> PreferenceValue? {
        guard case .set(let value) = edit, let adapter = self as? any PreferenceStoreAdapter else { return edit.value }
        let baseEdit = PreferenceEdit.set(try adapter.baseValue(of: value, for: name))
        let baseValue = try adapter.base.readValue(of: baseEdit, for: adapter.baseName(of: name))
        return try baseValue.flatMap { try adapter.value(ofBaseValue: $0, for: name) }
    }
}
