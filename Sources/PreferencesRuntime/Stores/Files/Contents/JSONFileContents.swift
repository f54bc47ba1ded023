import PreferencesSystem
import PreferencesJSON

/// A JSON file: one object, whose members are the entries.
///
/// The file is checked as a whole when it is read, and then kept as its bytes and the places of its entries in them. An
/// entry's value is decoded when it is asked for, so that reading a file takes little more memory than the file has, and an
/// entry that nobody changes is copied, not encoded again.
///
/// So such entries keep the very text that they have in the file: numbers with more digits than a `Double` has, values that
/// cannot be read. The text between entries, a person's layout, stays as well, and new entries follow it.
struct JSONFileContents: StoreFileContents {
    /// The file.
    private var bytes = Array("{}\n".utf8)
    /// The bytes of each entry, its name and its value, in the order of the file.
    private var entries: [Range<Int>] = []
    /// The numbers of the entries in the order of their names; nil where the file has them in that order.
    ///
    /// A sorted file stays so. One that a person has put into another order gets new entries at its end.
    private var numbersByName: [Int]?
    /// Whether the bytes of all names in the file are those of the names themselves, and ASCII.
    private var hasPlainNames = true
    private var layout = Layout()
    private var lines = LazyLineTable()

    init() {}

    init(parsing bytes: [UInt8]) throws {
        let outline: JSONOutline
        do {
            outline = try JSONOutline(bytes)
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
        layout = Layout(of: bytes, objectAt: outline.start, entries)
        if !outline.isSorted { sortNames() }
    }

    // MARK: - Reading

    var names: Set<String> { Set(entries.indices.lazy.map(name(ofEntry:))) }

    func value(for name: String) throws -> PreferenceValue? {
        guard let number = number(ofEntry: name) else { return nil }
        let start = entries[number].lowerBound
        do {
            return try JSONValueReader.value(ofMemberAt: start, in: bytes)
        } catch let error as StoreFileValueError {
            let valueStart = JSONReader.reading(bytes, from: start) { reader throws(JSONReader.Stop) in
                _ = try reader.readName()
                return reader.offset
            }
            let line = lines.line(at: valueStart ?? start, in: bytes)
            throw StoreFileValueError(name: self.name(ofEntry: number), "line \(line): \(error.message)")
        }
    }

    func namesChanged(since old: any StoreFileContents) -> Set<String> {
        guard let old = old as? JSONFileContents else {
            return names.union(old.names).filter { differs(from: old, in: $0) }
        }
        // Entries are the same where both files have the same bytes, from the beginning or from the end.
        let start = Self.commonCount(bytes, old.bytes) { $0 }
        let most = min(bytes.count, old.bytes.count) - start
        let end = min(most, Self.commonCount(bytes, old.bytes) { $0.reversed() })
        return names(touching: start..<(bytes.count - end))
            .union(old.names(touching: start..<(old.bytes.count - end)))
            .filter { differs(from: old, in: $0) }
    }

    /// The names of the entries that have a byte in a range or beside it: one more digit makes another number, and a
    /// backslash before it another name.
    private func names(touching range: Range<Int>) -> Set<String> {
        let first = Self.firstIndex(in: entries.indices) { entries[$0].upperBound >= range.lowerBound }
        let end = Self.firstIndex(in: first..<entries.endIndex) { entries[$0].lowerBound > range.upperBound }
        return Set((first..<end).lazy.map(name(ofEntry:)))
    }

    /// How many bytes two files have in common, in an order.
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

    private func name(ofEntry number: Int) -> String {
        JSONReader.reading(bytes, from: entries[number].lowerBound) { reader throws(JSONReader.Stop) in
            try reader.readString()
        } ?? ""
    }

    private func number(ofEntry name: String) -> Int? {
        let place = place(notBefore: name)
        guard place < entries.count else { return nil }
        let number = numbersByName?[place] ?? place
        return self.name(ofEntry: number) == name ? number : nil
    }

    /// The place of the first entry, in the order of names, whose name is not before another.
    private func place(notBefore name: String) -> Int {
        var name = name
        let isPlain = hasPlainNames && name.utf8.allSatisfy { $0 < 0x80 }
        return name.withUTF8 { query in
            bytes.withUnsafeBufferPointer { bytes in
                let text = isPlain ? "" : String(decoding: query, as: UTF8.self)
                return Self.firstIndex(in: entries.indices) { place in
                    let number = numbersByName?[place] ?? place
                    if !isPlain { return self.name(ofEntry: number) >= text }
                    // The order of ASCII strings is that of their bytes. A name ends with its quote.
                    var place = entries[number].lowerBound + 1
                    for byte in query {
                        if bytes[place] == UInt8(ascii: "\"") || bytes[place] < byte { return false }
                        if bytes[place] > byte { return true }
                        place += 1
                    }
                    return true
                }
            }
        }
    }

    private mutating func sortNames() {
        let names = entries.indices.map(name(ofEntry:))
        numbersByName = entries.indices.sorted { names[$0] < names[$1] }
    }

    /// The first of ascending indices that has a property, which all after it have, too.
    private static func firstIndex(in indices: Range<Int>, where hasProperty: (Int) -> Bool) -> Int {
        var (low, high) = (indices.lowerBound, indices.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if hasProperty(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    // MARK: - Writing

    /// What becomes of the entries at a place of the file.
    private struct Change {
        /// The number of the entry that is changed, or that is before the new one.
        var number: Int
        /// The new text; nil where the entry is removed.
        var text: String?
        /// Whether the text is that of a new entry.
        var isNew = false
    }

    mutating func apply(_ batch: [String: PreferenceEdit]) throws -> Bool {
        var changes: [Change] = []
        for (name, edit) in batch.sorted(by: { $0.key < $1.key }) {
            let number = number(ofEntry: name)
            switch edit {
            case .set(let value):
                let text = try Self.text(name, value)
                if let number {
                    if has(value, as: text, inEntry: number) { continue }
                    changes.append(Change(number: number, text: text))
                } else {
                    let place = numbersByName == nil ? place(notBefore: name) : entries.endIndex
                    changes.append(Change(number: place, text: text, isNew: true))
                }
                hasPlainNames = hasPlainNames && Self.isPlain(name)
            case .remove:
                if let number { changes.append(Change(number: number)) }
            }
        }
        guard !changes.isEmpty else { return false }
        let isSorted = numbersByName == nil
        if !isSorted {
            changes = changes.filter { !$0.isNew }.sorted { $0.number < $1.number } + changes.filter(\.isNew)
        }
        rewrite(with: changes)
        if !isSorted, changes.contains(where: { $0.isNew || $0.text == nil }) { sortNames() }
        return true
    }

    /// Whether an entry has a value already. The same value in a person's own words is left in them.
    private func has(_ value: PreferenceValue, as text: String, inEntry number: Int) -> Bool {
        let range = entries[number]
        if bytes[range].elementsEqual(text.utf8) { return true }
        guard let old = try? JSONValueReader.value(ofMemberAt: range.lowerBound, in: bytes) else { return false }
        return old.isIdentical(to: value)
    }

    /// Makes the file's bytes anew. Runs of entries that stay are copied as one, with what is between them.
    private mutating func rewrite(with changes: [Change]) {
        var file = FileWriter(layout, capacity: bytes.count + 1_024, count: entries.count + changes.count)
        var next = 0
        for change in changes {
            file.copy(entries[next..<change.number], of: bytes, after: next > 0 ? entries[next - 1].upperBound : nil)
            next = change.number
            let gapStart = next > 0 ? entries[next - 1].upperBound : nil
            if !change.isNew { next += 1 }
            guard let text = change.text else { continue }
            let gap = change.isNew ? nil : gapStart.map { bytes[$0..<entries[change.number].lowerBound] }
            file.append(text, after: gap)
        }
        file.copy(entries[next...], of: bytes, after: next > 0 ? entries[next - 1].upperBound : nil)
        (bytes, entries) = file.finish()
        lines = LazyLineTable()
    }

    static func check(_ name: String, _ value: PreferenceValue) throws {
        switch value {
        // They may be nested too deep. All else has a text.
        case .array, .dictionary: _ = try text(name, value)
        case .null, .bool, .int, .unsignedInt, .double, .string, .data, .date: break
        }
    }

    private static func text(_ name: String, _ value: PreferenceValue) throws -> String {
        do {
            return try JSONValueWriter.entry(name, value)
        } catch let error as StoreFileValueError {
            throw StoreFileValueError(name: name, error.message)
        }
    }

    /// Whether a name is written as it is.
    private static func isPlain(_ name: String) -> Bool {
        name.utf8.allSatisfy { 0x20..<0x80 ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}

/// The bytes of a file while it is made of entries, and where they are.
private struct FileWriter {
    private let layout: Layout
    private var bytes: [UInt8] = []
    private var entries: [Range<Int>] = []

    init(_ layout: Layout, capacity: Int, count: Int) {
        self.layout = layout
        bytes.reserveCapacity(capacity)
        entries.reserveCapacity(count)
        bytes += layout.opening
    }

    /// Adds entries as they are in the old file, with what is between them, and before the first.
    ///
    /// - Parameter gapStart: The end of the entry before the first; nil where that is the first of the old file.
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

    /// Adds one entry.
    ///
    /// - Parameter gap: What is before it, unless it is the first; nil for what the file has between new entries.
    mutating func append(_ text: String, after gap: ArraySlice<UInt8>?) {
        if !entries.isEmpty { bytes += gap ?? layout.separator[...] }
        let start = bytes.count
        bytes += text.utf8
        entries.append(start..<bytes.count)
    }

    consuming func finish() -> (bytes: [UInt8], entries: [Range<Int>]) {
        if entries.isEmpty { return (Array("{}\n".utf8), []) }
        bytes += layout.closing
        return (bytes, entries)
    }
}

/// The lines of a file, which are counted when the first of its entries is found that cannot be read.
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

/// What is around the entries of a file.
private struct Layout {
    /// Up to the first entry.
    var opening = Array("{\n  ".utf8)
    /// Before each entry that is new, or is not the first one any more.
    var separator = Array(",\n  ".utf8)
    /// From the last entry on.
    var closing = Array("\n}\n".utf8)

    init() {}

    /// The layout of a file with entries, or the usual one.
    init(of bytes: [UInt8], objectAt start: Int, _ entries: [Range<Int>]) {
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
