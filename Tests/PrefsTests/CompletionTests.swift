import Foundation
import PreferencesCommandReference
import TestSupport
import Testing

@Suite("Completion scripts in terminals")
struct CompletionTests {
    /// Lines, with all suggestions for their last words, sorted.
    static let suggestions: [(line: String, suggestions: [String])] = [
        ("sample ", ["get", "help", "schema", "set"]),
        ("sample s", ["schema", "set"]),
        ("sample schema ", ["diff", "import"]),
        ("sample help ", ["get", "schema", "set"]),
        ("sample help schema ", ["diff", "import"]),
        ("sample get ", ["general", "two words", "weather:temperature", "weather:unit"]),
        ("sample get general we", ["weather:temperature", "weather:unit"]),
        ("sample get --store other ", ["other:only"]),
        ("sample get --store=other ", ["other:only"]),
        ("sample get --store ~/store ", ["home:only"]),
        ("sample get --store 'other' general -- ", ["other:only"]),
        ("sample get --format ", ["$HOME", "a:b", "it's", "text", "two words"]),
        ("sample set ", ["general", "two words", "weather:temperature", "weather:unit"]),
        ("sample set --store other general ", ["off", "on"]),
        ("sample set -5 o", ["off", "on"]),
        ("sample set weather:unit ab ", ["it's", "kelvin"]),
        ("sample set --store other -- -5 on ", ["other"]),
        ("sample get --fo", ["--folder", "--format"]),
    ]

    /// Lines that have one completion, with the words that the Tab key makes of them.
    static let completed: [(line: String, words: [String])] = [
        ("sample ge", ["get"]),
        ("sample sch", ["schema"]),
        ("sample schema im", ["schema", "import"]),
        ("sample --ver", ["--version"]),
        ("sample get --js", ["get", "--json"]),
        ("sample get weather:t", ["get", "weather:temperature"]),
        ("sample get \"weather:t", ["get", "weather:temperature"]),
        ("sample get tw", ["get", "two words"]),
        ("sample get --format tw", ["get", "--format", "two words"]),
        ("sample get --format=a", ["get", "--format=a:b"]),
        ("sample get --format it", ["get", "--format", "it's"]),
        ("sample set weather:unit \"a b\" k", ["set", "weather:unit", "a b", "kelvin"]),
        ("sample get --file files/on", ["get", "--file", "files/one file.txt"]),
        ("sample get -f files/on", ["get", "-f", "files/one file.txt"]),
        ("sample get --file=files/on", ["get", "--file=files/one file.txt"]),
        ("sample get --folder files/", ["get", "--folder", "files/inner/"]),
        ("sample get --json -- gen", ["get", "--json", "--", "general"]),
        ("sample schema import files/on", ["schema", "import", "files/one file.txt"]),
        ("./sample get gen", ["get", "general"]),
    ]

    @Test("A shell suggests commands, options, values and arguments", arguments: Shell.allCases)
    func suggestions(shell: Shell) async throws {
        try await withFolder { folder in
            try await SampleTool.install(in: folder)
            let script = shell.completionScript(for: SampleTool.tool)
            try await ShellTerminal.run(shell, script: script, in: folder) { terminal in
                for (line, suggestions) in Self.suggestions {
                    let shown = try await terminal.suggestions(for: line)
                    #expect(shown.sorted() == suggestions, "\(line)")
                }
            }
        }
    }

    @Test("The Tab key completes a line that has one completion", arguments: Shell.allCases)
    func completed(shell: Shell) async throws {
        try await withFolder { folder in
            try await SampleTool.install(in: folder)
            let script = shell.completionScript(for: SampleTool.tool)
            try await ShellTerminal.run(shell, script: script, in: folder) { terminal in
                for (line, words) in Self.completed {
                    let typed = try await terminal.completed(line)
                    #expect(typed == words, "\(line)")
                }
            }
        }
    }

    @Test("The script that prefs prints completes its command line", arguments: Shell.allCases)
    func prefs(shell: Shell) async throws {
        try await withFolder { folder in
            let run = try await folder.run("completions", shell.rawValue)
            #expect(run.status == 0)
            #expect(run.errors == "")
            try folder.write("", to: "okular.kcfg")
            try await ShellTerminal.run(shell, script: run.output, in: folder) { terminal in
                for (line, words) in [
                    ("prefs sch", ["schema"]), ("prefs schema import ok", ["schema", "import", "okular.kcfg"]),
                    ("prefs schema import --from set", ["schema", "import", "--from", "settings-bundle"]),
                    ("prefs completions f", ["completions", "fish"]),
                ] {
                    let typed = try await terminal.completed(line)
                    #expect(typed == words, "\(line)")
                }
            }
        }
    }

    @Test("The values of Booleans, enums and choices complete 'set', as the schema has them", arguments: Shell.allCases)
    func values(shell: Shell) async throws {
        try await withFolder { folder in
            try folder.write(
                """
                {
                  "formatVersion": 1,
                  "types": {
                    "Level": { "enum": { "low": 1, "high": 2 } },
                    "Tint": { "enum": { "deepBlue": "deep blue", "red": "red" } }
                  },
                  "namespaces": {
                    "app": {
                      "keys": {
                        "level": { "type": "Level", "default": "low" }, "tint": { "type": "Tint?" },
                        "sound": { "type": "Bool", "default": true }, "name": { "type": "String", "default": "" },
                        "size": { "type": "Int", "default": 8, "choices": [8, 12] },
                        "pin": { "type": "Bool", "default": true, "secret": true },
                        "levels": { "type": "[Level]", "default": [] },
                        "byName": { "type": "[String: Level]", "default": {}, "each": { "choices": ["high"] } },
                        "odd": { "type": "String?", "choices": ["null", "-x", "-"] }
                      }
                    }
                  }
                }
                """,
                to: "App.preferences.json"
            )
            try FileManager.default.createSymbolicLink(
                at: folder.url.appending(path: "prefs"),
                withDestinationURL: BuiltWithTests.executable("prefs")
            )
            let script = try await folder.run("completions", shell.rawValue).output
            try await ShellTerminal.run(shell, script: script, in: folder) { terminal in
                for (key, values) in [
                    ("level", ["high", "low"]), ("tint", ["deep blue", "null", "red"]), ("sound", ["false", "true"]),
                    ("size", ["12", "8"]),
                ] {
                    let line = "prefs set --schema App.preferences.json app.\(key) "
                    #expect(try await terminal.suggestions(for: line).sorted() == values, "\(key)")
                }
                let typed = try await terminal.completed("prefs set --schema App.preferences.json app:tint d")
                #expect(typed.last == "deep blue")
            }
            for (key, format, values) in [
                ("name", [], ""), ("pin", [], ""), ("sound", [], "true\nfalse\n"),
                ("level", ["--json"], "[\n  1,\n  2\n]\n"), ("levels", [], "low\nhigh\n"), ("byName", [], ""),
                // As JSON, 'set' reads them as strings.
                ("odd", [], "\"null\"\n\"-x\"\n\"-\"\nnull\n"),
            ] {
                let arguments = ["range", "--values", "--schema", "App.preferences.json", "app.\(key)"] + format
                let run = try await Prefs(arguments, in: folder.url)
                #expect(run.status == 0 && run.output == values && run.errors == "", "\(key)")
            }
        }
    }

    @Test("zsh completes with a script in fpath")
    func autoloaded() async throws {
        try await withFolder { folder in
            try await SampleTool.install(in: folder)
            try folder.write(Shell.zsh.completionScript(for: SampleTool.tool), to: "functions/_sample")
            let script = "fpath=($PWD/functions $fpath); compinit -u -D"
            try await ShellTerminal.run(.zsh, script: script, in: folder) { terminal in
                // The first call loads the function.
                let first = try await terminal.completed("sample get gen")
                #expect(first == ["get", "general"])
                let second = try await terminal.completed("sample get weather:t")
                #expect(second == ["get", "weather:temperature"])
            }
        }
    }

    @Test("bash completes names with colons whichever characters end words", arguments: [":", "=", "=:", ""])
    func wordBreaks(removed: String) async throws {
        try await withFolder { folder in
            try await SampleTool.install(in: folder)
            let script =
                Shell.bash.completionScript(for: SampleTool.tool)
                + removed.map { "COMP_WORDBREAKS=${COMP_WORDBREAKS//\($0)/}\n" }.joined()
            try await ShellTerminal.run(.bash, script: script, in: folder) { terminal in
                let name = try await terminal.completed("sample get weather:t")
                #expect(name == ["get", "weather:temperature"])
                let value = try await terminal.completed("sample get --format=a:")
                #expect(value == ["get", "--format=a:b"])
                let file = try await terminal.completed("sample get --file=files/on")
                #expect(file == ["get", "--file=files/one file.txt"])
            }
        }
    }
}
