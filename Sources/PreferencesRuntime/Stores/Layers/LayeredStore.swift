import PreferencesSystem

/// A store that combines several layers: a value is read from the first layer that has one, and set in the first
/// writable one.
///
/// ```swift
/// let store = LayeredStore(
///     [ArgumentsStore(), EnvironmentStore(prefix: "WEATHER_"), FileStore.default] + FileStore.siteStores
/// )
/// try store.source(of: "service:unit")   // environment variable WEATHER_SERVICE_UNIT
/// ```
///
/// ``source(of:)``, and so ``PreferenceAccessors/source(of:)``, returns the source of a value. If an earlier layer has
/// a value for a name that is set, reads return that value, and ``PreferenceProblem/Code/shadowed`` is reported. After
/// a value is removed, reads return the value of a later layer, if there is one.
///
/// Values that an administrator has fixed, in a ``ManagedStore``, take precedence wherever that layer stands, for names
/// that are declared as manageable. It has no effect on other names. See <doc:ManagedSettings>.
public final class LayeredStore: WriterExcludingStore, ValueConvertingStore, SourceReportingStore,
    CapabilityDeclaringStore, SecretProtectingStore, ManageableStore, ScopedStore, ExpressibleByArrayLiteral
{
    /// The layers in which values are set.
    public enum Destination: Sendable, Hashable {
        /// The first writable layer.
        case firstWritable
        /// All writable layers, or none if one of them fails. All are locked during the write, in the order of their
        /// labels. After a failure, the former values are restored in the layers that have been written, unless another
        /// process has changed them since; if that fails, ``PreferenceProblem/Code/storeUnwritable`` is reported. If
        /// the program is killed meanwhile, some layers have the batch.
        case everyWritable
    }

    /// The layers, in order of precedence.
    public let layers: [any PreferenceStore]
    /// The layers in which values are set.
    public let destination: Destination

    /// The labels of the layers, joined by `over`.
    public let label: String

    /// The layers with values that an administrator has fixed, by their index.
    private let policies: [Int: any ManageableStore]
    /// The indices of the layers with other values.
    let ownLayers: [Int]

    /// Held while several layers are written. Acquired before the lock of any layer.
    let access = PreferenceStoreAccess()
    /// The names that layers have reported as changed during a write to several layers.
    let writtenNames = Locked<Set<String>>([])

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - layers: The layers, in order of precedence.
    ///   - destination: The layers in which values are set; by default the first writable one.
    public init(_ layers: [any PreferenceStore], writingTo destination: Destination = .firstWritable) {
        self.layers = layers
        self.destination = destination
        policies = Dictionary(
            uniqueKeysWithValues: layers.enumerated().compactMap { index, layer in
                layer.manageable.map { (index, $0) }
            }
        )
        ownLayers = layers.indices.filter { !layers[$0].isPolicy }
        label = layers.isEmpty ? "no layers" : layers.map(\.label).joined(separator: " over ")
    }

    /// Creates a store that sets values in the first writable layer: `[a.readOnly, b.readOnly, c] as LayeredStore`.
    ///
    /// - Parameter layers: The layers, in order of precedence.
    public convenience init(arrayLiteral layers: any PreferenceStore...) {
        self.init(layers)
    }

    /// Returns the fixed value of the name, or else the value of the first layer that has one; nil if no layer has one.
    ///
    /// - Throws: An error if a layer before that cannot be read, since it may have a value.
    public func value(for name: String) throws -> PreferenceValue? {
        if let managed = managedValue(of: name) { return managed.value }
        return try layer(with: name)?.value
    }

    /// Returns the value of the first layer that has one, other than those with fixed values.
    ///
    /// - Throws: An error if a layer before that cannot be read, since it may have a value.
    public func unmanagedValue(for name: String) throws -> PreferenceValue? {
        try layer(with: name)?.value
    }

    /// Returns the value of a layer, as it would be if nothing were fixed.
    func readValue(ofLayer index: Int, _ name: String) throws -> PreferenceValue? {
        let layer = layers[index]
        return try layer.attributingErrors(.storeUnreadable, key: name) {
            try policies[index].map { try $0.unmanagedValue(for: name) } ?? layer.value(for: name)
        }
    }

    /// Returns the index of the first layer that has a value, and the value.
    ///
    /// Layers with fixed values do not count.
    func layer(with name: String) throws -> (index: Int, value: PreferenceValue)? {
        var found = try layer(with: name, before: layers.endIndex)
        // Several layers are written one after another. Meanwhile, an earlier layer may have received a value, and this
        // one the value of a later batch.
        while let end = found?.index, let earlier = try layer(with: name, before: end) { found = earlier }
        return found
    }

    private func layer(with name: String, before end: Int) throws -> (index: Int, value: PreferenceValue)? {
        for index in ownLayers {
            if index >= end { break }
            if let value = try readValue(ofLayer: index, name) { return (index, value) }
        }
        return nil
    }

    /// Returns the source of the fixed value, or else of the value in the first layer that has one.
    public func source(of name: String) throws -> PreferenceSource? {
        if let managed = managedValue(of: name) { return managed.source }
        for index in ownLayers {
            let layer = layers[index]
            let source = try layer.attributingErrors(.storeUnreadable, key: name) { try layer.origin(of: name) }
            if let source { return source }
        }
        return nil
    }

    /// Converts a value as the layer from which it was read does.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        if let (policy, managed) = policy(for: name), managed.value == value {
            return try policy.read(value, of: name, as: type)
        }
        // Otherwise the value has changed, and will be read again, or it is a cached value of a layer that can no
        // longer be read.
        guard let found = try? layer(with: name), found.value == value else {
            return try Value(preferenceValue: value)
        }
        return try layers[found.index].read(value, of: name, as: type)
    }

    /// Returns the names of all layers; of those with fixed values, only the names that are declared and have one.
    public func names() throws -> Set<String> {
        let names: Set<String> = try ownLayers.reduce(into: []) { names, index in
            let layer = layers[index]
            names.formUnion(try layer.attributingErrors(.storeUnreadable) { try layer.names() })
        }
        if policies.isEmpty { return names }
        return names.union(managedNames().filter { managedValue(of: $0)?.value != nil })
    }

    // MARK: - Fixed values

    /// Whether any layer contains a ``ManagedStore``.
    public var hasPolicy: Bool { !policies.isEmpty }

    /// Declares that an administrator may fix the name, in all layers.
    public func declareManaged(_ name: String, formerNames: [String]) {
        for index in layers.indices { policies[index]?.declareManaged(name, formerNames: formerNames) }
    }

    /// Returns the fixed value of the first layer that fixes the name.
    public func managedValue(of name: String) -> ManagedValue? {
        policies.isEmpty ? nil : policy(for: name)?.value
    }

    private func policy(for name: String) -> (store: any ManageableStore, value: ManagedValue)? {
        if policies.isEmpty { return nil }
        for index in layers.indices {
            if let policy = policies[index], let value = policy.managedValue(of: name) { return (policy, value) }
        }
        return nil
    }

    /// Returns the fixed names of all layers.
    public func managedNames() -> Set<String> {
        policies.values.reduce(into: []) { $0.formUnion($1.managedNames()) }
    }

    // MARK: - Shared values

    /// Declares that several machines share the value of the name, in all layers that are a ``ScopedStore``.
    public func declareShared(
        _ name: String,
        formerNames: [String],
        scope: PreferenceScope,
        mergeRule: PreferenceMergeRule
    ) {
        for layer in layers {
            (layer as? any ScopedStore)?.declareShared(
                name,
                formerNames: formerNames,
                scope: scope,
                mergeRule: mergeRule
            )
        }
    }

    // MARK: - All layers

    /// Makes the edits of all layers durable.
    ///
    /// - Throws: The error of the first layer that fails, after all layers were flushed.
    public func flush() throws {
        try forEachLayer(.storeUnwritable) { try $0.flush() }
    }

    /// Reads the external changes of all layers.
    ///
    /// - Throws: The error of the first layer that fails, after all layers were reloaded.
    public func reload() throws {
        try forEachLayer(.storeUnreadable) { try $0.reload() }
    }

    private func forEachLayer(
        _ code: PreferenceProblem.Code,
        _ body: (any PreferenceStore) throws -> Void
    ) throws {
        let outcomes = layers.map { layer in Result { try layer.attributingErrors(code) { try body(layer) } } }
        for outcome in outcomes { try outcome.get() }
    }

    /// Restricts access to the contents of all layers, including read-only ones.
    public func protectSecrets() -> [PreferenceProblem] {
        layers.flatMap { $0.restrictAccess() }
    }

    /// Whether all layers notify of all changes.
    public var notifiesAllChanges: Bool { layers.allSatisfy(\.notifiesAllChanges) }

    /// Notifies an observer of the changes of all layers, and of values that are set in one layer but read from an
    /// earlier one.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        let observations =
            [access.observers.add(observer)]
            + layers.map { layer in
                layer.observe { [weak self] change in
                    guard let self else { return observer(change) }
                    // A write to several layers notifies of all their changes together.
                    if access.isHeldByThisThread, case .names(let names) = change {
                        writtenNames.withLock { $0.formUnion(names) }
                    } else {
                        access.afterUse { observer(change) }
                    }
                }
            }
        return PreferenceStoreObservation(parts: observations) {
            for observation in observations { observation.cancel() }
        }
    }

    /// Whether the first layer that is written decodes the value.
    public func decodes(_ value: PreferenceValue) -> Bool {
        destinations.first.map { layers[$0].isEncoded(value) } ?? false
    }

    /// The unsupported capabilities of the layers that are written; listing, if a layer does not support it; and exact
    /// values, if there are several layers.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        // A value of an earlier layer is read instead of one that is set.
        let shadowing: PreferenceStoreCapabilities = layers.count > 1 || hasPolicy ? .exactValues : []
        let written = destinations.map { PreferenceStoreCapabilities(unsupportedBy: layers[$0]) }
        let initial: PreferenceStoreCapabilities = written.isEmpty ? .writing : []
        let unsupported = written.reduce(initial) { $0.union($1) }
        return unsupported.union(shadowing).union(
            ownLayers.allSatisfy { layers[$0].supports(.listing) } ? [] : .listing
        )
    }
}

extension PreferenceStore {
    /// Whether all values of the store are fixed: it is a ``ManagedStore``, or an adapter over one.
    fileprivate var isPolicy: Bool {
        self is ManagedStore || (self as? any PreferenceStoreAdapter)?.base.isPolicy == true
    }

    /// Runs a body, and converts errors that name no store to problems of this one, which is a layer of another.
    func attributingErrors<Result>(
        _ code: PreferenceProblem.Code,
        key: String? = nil,
        _ body: () throws -> Result
    ) throws(PreferenceProblem) -> Result {
        do {
            return try body()
        } catch {
            throw PreferenceProblem(describing: error, or: code, key: key, store: label)
        }
    }
}
