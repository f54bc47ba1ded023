/// A store that may have values of other libraries.
protocol ReadsLegacyEncodings: PreferenceStore {
    var legacyReading: LegacyReading { get }
}

extension PreferenceStore {
    /// The encodings that values are read in which are put into this store.
    var legacyEncodings: [LegacyEncoding] {
        switch self {
        case let store as any ReadsLegacyEncodings: store.legacyReading.encodings
        // Others may read what is in their bases in ways of their own.
        case let store as PrefixedStore: store.base.legacyEncodings
        case let store as ReadOnlyStore: store.base.legacyEncodings
        case let store as RedactingStore: store.base.legacyEncodings
        case let layered as LayeredStore: layered.destinations.first.map { layered.layers[$0].legacyEncodings } ?? []
        default: []
        }
    }
}
