import Foundation
import PreferencesJSON
import PreferencesRuntime

/// Why a row cannot be read, or a value not be kept as one.
struct RowError: Error, CustomStringConvertible {
    let description: String
}

extension PreferenceValue {
    /// Writes the value's type and content to two parameters of a statement.
    ///
    /// - Throws: ``RowError`` for a value that could not be read again; ``SQLiteError``.
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

    /// The value of a row that has its type and its content in two columns.
    ///
    /// - Throws: ``RowError`` where they do not belong together.
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
        // A person may have written it without a point.
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
