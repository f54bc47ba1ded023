/// The grammar of Swift identifiers (The Swift Programming Language, "Lexical Structure").
///
/// Excludes invisible formatting characters, since a name must be what it looks like, and characters that the grammar
/// allows but the compiler rejects, found by trying every one.
package enum Identifier {
    package static func isValid(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, canStart(first), name != "_" else { return false }
        return name.unicodeScalars.allSatisfy(canContain)
    }

    static func canStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_": true
        case "\u{0}"..."\u{7F}": false
        default: heads.contains { $0.contains(scalar.value) } && scalar.properties.generalCategory != .format
        }
    }

    static func canContain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9": true
        default: canStart(scalar) || continuations.contains { $0.contains(scalar.value) }
        }
    }

    private static let heads: [ClosedRange<UInt32>] = [
        0xA8...0xA8, 0xAA...0xAA, 0xAD...0xAD, 0xAF...0xAF, 0xB2...0xB5, 0xB7...0xBA, 0xBC...0xBE, 0xC0...0xD6,
        0xD8...0xF6, 0xF8...0x2FF, 0x370...0x167F, 0x1681...0x180D, 0x180F...0x1DBF, 0x1E00...0x1FFF,
        0x200B...0x200D, 0x202A...0x202E, 0x203F...0x2040, 0x2054...0x2054, 0x2060...0x20CF, 0x2100...0x218F,
        0x2460...0x24FF, 0x2776...0x2793, 0x2C00...0x2DFF, 0x2E80...0x2FFF, 0x3004...0x3007, 0x3031...0xD7FF,
        0xF900...0xFD3D, 0xFD40...0xFDCF, 0xFDF0...0xFE1F, 0xFE30...0xFE44, 0xFE47...0xFFFB,
        0x1_0000...0x1_FFFD, 0x2_0000...0x2_FFFD, 0x3_0000...0x3_FFFD, 0x4_0000...0x4_FFFD, 0x5_0000...0x5_FFFD,
        0x6_0000...0x6_FFFD, 0x7_0000...0x7_FFFD, 0x8_0000...0x8_FFFD, 0x9_0000...0x9_FFFD, 0xA_0000...0xA_FFFD,
        0xB_0000...0xB_FFFD, 0xC_0000...0xC_FFFD, 0xD_0000...0xD_FFFD, 0xE_0000...0xE_FFFD,
    ]

    /// Combining marks, and numerals that start an operator.
    private static let continuations: [ClosedRange<UInt32>] = [
        0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0x3021...0x302F, 0xFE20...0xFE2F,
    ]
}

extension SchemaReader {
    mutating func checkName(_ name: Name, of what: String) {
        guard !Identifier.isValid(name.text) else { return }
        report(
            .invalidName,
            at: name.place.range,
            "'\(name.text)' cannot be the name of \(what): it is not a Swift identifier",
            note: "use letters, digits and '_', not starting with a digit; 'id' sets a different storage name"
        )
    }

    /// Returns the part of a storage name for a declaration: its `id`, or else its name.
    mutating func id(_ node: JSONNode?, name: Name, isOfKey: Bool = false) -> String {
        guard let node, let id = string(node, what: "'id'") else { return name.text }
        return checkedID(id, at: node.range, isOfKey: isOfKey)
    }

    /// - Parameter isOfKey: Whether it is the id of a key, which can have a `storageName` instead.
    mutating func checkedID(_ id: String, at range: Range<Int>, isOfKey: Bool = false) -> String {
        if id.isEmpty {
            report(.invalidID, at: range, "an 'id' must not be empty")
        } else if id.utf8.contains(UInt8(ascii: ":")) {
            report(
                .invalidID,
                at: range,
                "the id '\(id)' must not contain ':', which separates the parts of a storage name",
                note: isOfKey ? "give the key the whole name as its 'storageName' instead" : nil
            )
        } else if id.hasControlCharacters {
            report(.invalidID, at: range, "an 'id' must not contain control characters")
        }
        return id
    }
}

extension String {
    /// Whether the text has control characters or U+FFFD, which are invisible or ambiguous in a storage name.
    var hasControlCharacters: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{FFFD}" }
    }
}
