/// The source of a stored value.
public struct PreferenceSource: Sendable, Hashable, CustomStringConvertible {
    /// The ``PreferenceStore/label`` of the store that has the value; in a ``LayeredStore``, that of the layer.
    public let store: String
    /// The store's own name for the value, such as `WEATHER_UNIT`, `--unit` or `weather:unit`.
    public let name: String
    /// The human-readable source, such as `environment variable WEATHER_UNIT`; by default the store's label.
    public let description: String

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - store: The label of the store.
    ///   - name: The store's own name for the value.
    ///   - description: The human-readable source; by default the label.
    public init(store: String, name: String, description: String? = nil) {
        self.store = store
        self.name = name
        self.description = description ?? store
    }
}

/// Where the current value of a key comes from, and the stored values that could not be used.
///
/// ```swift
/// let resolution = preferences.weather.resolution(of: \.scale)
/// resolution.source?.name      // "WEATHER_SCALE", nil for the default
/// resolution.problems.first    // WEATHER_SCALE is 99, which is out of range
/// ```
public struct PreferenceResolution: Sendable, Hashable, CustomStringConvertible {
    /// The source of the value; nil if the key reads as its default.
    public let source: PreferenceSource?
    /// The problems of the values and stores that could not be used, in the order in which they were read. The
    /// ``PreferenceProblem/store`` of each is the source at fault.
    public let problems: [PreferenceProblem]

    /// Whether the key reads as its default.
    public var isDefault: Bool { source == nil }

    /// The source, or `default`, followed by the problems.
    public var description: String {
        let source = source?.description ?? "default"
        return problems.isEmpty ? source : "\(source) (\(problems.map(\.description).joined(separator: "; ")))"
    }
}

extension PreferenceAccessors {
    /// Returns where the current value of a key comes from, and the stored values that could not be used.
    ///
    /// - Parameter key: The key. If it is a computed property, the source is that of the first key, by storage name,
    ///   that does not read as its default, and the problems are those of all keys that the property reads.
    public func resolution<Value>(of key: KeyPath<Self, Value>) -> PreferenceResolution {
        let (resolution, entries) = AccessTracker.resolution(in: preferences) { _ = self[keyPath: key] }
        preferences.reportInvalidKeyPaths(
            [key],
            leadToKeys: !entries.isEmpty,
            consequence: "it has no source",
            adviceForNamespace: "pass the key path of one of its keys"
        )
        return resolution
    }

    /// Returns the human-readable source of a key's value, as ``PreferenceResolution/source`` describes it.
    ///
    /// - Parameter key: The key. If it is a computed property, the first key that does not read as its default counts.
    /// - Returns: The source; nil if the key reads as its default, also because its value could not be used.
    public func source<Value>(of key: KeyPath<Self, Value>) -> String? {
        resolution(of: key).source?.description
    }
}

extension Preferences {
    /// Returns where the current value of a key comes from, and the stored values that could not be used.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - type: The type that the value is read as.
    public func resolution<Value: PreferenceConvertible>(
        named name: String,
        as type: Value.Type
    ) -> PreferenceResolution {
        AccessTracker.resolution(in: self) { _ = find(named: name) as Value? }.0
    }

    /// Runs reads whose problems the caller returns, and which are therefore not reported. Later reads report them:
    /// tracked reads cache nothing.
    package func returningProblems<Result>(_ body: () -> Result) -> Result {
        AccessTracker.returningProblems(in: self, body)
    }

    /// Returns the source of a value as an entry's read resolves it.
    func source(at location: Location) -> PreferenceSource {
        let name = location.record.name
        let store = location.store
        if session.transaction(of: self)?.ownValue(of: location.record) != nil {
            return PreferenceSource(store: store.destinationLabel, name: name)
        }
        // The value may have been removed since it was read, or be the last one of a store that can no longer be read.
        return (try? store.origin(of: name)) ?? PreferenceSource(store: store.label, name: name)
    }
}

extension PreferenceStore {
    /// The label of the store that is written; of a ``LayeredStore``, that of the first layer that is written.
    package var destinationLabel: String {
        if let layers = self as? LayeredStore {
            return layers.destinations.first.map { layers.layers[$0].destinationLabel } ?? label
        }
        guard let adapter = self as? any PreferenceStoreAdapter else { return label }
        let (base, destination) = (adapter.base.label, adapter.base.destinationLabel)
        return base == destination ? label : destination
    }
}
