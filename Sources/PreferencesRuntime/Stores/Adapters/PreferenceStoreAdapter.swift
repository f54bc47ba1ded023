/// A store over another one, of which it changes something: the names, the values, or what may be done.
///
/// It has a base, and all it does not change is the base's: observers, updates, sources, what it lacks. An adapter that
/// implements no `apply` or `update` of its own also returns the base's `excludesWriters`, which is false by default. An adapter
/// is a few lines:
///
/// ```swift
/// struct BetaStore: PreferenceStoreAdapter {
///     let base: any PreferenceStore
///     var excludesWriters: Bool { base.excludesWriters }
///
///     func baseName(of name: String) -> String { "\(name).beta" }
///     func name(ofBaseName baseName: String) -> String? {
///         baseName.hasSuffix(".beta") ? String(baseName.dropLast(5)) : nil
///     }
/// }
/// ```
///
/// One that changes values has `convert` as well, as the base would read them as its own, and where there may be nil for a
/// value of the base, `names()` and `source(of:)`, which ask the base.
public protocol PreferenceStoreAdapter: PreferenceStore {
    /// The store that the values are in.
    var base: any PreferenceStore { get }

    /// What a name of this store is in the base. No two names may be one there. By default it is the same.
    func baseName(of name: String) -> String

    /// What a name of the base is in this store. By default it is the same.
    ///
    /// - Returns: The name whose ``baseName(of:)`` it is; nil where there is none.
    func name(ofBaseName baseName: String) -> String?

    /// What a value of the base is in this store. By default it is the same.
    ///
    /// - Returns: Nil where it is as if nothing were kept.
    /// - Throws: Where it is no value of this store.
    func value(ofBaseValue baseValue: PreferenceValue, for name: String) throws -> PreferenceValue?

    /// What a value of this store is in the base. By default it is the same.
    ///
    /// - Throws: Where it cannot be kept there.
    func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue
}

extension PreferenceStoreAdapter {
    /// The same name.
    public func baseName(of name: String) -> String { name }

    /// The same name.
    public func name(ofBaseName baseName: String) -> String? { baseName }

    /// The same value.
    public func value(ofBaseValue baseValue: PreferenceValue, for name: String) throws -> PreferenceValue? { baseValue }

    /// The same value.
    public func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue { value }
}

// MARK: - What the base does

extension PreferenceStoreAdapter {
    /// The base's.
    public var label: String { base.label }

    /// The base's.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { base.unsupportedCapabilities }

    /// The base's.
    public var notifiesAllChanges: Bool { base.notifiesAllChanges }

    /// The base's value.
    public func value(for name: String) throws -> PreferenceValue? {
        try ownValue(of: name, base.value)
    }

    /// The names of the base that are names here.
    public func names() throws -> Set<String> {
        try withOwnNames { Set(try base.names().compactMap(name(ofBaseName:))) }
    }

    /// Applies the batch to the base.
    public func apply(_ batch: [String: PreferenceEdit]) throws {
        try applyToBase(PreferenceBatch(batch), by: nil)
    }

    /// Updates the base.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        try updateBase(by: nil) { current in
            try withoutActuallyEscaping(current) { PreferenceBatch(try makeBatch($0)) }
        }
    }

    /// Applies the batch to the base if ``PreferenceStore/excludesWriters`` is true; otherwise calls
    /// ``PreferenceStore/apply(_:)-([String:PreferenceEdit])``, which the adapter may implement itself.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        if excludesWriters { try applyToBase(batch, by: writer) } else { try apply(batch.edits) }
    }

    /// Updates the base if ``PreferenceStore/excludesWriters`` is true; otherwise calls ``PreferenceStore/update(_:)``, which
    /// the adapter may implement itself.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        if excludesWriters { return try updateBase(by: writer, makeBatch) }
        try update { current in try withoutActuallyEscaping(current) { try makeBatch($0).edits } }
    }

    private func applyToBase(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        let batch = try baseBatch(of: batch)
        try withOwnNames { try base.apply(batch, by: writer?.parts.first) }
    }

    private func updateBase(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        var ownError: (any Error)?
        do {
            try base.update(by: writer?.parts.first) { current in
                do {
                    // The compiler cannot see that what is given to the closure does not call the closure.
                    return try withoutActuallyEscaping(current) { current in
                        try baseBatch(of: makeBatch { name in try ownValue(of: name, current) })
                    }
                } catch {
                    ownError = error
                    throw error
                }
            }
        } catch let problem as PreferenceProblem where ownError == nil {
            throw withOwnName(problem)
        }
    }

    /// Makes what is in the base durable.
    public func flush() throws {
        try withOwnNames { try base.flush() }
    }

    /// Has the base look again at its medium.
    public func reload() throws {
        try withOwnNames { try base.reload() }
    }

    /// Restricts access to what is in the base.
    public func protectSecrets() -> [PreferenceProblem] {
        base.protectSecrets().map(withOwnName)
    }

    /// Notifies an observer of changes of the base, as far as they concern names of this store.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        let reference = AdapterReference(self)
        let observation = base.observe { change in
            if let own = reference.ownChange(change) { observer(own) }
        }
        return PreferenceStoreObservation(parts: [observation]) {
            // If the base ends with this, it is still observed, and what it reports then is not lost.
            reference.release()
            observation.cancel()
        }
    }

    /// Translates a change of the base to this store's names; nil if it concerns none of them.
    fileprivate func ownChange(_ change: PreferenceStoreChange) -> PreferenceStoreChange? {
        switch change {
        case .names(let baseNames):
            let names = Set(baseNames.compactMap(name(ofBaseName:)))
            return names.isEmpty ? nil : .names(names)
        case .everything: return .everything
        case .unreadable(let problem): return .unreadable(withOwnName(problem))
        case .problem(let problem):
            let isOwn = problem.key.map { name(ofBaseName: $0) != nil } ?? true
            return isOwn ? .problem(withOwnName(problem)) : nil
        }
    }

    /// Reads it as the base does.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        try base.convert(value, of: baseName(of: name), to: type)
    }

    /// Whether the base decodes the value.
    public func decodes(_ value: PreferenceValue) -> Bool { base.decodes(value) }

    /// The base's source.
    public func source(of name: String) throws -> String? {
        try withOwnNames { try base.source(of: baseName(of: name)) }
    }

    /// - Parameter baseValue: Gives the value of a name of the base.
    private func ownValue(
        of name: String,
        _ baseValue: (_ baseName: String) throws -> PreferenceValue?
    ) throws -> PreferenceValue? {
        let found = try withOwnNames { try baseValue(baseName(of: name)) }
        return try found.flatMap { try value(ofBaseValue: $0, for: name) }
    }

    private func baseBatch(of batch: PreferenceBatch) throws -> PreferenceBatch {
        try batch.mapEdits { name, edit in
            switch edit {
            case .set(let value): (baseName(of: name), .set(try baseValue(of: value, for: name)))
            case .remove: (baseName(of: name), .remove)
            }
        }
    }

    /// Problems of the base are told with the names that they have here.
    private func withOwnNames<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let problem as PreferenceProblem {
            throw withOwnName(problem)
        }
    }

    private func withOwnName(_ problem: PreferenceProblem) -> PreferenceProblem {
        guard let key = problem.key, let name = name(ofBaseName: key), name != key else { return problem }
        return PreferenceProblem(
            problem.code,
            key: name,
            store: problem.store,
            message: problem.message,
            isMessagePublic: problem.isMessagePublic
        )
    }
}

/// An adapter that observes its base, until the observation is cancelled: the base keeps its observers, and an observer that
/// keeps the adapter keeps the base.
private final class AdapterReference<Adapter: PreferenceStoreAdapter>: Sendable {
    private let adapter: LockedReferences<UserReference<Adapter>?>

    init(_ adapter: Adapter) {
        self.adapter = LockedReferences(UserReference(adapter))
    }

    func release() {
        adapter.withLock { $0 = nil }
    }

    func ownChange(_ change: PreferenceStoreChange) -> PreferenceStoreChange? {
        guard let adapter = adapter.withLock({ $0 }) else { return change }
        return adapter.value.ownChange(change)
    }
}
