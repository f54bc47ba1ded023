/// One of the two comments around a region.
struct HostMarker {
    enum Content {
        case begin(schema: String, namespace: String)
        /// The end marker, with the checksum of the region's lines; nil if the region has not been filled.
        case end(checksum: String?)
        case faultyBegin
        case faultyEnd
    }

    struct Place {
        /// The index of its line, counted from 0.
        var line: Int
        /// The offset of the comment in bytes.
        var offset: Int
        /// Whether other text precedes it in its line.
        var isBehindCode: Bool
    }

    var content: Content
    var place: Place

    var line: Int { place.line }

    /// Whether it begins a region, or appears to.
    var isBegin: Bool {
        switch content {
        case .begin, .faultyBegin: true
        case .end, .faultyEnd: false
        }
    }

    static let beginSpelling = "// preferences:begin SCHEMA NAMESPACE"
    static let endSpelling = "// preferences:end"

    static func begin(_ region: HostRegion) -> String {
        "// preferences:begin \(region.schema) \(region.namespace)"
    }

    static func end(checksum: String) -> String {
        "\(endSpelling) \(checksum)"
    }

    /// Returns the marker in a comment, or nil if it is another comment.
    ///
    /// A comment that differs from a marker in spaces, slashes or the case of letters is a faulty marker. If it were
    /// ignored, its region would be written a second time.
    ///
    /// - Parameter text: The comment without surrounding spaces.
    init?(_ text: [UInt8], at place: Place) {
        guard text.starts(with: "//".utf8) else { return nil }
        let text = String(decoding: text, as: UTF8.self)
        let comment = text.drop { $0 == "/" }.drop { $0 == " " || $0 == "\t" }
        let words = comment.split(separator: " ", omittingEmptySubsequences: false)
        guard let first = words.first else { return nil }
        self.place = place
        switch first.lowercased() {
        case "preferences:begin": content = place.isBehindCode ? .faultyBegin : Self.begin(text) ?? .faultyBegin
        case "preferences:end": content = place.isBehindCode ? .faultyEnd : Self.end(text) ?? .faultyEnd
        default: return nil
        }
    }

    /// The name of a schema may contain spaces; that of a namespace cannot.
    private static func begin(_ text: String) -> Content? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count >= 4, words[0] == "//", words[1] == "preferences:begin", let namespace = words.last,
            !namespace.isEmpty, !words[2].isEmpty, !words[words.count - 2].isEmpty
        else { return nil }
        return .begin(schema: words[2..<words.count - 1].joined(separator: " "), namespace: String(namespace))
    }

    private static func end(_ text: String) -> Content? {
        if text == endSpelling { return .end(checksum: nil) }
        guard text.hasPrefix(endSpelling + " ") else { return nil }
        let checksum = text.dropFirst(endSpelling.count + 1)
        let isChecksum = checksum.utf8.count == RegionChecksum.digits && checksum.utf8.allSatisfy(isDigit)
        return isChecksum ? .end(checksum: String(checksum)) : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
