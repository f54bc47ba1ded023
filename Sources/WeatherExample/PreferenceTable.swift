import Foundation
import PreferencesRuntime

/// The station's preferences as a table to read.
///
/// Key paths to the generated accessors are ordinary Swift values: a table can be made of them.
enum PreferenceTable {
    static func text(of preferences: Preferences) -> String {
        let rows = rows(of: preferences)
        let names = rows.map(\.name.count).max() ?? 0
        let values = rows.map(\.value.count).max() ?? 0
        return rows.map { row in
            let name = row.name.padding(toLength: names, withPad: " ", startingAt: 0)
            let value = row.value.padding(toLength: values, withPad: " ", startingAt: 0)
            return row.isSet
                ? "  \u{25CF} \(name)   \(value)   default: \(row.defaultValue)"
                : "  \u{25CB} \(name)   \(row.value)"
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

        init<Home: PreferenceAccessors, Value>(
            _ name: String,
            _ home: Home,
            _ key: KeyPath<Home, Value>,
            text: (Value) -> String = { "\($0)" }
        ) {
            self.name = name
            value = text(home[keyPath: key])
            defaultValue = text(home.defaultValue(key))
            isSet = home.isSet(key)
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
