import Foundation
import PreferencesRuntime

// Accessors in the very shape that the generator writes.

private typealias RequiredRuntime = PreferencesRuntimeForGeneratedCode1

nonisolated enum TemperatureUnit: String, PreferenceConvertible, CaseIterable, Codable {
    case celsius
    case fahrenheit
}

nonisolated protocol WeatherPreferences: PreferenceAccessors {}

nonisolated extension WeatherPreferences {
    /// Default `0`.
    var temperature: Double {
        get { _getDouble("weather-service:temperature", default: 0) }
        nonmutating set { _setDouble("weather-service:temperature", to: newValue) }
    }

    var unit: TemperatureUnit {
        get { _get("weather-service:unit", default: .celsius) }
        nonmutating set { _set("weather-service:unit", to: newValue) }
    }

    var stations: [String] {
        get { _getStrings("weather-service:stations", default: []) }
        nonmutating set { _setStrings("weather-service:stations", to: newValue) }
    }

    var lastUpdate: Date? {
        get { _get("weather-service:lastUpdate", default: nil) }
        nonmutating set { _set("weather-service:lastUpdate", to: newValue) }
    }

    var nickname: String? {
        get { _getOptionalString("weather-service:nickname", default: "anonymous") }
        nonmutating set { set("weather-service:nickname", to: newValue, default: "anonymous") }
    }

    var radar: WeatherRadar { WeatherRadar(preferences: preferences) }
}

nonisolated struct Weather: WeatherPreferences, PreferenceNamespace {
    let preferences: Preferences

    init(preferences: Preferences) {
        self.preferences = preferences
    }

    static var storageName: String { "weather-service" }
}

nonisolated protocol WeatherRadarPreferences: PreferenceAccessors {}

nonisolated extension WeatherRadarPreferences {
    var range: Int {
        get { _getInt("weather-service:radar:radar-range", default: 50) }
        nonmutating set { _setInt("weather-service:radar:radar-range", to: newValue) }
    }
}

nonisolated struct WeatherRadar: WeatherRadarPreferences, PreferenceNamespace {
    let preferences: Preferences

    init(preferences: Preferences) {
        self.preferences = preferences
    }

    static var storageName: String { "weather-service:radar" }
}

nonisolated extension Preferences {
    var weather: Weather { Weather(preferences: self) }
}

nonisolated protocol WeatherExamplePreferences: PreferenceAccessors {}

nonisolated extension WeatherExamplePreferences {
    var launchCount: Int {
        get { _getInt("launchCount", default: 0) }
        nonmutating set { _setInt("launchCount", to: newValue) }
    }
}

extension Preferences: WeatherExamplePreferences {}
