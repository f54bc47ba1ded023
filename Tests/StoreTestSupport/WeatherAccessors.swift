package import Foundation
package import PreferencesRuntime

// Accessors in the very shape that the generator writes.

private typealias RequiredRuntime = PreferencesRuntimeForGeneratedCode1

package nonisolated enum TemperatureUnit: String, PreferenceConvertible, CaseIterable, Codable {
    case celsius
    case fahrenheit
}

package nonisolated protocol WeatherPreferences: PreferenceAccessors {}

nonisolated extension WeatherPreferences {
    /// Default `0`.
    package var temperature: Double {
        get { _getDouble("weather-service:temperature", default: 0) }
        nonmutating set { _setDouble("weather-service:temperature", to: newValue) }
    }

    package var unit: TemperatureUnit {
        get { _get("weather-service:unit", default: .celsius) }
        nonmutating set { _set("weather-service:unit", to: newValue) }
    }

    package var stations: [String] {
        get { _getStrings("weather-service:stations", default: []) }
        nonmutating set { _setStrings("weather-service:stations", to: newValue) }
    }

    package var lastUpdate: Date? {
        get { _get("weather-service:lastUpdate", default: nil) }
        nonmutating set { _set("weather-service:lastUpdate", to: newValue) }
    }

    package var nickname: String? {
        get { _getOptionalString("weather-service:nickname", default: "anonymous") }
        nonmutating set { set("weather-service:nickname", to: newValue, default: "anonymous") }
    }

    package var radar: WeatherRadar { WeatherRadar(preferences: preferences) }
}

package nonisolated struct Weather: WeatherPreferences, PreferenceNamespace {
    package let preferences: Preferences

    package init(preferences: Preferences) {
        self.preferences = preferences
    }

    package static var storageName: String { "weather-service" }
}

package nonisolated protocol WeatherRadarPreferences: PreferenceAccessors {}

nonisolated extension WeatherRadarPreferences {
    package var range: Int {
        get { _getInt("weather-service:radar:radar-range", default: 50) }
        nonmutating set { _setInt("weather-service:radar:radar-range", to: newValue) }
    }
}

package nonisolated struct WeatherRadar: WeatherRadarPreferences, PreferenceNamespace {
    package let preferences: Preferences

    package init(preferences: Preferences) {
        self.preferences = preferences
    }

    package static var storageName: String { "weather-service:radar" }
}

nonisolated extension Preferences {
    package var weather: Weather { Weather(preferences: self) }
}

package nonisolated protocol WeatherExamplePreferences: PreferenceAccessors {}

nonisolated extension WeatherExamplePreferences {
    package var launchCount: Int {
        get { _getInt("launchCount", default: 0) }
        nonmutating set { _setInt("launchCount", to: newValue) }
    }
}

extension Preferences: WeatherExamplePreferences {}
