public import PreferencesRuntime

/// A read-only store of the elements of a collection, each under a name of its own.
///
/// ```swift
/// let stations: [Station] = …
/// let store = try CollectionStore(stations, name: \.id) { try $0.preferenceValue() }
/// ```
public struct CollectionStore: CapabilityDeclaringStore {
    /// The name of the store in problem reports.
    public let label: String
    private let values: [String: PreferenceValue]

    /// Creates a store of the current elements of a collection.
    ///
    /// - Parameters:
    ///   - collection: The elements. Of several with the same name, the first that has a value is used.
    ///   - label: The name of the store in problem reports; `collection` by default.
    ///   - name: Returns an element's name.
    ///   - value: Returns an element's value; nil if it has none.
    /// - Throws: Any error of the closures.
    public init<Elements: Collection>(
        _ collection: Elements,
        label: String = "collection",
        name: (Elements.Element) throws -> String,
        value: (Elements.Element) throws -> PreferenceValue?
    ) rethrows {
        self.label = label
        values = try collection.reduce(into: [:]) { values, element in
            let name = try name(element)
            if values[name] == nil { values[name] = try value(element) }
        }
    }

    /// Returns the value of the element with a name; nil if there is none.
    public func value(for name: String) -> PreferenceValue? {
        values[name]
    }

    /// Returns the names of all elements that have a value.
    public func names() -> Set<String> {
        Set(values.keys)
    }

    /// True, since later changes of the collection are not read.
    public var notifiesAllChanges: Bool { true }

    /// Persistence.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { .persistence }
}
