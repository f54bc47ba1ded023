import PreferencesJSON

/// A JSON file: one object, whose members are the entries.
///
/// Entries that nobody changes keep the very text that they have in the file: numbers with more digits than a `Double`
/// has, values that cannot be read. So does what is between them, a person's layout, and new entries follow it.
struct JSONFileContents: StoreFileContents {
    private struct Entry {
        var value: Result<PreferenceValue, StoreFileValueError>
        var text: Text
        /// What is before it in the file, from the entry before; nil for the first one, and for new ones.
        var gap: Range<Int>?
    }

    /// Name and value of an entry, as they stand in the file, or are to.
    private enum Text {
        case read(Range<Int>)
        case written(String)
    }

    /// What was read.
    private var bytes: [UInt8] = []
    private var layout = Layout()
    private var entries: [String: Entry] = [:]
    /// The names in the order of the file.
    private var order: [String] = []
    /// A sorted file stays so. One that a person has put into another order gets new entries at its end.
    private var isSorted = true

    init() {}

    init(parsing bytes: [UInt8]) throws {
        let root: JSONNode
        do {
            root = try JSONReader.parse(bytes)
        } catch {
            throw StoreFileSyntaxError(error.message, at: error.offset, in: bytes)
        }
        guard case .object(let members) = root.content else {
            let message = "expected an object of preferences, found \(root.typeDescription)"
            throw StoreFileSyntaxError(message, at: root.range.lowerBound, in: bytes)
        }
        self.bytes = bytes
        entries.reserveCapacity(members.count)
        order.reserveCapacity(members.count)
        var lines: LineTable?
        var end: Int?
        for member in members {
            let value: Result<PreferenceValue, StoreFileValueError>
            do {
                value = .success(try member.value.preferenceValue())
            } catch let error as StoreFileValueError {
                lines = lines ?? LineTable(bytes)
                let line = lines?.position(at: member.value.range.lowerBound).line ?? 1
                value = .failure(StoreFileValueError(name: member.name, "line \(line): \(error.message)"))
            }
            isSorted = isSorted && order.last.map { $0 < member.name } ?? true
            order.append(member.name)
            let text = member.nameRange.lowerBound..<member.value.range.upperBound
            entries[member.name] = Entry(value: value, text: .read(text), gap: end.map { $0..<text.lowerBound })
            end = text.upperBound
        }
        layout = Layout(of: bytes, root: root.range, members)
    }

    var names: Set<String> { Set(order) }

    func value(for name: String) throws -> PreferenceValue? {
        try entries[name]?.value.get()
    }

    mutating func apply(_ batch: [String: PreferenceEdit]) throws -> Bool {
        var changed = self
        var isChanged = false
        var added: [String] = []
        var removed: Set<String> = []
        for (name, edit) in batch {
            switch edit {
            case .set(let value):
                let isNew = changed.entries[name] == nil
                isChanged = try changed.set(name, value) || isChanged
                if isNew { added.append(name) }
            case .remove where changed.entries.removeValue(forKey: name) != nil: removed.insert(name)
            case .remove: break
            }
        }
        // All at once, as there may be very many.
        if !removed.isEmpty { changed.order.removeAll(where: removed.contains) }
        if !added.isEmpty { changed.order(added) }
        self = changed
        return isChanged || !removed.isEmpty
    }

    func encoded() -> [UInt8] {
        guard !order.isEmpty else { return Array("{}\n".utf8) }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 1_024)
        output += layout.opening
        for (number, name) in order.enumerated() {
            guard let entry = entries[name] else { continue }
            if number > 0 { output += entry.gap.map { bytes[$0] } ?? layout.separator[...] }
            switch entry.text {
            case .read(let range): output += bytes[range]
            case .written(let text): output += text.utf8
            }
        }
        output += layout.closing
        return output
    }

    private mutating func set(_ name: String, _ value: PreferenceValue) throws -> Bool {
        let text = try Self.text(name, value)
        let old = entries[name]
        // The same value in a person's own words is left in them.
        if case .success(let oldValue)? = old?.value, oldValue.isIdentical(to: value) { return false }
        entries[name] = Entry(value: .success(value), text: .written(text), gap: old?.gap)
        return true
    }

    static func check(_ name: String, _ value: PreferenceValue) throws {
        _ = try text(name, value)
    }

    private static func text(_ name: String, _ value: PreferenceValue) throws -> String {
        do {
            return try JSONValueWriter.entry(name, value)
        } catch let error as StoreFileValueError {
            throw StoreFileValueError(name: name, error.message)
        }
    }

    /// Gives new names their places.
    private mutating func order(_ added: [String]) {
        var merged: [String] = []
        merged.reserveCapacity(order.count + added.count)
        var rest = order[...]
        for name in added.sorted() {
            let place = isSorted ? Self.firstIndex(notBefore: name, in: rest) : rest.endIndex
            merged += rest[..<place]
            merged.append(name)
            rest = rest[place...]
        }
        order = merged + rest
    }

    private static func firstIndex(notBefore name: String, in sorted: ArraySlice<String>) -> Int {
        var low = sorted.startIndex
        var high = sorted.endIndex
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < name { low = middle + 1 } else { high = middle }
        }
        return low
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

    /// That of a file with entries, or the usual one.
    init(of bytes: [UInt8], root: Range<Int>, _ members: [JSONMember]) {
        guard let first = members.first, let last = members.last else { return }
        opening = Array(bytes[..<first.nameRange.lowerBound])
        closing = Array(bytes[last.value.range.upperBound...])
        if members.count > 1 {
            separator = Array(bytes[first.value.range.upperBound..<members[1].nameRange.lowerBound])
        } else {
            let space = bytes[(root.lowerBound + 1)..<first.nameRange.lowerBound]
            separator = Array(",".utf8) + (space.isEmpty ? Array(" ".utf8) : Array(space))
        }
    }
}

extension StoreFileSyntaxError {
    fileprivate init(_ message: String, at offset: Int, in bytes: [UInt8]) {
        let position = LineTable(bytes).position(at: offset)
        self.init(line: position.line, column: position.column, message: message)
    }
}
