/// A store that wraps another store, its base, and changes its names, its values or its capabilities.
///
/// Everything that an adapter does not implement is forwarded to the base: observers, updates, sources, unsupported
/// capabilities.
///
/// ```swift
/// struct BetaStore: PreferenceStoreAdapter {
///     let base: any PreferenceStore
///
///     func baseName(of name: String) -> String { "\(name).beta" }
///     func name(ofBaseName baseName: String) -> String? {
///         baseName.hasSuffix(".beta") ? String(baseName.dropLast(5)) : nil
///     }
/// }
/// ```
///
/// An adapter that changes values implements ``ValueConvertingStore/convert(_:of:to:)`` as well, because the base would
/// convert them as its own. If it may return nil for a value of the base, it implements ``PreferenceStore/names()`` and
/// ``SourceReportingStore/source(of:)``. An adapter that changes how batches are written implements
/// ``WriterExcludingStore/apply(_:by:)`` and ``WriterExcludingStore/update(by:_:)``.
public protocol PreferenceStoreAdapter: WriterExcludingStore, ValueConvertingStore, SourceReportingStore,
    CapabilityDeclaringStore, SecretProtectingStore, ManageableStore, ScopedStore
{
    /// The store that contains the values.
    var base: any PreferenceStore { get }

    /// Returns the name in the base for a name of this store. The mapping must be injective. By default the name is the
    /// same.
    func baseName(of name: String) -> String

    /// Returns the name in this store for a name of the base. By default the name is the same.
    ///
    /// - Returns: The name whose ``baseName(of:)`` it is; nil if there is none.
    func name(ofBaseName baseName: String) -> String?

    /// Returns the value in this store for a value of the base. By default the value is the same.
    ///
    /// - Returns: The value; nil if the name is not set in this store.
    /// - Throws: An error if the value cannot be read in this store.
    func value(ofBaseValue baseValue: PreferenceValue, for name: String) throws -> PreferenceValue?

    /// Returns the value in the base for a value of this store. By default the value is the same.
    ///
    /// - Throws: An error if the value cannot be stored in the base.
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

// MARK: - Forwarding to the base

extension PreferenceStoreAdapter {
    /// The label of the base.
    public var label: String { base.label }

    /// The unsupported capabilities of the base.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { PreferenceStoreCapabilities(unsupportedBy: base) }

    /// Whether the base notifies of all changes.
    public var notifiesAllChanges: Bool { base.notifiesAllChanges }

    /// Returns the value of the base, as this store reads it.
    public func value(for name: String) throws -> PreferenceValue? {
        try ownValue(of: name, base.value)
    }

    /// Returns the names of the base that have a name in this store.
    public func names() throws -> Set<String> {
        try withOwnNames { Set(try base.names().compactMap(name(ofBaseName:))) }
    }

    /// Whether the base excludes writers.
    public var excludesWriters: Bool { StoreWriter(base).excludesWriters }

    /// Applies the batch to the base.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        let batch = try baseBatch(of: batch)
        try withOwnNames { try base.commit(batch, by: writer?.parts.first) }
    }

    /// Updates the base.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        var ownError: (any Error)?
        do {
            try base.commit(by: writer?.parts.first) { current in
                do {
                    // The compiler cannot see that `current` does not call the closure to which it is passed.
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

    /// Makes the edits of the base durable.
    public func flush() throws {
        try withOwnNames { try base.flush() }
    }

    /// Reads the external changes of the base.
    public func reload() throws {
        try withOwnNames { try base.reload() }
    }

    /// Restricts access to the contents of the base.
    public func protectSecrets() -> [PreferenceProblem] {
        base.restrictAccess().map(withOwnName)
    }

    /// Notifies an observer of the changes of the base that concern names of this store.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observeBase(observer)
    }

    /// Notifies an observer of the changes of the base, for adapters that notify of other changes, too.
    package func observeBase(
        _ observer: @escaping @Sendable (PreferenceStoreChange) -> Void
    ) -> PreferenceStoreObservation {
        let reference = AdapterReference(self)
        let observation = base.observe { change in
            if let own = reference.ownChange(change) { observer(own) }
        }
        return PreferenceStoreObservation(parts: [observation]) {
            // If this releases the base, it is still observed, so that its last problems are reported.
            reference.release()
            observation.cancel()
        }
    }

    /// Translates a change of the base to this store's names; nil if it concerns none of them.
    fileprivate func ownChange(_ change: PreferenceStoreChange) -> PreferenceStoreChange? {
        func own(_ baseNames: Set<String>) -> Set<String>? {
            let names = Set(baseNames.compactMap(name(ofBaseName:)))
            return names.isEmpty ? nil : names
        }
        switch change {
        case .names(let baseNames): return own(baseNames).map { .names($0) }
        case .everything: return .everything
        case .reported(let baseNames?, let origin): return own(baseNames).map { .reported($0, origin) }
        case .reported(nil, _): return change
        case .unreadable(let problem): return .unreadable(withOwnName(problem))
        case .problem(let problem):
            let isOwn = problem.key.map { name(ofBaseName: $0) != nil } ?? true
            return isOwn ? .problem(withOwnName(problem)) : nil
        }
    }

    /// Converts the value as the base does.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        try base.read(value, of: baseName(of: name), as: type)
    }

    /// Whether the base decodes the value.
    public func decodes(_ value: PreferenceValue) -> Bool { base.isEncoded(value) }

    /// Returns the source of the value in the base.
    public func source(of name: String) throws -> PreferenceSource? {
        try withOwnNames { try base.origin(of: baseName(of: name)) }
    }

    /// Whether the base contains a ``ManagedStore``.
    public var hasPolicy: Bool { base.manageable != nil }

    /// Declares that an administrator may fix the name in the base.
    public func declareManaged(_ name: String, formerNames: [String]) {
        base.manageable?.declareManaged(baseName(of: name), formerNames: formerNames.map(baseName))
    }

    /// Returns the fixed value in the base, as this store reads it; the default if it cannot.
    public func managedValue(of name: String) -> ManagedValue? {
        guard let managed = base.manageable?.managedValue(of: baseName(of: name)) else { return nil }
        guard let value = managed.value.flatMap({ try? value(ofBaseValue: $0, for: name) }) else {
            return ManagedValue(nil, source: nil, policy: managed.policy)
        }
        return ManagedValue(value, source: managed.source, policy: managed.policy)
    }

    /// Returns the fixed names of the base that have a name in this store.
    public func managedNames() -> Set<String> {
        Set(base.manageable?.managedNames().compactMap(name(ofBaseName:)) ?? [])
    }

    /// Returns what the name would read as if nothing were fixed in the base.
    public func unmanagedValue(for name: String) throws -> PreferenceValue? {
        try ownValue(of: name, base.ownValue)
    }

    /// Declares in the base that several machines share the value of the name, if the base is a ``ScopedStore``.
    public func declareShared(
        _ name: String,
        formerNames: [String],
        scope: PreferenceScope,
        mergeRule: PreferenceMergeRule
    ) {
        (base as? any ScopedStore)?.declareShared(
            baseName(of: name),
            formerNames: formerNames.map(baseName),
            scope: scope,
            mergeRule: mergeRule
        )
    }

    /// - Parameter baseValue: Returns the value of a name of the base.
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

    /// Runs a body, and translates the names of the problems that it throws to this store's names.
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
            isMessagePublic: problem.isMessagePublic,
            status: problem.status
        )
    }
}

/// A reference to an adapter that observes its base. It is released when the observation is cancelled, because the base
/// retains its observers, and the adapter the base.
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
