import Foundation

/// The contents of a property-list file: a dictionary of the entries.
struct PropertyListFileContents<Format: PropertyListFormat>: ObjectContents {
    private enum Entry {
        case value(PreferenceValue)
        /// An object that is not a value, encoded as a property list, so that it is written unchanged.
        case unreadable(StoreFileValueError, Data)
    }

    private var entries: [String: Entry] = [:]

    init() {}

    init(depth: Int) {}

    private init(_ objects: [String: Any]) throws {
        for (name, object) in objects {
            do {
                // The file may be in the other format, which represents more values without tags.
                entries[name] = .value(try Format.coding.value(from: object))
            } catch let error as StoreFileValueError {
                let data = try PropertyListSerialization.data(fromPropertyList: [object], format: .binary, options: 0)
                // Without the path, which may contain names of a secret's dictionary.
                entries[name] = .unreadable(StoreFileValueError(name: name, error.reason), data)
            }
        }
    }

    init(parsing bytes: [UInt8]) throws {
        // Foundation would read a blank file as an empty old-style dictionary.
        let blanks = Array(" \t\r\n".utf8)
        if bytes.allSatisfy(blanks.contains) {
            throw StoreFileSyntaxError(message: "this is not a property list: it is empty")
        }
        if containsPropertyListSet(bytes) {
            throw StoreFileSyntaxError(message: "this is not a property list: it contains a set")
        }
        let root: Any
        do {
            root = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        } catch {
            let line = Self.line(of: error).flatMap {
                (1...bytes.split(separator: 0x0A, omittingEmptySubsequences: false).count).contains($0) ? $0 : nil
            }
            throw StoreFileSyntaxError(line: line, message: "this is not a property list")
        }
        guard let dictionary = root as? [String: Any] else {
            throw StoreFileSyntaxError(message: "expected a dictionary of preferences as the property list's root")
        }
        try self.init(dictionary)
    }

    var names: Set<String> { Set(entries.keys) }

    func value(for name: String) throws -> PreferenceValue? {
        switch entries[name] {
        case .value(let value): value
        case .unreadable(let error, _): throw error
        case nil: nil
        }
    }

    mutating func apply(_ batch: [String: PreferenceEdit]) throws -> Bool {
        var changed = entries
        var isChanged = false
        for (name, edit) in batch {
            switch edit {
            case .set(let value):
                try Self.check(name, value)
                if case .value(let old) = changed[name], old.isIdentical(to: value) { continue }
                changed[name] = .value(value)
                isChanged = true
            case .remove:
                isChanged = changed.removeValue(forKey: name) != nil || isChanged
            }
        }
        entries = changed
        return isChanged
    }

    func encoded() throws -> [UInt8] {
        [UInt8](try PropertyListSerialization.data(fromPropertyList: objects(), format: Format.format, options: 0))
    }

    private func objects() throws -> [String: Any] {
        try entries.mapValues { entry in
            switch entry {
            case .value(let value): try Format.coding.object(from: value)
            case .unreadable(_, let data): try Self.object(in: data)
            }
        }
    }

    private static func object(in data: Data) throws -> Any {
        let array = try PropertyListSerialization.propertyList(from: data, format: nil) as? [Any]
        return array?.first as Any
    }

    // MARK: - Objects

    func object(for name: String) -> Self? {
        switch entries[name] {
        case .value(.dictionary(let values)):
            var object = Self()
            object.entries = values.mapValues { .value($0) }
            return object
        case .unreadable(_, let data):
            return (try? Self.object(in: data) as? [String: Any]).flatMap { try? Self($0) }
        default: return nil
        }
    }

    mutating func setObjects(_ objects: [String: Self]) throws {
        for (name, object) in objects { entries[name] = try Self([name: object.objects()]).entries[name] }
    }

    func line(of name: String) -> Int? { nil }

    var isBlank: Bool { entries.isEmpty }

    static func check(_ name: String, _ value: PreferenceValue, depth: Int) throws {
        guard Format.coding.canRepresent(for: name) else {
            throw StoreFileValueError(name: name, "XML cannot represent a character of this name")
        }
        do {
            _ = try Format.coding.object(from: value, depth: depth + 1)
        } catch let error as StoreFileValueError {
            throw StoreFileValueError(name: name, error.reason)
        }
    }

    /// Returns the line number at the end of Foundation's message. The rest of the message may quote the file.
    private static func line(of error: any Error) -> Int? {
        let message = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? error.localizedDescription
        let words = message.split { !$0.isLetter && !$0.isNumber }
        guard let index = words.lastIndex(of: "line"), index + 1 < words.count else { return nil }
        return Int(words[index + 1])
    }
}

/// A format of property lists.
protocol PropertyListFormat {
    static var format: PropertyListSerialization.PropertyListFormat { get }
}

extension PropertyListFormat {
    static var coding: PropertyListValue { PropertyListValue(isXML: format == .xml) }
}

enum XMLPropertyListFormat: PropertyListFormat {
    static let format = PropertyListSerialization.PropertyListFormat.xml
}

enum BinaryPropertyListFormat: PropertyListFormat {
    static let format = PropertyListSerialization.PropertyListFormat.binary
}

/// Whether a binary property list contains a set, which makes Foundation on Linux end the program. Valid property lists
/// do not, but a single damaged bit can turn a dictionary into a set.
///
/// CoreFoundation's `CFBinaryPList.c` documents the format: the last 32 bytes locate the table of object offsets, and
/// the upper half of an object's first byte is its type.
package func containsPropertyListSet(_ bytes: [UInt8]) -> Bool {
    func integer(at start: Int, _ width: Int) -> UInt64 {
        bytes[start..<(start + width)].reduce(0) { $0 << 8 | UInt64($1) }
    }
    let trailer = bytes.count - 32
    guard trailer > 0, bytes.starts(with: "bplist".utf8) else { return false }
    let width = Int(bytes[trailer + 6])
    let (count, table) = (integer(at: trailer + 8, 8), integer(at: trailer + 24, 8))
    guard width > 0, table < trailer, count <= (trailer - Int(table)) / width else { return false }
    return (0..<Int(count)).contains { number in
        let offset = integer(at: Int(table) + number * width, width)
        return offset < trailer && bytes[Int(offset)] >> 4 == 0xC
    }
}
