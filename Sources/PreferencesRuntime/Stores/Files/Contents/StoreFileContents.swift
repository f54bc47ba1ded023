import PreferencesJSON

/// What is in a store's file, in one of its formats.
protocol StoreFileContents: Sendable {
    /// Of a file that is missing.
    init()

    /// Reads a file's bytes.
    ///
    /// - Throws: ``StoreFileSyntaxError`` where they are not in this format.
    init(parsing bytes: [UInt8]) throws

    var names: Set<String> { get }

    /// - Throws: ``StoreFileValueError`` for an entry that is no ``PreferenceValue``.
    func value(for name: String) throws -> PreferenceValue?

    /// - Throws: ``StoreFileValueError`` where the format cannot hold a value, or not under this name.
    static func check(_ name: String, _ value: PreferenceValue) throws

    /// Makes all changes of a batch, or none. All other entries stay as they are, those that cannot be read too.
    ///
    /// - Returns: Whether anything is other than before.
    /// - Throws: ``StoreFileValueError`` for a value that the format cannot hold.
    mutating func apply(_ batch: [String: PreferenceEdit]) throws -> Bool

    /// The file's bytes.
    func encoded() throws -> [UInt8]
}

extension StoreFileContents {
    /// The names that others are kept under than in some older contents, or other values. Those whose values cannot be
    /// read count as such.
    func namesChanged(since old: any StoreFileContents) -> Set<String> {
        names.union(old.names).filter { name in
            guard let value = try? Optional(value(for: name)), let oldValue = try? Optional(old.value(for: name)) else {
                return true
            }
            return value != oldValue
        }
    }
}

/// What is written must be read again, in whichever format it is.
enum StoreFileLimits {
    /// How deep arrays and dictionaries may be nested in a file, its own included.
    static let depth = JSONReader.maximumDepth

    static let depthError = StoreFileValueError("the value is nested more than \(depth) levels deep")
}

/// Why a file is not in its format.
struct StoreFileSyntaxError: Error {
    /// From 1, in UTF-8 bytes; nil where the format has no lines.
    var line: Int?
    var column: Int?
    let message: String

    /// `line 2, column 6`.
    var place: String? {
        let parts = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

/// Why one entry cannot be read or written.
struct StoreFileValueError: Error, CustomStringConvertible {
    /// The entry's, once that is known.
    var name: String?
    let message: String

    var description: String { message }

    init(name: String? = nil, _ message: String) {
        self.name = name
        self.message = message
    }
}
