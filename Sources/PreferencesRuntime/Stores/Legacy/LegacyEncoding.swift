/// How another library, or an earlier version of the program, has encoded values that are still stored.
///
/// ```swift
/// let store = UserDefaultsStore(suite: "group.weather", legacyEncodings: .storez)
/// ```
///
/// A store that is given some reads such values as the types that their keys have. It changes none of them: a value is in
/// this library's encoding when its key is set.
///
/// A stored value is read as what it is where that fits, and else by the encodings, in the order in which they were given.
/// For types that nearly any text or data fits, the encodings come first: for `URL`, raw values, dictionaries whose names
/// are no texts, and for `Data` while ``rawValue`` is not among the encodings. Data that looks encoded is refused then when
/// it is set.
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
