import Foundation

/// A name as it stands in the database.
///
/// Swift takes strings for equal that Unicode does, whatever their bytes: a letter with an accent is one character or
/// two. SQLite compares bytes, so names are kept in one form (NFC).
struct StoredName {
    let text: String

    init(_ name: String) {
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        text = isASCII ? name : name.precomposedStringWithCanonicalMapping
    }
}
