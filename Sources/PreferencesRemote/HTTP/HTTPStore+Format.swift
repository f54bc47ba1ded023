extension HTTPStore {
    /// What a document is written in.
    ///
    /// A store that is not told goes by the answer's `Content-Type`: JSON where it is or ends in `json`, a property list where
    /// it is or ends in `plist` or `xml`. With any other, as `text/plain`, the URL counts: a property list where its path ends in
    /// `.plist`, else JSON.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// JSON, as `FileStore` reads it.
        case json
        /// A property list, in XML or in Apple's binary format.
        case propertyList
    }
}

extension HTTPStore.Format {
    /// - Parameters:
    ///   - mimeType: The answer's, without parameters.
    ///   - pathExtension: That of the URL.
    init(mimeType: String?, pathExtension: String) {
        let mimeType = mimeType?.lowercased() ?? ""
        self =
            if mimeType.hasSuffix("json") {
                .json
            } else if mimeType.hasSuffix("plist") || mimeType.hasSuffix("xml") {
                .propertyList
            } else {
                pathExtension.lowercased() == "plist" ? .propertyList : .json
            }
    }

    /// For people.
    var words: String { self == .json ? "JSON" : "a property list" }
}
