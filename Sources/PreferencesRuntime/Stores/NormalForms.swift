import Foundation

extension String {
    /// The normal forms of a name that is in another: equal as text, but told apart by what compares them by their bytes.
    var otherNormalForms: [String] {
        if utf8.allSatisfy({ $0 < 0x80 }) { return [] }
        return [precomposedStringWithCanonicalMapping, decomposedStringWithCanonicalMapping]
            .filter { !$0.utf8.elementsEqual(utf8) }
    }
}
