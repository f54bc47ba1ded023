import Foundation
public import PreferencesRuntime

/// An adapter that reads values which another library, or an earlier version of the program, has encoded in its own way.
///
/// ```swift
/// let store = LegacyStore(UserDefaultsStore(suite: "group.weather"), decoding: .storez)
/// ```
///
/// It changes no stored value: a value is in this package's encoding as soon as its key is set.
///
/// A stored value that fits the type of its key is read as it is, and any other by the encodings, in their order. Types that
/// nearly any text or data fits are tried in the encodings first: `URL`, raw values, dictionaries whose keys are not strings,
/// and `Data` unless ``LegacyEncoding/rawValue`` is one of the encodings. Data that looks encoded is refused when it is set.
public struct LegacyStore: PreferenceStoreAdapter {
    /// The store of the values.
    public let base: any PreferenceStore
    private let decoder: LegacyDecoder

    /// Creates an adapter.
    ///
    /// - Parameters:
    ///   - base: The store of the values.
    ///   - encodings: The encodings that its values may have, in the order in which they are tried.
    public init(_ base: any PreferenceStore, decoding encodings: [LegacyEncoding]) {
        self.base = base
        decoder = LegacyDecoder(encodings: encodings)
    }

    /// Reads a value as a type, decoding it if necessary.
    ///
    /// - Throws: Why the value does not fit the type, if no encoding represents it either.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        try decoder.convert(value, to: type)
    }

    /// Whether the value looks encoded in one of the encodings.
    public func decodes(_ value: PreferenceValue) -> Bool {
        decoder.recognizes(value)
    }

    /// Returns the value as it is.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` for data that an encoding would decode as other data.
    public func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
        guard case .data = value, decoder.isAmbiguous(Data.self),
            decoder.legacyValue(of: value, as: Data.self) != nil
        else { return value }
        let message =
            "a legacy encoding of this store would read these bytes as others; store them without LegacyStore, or under a name of a "
            + "store that has none"
        throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: message)
    }
}

/// An encoding in which another library, or an earlier version of the program, has stored values.
public enum LegacyEncoding: Sendable, Hashable, CaseIterable {
    /// JSON in data, as `JSONEncoder` writes it: `{"name":"Oslo"}`, `[1,2]`, `"text"`. In arrays and dictionaries of such
    /// data, too.
    case jsonData
    /// JSON of an array with one element, in data: `[8]`, `["text"]`, `[null]` for nil.
    case jsonArrayData
    /// JSON in text: `{"name":"Oslo"}`, `"https:\/\/example.com"`. In arrays and dictionaries of such texts, too. A raw
    /// value that has JSON's quotes around it is read without them.
    case jsonString
    /// A keyed archive in data of a number, a text, a date, data, a URL, a UUID, null, or arrays, sets and dictionaries of
    /// them. It is read securely: one that has objects of any other class is not unarchived.
    case keyedArchive
    /// Data as it is, and what the typed methods of `UserDefaults` take for a value: 0 and 1, `YES` and `NO`, `y` and `n`,
    /// `t` and `f` for booleans, digits for numbers, paths for file URLs. What begins with `/` or `~` is a path: a URL
    /// without a scheme that does so cannot be kept in such a store.
    case rawValue
    /// Dates in ISO 8601 as text, also within JSON.
    case isoDate
}

extension [LegacyEncoding] {
    /// What PropertyKit has stored.
    public static var propertyKit: Self { [.jsonData] }
    /// What Storez has stored, its versions before 3 included.
    public static var storez: Self { [.jsonArrayData, .keyedArchive] }
    /// What Prephirences has stored in user defaults or property lists, archives and `Codable` values included.
    public static var prephirences: Self { [.jsonData, .keyedArchive, .rawValue] }
    /// What sindresorhus/Defaults has stored.
    public static var defaults: Self { [.jsonString, .keyedArchive, .rawValue] }
    /// What SwiftyUserDefaults has stored.
    public static var swiftyUserDefaults: Self { [.jsonData, .keyedArchive, .rawValue] }
    /// What Foil has stored.
    public static var foil: Self { [.jsonData, .keyedArchive, .rawValue] }
    /// What `UserDefaults` itself has stored, by its own methods for `URL` and the launch arguments that it takes for
    /// values.
    public static var userDefaults: Self { [.keyedArchive, .rawValue] }
}
