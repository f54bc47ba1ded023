extension FileStore {
    /// What a store's file is written as. See <doc:FileFormats>.
    public enum Format: Sendable, Hashable, CaseIterable {
        /// JSON, laid out for people: an entry a line, sorted, indented by two spaces.
        case json
        /// A property list in XML. A file that is a binary one is read, and written as XML.
        case xmlPropertyList
        /// A property list in Apple's binary format. A file that is XML is read, and written as binary.
        case binaryPropertyList
    }
}

extension FileStore.Format {
    var contents: any StoreFileContents.Type {
        switch self {
        case .json: JSONFileContents.self
        case .xmlPropertyList: PropertyListFileContents<XMLPropertyListFormat>.self
        case .binaryPropertyList: PropertyListFileContents<BinaryPropertyListFormat>.self
        }
    }
}
