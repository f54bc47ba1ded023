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

do {
    let preferences = Preferences(store: FileStore(url: options.storeURL))
    // A property never throws: what cannot be read reads as its default, and what cannot be set stays as it was. Both are
    // told through `preferences.problems`. Where it matters at once, there are calls that throw, as these two do.
    try preferences.reload()
    if options.resets {
        try preferences.set(\.launchCount, to: 0)
        PreferenceTable.reset(preferences)
        print("Every preference is back at its default:\n\n\(PreferenceTable.text(of: preferences))")
    } else {
        try takeReading(preferences)
    }
} catch {
    FileHandle.standardError.write(Data("WeatherExample: \(error)\n".utf8))
    exit(1)
}

/// Shows the preferences, sets some of them, and shows them again.
func takeReading(_ preferences: Preferences) throws {
    print(
        preferences.isSet(\.launchCount)
            ? "Welcome back! This was kept since your last run (\u{25CF} set, \u{25CB} default):\n"
            : "Welcome! Nothing is set yet, so every preference reads as its default:\n"
    )
    print(PreferenceTable.text(of: preferences))

    let readings = [18.9, 23.4, 16.2, 27.1]
    let weather = preferences.weather

    try preferences.set(\.launchCount, to: preferences.launchCount + 1)
    weather.temperature = readings[preferences.launchCount % readings.count]
    weather.lastUpdate = Date()
    weather.unit = weather.unit == .celsius ? .fahrenheit : .celsius
    weather.radar.layers.formSymmetricDifference(["wind"])

    print(
        """

        A new reading came in, and the program set some of them, in plain Swift:

            try preferences.set(\\.launchCount, to: preferences.launchCount + 1)
            weather.temperature = \(weather.temperature)
            weather.lastUpdate = Date()
            weather.unit = .\(weather.unit)
            weather.radar.layers.formSymmetricDifference(["wind"])

        \(PreferenceTable.text(of: preferences))

        They are on the disk now, in \(options.storeURL.path).
        Run this again to see that they were kept; --reset puts them back.
        """
    )
}
