import PreferencesJSON

/// The parsed contents of a store's file, in one format.
///
/// A conformance is all that a further format needs: ``FileStore`` locks, replaces and watches the file.
package protocol StoreFileContents: Sendable {
    /// Creates the contents of a missing file.
    init()

    /// Parses a file's bytes.
    ///
    /// - Throws: ``StoreFileSyntaxError`` if they are not in this format.
    init(parsing bytes: [UInt8]) throws

    var names: Set<String> { get }

    /// - Throws: ``StoreFileValueError`` if the entry is not a ``PreferenceValue``.
    func value(for name: String) throws -> PreferenceValue?

    /// - Throws: ``StoreFileValueError`` if the format cannot represent the name or the value.
    static func check(_ name: String, _ value: PreferenceValue) throws

    /// Returns the reason why these contents do not permit an edit, although the format could represent it; nil if they
    /// permit it.
    func refusal(of edit: PreferenceEdit, for name: String) -> StoreFileValueError?

    /// Applies all edits of a batch, or none. Other entries do not change, including those that cannot be read.
    ///
    /// - Returns: Whether the contents have changed.
    /// - Throws: ``StoreFileValueError`` if the format cannot represent a value.
    mutating func apply(_ batch: [String: PreferenceEdit]) throws -> Bool

    /// Returns the file's bytes.
    func encoded() throws -> [UInt8]

    /// Returns the names whose values differ from those of older contents.
    ///
    /// A value that cannot be read counts as changed, unless the format can compare its text.
    func namesChanged(since old: any StoreFileContents) -> Set<String>
}

extension StoreFileContents {
    package func refusal(of edit: PreferenceEdit, for name: String) -> StoreFileValueError? { nil }

    package func namesChanged(since old: any StoreFileContents) -> Set<String> {
        names.union(old.names).filter { differs(from: old, in: $0) }
    }

    /// Whether the value of a name differs from that in other contents, or one of them cannot be read.
    package func differs(from other: any StoreFileContents, in name: String) -> Bool {
        guard let value = try? Optional(value(for: name)), let otherValue = try? Optional(other.value(for: name)) else {
            return true
        }
        return value != otherValue
    }
}

/// Limits that all formats share, so that whatever is written can be read again.
package enum StoreFileLimits {
    /// The maximum number of nested arrays and dictionaries, including the file's root.
    package static let depth = JSONReader.maximumDepth

    package static let depthError = StoreFileValueError("the value is nested more than \(depth) levels deep")
}

/// The reason why a file is not in its format.
package struct StoreFileSyntaxError: Error {
    /// The line, from 1; nil if the format has no lines.
    package var line: Int?
    /// The column in UTF-8 bytes, from 1.
    package var column: Int?
    package let message: String

    package init(line: Int? = nil, column: Int? = nil, message: String) {
        (self.line, self.column, self.message) = (line, column, message)
    }

    /// The position as text, such as `line 2, column 6`.
    package var position: String? {
        let parts = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension StoreFileSyntaxError {
    /// - Parameters:
    ///   - message: The error.
    ///   - offset: The offset of the first byte that is wrong.
    ///   - bytes: The bytes of the file.
    package init(_ message: String, at offset: Int, in bytes: [UInt8]) {
        let position = LineTable(bytes).position(at: offset)
        self.init(line: position.line, column: position.column, message: message)
    }
}

/// The reason why an entry cannot be read or written.
package struct StoreFileValueError: Error, CustomStringConvertible {
    /// The name of the entry; nil if it is not known yet.
    package var name: String?
    /// The line of the value, from 1; nil if it is not known, or the format has no lines.
    package var line: Int?
    /// The path of the part of the value that is at fault, such as `.list[2]`; empty for the value itself.
    package var path = ""
    package let reason: String

    package var message: String {
        (line.map { "line \($0): " } ?? "") + (path.isEmpty ? "" : "at \(path): ") + reason
    }

    package var description: String { message }

    package init(name: String? = nil, line: Int? = nil, _ reason: String) {
        (self.name, self.line, self.reason) = (name, line, reason)
    }
}

/// The tags of values that a file format cannot represent: a dictionary with one entry, whose name is the tag.
///
/// A user's dictionary with one entry whose name begins with `$` is wrapped in ``dictionary``, even if there is no such
/// tag, since a later version may add tags.
package enum ValueTag: String {
    /// Null, in property lists.
    case null = "$null"
    /// NaN, the infinities, and in XML negative zero.
    case double = "$double"
    /// A string with characters that XML cannot represent.
    case string = "$string"
    /// Data, in JSON as base64.
    case data = "$data"
    /// A date in ISO 8601; if it cannot be represented so, in seconds since the start of 2001.
    case date = "$date"
    /// A dictionary that could be mistaken for a tagged value, or that has names which XML cannot represent.
    case dictionary = "$dictionary"

    package static func needsWrapping(_ entries: [String: PreferenceValue]) -> Bool {
        entries.count == 1 && entries.keys.contains { $0.hasPrefix("$") }
    }

    /// Numbers by their texts.
    static let doubleTexts: [String: Double] = [
        "nan": .nan, "infinity": .infinity, "-infinity": -.infinity, "-0": -0.0,
    ]

    /// Returns the text of a number that JSON cannot represent.
    package static func text(for number: Double) -> String {
        if number.isNaN { return "nan" }
        if number == 0 { return "-0" }
        return number > 0 ? "infinity" : "-infinity"
    }
}

/// A document in a format of files, for stores and tools that do not read files.
package struct ParsedDocument: Sendable {
    /// The reason why a document, or one of its values, cannot be read.
    package struct Fault: Error, Sendable, Hashable {
        /// A sentence without a full stop, with the position if there is one.
        package let message: String
    }

    private var contents: any StoreFileContents

    /// Creates a document without values.
    package init(_ type: any StoreFileContents.Type) {
        contents = type.init()
    }

    /// Creates a document without values, in a format of ``FileStore``.
    package init(_ format: FileStore.Format, _ layout: FileStore.Layout = .flat) {
        self.init(format.contents(in: layout))
    }

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the document.
    ///   - format: The format. For both property-list formats, XML and binary documents are parsed.
    ///   - layout: The mapping of the document to names.
    /// - Throws: ``Fault`` if the document is not in this format, or its root is not a dictionary.
    package init(
        parsing bytes: [UInt8],
        as format: FileStore.Format,
        _ layout: FileStore.Layout = .flat
    ) throws(Fault) {
        try self.init(parsing: bytes, as: format.contents(in: layout))
    }

    /// Parses a document of any format.
    ///
    /// - Throws: ``Fault`` if the document is not in this format.
    package init(parsing bytes: [UInt8], as type: any StoreFileContents.Type) throws(Fault) {
        do {
            contents = try type.init(parsing: bytes)
        } catch let error as StoreFileSyntaxError {
            throw Fault(message: (error.position.map { "\($0): " } ?? "") + error.message)
        } catch {
            throw Fault(message: ErrorText(error).description)
        }
    }

    package var names: Set<String> { contents.names }

    /// - Throws: ``Fault`` if the value cannot be read.
    package func value(for name: String) throws(Fault) -> PreferenceValue? {
        do {
            return try contents.value(for: name)
        } catch {
            throw Fault(message: ErrorText(error).description)
        }
    }

    /// Returns the names whose values differ from those of an older document; nil for one without values.
    package func namesChanged(since old: ParsedDocument?) -> Set<String> {
        old.map { contents.namesChanged(since: $0.contents) } ?? names
    }

    /// Sets values.
    ///
    /// - Throws: ``Fault`` if the format cannot represent a value, and nothing is changed.
    package mutating func set(_ values: [String: PreferenceValue]) throws(Fault) {
        do {
            _ = try contents.apply(values.mapValues { .set($0) })
        } catch {
            throw Self.fault(error)
        }
    }

    /// Returns the bytes of the document.
    package func encoded() throws(Fault) -> [UInt8] {
        do {
            return try contents.encoded()
        } catch {
            throw Self.fault(error)
        }
    }

    private static func fault(_ error: any Error) -> Fault {
        let name = (error as? StoreFileValueError)?.name.map { "'\($0)': " } ?? ""
        return Fault(message: name + ErrorText(error).description)
    }
}

/// A read-only store of a document in memory.
package struct DocumentStore: PreferenceStore {
    package let label: String
    private let document: ParsedDocument

    package init(_ document: ParsedDocument, label: String) {
        self.label = label
        self.document = document
    }

    package func value(for name: String) throws -> PreferenceValue? {
        do {
            return try document.value(for: name)
        } catch {
            throw PreferenceProblem(
                .unsupportedValue,
                key: name,
                store: label,
                message: error.message,
                isMessagePublic: true
            )
        }
    }

    package func names() -> Set<String> { document.names }
}
