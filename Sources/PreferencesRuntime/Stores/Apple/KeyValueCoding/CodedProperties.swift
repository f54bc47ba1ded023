import PreferencesSystem

/// Preferences in the properties of an object, whatever that is.
final class CodedProperties: WriterExcludingStore {
    let label: String
    let unsupportedCapabilities: PreferenceStoreCapabilities = [
        .persistence, .exclusiveUpdates, .null, .emptyName, .longNames, .controlCharactersInNames,
    ]

    private let medium: any PropertyMedium
    private let changes = SerializedChanges()
    /// What is being set through this store, which tells of it itself.
    private let own = Locked<Set<String>>([])

    init(_ medium: any PropertyMedium) {
        self.medium = medium
        label = "object of class \(medium.className)"
    }

    func value(for name: String) throws -> PreferenceValue? {
        guard let (_, type) = readable(name) else { return nil }
        do {
            return try changes.withAccess { try medium.value(of: name).map { try type.value(from: $0) } }
        } catch {
            throw problem(of: name, ErrorText(error).description)
        }
    }

    func names() -> Set<String> {
        changes.withAccess { readableNames.filter { medium.value(of: $0) != nil } }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try changes.update(by: writer, { try makeBatch(value) }, { try write($0.edits) })
    }

    func reload() {
        changes.observers.notify(.everything)
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        changes.observers.add(observer) {
            medium.observe(readableNames) { [weak self] in self?.note($0) }
        }
    }

    // MARK: - Properties

    private var readableNames: Set<String> { medium.names.filter { readable($0) != nil } }

    /// A property that key-value coding can read, and that is a preference value.
    private func readable(_ name: String) -> (PropertyDeclaration, ObjectType)? {
        guard let declaration = medium.declaration(of: name), let type = declaration.type,
            declaration.getters.contains(where: medium.responds)
        else { return nil }
        return (declaration, type)
    }

    /// - Throws: ``PreferenceProblem``, before anything is changed.
    private func write(_ batch: [String: PreferenceEdit]) throws {
        let properties = try batch.compactMap { name, edit in try change(of: name, by: edit) }
        own.withLock { $0 = Set(batch.keys) }
        defer { own.withLock { $0 = [] } }
        for (name, object) in properties { medium.setValue(object, of: name) }
    }

    /// What is to be set; nil where nothing is, as there is nothing to be removed.
    private func change(of name: String, by edit: PreferenceEdit) throws -> (name: String, object: Any?)? {
        guard let (declaration, type) = readable(name) else {
            if edit == .remove { return nil }
            let kind = "\(medium.className) has no property of this name"
            throw problem(of: name, "\(kind) that is a preference value and that Objective-C can use")
        }
        guard !declaration.isReadOnly, declaration.setters.contains(where: medium.responds) else {
            throw problem(of: name, "this property of \(medium.className) can only be read")
        }
        guard case .set(let value) = edit else {
            guard !declaration.isScalar else {
                let kind = "this property of \(medium.className) is a number or a boolean"
                throw problem(of: name, "\(kind), and is never without a value")
            }
            return (name, nil)
        }
        do {
            return (name, try type.object(from: value))
        } catch {
            throw problem(of: name, ErrorText(error).description)
        }
    }

    private func problem(of name: String, _ message: String) -> PreferenceProblem {
        PreferenceProblem(.unsupportedValue, key: name, store: label, message: message)
    }

    // MARK: - Changes

    private func note(_ name: String) {
        if own.withLock({ $0.contains(name) }) { return }
        changes.tell { [weak self] in self?.changes.observers.notify(.names([name])) }
    }
}
