import PreferencesSystem

extension ManagedAttributes {
    /// On the queue.
    ///
    /// - Throws: ``PreferenceProblem`` where everything is as it was.
    func write(_ batch: [String: PreferenceEdit]) throws {
        let changes = try batch.compactMap { name, edit in try change(of: name, by: edit) }
        let old = changes.map { (name: $0.name, object: medium.value(of: $0.name)) }
        // What is wrong with other attributes already is mended one after the other.
        let oldFaults = Set(medium.validate())
        told.withLock { $0.own = Set(batch.keys) }
        defer {
            medium.processChanges()
            told.withLock { $0.own = nil }
        }
        set(changes)
        func isOld(_ fault: ManagedFault) -> Bool {
            oldFaults.contains(fault) && fault.attribute.map { batch[$0] == nil } ?? true
        }
        guard let fault = medium.validate().first(where: { !isOld($0) }) else { return }
        set(old)
        throw problem(of: batch, fault)
    }

    private func set(_ changes: [(name: String, object: Any?)]) {
        for (name, object) in changes { medium.setValue(object, of: name) }
    }

    /// What is to be set; nil where nothing is, as there is nothing to be removed.
    private func change(of name: String, by edit: PreferenceEdit) throws -> (name: String, object: Any?)? {
        guard let attribute = medium.attribute(named: name), let type = attribute.type else {
            if edit == .remove { return nil }
            throw problem(
                of: name,
                "\(medium.entityName) has no attribute of this name that is a preference value"
            )
        }
        if attribute.isDerived {
            throw problem(of: name, "this attribute of \(medium.entityName) is derived from others")
        }
        guard case .set(let value) = edit else {
            if attribute.isOptional { return (name, nil) }
            let kind = "this attribute of \(medium.entityName) is not optional"
            throw problem(of: name, "\(kind), and is never without a value")
        }
        do {
            return (name, try type.object(from: value))
        } catch {
            throw problem(of: name, ErrorText(error).description)
        }
    }

    private func problem(of batch: [String: PreferenceEdit], _ fault: ManagedFault) -> PreferenceProblem {
        if let name = fault.attribute, batch[name] != nil {
            return problem(of: name, "the model does not allow it: \(fault.message)")
        }
        let place = fault.attribute.map { "'\($0)': " } ?? ""
        let message = "the model does not allow the object then: \(place)\(fault.message)"
        return PreferenceProblem(.unsupportedValue, store: label, message: message)
    }
}
