import Foundation
import PreferencesJSON
import PreferencesRuntime

/// The reason that a row cannot be read, or a value cannot be stored in one.
struct RowError: Error, CustomStringConvertible {
    let description: String
}

extension PreferenceValue {
    /// Binds the value's type and content to two parameters of a statement.
    ///
    /// - Throws: ``RowError`` for a value that cannot be represented; ``SQLiteError``.
    func bind(to statement: SQLiteStatement, type typeIndex: CInt, value index: CInt) throws {
        let type: ValueType
        switch self {
        case .null:
            type = .null
            try statement.bindNull(index)
        case .bool(let value):
            type = .bool
            try statement.bind(index, value ? 1 : 0 as Int64)
        case .int(let value):
            type = .int
            try statement.bind(index, value)
        case .unsignedInt(let value):
            type = .unsigned
            try statement.bind(index, String(value))
        case .double(let value):
            type = .double
            try Self.bind(value, to: statement, index)
        case .string(let value):
            type = .string
            try statement.bind(index, value)
        case .data(let value):
            type = .data
            try statement.bind(index, value)
        case .date(let value):
            type = .date
            if let text = DateText.text(for: value) {
                try statement.bind(index, text)
            } else {
                try Self.bind(value.timeIntervalSinceReferenceDate, to: statement, index)
            }
        case .array, .dictionary:
            type = .json
            try statement.bind(index, jsonTextOfRow())
        }
        try statement.bind(typeIndex, type.rawValue)
    }

    /// Creates a value from a row's type and content columns.
    ///
    /// - Throws: ``RowError`` for an unknown type, or content of another type.
    init(of row: SQLiteStatement, type typeColumn: CInt, value column: CInt) throws {
        guard let type = row.text(typeColumn).flatMap(ValueType.init(rawValue:)) else {
            throw RowError(description: "its type in the database is unknown")
        }
        guard let value = Self.value(type, of: row, column) else {
            throw RowError(description: "its value in the database is not of the type \"\(type.rawValue)\"")
        }
        self = value
    }

    private static func value(_ type: ValueType, of row: SQLiteStatement, _ column: CInt) -> PreferenceValue? {
        switch (type, row.type(column)) {
        case (.null, SQLiteCode.null): .null
        case (.bool, SQLiteCode.integer): [0: .bool(false), 1: .bool(true)][row.integer(column)]
        case (.int, SQLiteCode.integer): .int(row.integer(column))
        case (.unsigned, _): row.text(column).flatMap { UInt64($0) }.map { .unsignedInt($0) }
        case (.double, _): real(row, column).map { .double($0) }
        case (.string, _): row.text(column).map { .string($0) }
        case (.data, _): row.data(column).map { .data($0) }
        case (.date, _):
            (row.text(column).flatMap { DateText.date(from: $0) }
                ?? real(row, column).map { Date(timeIntervalSinceReferenceDate: $0) }).map { .date($0) }
        case (.json, _): row.text(column).flatMap { PreferenceValue(jsonText: $0) }
        default: nil
        }
    }

    private static let notANumber = "nan"

    private static func bind(_ number: Double, to statement: SQLiteStatement, _ index: CInt) throws {
        if number.isNaN { try statement.bind(index, notANumber) } else { try statement.bind(index, number) }
    }

    private static func real(_ row: SQLiteStatement, _ column: CInt) -> Double? {
        switch row.type(column) {
        // A user may have written the number without a decimal point.
        case SQLiteCode.real, SQLiteCode.integer: row.real(column)
        default: row.text(column) == notANumber ? .nan : nil
        }
    }

    private func jsonTextOfRow() throws -> String {
        do {
            return try jsonText()
        } catch {
            throw RowError(description: "\(error)")
        }
    }
}

/// The contents of the `type` column, which determines how `value` is read.
enum ValueType: String {
    /// `value` is NULL.
    case null
    /// 0 or 1.
    case bool
    /// An integer.
    case int
    /// The digits of an integer above `Int64.max`, as text.
    case unsigned
    /// A real, or the text `nan`, because SQLite stores not-a-number as NULL.
    case double
    /// Text.
    case string
    /// A blob.
    case data
    /// Text in the format of RFC 3339, or seconds since the start of 2001, as ``double``.
    case date
    /// The JSON text of an array or a dictionary.
    case json
}

/// A storage name in the form that the database holds: Unicode normalization form C.
///
/// Swift compares strings by canonical equivalence, SQLite by bytes.
struct NormalizedName {
    let text: String

    init(_ name: String) {
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        text = isASCII ? name : name.precomposedStringWithCanonicalMapping
    }
}
