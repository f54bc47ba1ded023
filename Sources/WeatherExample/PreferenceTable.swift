import Foundation
import PreferencesRuntime

/// The station's preferences as a human-readable table.
///
/// Key paths to the generated accessors are ordinary Swift values, of which a table can be made.
enum PreferenceTable {
    static func text(of preferences: Preferences) -> String {
        table(
            rows(of: preferences).map { row in
                row.isSet
                    ? ["\u{25CF} \(row.name)", row.value, "default: \(row.defaultValue)"]
                    : ["\u{25CB} \(row.name)", row.value, ""]
            }
        )
    }

    /// The source of each value.
    static func sources(of preferences: Preferences) -> String {
        table(rows(of: preferences).map { [$0.name, $0.value, $0.source] })
    }

    private static func table(_ rows: [[String]]) -> String {
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
            let line = "  \(cells.joined(separator: "   "))"
            return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
        }
        .joined(separator: "\n")
    }

    private static func rows(of preferences: Preferences) -> [Row] {
        let weather = preferences.weather
        return [
            Row("launchCount", preferences, \.launchCount),
            Row("theme", preferences, \.theme),
            Row("weather.temperature", weather, \.temperature) { weather.unit.text(celsius: $0) },
            Row("weather.unit", weather, \.unit),
            Row("weather.stations", weather, \.stations) { $0.joined(separator: ", ") },
            Row("weather.lastUpdate", weather, \.lastUpdate) { $0?.formatted(.iso8601) ?? "never" },
            Row("weather.refreshInterval", weather, \.refreshInterval) { $0.formatted() },
            Row("weather.radar.range", weather.radar, \.range) { "\($0) km" },
            Row("weather.radar.layers", weather.radar, \.layers) { $0.sorted().joined(separator: ", ") },
        ]
    }

    private struct Row {
        var name: String
        var value: String
        var defaultValue: String
        var isSet: Bool
        var source: String

        init<Owner: PreferenceAccessors, Value>(
            _ name: String,
            _ owner: Owner,
            _ key: KeyPath<Owner, Value>,
            text: (Value) -> String = { "\($0)" }
        ) {
            self.name = name
            value = text(owner[keyPath: key])
            defaultValue = text(owner.defaultValue(key))
            isSet = owner.isSet(key)
            source = owner.resolution(of: key).description
        }
    }
}

extension TemperatureUnit {
    /// A temperature in this unit, with one decimal: `21.5 °C`.
    func text(celsius: Double) -> String {
        switch self {
        case .celsius: String(format: "%.1f °C", celsius)
        case .fahrenheit: String(format: "%.1f °F", celsius * 9 / 5 + 32)
        case .kelvin: String(format: "%.1f K", celsius + 273.15)
        }
    }
}
