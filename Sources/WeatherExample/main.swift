import Foundation
import PreferencesRuntime

// A small program whose preferences are declared in Schemas/WeatherExample.preferences.json. The build plugin turns
// that file into the accessors used here: `preferences.weather.temperature` is a `Double`, and misspelling it is an
// error that the compiler finds.

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
    // The first layer with a value takes precedence. Values are set in the first writable layer, the user's file.
    let arguments = ArgumentsStore(prefix: Options.settingPrefix)
    let store = LayeredStore(
        [arguments, EnvironmentStore(prefix: "WEATHER_EXAMPLE_"), FileStore(url: options.storeURL)]
            + FileStore.siteStores
    )
    let preferences = Preferences(store: store)
    // A property never throws: a value that cannot be read reads as its default, and one that cannot be set is not set.
    // Both are reported by `preferences.problems`. There are calls that throw instead, such as these.
    try preferences.reload()
    // Reads every key, after which `unrecognizedOptions` is complete.
    let table = PreferenceTable.sources(of: preferences)
    if let option = arguments.unrecognizedOptions.first {
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
        print("Every preference has its default again:\n\n\(PreferenceTable.text(of: preferences))")
    case .watch: await watch(preferences)
    }
} catch {
    FileHandle.standardError.write(Data("WeatherExample: \(error)\n".utf8))
    exit(1)
}

/// Shows the preferences, sets some of them, and shows them again. Runs on the main actor, so that its watcher may
/// change a variable.
@MainActor
func takeReading(_ preferences: Preferences) throws {
    print(
        preferences.isSet(\.launchCount)
            ? "Welcome back! These preferences persist since your last run (\u{25CF} set, \u{25CB} default):\n"
            : "Welcome! Nothing is set yet, so every preference reads as its default:\n"
    )
    print(PreferenceTable.text(of: preferences))

    let readings = [18.9, 23.4, 16.2, 27.1]
    let weather = preferences.weather
    var changes: [String] = []
    weather.watch(\.temperature, options: .old) { changes.append("\($0.old ?? 0) → \($0.new)") }

    // Either all of it is written, or nothing.
    try preferences.transaction { preferences in
        preferences.launchCount += 1
        weather.temperature = readings[preferences.launchCount % readings.count]
        weather.lastUpdate = Date()
        weather.unit = weather.unit == .celsius ? .fahrenheit : .celsius
        weather.radar.layers.formSymmetricDifference(["wind"])
    }

    print(
        """

        A new reading arrived, and the program set some preferences in plain Swift:

            try preferences.transaction { preferences in
                preferences.launchCount += 1
                weather.temperature = \(weather.temperature)
                weather.lastUpdate = Date()
                weather.unit = .\(weather.unit)
                weather.radar.layers.formSymmetricDifference(["wind"])
            }

        \(PreferenceTable.text(of: preferences))

        A watcher of the temperature received \(changes.joined(separator: ", "))

        They are stored in \(options.storeURL.path).

        Run it again to see that they persist, or with
          --reset    to restore the defaults;
          --watch    in a second terminal, to see the changes of other runs and of your editor at once;
          --sources  to see the source of each value: the command line, the environment, a file, or the default.
        """
    )
}

/// Shows external changes until it is interrupted.
func watch(_ preferences: Preferences) async {
    print("Watching \(options.storeURL.path): run the example in another terminal, or edit the file. Ctrl-C ends it.")
    fflush(nil)
    for await change in preferences.changes(\.weather.summary, options: [.initial, .removeDuplicates]) {
        print(change.new)
        fflush(nil)
    }
}

extension Preferences.Weather {
    /// A property of several keys, which can be watched as one.
    var summary: String { "\(unit.text(celsius: temperature)), radar \(radar.range) km" }
}
