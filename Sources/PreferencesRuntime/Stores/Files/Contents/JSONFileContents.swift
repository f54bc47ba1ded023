import PreferencesJSON
import PreferencesSystem

/// A set of rules for JSON files.
protocol JSONDialect: Sendable {
    /// Whether files may have comments and trailing commas.
    static var permitsComments: Bool { get }
}

/// JSON as defined by RFC 8259.
enum StrictJSON: JSONDialect {
    static let permitsComments = false
}

/// JSON with comments (`//` and `/* */`) and trailing commas.
enum CommentedJSON: JSONDialect {
    static let permitsComments = true
}

/// The contents of a JSON file: an object, whose members are the entries.
///
/// The whole file is validated when it is parsed, and then kept as its bytes and the ranges of its entries. Values are
/// decoded when they are read, so that a file takes little more memory than its size, and unchanged entries are copied
/// instead of encoded.
///
/// Unchanged entries so keep their exact text, such as numbers with more digits than a `Double` has, and values that
/// cannot be read. The text between entries is kept, too, and new entries are laid out like existing ones.
struct JSONFileContents<Dialect: JSONDialect>: ObjectContents {
    /// The bytes of the file, or of the object in it.
    private(set) var bytes: [UInt8]
    /// The number of objects around this one in the file.
    private let depth: Int
    /// The byte range of each entry, its name and its value, in the order of the file.
    private var entries: [Range<Int>] = []
    /// The indices of the entries in the order of their names; nil if the file is sorted.
    ///
    /// A sorted file stays sorted. In any other, new entries are added at the end.
    private var sortedIndices: [Int]?
    /// Whether all names in the file are ASCII without escapes.
    private var hasPlainNames = true
    /// Whether there are comments, which are permitted.
    private var hasComments = false
    private var layout: Layout
    private var lines = LazyLineTable()

    init() {
        self.init(depth: 0)
    }

    init(depth: Int) {
        self.depth = depth
        layout = Layout(depth: depth)
        bytes = layout.empty
    }

    init(parsing bytes: [UInt8]) throws {
        try self.init(parsing: bytes, depth: 0)
    }

    private init(parsing bytes: [UInt8], depth: Int) throws {
        self.init(depth: depth)
        let outline: JSONOutline
        do {
            outline = try JSONOutline(bytes, permitsComments: Dialect.permitsComments)
        } catch {
            throw StoreFileSyntaxError(error.messageWithoutContents, at: error.offset, in: bytes)
        }
        guard case .object = outline.root else {
            let message = "expected an object of preferences, found \(outline.root.typeDescription)"
            throw StoreFileSyntaxError(message, at: outline.start, in: bytes)
        }
        self.bytes = bytes
        entries = outline.members
        hasPlainNames = outline.hasPlainNames
        hasComments = outline.hasComments || bytes[outline.end...].contains(UInt8(ascii: "/"))
        layout = Layout(of: bytes, objectAt: outline.start, entries, depth: depth)
        if !outline.isSorted { sortNames() }
    }

    // MARK: - Reading

    var names: Set<String> { Set(entries.indices.lazy.map(name(ofEntry:))) }

    func value(for name: String) throws -> PreferenceValue? {
        guard let index = index(ofEntry: name) else { return nil }
        let start = entries[index].lowerBound
        do {
            return try JSONValueReader.value(ofMemberAt: start, in: bytes)
        } catch let error as StoreFileValueError {
            let line = lines.line(at: self.start(ofValueInEntry: index), in: bytes)
            throw StoreFileValueError(name: self.name(ofEntry: index), line: line, error.reason)
        }
    }

    /// Returns the offset of an entry's value.
    private func start(ofValueInEntry index: Int) -> Int {
        let start = entries[index].lowerBound
        return JSONReader.reading(bytes, from: start) { reader throws(JSONReader.Stop) in
            _ = try reader.readName()
            return reader.offset
        } ?? start
    }

    // MARK: - Objects

    func object(for name: String) -> Self? {
        guard let index = index(ofEntry: name) else { return nil }
        let start = start(ofValueInEntry: index)
        guard bytes[start] == UInt8(ascii: "{"), !JSONValueReader.isTagged(valueAt: start, in: bytes) else {
            return nil
        }
        return try? Self(parsing: Array(bytes[start..<entries[index].upperBound]), depth: depth + 1)
    }

    mutating func setObjects(_ objects: [String: Self]) throws {
        var changes: [Change] = []
        for (name, object) in objects.sorted(by: { $0.key < $1.key }) {
            var text = ""
            JSONText.append(name, to: &text)
            changes.append(change(of: name, to: text + ": " + String(decoding: object.bytes, as: UTF8.self)))
        }
        try apply(changes)
    }

    func line(of name: String) -> Int? {
        index(ofEntry: name).map { lines.line(at: start(ofValueInEntry: $0), in: bytes) }
    }

    var isBlank: Bool { entries.isEmpty && !hasComments }

    func namesChanged(since old: any StoreFileContents) -> Set<String> {
        guard let old = old as? Self else {
            return names.union(old.names).filter { differs(from: old, in: $0) }
        }
        // Entries within the common prefix or suffix of both files have not changed.
        let start = Self.commonCount(bytes, old.bytes) { $0 }
        let maximum = min(bytes.count, old.bytes.count) - start
        let end = min(maximum, Self.commonCount(bytes, old.bytes) { $0.reversed() })
        return names(touching: start..<(bytes.count - end))
            .union(old.names(touching: start..<(old.bytes.count - end)))
            .filter { differs(from: old, in: $0) }
    }

    /// Returns the names of the entries that overlap a range or adjoin it: an adjacent digit changes a number, and an
    /// adjacent backslash a name.
    private func names(touching range: Range<Int>) -> Set<String> {
        let first = Self.firstIndex(in: entries.indices) { entries[$0].upperBound >= range.lowerBound }
        let end = Self.firstIndex(in: first..<entries.endIndex) { entries[$0].lowerBound > range.upperBound }
        return Set((first..<end).lazy.map(name(ofEntry:)))
    }

    /// Returns the number of common bytes at the start of two files, in the given order.
    private static func commonCount<Bytes: Sequence<UInt8>>(
        _ first: [UInt8],
        _ second: [UInt8],
        in order: (UnsafeBufferPointer<UInt8>) -> Bytes
    ) -> Int {
        first.withUnsafeBufferPointer { first in
            second.withUnsafeBufferPointer { second in
                var count = 0
                for (byte, other) in zip(order(first), order(second)) {
                    if byte != other { break }
                    count += 1
                }
                return count
            }
        }
    }

    func encoded() -> [UInt8] { bytes }

    // MARK: - Names

    private func name(ofEntry index: Int) -> String {
        JSONReader.reading(bytes, from: entries[index].lowerBound) { reader throws(JSONReader.Stop) in
            try reader.readString()
        } ?? ""
    }

    private func index(ofEntry name: String) -> Int? {
        let position = position(notBefore: name)
        guard position < entries.count else { return nil }
        let index = sortedIndices?[position] ?? position
        return self.name(ofEntry: index) == name ? index : nil
    }

    /// Returns the position, in the order of names, of the first entry whose name is not less than a name.
    private func position(notBefore name: String) -> Int {
        var name = name
        let isPlain = hasPlainNames && name.utf8.allSatisfy { $0 < 0x80 }
        return name.withUTF8 { query in
            bytes.withUnsafeBufferPointer { bytes in
                let text = isPlain ? "" : String(decoding: query, as: UTF8.self)
                return Self.firstIndex(in: entries.indices) { position in
                    let index = sortedIndices?[position] ?? position
                    if !isPlain { return self.name(ofEntry: index) >= text }
                    // The order of ASCII strings is that of their bytes. A name ends with its quote.
                    var offset = entries[index].lowerBound + 1
                    for byte in query {
                        if bytes[offset] == UInt8(ascii: "\"") || bytes[offset] < byte { return false }
                        if bytes[offset] > byte { return true }
                        offset += 1
                    }
                    return true
                }
            }
        }
    }

    private mutating func sortNames() {
        let names = entries.indices.map(name(ofEntry:))
        sortedIndices = entries.indices.sorted { names[$0] < names[$1] }
    }

    /// Returns the first index that satisfies a predicate, by binary search: all later ones satisfy it as well.
    private static func firstIndex(in indices: Range<Int>, where predicate: (Int) -> Bool) -> Int {
        var (low, high) = (indices.lowerBound, indices.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    // MARK: - Writing

    /// A change of an entry.
    private struct Change {
        /// The index of the entry that is changed, or before which the new one is inserted.
        var index: Int
        /// The new text; nil to remove the entry.
        var text: String?
        /// Whether the entry is new.
        var isNew = false
    }

    mutating func apply(_ batch: [String: PreferenceEdit]) throws -> Bool {
        var changes: [Change] = []
        for (name, edit) in batch.sorted(by: { $0.key < $1.key }) {
            switch edit {
            case .set(let value):
                let text = try Self.text(name, value, depth: depth)
                let change = change(of: name, to: text)
                if !change.isNew, has(value, as: text, inEntry: change.index) { continue }
                changes.append(change)
            case .remove:
                if let index = index(ofEntry: name) { changes.append(Change(index: index)) }
            }
        }
        guard !changes.isEmpty else { return false }
        try apply(changes)
        return true
    }

    /// Returns the change that gives an entry a new text.
    private mutating func change(of name: String, to text: String) -> Change {
        hasPlainNames = hasPlainNames && Self.isPlain(name)
        if let index = index(ofEntry: name) { return Change(index: index, text: text) }
        let position = sortedIndices == nil ? position(notBefore: name) : entries.endIndex
        return Change(index: position, text: text, isNew: true)
    }

    /// Applies changes in the order of names.
    private mutating func apply(_ changes: [Change]) throws {
        if hasComments { return try rewriteKeepingComments(with: changes) }
        var changes = changes
        let isSorted = sortedIndices == nil
        if !isSorted {
            changes = changes.filter { !$0.isNew }.sorted { $0.index < $1.index } + changes.filter(\.isNew)
        }
        rewrite(with: changes)
        if !isSorted, changes.contains(where: { $0.isNew || $0.text == nil }) { sortNames() }
    }

    /// Whether an entry already has a value, even if it is written differently.
    private func has(_ value: PreferenceValue, as text: String, inEntry index: Int) -> Bool {
        let range = entries[index]
        if bytes[range].elementsEqual(text.utf8) { return true }
        guard let old = try? JSONValueReader.value(ofMemberAt: range.lowerBound, in: bytes) else { return false }
        return old.isIdentical(to: value)
    }

    /// Rebuilds the file's bytes. Runs of unchanged entries are copied with the text between them.
    private mutating func rewrite(with changes: [Change]) {
        var file = JSONFileBuilder(layout, capacity: bytes.count + 1_024, count: entries.count + changes.count)
        var next = 0
        for change in changes {
            file.copy(entries[next..<change.index], of: bytes, after: next > 0 ? entries[next - 1].upperBound : nil)
            next = change.index
            let gapStart = next > 0 ? entries[next - 1].upperBound : nil
            if !change.isNew { next += 1 }
            guard let text = change.text else { continue }
            let gap = change.isNew ? nil : gapStart.map { bytes[$0..<entries[change.index].lowerBound] }
            file.append(text, after: gap)
        }
        file.copy(entries[next...], of: bytes, after: next > 0 ? entries[next - 1].upperBound : nil)
        (bytes, entries) = file.finish()
        lines = LazyLineTable()
    }

    private mutating func rewriteKeepingComments(with changes: [Change]) throws {
        // Only the value of an entry is replaced, since comments may precede it.
        let replaced = changes.filter { !$0.isNew }.map { change in
            let range = start(ofValueInEntry: change.index)..<entries[change.index].upperBound
            return (change.index, (range, change.text.map(Self.value(inEntry:))))
        }
        let text = try JSONCommentKeepingEditor(bytes).text(
            replacing: Dictionary(uniqueKeysWithValues: replaced),
            adding: changes.filter(\.isNew).compactMap(\.text)
        )
        self = try Self(parsing: text, depth: depth)
    }

    /// Returns the text of the value in that of an entry.
    private static func value(inEntry text: String) -> String {
        let bytes = Array(text.utf8)
        let start = JSONReader.reading(bytes, from: 0) { reader throws(JSONReader.Stop) in
            _ = try reader.readName()
            return reader.offset
        }
        return String(decoding: bytes[(start ?? 0)...], as: UTF8.self)
    }

    static func check(_ name: String, _ value: PreferenceValue, depth: Int) throws {
        switch value {
        // These may be nested too deeply. All other values can be represented.
        case .array, .dictionary: _ = try text(name, value, depth: depth)
        case .null, .bool, .int, .unsignedInt, .double, .string, .data, .date: break
        }
    }

    private static func text(_ name: String, _ value: PreferenceValue, depth: Int) throws -> String {
        do {
            return try JSONValueWriter.entry(name, value, depth: depth)
        } catch let error as StoreFileValueError {
            throw StoreFileValueError(name: name, error.reason)
        }
    }

    /// Whether a name is ASCII and written without escapes.
    private static func isPlain(_ name: String) -> Bool {
        name.utf8.allSatisfy { 0x20..<0x80 ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}

/// Builds the bytes of an object from entries.
private struct JSONFileBuilder {
    private let layout: Layout
    private var bytes: [UInt8] = []
    private var entries: [Range<Int>] = []

    init(_ layout: Layout, capacity: Int, count: Int) {
        self.layout = layout
        bytes.reserveCapacity(capacity)
        entries.reserveCapacity(count)
        bytes += layout.opening
    }

    /// Appends entries of the old file with the text between them and before the first one.
    ///
    /// - Parameter gapStart: The end of the entry before the first one; nil if that is the first entry of the old file.
    mutating func copy(_ old: ArraySlice<Range<Int>>, of oldBytes: [UInt8], after gapStart: Int?) {
        guard let first = old.first, let last = old.last else { return }
        let start: Int
        if entries.isEmpty {
            start = first.lowerBound
        } else if let gapStart {
            start = gapStart
        } else {
            bytes += layout.separator
            start = first.lowerBound
        }
        let distance = bytes.count - start
        bytes += oldBytes[start..<last.upperBound]
        for range in old { entries.append((range.lowerBound + distance)..<(range.upperBound + distance)) }
    }

    /// Appends an entry.
    ///
    /// - Parameter gap: The text before it, unless it is the first entry; nil for the separator of the layout.
    mutating func append(_ text: String, after gap: ArraySlice<UInt8>?) {
        if !entries.isEmpty { bytes += gap ?? layout.separator[...] }
        let start = bytes.count
        bytes += text.utf8
        entries.append(start..<bytes.count)
    }

    consuming func finish() -> (bytes: [UInt8], entries: [Range<Int>]) {
        if entries.isEmpty { return (layout.empty, []) }
        bytes += layout.closing
        return (bytes, entries)
    }
}

/// The lines of a file, which are counted when a line number is first needed.
private final class LazyLineTable: Sendable {
    private let table = Locked<LineTable?>(nil)

    func line(at offset: Int, in bytes: [UInt8]) -> Int {
        table.withLock { table in
            let lines = table ?? LineTable(bytes)
            table = lines
            return lines.position(at: offset).line
        }
    }
}

/// The text around the entries of an object.
private struct Layout {
    /// The text of an object without entries.
    let empty: [UInt8]
    /// The text before the first entry.
    var opening: [UInt8]
    /// The text before a new entry, or before one that is no longer the first.
    var separator: [UInt8]
    /// The text after the last entry.
    var closing: [UInt8]

    /// - Parameter depth: The number of objects around this one in the file.
    init(depth: Int) {
        let (line, end) = ("\n" + String(repeating: "  ", count: depth), depth == 0 ? "\n" : "")
        empty = Array("{}\(end)".utf8)
        opening = Array("{\(line)  ".utf8)
        separator = Array(",\(line)  ".utf8)
        closing = Array("\(line)}\(end)".utf8)
    }

    /// Creates the layout of an object; without entries, the default one.
    init(of bytes: [UInt8], objectAt start: Int, _ entries: [Range<Int>], depth: Int) {
        self.init(depth: depth)
        guard let first = entries.first, let last = entries.last else { return }
        opening = Array(bytes[..<first.lowerBound])
        closing = Array(bytes[last.upperBound...])
        if entries.count > 1 {
            separator = Array(bytes[first.upperBound..<entries[1].lowerBound])
        } else {
            let space = bytes[(start + 1)..<first.lowerBound]
            separator = Array(",".utf8) + (space.isEmpty ? Array(" ".utf8) : Array(space))
        }
    }
}

/// A JSON file that is a single value, stored under the name ``entryName``.
struct SingleValueContents: StoreFileContents {
    static let entryName = "value"

    private var stored: PreferenceValue?

    init() {}

    init(parsing bytes: [UInt8]) throws {
        do {
            let value = try JSONValueReader.value(of: bytes)
            // `Optional.none`, since `nil` would be ``PreferenceValue/null``.
            stored = value == .null ? Optional.none : value
        } catch let error as JSONSyntaxError {
            throw StoreFileSyntaxError(error.message, at: error.offset, in: bytes)
        } catch let error as StoreFileValueError {
            throw StoreFileSyntaxError(message: error.message)
        }
    }

    var names: Set<String> { stored == nil ? [] : [Self.entryName] }

    func value(for name: String) -> PreferenceValue? {
        name == Self.entryName ? stored : nil
    }

    static func check(_ name: String, _ value: PreferenceValue) throws {
        guard name == entryName else {
            throw StoreFileValueError("the file holds a single value, whose name is '\(entryName)'")
        }
        _ = try JSONValueWriter.text(of: value)
    }

    mutating func apply(_ batch: [String: PreferenceEdit]) throws -> Bool {
        for (name, edit) in batch {
            if let value = edit.value { try Self.check(name, value) }
        }
        guard let edit = batch[Self.entryName] else { return false }
        let new = edit.value
        let isSame = new.map { value in stored?.isIdentical(to: value) ?? false } ?? (stored == nil)
        stored = new
        return !isSame
    }

    func encoded() throws -> [UInt8] {
        Array("\(try JSONValueWriter.text(of: stored ?? .null))\n".utf8)
    }
}
