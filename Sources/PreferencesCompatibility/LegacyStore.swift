import Foundation
public import PreferencesRuntime

/// An adapter that decodes values that another library, or an earlier version of the program, has encoded in its own
/// way.
///
/// ```swift
/// let store = LegacyStore(UserDefaultsStore(suite: "group.weather"), decoding: .storez)
/// ```
///
/// It changes no stored value. Setting a key stores its value in this package's encoding.
///
/// A stored value that converts to the type of its key is read as it is, and any other value is decoded from the
/// encodings, in their order. For types that nearly any string or data converts to, the encodings are tried first:
/// `URL`, raw values, dictionaries whose keys are not strings, and `Data` unless ``LegacyEncoding/rawValue`` is one of
/// the encodings. Setting data that looks encoded is refused.
public struct LegacyStore: PreferenceStoreAdapter {
    /// The store of the values.
    public let base: any PreferenceStore
    private let decoder: LegacyDecoder

    /// Creates an adapter.
    ///
    /// - Parameters:
    ///   - base: The store of the values.
    ///   - encodings: The encodings that its values may have, in the order in which they are tried.
    public init(_ base: some PreferenceStore, decoding encodings: [LegacyEncoding]) {
        self.base = base
        decoder = LegacyDecoder(encodings: encodings)
    }

    /// Converts a value to a type, and decodes it if necessary.
    ///
    /// - Throws: The error of converting the stored value, if no encoding can decode it either.
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
            "a legacy encoding of this store would decode these bytes as other data; set them in a store without "
            + "LegacyStore"
        throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: message)
    }
}

/// An encoding in which another library, or an earlier version of the program, has stored values.
public enum LegacyEncoding: Sendable, Hashable, CaseIterable {
    /// JSON in data, as `JSONEncoder` writes it: `{"name":"Oslo"}`, `[1,2]`, `"text"`; also arrays and dictionaries of
    /// such data.
    case jsonData
    /// JSON of an array with one element in data: `[8]`, `["text"]`; `[null]` for nil.
    case jsonArrayData
    /// JSON in a string: `{"name":"Oslo"}`, `"https:\/\/example.com"`; also arrays and dictionaries of such strings. A
    /// raw value in JSON's quotes is read without them.
    case jsonString
    /// A keyed archive, in data, of a number, string, date, data, URL, UUID, null, or of arrays, sets and dictionaries
    /// of these. An archive with objects of any other class is not decoded.
    case keyedArchive
    /// Data as it is, and the values that the typed methods of `UserDefaults` convert: 0 and 1, `YES` and `NO`, `y` and
    /// `n`, `t` and `f` to Booleans, digits to numbers, and paths to file URLs. A string that begins with `/` or `~` is
    /// a path, so a URL without a scheme that begins so cannot be stored.
    case rawValue
    /// Dates as strings in ISO 8601, also within JSON.
    case isoDate
}

extension [LegacyEncoding] {
    /// The encodings of PropertyKit.
    public static var propertyKit: Self { [.jsonData] }
    /// The encodings of Storez, including its versions before 3.
    public static var storez: Self { [.jsonArrayData, .keyedArchive] }
    /// The encodings of Prephirences in user defaults and property lists, including archives and `Codable` values.
    public static var prephirences: Self { [.jsonData, .keyedArchive, .rawValue] }
    /// The encodings of sindresorhus/Defaults.
    public static var defaults: Self { [.jsonString, .keyedArchive, .rawValue] }
    /// The encodings of SwiftyUserDefaults.
    public static var swiftyUserDefaults: Self { [.jsonData, .keyedArchive, .rawValue] }
    /// The encodings of Foil.
    public static var foil: Self { [.jsonData, .keyedArchive, .rawValue] }
    /// The encodings of `UserDefaults` itself: those of its methods for `URL`, and of launch arguments.
    public static var userDefaults: Self { [.keyedArchive, .rawValue] }
}
