package import Foundation
package import PreferencesRuntime

// Accessors in the form that the generator writes.

private typealias RequiredRuntime = _PreferencesRuntimeForGeneratedCode1

package nonisolated enum TemperatureUnit: String, PreferenceConvertible, CaseIterable, Codable {
    case celsius
    case fahrenheit
}

package nonisolated protocol WeatherPreferences: PreferenceAccessors {}

nonisolated extension WeatherPreferences {
    /// Default `0`.
    package var temperature: Double {
        get { _Accessor.getDouble(self, "weather-service:temperature", default: 0) }
        nonmutating set { _Accessor.setDouble(self, "weather-service:temperature", to: newValue) }
    }

    package var unit: TemperatureUnit {
        get { _Accessor.get(self, "weather-service:unit", default: .celsius) }
        nonmutating set { _Accessor.set(self, "weather-service:unit", to: newValue) }
    }

    package var stations: [String] {
        get { _Accessor.getStrings(self, "weather-service:stations", default: []) }
        nonmutating set { _Accessor.setStrings(self, "weather-service:stations", to: newValue) }
    }

    package var lastUpdate: Date? {
        get { _Accessor.get(self, "weather-service:lastUpdate", default: nil) }
        nonmutating set { _Accessor.set(self, "weather-service:lastUpdate", to: newValue) }
    }

    package var nickname: String? {
        get { _Accessor.getOptionalString(self, "weather-service:nickname", default: "anonymous") }
        nonmutating set {
            _Accessor.setOptional(self, "weather-service:nickname", to: newValue, default: "anonymous")
        }
    }

    package var radar: Preferences.WeatherRadar { .init(preferences: preferences) }
}

extension Preferences {
    nonisolated package struct Weather: WeatherPreferences, PreferenceNamespace {
        package let preferences: Preferences

        package init(preferences: Preferences) {
            self.preferences = preferences
        }

        package static var storageName: String { "weather-service" }
    }
}

package nonisolated protocol WeatherRadarPreferences: PreferenceAccessors {}

nonisolated extension WeatherRadarPreferences {
    package var range: Int {
        get { _Accessor.getInt(self, "weather-service:radar:radar-range", default: 50) }
        nonmutating set { _Accessor.setInt(self, "weather-service:radar:radar-range", to: newValue) }
    }
}

extension Preferences {
    nonisolated package struct WeatherRadar: WeatherRadarPreferences, PreferenceNamespace {
        package let preferences: Preferences

        package init(preferences: Preferences) {
            self.preferences = preferences
        }

        package static var storageName: String { "weather-service:radar" }
    }
}

nonisolated extension Preferences {
    package var weather: Weather { .init(preferences: self) }
}

package nonisolated protocol WeatherExamplePreferences: PreferenceAccessors {}

nonisolated extension WeatherExamplePreferences {
    package var launchCount: Int {
        get { _Accessor.getInt(self, "launchCount", default: 0) }
        nonmutating set { _Accessor.setInt(self, "launchCount", to: newValue) }
    }
}

extension Preferences: WeatherExamplePreferences {}
