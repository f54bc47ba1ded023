import Foundation

/// A property-list file: one dictionary of the entries.
struct PropertyListFileContents<Format: PropertyListFormat>: StoreFileContents {
    private enum Entry {
        case value(PreferenceValue)
        /// What is no value, as a property list of its own, to be written again as it was.
        case unreadable(StoreFileValueError, Data)
    }

    private var entries: [String: Entry] = [:]

    init() {}

    init(parsing bytes: [UInt8]) throws {
        // Foundation takes it for a dictionary, as a list of strings of old.
        let blanks = Array(" \t\r\n".utf8)
        if bytes.allSatisfy(blanks.contains) {
            throw StoreFileSyntaxError(message: "this is no property list: there is nothing in it")
        }
        if hasPropertyListSet(bytes) {
            throw StoreFileSyntaxError(message: "this is no property list: there is a set in it")
        }
        let root: Any
        do {
            root = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        } catch {
            let line = Self.line(of: error).flatMap {
                (1...bytes.split(separator: 0x0A, omittingEmptySubsequences: false).count).contains($0) ? $0 : nil
            }
            throw StoreFileSyntaxError(line: line, message: "this is no property list")
        }
        guard let dictionary = root as? [String: Any] else {
            throw StoreFileSyntaxError(message: "expected a dictionary of preferences as the property list's root")
        }
        for (name, object) in dictionary {
            do {
                // The file may be in the other format; what that needs no tags for is read all the same.
                entries[name] = .value(try Format.coding.value(from: object))
            } catch let error as StoreFileValueError {
                let data = try PropertyListSerialization.data(fromPropertyList: [object], format: .binary, options: 0)
                entries[name] = .unreadable(StoreFileValueError(name: name, error.message), data)
            }
        }
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
        let objects = try entries.mapValues { entry in
            switch entry {
            case .value(let value): return try Format.coding.object(from: value)
            case .unreadable(_, let data):
                let array = try PropertyListSerialization.propertyList(from: data, format: nil) as? [Any]
                return array?.first as Any
            }
        }
        return [UInt8](try PropertyListSerialization.data(fromPropertyList: objects, format: Format.format, options: 0))
    }

    static func check(_ name: String, _ value: PreferenceValue) throws {
        guard Format.coding.hasWords(for: name) else {
            throw StoreFileValueError(name: name, "XML has no word for a character of this name")
        }
        do {
            _ = try Format.coding.object(from: value)
        } catch let error as StoreFileValueError {
            throw StoreFileValueError(name: name, error.message)
        }
    }

    /// The line that Foundation's message ends in. The rest of the message may quote the file.
    private static func line(of error: any Error) -> Int? {
        let message = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? error.localizedDescription
        let words = message.split { !$0.isLetter && !$0.isNumber }
        guard let index = words.lastIndex(of: "line"), index + 1 < words.count else { return nil }
        return Int(words[index + 1])
    }
}

/// One of the two formats of property lists.
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

/// Whether a binary property list has a set in it, with which Foundation on Linux ends the program. No property list has
/// one, but a single damaged bit makes it of a dictionary.
///
/// CoreFoundation's `CFBinaryPList.c` documents the format: the last 32 bytes locate a table of the objects' offsets, and
/// the upper half of an object's first byte is its type.
package func hasPropertyListSet(_ bytes: [UInt8]) -> Bool {
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
