public import Foundation
public import PreferencesRuntime

// Forms with a leading dot, where a store is expected: `Preferences(store: .layered(.userDefaults, .reflecting(theme)))`.

extension PreferenceStore where Self == CacheStore {
    /// A new cache.
    public static var cache: CacheStore { CacheStore() }

    /// A new cache with a limit: ``CacheStore/init(countLimit:)``.
    public static func cache(countLimit: Int) -> CacheStore { CacheStore(countLimit: countLimit) }
}

extension PreferenceStore where Self == CoderStore {
    /// A store that encodes its values: ``CoderStore/init(encodingInto:)``.
    public static func coder(encodingInto coder: NSCoder) -> CoderStore { CoderStore(encodingInto: coder) }

    /// A store of the values of a coder: ``CoderStore/init(decodingFrom:)``.
    public static func coder(decodingFrom coder: NSCoder) -> CoderStore { CoderStore(decodingFrom: coder) }
}

extension PreferenceStore where Self == CollectionStore {
    /// A store of the elements of a collection: ``CollectionStore/init(_:label:name:value:)``.
    public static func collection<Elements: Collection>(
        _ collection: Elements,
        name: (Elements.Element) throws -> String,
        value: (Elements.Element) throws -> PreferenceValue?
    ) rethrows -> CollectionStore {
        try CollectionStore(collection, name: name, value: value)
    }
}

extension PreferenceStore where Self == ReflectingStore {
    /// A store of the properties of a value: ``ReflectingStore/init(reflecting:label:)``.
    public static func reflecting<Subject>(_ subject: Subject) -> ReflectingStore {
        ReflectingStore(reflecting: subject)
    }
}

extension PreferenceStore where Self == LegacyStore {
    /// A store that reads the encodings of other libraries: ``LegacyStore/init(_:decoding:)``.
    public static func legacy(_ base: some PreferenceStore, decoding encodings: [LegacyEncoding]) -> LegacyStore {
        LegacyStore(base, decoding: encodings)
    }
}
