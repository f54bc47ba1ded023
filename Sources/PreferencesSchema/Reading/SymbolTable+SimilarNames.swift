extension SymbolTable {
    /// Returns findings about accessors of one type, and about storage names, that differ only in case or
    /// punctuation.
    ///
    /// - Parameters:
    ///   - accessors: The candidates, whose folded names are not unique.
    ///   - storageNames: The candidates among the storage names.
    func similarNames(among accessors: [Accessor], _ storageNames: [StorageName]) -> [Finding] {
        struct Member: Hashable {
            var scope: Scope
            var name: [UInt8]
        }
        var firstAccessor: [Member: Accessor] = [:]
        var reported: Set<Place> = []
        var findings: [Finding] = []
        for accessor in accessors {
            let member = Member(scope: accessor.scope, name: Self.folded(accessor.name.text))
            guard let other = firstAccessor[member] else {
                firstAccessor[member] = accessor
                continue
            }
            // Duplicates and invalid names are reported by other rules, and a name of punctuation alone has nothing
            // to compare.
            guard other.name.text != accessor.name.text, !member.name.isEmpty,
                Identifier.isValid(other.name.text), Identifier.isValid(accessor.name.text)
            else { continue }
            reported.insert(accessor.name.place)
            findings.append(
                Finding(
                    rule: .similarNames,
                    place: accessor.name.place,
                    message: "\(accessor.kind) '\(accessor.name.text)' differs from \(other.kind) '\(other.name.text)' "
                        + "in case or punctuation only",
                    notes: [.init(place: other.name.place, message: "\(other.kind) '\(other.name.text)' is here")]
                )
            )
        }
        var firstStorageName: [[UInt8]: StorageName] = [:]
        for name in storageNames {
            let folded = Self.folded(name.text)
            guard let other = firstStorageName[folded] else {
                firstStorageName[folded] = name
                continue
            }
            guard other.text != name.text, folded.last != UInt8(ascii: ":"), !folded.isEmpty,
                reported.insert(name.place).inserted
            else { continue }
            findings.append(
                Finding(
                    rule: .similarNames,
                    place: name.place,
                    message: "'\(name.keyPath)' is stored as '\(name.text)', which differs from '\(other.text)' "
                        + "in case or punctuation only",
                    notes: [.init(place: other.place, message: "'\(other.keyPath)' is stored under that name")]
                )
            )
        }
        return findings
    }

    /// Returns the letters, digits and colons of a name in lowercase.
    static func folded(_ name: String) -> [UInt8] {
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
            return Array(name.lowercased().filter { $0.isLetter || $0.isNumber || $0 == ":" }.utf8)
        }
        return name.utf8.compactMap(\.folded)
    }
}

extension UInt8 {
    /// An ASCII letter in lowercase, a digit or a colon, or nil for other characters. Colons count because names in
    /// different namespaces are not similar.
    fileprivate var folded: UInt8? {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): self | 0x20
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"): self
        default: nil
        }
    }
}

/// A hash of text that is the same for similar names, and almost always different for others. It identifies
/// candidates for a closer comparison among thousands of names, without memory for each.
///
/// It is the FNV-1a hash (RFC 9923) of the bytes.
struct Fingerprint {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }

    mutating func add(_ number: Int) {
        for shift in stride(from: 0, to: Int.bitWidth, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Adds a text. Texts that are equal in Swift have the same fingerprint.
    mutating func add(_ text: String) {
        addWithoutSeparator(text)
        // Separates one text from the next.
        add(0xFF as UInt8)
    }

    /// Adds the letters, digits and colons of a name in lowercase.
    mutating func add(folding name: String) {
        let original = value
        guard !addASCII(name, \.folded) else { return }
        value = original
        addWithoutSeparator(name.lowercased().filter { $0.isLetter || $0.isNumber || $0 == ":" })
    }

    private mutating func addWithoutSeparator(_ text: String) {
        let original = value
        guard !addASCII(text, { $0 }) else { return }
        // Canonically equivalent texts differ in their bytes, but not in their hash values.
        value = original
        add(text.hashValue)
    }

    /// Adds the bytes of a text up to the first that is not ASCII.
    ///
    /// - Returns: Whether there is none.
    private mutating func addASCII(_ text: String, _ fold: (UInt8) -> UInt8?) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            for byte in bytes {
                guard byte < 0x80 else { return false }
                if let byte = fold(byte) { add(byte) }
            }
            return true
        }
    }
}
