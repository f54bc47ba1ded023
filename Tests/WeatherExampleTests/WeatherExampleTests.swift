import Foundation
import TestSupport
import Testing

/// Runs the example as a newcomer does.
@Suite("WeatherExample")
struct WeatherExampleTests {
    @Test("Its second run shows what the first one set")
    func secondRun() async throws {
        try await withTemporaryDirectory { folder in
            let first = try await run(["--store", "station.json"], in: folder)
            #expect(first.status == 0)
            #expect(first.output.hasPrefix("Welcome! Nothing is set yet, so every preference reads as its default:\n"))
            #expect(first.output.contains("\u{25CB} weather.temperature       21.5 °C\n"))
            #expect(first.output.contains("A watcher of the temperature received 21.5 → 23.4\n"))

            let second = try await run(["--store", "station.json"], in: folder)
            #expect(second.status == 0)
            let kept = try #require(second.output.split(separator: "\n\n").dropFirst().first)
            #expect(second.output.hasPrefix("Welcome back! These preferences persist since your last run"))
            #expect(kept.contains("\u{25CF} launchCount               1 "))
            #expect(kept.contains("\u{25CF} weather.temperature       74.1 °F "))
            #expect(kept.contains("\u{25CF} weather.radar.layers      rain, wind "))
            #expect(kept.contains("\u{25CB} theme                     light\n"))
        }
    }

    @Test("The command line comes before the environment, the user's file, the site's and the defaults")
    func layers() async throws {
        try await withTemporaryDirectory { folder in
            let site = folder.appending(components: "site", "WeatherExample", "preferences.json")
            try FileManager.default.createDirectory(
                at: site.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            let siteText = """
                {"theme": "dark", "weather-service:stations": ["Tromsø"], "weather-service:unit": "kelvin",
                 "weather-service:temperature": 1, "weather-service:radar:radar-range": 25}
                """
            try Data(siteText.utf8).write(to: site)
            let user = folder.appending(component: "station.json")
            let userText = #"{"weather-service:unit": "fahrenheit", "weather-service:temperature": 2, "theme": "dark"}"#
            try Data(userText.utf8).write(to: user)
            var environment = ProcessInfo.processInfo.environment
            environment["XDG_CONFIG_DIRS"] = folder.appending(component: "site").path
            environment["WEATHER_EXAMPLE_WEATHER_SERVICE_TEMPERATURE"] = "3.5"
            environment["WEATHER_EXAMPLE_THEME"] = "dark"
            let arguments = ["--store", "station.json", "--set-theme=high-contrast"]

            let shown = try await run(arguments + ["--sources"], in: folder, environment)
            #expect(shown.errors == "")
            let rows = shown.output.split(separator: "\n").map { $0.split(separator: /\s{2,}/).map(String.init) }
            #expect(
                Dictionary(uniqueKeysWithValues: rows.map { ($0[0], Array($0.dropFirst())) }) == [
                    "launchCount": ["0", "default"], "theme": ["highContrast", "argument --set-theme"],
                    "weather.temperature": [
                        "38.3 °F", "environment variable WEATHER_EXAMPLE_WEATHER_SERVICE_TEMPERATURE",
                    ],
                    "weather.unit": ["fahrenheit", user.path], "weather.stations": ["Tromsø", site.path],
                    "weather.lastUpdate": ["never", "default"], "weather.refreshInterval": ["0:15:00", "default"],
                    "weather.radar.range": ["25 km", site.path], "weather.radar.layers": ["rain", "default"],
                ]
            )

            // A value is set in the user's file. If another layer shadows it, this is reported.
            let reading = try await run(arguments, in: folder, environment)
            #expect(reading.status == 0)
            let kept = try String(contentsOf: user, encoding: .utf8)
            #expect(kept.contains("\"weather-service:temperature\": 23.4"))
            #expect(kept.contains("\"theme\": \"dark\""))
            #expect(try String(contentsOf: site, encoding: .utf8) == siteText)
            let shadow =
                "'weather-service:temperature': it was set in \(user.path), but is read from environment variable "
                + "WEATHER_EXAMPLE_WEATHER_SERVICE_TEMPERATURE, which comes first"
            #expect(reading.errors.contains(shadow), "\(reading.errors)")
        }
    }

    @Test("The documentation of layers shows what the example does")
    func documentedLayers() throws {
        let page = "Sources/PreferencesRuntime/PreferencesRuntime.docc/Layers.md"
        let documentation = try String(contentsOf: Repository.folder.appending(path: page), encoding: .utf8)
        let code = try #require(documentation.firstMatch(of: /```swift\n(let arguments = [\s\S]*?)```/)).1
        let main = Repository.folder.appending(path: "Sources/WeatherExample/main.swift")
        let lines = try String(contentsOf: main, encoding: .utf8).split(separator: "\n")
        let program = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
        let shown = code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
        #expect(program.contains(shown))
    }

    @Test("--reset puts everything back")
    func reset() async throws {
        try await withTemporaryDirectory { folder in
            _ = try await run(["--store", "station.json"], in: folder)
            let reset = try await run(["--store", "station.json", "--reset"], in: folder)
            #expect(reset.status == 0)
            #expect(reset.output.hasPrefix("Every preference has its default again:\n"))
            #expect(!reset.output.contains("\u{25CF}"))
            let again = try await run(["--store", "station.json"], in: folder)
            #expect(again.output.hasPrefix("Welcome! Nothing is set yet"))
        }
    }

    @Test("--watch shows the changes of other runs")
    func watch() async throws {
        try await withTemporaryDirectory { folder in
            let watching = try ChildProcess(
                BuiltWithTests.executable("WeatherExample").path,
                ["--watch", "--store", "station.json"],
                in: folder,
                output: .pipe
            )
            var text = ""
            while let line = try await onOwnThread({ try watching.output.readLine() }) {
                text += "\(line)\n"
                if line == "21.5 °C, radar 50 km" {
                    let other = try await run(["--store", "station.json"], in: folder)
                    #expect(other.status == 0)
                }
                if line == "74.1 °F, radar 50 km" { watching.send(SIGTERM) }
            }
            _ = await watching.ending
            #expect(text.hasPrefix("Watching \(folder.path)/station.json: "))
            #expect(text.hasSuffix("21.5 °C, radar 50 km\n74.1 °F, radar 50 km\n"))
        }
    }

    @Test("A store that cannot be read is reported, and ends the program", arguments: [[], ["--reset"]])
    func unreadableStore(options: [String]) async throws {
        try await withTemporaryDirectory { folder in
            let run = try await run(["--store", folder.path] + options, in: folder)
            #expect(run.status == 1)
            #expect(run.output.isEmpty)
            #expect(run.errors == "WeatherExample: \(folder.path): cannot read \(folder.path): Is a directory\n")
        }
    }

    @Test("An unknown option is refused, with the help")
    func unknownOption() async throws {
        try await withTemporaryDirectory { folder in
            let run = try await run(["--stroe"], in: folder)
            #expect(run.status == 2)
            #expect(run.errors.hasPrefix("WeatherExample: unknown option '--stroe'\n"))
            #expect(run.errors.contains("--store PATH"))
        }
    }

    @Test("A misspelled preference is refused")
    func unknownPreference() async throws {
        try await withTemporaryDirectory { folder in
            let run = try await run(["--set-them=dark", "--store", "station.json"], in: folder)
            #expect(run.status == 2)
            #expect(
                run.errors == "WeatherExample: no preference has the option '--set-them'; an option is the words of a "
                    + "storage name, as in --set-weather-service-unit=kelvin\n"
            )
            #expect(run.output == "")
        }
    }

    private func run(
        _ arguments: [String],
        in folder: URL,
        _ environment: [String: String]? = nil
    ) async throws -> CommandLineRun {
        let program = try BuiltWithTests.executable("WeatherExample").path
        return try await CommandLineRun(program, arguments, in: folder, environment: environment)
    }
}
