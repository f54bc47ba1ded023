import PreferencesRuntime

/// A store as it is, of which is noted what it throws.
struct NotedStore: PreferenceStoreAdapter {
    let base: any PreferenceStore
    private let errors: ThrownErrors

    init(_ base: any PreferenceStore, _ errors: ThrownErrors) {
        self.base = base
        self.errors = errors
    }

    func value(for name: String) throws -> PreferenceValue? {
        try errors.noting(from: "value(for: \(name.quoted))") { try base.value(for: name) }
    }

    func source(of name: String) throws -> String? {
        try errors.noting(from: "source(of: \(name.quoted))") { try base.origin(of: name) }
    }

    func names() throws -> Set<String> {
        try errors.noting(from: "names()") { try base.names() }
    }

    func apply(_ batch: PreferenceBatch) throws {
        try errors.noting(from: "apply of \(batch.edits.words)") {
            guard let base = base as? any WritablePreferenceStore else { return try base.commit(batch) }
            try base.apply(batch)
        }
    }

    func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try errors.noting(from: "update") {
            guard let base = base as? any WritablePreferenceStore else { return try base.commit(makeBatch) }
            try base.update(makeBatch)
        }
    }

    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try errors.noting(from: "apply of \(batch.edits.words)") { try base.commit(batch, by: writer) }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try errors.noting(from: "update") { try base.commit(by: writer, makeBatch) }
    }

    func flush() throws {
        try errors.noting(from: "flush()") { try base.flush() }
    }

    func reload() throws {
        try errors.noting(from: "reload()") { try base.reload() }
    }

    /// Returns the base's own observation, so that checks see when that ends.
    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        base.observe(observer)
    }
}

extension [String: PreferenceEdit] {
    /// What becomes of each name, where they are few; otherwise how many there are.
    fileprivate var words: String {
        guard count <= 3 else { return "\(count) changes" }
        let changes = sorted { $0.key < $1.key }.map { name, edit in
            switch edit {
            case .set(let value): "\(value.words) for \(name.quoted)"
            case .remove: "nothing for \(name.quoted)"
            }
        }
        return changes.isEmpty ? "nothing" : changes.joined(separator: ", ")
    }
}
