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

    /// Makes a batch of changes from what is read now, as the `update` of the first layer that is written. Nobody else
    /// changes that one in between; others they may.
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

    /// Writes to layers, and then tells of it.
    ///
    /// - Parameter destinations: Their indices, at least one.
    private func write(to destinations: [Int], _ body: Writing) throws {
        var made = Made()
        // One layer is written whole, and tells by itself. What several tell is told when all are written; within an
        // update, when that ends.
        guard destinations.count > 1 else {
            defer { tell(of: made, in: destinations[0]) }
            return try write(to: destinations, &made, body)
        }
        try changes.withAccess {
            defer { changes.tell { [made] in self.tell(of: made, in: destinations[0]) } }
            try write(to: destinations, &made, body)
        }
    }

    private func write(to destinations: [Int], _ made: inout Made, _ body: Writing) throws {
        var undoing: [(layer: any PreferenceStore, batch: [String: PreferenceEdit])] = []
        var batch: [String: PreferenceEdit] = [:]
        var former: [String: PreferenceValue] = [:]
        var undurable: [PreferenceProblem] = []
        do {
            let last = try Self.undurability {
                try body(layers[destinations[0]]) {
                    batch = $0
                    for name in batch.keys { former[name] = try? layers[destinations[0]].value(for: name) }
                    for layer in destinations.dropFirst().map({ layers[$0] }) {
                        var edits: [String: PreferenceEdit] = [:]
                        for name in batch.keys { edits[name] = try layer.value(for: name).map { .set($0) } ?? .remove }
                        try Self.undurability { try layer.apply(batch) }.map { undurable.append($0) }
                        undoing.append((layer, edits))
                    }
                }
            }
            last.map { undurable.append($0) }
        } catch {
            // What cannot be put back reads as what was to be set, and the caller is told of the first failure alone.
            for (layer, edits) in undoing.reversed() { try? layer.apply(edits) }
            throw error
        }
        made = Made(batch: batch, former: former)
        if let problem = undurable.first { throw problem }
    }

    /// Runs a body that writes to a layer.
    ///
    /// - Returns: Why what it has written may not last.
    private static func undurability(_ body: () throws -> Void) throws -> PreferenceProblem? {
        do {
            try body()
            return nil
        } catch let problem as PreferenceProblem where problem.code == .notDurable {
            return problem
        }
    }

    /// A batch that was made, with what the first of the layers had before.
    private struct Made {
        var batch: [String: PreferenceEdit] = [:]
        var former: [String: PreferenceValue] = [:]
    }

    /// Tells of a batch that was made, and of what reads as something else all the same.
    private func tell(of made: Made, in destination: Int) {
        guard !made.batch.isEmpty, !changes.observers.isEmpty else { return }
        changes.observers.notify(.names(Set(made.batch.keys)))
        let others = made.batch.filter { name, edit in (try? value(for: name)) != edit.value }
        if others.isEmpty { return }
        changes.observers.notify(.names(Set(others.keys)))
        for (name, edit) in others.sorted(by: { $0.key < $1.key }) {
            // What was not set in that layer was not meant to be reset, as by `resetAll()`, which resets all names.
            if edit == .remove, made.former[name] == nil { continue }
            guard let found = try? layer(with: name), found.index < destination,
                let source = try? layers[found.index].source(of: name)
            else { continue }
            let action = edit == .remove ? "reset" : "set"
            let message =
                "it was \(action) in \(layers[destination].label), but is read from \(source), which comes first"
            changes.observers.notify(.problem(PreferenceProblem(.shadowed, key: name, store: label, message: message)))
        }
    }
}
