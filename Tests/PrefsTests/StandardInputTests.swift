import TestSupport
import Testing

@Suite("Values on standard input")
struct StandardInputTests {
    private static let options = "--schema Weather.preferences.json -s weather.json --secrets secrets.json"

    @Test(
        "A line that is endless, has NUL or is not UTF-8 is refused",
        arguments: ["weather.home", "weather.token"],
        [
            ("cat /dev/zero", "the line has a NUL byte; it is not text, or not UTF-8"),
            ("yes | tr -d '\\n'", "the line has more than 1 MiB"),
            ("printf 'a\\0b\\n'", "the line has a NUL byte; it is not text, or not UTF-8"),
            ("printf 'Z\\374rich\\n'", "the line is not UTF-8"),
        ]
    )
    func refused(key: String, input: (command: String, message: String)) async throws {
        try await Folder.withSchema { folder in
            let run = try await folder.run(shell: "\(input.command) | prefs set \(Self.options) \(key) -")
            #expect(run.status == 3)
            #expect(run.errors == "prefs: error: cannot read <stdin>: \(input.message)\n")
            #expect(try folder.names() == ["Weather.preferences.json"])
        }
    }

    @Test("The first line alone is read, and without its end")
    func firstLine() async throws {
        try await Folder.withSchema { folder in
            let run = try await folder.run(
                shell: """
                    printf 'fahrenheit\\r\\nOslo,Bergen\\nrest' | {
                        prefs set \(Self.options) weather.unit - && prefs set \(Self.options) weather.stations - && cat
                    }
                    prefs get \(Self.options) weather.unit weather.stations
                    printf 'celsius' | prefs set \(Self.options) weather.unit - && prefs get \(Self.options) weather.unit
                    prefs set \(Self.options) weather.unit - </dev/null
                    """
            )
            #expect(run.output == "rest" + "fahrenheit\n[\"Oslo\", \"Bergen\"]\ncelsius\n")
            #expect(run.errors == "prefs: error: standard input has no value\n")
            #expect(run.status == 3)
        }
    }

    @Test(
        "'load' refuses variables with NUL or text that is not UTF-8",
        arguments: [
            ("WEATHER_HOME='a\\0b'", "the file has NUL, which no variable has"),
            ("WEATHER_HOME='\\374'", "the file is not UTF-8"),
        ]
    )
    func variables(text: String, message: String) async throws {
        try await Folder.withSchema { folder in
            let run = try await folder.run(shell: "printf \"\(text)\" | prefs load \(Self.options) --format env -")
            #expect(run.status == 1)
            #expect(run.errors == "prefs: error: <stdin>: \(message)\n")
        }
    }

    @Test("A line of the greatest length is read")
    func longLine() async throws {
        try await Folder.withSchema { folder in
            let run = try await folder.run(
                shell: """
                    for count in 1048576 1048577; do
                        yes | tr -d '\\n' | head -c $count | prefs set \(Self.options) weather.token - ||
                            echo $count
                    done
                    prefs get \(Self.options) --show-secrets weather.token | wc -c
                    """
            )
            #expect(run.output == "1048577\n1048577\n")
        }
    }
}
