import Foundation
import PreferencesRuntime

extension Defect {
    static let values: [Defect] = [
        Defect(
            "forgets null",
            fails: [
                "a batch that is refused changes nothing", "null is told from a name that is not set",
                "values made at random are kept",
            ]
        ) {
            $0.write = { store, batch in
                try store.right.write(batch.mapValues { $0 == .set(.null) ? .remove : $0 })
            }
        },
        Defect(
            "reads 1.0 as 1",
            fails: [
                "a value is replaced by one of another kind", "numbers with fractions are kept to the bit",
                "values made at random are kept", "values of different kinds are kept apart",
            ]
        ) {
            $0.keepValues {
                guard case .double(let number) = $0, let integer = Int64(exactly: number) else { return $0 }
                return .int(integer)
            }
        },
        Defect(
            "reads true as 1",
            fails: [
                "a value is replaced by one of another kind", "values made at random are kept",
                "values of different kinds are kept apart",
            ]
        ) {
            $0.keepValues { $0 == true ? 1 : $0 }
        },
        Defect(
            "keeps integers as numbers",
            fails: [
                "integers are kept up to the limits of Int64 and UInt64", "values made at random are kept",
            ]
        ) {
            $0.keepValues {
                guard case .int(let integer) = $0, let rounded = Int64(exactly: Double(integer)) else { return $0 }
                return .int(rounded == integer ? integer : 0)
            }
        },
        Defect(
            "has no word for negative zero",
            fails: [
                "numbers with fractions are kept to the bit", "values of different kinds are kept apart",
            ]
        ) { $0.keepValues { $0 == -0.0 ? 0.0 : $0 } },
        Defect(
            "keeps no fractions of seconds",
            fails: [
                "dates are kept to the bit", "values made at random are kept",
            ]
        ) {
            $0.keepValues {
                guard case .date(let date) = $0 else { return $0 }
                return .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded()))
            }
        },
        Defect(
            "ends text at NUL",
            fails: [
                "text is kept, whatever its characters", "values made at random are kept",
            ]
        ) {
            $0.keepValues {
                guard case .string(let text) = $0 else { return $0 }
                return .string(String(text.prefix { $0 != "\u{0}" }))
            }
        },
        Defect(
            "ends data after a hundred bytes",
            fails: [
                "data is kept byte for byte", "values of a megabyte are kept",
            ]
        ) {
            $0.keepValues {
                guard case .data(let data) = $0 else { return $0 }
                return .data(data.prefix(100))
            }
        },
        Defect("keeps no more than a kilobyte of text", fails: ["values of a megabyte are kept"]) {
            $0.keepValues {
                guard case .string(let text) = $0 else { return $0 }
                return .string(String(text.prefix(1_024)))
            }
        },
        Defect(
            "drops what is nested twice",
            fails: [
                "a batch that is refused changes nothing",
                "arrays and dictionaries are kept, empty and nested ones too", "values made at random are kept",
            ]
        ) {
            $0.keepValues {
                guard case .array(let values) = $0 else { return $0 }
                return .array(values.map { if case .array = $0 { [] } else { $0 } })
            }
        },
        Defect(
            "takes $-names for its own",
            fails: [
                "dictionaries keep whatever names are in them", "values made at random are kept",
            ]
        ) {
            $0.keepValues {
                guard case .dictionary(let entries) = $0, entries.keys.contains("$null") else { return $0 }
                return .null
            }
        },
        Defect(
            "cuts off what is nested deep",
            fails: [
                "a batch that is refused changes nothing", "what is nested a thousand levels deep is kept or refused",
            ]
        ) {
            $0.keepValues { cut($0, at: 100) }
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
