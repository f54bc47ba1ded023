import Foundation
import TestSupport
import Testing

@Suite("prefs watch")
struct WatchTests {
    /// Runs a body with the lines of a running `prefs watch`, and ends it.
    private func watching(
        _ arguments: [String],
        in folder: Folder,
        _ body: (_ nextLine: () async throws -> String?) async throws -> Void
    ) async throws {
        let location = ["--schema", "Weather.preferences.json", "--store", "weather.json"]
        let child = try ChildProcess(
            BuiltWithTests.executable("prefs").path,
            ["watch"] + location + arguments,
            in: folder.url,
            output: .pipe
        )
        defer { child.send(SIGTERM) }
        try await body { try await onOwnThread { try child.output.readLine() } }
    }

    @Test("Each change by another process is a line, and so are the present values on request")
    func lines() async throws {
        try await Folder.withSchema { folder in
            try await watching(["--initial", "weather.unit", "weather.temperature"], in: folder) { nextLine in
                let initial = [try await nextLine(), try await nextLine()].compactMap(\.self)
                #expect(Set(initial) == ["weather.unit: celsius", "weather.temperature: 21.5"])
                _ = try await folder.prefs("set", "weather.unit", "fahrenheit")
                #expect(try await nextLine() == "weather.unit: fahrenheit")
                _ = try await folder.prefs("set", "weather.stations", "Oslo")
                _ = try await folder.prefs("set", "weather.temperature", "3")
                #expect(try await nextLine() == "weather.temperature: 3.0")
                _ = try await folder.prefs("reset", "weather.unit")
                #expect(try await nextLine() == "weather.unit: celsius")
            }
        }
    }

    @Test("With '--json', each line is an object with the old and the new value")
    func jsonLines() async throws {
        try await Folder.withSchema { folder in
            try await watching(["--json", "--initial", "weather.unit"], in: folder) { nextLine in
                #expect(try await nextLine() == #"{"key": "weather.unit", "value": "celsius"}"#)
                _ = try await folder.prefs("set", "weather.unit", "fahrenheit")
                #expect(try await nextLine() == #"{"key": "weather.unit", "old": "celsius", "value": "fahrenheit"}"#)
            }
        }
    }

    @Test("A reader that ends, such as 'head', ends it at the next change")
    func closedPipe() async throws {
        try await Folder.withSchema { folder in
            let options = "--schema Weather.preferences.json -s weather.json"
            let run = try await folder.run(
                shell: """
                    (timeout 20 prefs watch \(options) --initial weather.unit; echo $? >status) | head -1 &
                    for number in {1..100}; do
                        [[ -e status ]] && break
                        sleep 0.1
                        prefs set \(options) weather.unit $([[ $((number % 2)) == 1 ]] && echo fahrenheit || echo celsius)
                    done
                    wait
                    """
            )
            #expect(run.output.hasPrefix("weather.unit: "), "\(run)")
            #expect(try folder.read("status") == "0\n")
        }
    }

    @Test("Stores that do not report changes are read at intervals")
    func polling() async throws {
        try await Folder.withSchema { folder in
            try await PreferenceServer.run { server in
                try server.serve(.init(#"{"weather": {"unit": "celsius"}}"#, type: "application/json"))
                let child = try ChildProcess(
                    BuiltWithTests.executable("prefs").path,
                    [
                        "watch", "--schema", "Weather.preferences.json", "--store", "\(server.url())",
                        "--interval", "0.1", "--initial", "weather.unit",
                    ],
                    in: folder.url,
                    output: .pipe
                )
                defer { child.send(SIGTERM) }
                #expect(try await onOwnThread { try child.output.readLine() } == "weather.unit: celsius")
                try server.serve(.init(#"{"weather": {"unit": "fahrenheit"}}"#, type: "application/json"))
                #expect(try await onOwnThread { try child.output.readLine() } == "weather.unit: fahrenheit")
            }
        }
    }

    @Test("A store of secrets that does not report changes is read at intervals")
    func pollingSecrets() async throws {
        try await Folder.withSchema { folder in
            try await PreferenceServer.run { server in
                try server.serve(.init(#"{"weather": {"token": "abc"}}"#, type: "application/json"))
                try await watching(
                    [
                        "--secrets", "\(server.url())", "--interval", "0.1", "--initial", "--show-secrets",
                        "weather.token",
                    ],
                    in: folder
                ) { nextLine in
                    #expect(try await nextLine() == "weather.token: abc")
                    try server.serve(.init(#"{"weather": {"token": "def"}}"#, type: "application/json"))
                    #expect(try await nextLine() == "weather.token: def")
                }
            }
        }
    }
}
