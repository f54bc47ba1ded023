public import PreferencesRuntime

/// The elements of a collection, to be read by a name that each has.
///
/// ```swift
/// let stations: [Station] = …
/// let store = try CollectionStore(stations, name: \.id) { try $0.preferenceValue() }
/// ```
public struct CollectionStore: PreferenceStore {
    /// What the store is called in problem reports.
    public let label: String
    private let values: [String: PreferenceValue]

    /// Makes a store of what is in a collection now.
    ///
    /// - Parameters:
    ///   - collection: The elements. Of two with one name, the first that has a value counts.
    ///   - label: What the store is called in problem reports; `collection` by default.
    ///   - name: Gives an element's name.
    ///   - value: Gives an element's value; nil for one that has none.
    /// - Throws: What the closures throw.
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

    /// The value of the element with a name.
    public func value(for name: String) -> PreferenceValue? {
        values[name]
    }

    /// The names of all elements that have a value.
    public func names() -> Set<String> {
        Set(values.keys)
    }

    /// True: what the collection becomes later is not read.
    public var notifiesAllChanges: Bool { true }

    /// Writing and persistence.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { [.writing, .persistence] }
}
