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
    // What comes first has the last word, and what is set goes to the first that can be written: the user's file.
    let arguments = ArgumentsStore(prefix: Options.settingPrefix)
    let store = LayeredStore(
        [arguments, EnvironmentStore(prefix: "WEATHER_EXAMPLE_"), FileStore(url: options.storeURL)]
            + FileStore.siteStores
    )
    let preferences = Preferences(store: store)
    // A property never throws: what cannot be read reads as its default, and what cannot be set stays as it was. Both are
    // told through `preferences.problems`. Where it matters at once, there are calls that throw, as these do.
    try preferences.reload()
    // All that there are have been read then.
    let table = PreferenceTable.sources(of: preferences)
    if let option = arguments.unreadOptions.first {
        let advice = "an option is the words of a storage name, as in --set-weather-service-unit=kelvin"
        let reason = "no preference has the option '\(option)'; \(advice)"
        FileHandle.standardError.write(Data("WeatherExample: \(reason)\n".utf8))
        exit(2)
    }
    switch options.task {
    case .takeReading: try takeReading(preferences)
    case .showSources: print(table)
    case .reset:
        try preferences.resetAll()
        print("Every preference is back at its default:\n\n\(PreferenceTable.text(of: preferences))")
    case .watch: await watch(preferences)
    }
} catch {
    FileHandle.standardError.write(Data("WeatherExample: \(error)\n".utf8))
    exit(1)
}

/// Shows the preferences, sets some of them, and shows them again: on the main actor, where its watcher may fill a variable.
@MainActor
func takeReading(_ preferences: Preferences) throws {
    print(
        preferences.isSet(\.launchCount)
            ? "Welcome back! This was kept since your last run (\u{25CF} set, \u{25CB} default):\n"
            : "Welcome! Nothing is set yet, so every preference reads as its default:\n"
    )
    print(PreferenceTable.text(of: preferences))

    let readings = [18.9, 23.4, 16.2, 27.1]
    let weather = preferences.weather
    var changes: [String] = []
    weather.watch(\.temperature, options: .old) { changes.append("\($0.old ?? 0) → \($0.new)") }

    // All of it is written at once, or nothing is.
    try preferences.transaction { preferences in
        preferences.launchCount += 1
        weather.temperature = readings[preferences.launchCount % readings.count]
        weather.lastUpdate = Date()
        weather.unit = weather.unit == .celsius ? .fahrenheit : .celsius
        weather.radar.layers.formSymmetricDifference(["wind"])
    }

    print(
        """

        A new reading came in, and the program set some of them, in plain Swift:

            try preferences.transaction { preferences in
                preferences.launchCount += 1
                weather.temperature = \(weather.temperature)
                weather.lastUpdate = Date()
                weather.unit = .\(weather.unit)
                weather.radar.layers.formSymmetricDifference(["wind"])
            }

        \(PreferenceTable.text(of: preferences))

        Who watched the temperature saw: \(changes.joined(separator: ", "))

        They are on the disk now, in \(options.storeURL.path).
        Run this again to see that they were kept; --reset puts them back. With --watch in another terminal, it shows
        what other runs change, or you with an editor.
        With --sources, it shows where each comes from: the command line, the environment, a file, or the default.
        """
    )
}

/// Shows what others change, for as long as it is left to run.
func watch(_ preferences: Preferences) async {
    print("Watching \(options.storeURL.path): run the example in another terminal, or edit the file. Ctrl-C ends it.")
    fflush(nil)
    for await change in preferences.changes(\.weather.summary, options: [.initial, .removeDuplicates]) {
        print(change.new)
        fflush(nil)
    }
}

extension Weather {
    /// A property over several keys, which is watched as one.
    var summary: String { "\(unit.text(celsius: temperature)), radar \(radar.range) km" }
}
