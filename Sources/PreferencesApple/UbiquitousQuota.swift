import Foundation
import PreferencesRuntime

/// The limits of iCloud's key-value store for an app.
///
/// How iCloud counts the bytes of a value is not documented. Only bytes that count in any case are counted here, so
/// that no value is refused that iCloud could accept. iCloud reports the values that it does not accept.
enum UbiquitousQuota {
    /// The greatest number of names.
    static let nameCount = 1_024
    /// The greatest number of UTF-8 bytes of a name.
    static let nameLength = 64
    /// The number of bytes that all values together, and each of them, must be smaller than: 1 MiB.
    static let size = 1 << 20

    /// Whether the system accepts a name. It ends the program for a longer one; the empty name is not documented.
    static func accepts(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= nameLength
    }

    /// Returns why an object cannot be stored under a name; nil if nothing prevents it.
    static func refusal(of object: Any, for name: String) -> String? {
        if name.isEmpty { return "iCloud does not accept the empty name" }
        if !accepts(name) { return "the name has \(name.utf8.count) bytes, but iCloud accepts at most \(nameLength)" }
        let size = leastSize(of: object)
        return size < Self.size
            ? nil : "the value has at least \(size) bytes, but iCloud accepts less than 1 MB for one value"
    }

    /// Returns why changes cannot be made, because a limit would be exceeded; nil if none would.
    static func refusal(of changes: [UbiquitousEdit], to contents: [String: Any]) -> String? {
        let (oldCount, oldSize) = (contents.count, contents.values.reduce(0) { $0 + leastSize(of: $1) })
        let count = changes.reduce(oldCount) { $0 + ($1.object == nil ? 0 : 1) - (contents[$1.name] == nil ? 0 : 1) }
        let size = changes.reduce(oldSize) { $0 + growth($1, contents) }
        if count > nameCount, count > oldCount {
            return "there would be \(count) names, but iCloud accepts at most \(nameCount)"
        }
        guard size >= Self.size, size > oldSize else { return nil }
        return "the values would have at least \(size) bytes, but iCloud accepts less than 1 MB in total"
    }

    /// Returns the changes ordered by growth, so that no limit is exceeded in between.
    static func ordered(_ changes: [UbiquitousEdit], to contents: [String: Any]) -> [UbiquitousEdit] {
        changes.map { ($0, growth($0, contents)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    private static func growth(_ change: UbiquitousEdit, _ contents: [String: Any]) -> Int {
        (change.object.map(leastSize) ?? 0) - (contents[change.name].map(leastSize) ?? 0)
    }

    /// Returns the bytes that a property-list object has in any format: those of strings and data, and one for any
    /// other.
    static func leastSize(of object: Any) -> Int {
        switch object {
        // A format may encode it in UTF-8 or in UTF-16.
        case let text as String: max(1, min(text.utf8.count, 2 * text.utf16.count))
        case let data as Data: max(1, data.count)
        case let array as [Any]: array.reduce(1) { $0 + leastSize(of: $1) }
        case let entries as [String: Any]: entries.reduce(1) { $0 + leastSize(of: $1.key) + leastSize(of: $1.value) }
        default: 1
        }
    }
}

/// The change of one name.
struct UbiquitousEdit {
    let name: String
    /// A property-list object; nil to remove the name.
    let object: Any?
}
