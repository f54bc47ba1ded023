extension LayeredStore {
    /// Writes to the first layer, and has the others take the same batch before that.
    private typealias Writing = (
        _ first: any PreferenceStore,
        _ applyToOthers: (_ batch: [String: PreferenceEdit]) throws -> Void
    ) throws -> Void

    /// The indices of the layers that are written.
    var destinations: [Int] {
        let writable = layers.indices.filter { !layers[$0].lacks.contains(.writing) }
        return destination == .firstWritable ? Array(writable.prefix(1)) : writable
    }

    /// Makes the changes where what is set goes.
    ///
    /// - Throws: ``PreferenceProblem`` where no layer can be written; and what the layer throws.
    public func apply(_ batch: [String: PreferenceEdit]) throws {
        let destinations = destinations
        guard !batch.isEmpty, !destinations.isEmpty else { return try refuse(batch) }
        try write(to: destinations) { layer, applyToOthers in
            try applyToOthers(batch)
            try layer.apply(batch)
        }
    }

    /// Makes a batch of changes from what is read now, as the `update` of the first layer that is written.
    ///
    /// - Throws: What the closure throws; and as ``apply(_:)``.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        let destinations = destinations
        guard let first = destinations.first else { return try refuse(makeBatch(value)) }
        try write(to: destinations) { layer, applyToOthers in
            try layer.update { current in
                let batch = try withoutActuallyEscaping(current) { current in
                    try makeBatch { name in
                        for (index, layer) in layers.enumerated() {
                            if let value = try index == first ? current(name) : layer.value(for: name) { return value }
                        }
                        return nil
                    }
                }
                try applyToOthers(batch)
                return batch
            }
        }
    }

    /// Writes to several layers, and then tells of it.
    ///
    /// - Parameter destinations: Their indices, at least one.
    private func write(
        to destinations: [Int],
        _ body: Writing
    ) throws {
        // Inside of an update, what is told waits for its end.
        let isOutermost = !writing.isHeldByThisThread
        let (outcome, news) = writing.withLock {
            var batch: [String: PreferenceEdit] = [:]
            let outcome = Result { try writeLocked(to: destinations, &batch, body) }
            let news = untold.withLock { untold -> [@Sendable () -> Void] in
                if outcome.isMade {
                    untold.append { [batch] in self.tell(of: batch, madeIn: destinations[0]) }
                }
                guard isOutermost else { return [] }
                defer { untold = [] }
                return untold
            }
            return (outcome, news)
        }
        for tell in news { tell() }
        try outcome.get()
    }

    private func writeLocked(
        to destinations: [Int],
        _ batch: inout [String: PreferenceEdit],
        _ body: Writing
    ) throws {
        var undoing: [(layer: any PreferenceStore, batch: [String: PreferenceEdit])] = []
        do {
            try body(layers[destinations[0]]) {
                batch = $0
                for layer in destinations.dropFirst().map({ layers[$0] }) {
                    var former: [String: PreferenceEdit] = [:]
                    for name in batch.keys { former[name] = try layer.value(for: name).map { .set($0) } ?? .remove }
                    try layer.apply(batch)
                    undoing.append((layer, former))
                }
            }
        } catch {
            // What cannot be put back reads as what was to be set, and the caller is told of the first failure alone.
            if !error.isOfDurability { for (layer, former) in undoing.reversed() { try? layer.apply(former) } }
            throw error
        }
    }

    /// Tells of a batch that was made, and of what reads as something else all the same.
    private func tell(of batch: [String: PreferenceEdit], madeIn destination: Int) {
        guard !batch.isEmpty, !observers.isEmpty else { return }
        observers.notify(.names(Set(batch.keys)))
        let others = batch.filter { name, edit in (try? value(for: name)) != edit.value }
        if others.isEmpty { return }
        observers.notify(.names(Set(others.keys)))
        for (name, edit) in others.sorted(by: { $0.key < $1.key }) {
            guard let found = try? layer(with: name), found.index < destination,
                let source = try? layers[found.index].source(of: name)
            else { continue }
            let action = edit == .remove ? "reset" : "set"
            let message =
                "it was \(action) in \(layers[destination].label), but is read from \(source), which comes first"
            observers.notify(.problem(PreferenceProblem(.shadowed, key: name, store: label, message: message)))
        }
    }
}

extension Error {
    /// Whether what was to be written was.
    fileprivate var isOfDurability: Bool { (self as? PreferenceProblem)?.code == .notDurable }
}

extension Result where Failure == any Error {
    /// Whether what was to be written was.
    fileprivate var isMade: Bool {
        switch self {
        case .success: true
        case .failure(let error): error.isOfDurability
        }
    }
}
