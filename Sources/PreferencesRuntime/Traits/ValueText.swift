import Foundation

/// Values, and numbers of what they have in them, in the words of a message.
enum ValueText {
    /// The value alone, as a limit or a choice: `60.5`, `"Oslo"`, `0.5 seconds`.
    static func short<Value>(_ value: Value) -> String {
        switch value {
        case let duration as Duration: "\(duration)"
        case let convertible as any PreferenceConvertible:
            (try? convertible.preferenceValue())?.description ?? "\(value)"
        default: "\(value)"
        }
    }

    /// The value with its kind, and not at length: `the string "Oslo"`, `an array of 3 elements`, `this Station`.
    static func withKind<Value>(_ value: Value) -> String {
        switch value {
        case let duration as Duration: return "the duration \(duration)"
        case let text as String where text.utf8.count > 60: return "a string of \(number(text.count, of: String.self))"
        case is String: break
        case let data as Data: return "data of \(number(data.count, of: Data.self))"
        case let collection as any Collection: return withKind(collection)
        default: break
        }
        switch (value as? any PreferenceConvertible).flatMap({ try? $0.preferenceValue() }) {
        case nil, .array, .dictionary: return "this \(Value.self)"
        case let stored?: return stored.descriptionOfFound
        }
    }

    private static func withKind(_ collection: some Collection) -> String {
        let (article, kind) =
            switch Mirror(reflecting: collection).displayStyle {
            case .dictionary: ("a", "dictionary")
            case .set: ("a", "set")
            default: ("an", "array")
            }
        return collection.isEmpty
            ? "an empty \(kind)" : "\(article) \(kind) of \(number(collection.count, of: type(of: collection)))"
    }

    /// So many of what a collection counts: `1 character`, `3 bytes`, `2 elements`.
    static func number(_ count: Int, of type: Any.Type) -> String {
        let unit = type == String.self ? "character" : type == Data.self ? "byte" : "element"
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }
}
