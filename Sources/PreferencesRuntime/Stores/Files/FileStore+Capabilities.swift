extension FileStore {
    /// Control characters in names, as an XML property list: XML has no words for them. In the other formats nothing.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        format == .xmlPropertyList ? .controlCharactersInNames : []
    }
}
