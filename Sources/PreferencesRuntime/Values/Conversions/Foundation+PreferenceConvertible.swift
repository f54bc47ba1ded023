public import Foundation

extension Data: PreferenceConvertible {
    /// Reads data. Strings are none.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .data(let value) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = value
    }

    /// A ``PreferenceValue/data(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .data(self)
    }
}

extension Date: PreferenceConvertible {
    /// Reads a date. Strings and numbers are none.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .date(let value) = preferenceValue else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = value
    }

    /// A ``PreferenceValue/date(_:)``.
    public func preferenceValue() -> PreferenceValue {
        .date(self)
    }
}

extension URL: PreferenceConvertible {
    /// Reads text that is a URL as it stands: characters that a URL cannot have are not encoded.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .string(let text) = preferenceValue,
            let url = URL(string: text, encodingInvalidCharacters: false)
        else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = url
    }

    /// A ``PreferenceValue/string(_:)``: the absolute URL, with which one that is relative to a base is joined.
    public func preferenceValue() -> PreferenceValue {
        .string(absoluteString)
    }
}

extension UUID: PreferenceConvertible {
    /// Reads text that is a UUID, in capitals or not.
    public init(preferenceValue: PreferenceValue) throws {
        guard case .string(let text) = preferenceValue, let uuid = UUID(uuidString: text) else {
            throw PreferenceConversionError(expected: Self.self, found: preferenceValue)
        }
        self = uuid
    }

    /// A ``PreferenceValue/string(_:)``: `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    public func preferenceValue() -> PreferenceValue {
        .string(uuidString)
    }
}
