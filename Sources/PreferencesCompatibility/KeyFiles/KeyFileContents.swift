import PreferencesRuntime

/// A format of files whose lines are `[group]` headers and `key=value` entries.
protocol KeyFileFormat: Sendable {
    /// The group of entries before the first header; nil if the format has no such entries.
    static var firstGroup: String? { get }

    /// Parses a line.
    ///
    /// - Throws: ``KeyFileLineError`` if programs of the format refuse a file with this line.
    static func item(_ line: ArraySlice<UInt8>) throws(KeyFileLineError) -> KeyFileItem

    /// Returns the name of an entry; nil if the format does not permit the entry.
    static func name(group: String, key: String) -> String?

    /// Returns the entry of a name.
    ///
    /// - Throws: An error if the name is not that of an entry.
    static func location(of name: String) throws(StoreFileValueError) -> (group: String, key: String)

    /// Returns the value of an entry.
    static func value(_ text: ArraySlice<UInt8>, _ flags: KeyFileFlags) throws(StoreFileValueError) -> PreferenceValue

    /// Returns the text of a value.
    ///
    /// - Parameter old: The text that it replaces; nil for a new entry.
    /// - Throws: An error if the format cannot represent the value.
    static func text(
        of value: PreferenceValue,
        replacing old: ArraySlice<UInt8>?
    ) throws(StoreFileValueError) -> [UInt8]

    /// Returns the header of a group, in brackets.
    static func header(of group: String) -> [UInt8]

    /// Returns the part of an entry's line before `=`.
    static func text(ofKey key: String) -> [UInt8]
}

/// The meaning of a line.
enum KeyFileItem {
    /// A blank line, a comment, or a line that programs of the format ignore.
    case other
    /// A header. Without a group, it marks the whole file, and no entry belongs to it.
    case header(group: String?, isImmutable: Bool)
    case entry(key: String, text: ArraySlice<UInt8>, flags: KeyFileFlags)
}

/// The flags of an entry, which only KConfig has.
struct KeyFileFlags: OptionSet, Sendable {
    let rawValue: UInt8

    /// Programs must not change the entry: `[$i]`.
    static let immutable = KeyFileFlags(rawValue: 1)
    /// The value contains environment variables: `[$e]`.
    static let expanded = KeyFileFlags(rawValue: 2)
    /// The entry has no value, not even its default: `[$d]`.
    static let deleted = KeyFileFlags(rawValue: 4)
}

/// The reason why a line is not in its format, as a sentence without a full stop.
struct KeyFileLineError: Error {
    let message: String
}

/// The contents of a file of groups and entries.
///
/// Lines that are not changed keep their exact bytes: comments, blank lines, entries of other programs, and lines that
/// cannot be read. A new entry follows the last one of its group, and a new group the last one of the file.
struct KeyFileContents<Format: KeyFileFormat>: StoreFileContents {
    private struct Entry {
        /// The indices of the lines with this name. The last one has the value.
        var lines: [Int]
        /// The range of the value in the last line.
        var text: Range<Int>
        var flags: KeyFileFlags
        var group: String
    }

    /// The lines from a header to the next one, or before the first header.
    private struct Section {
        var group: String?
        var lines: Range<Int>
    }

    /// The lines without their line feeds.
    private var lines: [[UInt8]]
    private var sections: [Section] = []
    /// The index of the header that makes a group immutable, by group; nil if the group can be changed.
    private var groups: [String: Int?] = [:]
    private var entries: [String: Entry] = [:]
    /// The index of the header that marks the whole file as immutable; nil if there is none.
    private var immutableFileLine: Int?

    init() {
        self.init(reading: [])
    }

    init(parsing bytes: [UInt8]) throws {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
        if lines.last == [] { lines.removeLast() }
        var needsHeader = Format.firstGroup == nil
        var hasItems = false
        for (index, line) in lines.enumerated() {
            do throws(KeyFileLineError) {
                switch try Format.item(line[...]) {
                case .header:
                    needsHeader = false
                    hasItems = true
                case .entry where needsHeader:
                    throw KeyFileLineError(message: "expected a group in brackets before the first entry")
                case .entry: hasItems = true
                case .other: break
                }
            } catch {
                throw StoreFileSyntaxError(line: index + 1, message: error.message)
            }
        }
        // Programs ignore single lines that they cannot read. A file of nothing else is of another format.
        if !hasItems, let index = lines.firstIndex(where: { !KeyFileBytes.isBlankOrComment($0[...]) }) {
            throw StoreFileSyntaxError(line: index + 1, message: "expected a group or an entry; the file has none")
        }
        self.init(reading: lines)
    }

    /// - Parameter lines: Lines that are known to be valid.
    private init(reading lines: [[UInt8]]) {
        self.lines = lines
        sections = [Section(group: Format.firstGroup, lines: 0..<0)]
        for index in lines.indices {
            switch try? Format.item(lines[index][...]) {
            case .header(let group, let isImmutable):
                if let group {
                    groups[group] = .some((groups[group] ?? nil) ?? (isImmutable ? index : nil))
                } else {
                    immutableFileLine = immutableFileLine ?? index
                }
                sections.append(Section(group: group, lines: index..<index + 1))
            case .entry(let key, let text, let flags):
                add(key, text.indices, flags, line: index)
                fallthrough
            case .other, nil:
                sections[sections.count - 1].lines = sections[sections.count - 1].lines.lowerBound..<index + 1
            }
        }
    }

    private mutating func add(_ key: String, _ text: Range<Int>, _ flags: KeyFileFlags, line: Int) {
        guard let group = sections.last?.group, let name = Format.name(group: group, key: key) else { return }
        let old = entries[name]
        // KConfig ignores the entries that follow an immutable one of the same name.
        if let old, old.flags.contains(.immutable) {
            entries[name]?.lines.insert(line, at: 0)
            return
        }
        entries[name] = Entry(lines: (old?.lines ?? []) + [line], text: text, flags: flags, group: group)
    }

    // MARK: - Reading

    var names: Set<String> { Set(entries.lazy.filter { !$0.value.flags.contains(.deleted) }.map(\.key)) }

    func value(for name: String) throws -> PreferenceValue? {
        guard let entry = entries[name] else {
            _ = try Self.location(of: name)
            return Optional.none
        }
        if entry.flags.contains(.deleted) { return Optional.none }
        do {
            return try Format.value(text(of: entry), entry.flags)
        } catch {
            let line = (entry.lines.last ?? 0) + 1
            throw StoreFileValueError(name: name, "line \(line): \(error.message)")
        }
    }

    private func text(of entry: Entry) -> ArraySlice<UInt8> {
        lines[entry.lines.last ?? 0][entry.text]
    }

    /// Returns the reason why a name must not be changed, with its line; nil if it may be.
    func immutability(of name: String) -> String? {
        if let line = immutableFileLine { return "line \(line + 1): the file is immutable ('[$i]')" }
        if let entry = entries[name], entry.flags.contains(.immutable) {
            return "line \((entry.lines.last ?? 0) + 1): the entry is immutable ('[$i]')"
        }
        guard var group = try? Self.location(of: name).group else { return nil }
        // A group that does not exist yet is as immutable as the group around it.
        while groups[group] == nil, let end = group.lastIndex(of: KConfigName.separator) {
            group = String(group[..<end])
        }
        return (groups[group] ?? nil).map { "line \($0 + 1): the group is immutable ('[$i]')" }
    }

    // MARK: - Writing

    static func check(_ name: String, _ value: PreferenceValue) throws {
        _ = try location(of: name)
        _ = try text(of: value, for: name, replacing: nil)
    }

    private static func location(of name: String) throws(StoreFileValueError) -> (group: String, key: String) {
        do {
            return try Format.location(of: name)
        } catch {
            throw StoreFileValueError(name: name, error.message)
        }
    }

    private static func text(
        of value: PreferenceValue,
        for name: String,
        replacing old: ArraySlice<UInt8>?
    ) throws(StoreFileValueError) -> [UInt8] {
        do {
            return try Format.text(of: value, replacing: old)
        } catch {
            throw StoreFileValueError(name: name, error.message)
        }
    }

    /// The changes of a batch: the new texts of lines, nil for lines to remove, and the new lines of groups.
    private struct Changes {
        var lines: [Int: [UInt8]?] = [:]
        var added: [String: [[UInt8]]] = [:]
        /// The groups of removed entries.
        var reduced: Set<String> = []
    }

    func refusal(of edit: PreferenceEdit, for name: String) -> StoreFileValueError? {
        switch edit {
        case .set(let value):
            if entries[name] != nil, let old = try? self.value(for: name), old.isIdentical(to: value) { return nil }
        case .remove: if entries[name]?.flags.contains(.deleted) ?? true { return nil }
        }
        return immutability(of: name).map { StoreFileValueError(name: name, $0) }
    }

    mutating func apply(_ batch: [String: PreferenceEdit]) throws -> Bool {
        var changes = Changes()
        for (name, edit) in batch.sorted(by: { $0.key < $1.key }) {
            let entry = entries[name]
            switch edit {
            case .set(let value):
                let (group, key) = try Self.location(of: name)
                let text = try Self.text(of: value, for: name, replacing: entry.map(self.text))
                if entry != nil, let old = try? self.value(for: name), old.isIdentical(to: value) { continue }
                let line = Format.text(ofKey: key) + [UInt8(ascii: "=")] + text
                if let last = entry?.lines.last {
                    changes.lines[last] = line
                } else {
                    changes.added[group, default: []].append(line)
                }
            case .remove:
                guard let entry, !entry.flags.contains(.deleted) else { continue }
                for line in entry.lines { changes.lines[line] = .some(nil) }
                changes.reduced.insert(entry.group)
            }
            if let error = refusal(of: edit, for: name) { throw error }
        }
        if changes.lines.isEmpty, changes.added.isEmpty { return false }
        self = Self(reading: lines(with: changes))
        return true
    }

    private func lines(with changes: Changes) -> [[UInt8]] {
        func isBlank(_ line: [UInt8]) -> Bool { line.allSatisfy { KeyFileBytes.isSpace($0) } }
        var result: [[UInt8]] = []
        var added = changes.added
        let lastSections = Dictionary(sections.indices.map { (sections[$0].group, $0) }) { $1 }
        for (index, section) in sections.enumerated() {
            var body = section.lines.compactMap { line in changes.lines[line] ?? lines[line] }
            if let group = section.group, lastSections[group] == index, let new = added.removeValue(forKey: group) {
                let end = Self.endOfEntries(in: body, isLast: index == sections.count - 1)
                body.insert(contentsOf: new, at: end)
                // A blank line between the new entries and the header that follows.
                if index == 0, end + new.count == body.count, sections.count > 1 { body.append([]) }
            } else if let group = section.group, changes.reduced.contains(group), index > 0,
                body.dropFirst().allSatisfy(isBlank)
            {
                // The last entry of the group was removed.
                body = []
            }
            result += body
        }
        if !changes.reduced.isEmpty, let end = result.lastIndex(where: { !isBlank($0) }) {
            result.removeSubrange((end + 1)...)
        }
        for (group, new) in added.sorted(by: { $0.key < $1.key }) {
            if result.last.map({ !isBlank($0) }) ?? false { result.append([]) }
            result += [Format.header(of: group)] + new
        }
        return result
    }

    /// Returns the index after a section's last entry and the comments around the entries.
    ///
    /// - Parameter isLast: Whether no other section follows. Otherwise, a comment directly above the next header that a
    ///   blank line separates from the entries describes that section.
    private static func endOfEntries(in body: [[UInt8]], isLast: Bool) -> Int {
        func isBlank(_ line: [UInt8]) -> Bool { line.allSatisfy(KeyFileBytes.isSpace) }
        func end(of lines: ArraySlice<[UInt8]>, without isSkipped: ([UInt8]) -> Bool) -> Int {
            lines.lastIndex { !isSkipped($0) }.map { $0 + 1 } ?? 0
        }
        let last = end(of: body[...], without: isBlank)
        let comment = end(of: body[..<last]) { $0.first == UInt8(ascii: "#") }
        let describesNextSection = !isLast && last == body.count && comment > 0 && isBlank(body[comment - 1])
        return describesNextSection ? end(of: body[..<comment], without: isBlank) : last
    }

    func encoded() -> [UInt8] {
        lines.flatMap { $0 + [UInt8(ascii: "\n")] }
    }
}

enum KeyFileBytes {
    /// Whether a byte is white space in the C locale.
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    static func isBlankOrComment(_ line: ArraySlice<UInt8>) -> Bool {
        line.first { !isSpace($0) }.map { $0 == UInt8(ascii: "#") } ?? true
    }

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let start = bytes.firstIndex(where: { !isSpace($0) }),
            let end = bytes.lastIndex(where: { !isSpace($0) })
        else { return bytes[bytes.startIndex..<bytes.startIndex] }
        return bytes[start...end]
    }
}

extension PreferenceValue {
    /// Returns the value as JSON on one line.
    ///
    /// - Throws: An error if the value is nested too deeply.
    func jsonLine() throws(StoreFileValueError) -> String {
        let text: String
        do {
            text = try jsonText()
        } catch {
            throw StoreFileValueError("\(error)")
        }
        // In strings, line feeds are escaped.
        return text.split(separator: "\n").map { line in
            let part = line.drop { $0 == " " }
            return part.hasSuffix(",") ? part + " " : part
        }.joined()
    }
}
