import Foundation
import PreferencesRuntime
import Synchronization

extension Defect {
    static let values: [Defect] = [
        Defect(
            "forgets null",
            fails: [
                "a refused batch changes nothing", "null is distinguished from a name that is not set",
                "random values are stored exactly",
            ]
        ) {
            $0.write = { store, batch in
                try store.correct.write(batch.mapValues { $0 == .set(.null) ? .remove : $0 })
            }
        },
        Defect(
            "reads 1.0 as 1",
            fails: [
                "a value can be replaced by one of another type", "floating-point numbers are stored exactly",
                "random values are stored exactly", "values of different types are distinguished",
            ]
        ) {
            $0.mapValuesOnWrite {
                guard case .double(let number) = $0, let integer = Int64(exactly: number) else { return $0 }
                return .int(integer)
            }
        },
        Defect(
            "reads true as 1",
            fails: [
                "a value can be replaced by one of another type", "random values are stored exactly",
                "values of different types are distinguished",
            ]
        ) {
            $0.mapValuesOnWrite { $0 == true ? 1 : $0 }
        },
        Defect(
            "stores integers as floating-point numbers",
            fails: [
                "integers are stored exactly up to the limits of Int64 and UInt64", "random values are stored exactly",
            ]
        ) {
            $0.mapValuesOnWrite {
                guard case .int(let integer) = $0, let rounded = Int64(exactly: Double(integer)) else { return $0 }
                return .int(rounded == integer ? integer : 0)
            }
        },
        Defect(
            "loses the sign of negative zero",
            fails: [
                "floating-point numbers are stored exactly", "values of different types are distinguished",
            ]
        ) { $0.mapValuesOnWrite { $0 == -0.0 ? 0.0 : $0 } },
        Defect(
            "rounds dates to seconds",
            fails: [
                "dates are stored exactly", "random values are stored exactly",
            ]
        ) {
            $0.mapValuesOnWrite {
                guard case .date(let date) = $0 else { return $0 }
                return .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded()))
            }
        },
        Defect(
            "truncates text at NUL",
            fails: [
                "strings are stored exactly, with any characters", "random values are stored exactly",
            ]
        ) {
            $0.mapValuesOnWrite {
                guard case .string(let text) = $0 else { return $0 }
                return .string(String(text.prefix { $0 != "\u{0}" }))
            }
        },
        Defect(
            "truncates data after a hundred bytes",
            fails: [
                "data is stored exactly", "values of a megabyte are stored",
            ]
        ) {
            $0.mapValuesOnWrite {
                guard case .data(let data) = $0 else { return $0 }
                return .data(data.prefix(100))
            }
        },
        Defect("truncates text after a kilobyte", fails: ["values of a megabyte are stored"]) {
            $0.mapValuesOnWrite {
                guard case .string(let text) = $0 else { return $0 }
                return .string(String(text.prefix(1_024)))
            }
        },
        Defect(
            "drops the contents of nested arrays",
            fails: [
                "a refused batch changes nothing",
                "arrays and dictionaries are stored, including empty and nested ones",
                "random values are stored exactly",
            ]
        ) {
            $0.mapValuesOnWrite {
                guard case .array(let values) = $0 else { return $0 }
                return .array(values.map { if case .array = $0 { [] } else { $0 } })
            }
        },
        Defect(
            "interprets keys that begin with $",
            fails: [
                "dictionaries are stored with any keys", "random values are stored exactly",
            ]
        ) {
            $0.mapValuesOnWrite {
                guard case .dictionary(let entries) = $0, entries.keys.contains("$null") else { return $0 }
                return .null
            }
        },
        Defect(
            "truncates deeply nested values",
            fails: [
                "a refused batch changes nothing", "a value nested a thousand levels deep is stored or refused",
            ]
        ) {
            $0.mapValuesOnWrite { cut($0, at: 100) }
        },
    ]

    private static func cut(_ value: PreferenceValue, at depth: Int) -> PreferenceValue {
        if depth == 0 { return .null }
        return switch value {
        case .array(let values): .array(values.map { cut($0, at: depth - 1) })
        case .dictionary(let entries): .dictionary(entries.mapValues { cut($0, at: depth - 1) })
        default: value
        }
    }
}

extension Defect {
    static let names: [Defect] = [
        Defect("confuses dots with colons", fails: ["names with dots, colons and spaces are distinguished"]) {
            $0.mapNames { $0.replacing(".", with: ":") }
        },
        Defect(
            "lowercases names",
            fails: [
                "names are case-sensitive", "names may contain characters of all scripts",
                "names with dots, colons and spaces are distinguished",
            ]
        ) { $0.mapNames { $0.lowercased() } },
        Defect(
            "stores only the first plane of Unicode in names",
            fails: ["names may contain characters of all scripts"]
        ) {
            $0.mapNames { name in
                String(String.UnicodeScalarView(name.unicodeScalars.map { $0.value > 0xFFFF ? "?" : $0 }))
            }
        },
        Defect(
            "distinguishes canonically equivalent names",
            fails: [
                "canonically equivalent names are the same name", "names may contain characters of all scripts",
            ]
        ) {
            // Equal strings must become different ones.
            $0.mapNames { $0.unicodeScalars.contains("\u{301}") ? $0 + "\u{F8FF}" : $0 }
        },
        Defect("truncates names at NUL", fails: ["names may contain control characters"]) {
            $0.mapNames { String($0.prefix { $0 != "\u{0}" }) }
        },
        Defect(
            "truncates long names",
            fails: ["names of ten thousand characters that differ at the end are distinguished"]
        ) {
            $0.mapNames { String($0.prefix(1_000)) }
        },
        Defect("refuses the empty name", fails: ["the empty name can be used"]) {
            $0.write = { store, batch in
                if batch.keys.contains("") {
                    throw PreferenceProblem(.unsupportedValue, key: "", store: store.label, message: "an empty name")
                }
                try store.correct.write(batch)
            }
        },
        Defect(
            "lists removed names",
            fails: [
                "a batch of a thousand changes is applied completely", "a batch sets, replaces and removes values",
                "canonically equivalent names are the same name",
                "an update reads the stored values, and its closure runs once",
                "external changes are read after reload", "names() lists the names of all values and no others",
                "null is distinguished from a name that is not set", "removing a name that is not set changes nothing",
                "random values are stored exactly",
                "batches and updates with a writer have the effect of those without one",
            ]
        ) {
            $0.write = { store, batch in
                try store.correct.write(batch)
                store.cachedValues.withLock { cachedValues in
                    for name in batch.keys { cachedValues = (cachedValues ?? [:]).merging([name: .null]) { $1 } }
                }
            }
            $0.names = { store in
                try store.correct.names().union(store.cachedValues.withLock { Set(($0 ?? [:]).keys) })
            }
        },
    ]
}
