extension SchemaReader {
    mutating func checkName(_ name: Name, of what: String) {
        guard !Identifier.isValid(name.text) else { return }
        report(
            .invalidName,
            at: name.place.range,
            "'\(name.text)' cannot be the name of \(what): it is not a Swift identifier",
            note: "use letters, digits and '_', not beginning with a digit; 'id' sets another storage name"
        )
    }

    /// The storage name's part of something: its `id`, or else its name.
    mutating func id(_ node: JSONNode?, name: Name) -> String {
        guard let node, let id = string(node, what: "'id'") else { return name.text }
        return checkedID(id, at: node.range)
    }

    mutating func checkedID(_ id: String, at range: Range<Int>) -> String {
        if id.isEmpty {
            report(.invalidID, at: range, "an 'id' must not be empty")
        } else if id.utf8.contains(UInt8(ascii: ":")) {
            report(
                .invalidID,
                at: range,
                "the id '\(id)' must not contain ':', which separates the parts of a storage name"
            )
        } else if id.hasControlCharacters {
            report(.invalidID, at: range, "an 'id' must not contain control characters")
        }
        return id
    }
}

extension String {
    /// Whether the text has what nobody would see in a storage name.
    var hasControlCharacters: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{FFFD}" }
    }
}
