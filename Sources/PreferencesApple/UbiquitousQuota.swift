import Foundation
import PreferencesRuntime

/// What iCloud takes of an app at most.
///
/// How it counts the bytes of a value is not documented. Here are counted those that a value has in any case, so that
/// nothing is refused that iCloud might take; what it does not take after all it tells.
enum UbiquitousQuota {
    static let nameCount = 1_024
    /// The UTF-8 bytes of a name.
    static let nameLength = 64
    /// The bytes of all values together, and of one.
    static let size = 1 << 20

    /// Whether the system takes a name. It ends the program for a longer one, and of the empty one it says nothing.
    static func takes(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= nameLength
    }

    /// Why a name or an object cannot be kept under it; nil where nothing speaks against it.
    static func refusal(of object: Any, for name: String) -> String? {
        if name.isEmpty { return "iCloud takes no empty name" }
        if !takes(name) { return "the name has \(name.utf8.count) bytes, and iCloud takes \(nameLength) at most" }
        let size = leastSize(of: object)
        return size < Self.size ? nil : "the value has \(size) bytes at least, and iCloud takes less than 1 MB in one"
    }

    /// Why changes cannot be made as there would be too much; nil where nothing speaks against it.
    static func refusal(of changes: [UbiquitousEdit], to contents: [String: Any]) -> String? {
        let (oldCount, oldSize) = (contents.count, contents.values.reduce(0) { $0 + leastSize(of: $1) })
        let count = changes.reduce(oldCount) { $0 + ($1.object == nil ? 0 : 1) - (contents[$1.name] == nil ? 0 : 1) }
        let size = changes.reduce(oldSize) { $0 + growth($1, contents) }
        if count > nameCount, count > oldCount {
            return "there would be \(count) names, and iCloud takes \(nameCount) at most"
        }
        guard size >= Self.size, size > oldSize else { return nil }
        return "the values would have \(size) bytes at least, and iCloud takes less than 1 MB in all"
    }

    /// The changes in an order in which there is never more in between than in the end.
    static func ordered(_ changes: [UbiquitousEdit], to contents: [String: Any]) -> [UbiquitousEdit] {
        changes.map { ($0, growth($0, contents)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    private static func growth(_ change: UbiquitousEdit, _ contents: [String: Any]) -> Int {
        (change.object.map(leastSize) ?? 0) - (contents[change.name].map(leastSize) ?? 0)
    }

    /// The bytes that a property-list object has however it is counted: of text and data, and one for everything else.
    static func leastSize(of object: Any) -> Int {
        switch object {
        // A format may have it in UTF-8 or in UTF-16.
        case let text as String: max(1, min(text.utf8.count, 2 * text.utf16.count))
        case let data as Data: max(1, data.count)
        case let array as [Any]: array.reduce(1) { $0 + leastSize(of: $1) }
        case let entries as [String: Any]: entries.reduce(1) { $0 + leastSize(of: $1.key) + leastSize(of: $1.value) }
        default: 1
        }
    }
}

/// What becomes of one name.
struct UbiquitousEdit {
    let name: String
    /// A property-list object; nil where the name is to be removed.
    let object: Any?
}
