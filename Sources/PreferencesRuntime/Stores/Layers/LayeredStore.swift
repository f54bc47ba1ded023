import PreferencesSystem

/// Several stores as one: a value is that of the first that has one, and what is set goes to the first that can be
/// written.
///
/// ```swift
/// let store = LayeredStore(
///     [ArgumentsStore(), EnvironmentStore(prefix: "WEATHER_"), FileStore.default] + FileStore.siteStores
/// )
/// try store.source(of: "service:unit")   // environment variable WEATHER_SERVICE_UNIT
/// ```
///
/// ``source(of:)``, and ``PreferenceAccessors/source(of:)`` with it, tells which layer a value comes from. What is set in
/// one layer while another before it has a value goes on reading as that; this is reported as
/// ``PreferenceProblem/Code/shadowed``. Removing a value makes a layer's after it read, if there is one.
public final class LayeredStore: WriterExcludingStore, ValueConvertingStore, SourceReportingStore,
    CapabilityDeclaringStore, SecretProtectingStore
{
    /// Where what is set goes.
    public enum Destination: Sendable, Hashable {
        /// To the first layer that can be written.
        case firstWritable
        /// To all layers that can be written, or to none if one of them fails. All are locked while they are written, in the
        /// order of their labels. After a failure the layers that were written already get their former values back,
        /// except where another process has changed them since; a layer that cannot be written any more is reported as
        /// ``PreferenceProblem/Code/storeUnwritable``. If the program is killed meanwhile, some layers have the batch.
        case everyWritable
    }

    /// The stores, the one that is asked first at the front.
    public let layers: [any PreferenceStore]
    /// Where what is set goes.
    public let destination: Destination

    /// The layers' labels, with `over` between them.
    public let label: String

    /// Accessed by whoever changes several layers, before anything of a layer.
    let access = PreferenceStoreAccess()
    /// The names that layers have notified of during a write to several.
    let writtenNames = Locked<Set<String>>([])

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - layers: The stores, the one that is asked first at the front.
    ///   - destination: Where what is set goes; by default to the first that does not lack writing.
    public init(_ layers: [any PreferenceStore], writingTo destination: Destination = .firstWritable) {
        self.layers = layers
        self.destination = destination
        label = layers.isEmpty ? "no layers" : layers.map(\.label).joined(separator: " over ")
    }

    /// The value of the first layer that has one.
    ///
    /// - Throws: Where a layer before that cannot be read: it may have had one.
    public func value(for name: String) throws -> PreferenceValue? {
        try layer(with: name)?.value
    }

    /// The first layer that has a value, and the value.
    func layer(with name: String) throws -> (index: Int, value: PreferenceValue)? {
        var found = try layer(with: name, before: layers.endIndex)
        // Several layers are written one after the other. By now a layer before this one may have a value, and this one that
        // of a later batch already.
        while let end = found?.index, let earlier = try layer(with: name, before: end) { found = earlier }
        return found
    }

    private func layer(with name: String, before end: Int) throws -> (index: Int, value: PreferenceValue)? {
        for index in 0..<end {
            if let value = try layers[index].value(for: name) { return (index, value) }
        }
        return nil
    }

    /// Where the value comes from, as the first layer that has one says.
    public func source(of name: String) throws -> String? {
        for layer in layers {
            if let source = try layer.origin(of: name) { return source }
        }
        return nil
    }

    /// Reads a value as the layer does that it comes from.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        // Otherwise it has changed since, and is read again; or a layer cannot be read any more, and it was there before.
        guard let found = try? layer(with: name), found.value == value else {
            return try Value(preferenceValue: value)
        }
        return try layers[found.index].read(value, of: name, as: type)
    }

    /// The names of all layers.
    public func names() throws -> Set<String> {
        try layers.reduce(into: []) { names, layer in names.formUnion(try layer.names()) }
    }

    /// Has all layers make durable what they were given.
    ///
    /// - Throws: What the first one throws that fails; the others are asked all the same.
    public func flush() throws {
        try forEachLayer { try $0.flush() }
    }

    /// Has all layers look again at their media.
    ///
    /// - Throws: What the first one throws that fails; the others are asked all the same.
    public func reload() throws {
        try forEachLayer { try $0.reload() }
    }

    private func forEachLayer(_ body: (any PreferenceStore) throws -> Void) throws {
        let outcomes = layers.map { layer in Result { try body(layer) } }
        for outcome in outcomes { try outcome.get() }
    }

    /// Restricts access to what is in the layers, those included that are only read.
    public func protectSecrets() -> [PreferenceProblem] {
        layers.flatMap { $0.restrictAccess() }
    }

    /// Whether all layers tell of all changes.
    public var notifiesAllChanges: Bool { layers.allSatisfy(\.notifiesAllChanges) }

    /// Notifies an observer of what the layers notify of, and reports values that are set here but are read from a layer
    /// that comes first. Nothing is reported while there are no observers.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        let observations =
            [access.observers.add(observer)]
            + layers.map { layer in
                layer.observe { [weak self] change in
                    guard let self else { return observer(change) }
                    // A write to several layers notifies of all their changes at once.
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

    /// Whether the layer that is written decodes the value.
    public func decodes(_ value: PreferenceValue) -> Bool {
        destinations.first.map { layers[$0].isEncoded(value) } ?? false
    }

    /// The unsupported capabilities of the layers that are written; listing, if a layer does not support it; and exact
    /// values, if there are several layers.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        // A value of a layer that comes first is read instead of one that is set or reset.
        let shadowing: PreferenceStoreCapabilities = layers.count > 1 ? .exactValues : []
        let written = destinations.map { PreferenceStoreCapabilities(unsupportedBy: layers[$0]) }
        let nothing: PreferenceStoreCapabilities = written.isEmpty ? .writing : []
        let lacking = written.reduce(nothing) { $0.union($1) }
        return lacking.union(shadowing).union(
            layers.allSatisfy { $0.supports(.listing) } ? [] : .listing
        )
    }
}
