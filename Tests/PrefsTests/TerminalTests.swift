import Foundation
import PreferencesCommandReference
import TestSupport
import Testing

@Suite("prefs in a terminal")
struct TerminalTests {
    /// Runs a body with a shell in a folder with a schema and a short name for the tool.
    private func inTerminal(_ body: (ShellTerminal, Folder) async throws -> Void) async throws {
        try await Folder.withSchema { folder in
            let tool = try BuiltWithTests.executable("prefs").path
            let script = """
                prefs() {
                    command "\(tool)" "$1" --schema Weather.preferences.json -s weather.json --secrets secrets.json "${@:2}"
                }

                """
            try await ShellTerminal.run(.bash, script: script, in: folder) { try await body($0, folder) }
        }
    }

    @Test("A secret is asked for, and not shown while it is typed")
    func secret() async throws {
        try await inTerminal { terminal, folder in
            try await terminal.enter("prefs set weather.token; record $?")
            try await terminal.waitForScreen(containing: "\nweather.token:")
            try await terminal.enter("abracadabra")
            #expect(try await terminal.reply() == ["0"])
            try await terminal.enter("echo typed; record shown")
            #expect(try await terminal.reply() == ["shown"])
            #expect(try await !terminal.waitForScreen(containing: "typed").contains("abracadabra"))
            #expect(try folder.read("secrets.json").contains("abracadabra"))
        }
    }

    @Test("A secret that is not typed to its end changes nothing, and the terminal shows again what is typed")
    func interruptedSecret() async throws {
        try await inTerminal { terminal, folder in
            try await terminal.enter("(prefs set weather.token); record $?")
            try await terminal.waitForScreen(containing: "\nweather.token:")
            try await terminal.press("C-c")
            try await terminal.enter("stty -a > settings; record $?")
            #expect(try await terminal.reply() == ["0"])
            #expect(try folder.read("settings").contains(" echo "))
            #expect(!folder.exists("secrets.json"))
        }
    }

    @Test("While the prompt for a secret is stopped, the terminal shows what is typed, and hides it afterwards")
    func stoppedSecret() async throws {
        try await inTerminal { terminal, folder in
            try await terminal.enter("prefs set weather.token")
            try await terminal.waitForScreen(containing: "\nweather.token:")
            try await terminal.press("C-z")
            try await terminal.waitForScreen(containing: "Stopped")
            try await terminal.enter("stty -a > settings; record $?")
            #expect(try await terminal.reply() == ["0"])
            #expect(try folder.read("settings").contains(" echo "))
            try await terminal.enter("clear; fg")
            try await terminal.waitForScreen(containing: "\nweather.token:")
            try await terminal.enter("abracadabra")
            try await terminal.enter("record shown")
            #expect(try await terminal.reply() == ["shown"])
            #expect(try folder.read("secrets.json").contains("abracadabra"))
            #expect(try await !terminal.waitForScreen(containing: "record shown").contains("abracadabra"))
        }
    }

    @Test("A value that is no secret is shown while it is typed")
    func shownInput() async throws {
        try await inTerminal { terminal, folder in
            try await terminal.enter("echo started; prefs set weather.unit -; record $?")
            try await terminal.waitForScreen(containing: "\nstarted")
            try await terminal.enter("fahrenheit")
            #expect(try await terminal.reply() == ["0"])
            try await terminal.waitForScreen(containing: "\nfahrenheit")
            #expect(try folder.read("weather.json").contains("fahrenheit"))
        }
    }

    @Test("A signal that is ignored does not end the prompt for a secret")
    func ignoredSignal() async throws {
        try await inTerminal { terminal, folder in
            let tool = try BuiltWithTests.executable("prefs").path
            let options = "--schema Weather.preferences.json -s weather.json --secrets secrets.json"
            try folder.write(
                "trap '' HUP; echo $$ >pid; exec '\(tool)' set \(options) weather.token\n",
                to: "prompt.sh"
            )
            try await terminal.enter("sh prompt.sh; record $?")
            try await terminal.waitForScreen(containing: "\nweather.token:")
            #expect(try await folder.run(shell: "kill -HUP $(cat pid)").status == 0)
            try await terminal.enter("abracadabra")
            #expect(try await terminal.reply() == ["0"])
            #expect(try folder.read("secrets.json").contains("abracadabra"))
        }
    }

    @Test("A faulty edit opens the editor again, with the faults at the beginning of the text")
    func faultyEdit() async throws {
        try await inTerminal { terminal, folder in
            try folder.write(#"{"weather:unit": "fahrenheit"}"#, to: "weather.json")
            try folder.write(
                """
                if [ -e second ]; then
                    head -n 1 "$1" > shown
                    sed -i 's|kelvin|celsius|' "$1"
                else
                    touch second
                    sed -i 's|fahrenheit",|kelvin",|' "$1"
                fi

                """,
                to: "editor.sh"
            )
            try await terminal.enter("EDITOR='sh editor.sh' VISUAL= prefs edit; record $?")
            #expect(try await terminal.reply() == ["0"])
            #expect(
                try folder.read("shown")
                    == "// error: \(folder.path("weather.json")): 'weather:unit': \"kelvin\" must be one of celsius, "
                    + "fahrenheit\n"
            )
            #expect(try folder.read("weather.json") == #"{"weather:unit": "celsius"}"#)
        }
    }

    @Test("A faulty edit that is saved unchanged is given up, and its text kept")
    func abandonedEdit() async throws {
        try await inTerminal { terminal, folder in
            let old = #"{"weather:unit": "fahrenheit"}"#
            try folder.write(old, to: "weather.json")
            try folder.write(#"sed -i 's|fahrenheit",|kelvin",|' "$1""#, to: "editor.sh")
            try await terminal.enter("EDITOR='sh editor.sh' VISUAL= prefs edit 2>errors; record $?")
            #expect(try await terminal.reply() == ["1"])
            let errors = try folder.read("errors")
            let file = try #require(errors.firstMatch(of: /Nothing was changed. The text is in (.*)\n/)?.1)
            #expect(try String(contentsOfFile: String(file), encoding: .utf8).contains("kelvin"))
            try FileManager.default.removeItem(at: URL(filePath: String(file)).deletingLastPathComponent())
            #expect(try folder.read("weather.json") == old)
        }
    }
}
