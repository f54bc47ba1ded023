import Foundation
import PreferencesRuntime

// A small program whose preferences are declared in Schemas/WeatherExample.preferences.json. The build plugin turns that
// file into the accessors used here: `preferences.weather.temperature` is a `Double`, and misspelling it is an error
// that the compiler finds.

let options: Options
switch Options.parse(CommandLine.arguments.dropFirst()) {
case .run(let parsed):
    options = parsed
case .help:
    print(Options.help)
    exit(0)
case .refuse(let reason):
    FileHandle.standardError.write(Data("WeatherExample: \(reason)\n\n\(Options.help)\n".utf8))
    exit(2)
}

let preferences = Preferences(store: FileStore(url: options.storeURL))

if options.resets {
    PreferenceTable.reset(preferences)
    print("Every preference is back at its default.\n\n\(PreferenceTable.text(of: preferences))")
    exit(0)
}

if preferences.isSet(\.launchCount) {
    print("Welcome back! This was kept since your last run (\u{25CF} set, \u{25CB} default):\n")
} else {
    print("Welcome! Nothing is set yet, so every preference reads as its default:\n")
}
print(PreferenceTable.text(of: preferences))

let readings = [18.9, 23.4, 16.2, 27.1]
let weather = preferences.weather

weather.temperature = readings[preferences.launchCount % readings.count]
weather.lastUpdate = Date()
weather.unit = weather.unit == .celsius ? .fahrenheit : .celsius
weather.radar.layers.formSymmetricDifference(["wind"])
preferences.launchCount += 1

print(
    """

    A new reading came in, and the program set some of them, in plain Swift:

        weather.temperature = \(weather.temperature)
        weather.lastUpdate = Date()
        weather.unit = .\(weather.unit)
        weather.radar.layers.formSymmetricDifference(["wind"])
        preferences.launchCount += 1

    \(PreferenceTable.text(of: preferences))

    They are on the disk now, in \(options.storeURL.path).
    Run this again to see that they were kept; --reset puts them back.
    """
)
