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

    /// The names whose values differ from those of older contents.
    ///
    /// A value that cannot be read counts as changed, unless the format can see that it was not.
    func namesChanged(since old: any StoreFileContents) -> Set<String>
}

extension StoreFileContents {
    func namesChanged(since old: any StoreFileContents) -> Set<String> {
        names.union(old.names).filter { differs(from: old, in: $0) }
    }

    /// Whether the value of a name differs from that of other contents, or one of the two cannot be read.
    func differs(from other: any StoreFileContents, in name: String) -> Bool {
        guard let value = try? Optional(value(for: name)), let otherValue = try? Optional(other.value(for: name)) else {
            return true
        }
        return value != otherValue
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

extension StoreFileSyntaxError {
    /// - Parameters:
    ///   - message: What is wrong.
    ///   - offset: The first byte of the fault.
    ///   - bytes: Those of the file.
    init(_ message: String, at offset: Int, in bytes: [UInt8]) {
        let position = LineTable(bytes).position(at: offset)
        self.init(line: position.line, column: position.column, message: message)
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
