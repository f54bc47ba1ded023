import Foundation

/// The storage names of items of a keychain or keyring.
enum ItemNames {
    /// Returns the reason that items cannot have a name; nil if they can. An empty account counts as a missing one in
    /// keychains, which do not document support of NUL; the messages of a bus cannot contain NUL.
    static func rejectionReason(of name: String, in place: String) -> String? {
        if name.isEmpty { return "the \(place) takes no empty name" }
        return name.unicodeScalars.contains("\u{0}") ? "the \(place) takes no name with the character NUL" : nil
    }

    /// Returns the accounts that may hold a name. Names are compared by canonical equivalence, accounts by bytes.
    static func accounts(of name: String) -> [String] {
        if rejectionReason(of: name, in: "") != nil { return [] }
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return [name] }
        let forms = [name.precomposedStringWithCanonicalMapping, name.decomposedStringWithCanonicalMapping, name]
        return forms.enumerated().filter { index, form in
            !forms[..<index].contains { $0.utf8.elementsEqual(form.utf8) }
        }.map(\.element)
    }
}
